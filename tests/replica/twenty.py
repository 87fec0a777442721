"""Twenty invented laws on the replica, their corpus, and the nights over them."""

from __future__ import annotations

import dataclasses
import json

from corpusguard.config import load_config
from corpusguard.service import Service
from tests.replica.law import lighthouse_act

DOCUMENTS = 20

SOURCE = """
[source]
publisher = "ontario-elaws"
base_url = "{base_url}"
min_delay_seconds = 0.0
attempts = 2
read_timeout_seconds = 60.0
frozen_after_days = 3650
"""
ENTRY = """
[[document]]
id = "{id}"
title = "{title}"
code = "{number}"
"""
CONFIG = """
[corpusguard]
history = "history.db"
snapshots = "snapshots"
sources = ["lights.toml"]
[[corpus]]
name = "lights"
reader = "jsonl"
path = "lights.jsonl"
document = { field = "document" }
recipe = "section"
"""


def acts():
    return [
        lighthouse_act(
            8,
            code=f"26a{n:02}",
            title=f"Lighthouse Number {n} Act, 2026",
            number=f"S.O. 2026, c. {n}",
        )
        for n in range(10, 10 + DOCUMENTS)
    ]


class Project:
    """Twenty laws on the replica, their corpus, and nights that are cut short."""

    def __init__(self, folder, replica, launcher, rng):
        self.folder, self.replica, self.launcher, self.rng = folder, replica, launcher, rng
        self.laws = {law.id: law for law in acts()}
        entries = "".join(
            ENTRY.format(id=law.id, title=law.title, number=law.number)
            for law in self.laws.values()
        )
        (folder / "lights.toml").write_text(SOURCE.format(base_url=replica.base_url) + entries)
        (folder / "corpusguard.toml").write_text(CONFIG)
        for law in self.laws.values():
            replica.publish(law)
        service = self.service()
        assert all(one.snapshot for one in service.fetch())
        self.rows = [
            json.loads(row) for name in self.laws for row in service.passages(name, "section")
        ]
        self.spoiled = set()
        self.write()

    def service(self):
        return Service(load_config(self.folder / "corpusguard.toml"))

    def write(self):
        text = "".join(json.dumps(row) + "\n" for row in self.rows)
        (self.folder / "lights.jsonl").write_text(text)

    def amend(self):
        """One word of one section of one law, at the publisher; the corpus follows half the time."""
        law = self.rng.choice(list(self.laws.values()))
        index = self.rng.randrange(len(law.paragraphs) // 2) * 2 + 1
        kind, text = law.paragraphs[index]
        word = f"keeps{self.rng.randrange(10**6)}"
        paragraphs = list(law.paragraphs)
        paragraphs[index] = (kind, text.replace("shall keep", word).replace("keeps", word, 1))
        new = dataclasses.replace(law, paragraphs=tuple(paragraphs))
        self.laws[law.id] = new
        self.replica.publish(new)
        if law.id not in self.spoiled and self.rng.random() < 0.5:
            self.spoiled.add(law.id)
            row = self.rng.choice([row for row in self.rows if row["document"] == law.id])
            row["text"] = row["text"].replace(" lit ", " dark ")
            self.write()

    def start(self, dies_after=None):
        """A night; ``dies_after`` that many documents it kills itself."""
        log = self.folder / "night.log"
        # A kill may come before the child has emptied it: then it tells of no run, not of the last.
        log.write_bytes(b"")
        arguments = ["--log-format", "json", "verify", "--refetch"]
        pid = self.launcher.start(self.folder, log, arguments, dies_after)
        return pid, log
