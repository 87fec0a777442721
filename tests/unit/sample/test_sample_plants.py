"""The faulty corpus holds the faults that plants.json describes, and no other."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.sample_faults import faulty
from corpusguard.config import load_config
from corpusguard.corpora import load_passages
from corpusguard.rules import RULES
from tests.unit.sample.conftest import SAMPLE


def rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines()]


PLANTS = json.loads((SAMPLE / "plants.json").read_text(encoding="utf-8"))


def test_plants_are_of_many_kinds():
    """Every plant is of its own kind, and the three layers each have several to find."""
    kinds = [plant["kind"] for plant in PLANTS]
    layers = Counter(RULES[rule].layer for plant in PLANTS for rule in plant["rules"][:1])

    assert len(set(kinds)) == len(kinds) >= 10
    assert set(layers) == {"L1", "L2", "L3"}


@pytest.mark.parametrize("plant", PLANTS, ids=[plant["kind"] for plant in PLANTS])
def test_plant_is_explained(plant):
    """A newcomer reads one plain sentence; the rules it names exist."""
    assert set(plant) == {"kind", "document", "section", "passage", "rules", "explanation"}
    assert set(plant["rules"]) <= set(RULES)
    assert plant["explanation"].endswith(".")
    assert 40 < len(plant["explanation"]) < 110


def test_rows_differ_where_planted_and_nowhere_else():
    """Rows that changed, came or went are those of the plants (the swap has two)."""

    def counted(name: str) -> Counter:
        kept = ({k: v for k, v in row.items() if k != "ordinal"} for row in rows(name))
        return Counter(json.dumps(row, ensure_ascii=False) for row in kept)

    clean, bad = counted("clean.jsonl"), counted("faulty.jsonl")
    touched = {json.loads(row)["id"] for row in (clean - bad) + (bad - clean)}
    planted = {plant["passage"] for plant in PLANTS} - {""}
    swapped, missing = (
        next(row["id"] for row in rows("clean.jsonl") if row["section"] == section)
        for section in ("41", "45")
    )

    assert touched == planted | {swapped, missing}
    assert missing not in {row["id"] for row in rows("faulty.jsonl")}


def test_a_fault_that_does_not_bite_stops_the_build():
    """After an edit of the law a plant may miss its words: that is an error, not a quiet demo."""
    clean = rows("clean.jsonl")
    for row in clean:
        row["text"] = row["text"].replace("156", "one hundred and fifty-six")

    older = [{"section": "9", "subsection": "2", "text": "Older words."}]

    with pytest.raises(ValueError, match="'156' does not stand once"):
        faulty(clean, older)


@pytest.mark.parametrize(
    ("config", "repeated"), [("corpusguard.toml", 1), ("corpusguard-clean.toml", 0)]
)
def test_configurations_load(demo, config, repeated):
    """Both configurations of the demo are valid and read their rows without a mapping."""
    loaded = load_config(demo / config)
    (spec,) = loaded.corpora
    passages = list(load_passages(spec, loaded.root))
    lines = (demo / spec.path).read_text(encoding="utf-8").splitlines()

    assert len(passages) == len(lines)
    assert {p.document for p in passages} == {d.id for s in loaded.sources for d in s.documents} & {
        "ca-on/statute/19h31@en",
        "ca-on/regulation/190902@en",
    }
    assert len(passages) - len({(p.document, p.id) for p in passages}) == repeated


def test_readme_tells_of_every_plant():
    """The list that people read is the list that the demo checks."""
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    told = [line for line in readme.splitlines() if line.startswith("| ") and "CG" in line]

    assert told == [f"| {p['explanation']} | {', '.join(p['rules'])} |" for p in PLANTS]
