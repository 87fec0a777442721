"""The two files: strict reading, canonical writing, and editing that touches nothing else."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from corpusguard.config.ignores import ignores_from, read
from corpusguard.errors import ConfigError
from corpusguard.ignores import (
    Baseline,
    Entry,
    Ignore,
    append_ignore,
    baseline_from,
    baseline_text,
    ignore_table,
    shown,
    without,
)

SHA = "sha256:" + "a" * 64
FILE = Path("corpusguard-ignore.toml")


def entry(number=1, **changed):
    values = {
        "fingerprint": f"{number:016x}",
        "rule": "CG104",
        "corpus": "harbour",
        "document": "ca-on/statute/19h31@en",
        "section": "15",
        "passage": "p-15",
        "official": SHA,
        "stored": "sha256:" + "b" * 64,
    }
    return Entry(**(values | changed))


def ignore(number=1, reason="a reason", owner="Ada", **changed):
    days = {"written": "2026-11-01", "expires": "2026-12-01"} | changed
    return Ignore(entry(number), reason, owner, **days)


def loaded(text, days=90):
    return ignores_from(FILE, text.encode("utf-8", "surrogatepass"), days)


def test_what_is_written_is_read_back():
    """Quotes, backslashes, line ends and any script survive; a file starts with an explanation."""
    words = 'a "quote" \\ back\nslash\t’é日本 \u202e [[ignore]] # no'
    one = ignore(reason=words, owner="O’Neil \\")
    text = append_ignore("", one)
    assert text.startswith("# Findings that do not count")
    assert loaded(text).ignores == (one,)
    assert "\u202e" not in text
    assert "\\U0000202e" in text


def test_no_file_is_an_empty_list_without_a_digest(tmp_path):
    """And an empty file is a list, with one."""
    assert read(tmp_path / "none.toml") is None
    assert not ignores_from(FILE, None, 90).digest
    assert loaded("").digest.startswith("sha256:")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('reson = "x"', "Did you mean `reason`?"),
        ('fingerprint = "12"', "16 hex digits"),
        ('fingerprint = "ABCDEF0123456789"', "16 hex digits"),
        ('rule = "CG999"', "a rule id"),
        ('reason = ""', "not empty"),
        ('reason = "  "', "not empty"),
        ('reason = "${HOME}"', "no ${…} here"),
        ('reason = "a\\u0000b"', "no control characters"),
        ('reason = "a\\u001bb"', "no control characters"),
        ('reason = "a\\u009bb"', "no control characters"),
        ('reason = "a\\u007fb"', "no control characters"),
        ('owner = ""', "not empty"),
        ('official = "sha256:xyz"', "64 hex digits"),
        ('stored = ""', "not empty"),
        ("expires = 2027-02-01", "at most 90 days after 2026-11-01"),
        ("expires = 2026-10-31", "not before"),
        ('expires = ""', "a day such as"),
        ('expires = "never"', "a day such as"),
        ("expires = 2026-12-01T00:00:00Z", "a day such as"),
        ("section = 15", "text of at most"),
    ],
    ids=str,
)
def test_a_wrong_value_is_refused_with_its_place(change, said):
    """The message names file, table, key and what was expected."""
    key = change.split(" ")[0]
    lines = ignore_table(ignore()).splitlines()
    text = "\n".join([*(line for line in lines if line.split(" ")[0] != key), change])
    with pytest.raises(ConfigError) as caught:
        loaded(text)
    assert said in f"{caught.value.message} {caught.value.hint}"
    assert "corpusguard-ignore.toml: [[ignore]] #1" in caught.value.message


@pytest.mark.parametrize(
    "key", "fingerprint rule corpus document reason owner written expires official stored".split()
)
def test_every_needed_key_is_needed(key):
    """None has a default: an ignore without an owner or an end is none."""
    lines = [line for line in ignore_table(ignore()).splitlines() if line.split(" ")[0] != key]
    with pytest.raises(ConfigError, match=key):
        loaded("\n".join(lines))


def test_a_finding_is_ignored_once():
    """Two entries of one finding would leave open which one holds."""
    with pytest.raises(ConfigError, match="ignored twice"):
        loaded(ignore_table(ignore()) + ignore_table(ignore(reason="another")))


@pytest.mark.parametrize(
    "text",
    ["[[ignore]", "[ignore]\nx = 1", "ignore = 1", "\ud800", "other = 1", "a" + "[" * 100_000],
)
def test_what_is_no_list_is_refused(text):
    """Not TOML, not UTF-8, another table, or nested without end."""
    with pytest.raises(ConfigError):
        loaded(text)


def test_a_huge_file_is_refused(tmp_path):
    """It is a mistaken path."""
    path = tmp_path / "big.toml"
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ConfigError, match="more than 1000000 bytes"):
        read(path)
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="a link to a file that is not there"):
        read(tmp_path / "link.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        read(tmp_path)
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        read(tmp_path / "pipe.toml")


COMMENTED = f"""\
# About all of it.

