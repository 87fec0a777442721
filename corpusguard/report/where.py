"""Where a finding's row can be opened."""

from __future__ import annotations


def file_and_line(where: str) -> tuple[str, int | None]:
    """Split ``file:line``.

    Returns:
        ``(file, line)``; the line is None where ``where`` names none, and the file is empty
        where it names no file (``db query row 7``).
    """
    file, colon, line = where.rpartition(":")
    if colon and file and line.isascii() and line.isdigit() and int(line) > 0:
        return file, int(line)
    file = where.partition("#")[0]  # ``file.json#/chunks/12``
    return ("", None) if " " in file else (file, None)
