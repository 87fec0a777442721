"""The rules: ids that never change meaning, with name, severity and layer.

The page of each rule, printed by ``corpusguard explain``, is ``rule_pages/<id>.md``.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import resources
from typing import Final

from corpusguard.errors import ConfigError
from corpusguard.model import Layer, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the contract."""

    id: str
    name: str
    severity: Severity
    """The usual severity; a finding may carry a milder one where the rule's page says so."""
    layer: Layer | None
    summary: str


_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE
_L1, _L2, _L3 = Layer.L1, Layer.L2, Layer.L3

_TABLE: Final = (
    ("CG101", "text_differs", _E, _L1, "The stored words are not the official words."),
    ("CG102", "heading_differs", _W, _L1, "A stored heading is not the official one."),
    ("CG103", "history_note_differs", _W, _L1, "A stored amendment-history note is out of date."),
    ("CG104", "typographic_difference", _W, _L1, "Quotes, dashes, hyphens or case differ."),
    ("CG105", "prefix_unexplained", _W, _L1, "A passage begins with text that is not the law's."),
    ("CG106", "source_amended", _E, _L1, "The official text changed after it last verified."),
    ("CG107", "corpus_altered", _E, _L1, "The stored text changed after it last verified."),
    ("CG108", "reader_changed", _W, _L1, "An old snapshot reads differently with this version."),
    ("CG201", "not_in_second_reading", _E, _L2, "The second reader does not find the passage."),
    ("CG202", "order_differs", _E, _L2, "The official words are there, in another order."),
    ("CG203", "misfiled", _E, _L3, "The text is official, but of another section than claimed."),
    ("CG204", "unplaced_text", _E, _L2, "The two readers disagree about a piece of text."),
    ("CG205", "renditions_disagree", _E, _L2, "Two official renditions say different things."),
    ("CG301", "section_missing", _E, _L3, "A section in force has no passage."),
    ("CG302", "section_not_in_source", _E, _L3, "A passage claims a section that is not there."),
    ("CG303", "duplicate_id", _E, _L3, "Two rows have one id."),
    ("CG304", "repealed_as_law", _E, _L3, "Words of law are stored under a repealed number."),
    ("CG305", "not_in_force_as_law", _E, _L3, "Text not yet in force is stored as law."),
    ("CG306", "uncovered_text", _E, _L3, "Law in force that no passage covers."),
    ("CG307", "truncated", _E, _L3, "A passage stops before its provision does."),
    ("CG308", "inventories_disagree", _E, _L3, "Two inventories of the source disagree."),
    (
        "CG309",
        "unknown_locator",
        _E,
        _L3,
        "A section field is empty or unreadable, or no source lists the document.",
    ),
    ("CG501", "source_unreachable", _E, None, "The official source gave no usable answer."),
    ("CG502", "wrong_document", _E, None, "The answer is another law."),
    ("CG503", "not_the_document", _E, None, "A shell, error or firewall page came instead."),
    ("CG504", "source_shape_changed", _E, None, "The publisher's format is not the known one."),
    ("CG505", "source_frozen", _E, None, "The publisher's currency date stands still."),
    ("CG506", "body_truncated", _E, None, "The official answer ends early."),
    ("CG507", "unreadable", _E, None, "Bytes cannot be read: the official ones, or the corpus."),
    ("CG508", "reader_anomaly", _W, None, "The first reader could not place something."),
    ("CG509", "source_went_backwards", _E, None, "The source serves an older text than before."),
    ("CG510", "clock_skew", _W, None, "The local clock and the publisher's differ."),
    ("CG511", "source_mojibake", _E, None, "The official text is wrongly decoded."),
    ("CG601", "too_old", _E, None, "The last good run is older than allowed."),
    ("CG602", "ignore_expired", _W, None, "An ignore has passed its date."),
    ("CG603", "ignore_unused", _W, None, "An ignore matches no finding."),
    ("CG701", "evidence_missing", _E, None, "A snapshot that history names is gone or altered."),
    ("CG702", "history_broken", _E, None, "The history is not what it was."),
)

RULES: Final[dict[str, Rule]] = {row[0]: Rule(*row) for row in _TABLE}
"""Rule id -> rule."""


def rule_id(text: str) -> str:
    """Return the id of a rule given by id or by name, in any case.

    Raises:
        ConfigError: There is none; the hint names the nearest.
    """
    known = {rule.id.lower(): rule.id for rule in RULES.values()}
    known |= {rule.name: rule.id for rule in RULES.values()}
    wanted = text.strip().lower().replace("-", "_")
    if wanted in known:
        return known[wanted]
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    names = [f"{known[name]} {RULES[known[name]].name}" for name in near]
    raise ConfigError(
        f"there is no rule {text!r}",
        hint=f"Nearest: {', '.join(names)}." if names else "Rules look like CG101 or text_differs.",
    )


def rule_page(rule: str) -> str:
    """Return the page of a rule, as Markdown, by its id."""
    return resources.files("corpusguard").joinpath("rule_pages", f"{rule}.md").read_text("utf-8")
