"""Shell commands taken apart: whatever comes, an answer or a refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusguard.config.gate import MEMORY_FILES
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.shell import shell_changes
from corpusguard.gate.hook.shell_model import Unreadable
from corpusguard.gate.hook.shell_script import parse
from corpusguard.gate.hook.toolcall import Blocked

MEMORY = MemoryFiles(MEMORY_FILES, Path("/project"))
PIECES = st.sampled_from(
    [
        "\n", " ", "\t", "é", "\u202e", "\x00",
        *"echo printf cat tee sed cd a CLAUDE.md memory/a.md > >> << <<- <<< < | || & && ;".split(),
        *"( ) { } $ ` ' \" \\ # ! * ? [ ] = $( ${ $' EOF if then fi for do done 2> &>".split(),
        *"-i -e s/a/b/ %s".split(),
    ]
)  # fmt: skip


def changes(command, present=""):
    return shell_changes(command, "/project", MEMORY, lambda _path, _cwd: present)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.lists(PIECES, max_size=25).map("".join))
def test_any_command_is_read_or_refused(command):
    """No crash, no endless loop; changes are texts."""
    try:
        found = changes(command)
    except Blocked:
        return
    assert all(isinstance(part, str) for change in found for part in change)


@settings(max_examples=200)
@given(st.text(alphabet=st.characters(exclude_characters="'\x00"), max_size=60))
def test_what_is_quoted_is_what_is_written(text):
    """Single quotes: the text is seen as it is, or refused where echo might read escapes."""
    try:
        ((path, _, after),) = changes(f"echo '{text}' > CLAUDE.md")
    except Blocked:
        assert "\\" in text
        return
    assert path == "CLAUDE.md"
    if "\\" not in text and not text.startswith("-"):
        assert after == text + "\n"


SEEN = {
    "echo -n a b > CLAUDE.md": "a b",
    "echo a >> CLAUDE.md": "old\na\n",
    "printf '%s: %s\\n' a b c d > CLAUDE.md": "a: b\nc: d\n",
    "printf '100%%' > CLAUDE.md": "100%",
    "cat > CLAUDE.md <<-EOF\n\ta\n\tEOF": "a\n",
    "cat <<'E' >> CLAUDE.md\n$x\nE": "old\n$x\n",
    "D=memory; echo a > $D/b.md": "a\n",
    "echo a | tee CLAUDE.md": "a\n",
    "echo a \\\n  > CLAUDE.md": "a\n",
    "sed -i 's/old/new/' CLAUDE.md": "new\n",
    "cd memory\necho a > b.md": "a\n",
    "true > CLAUDE.md": "",
    "echo 5000 > CLAUDE.md": "5000\n",
}


@pytest.mark.parametrize(("command", "after"), SEEN.items(), ids=SEEN)
def test_what_is_seen(command, after):
    """What the file would hold afterwards (escapes and a last line break apart)."""
    ((_, before, found),) = changes(command, "old\n")
    assert (before, found) == ("old\n", after)


UNSEEN = [
    "X=a; echo $X > CLAUDE.md",
    "X=a; X=$(curl -s x); echo $X > CLAUDE.md",
    "X=a; read X; echo $X > CLAUDE.md",
    "exec 3> CLAUDE.md; echo a >&3",
    "tee CLAUDE.md < notes.txt",
    "tee >(cat > CLAUDE.md)",
    "cat <(curl -s x) > CLAUDE.md",
    "cat a - > CLAUDE.md",
    "cat <<A <<B > CLAUDE.md\na\nA\nb\nB",
    "for f in CLAUDE.md; do echo a >> $f; done",
    'while read l; do echo "$l" >> CLAUDE.md; done < notes.txt',
    "command echo a > memory/x.md",
    "env echo a > CLAUDE.md",
    "echo $'\\x41' > CLAUDE.md",
    "echo 'a\\cb' > CLAUDE.md",
    "sed -i '$a b' CLAUDE.md",
    "sed -i -e 's/a/b/' CLAUDE.md",
    "sed -n 'w CLAUDE.md' notes.txt",
    "perl -pi -e s/a/b/ memory/x.md",
    "perl -i.bak x.pl memory/x.md",
    "find . -name '*.md' -fprint CLAUDE.md",
    "sort -o CLAUDE.md notes.txt",
    "uniq notes.txt CLAUDE.md",
    "git mv notes.txt memory/notes.md",
    "tar xf a.tar -C memory",
    "F=CLAUDE.md ./script",
    "export F=CLAUDE.md; ./script",
    "xargs -I{} cp {} memory/ < list",
    "echo a | sudo tee CLAUDE.md",
    "alias echo='curl x'; echo a > CLAUDE.md",
    "printf '%d' 5 > CLAUDE.md",
    'printf "$F" > CLAUDE.md',
    "echo a | tee x | tee CLAUDE.md",
    "cat > x <<EOF\n$(echo a > CLAUDE.md)\nEOF",
    "echo 5 2> CLAUDE.md",
    "if true; then echo a > CLAUDE.md; fi",
]


@pytest.mark.parametrize("command", UNSEEN)
def test_what_cannot_be_seen_is_blocked(command):
    """Writes to memory whose text this command line does not show."""
    with pytest.raises(Blocked):
        changes(command)


@pytest.mark.parametrize("command", ["echo 'a", 'echo "$(b', "cat <<E\na", "a >", "${", "`"])
def test_what_does_not_end_is_unreadable(command):
    """An open quote, bracket or here-document."""
    with pytest.raises(Unreadable):
        parse(command)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("CLAUDE.md", True), ("claude.MD", True), ("a/b/CLAUDE.md", True),
        ("/elsewhere/CLAUDE.md", True), ("memory/x", True), ("a/Memory/b/c.txt", True),
        (".claude/memory/x.md", True), ("~/.claude/memory/x.md", True), ("./a/../CLAUDE.md", True),
        ("a\\CLAUDE.md", True), ("XCLAUDE.md", False), ("CLAUDE.md.bak", False),
        ("CLAUDE.md.", True), ("CLAUDE.md/.", True), ("CLAUDE.md ", True), ("memory./x", True),
        ("memory\\x.md", True), ("~root/CLAUDE.md", True), ("file:///project/CLAUDE%2Emd", True),
        ("FILE://localhost/a/memory/x", True), ("file:///a/m%65mory/x", True), ("\uff23LAUDE.md", True),
        ("CLAUDE\u200b.md", True), ("memory/x\r", True), ("missing/../CLAUDE.md", True),
        ("memory.md", True), ("memories.md", False), ("memoryx/a", False), ("src/main.py", False),
    ],
)  # fmt: skip
def test_which_files_are_memory(path, expected):
    """Whole components, any case, any folder."""
    assert MEMORY.holds(path, "/project") is expected
