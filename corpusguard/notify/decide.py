"""Whether to say anything tonight. Pure: no clock, no file, no network.

People believe what they were last told, so the question is what of that is no longer true. That
makes an undelivered message harmless: what it would have said is still news the next night.

Rules
-----
* Another verdict than last told is always told; verified after anything else is "verified again".
* A finding is news if people don't believe it to be there, new or regressed alike.
* A finding that went is news, unless its going was told within ``repeat_after``: one that comes
  and goes is told once, and then believed to be there until it stays away.
* While the source stays down, further documents that it fails for are not news.
* What is still wrong is told again after ``repeat_after`` without a message, and not before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corpusguard.model import Severity, Verdict
from corpusguard.notify.message import News, compose
from corpusguard.notify.night import FAILED, Kind, Told
from corpusguard.report.summary import seconds_between

if TYPE_CHECKING:
    from corpusguard.model import Finding
    from corpusguard.notify.night import Message, Night

_CLOCK_SLACK = -60.0
"""A last message further in the future than this was dated by a clock that was wrong."""


def decide(
    told: Told | None, night: Night, repeat_after: float, *, asked: bool = False
) -> Message | None:
    """Return what to say after a night, or None.

    Args:
        told: What was last said, None if nothing ever was.
        night: What is known now.
        repeat_after: Seconds after which what is still wrong is said again.
        asked: Say it even if it is nothing new.
    """
    verdict = standing(told, night)
    before = told.verdict if told else str(Verdict.VERIFIED)
    kind = _kind(told, night, verdict, before, repeat_after)
    if kind is None:
        if not asked:
            return None
        kind = Kind.ASKED
    return compose(kind, night, verdict, told.verdict if told else "", _news(told, night))


def remember(told: Told | None, night: Night, repeat_after: float) -> Told:
    """Return what people believe once the message of ``night`` has reached them."""
    if night.verdict == FAILED:
        known = told or Told(night.run, night.at, FAILED)
        return replace(known, run=night.run, at=night.at, verdict=FAILED)
    present = frozenset(finding.fingerprint for finding in night.present)
    gone = (told.open if told else frozenset()) - present
    recent = {
        fingerprint: at
        for fingerprint, at in (told.resolved if told else {}).items()
        if not _passed(at, night.at, repeat_after)
    }
    doubtful = night.doubtful
    if told and not night.whole:
        doubtful |= told.doubtful - night.cleared
    return Told(
        run=night.run,
        at=night.at,
        verdict=standing(told, night),
        open=present,
        resolved=recent | dict.fromkeys(gone, night.at),
        doubtful=doubtful,
    )


def standing(told: Told | None, night: Night) -> str:
    """Return the verdict on everything that is configured.

    A run of fewer documents or layers speaks for those alone, so what is still known of the
    others counts too: it can raise an alarm, and end one only where nothing is left of it.
    """
    if night.whole or night.verdict == FAILED:
        return night.verdict
    errors = [one for one in night.present if one.severity is Severity.ERROR]
    if any(one.layer is not None for one in errors):
        return str(Verdict.VIOLATED)
    unsettled = (told.doubtful - night.cleared) if told else frozenset()
    if errors or unsettled or night.verdict == Verdict.UNVERIFIABLE:
        return str(Verdict.UNVERIFIABLE)
    return FAILED if told and told.verdict == FAILED else night.verdict


def _kind(
    told: Told | None, night: Night, verdict: str, before: str, repeat_after: float
) -> Kind | None:
    if verdict != before:
        return Kind.RECOVERED if verdict == Verdict.VERIFIED else Kind.CHANGED
    if verdict != FAILED and (_came(told, night, verdict) or _went(told, night, repeat_after)):
        return Kind.NEWS
    wrong = verdict != Verdict.VERIFIED or bool(night.present)
    if wrong and (told is None or _passed(told.at, night.at, repeat_after)):
        return Kind.REMINDER
    return None


def _came(told: Told | None, night: Night, verdict: str) -> bool:
    still_down = told is not None and told.verdict == verdict and verdict == Verdict.UNVERIFIABLE
    believed = told.open if told else frozenset()
    return any(
        finding.fingerprint not in believed and not (still_down and _of_the_source(finding))
        for finding in night.present
    )


def _went(told: Told | None, night: Night, repeat_after: float) -> bool:
    if told is None:
        return False
    present = {finding.fingerprint for finding in night.present}
    return any(
        _passed(told.resolved.get(fingerprint, ""), night.at, repeat_after)
        for fingerprint in told.open - present
    )


def _of_the_source(finding: Finding) -> bool:
    return finding.layer is None and finding.severity is Severity.ERROR


def _passed(since: str, now: str, seconds: float) -> bool:
    """Tell whether so much time has passed; where that cannot be known, it has."""
    elapsed = seconds_between(since, now)
    return elapsed is None or elapsed >= seconds or elapsed < _CLOCK_SLACK


def _news(told: Told | None, night: Night) -> News:
    """Sort what is there into new, regressed and open, as the people who are told see it."""
    new, regressed, still = [], [], 0
    for finding in night.present:
        state = night.states.get(finding.fingerprint, "open")
        if told is not None and finding.fingerprint in told.open:
            still += 1
        elif state == "regressed":
            regressed.append(finding)
        elif state == "new" or told is not None:
            new.append(finding)
        else:
            still += 1
    gone = (told.open if told else frozenset()) - {one.fingerprint for one in night.present}
    shown = tuple(one for one in night.resolved if told is None or one.fingerprint in gone)
    count = len(gone) if told is not None else len(shown)
    return News(tuple(new), tuple(regressed), still, shown, count)
