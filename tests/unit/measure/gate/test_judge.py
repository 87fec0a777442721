"""A configured judge, measured in one command: right, lying, silent, off-schema, gone, stopped."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.gate.judged import published_model
from corpusguard.measure.gate.items import items_from
from corpusguard.measure.gate.outcomes import OTHER_MODEL, Call, Decision, Outcome
from corpusguard.measure.gate.run import SILENT, NothingMeasured, run
from corpusguard.service.gate_journal import Journal
from tests.unit.gate.model_server import ModelServer, data_of, openai
from tests.unit.measure.gate import harbour

CONFIG = """
[[judge]]
name = "reader"
kind = "openai"
url = "{url}/v1"
model = "m-1"
timeout = {timeout}
price_input = 2
price_output = 8

[[judge]]
name = "other"
kind = "openai"
url = "{url}/v1"
"""


def right(body):
    said = harbour.RIGHT.get(data_of(body)["sentence"], "NOT_SUPPORTED")
    return openai(said, body=body) | {"model": "m-1-2026-03-01"}


def lying(body):
    return "NOT_SUPPORTED" if data_of(body)["sentence"] in harbour.RIGHT else "SUPPORTED"


@pytest.fixture
def measure(cli, tmp_path):
    """Measure the judge of a server on the fixture; returns (exit code, stdout, stderr)."""

    def run(url, *, timeout=20, times=1, folder="out", judge="reader"):
        (tmp_path / "judges.toml").write_text(CONFIG.format(url=url, timeout=timeout))
        harbour.write(tmp_path, times)
        words = ("--fixture", "own.json", "--config", "judges.toml", "--judge", judge)
        return cli("run", *words, "-o", folder)

    return run


def results(tmp_path, folder="out"):
    return json.loads((tmp_path / folder / "results.json").read_text())


def rows(tmp_path, folder="out"):
    lines = (tmp_path / folder / "verdicts.jsonl").read_text().splitlines()
    header, *found, _ = map(json.loads, lines)
    return header, {row["id"]: row for row in found}


def test_own_fixture_and_judge_in_one_command(measure, cli, tmp_path):
    """Needs nothing but [[judge]] in the configuration; everything is sealed with the run."""
    with ModelServer(right) as server:
        code, out, said = measure(server.url)
        asked = [data_of(body)["sentence"] for body in server.seen]
    assert code == 0, said
    assert "false pass" in out
    assert "6 calls on 6 items: 4 NOT_SUPPORTED, 2 SUPPORTED" in said
    assert len(asked) == len(harbour.REACHING)

    header, found = rows(tmp_path)
    facts = header["subject"]
    assert (facts["judge"], facts["judge model"]) == ("reader (m-1)", "m-1")
    assert facts["judge prompt"].startswith("sha256:")
    assert server.url not in json.dumps(header)
    calls = {name.split("-")[0]: row["calls"] for name, row in found.items()}
    assert {name for name, one in calls.items() if one} == set(harbour.REACHING)
    (call,) = calls["s1"]
    assert (call["verdict"], call["fault"], call["model"]) == ("SUPPORTED", "", "m-1-2026-03-01")
    assert call["reply"] == sha256_hex(b"SUPPORTED")
    assert len({one["prompt"] for names in calls.values() for one in names}) == 6
    assert call["input_tokens"] > 50

    judge = results(tmp_path)["judge"]
    assert (judge["asked"], judge["counted"], judge["wrong"]) == (6, True, [])
    assert judge["models"] == {"m-1-2026-03-01": 6}
    price = (2 * judge["input_tokens"] + 8 * judge["output_tokens"]) / 1e6
    assert judge["price"] == pytest.approx(price, abs=1e-6)
    shares = results(tmp_path)["figures"]["shares"]
    assert (shares["false_pass"]["hits"], shares["lost"]["hits"]) == (0, 0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "results.html", "results.json", "results.md", "verdicts.jsonl",
    }  # fmt: skip
    assert cli("recompute", "out/verdicts.jsonl", "--fixture", "own.json")[0] == 0


@pytest.mark.parametrize("configured", ["m-1", ""])
def test_a_server_cannot_publish_a_sentence_as_the_name_of_its_model(measure, tmp_path, configured):
    """Verdicts of a sealed half are published: they say that it named another, and not which."""

    def telling(body):
        words = data_of(body)["sentence"].split()
        return right(body) | {"model": f"m-1-{'-'.join(word.strip('.,') for word in words)}"[:120]}

    with ModelServer(telling) as server:
        name = "reader" if configured else "other"
        code, _, said = measure(server.url, judge=name)
        sentences = [data_of(body)["sentence"] for body in server.seen]
    assert code == 0, said
    assert results(tmp_path)["judge"]["models"] == {"another than configured": 6}
    for path in (tmp_path / "out").iterdir():
        text = path.read_text()
        for sentence in sentences:
            assert "-".join(sentence.split()[1:4]) not in text


@pytest.mark.parametrize(
    ("said", "configured", "shown"),
    [
        ("m-1", "m-1", "m-1"),
        ("m-1-2026-03-01", "m-1", "m-1-2026-03-01"),
        ("m-1-20260301", "m-1", "m-1-20260301"),
        ("m-1:002", "m-1", "m-1:002"),
        ("m-1-latest", "m-1", "m-1-latest"),
        ("", "m-1", ""),
        ("", "", ""),
        ("m-2", "m-1", OTHER_MODEL),
        ("m-12", "m-1", OTHER_MODEL),
        ("m-1-2026-03-01-the-warden", "m-1", OTHER_MODEL),
        ("m-1-123456789", "m-1", OTHER_MODEL),
        ("m-1-١٢", "m-1", OTHER_MODEL),
        ("-latest", "", OTHER_MODEL),
        ("m-1", "", OTHER_MODEL),
        ("m-1-latest\n", "m-1", OTHER_MODEL),
    ],
)
def test_the_name_of_a_model_is_the_configured_one_or_another(said, configured, shown):
    """With a date or number at its end, which servers add; nothing that says more."""
    assert published_model(said, configured) == shown


def test_a_lying_judge_is_measured_and_vetoes_hold_against_it(measure, cli, tmp_path):
    """What reached it is wrong throughout; what a veto stops never reaches it."""
    with ModelServer(lying) as server:
        assert measure(server.url)[0] == 0
    found = results(tmp_path)
    assert found["judge"]["shares"]["false_pass"]["rate"] == 1.0
    assert found["judge"]["shares"]["false_strip"]["rate"] == 1.0
    assert found["figures"]["shares"]["false_pass"]["hits"] == 4
    assert found["figures"]["shares"]["false_pass"]["total"] == 6
    assert {one["what"] for one in found["judge"]["wrong"]} == {"false_pass", "false_strip"}
    assert cli("recompute", "out/verdicts.jsonl", "--fixture", "own.json")[0] == 0
    page = (tmp_path / "out/results.md").read_text()
    assert "What the judge got wrong" in page
    assert "w4-0" in page


NO_RESULTS = {
    # step of the server, seconds, fault, words of the reason
    "stalls": ("stall", 0.5, "timeout", "no whole answer within 0.5 s"),
    "off-schema": ("SUPPORTED? No.", 20, "off_schema", "neither SUPPORTED nor NOT_SUPPORTED"),
    "refuses": (401, 20, "unreachable", "it answered 401"),
    "cut": (openai("SUPPORTED", finish="length"), 20, "bad_answer", "not known to be whole"),
}


@pytest.mark.parametrize(
    ("step", "timeout", "fault", "reason"), NO_RESULTS.values(), ids=NO_RESULTS
)
def test_errors_are_counted_apart_and_mostly_errors_are_no_result(
    step, timeout, fault, reason, measure, cli, tmp_path
):
    """Exit 3 with the reason and the next step; not one of them is a pass or a strip."""
    with ModelServer(step) as server:
        code, _, said = measure(server.url, timeout=timeout)
    assert code == 3
    assert "6 of 6 items that the judge was asked about ended in an error" in said
    assert reason in said
    assert "next: " in said
    judge = results(tmp_path)["judge"]
    assert judge["replies"] == {fault: 6}
    assert judge["shares"]["errors"]["hits"] == 6
    assert judge["shares"]["false_pass"]["hits"] == judge["shares"]["false_strip"]["hits"] == 0
    shares = results(tmp_path)["figures"]["shares"]
    assert (shares["false_pass"]["hits"], shares["errors"]["hits"]) == (0, 6)
    for name in ("results.md", "results.html"):
        assert "This is no result" in (tmp_path / "out" / name).read_text()
    assert cli("recompute", "out/verdicts.jsonl", "--fixture", "own.json")[0] == 0


def test_a_few_errors_are_a_result(measure, tmp_path):
    """Two of six: counted, told with their reason, and exit 0."""
    steps = iter(["maybe", 404])
    lock = threading.Lock()

    def some(body):
        with lock:
            return next(steps, None) or right(body)

    with ModelServer(some) as server:
        code, _, said = measure(server.url)
    assert code == 0
    assert "1 error: " in said
    assert results(tmp_path)["figures"]["shares"]["errors"]["hits"] == 2


def test_an_unreachable_judge_stops_the_run(measure, tmp_path):
    """Exit 3 with the reason, after ten silences; what was begun is not gone on with by another."""
    with ModelServer("SUPPORTED") as gone:
        pass
    code, _, said = measure(gone.url, times=4, timeout=0.5)
    assert code == 3
    assert "times in a row" in said
    assert "the same command" in said
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"unfinished.jsonl"}

    assert len((tmp_path / "out/unfinished.jsonl").read_text().splitlines()) < 4 * 9
    with ModelServer(right) as server:  # another address is another judge
        code, _, said = measure(server.url, times=4, timeout=0.5)
    assert (code, "another subject" in said) == (2, True)
    assert server.seen == []


def test_a_run_goes_on_where_it_was_stopped(measure, cli, tmp_path):
    """Decisions stand, errors are asked about once more, and the record says so."""
    refusing = True
    answers = []
    lock = threading.Lock()

    def sometimes(body):
        # Not by stalling: how much is answered within two seconds, a busy machine would decide.
        with lock:
            answers.append(401 if refusing and len(answers) >= 8 else right(body))
            return answers[-1]

    with ModelServer(sometimes) as server:
        code, _, said = measure(server.url, times=5, timeout=60)
        assert (code, "times in a row" in said) == (3, True), said
        lines = (tmp_path / "out/unfinished.jsonl").read_text().splitlines()[1:]
        first = [json.loads(line) for line in lines]
        decided = {one["id"] for one in first if one["decision"] != "error"}
        asked = {one["id"] for one in first if one["calls"]} & decided
        assert len(asked) == 8
        # As after a power failure: half a line at the end.
        with (tmp_path / "out/unfinished.jsonl").open("a") as stream:
            stream.write('{"calls":[],"deci')
        refusing = False
        before = len(answers)
        code, _, said = measure(server.url, times=5, timeout=60)
        assert code == 0, said
        assert len(answers) - before == 5 * 6 - 8
    header, found = rows(tmp_path)
    again = [name for name, row in found.items() if row["tries"] == 2]
    assert len(again) == len([one for one in first if one["decision"] == "error"]) >= 10
    judge = results(tmp_path)["judge"]
    assert (judge["asked"], judge["again"]) == (30, len(again))
    assert "asked again after an error" in (tmp_path / "out/results.html").read_text()
    assert not (tmp_path / "out/unfinished.jsonl").exists()
    assert cli("recompute", "out/verdicts.jsonl", "--fixture", "own.json")[0] == 0
    assert header["half"] == "dev"


class Scripted:
    """A subject whose items are silence or a verdict, each when its turn to answer has come.

    A number is how many answers come before; the items are asked about in their order.
    """

    def __init__(self, *script):
        self.at_once, self.facts, self.judge = 4, {"subject": "scripted"}, {"name": "scripted"}
        self.script = list(script)
        self.answered = 0

    async def outcome(self, _sentence, _passages):
        before, fault = self.script.pop(0)
        while self.answered < before:  # noqa: ASYNC110 - one loop, and nothing else to wait for
            await asyncio.sleep(0)
        self.answered += 1
        verdict = "" if fault else "SUPPORTED"
        call = Call("0" * 64, verdict, fault, "", "", 0, 0, False, 1, 0)
        decision = Decision.ERROR if fault else Decision.SHIPS
        return Outcome(decision, (call,), fault, "do something")


@pytest.mark.parametrize("fault", ["timeout", "unreachable"])
def test_a_reply_that_was_under_way_does_not_undo_the_stop(fault, tmp_path):
    """The judge is stopped for good, though the slowest question was answered at last."""
    script = [(SILENT, ""), *[(0, fault)] * (SILENT + 4)]
    items = items_from(harbour.items(3), "own")
    with Journal(tmp_path / "journal") as journal:
        journal.begin({"judge": {}})
        with pytest.raises(NothingMeasured, match="10 times in a row") as caught:
            run(Scripted(*script, *[(0, "")] * 20), items, journal, None)
        assert "do something" in caught.value.hint
        assert SILENT <= len(journal.outcomes) <= SILENT + 4
        assert sum(one.decision == "ships" for one in journal.outcomes.values()) >= 1


def test_silences_that_are_not_in_a_row_stop_nothing(tmp_path):
    """A reply between them begins the count anew; other faults are replies."""
    script = [(0, "timeout")] * (SILENT - 1) + [(0, "off_schema")] + [(0, "timeout")] * 5
    subject = Scripted(*script, *[(0, "")] * 20)
    subject.at_once = 1
    items = items_from(harbour.items(3), "own")
    with Journal(tmp_path / "journal") as journal:
        journal.begin({"judge": {}})
        run(subject, items, journal, None)
        assert len(journal.outcomes) == len(items)


def test_ctrl_c_loses_nothing(tmp_path):
    """A real process, interrupted while the judge thinks: 130, what was decided, and what to do."""
    answered = threading.Event()

    def slow(body):
        if answered.is_set():
            return "stall"
        answered.set()
        return right(body)

    with ModelServer(slow) as server:
        (tmp_path / "judges.toml").write_text(CONFIG.format(url=server.url, timeout=60))
        harbour.write(tmp_path)
        words = ["measure", "gate", "run", "--fixture", "own.json", "-c", "judges.toml"]
        process = subprocess.Popen(
            [sys.executable, "-m", "corpusguard", *words, "--judge", "reader", "-o", "out"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        file = tmp_path / "out/unfinished.jsonl"
        while not (file.exists() and "SUPPORTED" in file.read_text() and len(server.seen) > 2):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said
    assert "SUPPORTED" in file.read_text()


def test_questions_are_bounded_side_by_side(measure):
    """Four at once, as the gate itself, however many items there are."""
    lock, at_once, most = threading.Lock(), [0], [0]
    together = threading.Event()

    def watched(body):
        with lock:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
            if at_once[0] == 4:
                together.set()
        together.wait(60)  # the first three are kept until a fourth has come
        time.sleep(0.05)
        with lock:
            at_once[0] -= 1
        return right(body)

    with ModelServer(watched) as server:
        assert measure(server.url, times=4, timeout=120)[0] == 0
    assert most[0] == 4


def test_two_processes_do_not_share_a_run(measure, tmp_path):
    """The second is refused: 75."""
    (tmp_path / "out").mkdir()
    with Journal(tmp_path / "out/unfinished.jsonl") as journal, ModelServer(right) as server:
        journal.begin({"half": "dev"})
        code, _, said = measure(server.url)
    assert (code, "another process" in said) == (75, True)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("not JSON\n", 4, "line 1"),
        ('{"half":"dev"}\n{"id":"s1-0"}\n', 4, "line 2"),
        ('{"half":"dev"}\n', 2, "another fixture digest"),
    ],
)
def test_an_unfinished_run_that_is_none_is_refused(text, code, said, measure, tmp_path):
    """And stays as it is."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/unfinished.jsonl").write_text(text)
    with ModelServer(right) as server:
        came, _, words = measure(server.url)
    assert (came, said in words, "next: " in words) == (code, True, True), words
    assert (tmp_path / "out/unfinished.jsonl").read_text() == text


