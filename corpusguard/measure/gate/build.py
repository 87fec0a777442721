"""A fixture out of laws: hand-written sentences as they are, constructed ones by seeded rules."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from corpusguard.measure.gate.items import Item, Kind, Label, Origin, Tier
from corpusguard.measure.gate.perturb import RULES, Around, actors, lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corpusguard.measure.gate.law import Base, Section


@dataclass(frozen=True, slots=True)
class Plan:
    """How many constructed items to make."""

    seed: int = 1
    constructed: int = 10
    """Per kind and per tier, as far as the law offers places; verbatim: every sentence of law."""
    at_least: int = 32
    """More are constructed where hand-written and constructed ones of a kind are fewer."""


def build(sections: Sequence[Section], plan: Plan) -> list[Item]:
    """Return the items of one half, in the order of their ids.

    The same laws and plan give the same items. No sentence occurs twice for one provision.
    """
    return _Builder(sections, plan).build()


class _Builder:
    def __init__(self, sections: Sequence[Section], plan: Plan) -> None:
        self._sections = sections
        self._plan = plan
        self._items: dict[str, Item] = {}
        self._pairs: dict[str, str] = {}
        """Family -> its verbatim item."""
        self._soft: dict[str, str] = {}
        """Family -> its hand-written paraphrase, the fairer pair of hand-written sentences."""
        self._laws = {law: self._around(law) for law in {s.law for s in sections}}

    def _around(self, law: str) -> Around:
        own = [section for section in self._sections if section.law == law]
        return Around(
            [section.number for section in own],
            actors([base.text for section in own for base in section.bases]),
        )

    def build(self) -> list[Item]:
        families = [
            (section, number, base)
            for section in self._sections
            for number, base in enumerate(section.bases, 1)
        ]
        for section, number, base in families:
            item = self._add(section, number, base.text, Tier.VERBATIM, Origin.CONSTRUCTED)
            self._pairs[f"{section.id}/{number}"] = item.id if item else ""
        # Supported ones first: the others name one as their pair.
        for wanted in (Label.SUPPORTED, Label.UNSUPPORTED):
            for section, number, base in families:
                for meant, sentence in base.natural:
                    self._natural(wanted, section, number, meant, sentence)
        klasses: list[Kind | Tier] = [*SOUND_RULES, *RULES]
        for klass in klasses:
            self._construct(klass, families)
        return sorted(self._items.values(), key=lambda item: item.id)

    def _natural(
        self, wanted: Label, section: Section, number: int, klass: Kind | Tier, sentence: str
    ) -> None:
        supported = isinstance(klass, Tier)
        if supported is not (wanted is Label.SUPPORTED):
            return
        item = self._add(section, number, sentence, klass, Origin.NATURAL)
        if item and klass in (Tier.LIGHT_PARAPHRASE, Tier.PLAIN_LANGUAGE):
            self._soft.setdefault(item.family, item.id)

    def _construct(self, klass: Kind | Tier, families: list[tuple[Section, int, Base]]) -> None:
        have = Counter(item.klass for item in self._items.values())[klass]
        wanted = max(self._plan.constructed, self._plan.at_least - have)
        random = Random(f"{self._plan.seed} {klass}")  # noqa: S311 - a seeded choice, no secret
        order = list(families)
        random.shuffle(order)
        for section, number, base in order:
            if wanted == 0:
                return
            around = self._laws[section.law]
            if isinstance(klass, Tier):
                sentence = SOUND_RULES[klass](section, base, self._sections, random)
            else:
                sentence = RULES[klass](section, base, around, random)
            if sentence and self._add(section, number, sentence, klass, Origin.CONSTRUCTED):
                wanted -= 1

    def _add(
        self, section: Section, number: int, sentence: str, klass: Kind | Tier, origin: Origin
    ) -> Item | None:
        family = f"{section.id}/{number}"
        name = f"{self._plan.seed}|{section.id}|{' '.join(sentence.lower().split())}"
        item_id = "i" + hashlib.sha256(name.encode()).hexdigest()[:11]
        if item_id in self._items:
            return None
        pair = ""
        if isinstance(klass, Kind):
            natural = self._soft.get(family) if origin is Origin.NATURAL else None
            pair = natural or self._pairs[family]
        item = Item(item_id, family, section.id, section.source, sentence, klass, origin, pair)
        self._items[item_id] = item
        return item


_LIGHT: Final = (
    (r"\b([Nn])o person shall\b", r"\1o person may"),
    (r"\bshall not\b", "must not"),
    (r"\bshall\b", "must"),
    (r"\bnot more than\b", "no more than"),
    (r"\bis void\b", "has no effect"),
    (r"\bfree of charge\b", "without charge"),
    (r"\bunless\b", "except where"),
)


def light_paraphrase(
    section: Section, base: Base, _all: Sequence[Section], random: Random
) -> str | None:
    """Put synonyms in the place of the drafter's words."""
    text = base.text
    for old, new in _LIGHT:
        text = re.sub(old, new, text)
    if text == base.text:
        return None
    form = random.choice(("{1}", "Under section {0}, {2}", "According to section {0}, {2}"))
    return form.format(section.number, text, lowered(text))


def connective(
    section: Section, _base: Base, _all: Sequence[Section], random: Random
) -> str | None:
    """Say what the provision is about."""
    if not section.heading:
        return None
    form = random.choice(("Section {} deals with “{}”.", "The heading of section {} is “{}”."))
    return form.format(section.number, section.heading)


def correct_refusal(
    section: Section, _base: Base, everything: Sequence[Section], random: Random
) -> str | None:
    """Say that the provision is silent on the topic of another."""
    own = _stems(section.source)
    topics = [
        other.heading for other in everything if other.heading and not own & _stems(other.heading)
    ]
    if not topics:
        return None
    form = random.choice(
        ("Section {} does not mention “{}”.", "There is nothing in section {} on “{}”.")
    )
    return form.format(section.number, random.choice(topics))


def _stems(text: str) -> set[str]:
    return {word[:5].rstrip("s") for word in re.findall(r"[a-z]{3,}", text.lower())} - {
        "the",
        "and",
    }


SOUND_RULES: Final[
    Mapping[Tier, Callable[[Section, Base, Sequence[Section], Random], str | None]]
] = {
    Tier.LIGHT_PARAPHRASE: light_paraphrase,
    Tier.CONNECTIVE: connective,
    Tier.CORRECT_REFUSAL: correct_refusal,
}
"""Tiers that a rule can make; plain language has to be written."""
