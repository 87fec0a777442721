"""A small history with all that one can hold, beside the snapshots that it rests on."""

from __future__ import annotations

import dataclasses

from corpusguard.history import History, capture_of
from corpusguard.model import Identity, Layer, Rendition, Severity, Verdict
from corpusguard.snapshots import SnapshotStore
from tests.unit.history.conftest import LAYERS, finding, result, state

PIER = "ca-on/statute/19h31@en"
BUOY = "ca-on/regulation/190902@en"
CORPUS = "harbour"


def captured(store, document, text, night):
    """One capture of an invented law."""
    return store.add(
        text.encode(),
        document=document,
        rendition=Rendition.PAYLOAD,
        url=f"https://www.ontario.ca/laws/{night}",
        identity=Identity(title="An invented Act"),
        captured=f"2026-03-{night:02}T01:00:00Z",
        currency_date=f"2026-03-{night:02}",
        extra={"night": night, "headers": [["Date", f"{night} March"]]},
    )


class Sealing:
    """Runs of two documents of one corpus, each stored as the service stores it."""

    def __init__(self, folder):
        self.path = folder / "history.db"
        self.store = SnapshotStore(folder / "snapshots")
        self.heads = []
        self.night = 0

    def begin(self, history):
        self.night += 1
        started = f"2026-03-{self.night:02}T02:00:00Z"
        run = history.begin_run(
            LAYERS, "corpusguard 0.1", f"config {self.night // 4}", started, ["lxml 6", "python 3"]
        )
        history.set_scope(run, [(CORPUS, PIER), (CORPUS, BUOY)])
        return run

    def document(self, history, run, document, text, findings=(), states=(), verdict=None):
        snapshot = captured(self.store, document, text, self.night)
        findings = [dataclasses.replace(one, document=document) for one in findings]
        verdict = verdict or (Verdict.VIOLATED if findings else Verdict.VERIFIED)
        found = result(
            verdict,
            [dataclasses.replace(one, evidence=(snapshot.digest,)) for one in findings],
            states,
            document=document,
            snapshot=snapshot.digest,
            snapshots=(snapshot.digest,),
            consolidated_from="2026-01-01",
            currency_date=snapshot.currency_date,
            captured=snapshot.captured,
            corpus_digest=f"sha256:{self.night}",
            provision_digests={f"sec_{number}": f"sha256:{text}{number}" for number in range(3)},
        )
        history.record_document(
            run,
            CORPUS,
            found,
            input_key=f"key {text}",
            asked_source=self.night % 2 == 1,
            captures=[capture_of(self.store.root, snapshot)],
        )
        history.set_reading(
            snapshot.digest,
            document=document,
            captured=snapshot.captured,
            reading_digest=f"read {text}",
            reader=f"{self.night // 3}",
        )

    def finish(self, history, run, verdict, own=()):
        history.record_run_findings(run, list(own))
        if own:  # some runs have an ignore file, others none
            history.set_suppressions(run, suppressions(f"night {self.night}"))
        self.heads.append(history.finish_run(run, verdict, f"2026-03-{self.night:02}T02:09:00Z", 0))


def suppressions(reason):
    """What a run with one ignore keeps."""
    applied = {"fingerprint": "f1", "kind": "ignore", "reason": reason, "owner": "Ada"}
    applied |= {"written": "2026-03-01", "expires": "2026-04-01"}
    return {"ignore_file": "sha256:1", "baseline_file": "", "applied": [applied]}


def passages(text, *, bad=()):
    """Four rows, two of one id; those in ``bad`` are not verified."""
    return [
        state(row, ident, f"{text} {row}", verified=row not in bad, section=f"{row}")
        for row, ident in enumerate(("a", "b", "b", "é\ud800"))
    ]


def build(folder):
    """Six runs: good, violated, aborted, resolved, regressed, and one that died."""
    sealing = Sealing(folder)
    skew = finding("skew", "CG510", None, Severity.WARNING)
    wrong = [finding("f1"), finding("f2", "CG203", Layer.L3, passage="b", section="9")]
    with History.open(sealing.path) as history:
        for text, findings, own in (
            ("one", [], [skew]),
            ("two", wrong, []),
            (None, wrong, []),
            ("one", [], []),
            ("two", wrong[:1], [skew]),
        ):
            run = sealing.begin(history)
            bad = {1, 2} if findings else set()
            sealing.document(history, run, PIER, text or "two", findings, passages("p", bad=bad))
            if text is None:
                history.abort_run(run, "2026-03-03T02:01:00Z", 130)
                continue
            sealing.document(history, run, BUOY, "buoys", [], passages(text))
            sealing.finish(history, run, Verdict.VIOLATED if findings else Verdict.VERIFIED, own)
        run = sealing.begin(history)
        sealing.document(history, run, BUOY, "buoys", [], passages("one")[:2])
        run = sealing.begin(history)  # the one before died
        sealing.document(history, run, PIER, "one", [], passages("p"))
        sealing.document(history, run, BUOY, "buoys", [], passages("one"))
        sealing.finish(history, run, Verdict.VERIFIED)
        for number, outcome in enumerate(("shipped", "withheld", "altered"), 1):
            history.record_decision(
                checked=f"2026-03-09T0{number}:00:00Z",
                outcome=outcome,
                reason="keep_ratio" if outcome == "withheld" else "",
                body={"text": f"Quays close at {number} p.m. \ud800", "keep_ratio": 0.5},
            )
    return sealing