def test_a_verdict_without_a_reply_is_not_made_a_pass(measure, cli, tmp_path):
    """Verdicts in which an error of the judge ships are refused, also sealed anew."""
    with ModelServer("maybe") as server:
        measure(server.url)
    path = tmp_path / "out/verdicts.jsonl"
    *lines, _ = path.read_bytes().splitlines(keepends=True)
    body = b"".join(lines).replace(b'"decision":"error"', b'"decision":"ships"')
    path.write_bytes(
        body + canonical({"items": len(lines) - 1, "sha256": sha256_hex(body)}) + b"\n"
    )
    code, _, said = cli("recompute", path)
    assert (code, "no decision" in said) == (4, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "raeder"), "there are: reader, other"),
        (("--judge", "reader", "--subject", "substring"), "not several"),
        (("--judge", ""), "no judge is configured"),
    ],
)
def test_a_judge_that_is_not_there_is_refused(words, said, cli, tmp_path):
    """Before anything is read or written."""
    (tmp_path / "judges.toml").write_text(CONFIG.format(url="http://127.0.0.1:9", timeout=1))
    harbour.write(tmp_path)
    code, _, error = cli("run", "--fixture", "own.json", "-c", "judges.toml", *words, "-o", "out")
    assert (code, said in error, "next: " in error) == (2, True, True), error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("words", "asked"), [("equivalent", 0), ("own", 1)])
