"""Readers of stored corpora: what is stored comes out as it is, or a clear refusal."""

import csv as csv_module
import json
import os
import sqlite3
import sys
import time
from pathlib import Path
from select import select
from types import SimpleNamespace

import pytest

from corpusguard.corpora import exec as exec_reader
from corpusguard.corpora import interface, load_passages, sqlite
from corpusguard.corpora.interface import Limits
from corpusguard.errors import ConfigError, CorpusUnreadable
from corpusguard.model import CorpusSpec

LAW = "ca-on/statute/19h31@en"
TEXT = "A stallholder shall keep the quay clear."


def spec(reader="jsonl", **more):
    more.setdefault("document", LAW)
    more.setdefault("path", "" if reader == "exec" else "store")
    return CorpusSpec(name="t", reader=reader, **more)


def load(root, reader="jsonl", data=None, **more):
    if data is not None:
        (root / "store").write_bytes(data if isinstance(data, bytes) else data.encode())
    return list(load_passages(spec(reader, **more), root))


def refused(root, reader="jsonl", data=None, **more):
    with pytest.raises(CorpusUnreadable) as caught:
        load(root, reader, data, **more)
    assert caught.value.hint, "every error says the next step"
    return caught.value.message


def row(**more):
    return json.dumps({"id": "a", "text": TEXT} | more)


# --- jsonl -------------------------------------------------------------------------------------


def test_jsonl_default_names_order_and_places(tmp_path):
    """Rows come in stored order with line numbers; BOM, CRLF and blank lines are no rows."""
    lines = [row(id=1, section="4"), "", "  ", row(id="b", section=5, ordinal=7, heading="Dues")]
    found = load(tmp_path, data="\ufeff" + "\r\n".join(lines) + "\r\n")

    assert [(p.row, p.id, p.where) for p in found] == [(0, "1", "store:1"), (1, "b", "store:4")]
    assert [(p.section, p.subsection, p.heading, p.ordinal) for p in found] == [
        ("4", None, None, None),
        ("5", None, "Dues", 7),
    ]
    assert {p.document for p in found} == {LAW}


def test_text_is_untouched(tmp_path):
    """No normalisation: decomposed accents, U+2028, NBSP, spaces and line ends stay as stored."""
    text = "  e\u0301 \u00a0\u2028 “q”\r\n\tx \u200b "
    assert (
        load(tmp_path, data=json.dumps({"id": "a", "text": text}, ensure_ascii=False))[0].text
        == text
    )


def test_t32_colliding_ids_stay_two_rows(tmp_path):
    """T32: two rows with one id are two passages, with both texts."""
    found = load(tmp_path, data=row(text="One.") + "\n" + row(text="Two."))

    assert [(p.id, p.text) for p in found] == [("a", "One."), ("a", "Two.")]


def test_t34_short_and_empty_texts_are_kept(tmp_path):
    """T34: a short or an empty text is a row like any other; what it is worth is not ours to say."""
    found = load(tmp_path, data="\n".join(row(text=text) for text in ["All.", "", " "]))

    assert [p.text for p in found] == ["All.", "", " "]


