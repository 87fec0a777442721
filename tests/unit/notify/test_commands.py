"""Whole runs on the sample, told to real servers, as cron would start them."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.unit.cli.conftest import call, sample  # noqa: F401 (a fixture)
from tests.unit.notify.servers import Hook

TOLD = """
[notify]
channels = ["${HOOK_URL}"]
[ping]
url = "${CHECK_URL}"
[metrics]
path = "metrics/corpusguard.prom"
"""
SUCCESS = "corpusguard_last_success_timestamp_seconds"


class Project:
    """A copy of the sample that tells a channel and a check."""

    def __init__(self, folder, hook, check):
        self.config = folder / "corpusguard.toml"
        self.config.write_text(self.config.read_text() + TOLD)
        self.clean = folder / "corpusguard-clean.toml"
        self.folder, self.hook, self.check = folder, hook, check

    def verify(self, *arguments):
        return call("verify", "--offline", "-c", self.config, *arguments)

    def mend(self):
        """The faults are mended: the clean rows take the place of the faulty ones."""
        old, new = (
            re.search(r'^path = "(.*)"', one.read_text(), re.MULTILINE)[1]
            for one in (self.config, self.clean)
        )
        shutil.copyfile(self.folder / new, self.folder / old)

    @property
    def subjects(self):
        return [json.loads(body)["title"] for _, body in self.hook.seen]

    def figures(self):
        text = (self.folder / "metrics" / "corpusguard.prom").read_text()
        return {
            (one.name, *(value for _, value in sorted(one.labels.items()))): one.value
            for family in text_string_to_metric_families(text)
            for one in family.samples
        }


@pytest.fixture
def project(sample, tmp_path, monkeypatch):  # noqa: F811
    folder = tmp_path / "sample"
    shutil.copytree(sample, folder)
    with Hook() as hook, Hook() as check:
        monkeypatch.setenv("HOOK_URL", f"json://127.0.0.1:{hook.port}/verysecret")
        monkeypatch.setenv("CHECK_URL", f"{check.url}/verysecret")
        yield Project(folder, hook, check)


def test_nights_from_the_first_fault_to_verified_again(project):
    """Told on the first night, quiet on the second, told again when it is mended."""
    first = project.verify()
    assert first.exit_code == 1, first.output
    assert len(project.subjects) == 1
    assert re.match(r"✗ corpusguard: violated: \d+ new \[", project.subjects[0])

    assert project.verify().exit_code == 1
    assert len(project.subjects) == 1, "never the same alarm every night"

    project.mend()
    assert project.verify().exit_code == 0
    assert len(project.subjects) == 2
    assert project.subjects[1].startswith("✓ corpusguard: verified again: ")

    assert project.verify().exit_code == 0
    assert len(project.subjects) == 2


def test_pings_of_a_run(project):
    """Start and exit code with one run id; the body says what was found, and the head."""
    result = project.verify()

    start, end = project.check.paths
    rid = re.fullmatch(r"/verysecret/start\?rid=([0-9a-f-]{36})", start)[1]
    assert end == f"/verysecret/1?rid={rid}"
    body = project.check.seen[1][1].decode()
    assert "run 1: violated (exit 1)" in body
    head = re.search(r"head (\S+) \(run 1\)", body)[1]
    assert head in result.stderr, "the same head that the run prints"


def test_metrics_of_a_run(project):
    """What Prometheus reads after the first night and after the faults were mended."""
    project.verify()
    got = project.figures()
    assert got["corpusguard_run_exit_code",] == 1
    assert got["corpusguard_notify_failures",] == 0
    assert sum(value for name, value in got.items() if name[0] == "corpusguard_findings") > 10
    assert 0 < got["corpusguard_coverage_ratio",] < 1
    assert 0 < got["corpusguard_verified_passages",] < got["corpusguard_passages",]
    assert got["corpusguard_oldest_verified_passage_timestamp_seconds",] > 1_700_000_000
    assert 0 in {value for name, value in got.items() if name[0] == SUCCESS}

    project.mend()
    project.verify()
    got = project.figures()
    assert got["corpusguard_run_exit_code",] == 0
    assert got["corpusguard_findings", "L3", "error", "new"] == 0
    assert got["corpusguard_findings", "L3", "error", "resolved"] > 0
    assert min(value for name, value in got.items() if name[0] == SUCCESS) > 1_700_000_000


def test_a_channel_that_fails_changes_neither_exit_code_nor_result_and_is_made_up_for(project):
    """Said on standard error and in the metrics; the next night says what this one could not."""
    project.hook.usual = 500
    project.check.usual = 404
    failed = project.verify("-f", "json")

    assert failed.exit_code == 1
    assert json.loads(failed.stdout)["verdict"] == "violated"
    assert "could not tell: notify HOOK_URL: " in failed.stderr
    assert "could not tell: ping: it answered 404" in failed.stderr
    assert "verysecret" not in failed.stderr
    assert project.figures()["corpusguard_notify_failures",] == 3, "start, end and the message"

    project.hook.usual = 200
    project.hook.seen.clear()
    project.verify()
    assert len(project.subjects) == 1
    assert re.search(r"violated: \d+ (new|open)", project.subjects[0])


def test_a_variable_that_is_not_set_is_said_on_a_quiet_night_too(project, monkeypatch):
    """An alarm that cannot ring is a problem before it has to."""
    project.mend()
    monkeypatch.delenv("HOOK_URL")
    result = project.verify("-q")

    assert result.exit_code == 0
    assert "environment variable HOOK_URL is not set" in result.stderr


def test_notify_sends_though_nothing_is_new(project):
    """To see that a message arrives."""
    project.mend()
    assert project.verify("--notify").exit_code == 0
    assert len(project.subjects) == 1
    assert project.subjects[0].startswith("✓ corpusguard: verified")

    project.verify()
    assert len(project.subjects) == 1


def test_no_notify_keeps_the_news_for_the_next_night(project):
    """A run by hand doesn't use up the alarm."""
    assert project.verify("--no-notify").exit_code == 1
    assert project.subjects == []
    project.verify()
    assert len(project.subjects) == 1


