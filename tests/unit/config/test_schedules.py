"""``schedules/*.toml``: what is read, and what is refused with a next step."""

from __future__ import annotations

from datetime import timedelta

import pytest

from corpusguard.config import load_config
from corpusguard.errors import ConfigError
from corpusguard.schedule import After, CatchUp

CONFIG = """
[corpusguard]
sources = ["harbour.toml"]
schedules = [{schedules}]
[[corpus]]
name = "harbour"
reader = "jsonl"
path = "harbour.jsonl"
document = "ca-on/statute/19h31@en"
"""
SOURCE = """
[source]
publisher = "ontario-elaws"
base_url = "https://www.ontario.ca"
[[document]]
id = "ca-on/statute/19h31@en"
title = "Harbour Markets Act, 2019"
"""
NIGHTLY = {"name": '"nightly"', "cron": '"30 3 * * *"', "timezone": '"America/Toronto"'}


@pytest.fixture
def load(tmp_path):
    """Load a configuration whose schedules are the given tables."""

    def loaded(*tables, more=""):
        names = []
        for number, table in enumerate(tables):
            lines = [f"{key} = {value}" for key, value in table.items()]
            (tmp_path / f"{number}.toml").write_text("\n".join(["[schedule]", *lines]))
            names.append(f'"{number}.toml"')
        (tmp_path / "harbour.toml").write_text(SOURCE)
        file = tmp_path / "corpusguard.toml"
        file.write_text(CONFIG.format(schedules=", ".join(names)) + more)
        return load_config(file)

    return loaded


def test_a_schedule_needs_a_name_a_time_and_a_zone(load):
    """All else has a default: everything, all layers, made up for within twelve hours."""
    (one,) = load(NIGHTLY).schedules

    assert (one.name, one.cron, one.zone.key) == ("nightly", "30 3 * * *", "America/Toronto")
    assert (one.corpora, one.documents, one.layers) == ((), (), ("L1", "L2", "L3"))
    assert (one.catch_up, one.catch_up_within) == (CatchUp.ONCE, timedelta(hours=12))
    assert (one.jitter, one.after, one.offline) == (timedelta(0), (), False)


def test_every_key_is_read(load):
    """Each key, with a value that is not its default."""
    (one,) = load(
        NIGHTLY
        | {
            "corpora": '["harbour"]',
            "documents": '["ca-on/statute/19h31@en"]',
            "layers": '["L3", "L1"]',
            "offline": "true",
            "catch_up": '"skip"',
            "catch_up_within": '"2d"',
            "jitter": '"10m"',
            "after": '["ping", "notify", "report"]',
            "reports": '"out/reports"',
        },
        more='[notify]\nchannels = ["${CHAT}"]\n[ping]\nurl = "${CHECK}"\n',
    ).schedules

    assert one.corpora == ("harbour",)
    assert one.documents == ("ca-on/statute/19h31@en",)
    assert one.layers == ("L1", "L3")
    assert one.offline
    assert (one.catch_up, one.catch_up_within) == (CatchUp.SKIP, timedelta(days=2))
    assert one.jitter == timedelta(minutes=10)
    assert one.after == (After.NOTIFY, After.REPORT, After.PING)
    assert one.reports == "out/reports"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("name", '"Nightly"', "a-z"),
        ("name", '"-n"', "a-z"),
        ("name", '"../n"', "a-z"),
        ("name", f'"{"n" * 51}"', "1 to 50"),
        ("cron", '"30 25 * * *"', "'25' is not within 0-23"),
        ("cron", '"@daily"', "write '0 0 * * *'"),
        ("timezone", '"America/Toronot"', "America/Toronto"),
        ("timezone", '"../../etc/passwd"', "IANA"),
        ("timezone", '"localtime"', "another machine"),
        ("timezone", '"Factory"', "another machine"),
        ("timezone", '"America"', "IANA"),
        ("timezone", '"EST5EDT,M3.2.0"', "IANA"),
        ("timezone", f'"{"A" * 10_000}"', "IANA"),
        ("layers", '["L4"]', "'L1', 'L2', 'L3'"),
        ("offline", '"yes"', "true or false"),
        ("catch_up", '"always"', "'once', 'skip'"),
        ("catch_up_within", '"0h"', "duration"),
        ("catch_up_within", '"32d"', "up to 744h"),
        ("catch_up_within", '"12"', "duration"),
        ("jitter", '"-5m"', "duration"),
        ("jitter", '"7h"', "360m here"),
        ("after", '["mail"]', "'notify', 'report', 'ping'"),
        ("after", '["ping"]', "[ping] is not configured"),
        ("after", '["notify"]', "[notify] is not configured"),
        ("corpora", '["harbor"]', "Did you mean `harbour`?"),
        ("documents", '["ca-on/statute/19h32@en"]', "ca-on/statute/19h31@en"),
        ("jiter", '"5m"', "Did you mean `jitter`?"),
    ],
)
def test_what_is_wrong_is_named_with_a_next_step(load, key, value, said):
    """A schedule that never runs must not look like one that does."""
    with pytest.raises(ConfigError) as caught:
        load(NIGHTLY | {key: value})

    assert said in f"{caught.value.message}\n{caught.value.hint}"
    assert caught.value.hint
    assert len(caught.value.message) < 1_000


@pytest.mark.parametrize("key", NIGHTLY)
def test_a_missing_key_is_named(load, key):
    """Name, cron and time zone: a guess at any of them would be silent."""
    with pytest.raises(ConfigError, match=f"{key} is missing"):
        load({name: value for name, value in NIGHTLY.items() if name != key})


def test_a_jitter_that_reaches_into_the_next_run_is_refused(load):
    """Each quarter of an hour: at most seven minutes."""
    with pytest.raises(ConfigError, match="7m here"):
        load(NIGHTLY | {"cron": '"*/15 * * * *"', "jitter": '"8m"'})

    assert load(NIGHTLY | {"cron": '"*/15 * * * *"', "jitter": '"7m"'}).schedules


def test_two_schedules_of_one_name_are_refused(load):
    """History tells runs apart by it."""
    with pytest.raises(ConfigError, match="is there twice"):
        load(NIGHTLY, NIGHTLY)


def test_a_schedule_file_that_is_not_there_is_named(tmp_path, load):
    """With the path that was looked for."""
    load()
    file = tmp_path / "corpusguard.toml"
    file.write_text(CONFIG.format(schedules='"schedules/weekly.toml"'))

    with pytest.raises(ConfigError, match=r"weekly\.toml: no such file"):
        load_config(file)
