"""Logs: on standard error, one line each, with the run's id, and without secrets."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import threading
import uuid
from datetime import UTC, datetime

import pytest
import stamina
from apscheduler.schedulers.background import BackgroundScheduler

from corpusguard import logs
from corpusguard.errors import ConfigError


@pytest.fixture(autouse=True)
def as_found():
    yield
    logs.end_run()
    logs._secrets.clear()
    logs.configure(logs.Format.CONSOLE, level=logging.WARNING)


def lines(capsys):
    captured = capsys.readouterr()
    assert captured.out == "", "standard output is for data"
    return captured.err.splitlines()


def records(capsys):
    return [json.loads(line) for line in lines(capsys)]


def test_json_lines_carry_time_level_event_and_the_run(capsys):
    """One object a line; the run's id at once, its number once there is one."""
    logs.configure("json")
    run_id = logs.begin_run()
    logs.get_logger().info("run begun", layers=["L1", "L3"])
    logs.name_run(12)
    logs.get_logger().warning("document done", seconds=1.5, reused=True)

    first, second = records(capsys)
    assert uuid.UUID(run_id).version == 4
    assert (first["event"], first["level"], first["run_id"]) == ("run begun", "info", run_id)
    assert "run" not in first
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", first["time"])
    assert (second["run"], second["seconds"], second["reused"]) == (12, 1.5, True)


@pytest.mark.parametrize("form", ["json", "console"])
def test_several_words_are_one_value(form, capsys):
    """Not the way in which Python writes a tuple."""
    logs.configure(form)
    logs.get_logger().info("run begun", layers=("L1", "L2"))
    (line,) = lines(capsys)
    assert ('"layers": "L1,L2"' if form == "json" else "layers=L1,L2") in line


def test_lines_after_a_run_carry_no_run(capsys):
    """A daemon's own lines are not those of its last run."""
    logs.configure("json")
    logs.begin_run()
    logs.end_run()
    logs.get_logger().info("waiting")

    assert "run_id" not in records(capsys)[0]


def test_console_lines_are_key_value(capsys):
    """Words with blanks or quotes in quotes, so that a line can be taken apart again."""
    logs.configure()
    logs.get_logger().info("run begun", run=3, why='a "b" c', empty="")

    (line,) = lines(capsys)
    assert line.endswith('info    run begun run=3 why="a \\"b\\" c" empty=""')


def test_only_warnings_before_anything_is_set_up(capsys):
    """A library user who never asked for logs gets warnings, on standard error."""
    logs.get_logger().info("run begun")
    logs.get_logger().warning("not told")

    assert len(lines(capsys)) == 1


