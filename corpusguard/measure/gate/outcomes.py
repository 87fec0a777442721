"""What comes of one item: a decision, and where a judge was asked, each call without its text."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.evidence.canonical import Value

CODE: Final = re.compile(r"[a-z_]{0,40}")
"""What a published reason may be: a word of the gate, and no word of a sentence."""
OFF_SCHEMA: Final = "off_schema"
"""The fault of a whole reply that is no verdict."""
OTHER_MODEL: Final = "another than configured"
"""What is published where a server names a model that the configuration does not."""
VERDICTS: Final = ("SUPPORTED", "NOT_SUPPORTED")
_MOST: Final = 2**53 - 1


class Decision(StrEnum):
    """What a gate does with a sentence."""

    SHIPS = "ships"
    STRIPPED = "stripped"
    ERROR = "error"
    """Could not decide: nothing ships, and nothing was judged."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a judge, and what came: no word of either, so that it can be published."""

    prompt: str
    """SHA-256, in hex, of what was asked: instructions and data, without the random fence."""
    verdict: str
    """``SUPPORTED`` or ``NOT_SUPPORTED``; empty where there is a fault."""
    fault: str
    """Why there is no verdict; see ``Fault`` of ``corpusguard.gate.judges.model``."""
    reply: str
    """SHA-256, in hex, of the reply; empty where none came."""
    model: str
    """The configured model, by its server's word: its name, perhaps with a date or number;
    ``OTHER_MODEL`` where the server names another, empty where it names none."""
    input_tokens: int
    output_tokens: int
    counted: bool
    """Whether the server counted the tokens; else they are estimated."""
    attempts: int
    """Requests that were sent; 0 where none is known to have been answered."""
    milliseconds: int

    def record(self) -> dict[str, Value]:
        """Return the call for canonical JSON."""
        return asdict(self)


def read_call(record: Mapping[str, Any]) -> Call:
    """Read what ``Call.record`` wrote.

    Raises:
        ValueError: It is something else.
    """
    kinds: dict[str, type] = {"str": str, "int": int, "bool": bool}
    wanted = {field.name: kinds[str(field.type)] for field in fields(Call)}
    if not isinstance(record, dict) or record.keys() != wanted.keys():
        raise ValueError("a call has other fields")
    for name, kind in wanted.items():
        value = record[name]
        if type(value) is not kind or (type(value) is int and not 0 <= value <= _MOST):
            raise ValueError(f"{name} of a call is not what it should be")
    if bool(record["fault"]) == (record["verdict"] in VERDICTS):
        raise ValueError("a call has either a verdict or a fault")
    return Call(**dict(record))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a subject did with one item."""

    decision: Decision
    calls: tuple[Call, ...] = ()
    reason: str = ""
    """Of an error: what went wrong, for the person who runs it. It is not published: it may quote
    a sealed sentence."""
    hint: str = ""
    """The next step for that person."""
    code: str = ""
    """The word of the gate for why it does not ship; published, since it quotes nothing."""
    tries: int = 1
    """How often it was decided anew, because a run was taken up again after an error."""

    @property
    def unreached(self) -> bool:
        """Whether the judge was asked and nothing came back at all."""
        return any(call.fault in {"unreachable", "timeout"} for call in self.calls)
