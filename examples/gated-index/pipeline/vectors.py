"""A small vector store in one SQLite file: sqlite-vec, loaded through APSW.

APSW, because the sqlite3 module of many Pythons is built without extensions.

``embed`` is for this example only: it hashes words, knows nothing of meaning, and needs neither a
model nor a network. Put your own embedding in its place; nothing else changes.
"""

import contextlib
import hashlib
import math
import os
import re
from array import array

import apsw
import sqlite_vec

SIZE = 1024
_COMMON = frozenset(
    "a an and are at be by do does for from how i if in is it may must not of on or shall that the "
    "this to what when which who with".split()
)
_SCHEMA = f"""
CREATE TABLE passages (number INTEGER PRIMARY KEY, id TEXT NOT NULL, section TEXT NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL);
CREATE VIRTUAL TABLE vectors USING vec0(number INTEGER PRIMARY KEY,
    embedding float[{SIZE}] distance_metric=cosine);
"""


def words(text):
    """Return the words that mean something, in lower case; of a question there may be none."""
    return [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in _COMMON]


def embed(text):
    """Return a unit vector of ``SIZE`` 32-bit floats, as bytes: words, their stems and consonants.

    The consonants bring together what English makes by changing vowels: high and height.
    """
    vector = [0.0] * SIZE
    for word in words(text):
        consonants = re.sub("[aeiouyw]", "", word)
        for feature in (word, "stem:" + word[:5], "consonants:" + consonants[:2]):
            hashed = hashlib.blake2b(feature.encode(), digest_size=4).digest()
            vector[int.from_bytes(hashed) % SIZE] += 1.0
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return array("f", (value / length for value in vector)).tobytes()


def write(path, rows):
    """Write the index, whole or not at all: readers see the old one until the new one is complete.

    Args:
        path: The index file.
        rows: Passages, with ``id``, ``section``, ``heading`` and ``text``.
    """
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    with contextlib.closing(
        _open(part, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    ) as db:
        db.execute(_SCHEMA)
        with db:
            for number, row in enumerate(rows):
                stored = (number, row["id"], row["section"], row["heading"], row["text"])
                db.execute("INSERT INTO passages VALUES (?, ?, ?, ?, ?)", stored)
                # A heading says in a word what the text says in many: it counts three times.
                vector = embed(f"{row['heading']} " * 3 + row["text"])
                db.execute("INSERT INTO vectors VALUES (?, ?)", (number, vector))
    os.replace(part, path)  # noqa: PTH105 (the one atomic call)


def nearest(path, question, count=1):
    """Return the passages nearest to a question, best first: (distance, id, section, text)."""
    with contextlib.closing(_open(path, apsw.SQLITE_OPEN_READONLY)) as db:
        return db.execute(
            "SELECT distance, id, section, text FROM vectors JOIN passages USING (number)"
            " WHERE embedding MATCH ? AND k = ? ORDER BY distance",
            (embed(question), count),
        ).fetchall()


def _open(path, flags):
    db = apsw.Connection(str(path), flags=flags)
    db.enable_load_extension(True)  # noqa: FBT003 (its API)
    db.load_extension(sqlite_vec.loadable_path())
    db.enable_load_extension(False)  # noqa: FBT003
    return db
