"""The count of a day's requests, over processes."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from corpusguard.errors import SourceUnreachable, StorageError
from corpusguard.fetch.ledger import Ledger
from corpusguard.fetch.politeness import Politeness

DAY = date(2026, 3, 9)


def test_requests_are_counted_by_day_and_publisher(tmp_path):
    one, two = Ledger(tmp_path / "r", "www.ontario.ca"), Ledger(tmp_path / "r", "127.0.0.1:8080")
    for _ in range(3):
        one.count(DAY)
    two.count(DAY)

    assert (one.spent(DAY), two.spent(DAY)) == (3, 1)
    assert Ledger(tmp_path / "r", "www.ontario.ca").spent(DAY) == 3
    assert one.spent(date(2026, 3, 10)) == 0


def test_a_new_day_clears_the_files_of_the_days_before_and_nothing_else(tmp_path):
    ledger = Ledger(tmp_path, "www.ontario.ca")
    ledger.count(DAY)
    (tmp_path / "notes.txt").write_text("x")

    ledger.count(date(2026, 3, 10))

    assert sorted(file.name[:10] for file in tmp_path.iterdir()) == ["2026-03-10", "notes.txt"]


def test_processes_at_once_lose_no_request(tmp_path):
    code = (
        "import sys; from datetime import date; from pathlib import Path;"
        "from corpusguard.fetch.ledger import Ledger;"
        "[Ledger(Path(sys.argv[1]), 'h').count(date(2026, 3, 9)) for _ in range(200)]"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]

    assert [process.wait() for process in running] == [0, 0, 0]
    assert Ledger(tmp_path, "h").spent(DAY) == 600


def test_the_budget_counts_what_other_runs_have_sent(tmp_path):
    ledger = Ledger(tmp_path, "h")
    for _ in range(4):
        ledger.count(DAY)
    polite = Politeness(
        0.0,
        5,
        now=lambda: datetime(2026, 3, 9, 12, tzinfo=UTC),
        monotonic=lambda: 0.0,
        sleep=lambda _: None,
        ledger=ledger,
    )

    polite.before("h")
    with pytest.raises(SourceUnreachable, match="budget of 5 requests"):
        polite.before("h")

    assert ledger.spent(DAY) == 5


def test_a_request_that_cannot_be_counted_is_not_sent(tmp_path):
    (tmp_path / "file").write_text("x")

    with pytest.raises(StorageError, match="cannot count"):
        Ledger(tmp_path / "file", "h").count(DAY)
