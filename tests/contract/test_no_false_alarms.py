"""A corpus that says what the law says raises no alarm, however it was cut.

Every complete official document is cut in every way that stored corpora are known to be cut, and
must verify with no finding of any severity and every word of law covered. The Word files are also
cut by a script that knows none of our readers, so that both cannot be wrong together unseen.
"""

from __future__ import annotations

import functools
import io
import json
import random
import re
from dataclasses import replace

import docx
import pytest
from docx.oxml import OxmlElement
from langchain_text_splitters import RecursiveCharacterTextSplitter
from typer.testing import CliRunner

from corpusguard.cli import app
from corpusguard.corpora import rebuild
from corpusguard.model import Channel, CorpusSpec, Kind, Status, Verdict
from corpusguard.service.scope import prefixes
from tests.contract.facts import READERS, ask, law, p, with_role
from tests.contract.whole_documents import (
    EVERY,
    REPO,
    check,
    data,
    first,
    passages,
    rendition,
    spec,
    told,
)

FOUR = [
    one for one in EVERY if one.values[0] in {"act.json", "regulation.html", "sample-2", "sample-4"}
]
"""One rendition of each law; the others hold the same words."""
LAW = {Channel.BODY, Channel.MARKER}
PRINTED = set(Channel) - {Channel.CONTENTS, Channel.FRONT, Channel.PLACEHOLDER}


def sound(result):
    """No finding at all, every passage verified, every word of law covered."""
    assert told(result) == []
    assert result.verdict is Verdict.VERIFIED
    assert result.verified_passages == result.passages > 0
    assert result.coverage.covered == result.coverage.words > 0


# -- what the recipes emit ----------------------------------------------------------------------


@pytest.mark.parametrize("how", ["rebuilt", "anchored"])
@pytest.mark.parametrize("recipe", ["section", "subsection"])
@pytest.mark.parametrize("name", EVERY)
def test_what_a_recipe_emits_verifies(name, recipe, how):
    """Emitted passages are what ingestion should store: rebuilt or anchored, nothing is wrong."""
    stored = rebuild(first(name), CorpusSpec("stored", "jsonl", recipe=recipe), spec(name))

    sound(check(name, stored, expected=(stored, stored) if how == "rebuilt" else None))


# -- other ways to cut ---------------------------------------------------------------------------


def printed(name, channels):
    """(locator, heading, line) of each printed paragraph in force, with what is in ``channels``."""
    reading = first(name)
    lines = {}
    for s in reading.segments:
        if s.provision >= 0 and s.status is not Status.NOT_IN_FORCE and s.channel in channels:
            lines.setdefault((s.block, reading.provisions[s.provision].section), []).append(s)
    return [
        (section, " ".join(reading.text[s.start : s.end] for s in segments))
        for (_, section), segments in lines.items()
    ]


def joined(name, channels=LAW):
    return "\n\n".join(line for _, line in printed(name, channels))


def windows(text, size, overlap):
    """Characters cut wherever they fall, words and numbers in two."""
    return [text[at : at + size] for at in range(0, max(len(text) - overlap, 1), size - overlap)]


def by_section(name, channels):
    """Locator -> lines of the section, for sections that have any word of law."""
    found, law = {}, set()
    for section, line in printed(name, channels):
        found.setdefault(section, []).append(line)
    for section, _ in printed(name, {Channel.BODY}):
        law.add(section)
    return {section: lines for section, lines in found.items() if section in law and section}


def unlabelled(texts):
    return [{"text": text} for text in texts]


def recursive(text):
    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
    return unlabelled(splitter.split_text(text))


def labelled(name, channels, joint="\n"):
    return [
        {"section": section, "text": joint.join(lines)}
        for section, lines in by_section(name, channels).items()
    ]


def groups_of_seven(name):
    lines = [line for _, line in printed(name, LAW)]
    return unlabelled("\n".join(lines[at : at + 7]) for at in range(0, len(lines), 7))


def part_headings(name):
    """Sections with a heading field of the Part's title and the section's own notes."""
    reading = first(name)
    headings, part = {}, ""
    for node in reading.provisions:
        if node.kind is Kind.PART:
            part = f"{node.label} {node.heading}".strip()
        elif node.section and node.section not in headings:
            headings[node.section] = f"{part} — {node.heading}" if node.heading else part
    return [{"heading": headings[row["section"]], **row} for row in labelled(name, LAW)]


