"""Blind labels: what labellers are shown, what they answer, and how far they agree.

A sheet shows source and sentence, in an order of its own for each labeller. It does not show
kind, tier, origin, half, pair or any verdict, and the ids of items are digests that tell nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

from corpusguard.errors import ConfigError
from corpusguard.measure import kappa
from corpusguard.measure.gate.items import MAX_ITEMS, MAX_REASON, Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corpusguard.measure.gate.items import Item

T = TypeVar("T")
MAX_CHUNK: Final = 120
"""Items in one sheet: about an hour's work."""

INSTRUCTIONS: Final = """\
Each line of a sheet holds an id, a source (one provision of an invented law, with its heading and
its section number) and a sentence that cites it. Take the source as all the law there is.

Answer with one JSON line for each: {"id": "...", "label": "supported"} or
{"id": "...", "label": "unsupported"}.

- supported: somebody who relies on the sentence is told nothing but what the source says. Other
  words are fine; so is saying less, as long as what is said is true as it stands. A sentence that
  says what the source is about, or what it does not say, is supported where that is so.
- unsupported: anything in the sentence is wrong, reversed, or not in the source: a number, a
  section, who acts, whether it is a duty or a choice, what follows, an added restriction; or a
  condition or exception is missing, so that the sentence claims more than the source grants.

Decide each line on its own, alone, without asking a tool or another labeller. Guess rather than
leave a line out.
"""


def sheets(items: Iterable[Item], labeller: str, chunk: int = MAX_CHUNK) -> list[str]:
    """Return the sheets of one labeller, as JSON lines of id, source and sentence."""
    order = sorted(items, key=lambda item: item.id)
    Random(f"sheet {labeller}").shuffle(order)  # noqa: S311 - an order, no secret
    rows = [
        json.dumps(
            {"id": item.id, "source": item.source, "sentence": item.sentence}, ensure_ascii=False
        )
        for item in order
    ]
    return ["".join(f"{row}\n" for row in rows[n : n + chunk]) for n in range(0, len(rows), chunk)]


def read_votes(texts: Mapping[str, bytes], items: Sequence[Item]) -> dict[str, Label]:
    """Read the answers of one labeller.

    Args:
        texts: name of a file -> its bytes, JSON lines of id and label.
        items: every item that was to be labelled.

    Raises:
        ConfigError: A line is no answer, names an unknown item or answers one twice, or an item
            has no answer. A partial import would change who counts as the majority.
    """
    return _read(texts, items, _answer, _HINT)


def read_audit(texts: Mapping[str, bytes], items: Sequence[Item]) -> dict[str, str]:
    """Read what a second pass over all labels says, with source, sentence and label in view.

    Args:
        texts: name of a file -> its bytes, JSON lines of id, verdict ("ok" or "contested") and
            reason.
        items: every item that was to be audited.

    Returns:
        Item -> why it is disputed; empty where its label is right.

    Raises:
        ConfigError: as ``read_votes``: an audit of a part is none.
    """

    def verdict(line: str, where: str) -> tuple[str, str]:
        try:
            row = json.loads(line)
            ident, said, reason = str(row["id"]), row["verdict"], str(row.get("reason") or "")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ConfigError(f"{where} is no verdict", hint=_AUDIT_HINT) from error
        if said not in {"ok", "contested"} or (said == "contested") != bool(reason.strip()):
            raise ConfigError(f"{where} is no verdict with its reason", hint=_AUDIT_HINT)
        return ident, " ".join(reason.split())[:MAX_REASON]

    return _read(texts, items, verdict, _AUDIT_HINT)


_AUDIT_HINT: Final = (
    'each line is {"id": "…", "verdict": "ok"}, or "contested" and a "reason"; give all files'
)
_HINT: Final = 'each line is {"id": "…", "label": "supported"} or "unsupported"'


def _read(
    texts: Mapping[str, bytes],
    items: Sequence[Item],
    read: Callable[[str, str], tuple[str, T]],
    hint: str,
) -> dict[str, T]:
    known = {item.id for item in items}
    found: dict[str, T] = {}
    for name, data in texts.items():
        lines = data.decode("utf-8-sig", "replace").split("\n")
        if len(lines) > MAX_ITEMS:
            raise ConfigError(f"{name} has more than {MAX_ITEMS} lines", hint=hint)
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            item, value = read(line, f"{name}, line {number}")
            if item not in known:
                raise ConfigError(f"{name}, line {number}: no item {item[:40]!r}", hint=hint)
            if item in found:
                raise ConfigError(f"{name}, line {number}: {item} is answered twice", hint=hint)
            found[item] = value
    missing = sorted(known - found.keys())
    if missing:
        raise ConfigError(
            f"{len(missing)} of {len(known)} items have no answer, the first is {missing[0]}",
            hint="give all sheets of the labeller at once",
        )
    return found


def _answer(line: str, where: str) -> tuple[str, Label]:
    try:
        row = json.loads(line)
        return str(row["id"]), Label(row["label"])
    except KeyError as error:
        raise ConfigError(f"{where} is no answer: it has no {error}", hint=_HINT) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"{where} is no answer", hint=_HINT) from error


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far labellers agree; the figures are None where they are not defined."""

    labellers: tuple[str, ...]
    items: int
    split: int
    """Items on which they disagree."""
    contested: int
    """Items that are set aside."""
    cohen: Mapping[str, float | None]
    """Pair of labellers, as ``a/b`` -> Cohen's kappa."""
    fleiss: float | None
    """Fleiss' kappa of all labellers."""


def agreement(items: Sequence[Item]) -> Agreement:
    """Return how far the labellers of these items agree.

    Raises:
        ConfigError: Not every labeller has answered every item.
    """
    labellers = sorted({who for item in items for who in item.votes})
    if any(sorted(item.votes) != labellers for item in items):
        raise ConfigError("not every labeller has answered every item", hint=_HINT)
    cohen = {
        f"{one}/{other}": kappa.cohen(
            [(item.votes[one], item.votes[other]) for item in items]
        ).kappa
        for one, other in combinations(labellers, 2)
    }
    return Agreement(
        labellers=tuple(labellers),
        items=len(items),
        split=sum(item.split for item in items),
        contested=sum(item.contested for item in items),
        cohen=cohen,
        fleiss=kappa.fleiss_kappa([list(item.votes.values()) for item in items]),
    )
