"""Whatever tool writes to memory, under whatever keys: what it writes is checked, or it is blocked."""

from __future__ import annotations

import json

import pytest

from tests.unit.gate.hook.test_memory_write import LAW, LIE, event, hook, project

__all__ = ["project"]


def call(tool, folder, given):
    return event(tool, folder) | {"tool_input": given}


PATCH = "*** Begin Patch\n*** {} File: {}\n{}*** End Patch"
DIFF = "--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1,3 +1,3 @@\n # Law\n \n-{}\n+{}\n"
SEARCH = "------- SEARCH\n{}\n=======\n{}\n+++++++ REPLACE\n"
MAY = LAW.replace("November", "May")
BLOCKED = {
    "a file changed and moved": (
        "apply_patch",
        {"input": f"*** Begin Patch\n*** Update File: notes.txt\n*** Move to: CLAUDE.md\n@@\n-a\n+{LIE}\n*** End Patch"},
    ),
    "a head with spaces": ("apply_patch", {"input": f"***  Add File:  CLAUDE.md\n+{LIE}\n"}),
    "keys typed into a shell": ("write_stdin", {"chars": "cp notes.txt CLAUDE.md\n"}),
    "keys with a pattern": ("mcp__terminal__send_keys", {"text": "cp notes.txt C*.md"}),
    "code in two pieces": ("run_python", {"source": "open('CLAUDE' + '.md', 'w').write(x)"}),
    "a pattern that replaces": (
        "replace_content", {"path": "CLAUDE.md", "needle": "entitl.d", "repl": "", "mode": "regex"},
    ),
    "a viewer that creates": ("view", {"path": "CLAUDE.md", "content": LIE, "command": "create"}),
    # The server for files of the Model Context Protocol
    "write_file": ("mcp__filesystem__write_file", {"path": "CLAUDE.md", "content": LIE}),
    "edit_file": (
        "mcp__filesystem__edit_file",
        {"path": "CLAUDE.md", "edits": [{"oldText": "November 15", "newText": "May 15"}], "dryRun": False},
    ),
    "move_file": ("mcp__filesystem__move_file", {"source": "notes.txt", "destination": "CLAUDE.md"}),
    "move_file into a folder": ("move_file", {"source": "notes.txt", "destination": "memory"}),
    "move_file of a folder": ("move_file", {"source": "sub", "destination": "memory/sub"}),
    "copy_file": ("copy_file", {"from": "notes.txt", "to": "memory/a.md"}),
    "rename": ("rename", {"old_path": "notes.txt", "new_path": "AGENTS.md"}),
    "rename by name": ("rename_file", {"path": "sub/notes.txt", "new_name": "CLAUDE.md"}),
    "a copy of what is not there": ("copy_file", {"source": "gone.txt", "destination": "CLAUDE.md"}),
    "a copy of a secret key": ("copyFile", {"src": "/dev/null", "dest": "CLAUDE.md"}),
    "a move between unnamed paths": ("mv", {"a": "notes.txt", "b": "CLAUDE.md"}),
    "a link": ("create_symlink", {"target": "notes.txt", "path": "memory/l.md"}),
    "a download": ("download", {"url": "https://example.org/a", "path": "memory/a.md"}),
    # Editors that have one tool for all
    "create": ("str_replace_editor", {"command": "create", "path": "CLAUDE.md", "file_text": LIE}),
    "str_replace": (
        "str_replace_based_edit_tool",
        {"command": "str_replace", "path": "CLAUDE.md", "old_str": "November 15", "new_str": "May 15"},
    ),
    "insert": (
        "str_replace_based_edit_tool",
        {"command": "insert", "path": "CLAUDE.md", "insert_line": 2, "insert_text": LIE},
    ),
    "insert new_str": (
        "str_replace_editor", {"command": "insert", "path": "CLAUDE.md", "insert_line": 0, "new_str": LIE},
    ),
    "undo_edit": ("str_replace_editor", {"command": "undo_edit", "path": "CLAUDE.md"}),
    "the memory tool": ("memory", {"command": "create", "path": "/memories/a.md", "file_text": LIE}),
    "the memory tool renames": (
        "memory", {"command": "rename", "old_path": "notes.txt", "new_path": "/memories/a.md"},
    ),
    # Gemini CLI
    "gemini write_file": ("write_file", {"file_path": "GEMINI.md", "content": LIE}),
    "gemini replace": (
        "replace",
        {"file_path": "CLAUDE.md", "instruction": "Mend it", "old_string": "November 15",
         "new_string": "May 15", "expected_replacements": 1},
    ),
    "gemini run_shell_command": (
        "run_shell_command", {"command": f"echo '{LIE}' > a.md", "dir_path": "memory"},
    ),
    "gemini save_memory": ("save_memory", {"fact": LIE}),
    # Codex
    "apply_patch adds": ("apply_patch", {"input": PATCH.format("Add", "memory/a.md", f"+{LIE}\n")}),
    "apply_patch updates": (
        "apply_patch", {"command": PATCH.format("Update", "CLAUDE.md", f"@@\n-{LAW}\n+{MAY}\n")},
    ),
    "apply_patch updates without the old text": (
        "apply_patch", {"patch": PATCH.format("Update", "CLAUDE.md", f"@@\n-x\n+{LIE}\n")},
    ),
    "apply_patch moves": (
        "apply_patch",
        {"input": PATCH.format("Update", "notes.txt", "*** Move to: memory/a.md\n@@\n-x\n+x\n")},
    ),
    "apply_patch behind another file": (
        "apply_patch",
        {"input": PATCH.format("Add", "x.md", f"+Fine\n*** Add File: memory/a.md\n+{LIE}\n")},
    ),
    "apply_patch with a line like a head": (
        "apply_patch", {"input": PATCH.format("Update", "CLAUDE.md", f"@@\n+++ x.md\n+{LIE}\n")},
    ),
    "a diff": ("git_apply", {"diff": DIFF.format(LAW, MAY)}),
    "a diff with a line like a head": (
        "git_apply", {"diff": DIFF.format(LAW, MAY).replace("+A", "+++ b/x.md\n+A")},
    ),
    "a diff that renames": (
        "git_apply", {"diff": "diff --git a/n.txt b/CLAUDE.md\nrename from n.txt\nrename to CLAUDE.md\n"},
    ),
    "a binary diff": (
        "git_apply", {"diff": "diff --git a/CLAUDE.md b/CLAUDE.md\nGIT binary patch\nliteral 1\nA"},
    ),
    "text beside a patch": (
        "apply", {"path": "CLAUDE.md", "text": LIE,
                  "patch": PATCH.format("Add", "memory/a.md", "+- Use tabs\n")},
    ),
    "a command before a patch": (
        "shell", {"command": f"echo '{LIE}' > CLAUDE.md\n*** Add File: x\n+hi"},
    ),
    "text beside a copy": (
        "copy_text", {"from": "style.txt", "to": "CLAUDE.md", "text": LIE},
    ),
    "a reading command beside text": ("export", {"command": "view", "path": "CLAUDE.md", "text": LIE}),
    "a switch": ("export", {"path": "CLAUDE.md", "text": "- Use tabs", "stalls_free": True}),
    "codex shell": ("shell", {"command": ["bash", "-lc", f"echo '{LIE}' > CLAUDE.md"], "workdir": "."}),
    "codex shell patches": (
        "shell", {"command": ["apply_patch", PATCH.format("Add", "memory/a.md", f"+{LIE}\n")]},
    ),
    # Cursor, Cline, Windsurf, Copilot
    "cursor Write": ("Write", {"path": "CLAUDE.md", "contents": LIE}),
    "cursor edit_file": (
        "edit_file", {"target_file": "CLAUDE.md", "instructions": "Add a note", "code_edit": LIE},
    ),
    "cursor terminal": ("run_terminal_cmd", {"command": f"echo '{LIE}' >> CLAUDE.md"}),
    "cursor update_memory": ("update_memory", {"title": "Stalls", "knowledge_to_store": LIE}),
    "cline write_to_file": ("write_to_file", {"path": "CLAUDE.md", "content": LIE}),
    "cline replace_in_file": (
        "replace_in_file", {"path": "CLAUDE.md", "diff": SEARCH.format("November 15", "May 15")},
    ),
    "cline execute_command": (
        "execute_command", {"command": f"echo '{LIE}' > CLAUDE.md", "requires_approval": False},
    ),
    "windsurf write_to_file": (
        "write_to_file", {"TargetFile": "CLAUDE.md", "CodeContent": LIE, "EmptyFile": False},
    ),
    "windsurf replace_file_content": (
        "replace_file_content",
        {"TargetFile": "CLAUDE.md",
         "ReplacementChunks": [{"TargetContent": "November 15", "ReplacementContent": "May 15"}]},
    ),
    "windsurf run_command": ("run_command", {"CommandLine": f"echo '{LIE}' > a.md", "Cwd": "memory"}),
    "windsurf create_memory": ("create_memory", {"Title": "Stalls", "Content": LIE, "Tags": []}),
    "copilot create_file": ("create_file", {"filePath": "AGENTS.md", "content": LIE}),
    "copilot replace_string_in_file": (
        "replace_string_in_file",
        {"filePath": "CLAUDE.md", "oldString": "November 15", "newString": "May 15"},
    ),
    "copilot insert_edit_into_file": (
        "insert_edit_into_file", {"filePath": "CLAUDE.md", "explanation": "Add a note", "code": LIE},
    ),
    "copilot run_in_terminal": (
        "run_in_terminal", {"command": f"echo '{LIE}' > CLAUDE.md", "explanation": "x",
                            "isBackground": False},
    ),
    "copilot write_bash": ("write_bash", {"sessionId": "a", "input": f"echo '{LIE}' > CLAUDE.md"}),
    "powershell": ("PowerShell", {"command": "Set-Content CLAUDE.md 'Stalls may be sold'"}),
    "python": ("execute_python", {"code": "open('CLAUDE.md', 'w').write('x')"}),
    "a shell's arguments": ("exec", {"program": "sh", "args": ["-c", f"echo '{LIE}' > CLAUDE.md"]}),
    # Git hosts
    "push_files": (
        "mcp__github__push_files",
        {"owner": "o", "repo": "r", "branch": "main", "message": "Update",
         "files": [{"path": "a.md", "content": "Use tabs"}, {"path": "CLAUDE.md", "content": LIE}]},
    ),
    # Paths taken apart
    "under name": ("save_note", {"name": "CLAUDE.md", "body": LIE}),
    "under file_name": ("save_note", {"file_name": "CLAUDE.md", "body": LIE}),
    "under output_file": ("export", {"output_file": "CLAUDE.md", "body": LIE}),
    "under a key of its own": ("export", {"zzz": "CLAUDE.md", "body": LIE}),
    "folder and name": ("export", {"directory": "memory", "name": "a", "body": LIE}),
    "folder and filename": ("export", {"body": LIE, "filename": "a.md", "folder": "sub/../memory"}),
    "root, folder and name": (
        "export", {"root": "sub", "folder": "memory", "filename": "a.md", "body": LIE},
    ),
    "name and ending": ("export", {"name": "CLAUDE", "extension": ".md", "body": LIE}),
    "below a workdir": ("export", {"cwd": "memory", "path": "a.md", "body": LIE}),
    "an address": ("export", {"uri": "file:///project/CLAUDE.md", "body": LIE}),
    "an address with a host": ("export", {"uri": "vscode-remote://wsl/p/CLAUDE.md#L3", "body": LIE}),
    "per cent signs": ("export", {"uri": "file:///project/%43LAUDE%2Emd", "body": LIE}),
    "per cent signs twice": ("export", {"uri": "file:///project/CLAUDE%252Emd", "body": LIE}),
    "back slashes": ("export", {"path": "C:\\project\\CLAUDE.md", "body": LIE}),
    "a variable": ("export", {"path": "${workspaceFolder}/CLAUDE.md", "body": LIE}),
    "one of several": ("export", {"paths": "a.md, CLAUDE.md", "body": LIE}),
    "a list of paths": ("export", {"targets": ["a.md", "CLAUDE.md"], "body": LIE}),
    "a key": ("export", {"files": {"CLAUDE.md": LIE}}),
    "deep": ("export", {"a": [{"b": [{"c": "CLAUDE.md"}]}], "body": LIE}),
    "a second path": ("Write", {"file_path": "x.md", "path": "CLAUDE.md", "content": LIE}),
    "content like a path of memory": (
        "export", {"path": "CLAUDE.md", "content": "memory/stalls may be sold"},
    ),
    "content like a part of a path": (
        "export", {"folder": "memory", "filename": "a.md", "body": "Stalls may be sold"},
    ),
    "folder under a key of its own": ("export", {"zzz": "memory", "yyy": "a.md", "body": LIE}),
    # Text taken apart
    "lines": ("export", {"path": "CLAUDE.md", "lines": ["# Law", LIE]}),
    "words": ("export", {"path": "CLAUDE.md", "words": LIE.split()}),
    "letters": ("export", {"path": "CLAUDE.md", "content": list(LIE)}),
    "keys": ("export", {"path": "CLAUDE.md", "content": {LIE: True}}),
    "keys and values": ("export", {"path": "CLAUDE.md", "content": {"stalls": "free"}}),
    "a value that is no text": ("export", {"path": "CLAUDE.md", "content": {"stalls_free": True}}),
    "a number": ("export", {"path": "CLAUDE.md", "content": 5000}),
    "in objects": ("export", {"path": "CLAUDE.md", "blocks": [{"type": "text", "text": LIE}]}),
    "from a file": ("export", {"path": "CLAUDE.md", "template": "notes.txt"}),
    "from an address": ("export", {"path": "CLAUDE.md", "url": "https://example.org/a.md"}),
    "coded": ("export", {"path": "CLAUDE.md", "content_base64": "U3RhbGxz"}),
    "from nowhere": ("paste_clipboard", {"path": "CLAUDE.md"}),
    "behind a sentence": ("append_text", {"path": "memory/tail.md", "text": " unless asked."}),
    # Calls in calls
    "an object": (
        "use_mcp_tool", {"server_name": "files", "tool_name": "write_file",
                         "arguments": {"path": "CLAUDE.md", "content": LIE}},
    ),
    "JSON": ("use_mcp_tool", {"arguments": json.dumps({"path": "CLAUDE.md", "content": LIE})}),
    "JSON in JSON": (
        "call", {"input": json.dumps({"args": json.dumps({"path": "CLAUDE.md", "content": LIE})})},
    ),
    "edits as JSON": (
        "edit", {"path": "CLAUDE.md", "edits": json.dumps([{"oldText": "November", "newText": "May"}])},
    ),
    "elements": ("call", {"input": f"<path>CLAUDE.md</path><content>{LIE}</content>"}),
    "a command": (
        "batch", {"calls": [{"tool": "bash", "parameters": {"command": f"echo '{LIE}' > CLAUDE.md"}}]},
    ),
    "a script": ("evaluate_script", {"function": "() => fs.writeFileSync('CLAUDE.md', 'x')"}),
    "from another version": ("git_checkout", {"ref": "other", "path": "CLAUDE.md"}),
    "from a place in one word": ("export", {"path": "CLAUDE.md", "source": "clipboard"}),
    # Tools that read
    "a reading tool that writes": ("fetch", {"url": "https://example.org", "output": "CLAUDE.md"}),
    "not quite a reading tool": ("find_and_replace", {"path": "CLAUDE.md", "find": "15", "replace": "5"}),
    "a search that is not known": ("vector_search", {"query": "CLAUDE.md", "hint": LIE}),
}  # fmt: skip


