"""An answer and its citations as they come from outside: JSON, or text with markers."""

from __future__ import annotations

from typing import Any, Final

from corpusguard import strict_json
from corpusguard.errors import ConfigError
from corpusguard.gate.model import Citation
from corpusguard.strict_json import NotStrict

_HINT: Final = (
    'give {"answer": "… [id]", "citations": ["id", {"id": "…", "text": "…", "marker": "…"}]}, '
    "or the answer as text with [passage-id] after each sentence"
)
_KEYS: Final = frozenset({"answer", "citations"})
_CITATION_KEYS: Final = frozenset({"id", "text", "marker"})


def parse_request(text: str) -> tuple[str, list[Citation]]:
    """Return the answer and its citations.

    Args:
        text: A JSON object with ``answer`` and ``citations``, or else the answer itself. What
            begins with a brace is JSON, and an error where it is not.

    Raises:
        ConfigError: It is not such JSON: a key is unknown, missing or there twice, a value of the
            wrong type.
    """
    if not text.lstrip().startswith("{"):
        return text, []
    return answer_of(parse_json(text))


def parse_json(text: str) -> object:
    """Return a JSON text's value.

    Raises:
        ConfigError: It is none, or means two things: see :mod:`corpusguard.strict_json`.
    """
    try:
        return strict_json.parse(text)
    except NotStrict as error:
        raise ConfigError(f"the request is not usable JSON: {error}", hint=_HINT) from error


def answer_of(value: object) -> tuple[str, list[Citation]]:
    """Return the answer and its citations from a request's value.

    Raises:
        ConfigError: A key is unknown or missing, a value of the wrong type.
    """
    if not isinstance(value, dict):
        raise ConfigError("the request is not a JSON object", hint=_HINT)
    _check_keys(value, _KEYS, "the request")
    answer = value.get("answer")
    if not isinstance(answer, str):
        raise ConfigError("the request's answer is missing, or not a string", hint=_HINT)
    citations = value.get("citations", [])
    if not isinstance(citations, list):
        raise ConfigError("the request's citations are not a list", hint=_HINT)
    return answer, [_citation(one) for one in citations]


def _citation(value: object) -> Citation:
    if isinstance(value, str):
        return Citation(value)
    if not isinstance(value, dict):
        raise ConfigError("a citation is neither an id nor an object", hint=_HINT)
    _check_keys(value, _CITATION_KEYS, "a citation")
    name, text, marker = value.get("id"), value.get("text"), value.get("marker", "")
    if not isinstance(name, str) or not isinstance(marker, str):
        raise ConfigError(
            "a citation's id is missing, or its id or marker is not a string", hint=_HINT
        )
    if "text" in value and not isinstance(text, str):
        # An explicit null would otherwise read as "take the stored text".
        raise ConfigError("a citation's text is not a string", hint=_HINT)
    return Citation(name, text, marker)


def _check_keys(value: dict[str, Any], known: frozenset[str], what: str) -> None:
    unknown = sorted(set(value) - known)
    if unknown:
        raise ConfigError(f"{what} has an unknown key {unknown[0][:80]!r}", hint=_HINT)
