"""Recipes: what ingestion should store of an official reading."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from corpusguard.corpora import emit, load_passages, rebuild
from corpusguard.corpora.interface import Limits
from corpusguard.errors import ConfigError, CorpusUnreadable
from corpusguard.model import Channel, CorpusSpec, DocumentSpec, Kind, Status
from tests.unit.corpora.readings import BODY, MARKER, Builder, market_law

LAW = DocumentSpec("ca-on/statute/19h31@en", "Stall Keeping Act")


def spec(recipe, **more):
    return CorpusSpec(name="t", reader="jsonl", path="p.jsonl", recipe=recipe, **more)


def by_place(passages):
    return [(p.section, p.subsection, p.text) for p in passages]


def test_section_recipe():
    """One passage a section-level unit: markers and body, a line a block, nothing else."""
    found = rebuild(market_law(), spec("section"), LAW)

    assert by_place(found) == [
        ("Preamble", "", "Whereas stalls are many;\nand quays are few:"),
        ("1", "", "1 (1) A keeper shall,\n(a) sweep; and\n(2) Not in rain.\nThis is flush."),
        ("2", "", "2 Repealed"),
        ("4", "", "4 Words of sec_4."),
        ("4", "", "4 Words of sec_4~2."),
        ("Sched. 2, 1", "", "1. Dues are due."),
        ("Sched. 2, Table 1", "", "Stall\n$5"),
    ]
    assert [p.heading for p in found][:3] == ["", "Keeping", ""]
    assert [p.ordinal for p in found] == list(range(7))
    assert {p.document for p in found} == {LAW.id}


def test_subsection_recipe():
    """One passage a subsection; the opener goes with the first, flush text with the one before."""
    found = rebuild(market_law(), spec("subsection"), LAW)

    assert by_place(found)[1:4] == [
        ("1", "1", "1 (1) A keeper shall,\n(a) sweep; and"),
        ("1", "2", "(2) Not in rain.\nThis is flush."),
        ("2", "", "2 Repealed"),
    ]
    assert [p.heading for p in found][1:3] == ["Keeping", "Rain"]


@pytest.mark.parametrize("recipe", ["section", "subsection"])
def test_every_word_in_force_is_in_exactly_one_passage(recipe):
    """Nothing in force is left out or stored twice, and nothing future is stored."""
    reading = market_law()
    law = [
        reading.text[s.start : s.end]
        for s in reading.segments
        if s.channel in {Channel.BODY, Channel.MARKER} and s.status is not Status.NOT_IN_FORCE
    ]

    stored = " ".join(p.text for p in rebuild(reading, spec(recipe), LAW))

    assert sorted(stored.split()) == sorted(" ".join(law).split())
    assert "uture" not in stored


@pytest.mark.parametrize("recipe", ["section", "subsection"])
def test_ids_are_unique_and_repeatable(recipe):
    """Ids come from pids, so that they survive a rebuild; a duplicate number has its own."""
    first = rebuild(market_law(), spec(recipe), LAW)

    assert [p.id for p in first] == [p.id for p in rebuild(market_law(), spec(recipe), LAW)]
    assert len({p.id for p in first}) == len(first)
    assert f"{LAW.id}#sec_4~2" in {p.id for p in first}


def test_duplicate_subsection_numbers_stay_apart():
    """Trap 5: two subsections (3) in force are two passages with one number."""
    b = Builder()
    section = b.provision("sec_34", Kind.SECTION, "34")
    for pid in ("sec_34__subsec_3", "sec_34__subsec_3~2"):
        one = b.provision(pid, Kind.SUBSECTION, "34", "3", section)
        b.block((MARKER, "(3)", one), (BODY, f"In {pid}.", one))

    found = rebuild(b.reading(), spec("subsection"), LAW)

    assert by_place(found) == [
        ("34", "3", "(3) In sec_34__subsec_3."),
        ("34", "3", "(3) In sec_34__subsec_3~2."),
    ]


def test_future_text_inside_a_section_in_force_is_left_out():
    """Trap 5: a future definition between two in force does not become law."""
    b = Builder()
    section = b.provision("sec_1", Kind.SECTION, "1")
    b.block((MARKER, "1", section), (BODY, "In this Act,", section))
    future = b.provision(
        "sec_1__def_x", Kind.DEFINITION, "1", parent=section, status=Status.NOT_IN_FORCE
    )
    b.block((BODY, "“x” is future;", future), status=Status.NOT_IN_FORCE)
    now = b.provision("sec_1__def_y", Kind.DEFINITION, "1", parent=section)
    b.block((BODY, "“y” is now.", now))

    assert by_place(rebuild(b.reading(), spec("section"), LAW)) == [
        ("1", "", "1 In this Act,\n“y” is now.")
    ]


def test_text_that_hangs_from_no_opener_stays_with_its_section():
    """Flush text without a parent is in the passage of its locator, not lost or alone."""
    b = Builder()
    section = b.provision("sec_5", Kind.SECTION, "5")
    b.block((MARKER, "5", section), (BODY, "Where,", section))
    flush = b.provision("flush_1", Kind.FLUSH, "5")
    b.block((BODY, "A is a stall.", flush))

    assert [p.text for p in rebuild(b.reading(), spec("section"), LAW)] == [
        "5 Where,\nA is a stall."
    ]


def test_template():
    """The template wraps each text; braces in the law are text, not places."""
    b = Builder()
    section = b.provision("sec_5", Kind.SECTION, "5", heading="{title} of stalls")
    b.block((MARKER, "5", section), (BODY, "Mark {text} so.", section))
    template = "{{{title}}}, s. {section}{subsection}\n{heading}\n\n{text}"

    found = rebuild(b.reading(), spec("section", template=template), LAW)

    assert found[0].text == "{Stall Keeping Act}, s. 5\n{title} of stalls\n\n5 Mark {text} so."


@pytest.mark.parametrize(
    "template",
    [
        "{text.__class__}",
        "{text[0]}",
        "{0}",
        "{}",
        "{nonsense}",
        "{text!r}",
        "{text:>9}",
        "{text",
        "}",
    ],
)
def test_template_is_not_a_program(template):
    """Attributes, indexes, formats and unknown names are refused with the names that exist."""
    with pytest.raises(ConfigError) as caught:
        rebuild(market_law(), spec("section", template=template), LAW)

    assert "{heading}" in caught.value.hint


def test_anchored_cannot_rebuild():
    """An anchored corpus has no expected passages."""
    with pytest.raises(ConfigError, match="cannot rebuild"):
        rebuild(market_law(), spec("anchored"), LAW)


def test_emitted_passages_read_back_identically(tmp_path):
    """What `passages` emits is a corpus that needs no mapping."""
    passages = rebuild(market_law(), spec("subsection"), LAW)
    odd = replace(
        passages[0],
        row=len(passages),
        id="x",
        section=None,
        heading=None,
        subsection="",
        ordinal=None,
        text='a\u2028"\\\n\U0001f6a2',
    )
    passages.append(odd)
    lines = list(emit(passages))
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    back = [
        replace(p, where="") for p in load_passages(CorpusSpec("t", "jsonl", "p.jsonl"), tmp_path)
    ]

    assert back == passages
    assert list(json.loads(lines[0])) == [
        "id",
        "document",
        "section",
        "subsection",
        "heading",
        "ordinal",
        "text",
    ]


USER = """
import itertools