@pytest.mark.parametrize(("tool", "given"), BLOCKED.values(), ids=BLOCKED)
def test_what_any_tool_writes_is_checked(project, tool, given):
    """Exit 2."""
    (project / "style.txt").write_text("- Use tabs\n")
    result = hook(project, call(tool, project, given))
    assert result.exit_code == 2, result.output
    assert "the check itself failed" not in result.stderr


PASSES = {
    "write_file": ("mcp__filesystem__write_file", {"path": "CLAUDE.md", "content": f"# Law\n\n{LAW}\n"}),
    "write_file elsewhere": ("mcp__filesystem__write_file", {"path": "x.md", "content": LIE}),
    "edit_file": (
        "edit_file", {"path": "CLAUDE.md", "edits": [{"oldText": "# Law", "newText": "# Law\n- Use tabs"}]},
    ),
    "edit_file takes out": ("edit_file", {"path": "CLAUDE.md", "edits": [{"oldText": LAW, "newText": ""}]}),
    "move_file": ("move_file", {"source": "style.txt", "destination": "memory/style.md"}),
    "move_file out of memory": ("move_file", {"source": "CLAUDE.md", "destination": "old.md"}),
    "move_file elsewhere": ("move_file", {"source": "notes.txt", "destination": "sub/notes.txt"}),
    "create_directory elsewhere": ("create_directory", {"path": "docs"}),
    "view": ("str_replace_editor", {"command": "view", "path": "CLAUDE.md", "view_range": [1, 5]}),
    "insert": (
        "str_replace_editor",
        {"command": "insert", "path": "CLAUDE.md", "insert_line": 1, "insert_text": "\n- Use tabs\n"},
    ),
    "replace": (
        "replace",
        {"file_path": "CLAUDE.md", "instruction": "Add a wish of the user", "old_string": "# Law",
         "new_string": "# Law\n\n- Use tabs", "expected_replacements": 1},
    ),
    "save_memory": ("save_memory", {"fact": "The user prefers short answers."}),
    "apply_patch": (
        "apply_patch", {"input": PATCH.format("Update", "CLAUDE.md", "@@\n # Law\n+\n+- Use tabs\n")},
    ),
    "apply_patch adds": ("apply_patch", {"input": PATCH.format("Add", "memory/a.md", f"+{LAW}\n")}),
    "apply_patch deletes": ("apply_patch", {"input": PATCH.format("Delete", "CLAUDE.md", "")}),
    "apply_patch elsewhere": ("apply_patch", {"input": PATCH.format("Add", "x.md", f"+{LIE}\n")}),
    "a diff": ("git_apply", {"diff": DIFF.format(LAW, f"- Use tabs\n+\n+{LAW}")}),
    "replace_in_file": (
        "replace_in_file", {"path": "CLAUDE.md", "diff": SEARCH.format("# Law", "# Law\n\n- Use tabs")},
    ),
    "shell": ("shell", {"command": ["bash", "-lc", "ls -la"], "workdir": "memory"}),
    "a shell that reads": ("run_in_terminal", {"command": "cat CLAUDE.md", "explanation": "Read it"}),
    "a shell that writes an instruction": (
        "run_shell_command", {"command": "echo '- Use tabs' >> CLAUDE.md", "description": "Add a wish"},
    ),
    "python elsewhere": ("execute_python", {"code": "print(2 + 2)"}),
    "lines": ("export", {"path": "CLAUDE.md", "lines": ["# Law", "", LAW, "", "- Use tabs"]}),
    "lines with their ends": ("export", {"path": "CLAUDE.md", "lines": ["# Law\n", "\n", f"{LAW}\n"]}),
    "letters": ("export", {"path": "CLAUDE.md", "content": list("- Use tabs")}),
    "settings": (
        "export",
        {"path": "CLAUDE.md", "content": "Use tabs", "mode": "overwrite", "encoding": "utf-8",
         "append": False, "line": 3},
    ),
    "a prompt of a subagent": ("Task", {"prompt": f"Look into CLAUDE.md. {LIE}", "description": "Look"}),
    "an issue about a memory file": (
        "create_issue", {"title": "Mend CLAUDE.md", "body": f"It says: {LIE}"},
    ),
    "a message": ("send_message", {"channel": "general", "text": LIE}),
    "a search for a memory file": ("search", {"query": "CLAUDE.md"}),
    "a search in memory": ("search_memory", {"query": "May stalls be sold?"}),
}  # fmt: skip


