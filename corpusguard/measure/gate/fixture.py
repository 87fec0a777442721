"""The fixture as it is published: the dev half in the clear, the sealed half as digest and cipher.

Two digests stand for the sealed half. ``digest`` is that of its items, sentences and all.
``answers`` is that of its items without their text: whoever has the published verdicts can check
against it, without the key, that no kind, label or pair was changed afterwards.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError, EvidenceMissing
from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.measure.gate.items import (
    Item,
    Origin,
    digest,
    dump_items,
    items_from,
    load_items,
)
from corpusguard.measure.gate.labels import agreement
from corpusguard.measure.gate.sealing import decrypt, encrypt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.evidence.canonical import Value
    from corpusguard.measure.gate.draft import Draft

SCHEMA: Final = "corpusguard/gate-fixture/1"
MAX_BYTES: Final = 64 * 1024 * 1024


class Half(StrEnum):
    """Which half of a fixture."""

    DEV = "dev"
    """To work with, as often as one likes."""
    SEALED = "sealed"
    """To measure with, preregistered, twice for each design."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A published fixture, or a user's own list of items as a dev half."""

    name: str
    version: int
    digest: str
    """SHA-256, in hex, of the canonical JSON of the whole fixture."""
    dev: tuple[Item, ...]
    sealed_digest: str = ""
    sealed_answers: str = ""
    token: str = ""

    def items(self, half: Half, key: str = "") -> tuple[Item, ...]:
        """Return the items of a half.

        Raises:
            ConfigError: There is no such half, or no usable key for it.
            EvidenceMissing: The sealed half is not what the fixture says.
        """
        if half is Half.DEV:
            return self.dev
        if not self.token:
            raise ConfigError(
                f"the fixture {self.name} has no sealed half",
                hint="--half dev, or seal a draft with `corpusguard measure gate seal`",
            )
        items = load_items(decrypt(self.token, key), f"the sealed half of {self.name}")
        if digest(items) != self.sealed_digest or answers(items) != self.sealed_answers:
            raise EvidenceMissing(
                f"the sealed half of {self.name} is not what its digest says",
                hint="take the fixture from the commit that its preregistration names",
            )
        return items

    def half_digest(self, half: Half) -> str:
        """Return the digest of a half."""
        return digest(self.dev) if half is Half.DEV else self.sealed_digest

    def half_answers(self, half: Half) -> str:
        """Return the digest of a half without its text."""
        return answers(self.dev) if half is Half.DEV else self.sealed_answers


def answer(item: Item) -> dict[str, Value]:
    """Return what is published of an item: everything but its text."""
    record = item.record()
    keys = ("id", "family", "section", "kind", "tier", "origin", "label", "pair")
    return {
        **{key: record[key] for key in keys},
        "split": item.split,
        "set_aside": item.contested,
    }


def answers(items: Sequence[Item]) -> str:
    """Return the SHA-256, in hex, of what is published of these items."""
    return answers_digest([answer(item) for item in items])


def answers_digest(rows: Sequence[dict[str, Value]]) -> str:
    """Return the SHA-256, in hex, of published rows in the order of their ids."""
    ordered = sorted(rows, key=lambda row: str(row["id"]))
    return sha256_hex(canonical([*ordered]))


def seal(draft: Draft, key: str, previous: str = "") -> bytes:
    """Return the published fixture, as canonical JSON.

    Args:
        draft: with the votes of at least three labellers.
        key: see :mod:`corpusguard.measure.gate.sealing`.
        previous: digest of the version before, if any.

    Raises:
        ConfigError: Fewer than three labellers, or not every item is labelled by each.
    """
    agreed = agreement(draft.items)
    if len(agreed.labellers) < 3:
        raise ConfigError(
            f"the draft has votes of {len(agreed.labellers)} labellers; three are needed",
            hint="`corpusguard measure gate label import DRAFT --labeller NAME FILE…`",
        )
    half: dict[str, Value] = {
        "digest": digest(draft.sealed),
        "answers": answers(draft.sealed),
        "items": len(draft.sealed),
        "set_aside": sum(item.contested for item in draft.sealed),
        "families": len({item.family for item in draft.sealed}),
        "sections": len({item.section for item in draft.sealed}),
        "counts": _counts(draft.sealed),
        "token": encrypt(dump_items(draft.sealed), key),
    }
    return canonical(
        {
            "schema": SCHEMA,
            "name": draft.name,
            "version": draft.version,
            "previous": previous,
            "labelling": {
                str(Half.DEV): _labelling(draft.dev),
                str(Half.SEALED): _labelling(draft.sealed),
            },
            "dev": [item.record() for item in draft.dev],
            "sealed": half,
        }
    )


def _labelling(items: Sequence[Item]) -> dict[str, Value]:
    agreed = agreement(items)
    return {
        "labellers": list(agreed.labellers),
        "items": agreed.items,
        "split": agreed.split,
        "set_aside": agreed.contested,
        "fleiss": _kappa(agreed.fleiss),
        "cohen": {pair: _kappa(value) for pair, value in agreed.cohen.items()},
    }


def _kappa(value: float | None) -> str:
    # As text: canonical JSON holds no floats.
    return "undefined" if value is None else f"{value:.4f}"


def _counts(items: Sequence[Item]) -> dict[str, Value]:
    kept = Counter((str(item.klass), item.origin) for item in items if not item.contested)
    return {
        klass: {str(origin): kept[klass, origin] for origin in Origin}
        for klass in sorted({klass for klass, _ in kept})
    }


def load_fixture(data: bytes, where: str) -> Fixture:
    """Read a published fixture, or a JSON list of items as a dev half.

    Raises:
        ConfigError: It is neither.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{where} is larger than {MAX_BYTES} bytes", hint=_HINT)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is not JSON: {error}", hint=_HINT) from error
    if isinstance(found, list):
        items = items_from(found, where)
        return Fixture("own", 1, digest(items), items)
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise ConfigError(f"{where} is neither a list of items nor a {SCHEMA}", hint=_HINT)
    half = found.get("sealed")
    name, version = found.get("name"), found.get("version")
    if not isinstance(name, str) or not isinstance(version, int) or not isinstance(half, dict):
        raise ConfigError(f"{where} lacks name, version or sealed", hint=_HINT)
    texts: dict[str, Any] = {key: half.get(key) for key in ("digest", "answers", "token")}
    if not all(isinstance(value, str) and value for value in texts.values()):
        raise ConfigError(f"{where}: sealed lacks digest, answers or token", hint=_HINT)
    try:
        whole = sha256_hex(canonical(found))
    except ValueError as error:
        raise ConfigError(f"{where} holds what canonical JSON cannot: {error}") from error
    dev = items_from(found.get("dev"), f"{where}: dev")
    return Fixture(name, version, whole, dev, texts["digest"], texts["answers"], texts["token"])


_HINT: Final = "docs/measuring-the-gate.md shows the format of a fixture"