def test_t29_counts_add_up(tmp_path):
    """T29: as many passages as stored rows, whatever their ids."""
    data = "\n".join(row(id=n % 7, text=f"Due {n}.") for n in range(5_187))

    found = load(tmp_path, data=data)

    assert len(found) == 5_187
    assert [p.row for p in found] == list(range(5_187))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"id": 1, "text": "x"', "store:2: not JSON"),
        ("[1]", "store:2: a row must be a JSON object"),
        ('"x"', "store:2: a row must be a JSON object"),
        ('{"id": 1, "text": "x", "id": 2}', "store:2: the key 'id' comes twice"),
        ('{"id": 1, "text": "x", "m": {"a": 1, "a": 1}}', "store:2: the key 'a' comes twice"),
        ('{"id": 1, "text": "x", "n": NaN}', "store:2: NaN is not JSON"),
        ('{"id": 1, "text": "x", "n": -Infinity}', "store:2: -Infinity is not JSON"),
        ('{"id": 1, "text": "x", "n": ' + "9" * 5_000 + "}", "store:2: "),
        ('{"a": ' + "[" * 200_000, "store:2: JSON nested too deeply"),
        ('{"id": 1, "text": "x"} {"id": 2}', "store:2: not JSON: Extra data"),
        ('{"id": 1}', "store:2: `text` is missing"),
        ('{"id": 1, "text": null}', "store:2: `text` is not text but NoneType"),
        ('{"id": 1, "text": ["x"]}', "store:2: `text` is not text but list"),
        ('{"id": 1, "text": 5.0}', "store:2: `text` is not text but Decimal"),
        ('{"text": "x"}', "store:2: no id"),
        ('{"id": null, "text": "x"}', "store:2: no id"),
        ('{"id": "", "text": "x"}', "store:2: no id"),
        ('{"id": ["x"], "text": "x"}', "store:2: id must be text or a number"),
        ('{"id": 1, "text": "\\ud800"}', "store:2: text holds a lone surrogate"),
        ('{"id": 1, "text": "x", "section": {"n": 1}}', "store:2: section must be text"),
        ('{"id": 1, "text": "x", "ordinal": "third"}', "store:2: ordinal"),
        ('{"id": 1, "text": "x", "ordinal": 1.5}', "store:2: ordinal"),
        ('{"id": 1, "text": "x", "ordinal": true}', "store:2: ordinal"),
        ('{"id": 1, "text": "x", "ordinal": 1e999999999}', "store:2: ordinal"),
        ('{"id": 1, "text": "x", "ordinal": 1e-999999999}', "store:2: ordinal"),
    ],
)
def test_bad_line_names_file_line_and_problem(tmp_path, line, words):
    """A row that cannot be read stops the reading at its line; nothing is skipped."""
    assert refused(tmp_path, data=row() + "\n" + line + "\n").startswith(words)


def test_bad_bytes_name_the_line(tmp_path):
    """T31: text that is not UTF-8 is refused, not guessed."""
    assert refused(tmp_path, data=row().encode() + b'\n{"id": 2, "text": "\x93x\x94"}').startswith(
        "store:2: not UTF-8"
    )
    assert "UTF-16" in refused(tmp_path, data=row().encode("utf-16"))
    assert "not JSON" in refused(tmp_path, data=row() + "\n\ufeff" + row())


def test_overlong_line_is_refused(tmp_path):
    """A line without end costs no more than the cap."""
    (tmp_path / "store").write_bytes(b"x" * (interface.LIMITS.line + 2))

    assert "store:1: a line of more than" in refused(tmp_path)


def test_what_is_no_file_is_refused(tmp_path):
    """A missing file, a folder or a pipe is an error at once; a pipe must not hang the night."""
    assert "no such file" in refused(tmp_path)
    (tmp_path / "store").mkdir()
    assert "is not a file" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in refused(tmp_path, path="pipe")
    assert "pipe\0" in refused(tmp_path, path="pipe\0")


def test_unknown_reader_is_a_configuration_error(tmp_path):
    """A spec made by hand can name anything."""
    with pytest.raises(ConfigError, match="no reader 'xml'"):
        load(tmp_path, "xml", "x")


# --- json --------------------------------------------------------------------------------------


def test_json_array_and_array_inside_an_object(tmp_path):
    """`rows` leads to the array; the place says where a person finds the row."""
    rows = f"[{row()}, {row(id='b')}]"

    plain = load(tmp_path, "json", rows)
    inside = load(tmp_path, "json", f'{{"data": {{"chunks": {rows}}}, "n": 1}}', rows="data.chunks")

    assert [p.where for p in plain] == ["store#/0", "store#/1"]
    assert [p.where for p in inside] == ["store#/data/chunks/0", "store#/data/chunks/1"]
    assert [p.id for p in inside] == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "rows", "words"),
    [
        ('{"chunks": []}', "", "must be an array of rows, found dict"),
        ('{"chunks": []}', "chunk", "`chunk` must be an array of rows, found nothing"),
        ('{"chunks": {"1": "x"}}', "chunks", "found dict"),
        ("[1]", "", "store#/0: a row must be a JSON object, not int"),
        ('{"a": {"b": ["x"]}}', "a.b", "store#/a/b/0: a row must be"),
        ("[", "", "store: not JSON"),
        ('[{"id": 1, "id": 2}]', "", "comes twice"),
        ("", "", "store: not JSON"),
    ],
)
def test_json_shapes_that_hold_no_rows(tmp_path, data, rows, words):
    """A wrong path or a wrong shape is named."""
    assert words in refused(tmp_path, "json", data, rows=rows)


