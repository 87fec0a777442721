"""Exported files, read by the tools' own validators where there are any."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from croniter import croniter
from kubernetes_validate import validate

from corpusguard.errors import ConfigError
from corpusguard.schedule import TARGETS, CatchUp, Place, Schedule
from corpusguard.schedule.export import on_calendar

TORONTO = ZoneInfo("America/Toronto")
NIGHTLY = Schedule("nightly", "30 3 * * *", TORONTO, jitter=timedelta(minutes=10))
CRONS = [
    "30 3 * * *",
    "0 4 * * 7",
    "*/15 1-3 * * mon-fri",
    "5 5 1,15 * 1",
    "0 0 29 2 *",
    "0 6 */2 1-6 *",
]
PLACE = Place(
    program=("/usr/local/bin/corpusguard",),
    config="/srv/law/corpusguard.toml",
    writable=("/srv/law", "/srv/law/snapshots"),
    kept=("/srv/law/history.db", "/srv/law/snapshots"),
)
AWKWARD = Place(
    program=("/opt/law tools/corpus%guard",),
    config="/srv/50% \"law\" $HOME $(date) 'é' \\t/corpusguard.toml",
    writable=("/srv/50% \"law\" $HOME $(date) 'é' \\t",),
    kept=("/srv/50% \"law\" $HOME $(date) 'é' \\t/history.db",),
)
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def files(tool, schedule=NIGHTLY, place=PLACE):
    return TARGETS[tool](schedule, place)


def command(place, name="nightly", option="--now"):
    return [
        *place.program,
        "--config",
        place.config,
        "schedule",
        "run",
        option,
        "--name",
        name,
    ]


# cron


@pytest.mark.parametrize("cron", CRONS)
def test_a_crontab_line_has_the_times_of_the_schedule(cron):
    """Another library reads the five fields; Sunday is 0, which every cron knows."""
    (text,) = files("cron", Schedule("nightly", cron, TORONTO)).values()
    (line,) = [line for line in text.splitlines() if line[:1] not in "#C"]
    fields = line.split(" ", 5)[:5]

    assert croniter.is_valid(" ".join(fields))
    assert "7" not in fields[4]
    assert "CRON_TZ=America/Toronto\n" in text


@pytest.mark.parametrize("place", [PLACE, AWKWARD], ids=["plain", "awkward"])
def test_a_crontab_command_survives_cron_and_the_shell(place):
    r"""cron ends a command at ``%`` and takes ``\%`` for it; the shell does the rest."""
    (text,) = files("cron", place=place).values()
    (line,) = [line for line in text.splitlines() if line[:1] not in "#C"]
    after_cron = re.split(r"(?<!\\)%", line.split(" ", 5)[5])[0].replace(r"\%", "%")
    shell = ["/bin/sh", "-c", f"printf '%s\\n' {after_cron}"]
    said = subprocess.run(shell, capture_output=True, text=True, check=True).stdout

    assert said.splitlines() == command(place)


# systemd


@needs_systemd
@pytest.mark.parametrize("place", [PLACE, AWKWARD], ids=["plain", "awkward"])
def test_systemd_accepts_service_and_timer(tmp_path, place):
    """``systemd-analyze verify`` has nothing to say: no unknown key, no bad value."""
    program = tmp_path / Path(place.program[0]).name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = files("systemd", place=Place((str(program),), place.config, place.writable))
    for name, text in found.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in found)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_LOG_LEVEL": "warning"},
    )

    assert sorted(found) == ["corpusguard-nightly.service", "corpusguard-nightly.timer"]
    said = [line for line in done.stderr.splitlines() if "corpusguard" in line]
    assert (done.returncode, said) == (0, [])


def test_a_unit_s_command_is_escaped_as_systemd_reads_it():
    r"""``%`` and ``$`` doubled, quotes and backslashes escaped, everything in one word."""
    text = files("systemd", place=AWKWARD)["corpusguard-nightly.service"]
    (line,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', line.removeprefix("ExecStart="))
    read = [
        re.sub(r"\\(.)", r"\1", quoted or plain).replace("%%", "%").replace("$$", "$")
        for quoted, plain in words
    ]

    assert read == command(AWKWARD)


@needs_systemd
@pytest.mark.parametrize("cron", CRONS)
def test_systemd_elapses_when_the_schedule_does(cron):
    """The next eight times by ``systemd-analyze calendar`` are those of the schedule."""
    one = Schedule("nightly", cron, TORONTO)
    base = datetime(2026, 4, 1, 12, tzinfo=UTC)
    count = 8
    elapses = set()
    for expression in on_calendar(one):
        done = subprocess.run(
            [
                "systemd-analyze",
                "calendar",
                f"--iterations={count}",
                "--base-time=2026-04-01 12:00:00 UTC",
                expression,
            ],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "TZ": "UTC", "LC_ALL": "C"},
        )
        found = re.findall(r"(?:elapse|#\d+): \w+ (\S+ \S+) UTC", done.stdout)
        assert len(found) == count, done.stdout
        elapses |= {datetime.fromisoformat(text).replace(tzinfo=UTC) for text in found}
    from corpusguard.schedule import next_runs  # noqa: PLC0415

    assert sorted(elapses)[:count] == next_runs(one, base, count)


@pytest.mark.parametrize(
    ("catch_up", "persistent"), [(CatchUp.ONCE, "true"), (CatchUp.SKIP, "false")]
)
def test_a_timer_makes_up_for_missed_runs_as_the_schedule_says(catch_up, persistent):
    """``Persistent=``, and the jitter as ``RandomizedDelaySec=``."""
    one = Schedule(
        "nightly", "30 3 * * *", TORONTO, catch_up=catch_up, jitter=timedelta(minutes=10)
    )
    text = files("systemd", one)["corpusguard-nightly.timer"]

    assert f"Persistent={persistent}\n" in text
    assert "RandomizedDelaySec=600s\n" in text


# Kubernetes


@pytest.mark.parametrize("cron", CRONS)
@pytest.mark.parametrize("place", [PLACE, AWKWARD], ids=["plain", "awkward"])
def test_kubernetes_accepts_the_objects(cron, place):
    """By the schema of Kubernetes itself, unknown keys refused."""
    (text,) = files("kubernetes", Schedule("nightly", cron, TORONTO), place).values()
    objects = list(yaml.safe_load_all(text))

    assert [one["kind"] for one in objects] == ["PersistentVolumeClaim", "CronJob"]
    for one in objects:
        validate(one, "1.31", strict=True)
    job = objects[1]["spec"]
    assert job["timeZone"] == "America/Toronto"
    assert croniter.is_valid(job["schedule"])
    assert job["concurrencyPolicy"] == "Forbid"


def test_a_wrong_object_would_be_refused():
    """So that the test above can fail."""
    (text,) = files("kubernetes").values()
    job = list(yaml.safe_load_all(text))[1]
    job["spec"]["timezone"] = job["spec"].pop("timeZone")

    with pytest.raises(Exception, match="timezone"):
        validate(job, "1.31", strict=True)


def test_a_container_s_command_is_not_expanded():
    """Kubernetes replaces ``$(NAME)`` unless its dollar is doubled."""
    (text,) = files("kubernetes", place=AWKWARD).values()
    job = list(yaml.safe_load_all(text))[1]["spec"]["jobTemplate"]["spec"]
    (container,) = job["template"]["spec"]["containers"]

    assert [word.replace("$$(", "$(") for word in container["command"]] == command(AWKWARD)
    assert "$$(date)" in container["command"][2]


def test_the_starting_deadline_is_the_time_within_which_a_run_is_made_up_for():
    """Twelve hours; an hour where missed runs are left out."""

    def deadline(**facts):
        (text,) = files("kubernetes", Schedule("nightly", "30 3 * * *", TORONTO, **facts)).values()
        return list(yaml.safe_load_all(text))[1]["spec"]["startingDeadlineSeconds"]

    assert deadline() == 43_200
    assert deadline(catch_up=CatchUp.SKIP) == 3_600


# GitHub Actions


@pytest.mark.parametrize("place", [PLACE, AWKWARD], ids=["plain", "awkward"])
def test_a_workflow_has_the_time_zone_and_runs_the_schedule(place):
    """Since 2026 ``schedule`` takes a time zone, so that nothing is reckoned to UTC."""
    (text,) = files("github", place=place).values()
    workflow = yaml.safe_load(text)
    # YAML 1.1 reads the key "on" as true.
    assert workflow[True]["schedule"] == [{"cron": "30 3 * * *", "timezone": "America/Toronto"}]
    steps = workflow["jobs"]["verify"]["steps"]
    (run,) = [step["run"] for step in steps if step.get("name") == "Verify"]
    (line,) = [line for line in run.splitlines() if line.endswith(" 2>&1 || code=$?")]
    assert shlex.split(line)[: -len(("2>&1", "||", "code=$?"))] == command(place)
    kept = [step["with"]["path"].splitlines() for step in steps if "path" in step.get("with", {})]
    assert kept == [list(place.kept)] * 2
    assert workflow["permissions"] == {"contents": "read"}
    (saved,) = [step for step in steps if step.get("if")]
    assert saved["if"] == "always()", "history is kept on the nights with findings above all"


def steps_of(place):
    (text,) = files("github", place=place).values()
    return yaml.safe_load(text)["jobs"]["verify"]["steps"]


def test_a_workflow_brings_what_happens_after_a_run():
    """The extra, the secrets (for the one step that runs), and the reports, whatever came of it."""
    place = Place(
        ("corpusguard",),
        "corpusguard.toml",
        reports="out/my reports",
        variables=("SLACK_URL", "PING_URL"),
        extras=("notify",),
    )
    steps = steps_of(place)

    (install,) = [one["run"] for one in steps if "pip install" in one.get("run", "")]
    assert shlex.split(install)[-1] == "corpusguard-law[notify]"
    assert [one["name"] for one in steps if "env" in one] == ["Verify"]
    (env,) = [one["env"] for one in steps if "env" in one]
    assert env == {
        "SLACK_URL": "${{ secrets.SLACK_URL }}",
        "PING_URL": "${{ secrets.PING_URL }}",
    }
    (upload,) = [one for one in steps if "upload-artifact@" in one.get("uses", "")]
    assert (upload["with"]["path"], upload["if"]) == ("out/my reports", "always()")


def test_a_workflow_without_any_of_it_names_none_of_it():
    """No secret is asked for that no run reads."""
    (text,) = files("github").values()

    assert not any(word in text for word in ("secrets.", "env:", "upload-artifact", "["))


@pytest.mark.parametrize("name", ["A-B", "", "1A", "A }}", "github_token", "A\nB"])
def test_a_variable_that_cannot_be_a_secret_is_refused(name):
    """Not written into an expression."""
    with pytest.raises(ConfigError, match="secret"):
        Place(("corpusguard",), "corpusguard.toml", variables=(name,))


@pytest.mark.parametrize("code", [0, 1])
def test_the_runner_takes_no_command_from_what_a_run_logs(tmp_path, code):
    """As bash runs the step; what is printed stands between stop-commands and its token."""
    program = tmp_path / "corpusguard"
    program.write_text(f"#!/bin/sh\necho '##[add-mask]e'; echo '::error::x' >&2; exit {code}\n")
    program.chmod(0o755)
    (run,) = [one["run"] for one in steps_of(Place((str(program),), "c.toml")) if "name" in one]
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", run], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (code, "")
    assert re.fullmatch(
        r"::stop-commands::(\w{32})\n##\[add-mask\]e\n::error::x\n\n::\1::\n", done.stdout
    )


# Everywhere


@pytest.mark.parametrize("tool", TARGETS)
@pytest.mark.parametrize(
    "config",
    [
        "/a\nb/c.toml",
        "/a\rb/c.toml",
        "/a\x1bb/c.toml",
        "/a\u2028b/c.toml",
        "/${{ github.token }}/c.toml",
    ],
)
def test_a_path_that_would_end_a_line_is_refused(tool, config):
    """Or one that GitHub would take for an expression: not escaped, but refused."""
    with pytest.raises(ConfigError) as caught:
        files(tool, place=Place(("corpusguard",), config))

    assert caught.value.hint
