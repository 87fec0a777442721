"""Two official renditions of one law: alike without a finding, and every edit of one found.

The Word file is edited with python-docx, and where an edit stands is worked out here, by style
names and bold numbers alone. The PDF is set by this test from the Word file.
"""

from __future__ import annotations

import functools
import io
import json
import random
import re
from dataclasses import dataclass

import docx
import pytest
from PIL import Image
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

from corpusguard import second_reader
from corpusguard.cli import app
from corpusguard.corpora import emit, rebuild
from corpusguard.model import CorpusSpec, Identity, Rendition, Severity, Verdict
from corpusguard.snapshots import SnapshotStore
from tests.contract.whole_documents import check, data, first, second, spec, told

SAMPLE = ("sample-2", "sample-3")
"""The same consolidation of the sample's Act, as a payload and as a Word file."""
ACT = ("act.json", "act.docx")
BOTH = [SAMPLE, pytest.param(ACT, marks=pytest.mark.real_data)]
LAW_STYLES = {
    *("section", "subsection", "paragraph", "subpara", "subclause", "definition", "Ssubsection"),
    *("Ysubsection", "Yparagraph", "Ydefinition"),
}


@functools.lru_cache(maxsize=4)
def stored(name):
    return rebuild(first(name), CorpusSpec("stored", "jsonl", recipe="section"), spec(name))


def compared(name, kind, reading):
    """All layers over a sound corpus, with a second rendition; its CG205 findings."""
    result = check(name, stored(name), others={kind: reading})
    assert {f.rule for f in result.findings} <= {"CG205"}, told(result)
    return result


# -- the Word file -------------------------------------------------------------------------------


@pytest.mark.parametrize("names", BOTH)
def test_payload_and_word_file_say_the_same(names):
    """Zero CG205 over the whole Act: markers, words, order and status."""
    payload, word = names

    result = compared(payload, "docx", second(word))

    assert told(result) == []
    assert result.verdict is Verdict.VERIFIED


@dataclass
class Word:
    """A Word file open for editing, with the section in which each paragraph stands."""

    document: docx.document.Document

    def __post_init__(self):
        names = {style.style_id: style.name.split()[0] for style in self.document.styles}
        self.paragraphs = [p for p in self.document.paragraphs if p.text.strip()]
        self.styles = [names.get(p._p.style, "Normal") for p in self.paragraphs]
        self.runs = [[(run, run.text) for run in p.runs] for p in self.paragraphs]
        self.sections = []
        here, before = "", ""
        for style, runs in zip(self.styles, self.runs, strict=True):
            title = re.match(r"(Sched)ule \d+|Form \d+", "".join(text for _, text in runs))
            if style in {"schedule", "form"} and title:
                here = title[0].replace("Schedule", "Sched.")
                before = f"{here}, " if title[1] else ""
            elif style.lstrip("Y") == "section":
                number = re.match(r"\s*(\d[\d.,\- ]*)", "".join(t for r, t in runs if r.bold))
                here = before + number[1].strip().rstrip(".") if number else here
            self.sections.append(here)

    def pick(self, chance, used, styles=LAW_STYLES, pattern="", followed_by=None):
        """A paragraph in a section without any edit so far, and the first run with a pattern."""
        found = []
        for number, runs in enumerate(self.runs):
            if self.styles[number] not in styles or not used.isdisjoint(self.around(number)):
                continue
            if followed_by and self.styles[number + 1] != followed_by:
                continue
            run = next((run for run, text in runs if re.search(pattern, text)), None)
            if run is not None and sum(len(text) for _, text in runs) > 30:
                found.append((number, run))
        number, run = chance.choice(found)
        used |= self.around(number)
        return number, run

    def around(self, number):
        return set(self.sections[max(number - 2, 0) : number + 3])

    def restyle(self, paragraph, name):
        paragraph.style = next(s for s in self.document.styles if s.name == name)

    def read(self):
        file = io.BytesIO()
        self.document.save(file)
        return second_reader.read(file.getvalue(), "docx")