NOT_A_FUNCTION = 3

def passages(reading, document):
    for number, provision in enumerate(reading.provisions):
        if provision.kind == "section":
            yield {"id": provision.pid, "section": provision.section, "text": document.title, "ordinal": number}

def raises(reading, document):
    yield {"id": 1, "text": "x"}
    raise KeyError("lost")

def exits(reading, document):
    return 5

def mapping(reading, document):
    return {"id": 1, "text": "x"}

def strings(reading, document):
    return ["x"]

def misspelt(reading, document):
    return [{"id": 1, "txet": "x"}]

def no_text(reading, document):
    return [{"id": 1}]

def elsewhere(reading, document):
    return [{"id": 1, "text": "x", "document": "ca-on/statute/06r17@en"}]

def endless(reading, document):
    return ({"id": n, "text": "x"} for n in itertools.count())
"""


@pytest.fixture
def user_module(tmp_path, monkeypatch):
    (tmp_path / "stall_ingest.py").write_text(USER, encoding="utf-8")
    (tmp_path / "stall_broken.py").write_text("1 / 0", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield
    for name in ("stall_ingest", "stall_broken"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("user_module")
def test_users_own_recipe():
    """The user's function gets the reading and the document; its dicts become passages."""
    found = rebuild(market_law(), spec("stall_ingest:passages"), LAW)

    assert [(p.id, p.section, p.text) for p in found][:2] == [
        ("sec_1", "1", LAW.title),
        ("sec_2", "2", LAW.title),
    ]
    assert found[0].subsection is None
    assert found[0].document == LAW.id