def test_json_hint_names_the_arrays_that_are_there(tmp_path):
    """The next step is the path that would work."""
    (tmp_path / "store").write_text('{"chunks": [], "n": 1}', encoding="utf-8")
    with pytest.raises(CorpusUnreadable) as caught:
        load(tmp_path, "json")

    assert "chunks" in caught.value.hint


def test_json_file_over_the_cap(tmp_path, monkeypatch):
    """A file is held in memory, so its size has a cap."""
    monkeypatch.setattr("corpusguard.corpora.json.LIMITS", Limits(json_file=10))

    assert "more than 10 bytes" in refused(tmp_path, "json", f"[{row()}]")


# --- mapping -----------------------------------------------------------------------------------


def test_dotted_paths_list_indices_and_keys_with_dots(tmp_path):
    """A path reaches into mappings and lists; a key that itself holds dots is tried first."""
    data = json.dumps(
        {
            "meta": {"sec.no": "4", "sec": {"no": "wrong"}, "ids": [{"v": "x"}]},
            "meta.id": "dotted",
            "body": {"parts": [TEXT]},
        }
    )
    fields = {
        "id": "meta.id",
        "text": "body.parts.0",
        "section": "meta.sec.no",
        "heading": "meta.ids.0.v",
    }
    found = load(tmp_path, data=data, fields=fields)[0]

    assert (found.id, found.text, found.section, found.heading) == ("dotted", TEXT, "4", "x")


@pytest.mark.parametrize(
    "path", ["meta.9", "meta.-1", "meta.x", "meta.0.x", "n.x", "a." * 40 + "a", "meta.²"]
)
def test_path_that_leads_nowhere_is_an_empty_claim(tmp_path, path):
    """A mapped field that a row lacks is empty, not absent, so that the row is not let off."""
    found = load(tmp_path, data=row(meta=["x"], n=1), fields={"section": path})[0]

    assert found.section == ""
    assert found.subsection is None


def test_none_and_empty_claims(tmp_path):
    """Absent under a default name: no claim. Null, or mapped and absent: an empty claim."""
    lines = "\n".join([row(), row(section=None), row(section="")])

    assert [p.section for p in load(tmp_path, data=lines)] == [None, "", ""]
    mapped = load(tmp_path, data=lines, fields={"section": "meta.s"})
    assert [p.section for p in mapped] == ["", "", ""]


def test_field_mapped_to_nothing_is_not_read(tmp_path):
    """`section = ""` says that a field of that name is not ours; `id = ""` that there are none."""
    found = load(
        tmp_path,
        data=row(section="Part IV", ordinal="third") + "\n" + '{"text": "x"}',
        fields={"section": "", "id": "", "ordinal": ""},
    )

    assert [(p.id, p.section, p.ordinal) for p in found] == [
        ("row-0", None, None),
        ("row-1", None, None),
    ]


def test_numbers_stay_as_printed(tmp_path):
    """Trap 9: 36.10 is not 36.1; a JSON number keeps its digits."""
    data = '{"id": 7, "text": "x", "section": 36.10, "subsection": 2, "ordinal": 3.0}'
    found = load(tmp_path, data=data)[0]

    assert (found.id, found.section, found.subsection, found.ordinal) == ("7", "36.10", "2", 3)


def test_status_field_as_stored(tmp_path):
    """The status is stored text; a boolean is spelled as in JSON; absent is empty."""
    lines = "\n".join([row(meta={"repealed": True}), row(meta={"repealed": "no"}), row()])
    found = load(tmp_path, data=lines, status_field="meta.repealed")

    assert [p.status for p in found] == ["true", "no", ""]
    assert load(tmp_path, data=lines)[0].status is None


def test_document_from_a_field(tmp_path):
    """The document may stand in the row, mapped or under our name; without one the row is refused."""
    lines = row(meta={"doc": "ca-on/statute/06r17@en"}, document="x")

    assert load(tmp_path, data=lines, document="", document_field="meta.doc")[0].document == (
        "ca-on/statute/06r17@en"
    )
    assert load(tmp_path, data=lines, document="")[0].document == "x"
    assert "no document" in refused(tmp_path, data=row(), document="")
    assert "no document" in refused(tmp_path, data=row(d=None), document="", document_field="d")


# --- csv ---------------------------------------------------------------------------------------


