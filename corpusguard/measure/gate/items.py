"""What a gate is measured with: sentences, each with the passage that it cites.

An item is *unsupported* (of a kind: what is wrong with it) or *supported* (of a tier: how far its
words are from the law's). The builder says which it meant to make; what counts is what labellers
who saw only source and sentence say, see :mod:`corpusguard.measure.gate.labels`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError
from corpusguard.evidence.canonical import canonical, sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.evidence.canonical import Value

MAX_ITEMS: Final = 20_000
MAX_SENTENCE: Final = 4_000
"""Characters of a sentence; the longest sentence of a statute that we know of has fewer."""
MAX_SOURCE: Final = 40_000
MAX_REASON: Final = 400
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@#~+-]{0,119}")

_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class Kind(StrEnum):
    """What is wrong with an unsupported sentence."""

    WRONG_NUMBER = "wrong_number"
    WRONG_SECTION = "wrong_section"
    INVERTED_CONDITION = "inverted_condition"
    ADDED_QUALIFIER = "added_qualifier"
    WRONG_ACTOR = "wrong_actor"
    WRONG_OUTCOME = "wrong_outcome"
    DROPPED_CONDITION = "dropped_condition"
    MODAL_SHIFT = "modal_shift"
    VALUE_SWAP = "value_swap"
    """Two values of the same provision, each in the other's place."""
    VERSION_SWAP = "version_swap"
    """What an earlier version of the provision said."""
    UNSUPPORTED_PLAUSIBLE = "unsupported_plausible"
    """Sounds like law; the provision says nothing of it."""


class Tier(StrEnum):
    """How a supported sentence says what the law says."""

    VERBATIM = "verbatim"
    LIGHT_PARAPHRASE = "light_paraphrase"
    PLAIN_LANGUAGE = "plain_language"
    CONNECTIVE = "connective"
    """Says what the provision is about."""
    CORRECT_REFUSAL = "correct_refusal"
    """Says that the provision does not answer something, and it does not."""


class Origin(StrEnum):
    """Who made a sentence."""

    NATURAL = "natural"
    """Written freely, as a model or a person answers."""
    CONSTRUCTED = "constructed"
    """Made from the law's own sentence by a seeded rule."""


class Label(StrEnum):
    """What a labeller says."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence to decide on, and the passage that it cites."""

    id: str
    """Says nothing about kind or label: labellers see it."""
    family: str
    """The sentence of law that it comes from, as ``LA-4/1``."""
    section: str
    """The provision, as ``LA-4``: the cluster of the bootstrap."""
    source: str
    """The text of the provision, as a passage of a corpus has it."""
    sentence: str
    klass: Kind | Tier
    origin: Origin
    pair: str = ""
    """Id of the sound sentence that an unsupported one was made from or belongs to."""
    votes: Mapping[str, Label] = field(default_factory=dict)
    """Labeller -> label."""
    disputed: str = ""
    """Why whoever audited the labels holds that a careful reader could say otherwise."""

    @property
    def intended(self) -> Label:
        """What the builder meant to make."""
        return Label.UNSUPPORTED if isinstance(self.klass, Kind) else Label.SUPPORTED

    @property
    def majority(self) -> Label | None:
        """What more than half of the labellers say; None without votes, or at a tie."""
        for label in Label:
            if 2 * sum(vote is label for vote in self.votes.values()) > len(self.votes):
                return label
        return None

    @property
    def split(self) -> bool:
        """Whether the labellers disagree."""
        return len(set(self.votes.values())) > 1

    @property
    def contested(self) -> bool:
        """Whether the item is set aside: disputed by an audit, or labelled otherwise than meant."""
        return bool(self.disputed) or (bool(self.votes) and self.majority is not self.intended)

    def record(self) -> dict[str, Value]:
        """Return the item as it is hashed and stored."""
        unsupported = isinstance(self.klass, Kind)
        # Absent where nothing is disputed: fixtures without an audit keep their digest.
        disputed: dict[str, Value] = {"disputed": self.disputed} if self.disputed else {}
        return {
            "id": self.id,
            "family": self.family,
            "section": self.section,
            "source": self.source,
            "sentence": self.sentence,
            "kind": str(self.klass) if unsupported else "",
            "tier": "" if unsupported else str(self.klass),
            "origin": str(self.origin),
            "label": str(self.majority or self.intended),
            "pair": self.pair,
            "votes": {who: str(vote) for who, vote in sorted(self.votes.items())},
            **disputed,
        }


