"""What `inspect` proposes for stores it has never seen."""

import json
import sqlite3
from pathlib import Path

import pytest

from corpusguard.config import load_config
from corpusguard.corpora import load_passages
from corpusguard.corpora.inspect import propose
from corpusguard.errors import CorpusUnreadable

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "corpora"
real_data = pytest.mark.real_data
needs_data = pytest.mark.skipif(
    not DATA.exists(), reason="the shared folder of stored corpora is absent"
)

URL = "https://www.ontario.ca/laws/statute/19h31"
TEXT = "A stallholder shall keep the quay clear of nets."


def rows(**more):
    return [
        {
            "chunk_id": f"c{n}",
            "content": f"{TEXT} {n}",
            "meta": {"section_no": f"{n}.1", "url": URL},
        }
        | more
        for n in range(1, 6)
    ]


def through_config(root, proposal):
    """Load the proposal as a configuration, and the store by it."""
    (root / "s.toml").write_text(
        '[source]\npublisher = "ontario-elaws"\nbase_url = "https://www.ontario.ca"\n'
        '[[document]]\nid = "ca-on/statute/19h31@en"\ntitle = "Stalls"\n'
        '[[document]]\nid = "ca-on/statute/06r17@en"\ntitle = "Quays"\n',
        encoding="utf-8",
    )
    file = root / "corpusguard.toml"
    file.write_text('[corpusguard]\nsources = ["s.toml"]\n' + proposal.to_toml(), encoding="utf-8")
    config = load_config(file)
    return list(load_passages(config.corpora[0], config.root))


@real_data
@needs_data
def test_real_json_corpus(tmp_path):
    """The 732-chunk corpus is recognised whole: array, fields and document."""
    found = propose(DATA / "rta-732-chunks.json")

    assert (found.reader, found.rows) == ("json", "chunks")
    assert dict(found.fields) == {
        "id": "id",
        "text": "text",
        "section": "metadata.section_number",
        "subsection": "metadata.subsection_number",
    }
    assert found.document == "ca-on/statute/06r17@en"
    assert found.sampled == 200
    assert any("repeat an id" in warning for warning in found.warnings)
    passages = through_config(tmp_path, found)
    assert len(passages) == 732
    assert len({passage.id for passage in passages}) == 678


@real_data
@needs_data
def test_real_jsonl_excerpt():
    """Two JSONL rows without a section field: no section is invented."""
    found = propose(DATA / "chunks.excerpt.jsonl")

    assert found.reader == "jsonl"
    assert dict(found.fields) == {"id": "id", "text": "text", "heading": "heading"}
    assert any("No field looks like a section number" in warning for warning in found.warnings)


@pytest.mark.parametrize("shape", ["jsonl", "array", "object", "pretty"])
def test_json_shapes(tmp_path, shape):
    """One mapping, whichever of the JSON shapes holds the rows; the proposal loads."""
    data = rows()
    path = tmp_path / "My store (2).txt"
    path.write_text(
        {
            "jsonl": "\n".join(json.dumps(row) for row in data),
            "array": json.dumps(data),
            "object": json.dumps({"tags": [{"a": 1}], "out": {"rows": data}}),
            "pretty": json.dumps({"rows": data}, indent=2),
        }[shape],
        encoding="utf-8",
    )

    found = propose(path)

    assert found.reader == ("jsonl" if shape == "jsonl" else "json")
    assert found.rows == {"object": "out.rows", "pretty": "rows"}.get(shape, "")
    assert dict(found.fields) == {"id": "chunk_id", "text": "content", "section": "meta.section_no"}
    assert found.name == "My-store-2"
    assert found.document == "ca-on/statute/19h31@en"
    assert found.filled["meta.section_no"] == 1.0
    assert found.examples["chunk_id"] == ("c1", "c2", "c3")
    assert [passage.section for passage in through_config(tmp_path, found)][:2] == ["1.1", "2.1"]