def test_csv_quoting_line_breaks_and_places(tmp_path):
    """Cells may hold delimiters, quotes and line breaks; the place is the record's first line."""
    data = 'id,section,text\r\n1,4,"One, ""two""\r\nthree"\r\n\r\n2,,Four\r\n'
    found = load(tmp_path, "csv", "\ufeff" + data)

    assert [(p.id, p.section, p.text) for p in found] == [
        ("1", "4", 'One, "two"\r\nthree'),
        ("2", "", "Four"),
    ]
    assert [p.where for p in found] == ["store:2", "store:5"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_delimiter_follows_the_header(tmp_path, delimiter):
    """Spreadsheets export commas, semicolons or tabs."""
    lines = [["id", "section", "text"], ["1", "4.0.1", "A, b; c."]]
    path = tmp_path / "store"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv_module.writer(file, delimiter=delimiter).writerows(lines)

    found = load(tmp_path, "csv")

    assert [(p.id, p.section, p.text) for p in found] == [("1", "4.0.1", "A, b; c.")]


def test_csv_long_section_and_empty_file(tmp_path):
    """T17: a section longer than the module's own 128 KiB is read; an empty file has no rows."""
    long = "word " * 60_000

    assert load(tmp_path, "csv", f"id,text\n1,{long}\n")[0].text == long
    assert load(tmp_path, "csv", "") == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("id,text,id\n1,x,2\n", "store:1: the column 'id' comes twice"),
        ("id,text\n1,x,y\n", "store:2: 3 cells under a header of 2"),
        ("id,text\n1\n", "store:2: 1 cells under a header of 2"),
        ('id,text\n1,"x"y\n', "store:2: not CSV"),
        ('id,text\n1,"x\n', "store:2: not CSV"),
        ("id,text\n1,x\ry\n", "store:2: not CSV"),
        (b"id,text\n1,\x93x\x94\n", "store:2: not UTF-8"),
        ("id,body\n1,x\n", "store:2: `text` is missing"),
    ],
)
def test_csv_that_cannot_be_read_with_certainty(tmp_path, data, words):
    """Doubtful structure is refused at its line."""
    assert refused(tmp_path, "csv", data).startswith(words)


# --- sqlite ------------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "store"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE laws (id INTEGER PRIMARY KEY, code TEXT);"
        "CREATE TABLE chunks (id, law, section, body, raw BLOB, meta TEXT, at REAL);"
        "INSERT INTO laws VALUES (1, 'ca-on/statute/19h31@en');"
        "INSERT INTO chunks VALUES (1, 1, '4', 'One.', CAST('Blöb' AS BLOB), '{\"s\": \"9.1\"}', 36.5);"
        "INSERT INTO chunks VALUES (1, 1, NULL, 'Two.', x'ff', '{}', NULL);"
    )
    connection.commit()
    connection.close()
    return path


def test_sqlite_rows_joins_blobs_and_json(tmp_path, database):
    """One SELECT with joins and JSON functions; blobs are UTF-8 text; NULL is an empty claim."""
    query = (
        "SELECT c.id, l.code AS document, c.section, c.body AS text, "
        "json_extract(meta, '$.s') AS subsection, c.at AS heading "
        "FROM chunks c JOIN laws l ON l.id = c.law ORDER BY c.body"
    )
    found = load(tmp_path, "sqlite", query=query, document="")

    assert [(p.id, p.document, p.section, p.subsection, p.heading, p.text) for p in found] == [
        ("1", LAW, "4", "9.1", "36.5", "One."),
        ("1", LAW, "", "", "", "Two."),
    ]
    assert [p.where for p in found] == ["store query row 1", "store query row 2"]
    blob = load(tmp_path, "sqlite", query="SELECT id, raw AS text FROM chunks LIMIT 1")
    assert blob[0].text == "Blöb"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("DELETE FROM chunks", "not authorized"),
        ("INSERT INTO chunks(id) VALUES (3)", "not authorized"),
        ("DROP TABLE chunks", "not authorized"),
        ("UPDATE sqlite_master SET sql = ''", ""),
        ("PRAGMA query_only = OFF", "not authorized"),
        ("ATTACH 'other.db' AS o", "not authorized"),
        ("VACUUM INTO 'copy.db'", ""),
        ("SELECT id, body AS text FROM chunks; DELETE FROM chunks", "one statement"),
        ("SELECT load_extension('x')", "not authorized"),
        ("SELECT id, id, body AS text FROM chunks", "two columns are named 'id'"),
        ("SELECT nonsense", "no such column"),
        ("", "no columns"),
        ("SELECT id, raw AS text FROM chunks", "store query row 2 column text: not UTF-8"),
        ("SELECT id, CAST(raw AS TEXT) AS text FROM chunks", "decode"),
        ("SELECT id, law AS text FROM chunks", "`text` is not text but int"),
        ("SELECT 1 AS id, hex(zeroblob(12000000)) AS text", "too big"),
    ],
)
def test_sqlite_refuses_all_but_one_reading_select(tmp_path, database, query, words):
    """Nothing is written, attached or loaded, whatever the query says."""
    before = database.read_bytes()

    assert words in refused(tmp_path, "sqlite", query=query)
    assert database.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store"]


