"""What is said: short, whole, and harmless whatever a corpus holds."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from corpusguard.model import Severity
from corpusguard.notify.decide import decide, remember
from corpusguard.notify.message import MAX_BODY, MAX_SUBJECT, foreign
from tests.unit.notify.nights import WEEK, crash, down, finding, night

HOSTILE = (
    "\x1b[2J\u202egnp.exe\u2066 @channel @everyone <!channel> <@U123> <https://evil.example|ok> "
    "[click](https://evil.example) ![x](http://evil.example/p.png) `code` *bold* | a | "
    "<script>alert(1)</script> www.evil.example\n# heading\n- item\r\nBcc: all@example.org\ud800"
)


def first(*findings, **changed):
    return decide(None, night(7, *findings, **changed), WEEK)


def test_a_message_says_what_where_why_and_what_next():
    """One finding, as a person on call reads it."""
    message = first(finding("a", message="the words are those of section 4"))

    assert message.subject == "✗ corpusguard: violated: 1 new [lights]"
    assert message.severity == "failure"
    assert message.text == (
        "✗ violated · run 7, 2026-03-07 02:05 UTC\n\n"
        "1 new\n\n"
        "New:\n\n"
        "- CG203 misfiled · ca-on/statute/26a91@en · s. 5 · passage lamp-a · cause: ingested wrong"
        " · the words are those of section 4\n\n"
        "1 document, 19 of 20 passages verified, coverage 95.0 %.\n\n"
        "Next: corpusguard findings list --run 7, corpusguard explain CG203"
    ).replace("@", "＠")


def test_markdown_says_the_same_with_foreign_text_in_code():
    """Only our own words stand outside code spans."""
    lines = first(finding("a")).markdown.splitlines()

    assert lines[0] == "✗ **violated** · run 7, 2026-03-07 02:05 UTC"
    assert (
        "- CG203 misfiled · `ca-on/statute/26a91＠en` · s. `5` · passage `lamp-a`"
        " · cause: ingested wrong · `the words are those of section 4`"
    ) in lines


def test_verified_again():
    """The end of an alarm says so, and what was resolved."""
    told = remember(None, night(1, finding("a")), WEEK)
    message = decide(told, replace(night(2), resolved=(finding("a"),)), WEEK)

    assert message.subject == "✓ corpusguard: verified again: 1 resolved [lights]"
    assert message.severity == "success"
    assert "✓ verified (before: violated)" in message.text
    assert "Resolved:\n\n- CG203 misfiled" in message.text
    assert message.text.endswith("Next: corpusguard status")


def test_a_reminder_says_still_and_only_counts():
    """What was told a week ago is not listed again."""
    told = remember(None, night(1, finding("a")), WEEK)
    message = decide(told, night(9, finding("a")), WEEK)

    assert message.subject == "✗ corpusguard: still violated: 1 open [lights]"
    assert "lamp-a" not in message.text


def test_regressed_findings_say_so():
    """Come back is worse than new: it was mended and did not stay so."""
    message = first(finding("a"), states={"a": "regressed"})

    assert "1 regressed" in message.subject
    assert "New, and come back:" in message.text
    assert "· regressed ·" in message.text


def test_the_worst_ten_are_listed_errors_first_and_the_rest_counted():
    """12 warnings and an error: the error leads, and three are only counted."""
    mild = [finding(f"w{n}", severity=Severity.WARNING, rule="CG102") for n in range(12)]
    text = first(*mild, finding("z", rule="CG307")).text
    lines = [line for line in text.splitlines() if line.startswith("- ")]

    assert len(lines) == 11
    assert lines[0].startswith("- CG307 truncated")
    assert lines[-1] == "- and 3 more"


def test_the_source_is_down():
    """Unverifiable is amber, and leads to the run's findings."""
    message = first(down())

    assert message.subject.startswith("? corpusguard: unverifiable: 1 new")
    assert message.severity == "warning"
    assert "corpusguard explain CG501" in message.text


def test_a_failed_run_says_why():
    """Exit 4 at night: the reason, and where to look."""
    message = decide(None, crash(3), WEEK)

    assert message.subject == "✗ corpusguard: the run failed (exit 4)"
    assert "the disk is full" in message.text
    assert message.text.endswith("Next: corpusguard doctor")
    assert "None" not in message.text + message.markdown


@pytest.mark.parametrize("length", [1, 200, 5_000])
@pytest.mark.parametrize("count", [0, 1, 10, 400])
@pytest.mark.parametrize("sign", ["x", "\u202e", "@", "`"])
def test_no_body_is_longer_than_4000_characters(length, count, sign):
    """However long what a corpus holds, and however much it grows when made visible."""
    long = sign * length
    findings = [
        finding(f"f{n}", message=long, passage=long, section=long, document=long)
        for n in range(count)
    ]
    told = remember(None, night(1, *(finding(f"r{n}") for n in range(count))), WEEK)
    gone = tuple(finding(f"r{n}", document=long, passage=long) for n in range(count))
    message = decide(told, replace(night(9, *findings), resolved=gone), WEEK, asked=True)

    assert len(message.text) <= MAX_BODY
    assert len(message.markdown) <= MAX_BODY
    assert len(message.subject) <= MAX_SUBJECT
    if count == 400:
        assert "more" in message.text


def test_at_most_200_characters_of_a_finding_and_never_the_two_texts():
    """Law text stays where the evidence is."""
    long = finding("a", message="lamp " * 200, official="OFFICIAL", stored="STORED", diff="DIFF")
    message = first(long)

    shown = re.search(r"(?:lamp ?)+…", message.text)[0]
    assert len(shown) <= 200
    for word in ("OFFICIAL", "STORED", "DIFF"):
        assert word not in message.text + message.markdown


def hostile():
    bad = finding("h", message=HOSTILE, passage=HOSTILE, section=HOSTILE, document=HOSTILE)
    return decide(None, night(7, bad, corpora=(HOSTILE,)), WEEK)


@pytest.mark.parametrize("form", ["subject", "text", "markdown"])
def test_hostile_text_reaches_nobody(form):
    """No control, bidi, mention, tag or link survives, in any form."""
    shown = getattr(hostile(), form)

    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown
    )
    assert "@" not in shown
    assert "<" not in shown
    assert "://" not in shown
    assert "www." not in shown


def test_a_subject_is_one_line():
    """A line break in a subject would be a header of a mail."""
    assert "\n" not in hostile().subject
    assert "\r" not in hostile().subject


def test_hostile_text_is_only_code_to_a_markdown_reader():
    """Parsed by a real reader: no link, image, heading or HTML, and code spans hold it all."""
    tokens = MarkdownIt("commonmark").parse(hostile().markdown)
    inner = [child for token in tokens for child in token.children or ()]

    assert {token.type for token in tokens} <= {
        "paragraph_open", "inline", "paragraph_close", "bullet_list_open", "bullet_list_close",
        "list_item_open", "list_item_close",
    }  # fmt: skip
    assert {child.type for child in inner} <= {
        "text", "code_inline", "strong_open", "strong_close", "softbreak",
    }  # fmt: skip
    outside = " ".join(child.content for child in inner if child.type == "text")
    assert "channel" not in outside
    assert "evil" not in outside


@pytest.mark.parametrize("limit", [1, 10, 200])
def test_foreign_text_keeps_its_limit(limit):
    """Also where one character becomes eight."""
    assert len(foreign("\u202e" * 500, limit)) <= limit
    assert foreign("plain words", 200) == "plain words"
