"""``corpusguard schedule``: lists, single runs, exports, and the daemon as a real process."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime

import pytest
import yaml

from corpusguard.locking import RunLock
from tests.unit.cli.conftest import call, start

# Six hours ago, and made up for within a day: a run is due now, and no other for hours.
DAILY = """
[schedule]
name = "daily"
cron = "0 {hour} * * *"
timezone = "UTC"
layers = ["L1"]
offline = true
catch_up_within = "24h"
"""
SLOW = "import sys, time; sys.stdout.flush(); time.sleep(600)"


@pytest.fixture
def project(sample, tmp_path):
    """The clean sample with a daily schedule."""
    folder = tmp_path / "project"
    shutil.copytree(sample, folder)
    (folder / "schedules").mkdir()
    hour = (datetime.now(UTC).hour - 6) % 24
    (folder / "schedules" / "daily.toml").write_text(DAILY.format(hour=hour))
    text = (folder / "corpusguard-clean.toml").read_text()
    text = text.replace("sources =", 'schedules = ["schedules/daily.toml"]\nsources =', 1)
    (folder / "corpusguard.toml").write_text(text)
    return folder


def add(project, name, **facts):
    """Put another schedule beside the daily one."""
    lines = [f'{key} = "{value}"' for key, value in facts.items()]
    (project / "schedules" / f"{name}.toml").write_text(
        "\n".join(["[schedule]", f'name = "{name}"', "offline = true", *lines])
    )
    config = project / "corpusguard.toml"
    config.write_text(
        config.read_text().replace("schedules = [", f'schedules = ["schedules/{name}.toml", ')
    )


def on(project, *arguments):
    return call("schedule", *arguments, "-c", project / "corpusguard.toml")


def runs(project):
    """(schedule, state, exit code) of each run, oldest first."""
    path = project / "history-clean.db"
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        try:
            return database.execute(
                "SELECT schedule, state, exit_code FROM runs ORDER BY run"
            ).fetchall()
        except sqlite3.Error:  # not made yet
            return []


def wait_for(found, process, seconds=60.0):
    """Wait until something holds; a daemon that died meanwhile says why."""
    end = time.monotonic() + seconds
    while not found():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            pytest.fail(f"it never came; the daemon said: {process.said()}")
        time.sleep(0.05)


@contextmanager
def daemon(project, *arguments):
    log = project / "daemon.log"
    with log.open("wb") as stream:
        process = start(
            "schedule", "run", *arguments, "-c", project / "corpusguard.toml",
            stdout=subprocess.DEVNULL, stderr=stream,
        )  # fmt: skip
    process.said = lambda: log.read_text("utf-8")
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def stopped(process, number=signal.SIGTERM):
    """Send a signal; return (exit code, standard error). What hangs would do so for ten minutes."""
    process.send_signal(number)
    process.wait(60)
    return process.returncode, process.said()


# Lists


def test_list_shows_when_what_runs_and_what_ran(project):
    """Before the first run, and after it."""
    before = json.loads(on(project, "list", "-f", "json").stdout)["schedules"]
    assert on(project, "run", "--once").exit_code == 0
    (after,) = json.loads(on(project, "list", "-f", "json").stdout)["schedules"]
    table = on(project, "list").stdout

    assert [(one["name"], one["due"], one["last"]) for one in before] == [("daily", True, None)]
    assert not after["due"]
    assert (after["last"]["run"], after["last"]["verdict"]) == (1, "verified")
    for word in ("daily", "* * *", "UTC", "run 1: verified"):
        assert word in table


def test_next_shows_so_many_runs_in_order(project):
    """``-n 3``: on the hour, each later than the one before."""
    found = json.loads(on(project, "next", "-n", "3", "-f", "json").stdout)["runs"]

    assert len(found) == 3
    assert all(run["begins"].endswith(":00:00Z") for run in found)
    assert found == sorted(found, key=lambda run: run["begins"])
    assert len({run["begins"] for run in found}) == 3
    assert on(project, "next").stdout.count("daily") == 5


def test_without_schedules_list_says_what_to_add_and_run_is_a_usage_error(verified):
    """A daemon that serves nothing would look like one that does."""
    listed = call("schedule", "list", "-c", verified)
    run = call("schedule", "run", "-c", verified)

    assert (listed.exit_code, listed.stdout) == (0, "")
    assert "schedules = [" in listed.stderr
    assert run.exit_code == 2
    assert "schedules = [" in run.stderr


def test_an_unknown_name_is_answered_with_the_nearest(project):
    """``--name dialy``."""
    for command in ("next", "run", "export"):
        arguments = [command, *(["cron"] if command == "export" else []), "--name", "dialy"]
        result = on(project, *arguments)
        assert result.exit_code == 2, result.output
        assert "daily" in result.stderr


# Once


def test_once_runs_what_is_due_and_then_nothing(project):
    """The second call finds it done, in history."""
    first, second = on(project, "run", "--once"), on(project, "run", "--once")

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "nothing is due" in second.stderr
    assert runs(project) == [("daily", "finished", 0)]


def test_now_runs_what_is_not_due_for_an_outside_scheduler(project):
    """Two calls, two runs."""
    assert [on(project, "run", "--now", "--name", "daily").exit_code for _ in "12"] == [0, 0]
    assert len(runs(project)) == 2


def test_once_ends_with_the_worst_code_and_runs_the_rest(project):
    """A report that cannot be written (4) is worse than what is verified (0), and stops nothing."""
    add(project, "first", cron="0 0 * * *", timezone="UTC", catch_up_within="2d", reports="taken")
    file = project / "schedules" / "first.toml"
    file.write_text(file.read_text() + '\nafter = ["report"]\n')
    (project / "taken").write_text("a file where the folder should be")
    result = on(project, "run", "--once")

    assert result.exit_code == 4, result.stderr
    assert "could not make the folder" in result.stderr
    assert sorted(name for name, _, _ in runs(project)) == ["daily", "first"]


def test_a_run_logs_how_it_ended_with_the_head(project):
    """So that the journal of whatever started it keeps the head where history cannot reach it."""
    logged = on(project, "run", "--now", "--name", "daily").stderr

    (line,) = [line for line in logged.splitlines() if "scheduled run ended" in line]
    head = call("history", "head", "-c", project / "corpusguard.toml").stdout.strip()
    assert head.startswith("sha256:")
    for word in ("schedule=daily", "run=1", "verdict=verified", "exit_code=0", "error=0", head):
        assert word in line


def test_quiet_leaves_the_line_of_a_run_that_did_not_verify(project):
    """Nothing on a good night; the verdict, the counts and the head on any other."""
    arguments = ("-q", "-c", project / "corpusguard.toml", "schedule", "run", "--now")
    good = call(*arguments)
    config = project / "corpusguard.toml"
    config.write_text(config.read_text().replace("clean.jsonl", "faulty.jsonl"))
    bad = call(*arguments)

    assert (good.exit_code, good.stderr) == (0, "")
    assert bad.exit_code == 1, bad.stderr
    (line,) = bad.stderr.splitlines()
    head = call("history", "head", "-c", config).stdout.strip()
    for word in ("warning", "schedule=daily", "verdict=violated", "exit_code=1", head):
        assert word in line


def test_a_report_is_written_whole_for_each_run(project):
    """``after = ["report"]``."""
    file = project / "schedules" / "daily.toml"
    file.write_text(file.read_text() + 'after = ["report"]\nreports = "out/reports"\n')
    assert on(project, "run", "--once").exit_code == 0
    folder = project / "out" / "reports" / "run-000001"

    assert json.loads((folder / "report.json").read_text())["verdict"] == "verified"
    assert "verified" in (folder / "report.md").read_text()


def test_once_is_turned_away_while_another_run_holds_the_lock(project):
    """75, and no run in history."""
    with RunLock(project / "history-clean.db.lock"):
        result = on(project, "run", "--once")

    assert result.exit_code == 75
    assert runs(project) == []


def test_only_the_corpora_named_are_verified(project):
    """A schedule may be about one corpus."""
    config = project / "corpusguard.toml"
    config.write_text(
        config.read_text()
        + '\n[[corpus]]\nname = "other"\nreader = "jsonl"\npath = "faulty.jsonl"\n'
        'document = { field = "document" }\nrecipe = "subsection"\n'
    )
    assert on(project, "run", "--now").exit_code == 1
    file = project / "schedules" / "daily.toml"
    file.write_text(file.read_text() + 'corpora = ["harbour-markets-clean"]\n')

    assert on(project, "run", "--now").exit_code == 0


# Exports


@pytest.mark.parametrize("tool", ["cron", "systemd", "kubernetes", "github"])
def test_export_prints_files_that_name_the_schedule(project, tool):
    """And writes the same with ``--output``."""
    printed = on(project, "export", tool)
    folder = project / "out"
    folder.mkdir()
    written = on(project, "export", tool, "-o", folder)

    assert (printed.exit_code, written.exit_code) == (0, 0)
    texts = [path.read_text() for path in sorted(folder.iterdir())]
    assert texts
    for path, text in zip(sorted(folder.iterdir()), texts, strict=True):
        assert f"# file: {path.name}\n{text}" in printed.stdout
    assert "daily" in "".join(texts)


def test_what_is_printed_for_kubernetes_is_yaml(project):
    """So that it can be piped to kubectl."""
    objects = list(yaml.safe_load_all(on(project, "export", "kubernetes").stdout))

    assert [one["kind"] for one in objects] == ["PersistentVolumeClaim", "CronJob"]


def test_export_for_github_brings_what_the_schedule_s_after_and_the_sources_need(
    project, monkeypatch
):
    """By the configuration: variables as secrets, the extra, what was told, the reports."""
    monkeypatch.setenv("LAW_CONTACT", "law@example.org")
    config = project / "corpusguard.toml"
    tables = '[notify]\nchannels = ["${SLACK_URL}", "${MAIL_URL}"]\n[ping]\nurl = "${PING_URL}"\n'
    config.write_text(config.read_text() + tables)
    source = project / "sources" / "sample.toml"
    source.write_text(
        source.read_text().replace("[source]", '[source]\nuser_agent_contact = "${LAW_CONTACT}"', 1)
    )
    file = project / "schedules" / "daily.toml"
    before = file.read_text()
    file.write_text(before + 'after = ["notify", "ping", "report"]\n')
    all_of_it = on(project, "export", "github").stdout
    file.write_text(before + 'after = ["ping"]\n')
    some = on(project, "export", "github").stdout

    def secrets(text):
        return re.findall(r"secrets\.(\w+)", text)

    assert secrets(all_of_it) == ["LAW_CONTACT", "SLACK_URL", "MAIL_URL", "PING_URL"]
    assert secrets(some) == ["LAW_CONTACT", "PING_URL"]
    assert ("[notify]" in all_of_it, "[notify]" in some) == (True, False)
    assert ("upload-artifact" in all_of_it, "upload-artifact" in some) == (True, False)
    assert all_of_it.count("            history-clean.db.told.json\n") == 2


def test_export_moves_paths_to_where_they_will_be(project):
    """``--data`` and ``--program`` describe another machine."""
    text = on(
        project, "export", "systemd", "--data", "/srv/law", "--program", "/usr/bin/env corpusguard"
    ).stdout

    assert "ExecStart=/usr/bin/env corpusguard --config /srv/law/corpusguard.toml" in text
    assert "ReadWritePaths=-/srv/law -/srv/law/snapshots" in text
    assert str(project) not in text


def test_export_for_an_unknown_tool_is_a_usage_error(project):
    """With the nearest."""
    result = on(project, "export", "systmd")

    assert result.exit_code == 2
    assert "systemd" in result.stderr


# The daemon


def test_the_daemon_makes_up_for_a_missed_run_at_start_and_stops_cleanly(project):
    """SIGTERM while nothing is under way: exit 0, at once."""
    with daemon(project) as process:
        wait_for(lambda: runs(project) == [("daily", "finished", 0)], process)
        # History has it before the daemon is at rest, which it says with the next run's time.
        wait_for(lambda: process.said().count("schedule served") == 2, process)
        code, err = stopped(process)

    assert code == 0, err
    assert "schedule due" in err
    assert "stopped" in err
    assert "Traceback" not in err


def test_a_second_daemon_is_turned_away(project):
    """75 for the second; the first goes on, and a killed one stops nobody."""
    with daemon(project) as first:
        wait_for(lambda: runs(project), first)
        second = on(project, "run")
        assert second.exit_code == 75
        assert "another `schedule run` serves" in second.stderr
        assert first.poll() is None
        first.kill()
        first.wait()
    with daemon(project) as third:
        wait_for(lambda: "schedule served" in third.said(), third)
        code, err = stopped(third)
    assert code in {0, 143}, err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_in_the_middle_of_a_run_aborts_it(project, number, code):
    """Without waiting for what is under way, and history says so."""
    slow(project)
    with daemon(project) as process:
        wait_for(lambda: runs(project) == [("daily", "running", None)], process)
        returned, err = stopped(process, number)

    assert returned == code, err
    assert runs(project) == [("daily", "aborted", code)]


def test_a_killed_run_is_made_up_for_at_the_next_start(project):
    """SIGKILL leaves a run that never ended: it does not count as one that ran."""
    usual = (project / "corpusguard.toml").read_text()
    slow(project)
    with daemon(project) as process:
        wait_for(lambda: runs(project) == [("daily", "running", None)], process)
        process.kill()
        process.wait()
    (project / "corpusguard.toml").write_text(usual)
    with daemon(project) as process:
        wait_for(lambda: len(runs(project)) == 2 and runs(project)[1][1] == "finished", process)

    assert runs(project) == [("daily", "aborted", None), ("daily", "finished", 0)]


def test_a_run_that_ended_is_not_made_again_at_the_next_start(project):
    """What ran, ran: a restart finds it in history."""
    with daemon(project) as process:
        wait_for(lambda: runs(project) == [("daily", "finished", 0)], process)
        stopped(process)
    with daemon(project) as process:
        wait_for(lambda: "schedule served" in process.said(), process)
        time.sleep(0.5)  # it looks at once: what it would do now, it must not do
        code, err = stopped(process)

    assert code == 0, err
    assert len(runs(project)) == 1


def slow(project):
    """Add a corpus that never answers."""
    config = project / "corpusguard.toml"
    config.write_text(
        config.read_text() + '\n[[corpus]]\nname = "slow"\nreader = "exec"\n'
        f'command = ["python3", "-c", {json.dumps(SLOW)}]\n'
        'document = "ca-on/statute/19h31@en"\nrecipe = "anchored"\n'
    )
