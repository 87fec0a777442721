"""A real corpus that a public project stores, against the official Act.

What is wrong with the corpus is counted a second time here, from the Word file (python-docx) and
the raw JSON, by rules that know nothing of corpusguard; the sets are then compared one by one.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import docx
import pytest
from typer.testing import CliRunner

from corpusguard.cli import app

DATA = Path(__file__).parents[2].parent / "shared" / "data"
WORD, PAYLOAD = DATA / "elaws" / "06r17_e.docx", DATA / "elaws" / "statute-06r17.json"
CORPUS = DATA / "corpora" / "rta-732-chunks.json"
DOCUMENT = "ca-on/statute/06r17@en"
CONFIG = """
[corpusguard]
history = "history.db"
snapshots = "snapshots"
sources = ["source.toml"]

[[corpus]]
name = "tenancy"
reader = "json"
path = "corpus.json"
rows = "chunks"
document = "ca-on/statute/06r17@en"
recipe = "anchored"

[corpus.fields]
id = "id"
text = "text"
section = "metadata.section_number"
subsection = "metadata.subsection_number"
"""
SOURCE = """
[source]
publisher = "ontario-elaws"
base_url = "https://www.ontario.ca"

[[document]]
id = "ca-on/statute/06r17@en"
title = "Residential Tenancies Act, 2006"
"""
LAW_STYLES = frozenset(
    "section subsection paragraph subpara subsubpara subclause subsubclause definition".split()
)
FUTURE_STYLES = frozenset("Ysection Ysubsection Yparagraph Ysubpara".split())
NUMBER = re.compile(r"\d+(?:\.\d+)*")
CITATION = re.compile(r"\s+(?:19|20)\d\d, c\. .*$")
MARKERS = re.compile(r"^(?:\d+(?:\.\d+)*\s)?\s*(?:\([\d.]+\)|\([a-z.\d]+\)|[ivx]+\.|\d+\.)?\s*")

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(
        not (WORD.is_file() and PAYLOAD.is_file() and CORPUS.is_file()),
        reason=f"the real Act and corpus are not in {DATA.name}/",
    ),
]


def squeezed(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def chunks():
    return json.loads(CORPUS.read_bytes())["chunks"]


@pytest.fixture(scope="module")
def paragraphs():
    """(style, text) of each paragraph of the Word file, in order."""
    return [(p.style.name, squeezed(p.text)) for p in docx.Document(str(WORD)).paragraphs]


@pytest.fixture(scope="module")
def numbers(paragraphs):
    """Lead numbers of the sections that are law; the range 247-260 under its first number."""
    return {NUMBER.match(text)[0] for style, text in paragraphs if style == "section"}


@pytest.fixture(scope="module", params=[PAYLOAD, WORD], ids=["payload", "word"])
def report(request, tmp_path_factory):
    """What the command line says of the corpus, with either official file."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "corpusguard.toml").write_text(CONFIG)
    (folder / "source.toml").write_text(SOURCE)
    shutil.copyfile(CORPUS, folder / "corpus.json")
    config, output = str(folder / "corpusguard.toml"), folder / "report.json"
    added = CliRunner().invoke(
        app, ["snapshots", "add", DOCUMENT, str(request.param), "--config", config]
    )
    assert added.exit_code == 0, added.output
    arguments = ["--offline", "--format", "json", "--output", str(output), "--config", config]
    verified = CliRunner().invoke(app, ["verify", *arguments])
    assert verified.exit_code == 1, verified.output
    return json.loads(output.read_bytes())


@dataclass(frozen=True)
class Share:
    """Of the words of law: the share in a rightly labelled chunk, and in any; and where."""

    right: float
    anywhere: float
    sections: set[str]


@pytest.fixture(scope="module")
def runs(chunks, paragraphs):
    """Coverage by runs of eight words: all runs, and those alone that the Act has only once."""

    def cut(text):
        words = re.findall(r"[^\W_]+", text.casefold())
        return words, [tuple(words[i : i + 8]) for i in range(len(words) - 7)]

    labelled, anywhere = defaultdict(set), set()
    for chunk in chunks:
        found = set(cut(chunk["text"])[1])
        labelled[chunk["metadata"]["section_number"]] |= found
        anywhere |= found
    section, law = "", []
    for style, text in paragraphs:
        if style == "section":
            section = NUMBER.match(text)[0]
        if style in LAW_STYLES:
            law.append((section, *cut(CITATION.sub("", text))))
    often = Counter(run for _, _, found in law for run in found)

    def share(usable):
        total, right, any_label, sections = 0, 0, 0, set()
        for section, words, found in law:
            marks, any_marks = bytearray(len(words)), bytearray(len(words))
            for place, run in enumerate(found):
                if run in anywhere and usable(run):
                    any_marks[place : place + 8] = b"\1" * 8
                    sections.add(section)
                    if run in labelled[section]:
                        marks[place : place + 8] = b"\1" * 8
            total += len(words)
            right += sum(marks)
            any_label += sum(any_marks)
        return Share(right / total, any_label / total, sections)

    return SimpleNamespace(all=share(lambda _: True), once=share(lambda run: often[run] == 1))


def of(report, rule):
    return [finding for finding in report["findings"] if finding["rule"] == rule]


