"""When people are told: tables of nights, a dash for a night on which nobody is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpusguard.model import Severity
from corpusguard.notify.decide import decide, remember
from tests.unit.notify.nights import DOC, WEEK, crash, day, down, finding, kinds, night, play

A, B, C = finding("a"), finding("b"), finding("c")
WARNING = finding("w", rule="CG102", severity=Severity.WARNING)
OTHER = "ca-on/statute/26f92@en"

TABLE = {
    "always verified": ([night(1), night(2), night(3)], "- - -"),
    "one fault, found and mended": ([night(1), night(2, A), night(3)], "- changed recovered"),
    "never the same alarm every night": (
        [night(1), *(night(number, A) for number in range(2, 9))],
        "- changed - - - - - -",
    ),
    "still wrong a week after the last message": (
        [night(number, A) for number in range(1, 17)],
        "changed - - - - - - reminder - - - - - - reminder -",
    ),
    "a week counts from the last message, whatever it said": (
        [night(1, A), night(2, A), night(3, A, B), *(night(n, A, B) for n in range(4, 12))],
        "changed - news - - - - - - reminder -",
    ),
    "a further fault is news, an old one is not": (
        [night(1, A), night(2, A, B), night(3, A, B)],
        "changed news -",
    ),
    "one of two is mended": ([night(1, A, B), night(2, B), night(3, B)], "changed news -"),
    "back after it was mended": (
        [night(1, A, B), night(2, B), night(3, A, B), night(4, A, B)],
        "changed news news -",
    ),
    "source down: told on the first night and a week later": (
        [night(1), *(night(number, down()) for number in range(2, 11))],
        "- unverifiable - - - - - - again -".replace("unverifiable", "changed").replace(
            "again", "reminder"
        ),
    ),
    "source down for one more document each night": (
        [night(1, down("d1")), night(2, down("d1"), down("d2")), night(3, down("d2"))],
        "changed - news",
    ),
    "source back": ([night(1, down()), night(2)], "changed recovered"),
    "down while violated, and back": (
        [night(1, A), night(2, A, down(), verdict="unverifiable"), night(3, A)],
        "changed changed changed",
    ),
    "a change of verdict always sends": (
        [night(1), night(2, A), night(3), night(4, A), night(5)],
        "- changed recovered changed recovered",
    ),
    "a warning alone is told once": (
        [night(1), night(2, WARNING), night(3, WARNING)],
        "- news -",
    ),
    "a warning is mended": ([night(1, WARNING), night(2)], "news news"),
    "disk full, every night": (
        [night(1), *(crash(number) for number in range(2, 11))],
        "- changed - - - - - - reminder -",
    ),
    "failed, then as before": ([night(1, A), crash(2), night(3, A)], "changed changed changed"),
    "failed, then verified": ([crash(1), night(2)], "changed recovered"),
    "runs an hour apart": (
        [replace(night(1, A), run=hour, at=day(1, hour)) for hour in range(5)],
        "changed - - - -",
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_nights(name):
    """Each row of the table."""
    nights, expected = TABLE[name]

    assert kinds(nights) == expected.split()


def test_a_flapping_finding_is_told_once_and_then_believed_until_it_stays_away():
    """Another finding keeps the verdict: A goes and comes each night, and nobody hears of it."""
    flapping = [night(n, A, B) if n % 2 else night(n, B) for n in range(1, 9)]

    assert kinds(flapping) == ["changed", "news", "news", "-", "-", "-", "-", "-"]

    gone = [*flapping, *(night(n, B) for n in range(9, 12))]
    assert kinds(gone)[8:] == ["news", "-", "-"], "a week after it was last said to be gone"


def test_what_people_believe_is_never_better_than_the_truth():
    """However two findings flap, one that is there after a night is one that people know of."""
    for pattern in range(4**5):
        told = None
        for position in range(5):
            state = pattern // 4**position % 4
            there = [one for bit, one in ((1, A), (2, B)) if state & bit]
            tonight = night(position * 3 + 1, *there)
            message = decide(told, tonight, WEEK)
            if message:
                told = remember(told, tonight, WEEK)
            believed = told.open if told else frozenset()
            assert {one.fingerprint for one in there} <= believed
            assert (told.verdict if told else "verified") == tonight.verdict


def test_a_message_that_did_not_arrive_is_sent_the_next_night():
    """What was new on the night the channel was down is still news to its people."""
    said = play([night(1), night(2, A), night(3, A), night(4, A)], undelivered={1})

    assert [bool(one) for one in said] == [False, True, True, False]
    assert said[2].subject == "✗ corpusguard: violated: 1 new [lights]"


def test_news_gathers_over_nights_without_delivery():
    """Two nights' findings, and one mended in between, come in one message."""
    said = play(
        [night(1, A), night(2, A, B), night(3, A, B, C), night(4, B, C)], undelivered={1, 2}
    )

    assert said[3].subject == "✗ corpusguard: violated: 2 new, 1 resolved [lights]"