def test_object_names_the_other_arrays(tmp_path):
    """Where several arrays could be meant, the choice is said."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"tags": [{"a": 1}], "rows": rows()}), encoding="utf-8")

    assert any("rows (5 rows); others: tags (1)" in warning for warning in propose(path).warnings)


def test_one_jsonl_row_is_jsonl(tmp_path):
    """A single row in a .jsonl file is not taken for a JSON object without an array."""
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(rows()[0]), encoding="utf-8")

    assert propose(path).reader == "jsonl"


def test_csv(tmp_path):
    """A CSV is known by its name; values are text."""
    path = tmp_path / "x.csv"
    path.write_text(
        f"id;section;text;source\n1;4;{TEXT};{URL}\n2;;{TEXT};{URL}\n", encoding="utf-8"
    )

    found = propose(path)

    assert (found.reader, found.document) == ("csv", "ca-on/statute/19h31@en")
    assert dict(found.fields) == {"id": "id", "text": "text", "section": "section"}
    assert any("1 of 2 sampled rows have no section" in warning for warning in found.warnings)
    assert found.filled["section"] == 0.5


def test_sqlite_takes_the_table_of_text(tmp_path):
    """The table with text wins over a longer one without; full-text parts are no tables."""
    path = tmp_path / "x.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE log (n); INSERT INTO log VALUES (1), (2), (3);"
        'CREATE TABLE "odd ""name" (id, section, text, doc);'
        f"INSERT INTO \"odd \"\"name\" VALUES ('a', '4', '{TEXT}', 'ca-on/statute/19h31@en');"
        "CREATE VIRTUAL TABLE fts USING fts5(text);"
    )
    connection.commit()
    connection.close()

    found = propose(path)

    assert found.query == 'SELECT * FROM "odd ""name"'
    assert (found.document, found.document_field) == ("", "doc")
    assert any("fts (0)" in warning and "fts_data" not in warning for warning in found.warnings)
    passages = through_config(tmp_path, found)
    assert [(p.id, p.document) for p in passages] == [("a", "ca-on/statute/19h31@en")]


def test_markdown_folder(tmp_path):
    """A folder of Markdown: the id is the path, the text the body."""
    root = tmp_path / "law"
    root.mkdir()
    for n in (1, 2):
        (root / f"{n}.md").write_text(
            f"---\nsection: {n}\nurl: {URL}\n---\n{TEXT}\n", encoding="utf-8"
        )

    found = propose(root)

    assert found.reader == "markdown"
    assert dict(found.fields) == {"id": "id", "text": "text", "section": "section"}
    assert [passage.section for passage in through_config(tmp_path, found)] == ["1", "2"]


def test_field_of_our_name_that_means_something_else(tmp_path):
    """A `section` that holds Part names is mapped away, not taken for a locator."""
    path = tmp_path / "x.jsonl"
    data = [row | {"section": "PART IV STALLS", "ordinal": "third"} for row in rows(meta={})]
    path.write_text("\n".join(json.dumps(row) for row in data), encoding="utf-8")

    found = propose(path)

    assert found.fields["section"] == ""
    assert found.fields["ordinal"] == ""
    assert any("No document is named" in warning for warning in found.warnings)
    assert '# document = "ca-on/statute/' in found.to_toml()


def test_windows_without_ids(tmp_path):
    """Schema 22: plain windows have neither id nor section; the proposal says so and loads."""
    path = tmp_path / "x.json"
    data = [
        {"page_content": f"{TEXT} {n}", "metadata": {"source": URL, "page": 1}} for n in range(3)
    ]
    path.write_text(json.dumps(data), encoding="utf-8")

    found = propose(path)
    passages = through_config(tmp_path, found)

    assert dict(found.fields) == {"id": "", "text": "page_content"}
    assert [(p.id, p.section) for p in passages] == [
        ("row-0", None),
        ("row-1", None),
        ("row-2", None),
    ]


def test_several_documents_without_a_field(tmp_path):
    """A store of several laws cannot be given one id."""
    path = tmp_path / "x.jsonl"
    data = rows()
    data[0]["meta"]["url"] = "https://www.ontario.ca/lois/reglement/120332/v3"
    path.write_text("\n".join(json.dumps(row) for row in data), encoding="utf-8")

    found = propose(path)

    assert found.document == ""
    assert any("ca-on/regulation/120332@fr" in warning for warning in found.warnings)


def test_doubtful_texts_and_ids_are_said(tmp_path):
    """T32: repeated ids, rows without text, and rows where nothing looks like text, are named."""
    path = tmp_path / "x.jsonl"
    path.write_text(
        "\n".join(json.dumps({"id": "a", "text": text}) for text in (TEXT, "", TEXT)),
        encoding="utf-8",
    )
    doubtful = propose(path).warnings
    path.write_text(json.dumps({"citation_en": "c 1", "n": 1}), encoding="utf-8")
    textless = propose(path)

    assert "1 of 3 sampled rows have no text." in doubtful
    assert any(warning.startswith("2 of 3 sampled rows repeat an id") for warning in doubtful)
    assert any("No field looks like the text" in warning for warning in textless.warnings)
    assert textless.fields["id"] == "citation_en"


def test_single_markdown_file_and_empty_database(tmp_path):
    """One file is a store; a database without tables is not."""
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("CREATE TABLE t (n)")
    connection.execute("DROP TABLE t")
    connection.commit()
    connection.close()

    assert propose(tmp_path / "a.md").reader == "markdown"
    with pytest.raises(CorpusUnreadable, match="no tables"):
        propose(tmp_path / "x.db")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("x.bin", b"\x00\x01", "not JSONL, JSON, CSV, SQLite or Markdown"),
        ("x.json", b"{}", "no array of objects"),
        ("x.json", b'{"sections": {"1": "x"}}', "no array of objects"),
        ("x.json", b"[]", "no rows"),
        ("x.json", b"[", "not JSON"),
        ("x.csv", b"id,text\n", "no rows"),
        ("x.db", b"SQLite format 3\x00" + b"x" * 600, "x.db: "),
        ("absent/x.json", None, "no such file or folder"),
    ],
)
def test_what_cannot_be_recognised(tmp_path, name, data, words):
    """Unknown bytes and empty stores are refused with a next step."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(CorpusUnreadable) as caught:
        propose(tmp_path / name)

    assert words in caught.value.message
    assert caught.value.hint


def test_hostile_names_stay_inside_their_quotes(tmp_path):
    """A key or a file name cannot break out of the proposed TOML."""
    path = tmp_path / 'x"]\n[evil].jsonl'
    key = 'te"xt\\\n\x7f'
    path.write_text(json.dumps({"id": "a", key: TEXT * 3, "u": URL}), encoding="utf-8")

    found = propose(path)

    assert found.fields["text"] == key
    (tmp_path / "check.toml").write_text(found.to_toml(), encoding="utf-8")
    import tomllib  # noqa: PLC0415 -- only this test reads TOML itself

    table = tomllib.loads(found.to_toml())["corpus"][0]
    assert table["fields"]["text"] == key
    assert table["path"] == str(path)
