"""``corpusguard history``: exit codes, streams, heads kept outside, proofs."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from corpusguard.evidence import check_proof
from corpusguard.history import History
from corpusguard.locking import RunLock
from tests.unit.cli.conftest import call

DOCUMENT = "ca-on/statute/19h31@en"
SCRIPT = Path(__file__).parents[3] / "docs" / "verify_proof.py"


@pytest.fixture(scope="module")
def one_run(sample, tmp_path_factory):
    """A sample with exactly one run: the shared one gathers runs of other tests."""
    folder = tmp_path_factory.mktemp("one-run") / "sample"
    shutil.copytree(sample, folder)
    assert call("verify", "--offline", "-q", "-c", folder / "corpusguard.toml").exit_code == 1
    return folder


@pytest.fixture
def project(one_run, tmp_path):
    """A copy of the sample, verified once, that a test may spoil."""
    shutil.copytree(one_run, tmp_path / "sample")
    return tmp_path / "sample" / "corpusguard.toml"


def head_of(project):
    return call("history", "head", "-q", "-c", project).stdout.strip()


def spoil(project, statement):
    with sqlite3.connect(project.parent / "history.db") as db:
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
    db.close()


def test_a_sound_history_passes_and_names_its_head(project):
    """The head goes to standard error, where it does not get into the data."""
    done = call("history", "verify", "-c", project)

    assert done.exit_code == 0
    assert done.stdout.startswith("✓ all holds: 1 record, 0 decisions, ")
    assert done.stdout.endswith(" files of evidence\n")
    assert done.stderr == f"head {head_of(project)} (run 1)\n"


def test_json_says_the_same(project):
    """One object, also where something is broken."""
    sound = json.loads(call("history", "verify", "-f", "json", "-c", project).stdout)
    spoil(project, "UPDATE runs SET tool = 'another'")
    broken = call("history", "verify", "-f", "json", "-c", project)
    said = json.loads(broken.stdout)

    assert (sound["schema"], sound["ok"], sound["breaks"]) == ("corpusguard/history/1", True, [])
    assert sound["records"] == sound["run"] == 1
    assert sound["decisions"] == 0
    assert sound["evidence"] >= 4
    assert broken.exit_code == 4
    assert said["ok"] is False
    assert {"rule": "CG702", "name": "history_broken", "run": 1, "table": "runs"}.items() <= next(
        one for one in said["breaks"] if one["table"] == "runs"
    ).items()


def test_the_first_break_is_named_with_its_rule(project):
    """Exit 4; the person on call reads where to look."""
    record = next((project.parent / "snapshots" / "records").rglob("*000002-*.json"))
    record.write_text(record.read_text(encoding="utf-8") + " ", encoding="utf-8")

    done = call("history", "verify", "-c", project)

    assert done.exit_code == 4
    assert "CG701 evidence_missing" in done.stdout
    assert done.stdout.endswith("✗ first break: run 1, records\n")


def test_a_damaged_file_is_a_break_and_no_traceback(project):
    """What cannot be opened is told in the same form."""
    path = project.parent / "history.db"
    path.write_bytes(path.read_bytes()[:5000])

    done = call("history", "verify", "-f", "json", "-c", project)

    assert done.exit_code == 4
    (only,) = json.loads(done.stdout)["breaks"]
    assert (only["rule"], only["run"], only["table"]) == ("CG702", 0, "file")


@pytest.mark.parametrize("left", ["no file", "no run"])
def test_an_empty_history_is_no_pass(sample, tmp_path, left):
    """Exit 3: nothing was proven."""
    shutil.copytree(sample, tmp_path / "sample")
    config = tmp_path / "sample" / "corpusguard.toml"
    if left == "no run":
        History.open(tmp_path / "sample" / "history.db").close()

    done = call("history", "verify", "-c", config)

    assert done.exit_code == 3
    assert "nothing is proven" in done.stderr
    assert "next: run corpusguard verify" in done.stderr


def test_a_head_kept_outside_is_looked_for(project):
    """In the chain: 0 and which run; not in it, or no history left at all: 4; no head: 2."""
    head = head_of(project)

    kept = call(
        "history", "verify", "--head", head.upper().replace("SHA256", "sha256"), "-c", project
    )
    other = call("history", "verify", "--head", "0" * 64, "-c", project)
    wrong = call("history", "verify", "--head", "main", "-c", project)
    (project.parent / "history.db").unlink()
    gone = call("history", "verify", "--head", head, "-c", project)

    assert (kept.exit_code, "of run 1" in kept.stdout) == (0, True)
    assert (other.exit_code, "its end was cut off" in other.stdout) == (4, True)
    assert (wrong.exit_code, "history head" in wrong.stderr) == (2, True)
    assert (gone.exit_code, "there is no history" in gone.stdout) == (4, True)


def test_a_run_under_way_is_not_disturbed(project):
    """75: its unfinished rows would be taken for tampering, and reading would hold it up."""
    with RunLock(project.parent / "history.db.lock"):
        assert call("history", "verify", "-c", project).exit_code == 75


def test_verify_prints_the_head_and_puts_it_into_json_and_a_file(project):
    """Three ways out of the database, one head."""
    text = project.read_text(encoding="utf-8")
    project.write_text(
        text.replace("[corpusguard]", '[corpusguard]\nhead_file = "kept/head"', 1), encoding="utf-8"
    )
    (project.parent / "kept").mkdir()

    done = call("verify", "--offline", "-f", "json", "-c", project)

    head = head_of(project)
    assert json.loads(done.stdout)["head"] == head
    assert f"head {head} (run 2)" in done.stderr.splitlines()
    assert (project.parent / "kept" / "head").read_text(encoding="utf-8") == f"{head}\n"


def test_a_head_file_that_cannot_be_written_is_exit_4(project):
    """The run is recorded all the same."""
    text = project.read_text(encoding="utf-8")
    project.write_text(
        text.replace("[corpusguard]", '[corpusguard]\nhead_file = "nowhere/head"', 1),
        encoding="utf-8",
    )

    done = call("verify", "--offline", "-c", project)

    assert done.exit_code == 4
    assert call("history", "verify", "-c", project).exit_code == 0
    assert "of run 2" in call("history", "head", "-c", project).stderr


def test_a_proof_is_exported_and_checked_by_the_script(project, tmp_path):
    """From the command line to a checker that knows nothing of corpusguard."""
    head = head_of(project)
    passage = f"{DOCUMENT}#sec_1__subsec_1"

    done = call(
        "history", "prove", "--run", 1, "-d", DOCUMENT, "--passage", passage, "-c", project
    )  # fmt: skip
    (tmp_path / "proof.json").write_text(done.stdout, encoding="utf-8")
    script = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path / "proof.json"), head],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.exit_code == 0, done.stderr
    assert check_proof(json.loads(done.stdout), head)["id"] == passage
    assert script.returncode == 0, script.stdout
    missing = call(
        "history", "prove", "--run", 9, "-d", DOCUMENT, "--passage", passage, "-c", project
    )  # fmt: skip
    assert (missing.exit_code, "run 9 has no record" in missing.stderr) == (2, True)


def test_an_unknown_document_is_blamed_for_itself(project):
    """Not its passage; a corpus that does not hold it is named too."""
    arguments = ("history", "prove", "--run", 1, "--passage", "x", "-c", project)
    document = call(*arguments, "-d", "ca-on/statute/00z01@en")
    corpus = call(*arguments, "-d", DOCUMENT, "--corpus", "other")

    assert (document.exit_code, corpus.exit_code) == (2, 2)
    assert "run 1 has no document 'ca-on/statute/00z01@en'" in " ".join(document.stderr.split())
    assert "of corpus 'other'" in " ".join(corpus.stderr.split())
    assert "passage" not in document.stderr


def test_runs_are_listed_newest_first_with_their_heads(project):
    """Number, time, verdict, state and head; a run that never ended has no head."""
    first = head_of(project)
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 1
    second = head_of(project)
    assert first != second

    found = json.loads(call("history", "list", "-f", "json", "-c", project).stdout)["runs"]
    text = call("history", "list", "-c", project).stdout
    newest = json.loads(call("history", "list", "--limit", 1, "-f", "json", "-c", project).stdout)

    assert [(one["run"], one["head"]) for one in found] == [(2, second), (1, first)]
    assert {(one["verdict"], one["state"], one["exit_code"]) for one in found} == {
        ("violated", "finished", 1)
    }
    assert [one["run"] for one in newest["runs"]] == [2]
    for word in (first[7:19], second[7:19], "violated", "finished"):
        assert word in text


def git(folder, *arguments):
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_head_goes_into_a_git_tag(project, monkeypatch):
    """Once; a tag of that name, a name like an option and no repository are refused."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A Person")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "person@example.org")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parents[1]))
    outside = call("history", "anchor", "--git", "night-1", "-c", project)
    git(project.parent, "init", "-q")
    git(project.parent, "commit", "-q", "--allow-empty", "-m", "first")

    done = call("history", "anchor", "--git", "night-1", "-c", project)
    again = call("history", "anchor", "--git", "night-1", "-c", project)
    option = call("history", "anchor", "--git=--delete", "-c", project)

    assert outside.exit_code == 2
    assert done.exit_code == 0, done.stderr
    assert f"corpusguard head {head_of(project)} (run 1)" in git(
        project.parent, "cat-file", "tag", "night-1"
    )
    assert (again.exit_code, "already exists" in again.stderr) == (2, True)
    assert option.exit_code == 2
    assert git(project.parent, "tag") == "night-1\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["anchor"],
        ["anchor", "--tsa", "http://127.0.0.1:9/"],
        ["anchor", "--tsa", "http://127.0.0.1:9/", "--token", "t"],
        ["anchor", "--token", "t", "--git", "x"],
        ["verify", "--token", "t"],
        ["verify", "--token", "missing", "--roots", "missing"],
        ["verify", "--token", "missing", "--roots", "missing", "--head", "0" * 64],
    ],
    ids=" ".join,
)
def test_options_that_do_not_go_together_are_usage_errors(project, arguments):
    """With the next step."""
    done = call("history", *arguments, "-c", project)

    assert done.exit_code == 2
    assert "next: " in done.stderr
