"""A small project on invented law, in three kinds of store, for what the gate must let through."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

from corpusguard.config import load_config
from corpusguard.service import Service
from tests.replica.law import ferry_act, lighthouse_act, section

LIGHTHOUSE = lighthouse_act(6)
FERRY = ferry_act(
    paragraphs=(
        *section("1", "Every ferry shall post its toll in clear figures.", "Toll"),
        *section("2", "A child under six years of age travels free of charge.", "Children"),
    )
)
FIELDS = ("document", "id", "section", "subsection", "heading", "ordinal", "text")

_SOURCE = """\
[source]
publisher = "ontario-elaws"
base_url = "http://127.0.0.1:9"
min_delay_seconds = 0.0
"""
_DOCUMENT = """
[[document]]
id = "{0.id}"
title = "{0.title}"
code = "{0.number}"
"""
_CONFIG = """\
[corpusguard]
history = "history.db"
snapshots = "snapshots"
sources = ["law.toml"]

[[corpus]]
name = "harbour"
reader = "{reader}"
{place}
document = {{ field = "document" }}
recipe = "section"
"""
_PLACES = {
    "jsonl": 'path = "corpus.jsonl"',
    "csv": 'path = "corpus.csv"',
    "sqlite": 'path = "corpus.db"\nquery = "SELECT * FROM rows ORDER BY rowid"',
}


def project(folder, reader="jsonl", laws=(LIGHTHOUSE, FERRY)):
    """Make the project with the laws captured and stored as they should be; return its config."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "law.toml").write_text(_SOURCE + "".join(map(_DOCUMENT.format, laws)))
    config = folder / "corpusguard.toml"
    config.write_text(_CONFIG.format(reader=reader, place=_PLACES[reader]))
    capture(config, *laws)
    store(config, [row for law in laws for row in stored(config, law.id)])
    return config


def service(config):
    return Service(load_config(Path(config)))


def capture(config, *laws):
    """Put what the publisher serves of each law into the snapshots."""
    for law in laws:
        payload = config.parent / "payload.json"
        payload.write_text(json.dumps(law.payload()))
        service(config).add_snapshot(law.id, payload)
        payload.unlink()


def stored(config, document):
    """The rows that ingestion should store."""
    return [json.loads(line) for line in service(config).passages(document, "section")]


def store(config, rows):
    """Write rows as the store of the project."""
    folder, reader = config.parent, load_config(config).corpora[0].reader
    if reader == "jsonl":
        lines = [json.dumps(row) + "\n" for row in rows]
        (folder / "corpus.jsonl").write_text("".join(lines), encoding="utf-8")
    elif reader == "csv":
        with (folder / "corpus.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    else:
        (folder / "corpus.db").unlink(missing_ok=True)
        with sqlite3.connect(folder / "corpus.db") as db:
            db.execute(f"CREATE TABLE rows ({', '.join(FIELDS)})")
            marks = ", ".join(f":{name}" for name in FIELDS)
            blank = dict.fromkeys(FIELDS)
            db.executemany(f"INSERT INTO rows VALUES ({marks})", [blank | row for row in rows])
        db.close()


def rows_of(config):
    """The rows as they are stored, from the project's own description of the law."""
    laws = [found.id for source in load_config(config).sources for found in source.documents]
    return [row for law in laws for row in stored(config, law)]