def test_the_first_message_on_an_old_history_calls_old_findings_open():
    """Switching messages on doesn't call what has been there for months new."""
    old = replace(night(9, A, B), states={"a": "open", "b": "regressed"})

    assert decide(None, old, WEEK).subject == (
        "✗ corpusguard: violated: 1 regressed, 1 open [lights]"
    )


def test_asked_for_it_is_sent_though_nothing_is_new():
    """`verify --notify` shows that a channel works."""
    assert decide(None, night(1), WEEK) is None
    assert decide(None, night(1), WEEK, asked=True).kind == "asked"


@pytest.mark.parametrize("at", ["2027-01-01T00:00:00Z", "nonsense", ""])
def test_a_last_message_from_the_future_or_nowhere_does_not_silence_the_next(at):
    """A clock that was wrong once must not keep an alarm quiet until that day comes."""
    told = replace(remember(None, night(1, A), WEEK), at=at)

    assert decide(told, night(2, A), WEEK).kind == "reminder"


# Runs of a part


def part(number, *present, **changed):
    return night(number, *present, **({"whole": False} | changed))


def test_a_part_that_verifies_does_not_end_the_alarm_of_another():
    """Document B is violated in history; a run of A alone must not say "verified again"."""
    wrong = finding("b", document=OTHER)
    nights = [night(1, wrong), part(2, wrong, verdict="verified"), night(3)]

    assert kinds(nights) == ["changed", "-", "recovered"]


def test_a_part_that_verifies_does_not_settle_a_doubt_about_another():
    """B had no verdict, without any finding left; only a run that verified B settles it."""
    nights = [
        night(1, verdict="unverifiable", doubtful=frozenset({OTHER})),
        part(2, verdict="verified"),
        part(3, verdict="verified", cleared=frozenset({OTHER})),
    ]

    assert kinds(nights) == ["changed", "-", "recovered"]


def test_doubts_of_parts_add_up():
    """A doubt about B survives a message about A."""
    told = remember(None, night(1, verdict="unverifiable", doubtful=frozenset({OTHER})), WEEK)
    told = remember(told, part(2, A, verdict="violated"), WEEK)

    assert told.doubtful == {OTHER}


def test_a_part_raises_an_alarm():
    """What a run of one document finds is told as always."""
    assert kinds([night(1), part(2, A)]) == ["-", "changed"]


def test_a_part_does_not_end_the_alarm_of_a_failed_run():
    """The whole run failed; one document that verifies says nothing of the others."""
    assert kinds([crash(1), part(2), night(3)]) == ["changed", "-", "recovered"]


def test_a_source_error_elsewhere_keeps_a_part_unverifiable():
    """B could not be fetched; a run of A alone leaves that as it is."""
    gone = down(document=OTHER)
    nights = [night(1, gone, doubtful=frozenset({OTHER})), part(2, gone, verdict="verified")]

    assert kinds(nights) == ["changed", "-"]
    assert DOC != OTHER
