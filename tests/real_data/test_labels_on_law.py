"""Labels and spans on a real statute: its lettered lists are no labels, its words are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpusguard.gate.evidence.canonical import Canonical
from corpusguard.gate.labels import check, parse, strip

ROWS = Path(__file__).parents[3] / "shared" / "data" / "corpora" / "rta-732-chunks.json"

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not ROWS.is_file(), reason="../shared/data is not there"),
]


@pytest.fixture(scope="module")
def texts():
    rows = json.loads(ROWS.read_text("utf-8"))["chunks"]
    assert len(rows) == 732
    return {row["id"]: row["text"] for row in rows}


def test_no_letter_of_a_list_is_read_as_a_label(texts):
    """Nothing in the statute opens or closes one."""
    assert [name for name, text in texts.items() if parse(text).labels] == []
    assert [name for name, text in texts.items() if parse(text).problems] == []


def test_a_passage_that_is_given_passes_whole(texts):
    """But for the one that is a single clause (g), cut from its list: it is held, not let through."""
    held = []
    for name, text in texts.items():
        labelled = f"(u){text}(/u: the Act)"
        assert strip(labelled) == text.strip()
        if check(labelled).held:
            held.append(name)
    assert held == ["ONT_RTA_2006_V_3.12"]


def test_words_are_found_however_they_are_printed(texts):
    """Any five words in a row, in capitals and with other spaces."""
    for text in texts.values():
        words = text.split()
        for at in range(0, max(len(words) - 5, 1), 40):
            span = Canonical("\u00a0\n".join(words[at : at + 5]).upper())
            place = Canonical(text).find(span)
            if any(letter.isalnum() for letter in span.text):
                assert place is not None, words[at : at + 5]