def test_notify_without_anyone_to_tell_is_a_configuration_error(project):
    """Asked to tell, with no [notify]."""
    result = call("verify", "--offline", "--notify", "-c", project.clean)

    assert result.exit_code == 2
    assert "[notify]" in result.stderr


def test_a_run_of_one_document_does_not_end_the_alarm_of_the_other(project):
    """Two laws are violated; after both were mended, only one is verified, by hand."""
    project.verify()
    project.mend()
    listed = call("status", "-c", project.config, "--format", "json")
    documents = [one["document"] for one in json.loads(listed.stdout)["documents"]]
    assert len(documents) == 2

    assert project.verify("--doc", documents[0]).exit_code == 0
    assert not any("verified again" in subject for subject in project.subjects)

    assert project.verify().exit_code == 0
    assert "verified again" in project.subjects[-1]


def test_a_broken_history_is_told(project):
    """Exit 4: message, ping and metrics say that the run failed; the message once."""
    project.verify("--no-notify")
    (project.folder / "history.db").write_bytes(b"not a database" * 100)
    project.check.seen.clear()

    assert project.verify().exit_code == 4
    assert project.verify().exit_code == 4
    assert len(project.subjects) == 1
    assert "the run failed (exit 4)" in project.subjects[0]
    paths = [path.split("?")[0] for path in project.check.paths]
    assert paths == ["/verysecret/start", "/verysecret/4"] * 2
    got = project.figures()
    assert got["corpusguard_run_exit_code",] == 4
    assert any(name[0] == SUCCESS for name in got)


def test_a_wrong_option_wakes_nobody(project):
    """A slip at the keyboard: the check hears of exit 2, people don't."""
    assert project.verify("--doc", "ca-on/statute/99zz@en").exit_code == 2
    assert project.subjects == []
    assert project.check.paths[-1].startswith("/verysecret/2?")


# Logs


def test_json_logs_of_a_run_are_json_and_nothing_else(project):
    """Each line of standard error carries the run's id; the events in order, no secret."""
    result = project.verify("--log-format", "json", "-f", "json")

    assert json.loads(result.stdout)["run"] == 1
    records = [json.loads(line) for line in result.stderr.splitlines()]
    events = [one["event"] for one in records]
    assert events[0] == "run begun"
    assert events[-2:] == ["run finished", "told"]
    assert events.count("document done") == 2
    assert len({one["run_id"] for one in records}) == 1
    assert {one["run"] for one in records} == {1}
    done = next(one for one in records if one["event"] == "document done")
    assert {"document", "verdict", "seconds", "passages", "error", "reused_from"} <= set(done)
    assert "verysecret" not in result.stderr


def test_a_reused_result_says_so_in_the_log(project):
    """The second night takes the first one's result over."""
    project.verify()
    result = project.verify("--log-format", "json")

    records = [json.loads(line) for line in result.stderr.splitlines()]
    assert {one["reused_from"] for one in records if one["event"] == "document done"} == {1}


@pytest.mark.parametrize("where", ["before", "environment"])
def test_the_format_of_the_log_can_be_asked_for_elsewhere(project, monkeypatch, where):
    """Before the command's name, and in the environment."""
    before = ["--log-format", "json"] if where == "before" else []
    if where == "environment":
        monkeypatch.setenv("CORPUSGUARD_LOG_FORMAT", "json")

    result = call(*before, "verify", "--offline", "--no-notify", "-c", project.config)

    lines = result.stderr.splitlines()
    assert len(lines) >= 4
    assert all(json.loads(line) for line in lines)


def test_quiet_silences_information(project):
    """Nothing on standard error of a run in which all that was asked for worked."""
    assert project.verify("-q").stderr == ""


def test_an_unknown_log_format_is_a_usage_error(project):
    """Named with what there is."""
    result = project.verify("--log-format", "xml")

    assert result.exit_code == 2
    assert "console, json" in result.stderr
