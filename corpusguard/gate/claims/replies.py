"""Replies of models, read strictly: exactly the schema's keys, types and ranges, or not at all.

A reply is a JSON object and nothing around it but white space. A code fence, a word before it, a
key too many, a key twice, ``"true"`` for ``true`` or 95.0 for 95 make it off-schema: a model that
does not keep to four keys has not understood the task, and guessing what it meant is how
"SUPPORTED? No." becomes a pass.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import CorpusguardError
from corpusguard.gate.claims.model import Adjudication, Verdict, Verification
from corpusguard.gate.judges.prompt import addresses_the_judge

if TYPE_CHECKING:
    from collections.abc import Collection

_WHITE_SPACE: Final = " \t\r\n"
MAX_REASON: Final = 2_000
"""Code points."""


class OffSchema(CorpusguardError):
    """A reply is not of its schema; a person must look, and nothing passes."""

    exit_code = 3


def verification(reply: str) -> Verification:
    """Read ``{verdict, accuracy_estimate, reasoning}``.

    Raises:
        OffSchema: It is anything else.
    """
    value = _object(reply, {"verdict", "accuracy_estimate", "reasoning"})
    return Verification(
        _verdict(value["verdict"]),
        _percent("accuracy_estimate", value["accuracy_estimate"]),
        _reason("reasoning", value["reasoning"]),
    )


def adjudication(reply: str) -> Adjudication:
    """Read ``{agree, verdict, confidence, escalate}``.

    Raises:
        OffSchema: It is anything else.
    """
    value = _object(reply, {"agree", "verdict", "confidence", "escalate"})
    return Adjudication(
        _boolean("agree", value["agree"]),
        _verdict(value["verdict"]),
        _percent("confidence", value["confidence"]),
        _boolean("escalate", value["escalate"]),
    )


def triage(reply: str) -> tuple[bool, str]:
    """Read ``{consequential, reason}``.

    Raises:
        OffSchema: It is anything else.
    """
    value = _object(reply, {"consequential", "reason"})
    return _boolean("consequential", value["consequential"]), _reason("reason", value["reason"])


def resolution(reply: str) -> tuple[str | None, str]:
    """Read ``{source, reason}``; the source is an id, or null.

    Raises:
        OffSchema: It is anything else.
    """
    value = _object(reply, {"source", "reason"})
    source = value["source"]
    if source is not None and not (isinstance(source, str) and source):
        raise OffSchema("`source` is neither an id nor null")
    return source, _reason("reason", value["reason"])


def _object(reply: str, keys: Collection[str]) -> dict[str, Any]:
    try:
        pairs = json.loads(
            reply.strip(_WHITE_SPACE), object_pairs_hook=_Pairs, parse_constant=_refused
        )
    except (ValueError, RecursionError) as error:
        raise OffSchema(f"the reply is not one JSON object: {reply[:80]!r}") from error
    if not isinstance(pairs, _Pairs):
        raise OffSchema(f"the reply is not one JSON object: {reply[:80]!r}")
    names = [name for name, _ in pairs]
    if sorted(names) != sorted(keys):
        raise OffSchema(
            f"the reply has the keys {', '.join(names)[:120]!r}, not {', '.join(sorted(keys))}"
        )
    return dict(pairs)


class _Pairs(list[tuple[str, Any]]):
    """An object as its pairs, in which a key that comes twice is seen."""


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _verdict(value: object) -> Verdict:
    if not isinstance(value, str) or value not in set(Verdict):
        raise OffSchema(f"`verdict` is {str(value)[:60]!r}, not one of {', '.join(Verdict)}")
    return Verdict(value)


def _percent(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 100:
        raise OffSchema(f"`{key}` is {str(value)[:60]!r}, not a whole number from 1 to 100")
    return value


def _boolean(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise OffSchema(f"`{key}` is {str(value)[:60]!r}, not true or false")
    return value


def _reason(key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_REASON:
        raise OffSchema(f"`{key}` is not a text of 1 to {MAX_REASON} characters")
    if found := addresses_the_judge(value):
        # A verifier that repeats such words may have obeyed them; the next model might, too.
        raise OffSchema(f"`{key}` speaks to a model: {found!r}")
    return value