def notes_first(name):
    """As a public project stores it: notes above the number, parts of 1,500 characters."""
    rows = []
    splitter = RecursiveCharacterTextSplitter(chunk_size=1500, chunk_overlap=0, separators=["\n\n"])
    for section, lines in by_section(name, {*LAW, Channel.HEADNOTE}).items():
        notes = " / ".join(
            node.heading
            for node in first(name).provisions
            if node.section == section and node.kind is Kind.SECTION and node.heading
        )
        rows += [
            {"heading": notes and f"RTA s. {section} — {notes}", "text": text}
            for text in splitter.split_text("\n\n".join(lines))
        ]
    return rows


WINDOWS = "windows of 1000 characters at paragraphs and words"
WAYS = {
    WINDOWS: lambda name: recursive(joined(name)),
    "windows over all that is printed": lambda name: recursive(joined(name, PRINTED)),
    "windows of 997 characters that cut words": lambda name: unlabelled(
        windows(joined(name), 997, 150)
    ),
    "windows of 997 characters over all that is printed": lambda name: unlabelled(
        windows(joined(name, PRINTED), 997, 150)
    ),
    "windows of 1201 characters of running text": lambda name: unlabelled(
        windows(joined(name).replace("\n\n", " "), 1201, 100)
    ),
    "a printed paragraph each": lambda name: unlabelled(line for _, line in printed(name, LAW)),
    "a printed paragraph each, with its section": lambda name: [
        {"section": section, "text": line} for section, line in printed(name, LAW)
    ],
    "seven paragraphs each, across sections": groups_of_seven,
    "sections without any number": lambda name: labelled(name, {Channel.BODY}),
    "sections with marginal notes": lambda name: labelled(name, {*LAW, Channel.HEADNOTE}),
    "sections with amendment history": lambda name: labelled(name, {*LAW, Channel.HISTORY}),
    "sections on one line with notes and history": lambda name: labelled(
        name, {*LAW, Channel.HEADNOTE, Channel.HISTORY, Channel.NOTE}, " "
    ),
    "sections under the title of their Part": part_headings,
    "marginal notes first, parts of 1500 characters": notes_first,
}


@pytest.mark.parametrize("name", EVERY)
def test_windows_verify(name):
    """1,000 characters with 200 of overlap, as the most used splitter cuts them."""
    sound(check(name, passages(name, WAYS[WINDOWS](name))))


@pytest.mark.parametrize("way", [way for way in WAYS if way != WINDOWS])
@pytest.mark.parametrize("name", FOUR)
def test_any_way_of_cutting_verifies(name, way):
    """Rows hold what the law says; how much of it one row holds is the corpus's own affair."""
    sound(check(name, passages(name, WAYS[way](name))))


@pytest.mark.parametrize(
    "way",
    ["a printed paragraph each", "marginal notes first, parts of 1500 characters", WINDOWS],
)
@pytest.mark.parametrize("name", FOUR)
def test_rows_in_any_order_verify(name, way):
    """Without an ordinal, order between rows means nothing, also for words that the law repeats."""
    rows = WAYS[way](name)
    random.Random(7).shuffle(rows)

    sound(check(name, passages(name, rows)))


@pytest.mark.parametrize("name", FOUR)
def test_a_declared_label_before_each_text_is_taken_off(name):
    """``strip_prefix`` with title, section and heading: labels are no difference."""
    corpus = CorpusSpec("stored", "jsonl", strip_prefix="{title}, s. {section} ({heading}): ")
    document = spec(name)
    bare = passages(name, part_headings(name))
    labels = prefixes(corpus, document, bare)
    stored = [replace(one, text=labels[one.row] + one.text) for one in bare]

    assert all(one.text.startswith(document.title) for one in stored)
    sound(check(name, stored, prefixes=labels))


@pytest.mark.parametrize("name", FOUR)
def test_a_template_around_each_text_is_no_difference(name):
    """A rebuilding recipe with a template expects it, and only it."""
    corpus = CorpusSpec("stored", "jsonl", recipe="section", template="{title} {heading}\n{text}")
    bare = rebuild(first(name), replace(corpus, template=""), spec(name))
    stored = rebuild(first(name), corpus, spec(name))

    sound(check(name, stored, expected=(stored, bare)))


# -- numbers that a window cuts ------------------------------------------------------------------