def test_the_gate_is_the_one_that_is_configured(words, asked, cli, tmp_path):
    """What ships in equivalent words is asked about where `[gate] words` wants the law's own."""
    sentence = harbour.SOUND["v1"][1].replace("shall", "must")
    row = harbour.items()[0] | {"sentence": sentence, "tier": "light_paraphrase"}
    (tmp_path / "own.json").write_text(json.dumps([row]))
    with ModelServer("SUPPORTED") as server:
        config = CONFIG.format(url=server.url, timeout=20) + f'[gate]\nwords = "{words}"\n'
        (tmp_path / "judges.toml").write_text(config)
        options = ("--fixture", "own.json", "-c", "judges.toml", "--judge", "reader", "-o", "out")
        code, _, said = cli("run", *options)
    assert code == 0, said
    assert len(server.seen) == asked
    assert results(tmp_path)["figures"]["shares"]["lost"]["hits"] == 0


def test_a_command_is_measured_too(cli, tmp_path):
    """It runs in the folder of the configuration, and its file is part of what it is."""
    (tmp_path / "rules.py").write_text(
        "import json, sys\nprint('NOT_SUPPORTED' if json.load(sys.stdin)['data'] else '')"
    )
    (tmp_path / "judges.toml").write_text(
        f'[[judge]]\nname = "local"\nkind = "command"\ncommand = ["{sys.executable}", "rules.py"]\n'
    )
    harbour.write(tmp_path)
    words = ("run", "--fixture", "own.json", "-c", "judges.toml", "--judge", "local", "-o", "out")
    code, _, said = cli(*words)
    assert code == 0, said
    assert "(estimated)" in said
    found = results(tmp_path)
    assert found["run"]["subject"]["sha256 of rules.py"] == sha256_hex(
        (tmp_path / "rules.py").read_bytes()
    )
    assert found["judge"]["replies"] == {"NOT_SUPPORTED": 6}
    assert found["judge"]["models"] == {"not named by its server": 6}


def test_the_example_of_the_docs_runs(cli, tmp_path):
    """Items, configuration and command of docs/measuring-the-gate.md; one sentence is asked about."""
    page = (Path(__file__).parents[4] / "docs/measuring-the-gate.md").read_text(encoding="utf-8")
    (tmp_path / "own.json").write_text(page.split("```json\n")[1].split("```")[0])
    config = page.split("```toml\n")[1].split("```")[0]
    with ModelServer("SUPPORTED") as server:
        assert "http://127.0.0.1:8080/" in config
        (tmp_path / "judges.toml").write_text(config.replace("http://127.0.0.1:8080", server.url))
        words = page.split("```console\n$ corpusguard measure gate ")[1].split("\n")[0]
        code, _, said = cli(*words.split())
        asked = [data_of(body)["sentence"] for body in server.seen]
    assert code == 0, said
    assert asked == ["Unless the bridge is under repair, the toll amounts to 3 crowns."]
