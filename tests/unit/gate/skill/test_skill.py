"""The skill file, and its evaluation on a scripted server."""

from __future__ import annotations

import json
import re

import pytest

from corpusguard.cli.bundled import sample_folder
from corpusguard.gate.skill.files import NAME, front_matter, skill_text, triggers
from tests.unit.cli.conftest import call
from tests.unit.gate.model_server import ModelServer, data_of


def test_the_file_follows_the_format():
    """Name as its folder, a description within 1024 characters, only keys of the format."""
    head = front_matter()
    assert head["name"] == NAME
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", head["name"])
    assert 0 < len(head["description"]) <= 1024
    assert set(head) <= {
        "name", "description", "license", "compatibility", "metadata", "allowed-tools",
    }  # fmt: skip
    assert (sample_folder().parent / "gate" / "skill" / NAME / "SKILL.md").is_file()


def test_the_description_has_sharp_triggers_on_both_sides():
    """What it fires on, and what it leaves alone."""
    text = front_matter()["description"].lower()
    for words in ("verify", "double-check", "citations", "real", "memory"):
        assert words in text
    for words in ("second opinion", "comparing", "choosing models", "given", "summarising"):
        assert words in text.partition("do not use")[2]


def test_the_commands_in_the_skill_exist():
    """Each `corpusguard …` of the text has a help page (those that ship with this package)."""
    named = set(re.findall(r"`corpusguard ([a-z-]+(?: memory-write)?)", skill_text()))
    assert {"status", "check-claim", "hook memory-write"} <= named
    for command in ("status", "check-claim", "hook memory-write"):
        assert call(*command.split(), "--help").exit_code == 0


def test_the_lists():
    """Fifteen or more messages each, none twice, none in both."""
    lists = triggers()
    assert len(lists.fires) >= 15
    assert len(lists.quiet) >= 15
    assert len({*lists.fires, *lists.quiet}) == len(lists.fires) + len(lists.quiet)


def test_hook_skill_prints_the_file():
    """As it is, to be saved."""
    result = call("hook", "skill")
    assert result.exit_code == 0
    assert result.stdout == skill_text()


def measure(configured, script, *arguments):
    with ModelServer(script) as server:
        result = call(
            "measure", "skill", "--format", "json", "-c", configured(server, 5.0), *arguments
        )
    return result, json.loads(result.stdout), server


def says(use):
    return json.dumps({"use": use})


def wise(body):
    """A model that does what the lists want."""
    return says(data_of(body)["message"] in triggers().fires)


def test_a_wise_model_reaches_both_bars(configured):
    """It sees name, description and one message a call, and nothing of the lists."""
    result, record, server = measure(configured, wise)
    assert result.exit_code == 0, result.output
    assert record["fires"]["share"] == record["quiet"]["share"] == 1.0
    assert record["fires"]["interval"][0] < 1.0
    asked = [data_of(body) for body in server.seen]
    assert all(set(one) == {"skill", "message"} for one in asked)
    assert {one["message"] for one in asked} == {*triggers().fires, *triggers().quiet}
    assert asked[0]["skill"] == {"name": NAME, "description": front_matter()["description"]}


@pytest.mark.parametrize(("use", "fires", "quiet"), [(True, 1.0, 0.0), (False, 0.0, 1.0)])
def test_a_model_that_always_says_the_same_fails_one_list(configured, use, fires, quiet):
    """Two rates, never one."""
    result, record, _ = measure(configured, says(use))
    assert result.exit_code == 1
    assert (record["fires"]["share"], record["quiet"]["share"]) == (fires, quiet)


@pytest.mark.parametrize(
    "reply", ["yes", "true", '{"use": "true"}', '{"use": true, "why": "x"}', "", 401, "truncate"]
)
def test_a_model_that_raises_or_babbles_measures_nothing(configured, reply):
    """Errors are neither fired nor quiet; an evaluation of errors alone is no pass."""
    result, record, _ = measure(configured, reply)
    assert result.exit_code == 3
    assert record["fires"]["right"] == record["quiet"]["right"] == 0
    assert record["fires"]["errors"] == record["fires"]["total"]


def test_errors_count_against_both_rates(configured):
    """A single error may break a bar of 1."""
    replies = iter(["nonsense"])
    result, record, _ = measure(configured, lambda body: next(replies, wise(body)), "--bar", "1")
    assert result.exit_code == 1
    assert record["fires"]["errors"] + record["quiet"]["errors"] == 1


def test_an_unknown_judge_is_a_usage_error(configured):
    """With the next step."""
    with ModelServer(wise) as server:
        result = call("measure", "skill", "--judge", "none", "-c", configured(server))
    assert result.exit_code == 2
    assert "[[judge]]" in result.stderr
    assert server.seen == []


@pytest.mark.parametrize("reply", ["Yes, I would use it.", "{use: true}", "[" * 10_000, "\u202eno"])
def test_a_reply_that_is_no_json_is_counted_and_said(configured, reply):
    """On the console: how many, what came, and what the judge must reply."""
    with ModelServer(reply) as server:
        result = call("measure", "skill", "-c", configured(server, 5.0))
    errors = len(triggers().fires) + len(triggers().quiet)
    assert result.exit_code == 3
    assert f"each of {errors} calls ended in an error" in result.stderr
    assert "the reply is not JSON: " in result.stderr
    assert "next: " in result.stderr
    assert "\u202e" not in result.stderr
    assert result.stderr.count("error: ") == errors


def test_a_judge_alone_is_enough_of_a_configuration(tmp_path):
    """No corpus and no source is needed to measure a model; an unknown name lists what there is."""
    with ModelServer(wise) as server:
        file = tmp_path / "judges.toml"
        file.write_text(f'[[judge]]\nname = "small"\nkind = "openai"\nurl = "{server.url}/v1"\n')
        assert call("measure", "skill", "--judge", "small", "-c", file).exit_code == 0
        result = call("measure", "skill", "--judge", "smal", "-c", file)
    assert result.exit_code == 2
    assert "there are: small" in result.stderr
    assert "Did you mean `small`?" in result.stderr
