"""Nights of an invented law, one after another, as ``decide`` sees them."""

from __future__ import annotations

from corpusguard.model import Cause, Coverage, Finding, Layer, Severity
from corpusguard.notify.decide import decide, remember
from corpusguard.notify.night import FAILED, Night

DOC = "ca-on/statute/26a91@en"
WEEK = 7 * 86_400


def finding(name="a", **changed):
    """An error about a passage; its name is its fingerprint."""
    values = {
        "rule": "CG203",
        "severity": Severity.ERROR,
        "layer": Layer.L3,
        "document": DOC,
        "message": "the words are those of section 4",
        "section": "5",
        "passage": f"lamp-{name}",
        "cause": Cause.INGESTED_WRONG,
        "fingerprint": name,
    }
    return Finding(**(values | changed))


def down(name="down", document=DOC):
    """The source gives no answer."""
    return finding(
        name, rule="CG501", layer=None, section="", passage="", cause=None, document=document
    )


def day(number, hour=2):
    """The end of the run of a day; days go on past the month."""
    return f"2026-{3 + (number - 1) // 28:02}-{(number - 1) % 28 + 1:02}T{hour:02}:05:00Z"


def night(number, *present, verdict=None, **changed):
    """What is known after the run of a day; the verdict follows from the findings."""
    errors = [one for one in present if one.severity is Severity.ERROR]
    layered = [one for one in errors if one.layer is not None]
    usual = "violated" if layered else "unverifiable" if errors else "verified"
    values = {
        "run": number,
        "verdict": verdict or usual,
        "at": day(number),
        "exit_code": {"verified": 0, "violated": 1, "unverifiable": 3}.get(verdict or usual, 4),
        "present": tuple(present),
        "states": {one.fingerprint: "new" for one in present},
        "looked_at": frozenset({DOC}),
        "doubtful": frozenset({DOC}) if (verdict or usual) == "unverifiable" else frozenset(),
        "documents": 1,
        "passages": 20,
        "verified_passages": 20 - len(layered),
        "coverage": Coverage(1000, 950, 1000),
        "corpora": ("lights",),
    }
    return Night(**(values | changed))


def crash(number, code=4):
    """A run that ended without a result."""
    return Night(run=0, verdict=FAILED, at=day(number), exit_code=code, reason="the disk is full")


def play(nights, *, repeat_after=WEEK, undelivered=()):
    """Live through nights; the messages, None for a quiet night.

    Args:
        nights: In order.
        repeat_after: Seconds.
        undelivered: Positions at which the channel was broken.
    """
    told, said = None, []
    for position, one in enumerate(nights):
        message = decide(told, one, repeat_after)
        said.append(message)
        if message and position not in undelivered:
            told = remember(told, one, repeat_after)
    return said


def kinds(nights, **options):
    """The kinds of the messages, a dash for a quiet night."""
    return [str(one.kind) if one else "-" for one in play(nights, **options)]
