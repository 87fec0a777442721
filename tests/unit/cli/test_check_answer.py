"""`check-answer` and `decisions`: exit codes, both forms, hostile input, and what history shows."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from corpusguard.errors import ConfigError
from corpusguard.gate import Gate
from corpusguard.gate.model import Reason
from corpusguard.gate.reasons import EXPLAINED
from tests.unit.cli.conftest import call, start

FEES = "ca-on/regulation/190902@en#sec_9__subsec_1"
OTHER = "ca-on/statute/19h31@en#sec_16__subsec_2"
NOWHERE = "ca-on/statute/19h31@en#sec_999"
QUOTED = f"Quay dues shall be paid before the closing bell. [{FEES}]"
NIGHT = datetime(2026, 2, 9, 12, tzinfo=UTC)
"""Some hours after the sample's snapshots were captured."""


@pytest.fixture(scope="module")
def night():
    with time_machine.travel(NIGHT, tick=True):
        yield


@pytest.fixture(scope="module")
def clean(night, sample, tmp_path_factory):
    """The clean corpus of the sample, verified."""
    folder = tmp_path_factory.mktemp("clean") / "sample"
    shutil.copytree(sample, folder)
    config = folder / "corpusguard-clean.toml"
    result = call("verify", "--offline", "-q", "-c", config)
    assert result.exit_code == 0, result.output
    return config


def check(config, text, *options, folder=None):
    path = (folder or config.parent) / "answer.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return call("check-answer", path, "-c", config, *options)


def test_a_quotation_ships_with_exit_0_and_history_shows_it(clean):
    """Text with a marker; the decision is in history, with the passage and its age."""
    result = check(clean, QUOTED, "--format", "json")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["schema"] == "corpusguard/decision/1"
    assert (record["outcome"], record["text"]) == ("shipped", QUOTED)

    shown = call("decisions", "show", record["decision"], "-c", clean)
    assert shown.exit_code == 0
    assert FEES in shown.stdout
    assert "quoted · clause_complete" in shown.stdout
    again = json.loads(
        call("decisions", "show", record["decision"], "-f", "json", "-c", clean).stdout
    )
    assert again["sentences"] == record["sentences"]
    assert again["head"].startswith("sha256:")


def test_the_console_marks_each_sentence_and_ends_with_what_may_be_shown(clean):
    """Neither has to be worked out from doors and reasons."""
    altered = check(clean, f"{QUOTED} Dues are low. [{FEES}]").stdout
    withheld = check(clean, f"Dues are low. [{FEES}]").stdout
    shadow = check(clean, f"Dues are low. [{FEES}]", "--shadow").stdout
    assert "✓ shown · quoted · clause_complete" in altered
    assert "✗ removed · unsupported" in altered
    last = altered.rpartition("── what may be shown ──")[2]
    assert " ".join(last.split()) == QUOTED
    assert withheld.endswith("── nothing may be shown: the answer is withheld ──\n")
    assert "✗ shown, would be removed" in shadow
    number = re.search(r"show (\d+)", check(clean, f"{QUOTED} Dues are low. [{FEES}]").stderr)[1]
    shown = call("decisions", "show", number, "-c", clean).stdout
    assert "✗ removed" in shown
    assert shown.rpartition("── what may be shown ──")[2] == last


def test_a_program_is_told_what_it_handed_over(clean):
    """No traceback from the inside, whatever is given for the answer, or after the end."""
    with Gate.open(clean) as gate:
        for wrong in (None, 3, b"x"):
            with pytest.raises(ConfigError, match="not text"):
                gate.check(wrong)
        with pytest.raises(ConfigError, match="Citation"):
            gate.check("x", [{"id": FEES}])
    for ask in (lambda: gate.check(QUOTED), lambda: gate.verify_quote(FEES, "x")):
        with pytest.raises(ConfigError, match="closed"):
            ask()
    gate.close()