@pytest.mark.usefixtures("user_module")
@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("stall_nowhere:passages", ConfigError, "cannot import stall_nowhere"),
        ("stall_broken:passages", ConfigError, "ZeroDivisionError"),
        ("stall_ingest:passage", ConfigError, "passage is not there"),
        ("stall_ingest:NOT_A_FUNCTION", ConfigError, "is not a function"),
        ("stall_ingest:raises", CorpusUnreadable, "KeyError: 'lost'"),
        ("stall_ingest:exits", CorpusUnreadable, "returned int"),
        ("stall_ingest:mapping", CorpusUnreadable, "returned dict"),
        ("stall_ingest:strings", CorpusUnreadable, "item 0: must be a dict"),
        ("stall_ingest:misspelt", CorpusUnreadable, "unknown key 'txet'"),
        ("stall_ingest:no_text", CorpusUnreadable, "item 0: `text` is missing"),
        ("stall_ingest:elsewhere", CorpusUnreadable, "expected 'ca-on/statute/19h31@en'"),
        ("stall_ingest:endless", CorpusUnreadable, "more than 1000 passages"),
    ],
)
def test_users_recipe_that_fails(monkeypatch, name, error, words):
    """What cannot be called is configuration; what fails when called is an unreadable corpus."""
    monkeypatch.setattr("corpusguard.corpora.callables.LIMITS", Limits(recipe_items=1_000))
    with pytest.raises(error) as caught:
        rebuild(market_law(), spec(name), LAW)

    assert words in caught.value.message
    assert caught.value.hint


DATA = Path(__file__).parents[3].parent / "shared" / "data" / "elaws" / "statute-06r17.json"


@pytest.mark.real_data
@pytest.mark.skipif(not DATA.exists(), reason="the shared folder of official documents is absent")
@pytest.mark.parametrize("recipe", ["section", "subsection"])
def test_real_act_is_stored_whole_and_once(recipe):
    """Of a real Act every word in force is in exactly one passage, under unique ids."""
    first_reader = pytest.importorskip("corpusguard.first_reader")
    from corpusguard.model import Rendition  # noqa: PLC0415 -- beside its only use

    reading = first_reader.read(DATA.read_bytes(), Rendition.PAYLOAD)
    law = [
        reading.text[s.start : s.end]
        for s in reading.segments
        if s.channel in {Channel.BODY, Channel.MARKER} and s.status is not Status.NOT_IN_FORCE
    ]

    found = rebuild(reading, spec(recipe), LAW)

    assert sorted(" ".join(p.text for p in found).split()) == sorted(" ".join(law).split())
    assert len({p.id for p in found}) == len(found)
    assert "" not in {p.section for p in found}
    stub = next(p for p in found if p.section == "247-260")
    assert stub.text.startswith("247-260 Omitted")