def wal(path):
    """Bring a database into WAL mode, with a row that is in the log alone; the open connection."""
    connection = sqlite3.connect(path, isolation_level=None)
    assert connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("INSERT INTO chunks VALUES (2, 1, '5', 'Three.', NULL, '{}', NULL)")
    return connection


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


BODIES = "SELECT rowid AS id, body AS text FROM chunks"


def test_sqlite_rows_in_a_write_ahead_log_are_read_and_nothing_is_touched(tmp_path, database):
    """While a writer has it open, and as a killed writer leaves it; no file comes or changes."""
    writer = wal(database)
    before = everything(tmp_path)
    assert before["store-wal"]
    found = [passage.text for passage in load(tmp_path, "sqlite", query=BODIES)]
    assert (found, everything(tmp_path)) == (["One.", "Two.", "Three."], before)
    killed = tmp_path / "killed"
    killed.mkdir()
    for name in ("store", "store-wal"):
        (killed / name).write_bytes(before[name])
    writer.close()
    found = [passage.text for passage in load(killed, "sqlite", query=BODIES)]
    assert found == ["One.", "Two.", "Three."]
    assert everything(killed) == {name: before[name] for name in ("store", "store-wal")}


def test_sqlite_in_wal_mode_without_a_log_gets_none(tmp_path, database):
    """Read as it lies: SQLite would make -wal and -shm even for a reader."""
    wal(database).close()
    before = everything(tmp_path)
    assert list(before) == ["store"]
    assert len(load(tmp_path, "sqlite", query=BODIES)) == 3
    assert everything(tmp_path) == before


def test_sqlite_in_wal_mode_that_changes_meanwhile_is_refused(tmp_path, database):
    """What was read may be neither the old rows nor the new."""
    wal(database).close()
    rows = load_passages(spec("sqlite", query=BODIES), tmp_path)
    next(rows)
    wal(database).close()
    with pytest.raises(CorpusUnreadable, match="was written to while it was read"):
        list(rows)


def test_sqlite_with_a_cut_off_transaction_is_refused(tmp_path, database):
    """A hot journal must be rolled back, which only a writer may do: not verified, no guess."""
    writer = sqlite3.connect(database, isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN")
    writer.execute("UPDATE chunks SET body = hex(zeroblob(100000))")
    hot = tmp_path / "hot"
    hot.mkdir()
    for name in ("store", "store-journal"):
        (hot / name).write_bytes((tmp_path / name).read_bytes())
    writer.execute("ROLLBACK")
    writer.close()
    before = everything(hot)
    assert before["store-journal"]
    assert refused(hot, "sqlite", query=BODIES).startswith("store: ")
    assert everything(hot) == before


def test_sqlite_full_text_tables_are_read(tmp_path):
    """Schemas 3 and 7 keep their text in FTS5 tables."""
    connection = sqlite3.connect(tmp_path / "store")
    connection.execute("CREATE VIRTUAL TABLE chunks USING fts5(id, section, text)")
    connection.execute("INSERT INTO chunks VALUES ('a', '4', 'One.')")
    connection.commit()
    connection.close()

    found = load(tmp_path, "sqlite", query="SELECT * FROM chunks WHERE chunks MATCH 'one'")

    assert [(p.id, p.section, p.text) for p in found] == [("a", "4", "One.")]


def test_sqlite_endless_query_is_stopped(tmp_path, database, monkeypatch):
    """A query that never ends is interrupted; time that the caller takes does not count."""
    monkeypatch.setattr(sqlite, "LIMITS", Limits(sqlite_seconds=0.2))
    now = [1000.0]
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    started = time.monotonic()

    assert "worked for more than 0.2 s" in refused(tmp_path, "sqlite", query=endless)
    assert time.monotonic() - started < 60

    monkeypatch.setattr(sqlite, "time", SimpleNamespace(monotonic=lambda: now[0]))
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) SELECT i AS id, 'x' AS text FROM n"
    rows = load_passages(spec("sqlite", query=many), tmp_path)
    next(rows)
    now[0] += 3_600
    assert len(list(rows)) == 8_999