def test_importing_is_enough_to_keep_standard_output_clean():
    """structlog by itself writes to standard output, and stamina logs through it."""
    code = (
        "from corpusguard import logs; import structlog;"
        "structlog.get_logger('x').warning('to be seen'); structlog.get_logger().info('not')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == ""
    assert "to be seen" in done.stderr
    assert "not\n" not in done.stderr


def test_quiet_leaves_warnings(capsys):
    """--quiet silences information, and nothing else."""
    logs.configure("json", level=logging.WARNING)
    logs.get_logger().info("run begun")
    logging.getLogger("apscheduler.scheduler").info("Added job")
    logs.get_logger().error("broken")

    assert [one["event"] for one in records(capsys)] == ["broken"]


def test_the_environment_chooses_the_format(capsys, monkeypatch):
    """For cron and containers; what is asked for goes first."""
    monkeypatch.setenv(logs.VARIABLE, "json")
    logs.configure()
    logs.get_logger().info("a")
    assert records(capsys)[0]["event"] == "a"

    logs.configure("console")
    logs.get_logger().info("b")
    assert lines(capsys)[0].endswith(" b")


def test_an_unknown_format_is_a_configuration_error(monkeypatch):
    """With the formats there are."""
    monkeypatch.setenv(logs.VARIABLE, "xml")
    with pytest.raises(ConfigError, match=r"CORPUSGUARD_LOG_FORMAT is 'xml'.*console, json"):
        logs.configure()


# Libraries


@pytest.mark.parametrize("name", ["apscheduler.scheduler", "corpusguard.schedule"])
def test_what_libraries_log_goes_the_same_way(capsys, name):
    """With the run's id, the level and the logger's name, as one JSON line."""
    logs.configure("json")
    run_id = logs.begin_run()
    logging.getLogger(name).warning("Job %s missed", "tick")

    (one,) = records(capsys)
    assert (one["event"], one["logger"], one["level"]) == ("Job tick missed", name, "warning")
    assert one["run_id"] == run_id


def test_an_alarm_clock_says_nothing_of_its_ticks(capsys):
    """A daemon's log is read for what its runs did; two lines every ten seconds hide that."""
    logs.configure("json")
    ticks = threading.Event()
    alarm = BackgroundScheduler(timezone=UTC)
    alarm.add_job(ticks.set, "interval", seconds=3600, next_run_time=datetime.now(UTC))
    alarm.start()
    assert ticks.wait(60)
    alarm.shutdown()

    assert records(capsys) == []


def test_retries_of_stamina_go_the_same_way_without_their_secrets(capsys):
    """stamina logs the arguments of the call: an address with a password is one."""
    logs.configure("json")

    @stamina.retry(on=ValueError, attempts=2, wait_initial=0.001, wait_jitter=0)
    def fetch(url):
        raise ValueError(url)

    with pytest.raises(ValueError, match="law"):
        fetch("https://me:verysecret@law.example/")

    (one,) = records(capsys)
    assert one["level"] == "warning"
    assert "retry" in one["event"]
    assert "verysecret" not in json.dumps(one)


def test_configuring_twice_does_not_write_twice(capsys):
    """The handler is replaced, not added."""
    logs.configure("json")
    logs.configure("json")
    logging.getLogger("apscheduler").warning("once")

    assert len(records(capsys)) == 1


def test_tracebacks_of_libraries_are_in_the_line(capsys):
    """One line still, and redacted."""
    logs.configure("json")
    try:
        int("https://u:verysecret@h/")
    except ValueError:
        logging.getLogger("apscheduler").exception("failed")

    (one,) = records(capsys)
    assert "ValueError" in one["exception"]
    assert "verysecret" not in one["exception"]


# Secrets


@pytest.mark.parametrize(
    "text",
    [
        "https://user:verysecret@host/path",
        "mailto://user:verysecret@mail.example?to=a",
        "postgresql://user:verysecret@db/law",
        "https://host/a?token=verysecret&x=1",
        "https://host/a?x=1&api_key=verysecret",
        "https://host/a?X-Amz-Signature=verysecret",
        "https://hooks.slack.com/services/T0/B0/verysecret",
        "https://discord.com/api/webhooks/1/verysecret",
        "https://hc-ping.com/verysecret/start",
        "https://api.telegram.org/bot1:verysecret/sendMessage",
        "Authorization: Bearer verysecret.abc",
        "basic verysecret==",
    ],
)
@pytest.mark.parametrize("form", ["json", "console"])
def test_what_has_the_form_of_a_secret_is_hidden(capsys, text, form):
    """In the event, in a value, in a list, in a mapping and in an exception."""
    logs.configure(form)
    log = logs.get_logger()
    log.info(text)
    log.info("asked", url=text, urls=[text], by={"a": {"b": text}})
    log.info("failed", error=ValueError(text))

    shown = "\n".join(lines(capsys))
    assert "verysecret" not in shown
    assert shown.count("***") == 5


@pytest.mark.parametrize("key", ["password", "api_key", "Authorization", "slack_token", "cookie"])
def test_what_is_called_a_secret_is_hidden(capsys, key):
    """By the name of its key, whatever it looks like."""
    logs.configure("json")
    logs.get_logger().info("x", **{key: "verysecret"})

    assert records(capsys)[0][key] == "***"


def test_a_secret_that_was_used_is_hidden_wherever_it_comes_up(capsys):
    """An address taken from the environment, of a form that nobody could know."""
    logs.configure("json")
    logs.keep_secret("https://chat.example/hooks/verysecret\n")
    logs.get_logger().info("x", error="POST https://chat.example/hooks/verysecret failed")

    assert records(capsys)[0]["error"] == "POST *** failed"


def test_plain_text_is_left_alone():
    """Ids, paths and addresses without secrets say what they said."""
    for text in ("ca-on/statute/06r17@en", "https://www.ontario.ca/laws/a?b=1", "s. 5 (2)", "a@b"):
        assert logs.redacted(text) == text


def test_short_values_are_not_kept_as_secrets():
    """Otherwise a variable that holds "a" would blacken every line."""
    logs.keep_secret("law")

    assert logs.redacted("the law says") == "the law says"


def test_a_huge_value_is_cut_and_does_not_take_long(capsys):
    """Ten million characters of almost an address."""
    logs.configure("json")
    logs.get_logger().info("x", body="https://" + "a:" * 5_000_000, other="?token" * 1_000_000)

    (one,) = records(capsys)
    assert len(one["body"]) == logs.MAX_VALUE
    assert len(one["other"]) == logs.MAX_VALUE


@pytest.mark.parametrize("form", ["json", "console"])
def test_hostile_text_stays_on_its_line(capsys, form):
    """No control character, no second line that looks like ours."""
    logs.configure(form)
    logs.get_logger().info("a\nb", passage="x\x1b[2J\u202e\n2026-01-01T00:00:00Z info forged")

    (line,) = lines(capsys)
    assert "\x1b" not in line
    assert "\u202e" not in line


def test_a_closed_standard_error_is_no_error(monkeypatch):
    """Under a scheduler that closes its streams the run goes on."""
    monkeypatch.setattr(sys, "stderr", None)
    logs.get_logger().warning("nobody listens")