def opened(name):
    return Word(docx.Document(io.BytesIO(data(name))))


def replaced(pattern, replacement, styles=LAW_STYLES):
    def edit(word, chance, used):
        number, run = word.pick(chance, used, styles, pattern)
        run.text = re.sub(pattern, replacement, run.text, count=1)
        return {word.sections[number]}

    return edit


def removed(word, chance, used):
    number, _ = word.pick(chance, used, LAW_STYLES - {"section"})
    element = word.paragraphs[number]._p
    element.getparent().remove(element)
    return {word.sections[number]}


def added(word, chance, used):
    number, _ = word.pick(chance, used, {"paragraph", "subsection"})
    new = word.paragraphs[number].insert_paragraph_before(
        "(z.9)\ta provision that nobody enacted;", style=word.paragraphs[number].style
    )
    word.paragraphs[number]._p.addnext(new._p)
    return {word.sections[number]}


def swapped(word, chance, used):
    number, _ = word.pick(chance, used, {"paragraph"}, followed_by="paragraph")
    word.paragraphs[number]._p.addprevious(word.paragraphs[number + 1]._p)
    return {word.sections[number]}


def moved(word, chance, used):
    number, _ = word.pick(chance, used, {"paragraph", "subsection"})
    there, _ = word.pick(chance, used, {"paragraph"})
    word.paragraphs[there]._p.addnext(word.paragraphs[number]._p)
    return {word.sections[number], word.sections[there]}


def renumbered(word, chance, used):
    number, run = word.pick(chance, used, {"section"}, r"^\s*\d")
    run.text = re.sub(r"(\d)", r"9\1", run.text, count=1)
    return {word.sections[number]}


def restyled(old, new):
    def edit(word, chance, used):
        number, _ = word.pick(chance, used, {old})
        word.restyle(word.paragraphs[number], new)
        return {word.sections[number]}

    return edit


def emptied(word, chance, used):
    number, run = word.pick(chance, used, pattern=r"\w+ \w+ \w+")
    run.text = ""
    return {word.sections[number]}


EDITS = {
    "another number": replaced(r"(?<=[a-z] )(\d+)(?= [a-z])", r"1\1"),
    "not dropped": replaced(r" not ", " "),
    "not added": replaced(r" (shall|may) ", r" \1 not "),
    "may for shall": replaced(r"\bshall\b", "may"),
    "and for or": replaced(r"\bor\b", "and"),
    "if for unless": replaced(r"\b(?:if|unless)\b", "where"),
    "a word twice": replaced(r"\b(the) ", r"\1 \1 "),
    "capitals": replaced(r" the ", " THE "),
    "two words joined": replaced(r"\b(of) (the) ", r"\1\2 "),
    "a typographic quote": replaced("”", '"'),
    "another letter or number": replaced(r"\((?:[a-y]|[1-8])\)", "(zz)"),
    "half a paragraph lost": emptied,
    "a paragraph removed": removed,
    "a paragraph added": added,
    "two paragraphs swapped": swapped,
    "a paragraph moved": moved,
    "another section number": renumbered,
    "future law in force": restyled("Ysubsection", "subsection"),
    "future item in force": restyled("Yparagraph", "paragraph"),
    "law in the future": restyled("subsection", "Ysubsection"),
    "an item in the future": restyled("paragraph", "Yparagraph"),
    "law as a marginal note": restyled("paragraph", "headnote"),
    "law as an amendment note": restyled("subsection", "footnoteLeft"),
    "law as an editorial note": restyled("paragraph", "Pnote"),
}


def at(result):
    return {f.section for f in result.findings if f.severity is Severity.ERROR}


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_of_the_samples_word_file_is_found_where_it_stands(kind):
    """One edit, drawn by a fixed seed: CG205 as an error, in its section and no other."""
    payload, name = SAMPLE
    word = opened(name)
    expected = EDITS[kind](word, random.Random(f"one {kind}"), set())

    result = compared(payload, "docx", word.read())

    assert at(result) == expected
    assert result.verdict is Verdict.VIOLATED
    assert result.layers["L2"] is Verdict.VIOLATED