def digest(items: Iterable[Item]) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of the items in the order of their ids."""
    ordered = sorted(items, key=lambda item: item.id)
    return sha256_hex(canonical([item.record() for item in ordered]))


def dump_items(items: Iterable[Item]) -> bytes:
    """Return the items as canonical JSON, in the order of their ids."""
    return canonical([item.record() for item in sorted(items, key=lambda item: item.id)])


def load_items(data: bytes, where: str) -> tuple[Item, ...]:
    """Read what :func:`dump_items` wrote, or a user's own list.

    Raises:
        ConfigError: It is not a list of items; the message names the item.
    """
    try:
        rows = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is not JSON: {error}", hint=_HINT) from error
    return items_from(rows, where)


def items_from(rows: object, where: str) -> tuple[Item, ...]:
    """Read a list of item records.

    Raises:
        ConfigError: It is not a list of items, is empty or too long, or repeats an id, or a
            pair names no supported item of the list.
    """
    if not isinstance(rows, list) or not rows:
        raise ConfigError(f"{where} holds no items", hint=_HINT)
    if len(rows) > MAX_ITEMS:
        raise ConfigError(
            f"{where} holds {len(rows)} items; at most {MAX_ITEMS} are read",
            hint="split it into several fixtures",
        )
    items = tuple(_item(row, f"{where}, item {number}") for number, row in enumerate(rows, 1))
    supported = {item.id for item in items if item.intended is Label.SUPPORTED}
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise ConfigError(f"{where} has two items {item.id}", hint="give each its own id")
        seen.add(item.id)
        if item.pair and item.pair not in supported:
            raise ConfigError(
                f"{where}: the pair {item.pair} of {item.id} is no supported item", hint=_HINT
            )
    return items


_HINT: Final = "docs/measuring-the-gate.md shows the format of a fixture"
_FIELDS: Final = {"id", "family", "section", "source", "sentence", "kind", "tier", "origin"}
_OPTIONAL: Final = {"label", "votes", "pair", "disputed"}


def _item(row: object, where: str) -> Item:
    if not isinstance(row, dict):
        raise ConfigError(f"{where}: is no JSON object", hint=_HINT)
    if missing := sorted(_FIELDS - row.keys()):
        raise ConfigError(f"{where}: has no {', '.join(missing)}", hint=_HINT)
    unknown = sorted(row.keys() - _FIELDS - _OPTIONAL)
    if unknown:
        raise ConfigError(f"{where}: unknown field {unknown[0]!r}", hint=_HINT)
    votes = row.get("votes", {})
    if not isinstance(votes, dict) or len(votes) > 100:
        raise ConfigError(f"{where}: votes is not an object of labeller and label", hint=_HINT)
    item = Item(
        id=_name(row, "id", where),
        family=_name(row, "family", where),
        section=_name(row, "section", where),
        source=_text(row, "source", MAX_SOURCE, where),
        sentence=_text(row, "sentence", MAX_SENTENCE, where),
        klass=_klass(row, where),
        origin=Origin(_one_of(row["origin"], Origin, f"{where}: origin")),
        pair=_name(row, "pair", where) if row.get("pair") else "",
        votes={
            _checked_name(who, f"{where}: labeller"): Label(
                _one_of(vote, Label, f"{where}: vote of {who}")
            )
            for who, vote in votes.items()
        },
        disputed=_text(row, "disputed", MAX_REASON, where) if row.get("disputed") else "",
    )
    label = row.get("label", "")
    if label and label != (item.majority or item.intended):
        raise ConfigError(
            f"{where}: label {label!r} is not what its kind, tier and votes say", hint=_HINT
        )
    return item


def checked_labeller(name: str) -> str:
    """Return the name of a labeller, which names files.

    Raises:
        ConfigError: It is not of letters, digits and ``._-``.
    """
    if not _PLAIN.fullmatch(name):
        raise ConfigError(
            f"--labeller {name[:60]!r} is not a name of up to 80 letters, digits and ._-",
            hint="a short name is enough, as --labeller anna",
        )
    return name


def _klass(row: dict[str, Any], where: str) -> Kind | Tier:
    kind, tier = row["kind"], row["tier"]
    if bool(kind) == bool(tier):
        raise ConfigError(f"{where}: has either a kind or a tier", hint=_HINT)
    if kind:
        return Kind(_one_of(kind, Kind, f"{where}: kind"))
    return Tier(_one_of(tier, Tier, f"{where}: tier"))


def _one_of(value: object, known: Iterable[str], where: str) -> str:
    names = [str(name) for name in known]
    if not isinstance(value, str) or value not in names:
        shown = repr(value)[:60]
        raise ConfigError(f"{where} {shown} is none of {', '.join(names)}", hint=_HINT)
    return value


def _name(row: dict[str, Any], key: str, where: str) -> str:
    return _checked_name(row[key], f"{where}: {key}")


def _checked_name(value: object, where: str) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ConfigError(
            f"{where} {repr(value)[:60]} is not a name of up to 120 letters, digits and ._:/@#~+-",
            hint=_HINT,
        )
    return value


def _text(row: dict[str, Any], key: str, most: int, where: str) -> str:
    value = row[key]
    if not isinstance(value, str) or not value.strip() or len(value) > most:
        raise ConfigError(f"{where}: {key} is not a text of 1 to {most} characters", hint=_HINT)
    if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise ConfigError(f"{where}: {key} holds half a surrogate pair", hint=_HINT)
    return value
