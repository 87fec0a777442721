"""The judge that ``[gate] judge`` names, end to end: a real server, the command line, history."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from corpusguard.errors import ConfigError
from corpusguard.gate import Door, Gate, Outcome, Reason
from corpusguard.gate.core import digest
from tests.unit.cli.conftest import call
from tests.unit.gate.conftest import ScriptedJudge
from tests.unit.gate.model_server import ModelServer, anthropic, data_of, openai
from tests.unit.gate.test_fail_closed import DUTY, JUDGED, PARAPHRASE, QUOTED, SEAL

JUDGE = """
[[judge]]
name = "reader"
kind = "{kind}"
url = "{url}/v1"
model = "m-1"
timeout = {timeout}

[gate]
judge = "reader"
"""
VETOED = f"The Warden shall visit each harbour market at least once in every 12 months. [{DUTY}]"


@pytest.fixture
def configure(project):
    """Name a judge on a server in the project's configuration; returns its path."""

    def add(server, kind="openai", timeout=20):
        file = project / "corpusguard.toml"
        added = JUDGE.format(url=server.url, kind=kind, timeout=timeout)
        file.write_text(file.read_text(encoding="utf-8") + added, encoding="utf-8")
        return file

    return add


def check(config, text, *options):
    """Run ``check-answer``; returns its exit code and its record."""
    path = config.parent / "answer.txt"
    path.write_text(text, encoding="utf-8")
    result = call("check-answer", path, "-f", "json", *options, "-c", config)
    assert result.stdout, result.stderr
    return result.exit_code, json.loads(result.stdout)


def test_a_yes_ships_and_history_shows_who_said_it_and_what(configure):
    """The name and model of the judge and the digest of its reply stay with the decision."""
    with ModelServer("SUPPORTED") as server:
        config = configure(server)
        code, record = check(config, JUDGED)
        shown = call("decisions", "show", record["decision"], "-c", config).stdout
    (sentence,) = record["sentences"]
    (question,) = server.seen

    assert code == 0
    assert (record["outcome"], sentence["door"]) == ("shipped", "judged")
    assert record["judge"] == "reader (m-1)"
    assert sentence["reply"] == digest("SUPPORTED")
    assert "reader (m-1)" in shown
    assert digest("SUPPORTED") in shown
    data = data_of(question)
    assert data["sentence"] == PARAPHRASE
    assert len(data["passages"]) == 1
    assert "A seal on a scale" in data["passages"][0]
    assert SEAL not in json.dumps(question)


def test_a_no_removes_and_is_recorded(configure):
    """Exit 1: it was checked, and the answer may not be shown."""
    with ModelServer("NOT_SUPPORTED") as server:
        code, record = check(configure(server), JUDGED)

    assert code == 1
    assert record["text"] == ""
    assert record["sentences"][0]["reason"] == "judge_not_supported"
    assert record["sentences"][0]["reply"] == digest("NOT_SUPPORTED")


LIES = {
    "a prefix": "SUPPORTED? No.",
    "prose": "I think it is SUPPORTED",
    "nothing": "",
    "cut by length": openai("SUPPORTED", finish="length"),
    "a truncated body": "truncate",
    "a reset": "reset",
    "a failing server": 500,
    "another page": (200, "text/html", b"SUPPORTED"),
    "without end": "huge",
}


@pytest.mark.parametrize("reply", LIES.values(), ids=LIES)
def test_what_is_no_whole_exact_reply_is_an_error(configure, reply):
    """Exit 3: it could not be checked. Nothing ships."""
    with ModelServer(reply) as server:
        code, record = check(configure(server), JUDGED)

    assert server.seen
    assert code == 3
    assert (record["outcome"], record["text"]) == ("withheld", "")
    assert (record["sentences"][0]["door"], record["sentences"][0]["reason"]) == (
        "error",
        "judge_error",
    )
    # What came as a text is known by its digest; what never came has none.
    came = isinstance(reply, str) and reply not in {"truncate", "reset", "huge"}
    assert record["sentences"][0]["reply"] == (digest(reply) if came else "")


def test_a_judge_that_stalls_is_given_up_after_its_timeout(configure):
    """The judge's own timeout, with its own words."""
    with ModelServer("stall") as server:
        code, record = check(configure(server, timeout=1), JUDGED)

    assert code == 3
    assert "no whole answer within 1 s" in record["sentences"][0]["detail"]


def test_a_judge_may_take_the_time_that_its_configuration_gives_it(configure):
    """A `timeout` above the gate's own minute is kept; a shorter one does not shorten the gate's."""
    with ModelServer("SUPPORTED") as server, Gate.open(configure(server, timeout=300)) as gate:
        assert gate._rules.judge_seconds > 300


