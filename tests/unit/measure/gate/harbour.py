"""A small fixture of the kind that a user brings: an invented law, and what reaches a judge."""

from __future__ import annotations

import json

LAW = {
    "lamps": "Lamps\n4 A keeper shall light the harbour lamp at dusk and put it out at dawn.",
    "oil": (
        "Oil\n7 The Council shall give a keeper oil within 5 days, unless the keeper has sold some."
    ),
    "boats": (
        "Boats\n9 A person who leaves a boat on the quay overnight must mark it with a red flag."
    ),
}
SOUND = {
    # section, sentence, tier
    "v1": ("lamps", LAW["lamps"].split("\n4 ")[1], "verbatim"),
    "s1": ("lamps", "At dusk a keeper shall light the harbour lamp.", "light_paraphrase"),
    "s2": (
        "boats",
        "A boat that a person leaves on the quay overnight must be marked with a red flag.",
        "light_paraphrase",
    ),
}
WRONG = {
    # section, sentence, kind, sound counterpart
    "w1": (
        "lamps",
        "A keeper shall light the harbour lamp at dawn and put it out at dusk.",
        "value_swap",
        "s1",
    ),
    "w2": (
        "oil",
        "The Council shall give oil within 5 days, unless the Council has sold some.",
        "wrong_actor",
        "",
    ),
    "w3": (
        "boats",
        "A person who leaves a boat on the quay must mark it with a red flag.",
        "dropped_condition",
        "s2",
    ),
    "w4": (
        "boats",
        "A person who leaves a red flag on the quay overnight must mark it with a boat.",
        "value_swap",
        "s2",
    ),
    # A veto stops these two: the number is another, and the quotation is cut.
    "w5": (
        "oil",
        "The Council shall give a keeper oil within 6 days, unless the keeper has sold some.",
        "wrong_number",
        "",
    ),
    "w6": ("oil", "The Council shall give a keeper oil within 5 days.", "dropped_condition", ""),
}
REACHING = ("s1", "s2", "w1", "w2", "w3", "w4")
"""Items about which a judge is asked."""
RIGHT = {SOUND[name][1]: "SUPPORTED" for name in ("s1", "s2")}
"""Sentence -> what a judge that is always right says; NOT_SUPPORTED of the others."""


def items(times: int = 1):
    """Return the fixture's items; ``times`` repeats all under ids of their own."""
    rows = []
    for number in range(times):
        for name, (section, sentence, tier) in SOUND.items():
            rows.append(_item(f"{name}-{number}", section, sentence, "", tier, ""))
        for name, (section, sentence, kind, pair) in WRONG.items():
            partner = f"{pair}-{number}" if pair else ""
            rows.append(_item(f"{name}-{number}", section, sentence, kind, "", partner))
    return rows


def _item(name, section, sentence, kind, tier, pair):
    return {
        "id": name,
        "family": f"{section}/1",
        "section": section,
        "source": LAW[section],
        "sentence": sentence,
        "kind": kind,
        "tier": tier,
        "origin": "natural",
        "pair": pair,
    }


def write(folder, times: int = 1):
    """Write ``own.json`` into a folder."""
    (folder / "own.json").write_text(json.dumps(items(times)))
