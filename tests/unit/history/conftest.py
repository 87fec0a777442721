"""A history on disk, and results of an invented law."""

import hashlib
from pathlib import Path

import pytest

from corpusguard.history import History
from corpusguard.model import (
    Coverage,
    DocumentResult,
    Finding,
    Layer,
    PassageState,
    Severity,
    Verdict,
)

DOCUMENT = "ca-on/statute/19h31@en"
CORPUS = "harbour"
LAYERS = ("L1", "L2", "L3")


def sha(text):
    """``sha256:…`` of text."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def finding(fingerprint, rule="CG101", layer=Layer.L1, severity=Severity.ERROR, **more):
    """A finding with the given fingerprint."""
    return Finding(
        rule=rule,
        severity=severity,
        layer=layer,
        document=DOCUMENT,
        message="The stored words are not the official words.",
        fingerprint=fingerprint,
        **more,
    )


def state(row, ident, text, *, verified=True, section="1"):
    """The state of one passage."""
    return PassageState(row, ident, sha(text), verified, section, ((0, len(text)),))


def result(verdict=Verdict.VERIFIED, findings=(), states=(), layers=None, **more):
    """The result of a document; all three layers say what the document says, unless given."""
    if layers is None:
        layers = dict.fromkeys(LAYERS, verdict)
    states = tuple(states)
    return DocumentResult(
        id=more.pop("document", DOCUMENT),
        verdict=verdict,
        layers=layers,
        findings=tuple(findings),
        states=states,
        passages=len(states),
        verified_passages=sum(state.verified for state in states),
        coverage=more.pop("coverage", Coverage(10, 8, 9)),
        **more,
    )


def drop_triggers(db):
    """What anyone with the file can do: let rows be changed. Returns the statements."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in rows:
        db.execute(f"DROP TRIGGER {name}")
    return [sql for _, sql in rows]


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "history.db"


@pytest.fixture
def history(path):
    with History.open(path) as opened:
        yield opened


class Nights:
    """Runs one night after another, each with a start time of its own."""

    def __init__(self, history):
        self.history = history
        self.count = 0

    def begin(self, layers=LAYERS):
        self.count += 1
        self.started = f"2026-03-{self.count:02}T02:00:00Z"
        return self.history.begin_run(layers, "corpusguard 0.1", "sha256:config", self.started)

    def finish(self, run, verdict=Verdict.VERIFIED, exit_code=0):
        self.history.finish_run(run, verdict, f"2026-03-{run:02}T02:05:00Z", exit_code)

    def run(self, outcome, corpus=CORPUS, **more):
        """One whole night with one result; returns the findings' states."""
        run = self.begin()
        states = self.history.record_document(run, corpus, outcome, **more)
        self.finish(run, outcome.verdict)
        return states


@pytest.fixture
def nights(history):
    return Nights(history)
