"""The compliance report of a real run, as JSON: its figures, its evidence, its check."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sqlite3

import pytest

from corpusguard.history import History
from corpusguard.locking import RunLock
from tests.replica.law import Law, section
from tests.unit.cli.conftest import call


@pytest.fixture(scope="module")
def project(verified, tmp_path_factory):
    """A configuration with two runs of its own, the second offline too."""
    folder = tmp_path_factory.mktemp("report") / "sample"
    shutil.copytree(verified.parent, folder)
    config = folder / "corpusguard.toml"
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
    return config


def made(config, *more):
    result = call("report", "--format", "json", *more, "-c", config)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def content(project):
    return json.loads(made(project))


def test_a_report_says_what_the_run_said(project, content):
    """Counts, verdict and documents are those that `findings list` and history give."""
    listed = json.loads(
        call("findings", "list", "-f", "json", "--limit", "1000", "-c", project).stdout
    )
    shown = [
        fault["fingerprint"]
        for document in content["documents"]
        for rule in document["faults"]
        for section in rule["sections"]
        for fault in section["faults"]
    ]
    assert sorted(shown) == sorted(one["fingerprint"] for one in listed["findings"])
    assert len(shown) > 15
    assert content["answer"]["verdict"] == "violated"
    assert content["errors"] == sum(one["severity"] == "error" for one in listed["findings"])
    assert {one["id"] for one in content["documents"]} == {
        one["document"] for one in listed["findings"]
    }


def test_the_head_is_that_of_the_run(project, content):
    """The report names the head that `history verify --head` finds in the chain."""
    head = call("history", "head", "-c", project).stdout.strip()
    assert content["run"]["head"] == head
    assert content["run"]["number"] == 2
    assert any(head in step["command"] for step in content["steps"])


def test_the_same_run_gives_the_same_bytes_whatever_follows(project, tmp_path, monkeypatch):
    """Findings that later go and come back, time zone and locale change nothing in a report."""
    # A copy: the runs that follow would be the last ones of all tests that come after this.
    project = shutil.copytree(project.parent, tmp_path / "copy") / project.name
    before = made(project, "--run", "1")
    rows = project.parent / "faulty.jsonl"
    faulty = rows.read_bytes()
    shutil.copyfile(project.parent / "clean.jsonl", rows)
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 0  # all are resolved
    assert made(project, "--run", "1") == before
    rows.write_bytes(faulty)
    assert call("verify", "--offline", "-q", "-c", project).exit_code == 1  # and back again
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    assert made(project, "--run", "1") == before
    assert made(project, "--run", "2") == made(project, "--run", "2")
    assert json.loads(before)["trend"][-1]["run"] == 1


def test_sections_add_up_to_what_the_run_measured(content):
    """Words per section sum to the words of the run; no more are verified than it counted."""
    for document in content["documents"]:
        sections = document["sections"]
        assert sum(one["words"] for one in sections) == document["words"]
        assert 0 < sum(one["verified"] for one in sections) <= document["covered"]
        assert all(one["verified"] <= one["words"] for one in sections)
        covers = {one["section"]: one["cover"] for one in sections}
        assert {"whole", "part", "none", "repealed"} <= set(
            covers.values()
        ) or "O. Reg" in document["code"]
    act = {one["section"]: one for one in content["documents"][1]["sections"]}
    assert act["31"]["cover"] == "repealed"
    assert act["31"]["errors"] == 1  # and stored as law
    assert act["9"]["cover"] != "whole"  # amended
    assert act["1"]["cover"] == "whole"
    assert content["documents"][1]["strays"] == ["50.1"]


def test_a_law_has_the_title_and_code_that_its_source_file_gives_it(verified, tmp_path):
    """A publisher prints a title in capitals; whoever configured another gets that."""
    folder = tmp_path / "sample"
    shutil.copytree(verified.parent, folder)
    for file in (folder / "sources").glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        text = re.sub(r'(id = "ca-on/statute/19h31@en"\ntitle = )".*"', r'\1"Markets <Act>"', text)
        file.write_text(text, encoding="utf-8")
    documents = json.loads(made(folder / "corpusguard.toml"))["documents"]
    titles = {one["id"]: one["title"] for one in documents}
    assert titles["ca-on/statute/19h31@en"] == "Markets <Act>"
    assert all(title and title != title.upper() for title in titles.values()), titles


def test_json_is_canonical(project):
    """Sorted keys, no blanks, one line: two people compare digests of it."""
    text = made(project)
    value = json.loads(text)
    again = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    assert hashlib.sha256(again.encode()).digest() == hashlib.sha256(text.encode()).digest()


def test_check_accepts_the_report_and_refuses_any_other(project, tmp_path):
    """One byte more, one less, one changed, or another run: exit 1, and where it differs."""
    file = tmp_path / "report.json"
    assert call("report", "-f", "json", "--run", "1", "-o", file, "-c", project).exit_code == 0
    good = call("report", "-f", "json", "--run", "1", "--check", file, "-c", project)
    assert (good.exit_code, good.stdout[:1]) == (0, "✓")
    data = file.read_bytes()
    for bad in (data + b" ", data[:-1], data[:500] + b"#" + data[501:], b""):
        file.write_bytes(bad)
        refused = call("report", "-f", "json", "--run", "1", "--check", file, "-c", project)
        assert refused.exit_code == 1
        assert refused.stdout == ""
        assert "is not the" in refused.stderr
        assert "compared with run 1" in refused.stderr
        assert "[source]" in refused.stderr
    file.write_bytes(data)
    assert call("report", "-f", "json", "--run", "2", "--check", file, "-c", project).exit_code == 1


def copied(project, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(project.parent, folder)
    return folder / "corpusguard.toml"


def test_altered_history_is_refused(project, tmp_path):
    """A verdict that somebody bettered is no evidence: exit 4, the break is named, nothing written."""
    config = copied(project, tmp_path)
    with sqlite3.connect(config.parent / "history.db") as db:
        db.execute("DROP TRIGGER results_never_update")
        db.execute("UPDATE results SET verdict = 'verified' WHERE run = 1")
    result = call("report", "-o", tmp_path / "r.html", "-c", config)
    assert result.exit_code == 4
    assert "does not hold" in result.stderr
    assert not (tmp_path / "r.html").exists()


def test_a_changed_snapshot_is_refused(project, tmp_path):
    """Evidence is the official bytes too."""
    config = copied(project, tmp_path)
    one = next(path for path in (config.parent / "snapshots/objects").rglob("*") if path.is_file())
    one.chmod(0o644)
    one.write_bytes(one.read_bytes() + b" ")
    assert call("report", "-f", "json", "-c", config).exit_code == 4


def test_there_is_no_report_without_a_run(sample, tmp_path):
    """No history, no such run, contradictions: usage errors with a next step."""
    folder = tmp_path / "fresh"
    shutil.copytree(sample, folder)
    missing = call("report", "-c", folder / "corpusguard.toml")
    assert missing.exit_code == 2
    assert "next:" in missing.stderr


def test_usage_errors(project, tmp_path):
    """Each says what to do."""
    for arguments in (
        ["--run", "99"],
        ["--format", "docx"],
        ["--check", tmp_path / "none"],
        ["--check", "/dev/zero"],
        ["--check", project, "--output", tmp_path / "x"],
        ["--output", tmp_path / "no" / "such" / "place"],
    ):
        result = call("report", *arguments, "-c", project)
        assert result.exit_code == 2, result.output
        assert "next:" in result.stderr


def test_a_run_of_one_layer_claims_no_sections(project, tmp_path):
    """Without all three layers nothing is verified, so no section is painted green."""
    config = copied(project, tmp_path)
    call("verify", "--offline", "-q", "--layer", "L1", "-c", config)
    content = json.loads(made(config))
    assert [one["sections"] for one in content["documents"]] == [[], []]
    assert "all three layers" in content["documents"][0]["unmeasured"]
    assert "Only L1 ran" in content["answer"]["long"]


def test_an_aborted_run_answers_nothing(project, tmp_path):
    """A run that was stopped has a report that relies on nothing; it is not the newest finished."""
    config = copied(project, tmp_path)
    with History.open(config.parent / "history.db") as history:
        number = history.begin_run(("L1", "L2", "L3"), "corpusguard 0", "", "2026-11-30T05:00:00Z")
        history.abort_run(number, "2026-11-30T05:00:01Z", 130)
    content = json.loads(made(config, "--run", number))
    assert content["answer"]["verdict"] == "aborted"
    assert "may be relied on" in content["answer"]["long"]
    assert content["documents"] == []
    assert json.loads(made(config))["run"]["number"] < number
    page = call("report", "--run", number, "-c", config).stdout
    assert "answer aborted" in page
    assert "answer verified" not in page


def test_a_run_of_nothing_is_not_proven(project, tmp_path):
    """The corpus is gone: the run's own finding says so, and nothing is green."""
    config = copied(project, tmp_path)
    (config.parent / "faulty.jsonl").unlink()
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 3
    content = json.loads(made(config))
    assert content["answer"]["verdict"] == "unverifiable"
    assert content["documents"] == []
    assert content["own"][0]["rule"] == "CG507"
    page = call("report", "-c", config).stdout
    assert "An empty run is never a pass" in page
    assert "state verified" not in page.partition('id="trend"')[0]