def test_what_is_no_database(tmp_path):
    """Another kind of file is named as such."""
    assert "not a database" in refused(
        tmp_path, "sqlite", "x" * 5_000, query="SELECT * FROM chunks"
    )


# --- markdown ----------------------------------------------------------------------------------


def test_markdown_folder(tmp_path):
    """Files in path order; front matter as fields, as printed; the body as it is; id is the path."""
    root = tmp_path / "store"
    (root / "b").mkdir(parents=True)
    (root / "b" / "two.md").write_bytes(b"No front matter.\r\n")
    (root / "a.md").write_text(
        "---\nsection: 36.10\nheading: 'Dues: when'\nordinal: 010\nrepealed: no\nempty: ~\n---\n\nBody --- here.\n",
        encoding="utf-8",
    )
    (root / "skipped.txt").write_text("x", encoding="utf-8")

    found = load(tmp_path, "markdown", status_field="repealed", fields={"subsection": "empty"})

    assert [(p.id, p.where) for p in found] == [
        ("a.md", "store/a.md"),
        ("b/two.md", "store/b/two.md"),
    ]
    first = found[0]
    assert (first.section, first.heading, first.ordinal, first.status) == (
        "36.10",
        "Dues: when",
        10,
        "no",
    )
    assert (first.subsection, first.text) == ("", "\nBody --- here.\n")
    assert (found[1].section, found[1].text) == (None, "No front matter.\r\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("---\na: &x 1\nb: *x\n---\n", "anchor or alias"),
        ("---\na: 1\na: 2\n---\n", "the key 'a' comes twice"),
        ("---\na: !!python/object/apply:os.system ['true']\n---\n", "not plain YAML"),
        ("---\n- a\n---\n", "must be a mapping"),
        ("---\n1: a\n? [x]\n: y\n---\n", "not plain YAML"),
        ("---\na: [\n---\n", "not plain YAML"),
        ("---\na: 1\n", "never closed"),
        ("---\ntext: x\n---\nbody", "a `text` of its own"),
        ("---\na: " + "x" * 70_000 + "\n---\n", "front matter of more than"),
        ("---\na: " + "[" * 30_000 + "\n---\n", "nested more than 12 deep"),
        ("---\n" + "".join(" " * n + "a:\n" for n in range(200)) + "---\n", "nested more than"),
        ("---\n" + "? " * 20_000 + "\n---\n", "nested more than"),
    ],
)
def test_markdown_front_matter_that_is_refused(tmp_path, text, words):
    """Aliases, tags, duplicates and depth are refused; the file is named."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "x.md").write_text(text, encoding="utf-8")

    message = refused(tmp_path, "markdown")

    assert message.startswith("store/x.md: ")
    assert words in message


def test_markdown_single_file_and_empty_front_matter(tmp_path):
    """A whole Act in one file; nothing between the fences is nothing."""
    found = load(tmp_path, "markdown", "---\n---\nThe Act.\n")

    assert [(p.id, p.where, p.text) for p in found] == [("store", "store", "The Act.\n")]


def test_markdown_file_over_the_cap(tmp_path, monkeypatch):
    """Each file has a cap."""
    monkeypatch.setattr("corpusguard.corpora.markdown.LIMITS", Limits(markdown_file=3))

    assert "more than 3 bytes" in refused(tmp_path, "markdown", "body")


# --- exec --------------------------------------------------------------------------------------


def python(source):
    return (sys.executable, "-c", source)


def test_exec_reads_jsonl_without_a_shell(tmp_path):
    """The arguments reach the program as they are; it runs in the configuration's folder."""
    source = (
        "import json, os, sys\n"
        "print(json.dumps({'id': sys.argv[1], 'text': os.getcwd()}))\n"
        "print()\n"
        "sys.stdout.write(json.dumps({'id': 2, 'text': 'no line end'}))\n"
    )
    found = load(tmp_path, "exec", command=(*python(source), "$(touch x); `y` > z"))

    assert [p.id for p in found] == ["$(touch x); `y` > z", "2"]
    assert Path(found[0].text) == tmp_path.resolve()
    assert found[1].where.endswith(" output:3")
    assert list(tmp_path.iterdir()) == []


