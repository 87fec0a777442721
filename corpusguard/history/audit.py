"""The slow check of a history file: pages, references, and every stored result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.errors import HistoryBroken
from corpusguard.history.payload import finding_from_json, unpack

if TYPE_CHECKING:
    from sqlite_utils import Database


def problems(db: Database) -> list[str]:
    """Return everything that is wrong with the file, in words; empty when it is sound."""
    found = [
        f"integrity: {row[0]}"
        for row in db.execute("PRAGMA integrity_check").fetchall()
        if row[0] != "ok"
    ]
    found += [
        f"a row of {table} refers to a row of {parent} that is not there"
        for table, _, parent, _ in db.execute("PRAGMA foreign_key_check").fetchall()
    ]
    for digest, size, body in db.execute("SELECT digest, size, body FROM payloads"):
        try:
            unpack(digest, size, body)
        except HistoryBroken as error:
            found.append(error.message)
    for fingerprint, content in db.execute("SELECT fingerprint, content FROM findings"):
        try:
            finding_from_json(content)
        except HistoryBroken as error:
            found.append(f"finding {fingerprint}: {error.message}")
    return found