def test_a_cut_number_needs_another_row_that_holds_it_whole():
    """Without overlap nobody holds the number, and "3" for "30" would pass as cut."""
    text = joined("sample-2")
    at = next(m.end() - 1 for m in re.finditer(r" \d\d\b", text) if m.start() > 800)
    halves = [text[:at], text[at:]]

    alone = check("sample-2", passages("sample-2", unlabelled(halves)))
    overlapping = [text[: at + 40], text[:at], text[at:], text[at - 40 :]]
    beside = check("sample-2", passages("sample-2", unlabelled(overlapping)))

    assert {f.row for f in alone.findings if f.rule in {"CG101", "CG105"}} == {0, 1}
    assert alone.verdict is Verdict.VIOLATED
    assert told(beside) == []


# -- a cutter that knows none of our readers -----------------------------------------------------

WORD_FILES = [one for one in EVERY if rendition(one.values[0]).value == "docx"]
NO_LAW = {
    *("headnote", "headnoteitalic", "footnoteLeft", "footnote", "Pnote", "heading1", "heading2"),
    *("heading3", "partnum", "headingx", "schedule", "form", "line", "shorttitle", "chapter"),
    *("ConsolidationPeriod", "comment", "toc", "Normal", "MsoNormal", "scanned"),
}
NOT_LAW_BUT_PRINTED = {"headnote", "heading1", "partnum", "footnoteLeft", "Pnote"}
OUTSIDE = NO_LAW - NOT_LAW_BUT_PRINTED


HYPHEN = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}noBreakHyphen"


@functools.lru_cache(maxsize=4)
def word_paragraphs(name, *, hyphens=True):
    """(style, text, leading bold text) of each paragraph.

    python-docx gives a non-breaking hyphen as a plain one; ``hyphens`` puts it back.
    """
    found = []
    document = docx.Document(io.BytesIO(data(name)))
    for element in list(document.element.iter(HYPHEN)) if hyphens else []:
        letter = OxmlElement("w:t")
        letter.text = "\u2011"
        element.getparent().replace(element, letter)
    for paragraph in document.paragraphs:
        bold = ""
        for run in paragraph.runs:
            if run.text.strip() and not run.bold:
                break
            bold += run.text
        if paragraph.text.strip():
            found.append((paragraph.style.name.split()[0], paragraph.text, bold.strip()))
    return found


def word_law(name, skipped=NO_LAW):
    return [
        (style, text, bold)
        for style, text, bold in word_paragraphs(name)
        if style not in skipped and not style.startswith("Y")
    ]


def word_sections(name):
    """Sections by the bold number at the head of a ``section`` paragraph, schedules by title."""
    rows, before = [], ""
    for style, text, bold in word_law(name, NO_LAW - {"schedule", "form"}):
        number = re.match(r"\d+[\d.,\- ]*", bold)
        title = (
            re.match(r"(Sched)ule \d+|Form \d+", text) if style in {"schedule", "form"} else None
        )
        if title:
            place = title[0].replace("Schedule", "Sched.")
            before = f"{place}, " if title[1] else ""
            rows.append({"section": place, "text": text})
        elif style == "section" and number:
            rows.append({"section": before + number[0].strip().rstrip("."), "text": text})
        elif rows:
            rows[-1]["text"] += "\n" + text
    return rows


WORD_WAYS = {
    "a paragraph each": lambda name: unlabelled(text for _, text, _ in word_law(name)),
    "windows over the law": lambda name: recursive(
        "\n\n".join(text for _, text, _ in word_law(name))
    ),
    "windows with notes, headings and history": lambda name: recursive(
        "\n\n".join(text for _, text, _ in word_law(name, OUTSIDE))
    ),
    "a section each": word_sections,
}


@pytest.mark.parametrize("way", WORD_WAYS)
@pytest.mark.parametrize("name", WORD_FILES)
def test_a_word_file_cut_by_a_foreign_script_verifies(name, way):
    """python-docx, styles and one regular expression: no code of ours took part in the cutting."""
    sound(check(name, passages(name, WORD_WAYS[way](name))))


def test_a_hyphen_that_python_docx_changes_is_typography():
    """A true difference: the non-breaking hyphen is lost. A warning there, and no alarm."""
    changed = word_paragraphs("sample-3", hyphens=False)
    kept = [one for one in word_paragraphs("sample-3") if "\u2011" in one[1]]
    rows = unlabelled(
        text for style, text, _ in changed if style not in NO_LAW and not style.startswith("Y")
    )

    result = check("sample-3", passages("sample-3", rows))

    assert len(kept) == 1
    assert [(f.rule, f.severity.value) for f in result.findings] == [("CG104", "warning")]
    assert result.findings[0].stored == kept[0][1].replace("\u2011", "-")
    assert result.verdict is Verdict.VERIFIED


