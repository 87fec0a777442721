"""What a judge is, and how its reply is read.

A judge gets one sentence and the verified passages that it cites, and says whether the passages
support the sentence. It decides only where every deterministic check passed, and overrides none.

A reply counts only if it is one of two exact tokens, or a JSON object that holds one of them as
``verdict`` and nothing else. Reading a prefix, or looking for the word, would take "SUPPORTED? No."
for a yes. Whatever else comes is an error, and an error never lets a sentence through.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

from corpusguard.errors import CorpusguardError

JudgeVerdict: TypeAlias = Literal["SUPPORTED", "NOT_SUPPORTED"]

LONGEST_REPLY: Final = 256
"""Code points; a reply of the schema has at most 30, and white space is allowed for."""

_WHITE_SPACE: Final = " \t\r\n"
"""That of JSON (RFC 8259, section 2). A no-break space is not white space here."""


class JudgeError(CorpusguardError):
    """A judge gave no usable verdict: nothing came, or what came is not a verdict."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge is asked."""

    sentence: str
    passages: tuple[tuple[str, str], ...]
    """(passage id, text), in the order of citation. Text is data, whatever it says."""


class Judge(Protocol):
    """Anything that answers a question; ``corpusguard.gate.judges`` has those that ship."""

    name: str
    """Written with each decision: which judge, and which model or command."""

    async def judge(self, question: Question) -> str:
        """Return the raw reply; the gate parses it with ``parse_reply``.

        Raises:
            Exception: Any; the sentence is then removed as an error.
        """
        ...


def parse_reply(reply: object) -> JudgeVerdict:
    """Return the verdict that ``reply`` is.

    Args:
        reply: ``SUPPORTED``, ``NOT_SUPPORTED`` or ``{"verdict": "…"}`` with one of them; white
            space around it is ignored, case is not.

    Raises:
        JudgeError: It is anything else.
    """
    if type(reply) is not str:  # a subclass could answer differently each time it is looked at
        raise JudgeError(f"the judge's reply is of type {type(reply).__name__}, not text")
    if len(reply) > LONGEST_REPLY:
        raise JudgeError(
            f"the judge's reply has {len(reply)} characters, over the limit of {LONGEST_REPLY}",
            hint="have the judge answer SUPPORTED or NOT_SUPPORTED and nothing else",
        )
    bare = reply.strip(_WHITE_SPACE)
    verdict = _verdict_of(bare) if bare.startswith("{") else bare
    if verdict == "SUPPORTED":
        return "SUPPORTED"
    if verdict == "NOT_SUPPORTED":
        return "NOT_SUPPORTED"
    raise _unusable(reply)


def _verdict_of(reply: str) -> object:
    try:
        value = json.loads(reply, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        raise _unusable(reply) from error
    if isinstance(value, list) and len(value) == 1 and value[0][0] == "verdict":
        return value[0][1]
    raise _unusable(reply)


def _pairs(pairs: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Keep repeated keys: the last would otherwise win in silence."""
    return pairs


def _unusable(reply: str) -> JudgeError:
    return JudgeError(
        f"the judge's reply is neither SUPPORTED nor NOT_SUPPORTED: {reply[:80]!r}",
        hint='have the judge answer one of the two, or {"verdict": "…"}, and nothing else',
    )
