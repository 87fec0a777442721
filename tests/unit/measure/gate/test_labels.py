"""Labellers see source and sentence and nothing else, and their answers come in whole or not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from corpusguard.measure.gate.items import Label


@pytest.fixture
def sheets(cli, draft, tmp_path):
    (tmp_path / "draft.json").write_bytes(draft.dump())
    words = [word for who in "abc" for word in ("--labeller", who)]
    code, _, said = cli("label", "export", "draft.json", *words, "-o", "sheets")
    assert code == 0, said
    return tmp_path / "sheets"


def _rows(folder, who):
    paths = sorted(folder.glob(f"{who}-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def test_a_sheet_shows_source_and_sentence_only(sheets, draft):
    """Every item once, at most 120 in a sheet, in an order of its own for each labeller."""
    orders = []
    for who in "abc":
        rows = _rows(sheets, who)
        assert all(row.keys() == {"id", "source", "sentence"} for row in rows)
        assert sorted(row["id"] for row in rows) == [item.id for item in draft.items]
        orders.append([row["id"] for row in rows])
    assert orders[0] != orders[1] != orders[2] != orders[0]
    assert max(len(path.read_text().splitlines()) for path in sheets.glob("*.jsonl")) <= 120
    text = (sheets / "INSTRUCTIONS.md").read_text()
    assert "supported" in text
    assert not any(kind in text for kind in ("dropped_condition", "natural", "verdict"))


def _answer(sheets, tmp_path, who, label):
    lines = [json.dumps({"id": row["id"], "label": label(row)}) for row in _rows(sheets, who)]
    path = tmp_path / f"answers-{who}.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_votes_give_majority_splits_and_agreement(cli, sheets, draft, tmp_path):
    """Three agree but on ten items, where one errs: ten splits, nothing contested."""
    meant = {item.id: str(item.intended) for item in draft.items}
    other = {"supported": "unsupported", "unsupported": "supported"}
    odd = sorted(meant)[:10]
    for who in "abc":
        path = _answer(
            sheets,
            tmp_path,
            who,
            lambda row, who=who: (
                other[meant[row["id"]]] if who == "b" and row["id"] in odd else meant[row["id"]]
            ),
        )
        code, _, said = cli("label", "import", "draft.json", path, "--labeller", who)
        assert code == 0, said
    code, out, _ = cli("label", "agreement", "draft.json")
    found = json.loads(out)
    assert code == 0
    assert sum(found[half]["split"] for half in ("dev", "sealed")) == 10
    assert sum(found[half]["set_aside"] for half in ("dev", "sealed")) == 0
    for half in ("dev", "sealed"):
        assert found[half]["cohen"]["a/c"] == 1.0
        assert found[half]["cohen"]["a/b"] < 1.0 or found[half]["split"] == 0
        assert found[half]["fleiss"] <= 1.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "have no answer"),
        (lambda lines: [*lines, lines[0]], "answered twice"),
        (lambda lines: [*lines, '{"id": "i0", "label": "supported"}'], "no item"),
        (lambda lines: ['{"id": "i0", "label": "SUPPORTED? No."}', *lines[1:]], "is no answer"),
        (lambda lines: ["supported", *lines[1:]], "is no answer"),
        (lambda lines: ["[" * 100_000, *lines[1:]], "is no answer"),
    ],
)
def test_answers_come_in_whole_or_not_at_all(change, said, cli, sheets, tmp_path):
    """What is wrong is named by file and line, and the draft is as it was."""
    path = _answer(sheets, tmp_path, "a", lambda _row: "supported")
    path.write_text("\n".join(change(path.read_text().split("\n"))))
    before = (tmp_path / "draft.json").read_bytes()
    code, _, error = cli("label", "import", "draft.json", path, "--labeller", "a")
    assert (code, said in error) == (2, True), error
    assert (tmp_path / "draft.json").read_bytes() == before


def test_agreement_of_nobody_is_refused(cli, sheets, tmp_path):
    """Two halves of which one labeller answered one are no agreement, nor is no answer at all."""
    found = json.loads((tmp_path / "draft.json").read_text())
    found["dev"][0]["votes"] = {"a": found["dev"][0]["label"]}
    (tmp_path / "draft.json").write_text(json.dumps(found))
    code, _, said = cli("label", "agreement", "draft.json")
    assert (code, "has answered every item" in said) == (2, True)


def test_build_refuses_to_replace_a_draft(cli, sheets, tmp_path):
    """It may hold votes."""
    before = (tmp_path / "draft.json").read_bytes()
    code, _, said = cli(
        "build", "--dev", "x", "--sealed", "y", "-o", "draft.json", "--name", "n", "--seed", 1
    )
    assert (code, "is there already" in said) == (2, True)
    assert (tmp_path / "draft.json").read_bytes() == before


@pytest.mark.parametrize(
    ("votes", "majority", "contested", "split"),
    [
        ("", None, False, False),
        ("uuu", "unsupported", False, False),
        ("uus", "unsupported", False, True),
        ("uss", "supported", True, True),
        ("us", None, True, True),
        ("uuss", None, True, True),
    ],
)
def test_more_than_half_decide_and_a_tie_is_contested(votes, majority, contested, split, draft):
    """Of an item that was meant to be unsupported."""
    item = next(item for item in draft.dev if item.intended is Label.UNSUPPORTED)
    names = {"u": Label.UNSUPPORTED, "s": Label.SUPPORTED}
    item = replace(item, votes={f"l{n}": names[vote] for n, vote in enumerate(votes)})
    assert (item.majority, item.contested, item.split) == (majority, contested, split)


def _verdicts(draft, contested):
    return [
        {"id": item.id, "verdict": "contested", "reason": "It  could\nbe read otherwise."}
        if item.id in contested
        else {"id": item.id, "verdict": "ok", "reason": ""}
        for item in draft.items
    ]


def _audited(cli, tmp_path, rows):
    path = tmp_path / "audit.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return cli("label", "audit", "draft.json", path)


def _labelled(cli, sheets, draft, tmp_path):
    meant = {item.id: str(item.intended) for item in draft.items}
    for who in "abc":
        path = _answer(sheets, tmp_path, who, lambda row: meant[row["id"]])
        assert cli("label", "import", "draft.json", path, "--labeller", who)[0] == 0


def test_what_an_audit_disputes_is_set_aside_and_counted(cli, sheets, draft, tmp_path):
    """Labellers may be wrong together: a second pass argues against each label."""
    _labelled(cli, sheets, draft, tmp_path)
    contested = {item.id for item in draft.dev[:3]} | {item.id for item in draft.sealed[:2]}
    code, _, said = _audited(cli, tmp_path, _verdicts(draft, contested))
    assert code == 0, said
    assert "5 of" in said

    found = json.loads(cli("label", "agreement", "draft.json")[1])
    assert (found["dev"]["set_aside"], found["sealed"]["set_aside"]) == (3, 2)
    assert found["sealed"]["fleiss"] == 1.0
    stored = json.loads((tmp_path / "draft.json").read_text())
    reasons = {row["disputed"] for row in stored["dev"] if "disputed" in row}
    assert reasons == {"It could be read otherwise."}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows[1:],
        lambda rows: [*rows, rows[0]],
        lambda rows: [{**rows[0], "id": "stranger"}, *rows[1:]],
        lambda rows: [{**rows[0], "verdict": "fine"}, *rows[1:]],
        lambda rows: [{**rows[0], "verdict": "contested"}, *rows[1:]],
        lambda rows: [{**rows[0], "reason": "but it is right"}, *rows[1:]],
        lambda rows: ["[]", *rows[1:]],
        lambda rows: ["{", *rows[1:]],
        lambda rows: ["[" * 50_000, *rows[1:]],
    ],
)
def test_an_audit_comes_whole_or_not_at_all(cli, sheets, draft, tmp_path, spoil):
    """A verdict that is missing, double, unknown or without its reason changes nothing."""
    _labelled(cli, sheets, draft, tmp_path)
    before = (tmp_path / "draft.json").read_bytes()
    code, _, said = _audited(cli, tmp_path, spoil(_verdicts(draft, set())))

    assert code == 2, said
    assert (tmp_path / "draft.json").read_bytes() == before


def test_labels_come_before_their_audit(cli, sheets, draft, tmp_path):
    """There is nothing to audit in a draft without labels."""
    code, _, said = _audited(cli, tmp_path, _verdicts(draft, set()))

    assert code == 2
    assert "label import" in said
