"""What files say before a tool changes them."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.report.text import safe

_MAX_FILE: Final = 8_000_000


@dataclass(frozen=True, slots=True)
class Change:
    """One memory file, before and after."""

    path: str
    before: str
    after: str


def whole_path(path: str, cwd: str) -> Path:
    """Return ``path`` from the root, relative ones as seen from ``cwd``."""
    whole = Path(os.path.expanduser(path))  # noqa: PTH111 (a "~" that is no user stays as it is)
    return whole if whole.is_absolute() else Path(cwd) / whole


def current_text(path: str, cwd: str) -> str:
    """Return what a file holds now; empty where there is none.

    Raises:
        Blocked: It cannot be read as text, so what a change makes of it is not known.
    """
    try:
        return (current_bytes(whole_path(path, cwd)) or b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Blocked(f"{path} is not UTF-8", hint="Convert it first.") from error


def current_bytes(path: Path, *, most: int = _MAX_FILE) -> bytes | None:
    """Return the bytes of a regular file, up to ``most`` of them; None: there is none.

    The path is taken as it is: a folder may be called "~".

    Raises:
        Blocked: It cannot be read, is no such file, or too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Blocked(
            f"{safe(str(path))} cannot be read: {getattr(error, 'strerror', error)}",
            hint="let this user read it, or take it away",
        ) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Blocked(f"{safe(str(path))} is not a regular file", hint="put a file in its place")
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise Blocked(f"{safe(str(path))} has more than {most} bytes", hint="make it smaller")
    return data


def present_text(path: str, folder: str, *, needed: bool) -> str:
    """Return what the file says that a patch names, with or without a diff's ``a/`` or ``b/``.

    Raises:
        Blocked: It cannot be read, and is ``needed``.
    """
    as_named = whole_path(path, folder).exists()
    try:
        return current_text(path if as_named else re.sub(r"^[ab]/", "", path), folder)
    except Blocked:
        if needed:
            raise
        return ""