@pytest.mark.real_data
def test_edits_of_a_real_word_file_are_found_where_they_stand():
    """24 edits, sections apart: each section is named, and no other of 307."""
    payload, name = ACT
    word, used, expected = opened(name), set(), set()
    for kind, edit in EDITS.items():
        sections = edit(word, random.Random(f"many {kind}"), used)
        assert sections.isdisjoint(expected)
        expected |= sections

    result = compared(payload, "docx", word.read())

    assert len(expected) == len(EDITS) + 1 == 25  # what was moved is missing here, too much there
    assert at(result) == expected


# -- a PDF ---------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT = 612, 792, 72, 540
HEAVY = {"heading1", "partnum", "headnote", "Yheadnote", "schedule", "form"}
UNPRINTED = {"toc", "line", "MsoNormal", "comment"}


def printed(name, change):
    """(bold lead, rest) of each paragraph that a printer would set, without the contents table."""
    word = opened(name)
    for style, runs in zip(word.styles, word.runs, strict=True):
        if style in UNPRINTED:
            continue
        bold = ""
        for run, words in runs:
            if not run.bold and words.strip():
                break
            bold += words if run.bold else ""
        text = change(" ".join("".join(words for _, words in runs).split()))
        lead = text if style in HEAVY else " ".join(bold.split())
        if text:
            yield lead, text.removeprefix(lead).strip()


