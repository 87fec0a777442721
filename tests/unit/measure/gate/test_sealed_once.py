"""A sealed run has one result, under the bars it was promised with, whatever is put back or edited."""

from __future__ import annotations

import json
import shutil

import pytest

SUBJECT = ("--subject", "substring")


@pytest.fixture
def stopped(promise, sealed_run, monkeypatch, tmp_path):
    """A sealed run that was stopped after its items; its preregistration, and its journal."""

    def full(*_):
        raise OSError("no room")

    file = promise("quoting", *SUBJECT)
    with monkeypatch.context() as patch:
        patch.setattr("corpusguard.service.measuring.dump_verdicts", full)
        assert sealed_run(file, "out", *SUBJECT)[0] != 0
    return file, tmp_path / "out/unfinished.jsonl"


def ends(tmp_path):
    lines = (tmp_path / "ledger.jsonl").read_text().splitlines()
    return sum(json.loads(line)["entry"] == "end" for line in lines)


def edited(journal, change):
    header, *rest = journal.read_text().splitlines()
    record = json.loads(header)
    change(record)
    line = json.dumps(record, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    journal.write_text("\n".join([line, *rest, ""]))


@pytest.mark.parametrize("kept", [1, 5, None])
def test_a_journal_that_is_put_back_is_no_further_attempt(kept, stopped, sealed_run, tmp_path):
    """Its header alone, some outcomes, or all of them with one changed: refused before any item."""
    file, journal = stopped
    lines = journal.read_text().splitlines(keepends=True)
    code, _, said = sealed_run(file, "out", *SUBJECT)
    assert code in (0, 1), said
    if kept is None:
        lines[-1] = lines[-1].replace('"stripped"', '"error"').replace('"ships"', '"error"')
    (tmp_path / "again").mkdir()
    (tmp_path / "again/unfinished.jsonl").write_text("".join(lines[:kept]))
    code, _, said = sealed_run(file, "again", *SUBJECT)
    assert (code, "has ended, with other verdicts" in said) == (2, True), said
    assert ends(tmp_path) == 1
    assert [path.name for path in (tmp_path / "again").iterdir()] == ["unfinished.jsonl"]


def test_a_run_stopped_after_its_end_was_entered_writes_its_results(stopped, sealed_run, tmp_path):
    """The very same verdicts are no second result."""
    file, _ = stopped
    shutil.copytree(tmp_path / "out", tmp_path / "copy")
    assert sealed_run(file, "out", *SUBJECT)[0] in (0, 1)
    code, _, said = sealed_run(file, "copy", *SUBJECT)
    assert code in (0, 1), said
    assert ends(tmp_path) == 1
    one, other = (tmp_path / name / "verdicts.jsonl" for name in ("out", "copy"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            lambda it: it.update(preregistration=it["preregistration"].replace("0.03", "1")),
            "ledger",
        ),
        (lambda it: it.update(attempt=2), "ledger"),
        (lambda it: it.update(design="another"), "ledger"),
        (lambda it: it.update(ledger_head="0" * 64), "ledger"),
        (lambda it: it.update(ledger_entry=1), "ledger"),
        (lambda it: it["subject"].update(subject="corpusguard"), "subject"),
        (lambda it: it.update(fixture_version=9), "fixture version"),
        (lambda it: it.update(note="peer reviewed"), "note"),
        (lambda it: it.pop("tool"), "tool"),
    ],
)
def test_what_a_stopped_run_says_of_itself_cannot_be_edited(
    change, named, stopped, sealed_run, tmp_path
):
    file, journal = stopped
    edited(journal, change)
    code, _, said = sealed_run(file, "out", *SUBJECT)
    assert (code, f"with another {named}" in said) == (2, True), said
    assert ends(tmp_path) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [('"tries":1', '"tries":0'), ('"tries":1', '"tries":true'), ('"calls":[]', '"calls":[{}]')],
)
def test_an_outcome_that_no_verdicts_may_have_is_refused_before_the_run(
    old, new, stopped, sealed_run
):
    """Else all would be asked, and nothing could be published."""
    file, journal = stopped
    journal.write_text(journal.read_text().replace(old, new, 1))
    code, _, said = sealed_run(file, "out", *SUBJECT)
    assert (code, "line 2 is not what was written" in said) == (4, True), said


def test_a_fixture_by_another_name_gives_no_further_attempt(promise, sealed_run, tmp_path):
    """What counts is the sealed half, by its digest."""
    file = promise("quoting", *SUBJECT)
    for folder in ("one", "two"):
        assert sealed_run(file, folder, *SUBJECT)[0] in (0, 1)
    fixture = tmp_path / "fixture.json"
    fixture.write_text(fixture.read_text().replace('"name":"bridge"', '"name":"ferry"'))
    code, _, said = sealed_run(promise("quoting", *SUBJECT), "three", *SUBJECT)
    assert (code, "has had its 2 sealed runs" in said) == (2, True), said
    assert ends(tmp_path) == 2


def test_verdicts_of_a_second_end_are_not_those_of_the_ledger(cli, stopped, sealed_run, tmp_path):
    """A ledger that was extended with another end still knows the first."""
    from corpusguard.evidence.canonical import sha256_hex  # noqa: PLC0415
    from corpusguard.measure.gate.ledger import load_ledger  # noqa: PLC0415

    file, _ = stopped
    assert sealed_run(file, "out", *SUBJECT)[0] in (0, 1)
    data = (tmp_path / "out/verdicts.jsonl").read_bytes()
    body = data.replace(b'"decision":"stripped"', b'"decision":"error"', 1)
    body, _, _ = body[:-1].rpartition(b"\n")
    seal = {"items": body.count(b"\n"), "sha256": sha256_hex(body + b"\n")}
    other = body + b"\n" + json.dumps(seal, separators=(",", ":")).encode() + b"\n"
    (tmp_path / "out/verdicts.jsonl").write_bytes(other)
    path = tmp_path / "ledger.jsonl"
    ledger = load_ledger(path.read_bytes(), "ledger")
    line = ledger.line("end", "2026-01-01T00:00:00Z", begin=2, verdicts=sha256_hex(other))
    path.write_bytes(path.read_bytes() + line)
    words = ("recompute", "out/verdicts.jsonl", "--ledger", "ledger.jsonl")
    code, _, said = cli(*words)
    assert (code, "knows no sealed run with these verdicts" in said) == (4, True), said
