"""Which stored passages count: one answer for look-up, source of record and hook, the strict one."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from corpusguard.config import load_config
from corpusguard.errors import CorpusUnreadable
from corpusguard.gate import Citation, Gate, Reason
from corpusguard.service import Service
from corpusguard.service.gate import GateDesk
from tests.unit.gate.tiers import NIGHT, corpus, verified_sample

__all__ = ["corpus", "verified_sample"]

DUES = "ca-on/regulation/190902@en#sec_9__subsec_1"
QUOTED = f"Quay dues shall be paid before the closing bell. [{DUES}]"
SECOND = """
[[corpus]]
name = "twin"
reader = "jsonl"
path = "twin.jsonl"
document = { field = "document" }
recipe = "subsection"
"""


def rows(folder, name="clean.jsonl"):
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def store(folder, rows, name="clean.jsonl"):
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / name).write_text(text, "utf-8")


def verify(folder):
    config = load_config(folder / "corpusguard.toml")
    Service(config).verify(offline=True)
    return config


def verified(folder):
    """Id -> passage, of all that counts."""
    found = Service(load_config(folder / "corpusguard.toml")).verified_passages()
    return {one.id: one for one in found}


def look_up(folder, name=DUES, text=None, corpora=()):
    with GateDesk(load_config(folder / "corpusguard.toml"), corpora) as desk:
        return desk.look_up({name: text})[name]


def test_the_list_and_the_look_up_agree_on_every_row(corpus):
    """Also where some rows are altered, gone or violated."""
    some = rows(corpus)
    some[1]["text"] += " More."
    some[2]["text"] = some[2]["text"].replace("shall", "may")
    del some[3]
    store(corpus, some)
    verify(corpus)
    some[4]["text"] += " Since the run."
    store(corpus, some)

    found = verified(corpus)
    with GateDesk(load_config(corpus / "corpusguard.toml")) as desk:
        one_by_one = desk.look_up(dict.fromkeys(row["id"] for row in some))
    assert set(found) == {name for name, one in one_by_one.items() if not one.refusal}
    assert 0 < len(found) < len(some)
    assert all(one_by_one[name] == one for name, one in found.items())


def test_an_id_of_two_rows_counts_for_nothing_though_both_verified(corpus):
    """The same text twice: refused in every way, with or without the text presented."""
    some = rows(corpus)
    row = next(row for row in some if row["id"] == DUES)
    store(corpus, [*some, row])
    verify(corpus)

    assert look_up(corpus).refusal == "ambiguous_id"
    assert look_up(corpus, text=row["text"]).refusal == "ambiguous_id"
    assert DUES not in verified(corpus)
    with Gate.open(corpus / "corpusguard.toml") as gate:
        decision = gate.check(QUOTED, [Citation(DUES, row["text"])])
    assert decision.text == ""
    assert decision.sentences[0].reason is Reason.AMBIGUOUS_ID

    store(corpus, some)
    verify(corpus)
    assert look_up(corpus).refusal == ""
    assert DUES in verified(corpus)


@pytest.mark.parametrize("document", ["ca-on/regulation/190902@en", "ca-on/statute/19h31@en"])
def test_a_second_row_that_no_run_has_seen_yet_refuses(corpus, document):
    """Of the same law or of another: the store is read, and says so."""
    store(corpus, [*rows(corpus), {"id": DUES, "document": document, "section": "9", "text": "x"}])

    assert look_up(corpus).refusal == "ambiguous_id"
    assert DUES not in verified(corpus)


def test_an_id_of_two_corpora_counts_where_one_is_named(corpus):
    """Until then nobody knows which of them is meant."""
    store(corpus, rows(corpus), "twin.jsonl")
    file = corpus / "corpusguard.toml"
    file.write_text(file.read_text("utf-8") + SECOND, "utf-8")
    assert verified(corpus) == {}  # also before any run has seen the second
    verify(corpus)

    assert look_up(corpus).refusal == "ambiguous_id"
    assert "name one corpus" in look_up(corpus).detail
    assert look_up(corpus, corpora=("twin",)).corpus == "twin"
    assert look_up(corpus, corpora=("twin",)).refusal == ""
    assert verified(corpus) == {}


@pytest.fixture
def labelled(corpus):
    """Every row begins with a label of ingestion."""
    some = [
        {**row, "text": f"Act, s. {row['section']} ({row['heading']}): {row['text']}"}
        for row in rows(corpus)
    ]
    store(corpus, some)
    file = corpus / "corpusguard.toml"
    label = 'strip_prefix = "Act, s. {section} ({heading}): "\n'
    file.write_text(file.read_text("utf-8") + label, "utf-8")
    verify(corpus)
    return corpus


def test_a_label_is_no_law(labelled):
    """It is in no text that may be quoted or that a model is given."""
    presented = next(row["text"] for row in rows(labelled) if row["id"] == DUES)
    label = presented[: presented.index("): ") + 3]
    for text in (None, presented):
        found = look_up(labelled, text=text)
        assert (found.refusal, found.text[: len(label)].strip()) == ("", "")
        assert "Quay dues shall be paid" in found.text
    assert verified(labelled)[DUES].text == look_up(labelled).text
    with Gate.open(labelled / "corpusguard.toml") as gate:
        assert gate.check(QUOTED, [DUES]).ships
        assert not gate.check(f"{label.rstrip(': ')}. [{DUES}]", [DUES]).ships


def test_a_label_that_nobody_can_find_any_more_refuses(labelled):
    """The row left the store after the run: where the label of its text ends is not known."""
    some = rows(labelled)
    presented = next(row["text"] for row in some if row["id"] == DUES)
    store(labelled, [row for row in some if row["id"] != DUES])

    assert look_up(labelled, text=presented).refusal == "gone"


def test_a_label_whose_fields_changed_refuses(labelled):
    """A heading was edited after the run: the text no longer begins with its label."""
    some = rows(labelled)
    for row in some:
        if row["id"] == DUES:
            presented, row["heading"] = row["text"], "Quay"
    store(labelled, some)

    assert look_up(labelled, text=presented).refusal == "text_differs"
    assert DUES not in verified(labelled)


def test_what_is_too_old_or_unreadable_is_no_source(corpus):
    """Nothing counts beyond `max_age`; half a store is none; no run, no source."""
    config = load_config(corpus / "corpusguard.toml")
    with GateDesk(config) as desk:
        assert desk.verified(NIGHT + timedelta(hours=1))
        assert desk.verified(NIGHT + timedelta(days=3)) == []
        assert desk.verified(datetime(2020, 1, 1, tzinfo=UTC)) == []
    (corpus / "clean.jsonl").write_bytes(b'{"id": ')
    with pytest.raises(CorpusUnreadable):
        Service(config).verified_passages()
    (corpus / "history-clean.db").unlink()
    assert Service(config).verified_passages() == []