def test_sections_that_label_no_chunk(report, chunks, numbers):
    """Exactly the 94 of 307 numbers that label nothing are reported missing, four as stubs."""
    labels = {chunk["metadata"]["section_number"] for chunk in chunks}
    unlabelled = numbers - labels
    missing = of(report, "CG301")
    reported = {f["section"].split("-")[0]: f for f in missing}

    assert (len(numbers), len(unlabelled), len(missing)) == (307, 94, 94)
    assert set(reported) == unlabelled
    stubs = {number for number, f in reported.items() if f["severity"] == "note"}
    assert stubs == {"247", "261", "262", "263"}


def test_what_became_of_them(report, chunks, runs):
    """Of each it is said how many of its words stand under which other labels, or that none do."""
    labels = {chunk["metadata"]["section_number"] for chunk in chunks}
    none, elsewhere = set(), {}
    for finding in of(report, "CG301"):
        if finding["severity"] == "note":
            continue
        found = re.search(
            r": (\d+) of its (\d+) words are stored under other labels \((.*)\)", finding["message"]
        )
        if found is None:
            assert "none of its" in finding["message"]
            none.add(finding["section"])
        else:
            assert 0 < int(found[1]) <= int(found[2])
            elsewhere[finding["section"]] = found[3].split(", ")

    assert len(none) + len(elsewhere) == 90
    # Runs that the Act has once only: a phrase that it repeats does not tell where it is from.
    assert not none & runs.once.sections
    assert all(set(names) <= labels for names in elsewhere.values())


def test_labels_that_name_no_section(report, chunks, numbers):
    """The 36 invented labels, on each of their 149 rows."""
    future = {"36.1", "165.1"}
    rows = Counter(
        (chunk["id"], label)
        for chunk in chunks
        if (label := chunk["metadata"]["section_number"]) not in numbers | future
    )
    reported = Counter((f["passage"], f["section"]) for f in of(report, "CG302"))

    assert reported == rows
    assert (len({label for _, label in rows}), rows.total()) == (36, 149)


def test_ids_that_an_upsert_would_overwrite(report, chunks):
    """All 44 repeated ids; 54 rows are lost, one of which is a copy of the first."""
    texts = defaultdict(list)
    for chunk in chunks:
        texts[chunk["id"]].append(chunk["text"])
    repeated = {native: rows for native, rows in texts.items() if len(rows) > 1}
    lost = Counter({native: len(rows) - 1 for native, rows in repeated.items()})
    copies = sum(row == rows[0] for rows in repeated.values() for row in rows[1:])
    findings = of(report, "CG303")

    assert (len(repeated), lost.total()) == (44, 54)
    assert all(len(set(rows)) > 1 for rows in repeated.values())
    assert Counter(f["passage"] for f in findings) == lost
    assert sum(f["severity"] == "warning" for f in findings) == copies


def test_text_that_is_not_in_force(report, chunks, paragraphs):
    """The paragraphs of a Y style, without number and citation, that stand in a chunk."""
    stored = [squeezed(chunk["text"]) for chunk in chunks]
    law = [text for style, text in paragraphs if style in LAW_STYLES]
    expected = set()
    for style, text in paragraphs:
        words = CITATION.sub("", MARKERS.sub("", text)) if style in FUTURE_STYLES else ""
        # Words that the law in force has too prove nothing.
        if words and any(words in one for one in stored) and not any(words in p for p in law):
            expected.add(words)
    reported = {
        squeezed(finding["official"].split("…")[0]): finding for finding in of(report, "CG305")
    }

    assert len(of(report, "CG305")) == 26
    assert set(reported) == expected


def test_coverage_is_that_of_a_count_by_runs_but_for_repeats(report, runs):
    """Runs of eight words count a repeated phrase at each place, exact spans only where it is."""
    (document,) = report["documents"]

    assert runs.once.right <= document["coverage"] <= runs.all.right
    assert runs.once.anywhere <= document["coverage_any_label"] <= runs.all.anywhere


def test_not_everything_is_flagged(report, chunks):
    """A find is no find if everything is reported: sound rows stay without an error."""
    bad = {f["passage"] for f in report["findings"] if f["severity"] == "error"} - {""}
    (document,) = report["documents"]

    assert document["verified_passages"] > 200
    assert 0.5 < len(bad) / len({chunk["id"] for chunk in chunks}) < 0.75


def test_that_no_section_is_whole_is_true(report, chunks, paragraphs, numbers):
    """All 303 sections in force have an error; counted apart, none stands whole under its label."""
    own = defaultdict(str)
    for chunk in chunks:
        own[chunk["metadata"]["section_number"]] += f"\n{squeezed(chunk['text'])}"
    section, lost = "", set()
    for style, text in paragraphs:
        if style == "section":
            section = NUMBER.match(text)[0]
        words = CITATION.sub("", MARKERS.sub("", text))
        if style in LAW_STYLES and words not in own[section]:
            lost.add(section)
    flagged = {f["section"] for f in report["findings"] if f["severity"] == "error"}

    assert lost == numbers
    assert flagged & numbers == numbers - {"247", "261", "262", "263"}


def test_both_official_files_give_the_same_findings(report):
    """The findings count is that of either file: what is said does not hang on the rendition."""
    counts = Counter(finding["rule"] for finding in report["findings"])
    assert (counts["CG301"], counts["CG302"], counts["CG303"], counts["CG305"]) == (94, 149, 54, 26)
    assert counts["CG201"] == counts["CG204"] == counts["CG508"] == 0