def test_exec_many_rows_and_a_full_stderr(tmp_path):
    """Output larger than any pipe, with stderr that nobody asked for, does not block."""
    source = (
        "import json, sys\n"
        "for n in range(20000):\n"
        "    print(json.dumps({'id': n, 'text': 'x' * 50}))\n"
        "    sys.stderr.write('warning ' * 5)\n"
    )
    assert len(load(tmp_path, "exec", command=python(source))) == 20_000


def test_exec_failure_shows_the_last_lines_of_stderr(tmp_path):
    """A failed run is no corpus, even when its rows looked fine; arguments are not shown."""
    source = f"import sys\nprint({row()!r})\nsys.stderr.write('first\\n' * 20 + 'store is locked\\n')\nsys.exit(3)"
    message = refused(tmp_path, "exec", command=(*python(source), "s3cret"))

    assert "ended with exit code 3" in message
    assert message.endswith("first | store is locked")
    assert "s3cret" not in message


@pytest.mark.parametrize(
    ("seconds", "source", "words"),
    [
        (0.5, "import time; time.sleep(600)", "ran for more than 0.5 s"),
        (
            0.5,
            "import os, time; os.close(1); os.close(2); time.sleep(600)",
            "ran for more than 0.5 s",
        ),
        (
            0.5,
            "import sys, time; sys.stdout.write('{'); sys.stdout.flush(); time.sleep(600)",
            "ran for more than 0.5 s",
        ),
        (100, "while True: print('x' * 100 + '\\n' * 100000)", "printed more than 1000 bytes"),
        (100, "print('\\n' * 5000)", "printed more than 1000 bytes"),
        (100, "print('not json')", "output:1: not JSON"),
        (100, "import os; os.kill(os.getpid(), 9)", "exit code -9"),
    ],
)
def test_exec_is_stopped_in_time(tmp_path, monkeypatch, seconds, source, words):
    """A command that hangs, floods or lies is ended; only one that hangs takes all of its time."""
    monkeypatch.setattr(exec_reader, "LIMITS", Limits(exec_seconds=seconds, exec_output=1_000))
    started = time.monotonic()

    assert words in refused(tmp_path, "exec", command=python(source))
    assert time.monotonic() - started < 60


def test_exec_child_of_a_stopped_command_is_ended_too(tmp_path, monkeypatch):
    """The whole process group goes, so that nothing writes on after the run."""
    monkeypatch.setattr(exec_reader, "LIMITS", Limits(exec_output=1_000))
    held = tmp_path / "held"
    os.mkfifo(held)
    child = f"import time; held = open({str(held)!r}, 'w'); held.write('here'); held.flush(); print(flush=True); time.sleep(600)"
    source = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print('\\n' * 5000, flush=True)\n"
        "time.sleep(600)\n"
    )
    reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert "printed more than 1000 bytes" in refused(tmp_path, "exec", command=python(source))
        # A pipe ends once nobody holds its other end: the child was there, and is gone.
        found = b""
        while is_over := select([reader], [], [], 60)[0]:
            if not (part := os.read(reader, 100)):
                break
            found += part
    finally:
        os.close(reader)
    assert (found, bool(is_over)) == (b"here", True)


def test_exec_that_cannot_start(tmp_path):
    """A missing program names what to check."""
    assert "cannot be started" in refused(tmp_path, "exec", command=("./no-such-program",))
    assert "cannot be started" in refused(tmp_path, "exec", command=("a\0b",))


def test_exec_left_early_ends_the_command(tmp_path):
    """A caller that stops reading does not leave a process behind."""
    source = f"import os, time\nopen('pid', 'w').write(str(os.getpid()))\nprint({row()!r}, flush=True)\ntime.sleep(60)"
    rows = load_passages(spec("exec", command=python(source)), tmp_path)
    next(rows)
    pid = int((tmp_path / "pid").read_text())

    rows.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
