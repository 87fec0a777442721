"""Which field of an unknown store is the text, the id, the section, and what looks wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.corpora.profile import SECTION_LIKE, Field

if TYPE_CHECKING:
    from collections.abc import Mapping

ORDER: Final = ("id", "text", "section", "subsection", "heading", "ordinal")

_NAMES: Final = {
    "id": ("id", "_id", "chunk_id", "passage_id", "node_id", "provision_ref", "uuid", "key"),
    "text": (
        "text",
        "content",
        "page_content",
        "body",
        "full_text",
        "chunk_text",
        "node_text",
        "passage",
        "chunk",
        "document",
    ),
    "section": (
        "section",
        "section_number",
        "section_no",
        "section_num",
        "sec",
        "article",
        "number",
        "provision_ref",
        "section_id",
        "citation",
    ),
    "subsection": ("subsection", "subsection_number", "subsection_no", "subsec"),
    "heading": ("heading", "headnote", "marginal_note"),
    "ordinal": ("ordinal", "chunk_index", "chunk_no", "position", "seq", "sort_key"),
    "status": ("status", "in_force", "repealed", "act_status", "state"),
}
"""Ours -> names seen in public stores, likeliest first."""

_MIN_SECTION_SHARE: Final = 0.5
_MIN_TEXT_LENGTH: Final = 20


def candidates(fields: Mapping[str, Field], rows: int) -> dict[str, tuple[str, ...]]:
    """Return, for each of our fields, the paths that could be meant, likeliest first."""
    found: dict[str, tuple[str, ...]] = {}
    for ours, names in _NAMES.items():
        named = [known for known in fields.values() if known.name in names and known.values]
        fitting = [known for known in named if _fits(ours, known, rows)]
        # A fuller field first; then the likelier name; the shallower of two is the row's own.
        fitting.sort(
            key=lambda known: (
                -round(len(known.values) / rows, 1),
                names.index(known.name),
                known.path.count("."),
            )
        )
        found[ours] = tuple(known.path for known in fitting)
    if not found["text"]:
        longest = sorted(fields.values(), key=lambda known: -known.mean_length())
        found["text"] = tuple(
            known.path for known in longest[:1] if known.mean_length() >= _MIN_TEXT_LENGTH
        )
    if not found["id"]:
        unique = [
            known
            for known in fields.values()
            if len(known.values) == rows
            and known.is_unique()
            and known.path not in found["text"]
            and (known.name.endswith("id") or known.name.startswith("citation"))
        ]
        found["id"] = tuple(known.path for known in unique)
    return found


def chosen(fields: Mapping[str, Field], likeliest: Mapping[str, str]) -> dict[str, str]:
    """Return the fields to map, in the order in which a person reads them.

    A field that has one of our names but does not hold what we mean by it is mapped to ``""``:
    readers would otherwise find it by its name.
    """
    found: dict[str, str] = {}
    for ours in ORDER:
        if ours in likeliest:
            found[ours] = likeliest[ours]
        elif ours in fields or ours == "id":
            found[ours] = ""
    return found


def warnings(fields: Mapping[str, Field], mapped: Mapping[str, str], rows: int) -> list[str]:
    """Return what a person should look at before trusting the mapping."""
    found = []
    text, identifier, section = (
        fields.get(mapped.get(ours, "")) for ours in ("text", "id", "section")
    )
    if text is None:
        found.append("No field looks like the text of a passage: set fields.text.")
    elif len(text.values) < rows:
        found.append(f"{rows - len(text.values)} of {rows} sampled rows have no {text.path}.")
    if identifier is None:
        found.append("No field looks like an id: rows are known by their position.")
    elif not identifier.is_unique():
        repeated = len(identifier.values) - len({str(value) for value in identifier.values})
        found.append(
            f"{repeated} of {rows} sampled rows repeat an id: a store that overwrites by id "
            "has lost them."
        )
    if section is None:
        found.append(
            "No field looks like a section number: passages are looked for in the whole document."
        )
    elif len(section.values) < rows:
        found.append(f"{rows - len(section.values)} of {rows} sampled rows have no {section.path}.")
    return found


def _fits(ours: str, known: Field, rows: int) -> bool:
    if ours == "text":
        return known.mean_length() >= _MIN_TEXT_LENGTH or known.name == "text"
    if ours == "section":
        return known.share(SECTION_LIKE) >= _MIN_SECTION_SHARE
    if ours == "ordinal":
        return len(known.values) == rows and all(
            str(value).strip().isdigit() for value in known.values
        )
    return True
