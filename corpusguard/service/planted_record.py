"""What a stored record of ``measure verifier`` must look like before anything in it is used.

A digest says that a record is what somebody wrote, not that it is what we write: anyone can seal
numbers where lists belong. So every value has its type and its bounds here, and the tables, which
are Markdown and terminal text, meet no surprise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.measure.verifier import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SCHEMA: Final = "corpusguard/measure-verifier/1"
MODES: Final = ("rebuilt", "anchored", "windows")
"""How rows claim their places."""
_LAYERS: Final = frozenset({"L1", "L2", "L3"})
_KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,79}")
"""Names of kinds are ours; a record of another version may know others."""
_RULE: Final = re.compile(r"CG[0-9]{3}")


def _text(value: object) -> bool:
    return isinstance(value, str)


def _count(value: object) -> bool:
    return type(value) is int and value >= 0  # not bool, which is an int as well


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _list(item: Callable[[Any], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(item, value))


def _like(pattern: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


_TOP: Final[Mapping[str, Callable[[Any], bool]]] = {
    "schema": lambda value: bool(value == SCHEMA),
    "tool": _text,
    "versions": _list(_text),
    "seed": _text,
    "faults_per_kind": _count,
    "subjects": lambda value: isinstance(value, list),
    "rates": lambda value: isinstance(value, list),
    "digest": _text,
}
_SUBJECT: Final[Mapping[str, Callable[[Any], bool]]] = {
    "corpus": _text,
    "document": _text,
    "mode": lambda value: value in MODES,
    "snapshot": _text,
    "corpus_digest": _text,
    "rows": _count,
    "verified": _count,
    "outcomes": lambda value: isinstance(value, list),
}
_OUTCOME: Final[Mapping[str, Callable[[Any], bool]]] = {
    "kind": _like(_KIND),
    "seed": _count,
    "harmless": _flag,
    "noticed": _flag,
    "named": _flag,
    "layers": _list(lambda value: isinstance(value, str) and value in _LAYERS),
    "rules": _list(_like(_RULE)),
    "places": _list(_text),
    "rows": _count,
}


def outcomes_of(found: object) -> list[Outcome]:
    """Return every outcome of a record, once the whole record has the shape of one.

    Raises:
        ValueError: It has not; the message names the first value that is wrong.
    """
    record = _checked(found, _TOP, "the record")
    outcomes = []
    for number, one in enumerate(record["subjects"]):
        subject = _checked(one, _SUBJECT, f"subjects[{number}]")
        if subject["verified"] > subject["rows"]:
            raise ValueError(f"subjects[{number}].verified is more than its rows")
        for place, each in enumerate(subject["outcomes"]):
            plain = _checked(each, _OUTCOME, f"subjects[{number}].outcomes[{place}]")
            values: dict[str, Any] = {
                name: tuple(held) if isinstance(held, list) else held
                for name, held in plain.items()
            }
            outcomes.append(Outcome(**values))
    return outcomes


def _checked(
    value: object, shape: Mapping[str, Callable[[Any], bool]], where: str
) -> dict[str, Any]:
    if not isinstance(value, dict) or value.keys() != shape.keys():
        raise ValueError(f"{where} is not an object with the keys {', '.join(shape)}")
    for name, sound in shape.items():
        if not sound(value[name]):
            raise ValueError(f"{where}.{name} is not what it should be")
    return value