def test_a_withheld_answer_exits_1_and_says_why(clean):
    """The console names the door, the reason and the passage of each sentence."""
    result = check(clean, f"Quay dues may be paid at leisure. [{FEES}]")
    assert result.exit_code == 1
    assert "withheld · keep_ratio" in result.stdout
    said = " ".join(result.stdout.split())
    assert " ".join(["keep_ratio:", *EXPLAINED[Reason.KEEP_RATIO]]) in said
    number = re.search(r"decisions show (\d+)", result.stderr)[1]
    again = " ".join(call("decisions", "show", number, "-c", clean).stdout.split())
    for code in (Reason.KEEP_RATIO, Reason.MODAL):
        assert " ".join([f"{code}:", *EXPLAINED[code]]) in again
    assert "unsupported" in result.stdout
    listed = call("decisions", "list", "--outcome", "withheld", "-c", clean)
    assert "Quay dues may be paid at leisure." in listed.stdout


def test_an_altered_answer_exits_1_with_what_is_left(clean):
    """JSON with a marker of its own for the passage."""
    request = {
        "answer": "Quay dues shall be paid before the closing bell. [1] Dues are low. [1]",
        "citations": [{"id": FEES, "marker": "1"}],
    }
    result = check(clean, json.dumps(request), "--format", "json")
    assert result.exit_code == 1
    record = json.loads(result.stdout)
    assert record["outcome"] == "altered"
    assert record["text"] == "Quay dues shall be paid before the closing bell. [1]"


def test_shadow_mode_exits_0_and_keeps_the_answer(clean):
    """It is decided and stored all the same."""
    answer = f"Dues are low. [{FEES}]"
    result = check(clean, answer, "--shadow", "--format", "json")
    assert result.exit_code == 0
    record = json.loads(result.stdout)
    assert (record["outcome"], record["shadow"], record["text"]) == ("withheld", True, answer)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        '{"answer": 1}',
        '{"answer": "x", "citations": "p"}',
        '{"answer": "x", "citations": [1]}',
        '{"answer": "x", "citations": [{"id": "p", "text": null}]}',
        '{"answer": "x", "citations": [{"text": "p"}]}',
        '{"answer": "x", "sources": []}',
        '{"answer": "x", "answer": "y"}',
        '{"answer": NaN}',
        '{"answer": ' + "[" * 100_000,
        b"\xff\xfe",
    ],
    ids=lambda text: str(text)[:40],
)
def test_a_request_that_cannot_be_read_is_a_usage_error(clean, text):
    """Named, with the form that is wanted, and nothing is decided."""
    before = len(
        json.loads(call("decisions", "list", "-f", "json", "-c", clean).stdout)["decisions"]
    )
    result = check(clean, text)
    assert result.exit_code == 2
    assert "next:" in result.stderr
    after = len(
        json.loads(call("decisions", "list", "-f", "json", "-c", clean).stdout)["decisions"]
    )
    assert after == before


