"""The MCP tools: their schemas, and what a call gives.

Checked here and not by a library's coercion: an unknown argument or a value of another type is an
error that names it. What a tool returns is JSON, in ``structuredContent`` and as text, so that the
words of the law and of the corpus are values in it and never instructions of the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.request import answer_of
from corpusguard.serve.desk import LONGEST_ID, LONGEST_QUOTE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corpusguard.serve.desk import Desk

LONGEST_ANSWER: Final = 200_000
LONGEST_TEXT: Final = 200_000
MOST_CITATIONS: Final = 200
"""Code points, and passages; the gate's own bounds (``gate.model.Rules``)."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    title: str
    description: str
    schema: Mapping[str, Any]
    call: Callable[[Desk, dict[str, Any]], dict[str, Any]]
    stores: bool = False
    """Whether a call adds to history."""


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def _text(description: str, longest: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": longest, "description": description}


_CITATION: Final = {
    "anyOf": [
        _text("Id of a passage.", LONGEST_ID),
        _object(
            {
                "id": _text("Id of a passage.", LONGEST_ID),
                "text": _text("Its text as it was shown to you.", LONGEST_TEXT),
                "marker": _text("What stands for it in brackets in the answer.", LONGEST_ID),
            },
            ["id"],
        ),
    ]
}

TOOLS: Final = (
    Tool(
        "status",
        "Status of the corpus",
        "Say for each law of the corpus whether its last verification passed, when, and whether "
        "that is too long ago to rely on.",
        _object({}, []),
        lambda desk, _: desk.status(),
    ),
    Tool(
        "verify_quote",
        "Verify a quotation",
        "Say whether words are whole clauses of a passage that was verified against the official "
        "source. A quotation that leaves out a condition, or ends amid a clause, is not one.",
        _object(
            {
                "passage": _text("Id of the passage.", LONGEST_ID),
                "text": _text("The words, without citation markers.", LONGEST_QUOTE),
            },
            ["passage", "text"],
        ),
        lambda desk, given: desk.verify_quote(given["passage"], given["text"]),
    ),
    Tool(
        "check_answer",
        "Check an answer",
        "Check each sentence of an answer against the verified passages that it cites, as "
        "[passage-id] after the sentence. `outcome` shipped: show `text`. altered: only `text` may "
        "be shown. withheld: show none of it; `sentences` says why. The decision is stored in "
        "history; nothing else is changed.",
        _object(
            {
                "answer": _text("The answer, with markers.", LONGEST_ANSWER),
                "citations": {
                    "type": "array",
                    "items": _CITATION,
                    "maxItems": MOST_CITATIONS,
                    "description": "The passages that the answer rests on.",
                },
            },
            ["answer"],
        ),
        lambda desk, given: desk.check(*answer_of(given)),
        stores=True,
    ),
    Tool(
        "explain",
        "Explain a rule, a reason or a decision",
        "Explain a rule of verification by its id or name (CG106, text_differs), a reason of "
        "`check_answer` (truncated) and what to do next, or show a stored decision by its number.",
        _object({"subject": _text("CG106, truncated, or 12.", LONGEST_ID)}, ["subject"]),
        lambda desk, given: desk.explain(given["subject"]),
    ),
)
BY_NAME: Final = {tool.name: tool for tool in TOOLS}


def call(desk: Desk, name: str, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """Call a tool.

    Raises:
        ConfigError: There is no such tool, or an argument is unknown, missing or wrong.
        CorpusguardError: As the methods of ``Desk``.
    """
    tool = BY_NAME.get(name)
    if tool is None:
        raise ConfigError(
            f"there is no tool {name[:80]!r}", hint=f"there are: {', '.join(BY_NAME)}"
        )
    given = dict(arguments or {})
    properties = tool.schema["properties"]
    for key, value in given.items():
        if key not in properties:
            known = ", ".join(properties) or "none"
            raise ConfigError(f"{name} has no argument {key[:80]!r}", hint=f"it has: {known}")
        _check(key, value, properties[key])
    for key in tool.schema["required"]:
        if key not in given:
            raise ConfigError(f"{name} needs the argument {key}", hint="give it a value")
    return tool.call(desk, given)


def _check(key: str, value: object, schema: Mapping[str, Any]) -> None:
    """Hold a value to its type and bound; ``answer_of`` looks into citations."""
    if schema["type"] == "string":
        if not isinstance(value, str):
            raise ConfigError(f"{key} is not a string", hint="give it as a string")
        size, longest, what = len(value), schema["maxLength"], "characters"
    else:
        if not isinstance(value, list):
            raise ConfigError(f"{key} is not a list", hint="give a list of passage ids")
        size, longest, what = len(value), schema["maxItems"], "entries"
    if size > longest:
        raise ConfigError(
            f"{key} has {size} {what}, over the limit of {longest}",
            hint="check the answer in parts",
        )
