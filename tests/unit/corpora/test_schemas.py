"""The stored schemas that users have, by shape: each loads row for row, with no code.

Numbers are those of the list of public schemas that this project keeps; the text is invented.
"""

import json
import sqlite3
import sys

import pytest

from corpusguard.corpora import load_passages
from corpusguard.model import CorpusSpec

LAW = "ca-on/statute/19h31@en"
T1, T2 = "A keeper shall sweep.", "A keeper shall not sing."


def load(root, reader, **more):
    path = "" if reader == "exec" else "store"
    return list(load_passages(CorpusSpec("t", reader, path, **({"document": LAW} | more)), root))


JSONL_ROWS = {
    "05 subsection chunks with metadata": (
        {
            "id": "STALL_I_2_3",
            "text": T1,
            "metadata": {"section_number": "2", "subsection_number": "(3)", "tokens": 4},
        },
        {"section": "metadata.section_number", "subsection": "metadata.subsection_number"},
        ("STALL_I_2_3", "2", "(3)", None),
    ),
    "07 paragraph-packed parts": (
        {"id": "9f", "heading": "s. 2", "part": 1, "text": T1},
        {},
        ("9f", None, None, None),
    ),
    "09 whole documents": (
        {"_id": "CA-ON-statute-19h31", "_type": "legislation", "text": T1, "state": "current"},
        {"id": "_id"},
        ("CA-ON-statute-19h31", None, None, None),
    ),
    "11 vector store points": (
        {"id": 7, "payload": {"uri": "http://x/19h31/section/2", "number": 2, "text": T1}},
        {"text": "payload.text", "section": "payload.number"},
        ("7", "2", None, None),
    ),
    "12 content-addressed chunks": (
        {
            "point_id": "ab12",
            "text": T1,
            "section_number": "2",
            "chunk_index": 0,
            "total_chunks": 2,
        },
        {"id": "point_id", "section": "section_number", "ordinal": "chunk_index"},
        ("ab12", "2", None, 0),
    ),
    "13 whole documents with versions": (
        {"version_id": "v:1", "type": "primary", "mime": "text/html", "text": T1},
        {"id": "version_id"},
        ("v:1", None, None, None),
    ),
    "14 nodes with a text array": (
        {"node_id": "ca/on/title=1/section=3", "number": "3", "node_text": [T1, T2]},
        {"id": "node_id", "text": "node_text.0", "section": "number"},
        ("ca/on/title=1/section=3", "3", None, None),
    ),
    "18 one wide table": (
        {"id": "010719_0", "source_id": "010719", "title": None, "content": T1},
        {"text": "content", "heading": "title"},
        ("010719_0", None, None, None),
    ),
    "19 token windows": (
        {"id": "cfr-1-2-3-0", "metadata": {"text": T1, "section": "3", "index": "0"}},
        {"text": "metadata.text", "section": "metadata.section", "ordinal": "metadata.index"},
        ("cfr-1-2-3-0", "3", None, 0),
    ),
    "21 framework documents": (
        {"id": "u1", "page_content": T1, "metadata": {"paragraph": "2"}},
        {"text": "page_content", "section": "metadata.paragraph"},
        ("u1", "2", None, None),
    ),
    "22 plain windows": (
        {"page_content": T1, "metadata": {"source": "x.pdf", "page": 3}},
        {"id": "", "text": "page_content"},
        ("row-0", None, None, None),
    ),
}


@pytest.mark.parametrize("name", JSONL_ROWS)
def test_json_lines_schemas(tmp_path, name):
    """Stores that export JSON rows load by a mapping alone, as JSONL and as a JSON array."""
    row, fields, expected = JSONL_ROWS[name]
    (tmp_path / "store").write_text(json.dumps(row) + "\n", encoding="utf-8")
    by_line = load(tmp_path, "jsonl", fields=fields)
    (tmp_path / "store").write_text(json.dumps({"rows": [row]}), encoding="utf-8")
    by_array = load(tmp_path, "json", fields=fields, rows="rows")

    for passages in (by_line, by_array):
        assert [(p.id, p.section, p.subsection, p.ordinal) for p in passages] == [expected]
        assert passages[0].text == T1


