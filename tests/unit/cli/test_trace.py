"""``corpusguard trace``: from runs to a blind sheet, to agreement, to recall and precision."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from corpusguard.cli import app
from tests.unit.cli.conftest import call

CLAIMS = [
    {"id": "c_1", "text": "A barge pays 5 dollars."},
    {"id": "c_2", "text": "A boat pays 2 dollars."},
    {"id": "c_3", "text": "The harbour is old."},
]
WHOLE = {
    "run": "r1",
    "goal": "Who pays?",
    "claims": CLAIMS,
    "answer": "A barge pays 5 dollars [c_1]. The harbour is old. [c_3] So it is.",
    "dropped": {"c_2": "space"},
}
FAULTY = {**WHOLE, "run": "r2", "answer": "A barge pays [c_1] [c_9].", "dropped": {"c_2": "dull"}}


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def sheet(path, runs, **labels):
    """A sheet filled in by the beginning of a claim."""
    rows = [json.loads(line) for line in call("trace", "label", runs).stdout.splitlines()]
    for row in rows:
        row["label"] = next((v for k, v in labels.items() if k in row["claim"]), "")
    return written(path, *rows)


def test_check_exits_by_what_is_wrong(tmp_path):
    """0 for whole runs; 1 with the prompt that asks again."""
    good = call("trace", "check", written(tmp_path / "a", WHOLE, WHOLE))
    assert good.exit_code == 0
    assert "1 of 3 sentences without a marker" in good.stdout
    bad = call("trace", "check", written(tmp_path / "b", WHOLE, FAULTY))
    assert bad.exit_code == 1
    for said in ("unknown_marker: c_9", "unaccounted: c_3", "unknown_reason: c_2 dull"):
        assert said in bad.stdout
    assert "Your reply does not account for every claim" in bad.stdout


def test_check_as_json_from_standard_input():
    """An array of runs, with the prompt as a field."""
    result = CliRunner().invoke(
        app, ["trace", "check", "-", "--format", "json"], input=json.dumps([WHOLE, FAULTY])
    )
    record = json.loads(result.stdout)
    assert result.exit_code == 1
    assert record["schema"] == "corpusguard/trace-check/1"
    assert [run["whole"] for run in record["runs"]] == [True, False]
    assert record["runs"][0]["reprompt"] == ""
    assert record["runs"][0]["unattributed"][0]["text"] == "So it is."


@pytest.mark.parametrize(
    "text", ["[]", json.dumps({**WHOLE, "claims": [], "answer": "None.", "dropped": {}})]
)
def test_an_empty_run_is_never_a_pass(text):
    """No run, or nothing that entered one."""
    for command in ("check", "report"):
        assert CliRunner().invoke(app, ["trace", command, "-"], input=text).exit_code == 3


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "null", "7", '{"goal": 1}', '{"goal": "a", "goal": "b"}', '[{"x": NaN}]',
        "[" * 100_000, '{"goal": "g", "claims": [], "answer": "a", "extra": 1}',
        '{"goal": "g", "claims": [{"id": "c_1"}], "answer": ""}', "9" * 10_000,
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_input_that_is_no_run_is_a_usage_error(text):
    """With cause and next step, and no traceback."""
    for command in (["check"], ["report"], ["label"]):
        result = CliRunner().invoke(app, ["trace", *command, "-"], input=text)
        assert (result.exit_code, result.stdout) == (2, ""), result.stderr
        assert "next:" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_claim_id_of_another_form_is_a_usage_error():
    """The form is named."""
    text = json.dumps({**WHOLE, "claims": [{"id": "1", "text": "x"}]})
    result = CliRunner().invoke(app, ["trace", "check", "-"], input=text)
    assert result.exit_code == 2
    assert "c_0, c_1" in result.stderr


def test_separators_within_a_json_string_do_not_end_its_line(tmp_path):
    """U+2028 may stand raw in JSON; in what is written it is escaped, with bidi controls."""
    claims = [{"id": "c_1", "text": "One\u2028two\u0085 \u202ethree."}]
    row = {"goal": "g", "claims": claims, "answer": "It is [c_1]."}
    runs = tmp_path / "runs"
    runs.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for _ in "ab"), "utf-8")
    assert call("trace", "check", runs).exit_code == 0
    out = call("trace", "label", runs).stdout
    assert "\u2028" not in out
    assert "\u202e" not in out
    assert json.loads(out)["claim"] == claims[0]["text"]


def test_a_bad_line_is_named_by_its_number(tmp_path):
    """Of a file with one run a line."""
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(WHOLE) + "\n\n{oops\n", "utf-8")
    assert "runs.jsonl:3" in call("trace", "check", path).stderr


def test_report_counts_reasons_and_measures_against_labels(tmp_path):
    """Recall 1 of 2, precision 1 of 2: the barge is cited, the boat missed for space."""
    runs = written(tmp_path / "runs", WHOLE)
    filled = sheet(
        tmp_path / "labels", runs, barge="must_include", boat="must_include", old="irrelevant"
    )
    result = call("trace", "report", runs, "--labels", filled, "--format", "json")
    record = json.loads(result.stdout)
    assert result.exit_code == 0
    assert record["distribution"]["dropped"]["space"] == 1
    assert (record["measure"]["recall"], record["measure"]["precision"]) == (0.5, 0.5)
    assert record["measure"]["missed"]["space"] == 1
    text = call("trace", "report", runs, "--labels", filled).stdout
    assert "recall 50.0%" in text
    assert "must_include and not cited: space 1" in text
    assert "So it is." in text


def test_a_comparison_prints_the_sample_size_that_it_needs(tmp_path):
    """By the rule, whether planned for or observed."""
    better = {**WHOLE, "answer": "A barge pays [c_1]. A boat [c_2].", "dropped": {"c_3": "space"}}
    runs = written(tmp_path / "runs", better, WHOLE)
    base = written(tmp_path / "base", WHOLE, better)
    filled = sheet(
        tmp_path / "labels", runs, barge="must_include", boat="must_include", old="irrelevant"
    )
    arguments = ["trace", "report", runs, "--labels", filled, "--against", base]
    planned = call(*arguments, "--effect", "0.1").stdout
    # Each arm has recalls 1 and 0.5: variance 0.125, so 16 · 0.125 / 0.01 = 200.
    assert "needs 200 runs per arm" in planned
    assert "the planned difference, 0.1, needs" in planned
    assert "NOT enough: 2 in the smaller arm" in planned
    smallest = call(*arguments, "--effect", "0.001").stdout
    assert "the planned difference, 0.001, needs 2,000,000 runs per arm" in smallest
    assert "sample size unknown" in call(*arguments).stdout
    for effect in ("-1", "0", "inf", "1e-300", "0.0009", "1.5"):
        refused = call(*arguments, "--effect", effect)
        assert (refused.exit_code, "from 0.001 to 1" in refused.stderr) == (2, True), refused
    refused = call(*arguments, "--effect", "nan")
    assert (refused.exit_code, "not a valid number" in refused.stderr) == (2, True), refused
    alone = call("trace", "report", runs, "--labels", filled, "--effect", "0.1")
    assert (alone.exit_code, "--against" in alone.stderr) == (2, True)
    assert call("trace", "report", runs, "--against", base).exit_code == 2


def test_the_sheet_is_written_whole_and_blind(tmp_path):
    """To a file of its own; what is no regular file is refused."""
    runs = written(tmp_path / "runs", WHOLE, FAULTY)
    target = tmp_path / "sheet.jsonl"
    result = call("trace", "label", runs, "--output", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert len(target.read_text("utf-8").splitlines()) == 3
    assert "So it is" not in target.read_text("utf-8")
    assert call("trace", "label", runs, "--output", tmp_path).exit_code == 2
    nothing = written(tmp_path / "none", {**WHOLE, "claims": [], "dropped": {}})
    assert call("trace", "label", nothing, "--output", tmp_path / "x").exit_code == 3
    assert not (tmp_path / "x").exists()


def test_agreement_of_two_labellers(tmp_path):
    """Kappa, and a bar that it must reach."""
    runs = written(tmp_path / "runs", WHOLE)
    one = sheet(tmp_path / "1", runs, barge="must_include", boat="must_include", old="irrelevant")
    two = sheet(tmp_path / "2", runs, barge="must_include", boat="useful", old="irrelevant")
    result = call("trace", "agree", one, two, "--format", "json")
    assert json.loads(result.stdout)["kappa"] == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    assert call("trace", "agree", one, two, "--at-least", "0.4").exit_code == 0
    assert call("trace", "agree", one, two, "--at-least", "0.6").exit_code == 1
    assert "must_include / useful: 1" in call("trace", "agree", one, two).stdout
    empty = sheet(tmp_path / "3", runs)
    assert call("trace", "agree", one, empty).exit_code == 3
    wrong = sheet(tmp_path / "4", runs, barge="mustinclude")
    stderr = call("trace", "agree", one, wrong).stderr
    assert "Did you mean must_include?" in stderr
