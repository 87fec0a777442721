"""The texts of memory files that were last accepted: one JSON file, which no agent may write.

``{"format": "corpusguard-memory-accepted/1", "files": [{"path": "CLAUDE.md", "text": "…"}]}``, in
the order of paths, which are relative to the configuration's folder; a file that is no text has
``sha256`` (hex) instead. It is a list, since two names of files may be one key of an object.
"""

from __future__ import annotations

import json
import posixpath
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from corpusguard import strict_json
from corpusguard.gate.hook.files import current_bytes
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.present import Said
from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.gate.hook.unknown import UNNAMED, commands
from corpusguard.gate.hook.writes import changes
from corpusguard.report.files import check_target, write_bytes
from corpusguard.strict_json import NotStrict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.gate.hook.toolcall import ToolCall

_FORMAT: Final = "corpusguard-memory-accepted/1"
_MOST: Final = 64_000_000
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_LOOSE: Final = re.compile(r"\\\n|[\\'\"]")
_ACCEPTS: Final = re.compile(r"--accept(?![\w-])")
_NAMES_IT: Final = re.compile(r"memory-check|corpusguard", re.IGNORECASE)
_AGAIN: Final = (
    "restore it, or look through the memory files and let a person run "
    "`corpusguard hook memory-check --accept`"
)


def place(settings: Config) -> Path:
    """Return where the accepted texts are kept.

    Raises:
        Blocked: It would be a memory file itself.
    """
    path = settings.root / settings.gate.memory_accepted
    if MemoryFiles(settings.gate.memory_files, settings.root).holds(str(path), str(settings.root)):
        raise Blocked(
            f"{path} is a memory file, so what was accepted cannot be kept there",
            hint="name another file in `[gate] memory_accepted`",
        )
    return path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time compare and accept; wait for others.

    Raises:
        Blocked: The lock, a file beside ``path``, cannot be made.
    """
    # Here, not above: it brings asyncio, and the hook before a call locks nothing.
    from filelock import FileLock  # noqa: PLC0415

    try:
        lock = FileLock(f"{path}.lock")
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        raise Blocked(
            f"cannot lock {path}.lock: {error}",
            hint="let this user write to the folder; `--all` needs no lock",
        ) from error
    try:
        yield
    finally:
        lock.release()


def load(path: Path) -> dict[str, Said]:
    """Return what each file said, by its path.

    Raises:
        Blocked: Nothing was accepted yet, or the file is not what was written.
    """
    data = current_bytes(path, most=_MOST)
    if data is None:
        raise Blocked(
            f"nobody has accepted yet what the memory files say: {path} is not there",
            hint="a person looks through them and runs `corpusguard hook memory-check --accept` "
            "once, which lists what the corpus does not bear out",
        )
    try:
        return _read(strict_json.parse(data, max_size=_MOST))
    except NotStrict as error:
        raise Blocked(f"{path} is damaged: {error}", hint=_AGAIN) from error
    except (KeyError, TypeError, ValueError) as error:
        raise Blocked(f"{path} is damaged: it has not its form", hint=_AGAIN) from error


def _read(value: object) -> dict[str, Said]:
    """Raise ValueError, KeyError or TypeError for what is not of the form."""
    if not isinstance(value, dict) or value.keys() != {"format", "files"}:
        raise ValueError
    if value["format"] != _FORMAT or not isinstance(value["files"], list):
        raise ValueError
    found: dict[str, Said] = {}
    for one in value["files"]:
        path, text, digest = one["path"], one.get("text", ""), one.get("sha256", "")
        known = all(isinstance(part, str) for part in (path, text, digest))
        if not known or one.keys() not in ({"path", "text"}, {"path", "sha256"}) or path in found:
            raise ValueError
        if "sha256" in one and not _SHA256.fullmatch(digest):
            raise ValueError
        found[path] = Said(text, digest)
    return found


def save(path: Path, said: Mapping[str, Said]) -> None:
    """Put what the files say in the place of what was accepted before: whole, or not at all.

    Raises:
        Blocked: It is too large.
        CorpusguardError: It cannot be written; what was accepted before is still there.
    """
    files = [
        {"path": name, "sha256": one.digest} if one.digest else {"path": name, "text": one.text}
        for name, one in said.items()
    ]
    value = {"format": _FORMAT, "files": files}
    data = json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
    if len(data) > _MOST:
        raise Blocked(f"the memory files have too much text to keep in {path}")
    check_target(path, folder=False, option="memory_accepted")
    # Memory may be private, and what was accepted repeats it.
    write_bytes(path, data, mode=0o600)


def refuse_tampering(call: ToolCall, settings: Config) -> None:
    """Keep an agent from accepting for itself: it neither writes the file nor runs ``--accept``.

    To be asked after the question whether the call may reach memory, which refuses calls that
    cannot be read at all: so what is refused here reaches the file.

    Raises:
        Blocked: The call would, or may.
    """
    for text in commands(call):
        loose = _LOOSE.sub("", text)
        if _ACCEPTS.search(loose) and _NAMES_IT.search(loose):
            raise Blocked(
                f"{call.tool}: what memory says is accepted by a person, never by an agent",
                hint="tell the user, who runs `corpusguard hook memory-check --accept`",
            )
    name = posixpath.basename(settings.gate.memory_accepted)
    try:
        found = changes(call, MemoryFiles([name], settings.root))
        reaches = any(not one.path.startswith(UNNAMED) for one in found)
    except Blocked:
        reaches = True
    if reaches:
        raise Blocked(
            f"{call.tool}: it may change {name}, which holds what a person has accepted",
            hint="leave that file alone; `corpusguard hook memory-check` writes it",
        )
