"""What the names of tools and of their inputs' keys tell.

Agents and servers name the same thing in their own ways (``read_file``, ``readFile``, ``Read``,
``mcp__files__read_text_file``), so names are compared without case, marks and the server's part.
"""

from __future__ import annotations

import re
from typing import Final

_READ_ONLY: Final = frozenset(
    # Claude Code
    "read grep glob ls notebookread webfetch websearch todowrite todoread task agent "
    "bashoutput taskoutput taskstop killshell killbash askuserquestion exitplanmode "
    "enterplanmode skill toolsearch listmcpresources listmcpresourcestool readmcpresource "
    "readmcpresourcetool lsp "
    # MCP servers of files and of git hosts
    "readfile readtextfile readmediafile readmultiplefiles listdirectory "
    "listdirectorywithsizes directorytree searchfiles getfileinfo listalloweddirectories "
    "getfilecontents searchcode searchrepositories searchissues searchpullrequests "
    "listcommits getcommit listbranches listissues getissue issueread listpullrequests "
    "getpullrequest pullrequestread getpullrequestfiles getme searchmemory searchmemories "
    "memorysearch getmemory getmemories listmemories readmemory readmemories retrievememory "
    "retrievememories searchnodes opennodes readgraph gitstatus gitdiff gitdiffstaged "
    "gitdiffunstaged gitlog gitshow "
    # Gemini CLI, Codex, Cursor, Cline, Windsurf, Copilot
    "readmanyfiles searchfilecontent grepsearch googlewebsearch writetodos askuser "
    "activateskill viewimage updateplan listdir codebasesearch semanticsearch globfilesearch "
    "filesearch findfiles readlints listfiles listcodedefinitionnames askfollowupquestion "
    "planmoderespond attemptcompletion updatetodolist viewfile viewcontentchunk viewcodeitem "
    "findbyname readurlcontent searchweb textsearch findtextinfiles geterrors getdiagnostics "
    "getchangedfiles fetchwebpage managetodolist listcodeusages readnotebookcelloutput view "
    "showfile reporttodo getterminaloutput terminallastcommand "
    # What any server may call it
    "slashcommand createissue updateissue addissuecomment createcomment createpullrequest "
    "updatepullrequest postmessage sendmessage "
    "bravewebsearch websearchexa navigate browsernavigate puppeteernavigate "
    "search find fetch think sequentialthinking deletefile removefile".split()
)
"""Tools that put no text into a file (taking a file away writes nothing down)."""
_SHELL: Final = frozenset(
    "bash sh zsh shell terminal exec execute command commands console run process".split()
)
_OTHER_SHELL: Final = frozenset(
    "script evaluate powershell pwsh cmd python python3 ipython node javascript "
    "js deno ruby perl code repl sql applescript osascript eval stdin keys input".split()
)
_MOVE: Final = frozenset(
    "move copy rename mv cp link symlink import download restore duplicate clone sync install "
    "checkout revert reset pull stash extract unzip render generate paste".split()
)
_MEMORY: Final = frozenset({"memory", "memories", "remember"})
_COMMAND_KEYS: Final = frozenset(
    "command cmd commands commandline shellcommand cmdline bashcommand".split()
)
_CARRIER_KEYS: Final = frozenset(
    "arguments args params parameters input toolinput toolargs payload request call edits".split()
)
_SOURCE_KEYS: Final = frozenset(
    "ref from source src template url uri resource commit revision".split()
)
_FOLDER_KEYS: Final = re.compile(
    r"cwd|root|workdir|basedir|base|dir|dirpath|directory|folder|workspace|parent|working\w*|"
    r"project\w*|location|\w+(?:dir|directory|folder|root)"
)
_PATH_KEYS: Final = re.compile(
    r"\w*(?:path|paths|file|files|filename|uri|url|dir|directory|folder|dest|destination|target|"
    r"source|src|from|to|name|output|input|out|root|cwd|document|notebook|resource|template|location|ref)"
)
_TO_KEYS: Final = re.compile(
    r"(?:new|to|dest|destination|target|out|output|save|write|download)\w*|\w*(?:dest|destination|newname)"
)
EDITOR_COMMANDS: Final = frozenset("view create str_replace insert undo_edit delete rename".split())
FOR_THE_USER: Final = frozenset("explanation description instruction toolsummary".split())
"""Keys whose values are shown to the user, and not written."""


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case: ``run_in_terminal``, ``runInTerminal``."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def folded(name: str) -> str:
    """Return a key or a tool's own name without case and marks."""
    return re.sub(r"[\W_]", "", own(name)).casefold()


def own(tool: str) -> str:
    """Return a tool's name without its server's."""
    return re.split(r"__|[./:]|^copilot_", tool.strip("_"))[-1]


def only_reads(tool: str) -> bool:
    """Tell whether a tool is known to write nothing."""
    return folded(tool) in _READ_ONLY


def is_shell(tool: str) -> bool:
    """Tell whether a tool runs commands."""
    return not _SHELL.isdisjoint(words_of(own(tool))) or runs_other_language(tool)


def runs_other_language(tool: str) -> bool:
    """Tell whether what a tool runs is no command of Bash."""
    return not _OTHER_SHELL.isdisjoint(words_of(own(tool)))


def moves(tool: str) -> bool:
    """Tell whether a tool brings in a text from elsewhere."""
    return not _MOVE.isdisjoint(words_of(own(tool)))


def remembers(tool: str) -> bool:
    """Tell whether a tool's name says that it writes to a memory, wherever that is kept."""
    return not _MEMORY.isdisjoint(words_of(tool))


def is_command_key(tool: str, key: str, value: str) -> bool:
    """Tell whether a text is a command line; an editor's ``command: create`` is none.

    A tool that runs commands may be given them under any key but those of paths.
    """
    name = folded(key)
    if value in EDITOR_COMMANDS or name in FOR_THE_USER:
        return False
    if name in _COMMAND_KEYS:
        return True
    return is_shell(tool) and not is_folder_key(key) and not name.endswith(("path", "file", "uri"))


def is_carrier_key(key: str) -> bool:
    """Tell whether a key's text may be the input of a call within the call."""
    return folded(key) in _CARRIER_KEYS


def is_source_key(key: str) -> bool:
    """Tell whether a key says where a text comes from."""
    return folded(key) in _SOURCE_KEYS


def is_folder_key(key: str) -> bool:
    """Tell whether a key names a folder."""
    return _FOLDER_KEYS.fullmatch(folded(key)) is not None


def is_path_key(key: str) -> bool:
    """Tell whether a key names a file or a folder."""
    return _PATH_KEYS.fullmatch(folded(key)) is not None or is_folder_key(key)


def is_file_key(key: str) -> bool:
    """Tell whether a key names a file, and no folder."""
    return is_path_key(key) and not is_folder_key(key)


def is_destination_key(key: str) -> bool:
    """Tell whether a key names where something goes."""
    return _TO_KEYS.fullmatch(folded(key)) is not None and not folded(key).endswith("mode")