# About the first.
{ignore_table(ignore(1))}
# About the second,
# in two lines.
{ignore_table(ignore(2))}
# About the third.
  [[ ignore ]] # spaced
{ignore_table(ignore(3)).removeprefix("[[ignore]]")}
# At the end.
"""


@pytest.mark.parametrize("gone", [{0}, {1}, {2}, {0, 2}, {0, 1, 2}, set()], ids=str)
def test_taking_out_an_entry_leaves_the_others_and_their_comments(gone):
    """What goes is the entry and what was said of it; the rest is as it was, byte for byte."""
    text = without(COMMENTED, gone)
    left = [one.entry.fingerprint for one in loaded(text).ignores]
    assert left == [f"{number + 1:016x}" for number in range(3) if number not in gone]
    for number, word in enumerate(("first", "second", "third")):
        assert (f"# About the {word}" in text) == (number not in gone)
    assert "# About all of it." in text
    assert without(COMMENTED, set()) == COMMENTED
    tomllib.loads(text)


def test_a_baseline_has_one_line_a_finding_and_one_text():
    """The order of the entries does not matter; the bytes are the same, and come back."""
    entries = tuple(entry(number, section=str(number)) for number in (3, 1, 2))
    text = baseline_text(Baseline(4, SHA, "2020-11-01T03:00:00.5Z", entries))
    assert text == baseline_text(Baseline(4, SHA, "2020-11-01T03:00:00.5Z", entries[::-1]))
    assert len(text.splitlines()) == 5
    assert text.isascii()
    back = baseline_from(text.encode(), "b.json")
    assert sorted(back.entries, key=str) == sorted(entries, key=str)
    assert (back.run, back.head) == (4, SHA)
    # A version control that changes the ends of lines changes nothing else.
    assert baseline_from(text.replace("\n", "\r\n").encode(), "b.json").entries == back.entries
    empty = baseline_text(Baseline(4, SHA, "2020-11-01T03:00:00Z"))
    assert baseline_from(empty.encode(), "b.json").entries == ()


def changed_json(**changed):
    text = baseline_text(Baseline(4, SHA, "2020-11-01T03:00:00Z", (entry(1), entry(2))))
    return json.dumps(json.loads(text) | changed)


WHOLE = baseline_text(Baseline(4, SHA, "2020-11-01T03:00:00Z", (entry(1), entry(2))))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        WHOLE + " ",
        WHOLE.replace('"run": 4', '"run":  4'),
        WHOLE.replace('"run": 4', '"run": 4, "run": 4'),
        WHOLE.replace('"run": 4', '"run": 4.0'),
        WHOLE.replace('"run": 4', '"run": true'),
        WHOLE.replace('"run": 4', '"run": -1'),
        WHOLE.replace("baseline/1", "baseline/2"),
        WHOLE.replace("2020-11-01T", "2020-02-30T"),
        WHOLE.replace("2020-11-01T", "2020-99-99T"),
        WHOLE.replace("2020-11-01T", "9999-12-31T"),
        WHOLE.replace("T03:00:00Z", "T24:00:01Z"),
        WHOLE.replace(SHA, "sha256:0", 1),
        WHOLE.replace("2020-11-01T03:00:00Z", "yesterday"),
        WHOLE.replace("CG104", "CG999", 1),
        WHOLE.replace('"rule"', '"note"', 1),
        WHOLE.replace(f"{1:016x}", "x"),
        WHOLE.replace(f"{2:016x}", f"{1:016x}"),
        WHOLE.replace('"p-15"', "15", 1),
        WHOLE.replace('"p-15"', '"é"', 1),
        changed_json(findings={}),
        changed_json(extra=1),
    ],
)
def test_a_baseline_that_is_not_as_it_was_written_is_refused(text):
    """By bytes: a reviewer sees all that there is, and nothing can be slipped in beside it."""
    with pytest.raises(ConfigError, match=r"b\.json: "):
        baseline_from(text.encode(), "b.json")


def test_a_name_is_repeated_on_one_visible_line():
    """TOML can hold neither NUL nor lone surrogates, and a review must see what stands there."""
    assert shown("a\x00\u202e\ud800\nb") == "a<U+0000><U+202E><U+D800><U+000A>b"
    assert len(shown("x" * 1_000_000)) == 200
    text = append_ignore("", Ignore(entry(passage=shown("\x00\x7f\ud800")), "r", "o", *DAYS))
    assert loaded(text).ignores[0].entry.passage == "<U+0000><U+007F><U+D800>"


DAYS = ("2026-11-01", "2026-12-01")