def test_a_run_under_way_is_waited_for_by_the_caller(project):
    """The lock is held: exit 75, as of any command that needs whole evidence."""
    with RunLock(project.parent / "history.db.lock"):
        assert call("report", "-f", "json", "-c", project).exit_code == 75


def test_many_documents_are_folded(tmp_path):
    """Of 30 laws the ones that are wrong come first, and the sound ones are folded away."""
    laws = [
        Law(
            "statute",
            f"26a{n:02d}",
            f"Lamps Act No. {n}, 2026",
            f"S.O. 2026, c. {n}",
            section("1", f"Keeper {n} shall light the lamp."),
        )
        for n in range(1, 31)
    ]
    (tmp_path / "s.toml").write_text(
        '[source]\npublisher = "ontario-elaws"\nbase_url = "https://www.ontario.ca"\n'
        + "".join(f'[[document]]\nid = "{one.id}"\ntitle = "{one.title}"\n' for one in laws)
    )
    config = tmp_path / "corpusguard.toml"
    config.write_text(
        '[corpusguard]\nhistory = "h.db"\nsnapshots = "snap"\nsources = ["s.toml"]\n[[corpus]]\n'
        'name = "lamps"\nreader = "jsonl"\npath = "rows.jsonl"\n'
        'document = { field = "document" }\nrecipe = "section"\n'
    )
    lines = []
    for one in laws:
        (tmp_path / "p.json").write_text(json.dumps(one.payload()))
        assert call("snapshots", "add", one.id, tmp_path / "p.json", "-c", config).exit_code == 0
        lines.append(call("passages", one.id, "--recipe", "section", "-c", config).stdout)
    lines[6] = lines[6].replace("shall", "may")
    (tmp_path / "rows.jsonl").write_text("".join(lines))
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
    page = call("report", "-c", config).stdout
    first = page.partition('<section class="doc"')[0]
    assert "No: in 1 of 30 documents the stored corpus differs" in first
    assert first.index("Lamps Act No. 7, 2026") < first.index("All 30 documents")
    assert first.index("All 30 documents") < first.index("Lamps Act No. 1, 2026")
    assert page.count("layers, dates, digests and coverage</summary>") == 29