@pytest.mark.parametrize(
    "text",
    ["Quay dues. " * 100_000 + f"[{FEES}]", f"{'quay dues ' * 900}. [{FEES}]"],
    ids=["an answer of a megabyte", "a sentence over its limit"],
)
def test_what_is_over_a_limit_could_not_be_checked(clean, text):
    """Exit 3, and still nothing of it is shown."""
    result = check(clean, text, "--format", "json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["text"] == ""


def test_hostile_text_reaches_the_terminal_escaped(clean):
    """Escape sequences and bidi controls of an answer are made visible."""
    result = check(clean, f"Pay \x1b[31mnow\u202e. [{FEES}]")
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
    shown = call("decisions", "list", "-c", clean)
    assert "\x1b" not in shown.stdout


def test_no_history_is_not_verified_and_no_decision_is_a_usage_error(sample, tmp_path, clean):
    """3 where no run was made; 2 for a number that does not exist."""
    folder = tmp_path / "fresh"
    shutil.copytree(sample, folder)
    assert check(folder / "corpusguard-clean.toml", QUOTED).exit_code == 3
    missing = call("decisions", "show", "9999", "-c", clean)
    assert missing.exit_code == 2
    assert "decisions list" in missing.stderr
    assert check(clean, QUOTED, "--corpus", "nowhere").exit_code == 2
    assert call("check-answer", tmp_path / "none.json", "-c", clean).exit_code == 2


def test_a_process_reads_standard_input_and_a_stale_corpus_exits_3(clean):
    """By its real clock the sample is older than max_age: not verified, as `status` says too."""
    with start(
        "check-answer",
        "-c",
        clean,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        out, err = process.communicate(QUOTED, timeout=60)
    assert process.returncode == 3, err
    assert "too_old" in out
    # Not "it last verified": the run is of today, the capture that it rests on is not.
    assert re.search(
        r"the official text that it verified against was captured [0-9.]+ days ago", out
    )
    assert "days ago (run 1 was offline" in out


@pytest.mark.parametrize(
    ("markers", "code"),
    [
        ([FEES], 3),
        ([FEES, NOWHERE], 1),
        ([NOWHERE, FEES], 1),
        ([OTHER, FEES], 3),
    ],
)
def test_what_is_refused_whatever_its_age_exits_1(clean, markers, code):
    """3 only where age alone stands in the way; the order of two markers decides nothing."""
    cited = " ".join(f"[{one}]" for one in markers)
    with time_machine.travel(NIGHT + timedelta(days=3)):
        alone = check(clean, f"Quay dues shall be paid before the closing bell. {cited}")
        beside = check(clean, f"{QUOTED} A fee is due. {cited}")
        unmarked = check(
            clean,
            json.dumps({"answer": "Quay dues shall be paid.", "citations": markers}),
        )
    assert (alone.exit_code, beside.exit_code, unmarked.exit_code) == (code, code, code)
    assert "withheld" in alone.stdout


def test_a_passage_that_never_verified_beside_one_too_old_exits_1(sample, tmp_path):
    """Of the faulty sample: what is wrong is known, however old the rest is."""
    folder = tmp_path / "faulty"
    shutil.copytree(sample, folder)
    config = folder / "corpusguard.toml"
    with time_machine.travel(NIGHT, tick=True):
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
        listed = call("findings", "list", "--state", "new", "-f", "json", "-c", config)
    wrong = next(
        one["passage"]
        for one in json.loads(listed.stdout)["findings"]
        if one["severity"] == "error" and one["passage"]
    )
    with time_machine.travel(NIGHT + timedelta(days=3), tick=True):
        for markers in (f"[{FEES}] [{wrong}]", f"[{wrong}] [{FEES}]"):
            assert check(config, f"Quay dues shall be paid. {markers}").exit_code == 1
        assert check(config, f"Quay dues shall be paid. [{FEES}]").exit_code == 3


def test_the_sample_ships_a_sentence_as_the_readme_says(tmp_path, monkeypatch):
    """A newcomer's commands, some months after the capture: first too old, then with max_age."""
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    setting = re.search(
        r"^\$ echo '(max_age = .+)' >> corpusguard-clean.toml$", readme, re.MULTILINE
    )[1]
    answer = re.search(r"^\$ echo '(.+)' \|$", readme, re.MULTILINE)[1]
    monkeypatch.chdir(tmp_path)
    with time_machine.travel(NIGHT + timedelta(days=300), tick=True):
        assert call("demo", "-q").exit_code == 0
        config = tmp_path / "corpusguard-demo" / "corpusguard-clean.toml"
        assert check(config, answer).exit_code == 3
        assert call("status", "-c", config).exit_code == 3
        with config.open("a") as stream:
            stream.write(f"{setting}\n")
        assert check(config, answer).exit_code == 0
        assert call("status", "-c", config).exit_code == 0