def typeset(name, change=str, **options):
    """Plain pages: running head, foot with page number, a footnote in small type."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT), invariant=True, **options)
    page, y = 0, 0

    def begin():
        nonlocal page, y
        if page:
            canvas.showPage()
        page, y = page + 1, HEIGHT - 90
        canvas.setFont("Helvetica", 8)
        canvas.drawString(LEFT, HEIGHT - 40, "Harbour Markets Act, 2019")
        canvas.drawRightString(RIGHT, HEIGHT - 40, "S.O. 2019, c. 31")
        canvas.drawCentredString(WIDTH / 2, 36, f"Page {page}")
        if page == 2:
            canvas.setFont("Helvetica", 7)
            canvas.drawString(LEFT, 88, "1 Set for a test; this note belongs to no provision.")

    begin()
    for lead, rest in printed(name, change):
        x = LEFT + (stringWidth(f"{lead}  ", "Helvetica-Bold", 11) if lead and rest else 0)
        lines = simpleSplit(rest, "Helvetica", 11, RIGHT - x) if rest else [""]
        following = simpleSplit(" ".join(lines[1:]), "Helvetica", 11, RIGHT - LEFT)
        heads = simpleSplit(lead, "Helvetica-Bold", 11, RIGHT - LEFT) if lead else []
        first_line = lines[0]
        for number, line in enumerate([first_line, *following] if rest else heads):
            if y < 110:
                begin()
            if lead and (not rest or number == 0):
                canvas.setFont("Helvetica-Bold", 11)
                canvas.drawString(LEFT, y, lead if rest else line)
            if rest:
                canvas.setFont("Helvetica", 11)
                canvas.drawString(x if number == 0 else LEFT, y, line)
            y -= 13
        y -= 9
    canvas.save()
    return file.getvalue()


def test_the_sample_set_as_a_pdf_confirms_every_provision_but_one():
    """Pages, heads, feet, a footnote and broken lines: all words of law are found in order.

    The exception is a word with a non-breaking hyphen, which the standard fonts of PDF do not
    have; the printer sets another sign, and the PDF truly says something else there.
    """
    file = typeset(SAMPLE[1])
    pdf = second_reader.read(file, "pdf")

    result = compared(SAMPLE[0], "pdf", pdf)

    assert file.count(b"/Type /Page\n") >= 2
    assert [(f.section, f.severity) for f in result.findings] == [("18", Severity.WARNING)]
    assert "\u2011" in result.findings[0].official
    assert result.layers["L2"] is Verdict.UNVERIFIABLE
    assert result.verdict is Verdict.UNVERIFIABLE


def paragraphs_changed(change):
    """The sample as a PDF whose printed paragraphs went through a change."""
    return second_reader.read(typeset(SAMPLE[1], change=change), "pdf")


@pytest.mark.parametrize("kind", ["a word dropped", "a number changed", "a paragraph dropped"])
def test_what_a_pdf_says_otherwise_is_not_confirmed(kind):
    """A warning at its section, an unverifiable L2, and no pass."""
    word = opened(SAMPLE[1])
    chance = random.Random(f"pdf {kind}")
    pattern = {
        "a word dropped": r" (?:shall|may) ",
        "a number changed": r"(?<=[a-z] )\d+(?= [a-z])",
    }
    number, run = word.pick(chance, {"18"}, {"subsection", "paragraph"}, pattern.get(kind, ""))
    before = " ".join("".join(text for _, text in word.runs[number]).split())
    after = {
        "a word dropped": re.sub(r" (?:shall|may) ", " ", before, count=1),
        "a number changed": re.sub(r"(?<=[a-z] )(\d+)(?= [a-z])", r"7\1", before, count=1),
        "a paragraph dropped": "",
    }[kind]
    assert run is not None
    assert before != after

    result = compared(
        SAMPLE[0], "pdf", paragraphs_changed(lambda text: after if text == before else text)
    )

    assert {f.section for f in result.findings} == {"18", word.sections[number]}
    assert result.layers["L2"] is Verdict.UNVERIFIABLE


# -- a second rendition that cannot be read ------------------------------------------------------


def image_only():
    file = io.BytesIO()
    canvas = Canvas(file, invariant=True)
    canvas.drawInlineImage(Image.new("L", (40, 40), 128), 72, 500, 200, 200)
    canvas.save()
    return file.getvalue()


UNREADABLE = {
    "cut off": lambda: typeset(SAMPLE[1])[:3000],
    "overwritten in the middle": lambda: typeset(SAMPLE[1])[:60] + b"\0" * 4000,
    "encrypted": lambda: typeset(SAMPLE[1], encrypt="lantern"),
    "images only": image_only,
    "no PDF at all": lambda: b"<html>Service unavailable</html>",
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_pdf_that_cannot_be_read_is_a_note(tmp_path, kind):
    """It is said that nothing was compared; the rest of the verification stands; no crash."""
    document, store = spec(SAMPLE[0]), SnapshotStore(tmp_path / "snapshots")
    for content, rendition in (
        (data(SAMPLE[0]), Rendition.PAYLOAD),
        (UNREADABLE[kind](), Rendition.PDF),
    ):
        store.add(
            content,
            document=document.id,
            rendition=rendition,
            url="file:test",
            identity=Identity(title=document.title),
            captured="2026-02-09T07:04:52Z",
        )
    (tmp_path / "stored.jsonl").write_text("\n".join(emit(stored(SAMPLE[0]))), encoding="utf-8")
    (tmp_path / "law.toml").write_text(
        '[source]\npublisher = "ontario-elaws"\nbase_url = "https://www.ontario.ca"\n'
        f'[[document]]\nid = "{document.id}"\ntitle = "{document.title}"\n'
        'second_rendition = "pdf"\n',
        encoding="utf-8",
    )
    config = tmp_path / "corpusguard.toml"
    config.write_text(
        '[corpusguard]\nsources = ["law.toml"]\n[[corpus]]\nname = "stored"\nreader = "jsonl"\n'
        f'path = "stored.jsonl"\ndocument = "{document.id}"\nrecipe = "section"\n',
        encoding="utf-8",
    )

    called = CliRunner().invoke(app, ["verify", "--offline", "-f", "json", "-c", str(config)])
    assert called.exit_code == 0, called.output + called.stderr
    said = json.loads(called.stdout)

    assert called.exit_code == 0, called.output
    assert [(f["rule"], f["severity"]) for f in said["findings"]] == [("CG205", "note")]
    assert "pdf rendition cannot be read" in said["findings"][0]["message"]
    assert said["verdict"] == "verified"
