"""action.yml, its scripts run as the runner would run them, with a real corpusguard."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@dataclass
class Done:
    code: int
    log: str
    outputs: dict[str, str]
    summary: str


class Runner:
    """Runs a step of the action as ``shell: bash`` does, in a repository."""

    def __init__(self, folder, repository):
        self.temp = folder / "runner temp"
        program = self.temp / "corpusguard" / "bin" / "corpusguard"
        program.parent.mkdir(parents=True)
        program.symlink_to(Path(sys.executable).parent / "corpusguard")
        self.program = program
        self.repository = repository

    def run(self, name, **inputs):
        (step,) = [step for step in ACTION["runs"]["steps"] if step["name"] == name]
        assert step["shell"] == "bash"
        given = {key: facts.get("default", "") for key, facts in ACTION["inputs"].items()}
        given |= {key.replace("_", "-"): text for key, text in inputs.items()}
        files = {"GITHUB_OUTPUT": self.temp / "output", "GITHUB_STEP_SUMMARY": self.temp / "md"}
        for path in files.values():
            path.write_text("")
        script = self.temp / "step.sh"
        script.write_text(step["run"])
        env = {key: INPUT.sub(lambda m: given[m[1]], text) for key, text in step["env"].items()}
        env |= {key: str(path) for key, path in files.items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository,
            env={"PATH": os.environ["PATH"], "RUNNER_TEMP": str(self.temp), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        pairs = [line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines()]
        summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
        return Done(done.returncode, done.stdout, dict(pairs), summary)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The demo's folder, verified once."""
    folder = tmp_path_factory.mktemp("sample") / "demo"
    command = [sys.executable, "-m", "corpusguard", "demo", "--to", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture
def runner(sample, tmp_path):
    return Runner(tmp_path, shutil.copytree(sample, tmp_path / "repository"))


def outside(log):
    """The lines from which the runner takes commands: those outside of stop-commands."""
    return re.sub(r"(?ms)^::stop-commands::(\w{32})$.*?^::\1::$\n?", "", log).splitlines()


def test_a_verified_corpus_passes(runner):
    """Exit 0, every report, a summary, and nothing but the totals as an annotation."""
    done = runner.run("Verify", config="corpusguard-clean.toml", offline="true")

    assert (done.code, done.outputs["exit-code"]) == (0, "0"), done.log
    reports = {path.name for path in Path(done.outputs["reports"]).iterdir()}
    assert reports == {"report.json", "report.md", "report.sarif", "junit.xml", "github.txt"}
    assert "verified" in done.summary
    assert len(outside(done.log)) == 1
    assert outside(done.log)[0].startswith("::notice title=corpusguard::verified: 0 errors")


def test_findings_fail_the_job_and_are_annotated(runner):
    """Exit 1; at most ten annotations of a kind, each with a rule; the report says the rest."""
    done = runner.run("Verify", offline="true")

    assert (done.code, done.outputs["exit-code"]) == (1, "1"), done.log
    errors = [line for line in outside(done.log) if line.startswith("::error ")]
    assert len(errors) == 10
    assert all(re.search(r"title=CG\d{3} ", line) for line in errors)
    report = json.loads((Path(done.outputs["reports"]) / "report.json").read_text("utf-8"))
    assert report["verdict"] == "violated"
    assert "CG203" in done.summary


def test_inputs_reach_the_program(runner):
    """One layer only, by the input; an unknown one is a usage error with its reason in the log."""
    done = runner.run("Verify", config="corpusguard-clean.toml", offline="true", layers="L1")
    report = json.loads((Path(done.outputs["reports"]) / "report.json").read_text("utf-8"))
    assert done.code == 0
    assert set(report["documents"][0]["layers"]) == {"L1"}

    for wrong in ({"layers": "L9"}, {"fail_on": "sometimes"}, {"config": "absent.toml"}):
        done = runner.run("Verify", offline="true", **wrong)
        assert (done.code, done.outputs["exit-code"]) == (2, "2"), wrong
        assert "there is no report" in outside(done.log)[-1]
        assert next(iter(wrong.values())) in done.log
    assert runner.run("Verify", offline="yes").code == 2


STEPS = {
    "Verify": ("config", "layers", "fail_on", "offline", "attest"),
    "Check corpus": ("config", "fail_on", "max_age", "partial", "passages", "attest", "key"),
}


@pytest.mark.parametrize(("step", "name"), [(step, name) for step in STEPS for name in STEPS[step]])
def test_an_input_is_never_a_script(runner, step, name):
    """Whatever it holds, it is one argument: no command in it runs, no option is added."""
    usual = {"offline": "true"} if step == "Verify" else {}
    evil = '--help"; touch pwned; "$(touch pwned)`touch pwned`\n; touch pwned'
    done = runner.run(step, **{**usual, name: evil})

    assert done.code not in {0, 70}, done.log
    assert not (runner.repository / "pwned").exists()
    taken = outside(done.log)
    assert taken
    assert [line for line in taken if line.startswith("::error title=corpusguard::")] == taken


def test_the_runner_takes_no_command_from_law_or_ids(runner):
    """A hostile id and text stand in annotations as data, and in the log behind stop-commands."""
    corpus = runner.repository / "clean.jsonl"
    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    evil = "x\n::add-mask::e\r\n::set-env name=A::b"
    rows[3] |= {"id": evil, "text": f"{evil} ##[error]", "section": "99"}
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    done = runner.run("Verify", config="corpusguard-clean.toml", offline="true")

    assert done.code == 1
    taken = {line.split("::")[1].split(" ")[0] for line in outside(done.log)}
    assert taken <= {"error", "warning", "notice"}
    assert "add-mask" in done.log


def test_a_run_is_attested_and_the_gate_judges_by_the_attestation(runner):
    """The key comes as text and is gone afterwards; another signer is refused."""
    for name in ("signer", "stranger"):
        command = [str(runner.program), "keys", "new", str(runner.temp / name)]
        subprocess.run(command, check=True, capture_output=True)
    usual = {"config": "corpusguard-clean.toml", "attest": "run.dsse.json"}
    secret = (runner.temp / "signer").read_text()

    done = runner.run("Verify", offline="true", signing_key=secret, **usual)
    assert done.code == 0, done.log
    assert not [line for line in secret.splitlines()[1:-1] if line in done.log + done.summary]
    assert not list(runner.temp.glob("corpusguard-signing-key*"))

    key = str(runner.temp / "signer.pub")
    assert runner.run("Check corpus", key=key, **usual).code == 0
    other = runner.run("Check corpus", key=str(runner.temp / "stranger.pub"), **usual)
    assert other.code == 4
    assert "unknown_signer" in other.log
    assert runner.run("Verify", offline="true", **usual).code == 2, "attested without a key"


def test_the_gate_lets_the_verified_corpus_through_and_lists_its_passages(runner):
    """Exit 0, the root as an output, a list with a digest for each row."""
    done = runner.run(
        "Check corpus", config="corpusguard-clean.toml", passages="allowed.jsonl", max_age="1h"
    )

    assert (done.code, done.outputs["exit-code"]) == (0, "0"), done.log
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", done.outputs["root"])
    rows = (runner.repository / "clean.jsonl").read_text("utf-8").splitlines()
    assert len((runner.repository / "allowed.jsonl").read_text().splitlines()) == len(rows)
    assert outside(done.log) == []
    assert done.outputs["root"] in done.summary


def test_the_gate_refuses_a_corpus_with_one_byte_changed(runner):
    """Exit 3 with the reason, another root, and no list."""
    usual = {"config": "corpusguard-clean.toml", "passages": "allowed.jsonl"}
    before = runner.run("Check corpus", **usual).outputs["root"]
    (runner.repository / "allowed.jsonl").unlink()
    corpus = runner.repository / "clean.jsonl"
    corpus.write_text(corpus.read_text("utf-8").replace("156", "165", 1), "utf-8")

    done = runner.run("Check corpus", **usual)

    assert (done.code, done.outputs["exit-code"]) == (3, "3"), done.log
    assert done.outputs["root"] not in {"", before}
    assert "corpus_changed" in done.summary
    assert not (runner.repository / "allowed.jsonl").exists()
    assert "the gate refused" in outside(done.log)[-1]
    assert runner.run("Check corpus").code == 1, "the faulty corpus has findings"


def test_a_state_that_is_not_kept_is_said(runner):
    """Where the configuration names other paths, every run would be a first one, in silence."""
    usual = {"config": "corpusguard-clean.toml", "offline": "true"}

    def warned(state):
        log = outside(runner.run("Verify", state=state, **usual).log)
        return sum(line.startswith("::warning title=corpusguard::a path") for line in log)

    assert warned("history-clean.db\nsnapshots\n") == 0
    assert warned("history-clean.db\nelsewhere\n~/x\nsnap*\n") == 1


def test_an_unknown_command_fails(runner):
    """A misspelt gate is not skipped: both steps would be."""
    assert runner.run("Check the command", command="check-corpus").code == 0
    assert runner.run("Check the command", command="check_corpus").code == 2
    steps = {step["name"]: step.get("if", "") for step in ACTION["runs"]["steps"]}
    assert steps["Verify"] == "inputs.command == 'verify'"
    assert steps["Check corpus"] == "inputs.command == 'check-corpus'"


def test_a_report_too_large_for_a_summary_is_cut(runner):
    """GitHub would drop it whole; the job's verdict is not touched."""
    runner.program.unlink()
    runner.program.write_text(
        "#!/bin/sh\n"
        'for word; do case "$word" in --output=*) folder="${word#--output=}";; esac; done\n'
        'mkdir "$folder"; head -c 3000000 /dev/zero | tr "\\0" "x" > "$folder/report.md"\n'
        'echo "::notice::totals" > "$folder/github.txt"; exit 1\n'
    )
    runner.program.chmod(0o755)

    done = runner.run("Verify")

    assert done.code == 1
    assert 1_000_000 < len(done.summary) < 1_048_576
    assert "Cut here" in done.summary[-200:]


def test_restored_evidence_is_checked_before_it_is_used(runner):
    """Whole: 0. A run's record or a capture altered in the cache: exit 4 and a reason."""
    step = "Check what was restored"
    assert runner.run(step).code == 0

    captured = next(
        path for path in (runner.repository / "snapshots").rglob("objects/*/*") if path.is_file()
    )
    sound = captured.read_bytes()
    captured.chmod(0o644)
    captured.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    done = runner.run(step)
    assert done.code == 4
    assert "not what was saved" in outside(done.log)[-1]
    captured.write_bytes(sound)
    assert runner.run(step).code == 0

    with sqlite3.connect(runner.repository / "history.db") as history:
        history.execute("DROP TRIGGER runs_never_update")
        assert history.execute("UPDATE runs SET verdict = 'verified'").rowcount == 1
    assert runner.run(step).code == 4


def test_a_usage_error_is_no_altered_history(runner):
    """Exit 2 without a configuration; with an altered capture beside other trouble, exit 4."""
    step = "Check what was restored"
    done = runner.run(step, config="absent.toml")
    assert done.code == 2
    assert "absent.toml" in done.log
    assert "configuration cannot be used" in outside(done.log)[-1]
    assert "not what was saved" not in done.log
    with sqlite3.connect(runner.repository / "history.db") as history:
        history.execute("DROP TRIGGER runs_never_update")
        history.execute("UPDATE runs SET verdict = 'verified'")
    # Of history and snapshots, the second may be in trouble of another kind.
    program = runner.program.resolve()
    runner.program.unlink()
    runner.program.write_text(
        f'#!/bin/sh\ncase "$*" in *snapshots*) exit 70 ;; esac\nexec "{program}" "$@"\n'
    )
    runner.program.chmod(0o755)
    done = runner.run(step)
    assert done.code == 4
    assert "not what was saved" in outside(done.log)[-1]


@pytest.mark.parametrize("key", ["", "a/b", "a,b", "a b", "a\nb", "é", "*", '"; exit 0; "'])
def test_a_key_that_could_restore_another_state_is_refused(runner, key):
    """Before anything is restored; usual keys pass."""
    done = runner.run("Check the command", state_key=key)
    assert done.code == 2
    assert "state-key" in done.log
    assert runner.run("Check the command", state_key="tenancy-2_v1.0").code == 0
    assert runner.run("Check the command").code == 0


def test_nothing_kept_is_no_error(runner):
    """After a first night without an answer there is nothing to check."""
    shutil.rmtree(runner.repository / "snapshots")
    (runner.repository / "history.db").unlink()

    assert runner.run("Check what was restored").code == 0


def test_findings_are_remembered_and_pull_requests_are_not():
    """History is kept after a failure too, under a key of its own; never from a pull request."""
    steps = {step["name"]: step for step in ACTION["runs"]["steps"]}
    keep, restore = steps["Keep history and snapshots"], steps["Restore history and snapshots"]

    assert keep["if"].startswith("always() && steps.verify.outputs.exit-code != ''")
    for event in ("pull_request", "pull_request_target"):
        assert f"github.event_name != '{event}'" in keep["if"]
    assert keep["with"]["key"] == restore["with"]["key"]
    assert keep["with"]["key"].startswith(restore["with"]["restore-keys"])
    # Or "tenancy" would restore the state of "tenancy-2".
    assert restore["with"]["restore-keys"].endswith("/")


def test_no_expression_stands_in_a_script():
    """What comes from outside comes by the environment."""
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]

    assert len(scripts) == 5
    assert not [script for script in scripts if "${{" in script]