def test_a_veto_wins_over_a_yes(configure):
    """The judge is not even asked about a sentence with a wrong number, nor about a quotation."""
    with ModelServer("SUPPORTED") as server:
        config = configure(server)
        code, record = check(config, VETOED)
        quoted, _ = check(config, QUOTED)

    assert code == 1
    assert record["sentences"][0]["door"] == "unsupported"
    assert record["sentences"][0]["reply"] == ""
    assert quoted == 0
    assert server.seen == []


def test_of_several_sentences_each_gets_its_own_reply(configure):
    """Vetoed, quoted and judged side by side."""
    with ModelServer('{"verdict": "SUPPORTED"}') as server:
        code, record = check(configure(server), f"{QUOTED} {JUDGED} {VETOED}")

    assert code == 1
    assert [one["door"] for one in record["sentences"]] == ["quoted", "judged", "unsupported"]
    said = digest('{"verdict": "SUPPORTED"}')
    assert [one["reply"] for one in record["sentences"]] == ["", said, ""]


def test_no_judge_quotes_only(configure):
    """``--no-judge``, and ``judge=None``: nothing is asked, and the record says so."""
    with ModelServer("SUPPORTED") as server:
        config = configure(server)
        code, record = check(config, JUDGED, "--no-judge")
        with Gate.open(config, judge=None) as gate:
            decision = gate.check(JUDGED, [SEAL])

    assert code == 1
    assert record["judge"] == ""
    assert record["sentences"][0]["reason"] == "not_quoted"
    assert decision.sentences[0].reason is Reason.NOT_QUOTED
    assert server.seen == []


def test_the_other_dialect_and_a_judge_brought_along(configure):
    """An Anthropic-style endpoint decides through `acheck`; a caller's judge takes its place."""
    with ModelServer(anthropic("SUPPORTED")) as server:
        config = configure(server, kind="anthropic")
        with Gate.open(config) as gate:
            decision = asyncio.run(gate.acheck(JUDGED, [SEAL]))
        with Gate.open(config, judge=ScriptedJudge("NOT_SUPPORTED")) as gate:
            other = gate.check(JUDGED, [SEAL])

    assert decision.outcome is Outcome.SHIPPED
    assert decision.sentences[0].door is Door.JUDGED
    assert other.judge == "scripted"
    assert other.outcome is Outcome.WITHHELD
    assert len(server.seen) == 1


def test_a_command_may_be_the_judge(project):
    """The reply is what it prints; a command that fails is an error."""
    file = project / "corpusguard.toml"
    before = file.read_text(encoding="utf-8")
    codes = []
    for program in ("print('SUPPORTED')", "raise SystemExit(1)"):
        command = json.dumps([sys.executable, "-c", program])
        file.write_text(
            f'{before}\n[[judge]]\nname = "rules"\nkind = "command"\ncommand = {command}\n'
            '[gate]\njudge = "rules"\n',
            encoding="utf-8",
        )
        codes.append(check(file, JUDGED)[0])

    assert codes == [0, 3]


def test_without_a_named_judge_none_is_asked(project):
    """A [[judge]] alone is none of the gate; nor is any judge the default."""
    with ModelServer("SUPPORTED") as server:
        file = project / "corpusguard.toml"
        added = JUDGE.format(url=server.url, kind="openai", timeout=20).partition("[gate]")[0]
        file.write_text(file.read_text(encoding="utf-8") + added, encoding="utf-8")
        code, record = check(file, JUDGED)

    assert (code, record["judge"], server.seen) == (1, "", [])


def test_equivalent_words_ship_where_the_configuration_says_so(project):
    """Without a judge; history says which word stood for which, and it is no quotation."""
    file = project / "corpusguard.toml"
    said = QUOTED.replace("shall", "must")
    code, record = check(file, said)
    assert (code, record["sentences"][0]["ships"]) == (1, False)

    words = '[gate]\nwords = "equivalent"\n'
    file.write_text(file.read_text(encoding="utf-8") + words, encoding="utf-8")
    code, record = check(file, said)
    (only,) = record["sentences"]
    assert (code, record["outcome"], only["door"]) == (0, "shipped", "judged")
    assert only["reason"] == "equivalent"
    assert "'must' for 'shall'" in only["detail"]
    assert only["spans"]
    assert check(file, QUOTED)[1]["sentences"][0]["door"] == "quoted"
    with Gate.open(file) as gate:
        assert gate.check(said).ships


def test_a_judge_that_is_not_there_is_a_configuration_error(configure):
    """Exit 2 with the names that there are; nothing is decided."""
    with ModelServer("SUPPORTED") as server:
        config = configure(server)
        text = config.read_text(encoding="utf-8").replace('judge = "reader"', 'judge = "raeder"')
        config.write_text(text, encoding="utf-8")
        answer = config.parent / "answer.txt"
        answer.write_text(QUOTED, encoding="utf-8")
        result = call("check-answer", answer, "-c", config)
        with pytest.raises(ConfigError):
            Gate.open(config)

    assert result.exit_code == 2
    assert "reader" in result.stderr
    assert "next:" in result.stderr
    assert result.stdout == ""