@pytest.mark.parametrize(("tool", "given"), PASSES.values(), ids=PASSES)
def test_what_is_harmless_passes(project, tool, given):
    """Exit 0 and silence."""
    (project / "style.txt").write_text("- Use tabs\n- Keep answers short\n")
    result = hook(project, call(tool, project, given))
    assert result.exit_code == 0, result.output


READERS = """\
Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite mcp__filesystem__read_file read_text_file
read_media_file read_multiple_files list_directory list_directory_with_sizes directory_tree search_files
get_file_info list_allowed_directories mcp__github__get_file_contents search_code read_many_files
search_file_content grep_search google_web_search list_dir codebase_search file_search read_lints
list_files list_code_definition_names view_file view_code_item find_by_name get_errors readFile
copilot_readFile view_image read_graph mcp__ide__getDiagnostics delete_file""".split()


@pytest.mark.parametrize("tool", READERS)
def test_known_readers_pass(project, tool):
    """Whatever they look for."""
    given = {"path": "CLAUDE.md", "pattern": LIE, "output_mode": "content"}
    assert hook(project, call(tool, project, given)).exit_code == 0


@pytest.mark.parametrize("name", ["PreToolUse", "preToolUse", "BeforeTool"])
def test_agents_name_the_event_in_their_own_ways(project, name):
    """With the same fields."""
    for content, code in ((LIE, 2), ("Use tabs", 0)):
        call = event("write_file", project, file_path="GEMINI.md", content=content)
        assert hook(project, json.dumps(call | {"hook_event_name": name})).exit_code == code


def test_links_and_folders_are_joined(project):
    """A link to memory, named in two pieces."""
    (project / "sub" / "harmless.txt").symlink_to(project / "CLAUDE.md")
    given = {"directory": "sub", "name": "harmless.txt", "text": LIE}
    assert hook(project, call("export", project, given)).exit_code == 2


def test_a_call_with_many_texts_is_read_in_time(project):
    """A thousand short texts, a long one, and one that names a memory file."""
    given = {f"k{n}": f"word {n}" for n in range(1_000)} | {"text": "x " * 500_000}
    assert hook(project, call("export", project, given)).exit_code == 0
    assert hook(project, call("export", project, given | {"zzz": "CLAUDE.md"})).exit_code == 2