def test_the_state_of_the_action_is_what_an_exported_workflow_keeps(sample):
    """GitHub finds a cache by its key and by its list of paths, in order."""
    schedule = sample / "nightly.toml"
    shutil.copy(ROOT / "schedules" / "nightly.toml", schedule)
    config = sample / "corpusguard-kept.toml"
    text = (sample / "corpusguard.toml").read_text()
    config.write_text(text.replace("sources =", 'schedules = ["nightly.toml"]\nsources =', 1))
    command = [sys.executable, "-m", "corpusguard", "-c", config, "schedule", "export", "github"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    steps = yaml.safe_load(done.stdout)["jobs"]["verify"]["steps"]
    kept = [one["with"]["path"] for one in steps if "actions/cache/" in one.get("uses", "")]

    assert kept == [ACTION["inputs"]["state"]["default"]] * 2


@pytest.mark.parametrize(
    ("attest", "notify", "wanted"),
    [
        ("", "false", ""),
        ("a.json", "false", "[attest]"),
        ("", "true", "[notify]"),
        ("a.json", "true", "[attest,notify]"),
    ],
)
def test_the_action_installs_the_extras_that_its_inputs_need(tmp_path, attest, notify, wanted):
    """By a Python that notes what it was asked for; another word is a usage error."""
    (step,) = [one for one in ACTION["runs"]["steps"] if one["name"] == "Install corpusguard"]
    python = tmp_path / "corpusguard" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nfor last; do :; done\nprintf %s "$last" > "$RUNNER_TEMP/asked"\n')
    python.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path), "PYTHON": "true"}
    env |= {"SOURCE": "/the action", "ATTEST": attest, "NOTIFY": notify}

    def ran(**changed):
        command = ["bash", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(command, env=env | changed, check=False, capture_output=True)

    assert ran().returncode == 0
    assert (tmp_path / "asked").read_text() == f"/the action{wanted}"
    assert ran(NOTIFY="yes").returncode == 2
