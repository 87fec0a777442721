"""A fixture in the making: both halves in the clear, with the votes that have come in.

It is canonical JSON, kept by whoever builds the fixture and outside any repository; what may be
published is made from it by :mod:`corpusguard.measure.gate.fixture`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.evidence.canonical import canonical
from corpusguard.measure.gate.items import Item, items_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.measure.gate.items import Label

SCHEMA: Final = "corpusguard/gate-draft/1"


@dataclass(frozen=True, slots=True)
class Draft:
    """Both halves; no family is in both."""

    name: str
    version: int
    dev: tuple[Item, ...]
    sealed: tuple[Item, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """Both halves, in the order of their ids: what labellers see, without telling which."""
        return tuple(sorted((*self.dev, *self.sealed), key=lambda item: item.id))

    def voted(self, labeller: str, votes: Mapping[str, Label]) -> Draft:
        """Return the draft with the votes of one labeller, in place of any earlier of theirs."""

        def with_votes(items: Sequence[Item]) -> tuple[Item, ...]:
            return tuple(
                replace(item, votes={**item.votes, labeller: votes[item.id]}) for item in items
            )

        return replace(self, dev=with_votes(self.dev), sealed=with_votes(self.sealed))

    def audited(self, disputed: Mapping[str, str]) -> Draft:
        """Return the draft with what an audit of its labels disputes, in place of any earlier."""

        def with_reasons(items: Sequence[Item]) -> tuple[Item, ...]:
            return tuple(replace(item, disputed=disputed[item.id]) for item in items)

        return replace(self, dev=with_reasons(self.dev), sealed=with_reasons(self.sealed))

    def dump(self) -> bytes:
        """Return the draft as canonical JSON."""
        return canonical(
            {
                "schema": SCHEMA,
                "name": self.name,
                "version": self.version,
                "dev": [item.record() for item in self.dev],
                "sealed": [item.record() for item in self.sealed],
            }
        )


def make_draft(name: str, version: int, dev: Sequence[Item], sealed: Sequence[Item]) -> Draft:
    """Return a draft of two halves.

    Raises:
        ConfigError: They share an id, a family or a section: what was tuned on one would show in
            the other.
    """
    for what in ("id", "family", "section"):
        shared = {getattr(item, what) for item in dev} & {getattr(item, what) for item in sealed}
        if shared:
            raise ConfigError(
                f"both halves have the {what} {min(shared)}",
                hint="give each half laws of its own, with short names of their own",
            )
    return Draft(name, version, tuple(dev), tuple(sealed))


def load_draft(data: bytes, where: str) -> Draft:
    """Read what :meth:`Draft.dump` wrote.

    Raises:
        ConfigError: It is not a draft.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is not JSON: {error}", hint=_HINT) from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise ConfigError(f"{where} is not a {SCHEMA}", hint=_HINT)
    name, version = found.get("name"), found.get("version")
    if not isinstance(name, str) or not isinstance(version, int):
        raise ConfigError(f"{where} has no name or version", hint=_HINT)
    return make_draft(
        name,
        version,
        items_from(found.get("dev"), f"{where}: dev"),
        items_from(found.get("sealed"), f"{where}: sealed"),
    )


_HINT: Final = "`corpusguard measure gate build` makes a draft"
