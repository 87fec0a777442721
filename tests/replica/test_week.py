"""A week in a minute: seven nights by a simulated clock, and the story that history tells of them."""

from __future__ import annotations

import dataclasses
import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from corpusguard.config import load_config
from corpusguard.fetch import Fetcher
from corpusguard.history import History
from corpusguard.service.daemon import Daemon
from corpusguard.service.schedules import Schedules
from tests.replica.capture import LAW
from tests.replica.replica import Fault
from tests.replica.test_nights import Nights

TORONTO = ZoneInfo("America/Toronto")
NIGHTLY = """
[schedule]
name = "nightly"
cron = "30 1 * * *"
timezone = "America/Toronto"
catch_up = "once"
catch_up_within = "12h"
"""


def amended(law, section, date):
    """The law with a word of one section changed, in force from a date."""
    paragraphs = tuple(
        (name, text.replace("dusk to dawn", "noon to noon"))
        if name == "section" and text.startswith(f"<b>{section} ")
        else (name, text)
        for name, text in law.paragraphs
    )
    assert paragraphs != law.paragraphs
    return dataclasses.replace(law, paragraphs=paragraphs, consolidated_from=date)


class Week:
    """A project, a daemon that someone starts and stops, and a clock that only goes when told."""

    def __init__(self, folder, replica, clock):
        self.nights = Nights(folder, replica)
        self.replica, self.clock, self.daemon = replica, clock, None
        (folder / "nightly.toml").write_text(NIGHTLY)
        config = folder / "corpusguard.toml"
        text = config.read_text()
        config.write_text(text.replace("sources =", 'schedules = ["nightly.toml"]\nsources =', 1))

    def start(self):
        config = load_config(self.nights.folder / "corpusguard.toml")
        schedules = Schedules(
            config, make_fetcher=lambda spec: Fetcher(spec, backoff_seconds=0.001)
        )
        self.daemon = Daemon(schedules, schedules.required())

    def stop(self):
        self.daemon = None

    def until(self, text):
        """Let time pass, in Toronto; a daemon that runs looks every ten minutes."""
        end = datetime.fromisoformat(text).replace(tzinfo=TORONTO).astimezone(UTC)
        now = datetime.now(UTC)
        while now < end:
            now = min(now + timedelta(minutes=10), end)
            self.clock.move_to(now)
            # As a publisher does, a new date each day.
            self.replica.currency = f"{now:%B} {now.day}, {now.year}\n"
            if self.daemon:
                self.daemon.tick()

    def killed_in_the_middle(self):
        """What SIGKILL leaves in history: a run that began."""
        with History.open(self.nights.folder / "history.db") as history:
            started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            history.begin_run(("L1", "L2", "L3"), "corpusguard", "", started, schedule="nightly")


@pytest.fixture
def week(tmp_path, replica):
    # Without a Date header: the server's own is up to a second old, and a second is a day here.
    replica._uvicorn.config.date_header = False
    end = time.monotonic() + 60
    while any(name == b"date" for name, _ in replica._uvicorn.server_state.default_headers):
        assert time.monotonic() < end
        time.sleep(0.02)
    currency = replica.currency
    with time_machine.travel(datetime(2026, 10, 29, 22, 0, tzinfo=UTC), tick=False) as clock:
        yield Week(tmp_path, replica, clock)
    replica.currency = currency
    replica._uvicorn.config.date_header = True


def test_history_tells_the_story_of_a_week(week):
    """Amendments, an autumn night with two half past ones, an outage, a missed night, a kill."""
    nights, replica = week.nights, week.replica
    nights.ingest()
    week.start()
    week.until("2026-10-30T12:00")  # 1: Friday's night, all sound
    first = amended(LAW, "5", "2026-10-30")
    replica.publish(first)
    week.until("2026-10-31T12:00")  # 2: the amendment is found
    week.until("2026-11-01T12:00")  # 3: 01:30 comes twice; still open
    nights.ingest()
    week.until("2026-11-02T12:00")  # 4: ingested, and resolved
    replica.misbehave(Fault.UNAVAILABLE)
    week.until("2026-11-03T12:00")  # 5: an outage
    replica.behave()
    week.stop()
    week.until("2026-11-04T09:00")  # 6: nobody was there at 01:30
    week.killed_in_the_middle()
    week.until("2026-11-04T09:20")
    week.start()
    week.until("2026-11-04T12:00")
    replica.publish(amended(first, "6", "2026-11-04"))
    week.until("2026-11-05T12:00")  # 7: another amendment

    with History.open(nights.folder / "history.db") as history:
        runs = list(reversed(history.runs()))
        told = [
            (
                datetime.fromisoformat(run.started).astimezone(TORONTO).strftime("%a %H:%M %Z"),
                str(run.state),
                str(run.verdict or ""),
                run.exit_code,
            )
            for run in runs
        ]
        found = {
            (record.finding.rule, record.finding.section): (
                str(record.state),
                record.first_run,
                record.resolved_run,
            )
            for record in history.findings()
            if str(record.finding.severity) == "error"
        }
        last_good = history.last_good(LAW.id, "lights")
        problems = history.problems()

    assert told == [
        ("Fri 01:30 EDT", "finished", "verified", 0),
        ("Sat 01:30 EDT", "finished", "violated", 1),
        ("Sun 01:30 EDT", "finished", "violated", 1),
        ("Mon 01:30 EST", "finished", "verified", 0),
        ("Tue 01:30 EST", "finished", "unverifiable", 3),
        ("Wed 09:00 EST", "aborted", "", None),
        ("Wed 09:30 EST", "finished", "verified", 0),
        ("Thu 01:30 EST", "finished", "violated", 1),
    ]
    assert {run.schedule for run in runs} == {"nightly"}
    assert found == {
        ("CG106", "5"): ("resolved", 2, 4),
        ("CG501", ""): ("resolved", 5, 7),
        ("CG106", "6"): ("new", 8, None),
    }
    assert last_good.run == 7
    assert problems == []
