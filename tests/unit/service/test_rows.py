"""Rows of a corpus on disk: what goes in comes out, and every byte counts."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusguard.config import Config
from corpusguard.errors import CorpusUnreadable, StorageError
from corpusguard.model import CorpusSpec, Passage
from corpusguard.service.rows import read_rows, store_digest
from corpusguard.service.spool import Spool

TEXTS = st.text(st.characters(), max_size=12)
PASSAGES = st.lists(
    st.builds(
        Passage,
        row=st.just(0),
        id=TEXTS,
        document=st.sampled_from(["a@en", "b@en", "ca-on/statute/26a91@en"]),
        text=TEXTS,
        section=st.none() | TEXTS,
        subsection=st.none() | TEXTS,
        heading=st.none() | TEXTS,
        ordinal=st.none() | st.integers(-(2**70), 2**70),
        status=st.none() | TEXTS,
        where=TEXTS,
    ),
    max_size=12,
)


def numbered(passages):
    return [
        Passage(**{name: getattr(one, name) for name in one.__dataclass_fields__} | {"row": row})
        for row, one in enumerate(passages)
    ]


@settings(max_examples=60)
@given(PASSAGES)
def test_rows_come_back_as_they_were_in_their_order_with_ids_counted_over_the_store(passages):
    rows = numbered(passages)
    spool = Spool(rows)
    try:
        ids = [one.id for one in rows]
        for document in {one.document for one in rows}:
            own = [one for one in rows if one.document == document]
            assert spool.passages(document) == own
            assert spool.count(document) == len(own)
            repeated = {one.id: ids.count(one.id) for one in own if ids.count(one.id) > 1}
            assert spool.times(document) == repeated
        assert spool.documents() == sorted({one.document for one in rows})
    finally:
        spool.close()


def passage(**changes):
    return Passage(**{"row": 0, "id": "1", "document": "a@en", "text": "law"} | changes)


def digest(*passages):
    spool = Spool(passages)
    try:
        return spool.digest("a@en")
    finally:
        spool.close()


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "2"},
        {"text": "law "},
        {"text": "\ud800"},
        {"section": ""},
        {"subsection": "1"},
        {"heading": "1"},
        {"ordinal": 1},
        {"status": "in force"},
    ],
)
def test_every_field_of_a_row_is_in_the_digest(changes):
    assert digest(passage(**changes)) != digest(passage())


def test_the_place_of_a_row_is_not_in_the_digest_but_order_and_number_are():
    one, two = passage(), passage(row=1, id="2")

    assert digest(passage(row=7, where="x:1")) == digest(one)
    assert len({digest(one), digest(one, two), digest(two, one), digest()}) == 4


def test_where_one_part_ends_is_in_the_digest():
    """``a_b`` + ``c`` is not ``a`` + ``b_c``."""
    assert digest(passage(id="a", text="bc")) != digest(passage(id="ab", text="c"))
    assert digest(passage(section="1", subsection=None)) != digest(
        passage(section=None, subsection="1")
    )


def test_a_second_row_of_an_id_in_another_document_is_in_the_digest():
    elsewhere = passage(row=1, document="b@en")

    assert digest(passage(), elsewhere) != digest(passage())


def test_no_space_for_the_spool_is_a_storage_error(monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(sqlite3, "connect", full)

    with pytest.raises(StorageError, match="disk is full") as caught:
        Spool([])

    assert caught.value.hint


@pytest.fixture
def project(tmp_path):
    spec = CorpusSpec(name="all", reader="jsonl", path="rows.jsonl", document_field="document")
    config = Config(
        root=tmp_path,
        history=tmp_path / "history.db",
        snapshots=tmp_path / "snapshots",
        sources=(),
        corpora=(spec,),
    )
    return config, spec


def write(config, *rows):
    text = "".join(
        json.dumps({"id": "1", "document": "a@en", "text": "x"} | row) + "\n" for row in rows
    )
    Path(config.root, "rows.jsonl").write_text(text, encoding="utf-8")


def test_a_store_that_history_knows_is_not_read_until_a_row_is_needed(project):
    config, spec = project
    write(config, {}, {"id": "2"})
    asked = []
    with read_rows(config, spec, ["a@en"]) as first:
        known = {name: (first.digest(name), first.count(name)) for name in first.documents()}

    def look_up(store):
        asked.append(store)
        return known

    with read_rows(config, spec, ["a@en"], look_up) as rows:
        assert asked == [store_digest(config, spec, ["a@en"])]
        assert rows._spool is None
        assert (rows.digest("a@en"), rows.count("a@en")) == known["a@en"]
        assert [one.id for one in rows.passages("a@en")] == ["1", "2"]


def test_a_store_that_changes_between_digest_and_reading_is_not_believed(project):
    config, spec = project
    write(config, {})
    with read_rows(config, spec, ["a@en"]) as first:
        known = {"a@en": (first.digest("a@en"), 1)}
    with read_rows(config, spec, ["a@en"], lambda _: known) as rows:
        write(config, {"text": "y"})

        with pytest.raises(CorpusUnreadable, match="changed while it was read"):
            rows.passages("a@en")


def test_the_store_digest_changes_with_bytes_mapping_and_listed_documents(project):
    config, spec = project
    write(config, {})
    before = store_digest(config, spec, ["a@en"])
    other = CorpusSpec(name="all", reader="jsonl", path="rows.jsonl", document_field="doc")

    assert store_digest(config, spec, ["a@en"]) == before
    assert store_digest(config, other, ["a@en"]) != before
    assert store_digest(config, spec, ["a@en", "b@en"]) != before
    write(config, {"text": "y"})
    assert store_digest(config, spec, ["a@en"]) != before


def test_a_store_that_is_no_single_file_has_no_digest(project):
    config, _ = project

    assert store_digest(config, CorpusSpec(name="s", reader="sqlite", path="x"), []) == ""
    with pytest.raises(CorpusUnreadable):
        store_digest(config, CorpusSpec(name="s", reader="jsonl", path="gone"), [])