SQL = {
    "01 label and body in one text": (
        (
            "CREATE TABLE corpus_chunks (text, metadata);"
            "INSERT INTO corpus_chunks VALUES ('Sweeping\n\nA keeper shall sweep.', '{\"section_id\": \"2\"}')"
        ),
        "SELECT rowid AS id, text, json_extract(metadata, '$.section_id') AS section FROM corpus_chunks",
        [("1", "2", None, f"Sweeping\n\n{T1}")],
    ),
    "03 provisions of documents": (
        (
            "CREATE TABLE legal_provisions (document_id, provision_ref, section, content);"
            f"INSERT INTO legal_provisions VALUES ('a-1', 's2', '2', '{T1}'), ('a-2', 's2', '2', '{T2}')"
        ),
        "SELECT document_id || '/' || provision_ref AS id, section, content AS text FROM legal_provisions",
        [("a-1/s2", "2", None, T1), ("a-2/s2", "2", None, T2)],
    ),
    "04 sections and subsections both stored": (
        (
            "CREATE TABLE sections (id, section_number, content, level);"
            f"INSERT INTO sections VALUES ('u1', '2', '{T1} {T2}', 1), ('u2', '2(1)', '{T1}', 2)"
        ),
        "SELECT id, section_number AS section, content AS text FROM sections",
        [("u1", "2", None, f"{T1} {T2}"), ("u2", "2(1)", None, T1)],
    ),
    "06 windows of sections": (
        (
            "CREATE TABLE legislation_sections (legislation_id, section_no, chunk_no, text);"
            f"INSERT INTO legislation_sections VALUES (1, '2', 0, '{T1}'), (1, '2', 1, '{T2}')"
        ),
        (
            "SELECT legislation_id || ':' || section_no || ':' || chunk_no AS id, section_no AS section,"
            " chunk_no AS ordinal, text FROM legislation_sections ORDER BY chunk_no"
        ),
        [("1:2:0", "2", 0, T1), ("1:2:1", "2", 1, T2)],
    ),
    "08 articles of two languages": (
        (
            "CREATE TABLE articles (law_id, lang, number, sort_key, text, repealed);"
            f"INSERT INTO articles VALUES (1, 'en', '2', 20, '{T1}', 0), (1, 'fr', '2', 20, 'Balayer.', 0)"
        ),
        (
            "SELECT law_id || lang || number AS id, number AS section, sort_key AS ordinal, text"
            " FROM articles WHERE lang = 'en'"
        ),
        [("1en2", "2", 20, T1)],
    ),
    "15 paragraphs of a code": (
        (
            "CREATE TABLE chunks (document_id, section_number, full_text);"
            f"INSERT INTO chunks VALUES (1, '§ 2', '{T1}')"
        ),
        "SELECT rowid AS id, section_number AS section, full_text AS text FROM chunks",
        [("1", "§ 2", None, T1)],
    ),
    "17 sections with their subsections as JSON": (
        (
            "CREATE TABLE hk_legal_sections (section_number, content, subsections_json);"
            f"INSERT INTO hk_legal_sections VALUES ('2', '', '[\"{T1}\", \"{T2}\"]')"
        ),
        (
            "SELECT section_number || '/' || key AS id, section_number AS section, key AS ordinal,"
            " value AS text FROM hk_legal_sections, json_each(subsections_json)"
        ),
        [("2/0", "2", 0, T1), ("2/1", "2", 1, T2)],
    ),
    "20 levels of one norm": (
        (
            "CREATE TABLE documents (id, level, text);"
            f"INSERT INTO documents VALUES ('n1', 'norm', '{T1} {T2}'), ('n1', 'sentence', '{T1}')"
        ),
        "SELECT id, text FROM documents",
        [("n1", None, None, f"{T1} {T2}"), ("n1", None, None, T1)],
    ),
}


@pytest.mark.parametrize("name", SQL)
def test_relational_schemas(tmp_path, name):
    """Relational stores load by one SELECT; rows are neither merged nor dropped."""
    script, query, expected = SQL[name]
    connection = sqlite3.connect(tmp_path / "store")
    connection.executescript(script)
    connection.close()

    found = load(tmp_path, "sqlite", query=query)

    assert [(p.id, p.section, p.ordinal, p.text) for p in found] == expected


def test_schema_02_map_of_number_to_text(tmp_path):
    """02: a map of section to text is no array; a short command turns it into rows."""
    (tmp_path / "law.json").write_text(
        json.dumps({"sections_en": {"2": T1, "3": T2}}), encoding="utf-8"
    )
    source = (
        "import json\nfor n, t in json.load(open('law.json'))['sections_en'].items():\n"
        "    print(json.dumps({'id': n, 'section': n, 'text': t}))"
    )
    found = load(tmp_path, "exec", command=(sys.executable, "-c", source))

    assert [(p.section, p.text) for p in found] == [("2", T1), ("3", T2)]


def test_schema_10_whole_acts_as_markdown(tmp_path):
    """10: a whole Act in one file with front matter is one passage without a locator."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "H-31.md").write_text(
        f"---\ntitle: Stalls\nchapter: H-31\nlastAmended: 2024-02-30\n---\n# Stalls\n\n{T1}\n",
        encoding="utf-8",
    )
    found = load(tmp_path, "markdown", fields={"heading": "title"})

    assert [(p.id, p.section, p.heading, p.text) for p in found] == [
        ("H-31.md", None, "Stalls", f"# Stalls\n\n{T1}\n")
    ]


def test_schema_16_text_files(tmp_path):
    """16: chapters as files, named by their stem; the document stands in the front matter."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "90.md").write_text(
        f"---\nid: ors-90\ndoc: {LAW}\n---\n{T1}", encoding="utf-8"
    )

    found = load(tmp_path, "markdown", document="", document_field="doc")

    assert [(p.id, p.document, p.text) for p in found] == [("ors-90", LAW, T1)]