@pytest.mark.real_data
def test_the_word_file_of_one_act_verifies_the_payload_of_the_same_act():
    """A corpus cut from one rendition by a foreign script, verified against the other."""
    sound(check("act.json", passages("act.json", word_sections("act.docx"))))


# -- a quoted provision --------------------------------------------------------------------------


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["act.json", "act.docx"])
def test_a_quoted_section_is_law_of_the_section_around_it(name):
    """Section 94.16 quotes a section 90 with a marginal note: no marker, no anomaly, no finding."""
    rows = [row for row in labelled(name, LAW) if row["section"] == "94.16"]
    assert "90. If a co-operative" in rows[0]["text"]

    result = check(name, passages(name, rows))

    assert first(name).anomalies == ()
    assert [f for f in result.findings if f.section == "94.16" or f.rule != "CG301"] == []


@pytest.mark.parametrize("reader", READERS)
def test_only_the_note_right_above_a_quotation_is_its_own(reader):
    """A note that other text parts from the quotation still waits for the next opener."""
    blocks = ask(
        reader,
        p("section", "<b>5 </b>A lamp is lit as follows:"),
        p("headnote", "Of wicks"),
        p("Pnote", "Note: On a day to be named, this changes."),
        p("headnote", "Of oil"),
        p("headnote", "Same"),
        p("parawindt2", "<b>90. </b>Oil is poured."),
        p("section", "<b>6 </b>A wick is cut."),
    )

    assert with_role(blocks, "headnote") == [("6", "Of wicks"), ("5", "Of oil"), ("5", "Same")]
    assert law(blocks)[1] == ("5", "", "90. Oil is poured.")


# -- the whole way, by the command line ----------------------------------------------------------


def run(folder, *arguments):
    called = CliRunner().invoke(app, [*arguments, "-c", str(folder / "corpusguard.toml")])
    assert called.exit_code == 0, called.output
    return called.stdout


@pytest.mark.real_data
@pytest.mark.parametrize("recipe", ["section", "subsection"])
def test_the_command_line_verifies_what_it_emitted_from_real_files(tmp_path, recipe):
    """snapshots add, passages, verify --offline: exit 0, no finding, coverage 1.0."""
    ids = {name: spec(name).id for name in ("act.json", "regulation.html")}
    for name in ids:
        (tmp_path / name).write_bytes(data(name))
    tables = "".join(
        f'[[corpus]]\nname = "{name}"\nreader = "jsonl"\npath = "{name}.jsonl"\n'
        f'document = "{document}"\nrecipe = "{recipe}"\n'
        for name, document in ids.items()
    )
    (tmp_path / "corpusguard.toml").write_text(
        '[corpusguard]\nhistory = "history.db"\nsnapshots = "snapshots"\n'
        f'sources = ["law.toml"]\n{tables}',
        encoding="utf-8",
    )
    documents = "".join(
        f'[[document]]\nid = "{document}"\ntitle = "{spec(name).title}"\n'
        for name, document in ids.items()
    )
    (tmp_path / "law.toml").write_text(
        '[source]\npublisher = "ontario-elaws"\nbase_url = "https://www.ontario.ca"\n' + documents,
        encoding="utf-8",
    )

    for name, document in ids.items():
        # The regulation is a fragment that names no law: it goes in on the caller's word.
        word = ["--unnamed"] if name.endswith(".html") else []
        run(tmp_path, "snapshots", "add", document, str(tmp_path / name), *word)
        emitted = run(tmp_path, "passages", document, "--recipe", recipe)
        (tmp_path / f"{name}.jsonl").write_text(emitted, encoding="utf-8")
    said = json.loads(run(tmp_path, "verify", "--offline", "--format", "json"))

    assert said["verdict"] == "verified"
    assert said["findings"] == []
    assert [(d["verdict"], d["coverage"]) for d in said["documents"]] == [("verified", 1.0)] * 2
    assert all(d["verified_passages"] == d["passages"] > 0 for d in said["documents"])


def test_real_files_are_named_where_they_are_absent():
    """Tests of real documents skip with the name of the file, and never pass unseen."""
    assert REPO.joinpath("pyproject.toml").exists()
    assert {one.values[0] for one in EVERY if one.marks} == {
        "act.json",
        "act.docx",
        "regulation.html",
    }