@pytest.mark.parametrize("again", [1, 5], ids=["one", "more than are named"])
def test_rows_of_unlisted_documents_are_the_cause_on_the_first_page(sample, tmp_path, again):
    """All documents verified, and yet no pass: the answer says what it is, and who should act."""
    folder = tmp_path / "p"
    shutil.copytree(sample, folder)
    config, corpus = folder / "corpusguard-clean.toml", folder / "clean.jsonl"
    before = corpus.read_text("utf-8")
    row = json.loads(before.splitlines()[0])
    extra = [row | {"id": f"x{n}", "document": f"ca-on/statute/00x0{n}@en"} for n in range(again)]
    corpus.write_text(before + "".join(json.dumps(one) + "\n" for one in extra), "utf-8")
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
    content = json.loads(made(config))
    answer = content["answer"]
    assert "could not be verified" not in answer["short"]
    assert "2 documents verified, but" in answer["long"]
    assert "00x00@en', which no source lists." in answer["long"]
    assert ("And 2 more errors" in answer["long"]) is (again == 5)
    assert content["errors"] == again
    (problem,) = content["problems"]
    assert "which no source lists" in problem["summary"]
    (action,) = content["actions"]
    assert (action["errors"], action["places"]) == (again, [])
    assert "section labels" not in action["what"]
    assert "no source lists" in action["what"]
