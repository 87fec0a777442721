"""A judge whose error rates are known scores them, and every figure follows from the verdicts."""

from __future__ import annotations

import json
import re

import pytest

SUBJECTS = {
    # name: false pass, false strip, lost, errors, exit code
    "always-pass": (1.0, 0.0, 0.0, 0.0, 0),
    "always-strip": (0.0, 1.0, 1.0, 0.0, 0),
    "always-raise": (0.0, 0.0, 1.0, 1.0, 3),
}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_subject_that_always_does_the_same_scores_it(name, cli, sealed_fixture, tmp_path):
    """Always pass: 100% false pass; always strip: 100% false strip; always raise: 100% errors."""
    code, _, said = cli("run", "--fixture", "fixture.json", "--subject", name, "-o", "out")
    *expected, exit_code = SUBJECTS[name]
    assert code == exit_code, said
    shares = json.loads((tmp_path / "out/results.json").read_text())["figures"]["shares"]
    rates = [shares[key]["rate"] for key in ("false_pass", "false_strip", "lost", "errors")]
    assert rates == expected
    assert all(shares[key]["total"] > 20 for key in ("false_pass", "false_strip"))
    for key, share in shares.items():
        if share["total"] and key.startswith("kind."):
            assert share["rate"] == expected[0], key
        if share["total"] and key.startswith("tier."):
            assert share["rate"] == expected[2], key


def test_items_that_came_out_wrong_are_named_with_the_gates_word(cli, sealed_fixture, tmp_path):
    """In results, verdicts and on the page; of a subject without words, without one."""
    for subject in ("corpusguard", "always-pass"):
        folder = tmp_path / subject
        cli("run", "--fixture", sealed_fixture, "--subject", subject, "-o", folder)
        found = json.loads((folder / "results.json").read_text())
        shares, wrong = found["figures"]["shares"], found["wrong"]
        hits = sum(shares[name]["hits"] for name in ("false_pass", "false_strip", "errors"))
        assert len(wrong) == hits > 0
        lines = [json.loads(one) for one in (folder / "verdicts.jsonl").read_text().splitlines()]
        told = {one["id"]: one.get("reason", "") for one in lines[1:-1]}
        page = (folder / "results.html").read_text()
        for one in wrong:
            assert one["reason"] == told[one["id"]]
            assert bool(one["reason"]) == (subject == "corpusguard")
            assert one["id"] in page
        assert "the bootstrap is called degenerate" in page
        cli("recompute", folder / "verdicts.jsonl", "--fixture", sealed_fixture)
    assert re.search(r"0 of \d+; 95%: [^<]+; bound ≤", page)


def test_the_sealed_half_scores_the_same_way(cli, sealed_fixture, promise, sealed_run, tmp_path):
    """A sealed run needs its promise and its key, and reports the bars that broke."""
    file = promise("everything", "--subject", "always-pass")
    code, _, said = sealed_run(file, "out", "--subject", "always-pass")
    assert code == 1
    assert "BROKEN" in said
    results = json.loads((tmp_path / "out/results.json").read_text())
    assert results["figures"]["shares"]["false_pass"]["rate"] == 1.0
    bars = {bar["figure"]: bar["held"] for bar in results["bars"]}
    assert bars == {
        "false_pass": False,
        "kind.dropped_condition": False,
        # five families without a case bound the rate by 3/5, not by 5%
        "tier.verbatim": False,
    }
    assert results["run"]["attempt"] == 1


def test_no_sealed_sentence_is_published(
    cli, labelled, sealed_fixture, promise, sealed_run, tmp_path
):
    """Neither fixture nor ledger nor any file of a run holds a sealed sentence or source."""
    file = promise("quiet", "--subject", "substring")
    sealed_run(file, "out", "--subject", "substring")
    published = [sealed_fixture, tmp_path / "ledger.jsonl", *(tmp_path / "out").iterdir()]
    assert len(published) == 6
    for path in published:
        text = path.read_text()
        for item in labelled.sealed:
            assert item.sentence not in text, path
            assert item.source.splitlines()[-1] not in text, path
    # The search would find them: the draft holds every one.
    draft = (tmp_path / "draft.json").read_text()
    assert all(json.dumps(item.sentence, ensure_ascii=False) in draft for item in labelled.sealed)


@pytest.mark.parametrize("half", ["dev", "sealed"])
def test_recompute_reproduces_every_figure(
    half, cli, sealed_fixture, promise, sealed_run, tmp_path
):
    """From verdicts alone: the same results, byte for byte where they are printed again."""
    if half == "sealed":
        sealed_run(promise("quote", "--subject", "substring"), "out", "--subject", "substring")
    else:
        cli("run", "--fixture", "fixture.json", "--subject", "substring", "-o", "out")
    words = ("--fixture", "fixture.json", "--ledger", "ledger.jsonl")
    words = words if half == "sealed" else words[:2]
    code, _, said = cli("recompute", "out/verdicts.jsonl", *words)
    assert (code, "every published figure follows" in said) == (0, True)

    results = tmp_path / "out/results.json"
    found = json.loads(results.read_text())
    assert found["figures"]["shares"]["false_pass"]["hits"] > 0
    found["figures"]["shares"]["false_pass"]["hits"] -= 1
    results.write_text(json.dumps(found))
    code, _, said = cli("recompute", "out/verdicts.jsonl", *words)
    assert (code, "figures.shares.false_pass.hits" in said) == (1, True)


def test_what_is_contested_is_set_aside(cli, labelled, tmp_path):
    """An item that two of three call otherwise than meant is counted, and in no figure."""
    first = labelled.dev[0]
    other = next(label for label in type(first.intended) if label != first.intended)
    votes = {item.id: item.intended for item in labelled.items} | {first.id: other}
    contested = labelled.voted("b", votes)
    (tmp_path / "draft.json").write_bytes(contested.dump())
    assert cli("seal", "draft.json", "-o", "f.json", "--key-file", "k.txt")[0] == 0
    cli("run", "--fixture", "f.json", "--subject", "always-pass", "-o", "out")
    results = json.loads((tmp_path / "out/results.json").read_text())
    assert results["figures"]["set_aside"] == 1
    assert results["figures"]["shares"]["errors"]["total"] == len(labelled.dev) - 1
    row = next(
        json.loads(line)
        for line in (tmp_path / "out/verdicts.jsonl").read_text().splitlines()
        if first.id in line
    )
    assert (row["set_aside"], row["decision"], row["label"]) == (True, "", str(other))
    assert cli("recompute", "out/verdicts.jsonl", "--fixture", "f.json")[0] == 0


def test_the_paired_rate_counts_only_where_the_sound_sentence_ships(cli, labelled, tmp_path):
    """Substring matching ships verbatim quotations, so pairs are verbatim ones."""
    (tmp_path / "draft.json").write_bytes(labelled.dump())
    cli("seal", "draft.json", "-o", "f.json", "--key-file", "k.txt")
    cli("run", "--fixture", "f.json", "--subject", "substring", "-o", "out")
    shares = json.loads((tmp_path / "out/results.json").read_text())["figures"]["shares"]
    verbatim = {item.id for item in labelled.dev if item.klass == "verbatim"}
    pairs = [item for item in labelled.dev if item.intended == "unsupported"]
    assert shares["paired"]["total"] == sum(item.pair in verbatim for item in pairs)
    assert 0 < shares["paired"]["total"] < shares["false_pass"]["total"]
