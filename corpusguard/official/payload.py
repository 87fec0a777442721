"""The ``doc-search`` payload: its keys, and what they say of the document's identity."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ShapeChanged, WrongDocument
from corpusguard.layers.draft import NEW_KEY
from corpusguard.model import Finding, Identity, Severity
from corpusguard.official.addresses import law_id
from corpusguard.official.dates import toronto_day
from corpusguard.official.identity import bare_title, chapter_of, refuse_another
from corpusguard.official.sanity import plain, refuse_empty, refuse_mojibake
from corpusguard.official.schema import Node

if TYPE_CHECKING:
    from corpusguard.model import DocumentSpec
    from corpusguard.official.addresses import LawId

REQUIRED: Final = ("content", "title", "alias", "state", "dateFrom")
_TEXTS: Final = (
    *REQUIRED,
    "description",
    "updatedAt",
    "tabMode",
    "actAlias",
    "actTitle",
    "docSource",
    "shortTitle",
    "chapter",
    "history",
    "contentTable",
    "regNmber",  # as the publisher spells it
)
_BY_LANGUAGE: Final = "actName"
_OBJECTS_OF_TEXT: Final = (_BY_LANGUAGE, "comments")
KNOWN: Final = frozenset({*_TEXTS, *_OBJECTS_OF_TEXT, "volume", "hlCount"})
_STATES: Final = ("current", "historical", "source")
_KINDS: Final = {"loi": "statute", "reglement": "regulation"}
_DOC_SOURCE: Final = re.compile(r"_([ef])(?:V\d+)?\.html?$", re.IGNORECASE)
_HINT: Final = "the publisher's format changed: update corpusguard, or report this message"


def check_payload(payload: Node, spec: DocumentSpec) -> tuple[Identity, tuple[Finding, ...]]:
    """Check shape, character set, identity and content of a payload.

    Args:
        payload: The decoded answer.
        spec: The document asked for.

    Returns:
        What the payload says of itself, and a note for each key that it did not have before.

    Raises:
        ShapeChanged: A key is missing, or of another type.
        Mojibake: A text is wrongly decoded.
        WrongDocument: Another law, another language, or a historical version.
        NotTheDocument: No words of law.
    """
    _check_shape(payload)
    _check_characters(payload)
    identity = _identity(payload, spec)
    refuse_empty(payload.at("content").text(), f"the content of {identity.alias}")
    new = sorted(payload.members().keys() - KNOWN)
    return identity, tuple(_new_key(spec, key) for key in new)


def _check_shape(payload: Node) -> None:
    for key in REQUIRED:
        payload.at(key).text()
    for key in _TEXTS:
        if payload.has(key):
            payload.at(key).text()
    if payload.has("volume"):
        payload.at("volume").text_or_number()
    if payload.has("hlCount"):
        payload.at("hlCount").number()
    for key in _OBJECTS_OF_TEXT:
        node = Node(payload.members().get(key, {}), f"{payload.where}.{key}")
        for member in node.members():
            node.at(member).text()


def _check_characters(payload: Node) -> None:
    for key in payload.members():
        node = payload.at(key)
        parts = (
            [node.at(name) for name in node.members()] if isinstance(node.value, dict) else [node]
        )
        for part in parts:
            if isinstance(part.value, str):
                refuse_mojibake(part.value, part.where)


def _identity(payload: Node, spec: DocumentSpec) -> Identity:
    law = law_id(spec.id)
    alias = payload.at("alias").text()
    kind, _, code = alias.partition("/")
    if _KINDS.get(kind, kind) != law.kind or code.lower() not in law.codes:
        raise WrongDocument(
            f"{alias!r} came, where {law.kind}/{law.code} was asked for",
            hint="a version suffix means a historical text; another id means another law",
        )
    _check_state(payload, law)
    _check_language(payload, law)
    title = payload.at("title").text()
    short = plain(_optional(payload, "shortTitle"))
    printed = _printed_number(payload, law)
    titles = [title, _own_short_title(law, short), _act_name(payload, law)]
    refuse_another(spec, tuple(titles), (printed, chapter_of(title)), f"the payload of {alias}")
    day = toronto_day(payload.at("dateFrom").text())
    if not day and payload.at("dateFrom").text():
        raise ShapeChanged(
            f"dateFrom {payload.at('dateFrom').text()!r} is not a midnight of Toronto in UTC",
            hint=_HINT,
        )
    return Identity(
        title=bare_title(title),
        code=printed or chapter_of(title),
        alias=alias,
        state=payload.at("state").text(),
        consolidated_from=day,
    )


def _check_state(payload: Node, law: LawId) -> None:
    state = payload.at("state").text()
    if state not in _STATES:
        raise ShapeChanged(f"state {state!r} is none of {', '.join(_STATES)}", hint=_HINT)
    expected = "source" if law.source_law else "current"
    if state != expected:
        raise WrongDocument(
            f"{law.kind}/{law.code} came in state {state!r}, where {expected!r} was asked for",
            hint="a revoked law stays readable as historical only: take it out of scope",
        )


def _check_language(payload: Node, law: LawId) -> None:
    match = _DOC_SOURCE.search(_optional(payload, "docSource"))
    if match and match.group(1).lower() != law.language[0]:
        raise WrongDocument(
            f"{law.kind}/{law.code} came in the other language ({payload.at('docSource').value})",
            hint="set the path template of this language in [source.paths]",
        )


def _own_short_title(law: LawId, short: str) -> str:
    """A regulation's short title is that of its parent Act."""
    return "" if law.kind == "regulation" else short


def _act_name(payload: Node, law: LawId) -> str:
    if law.kind == "regulation" or not payload.has(_BY_LANGUAGE):
        return ""
    names = payload.at(_BY_LANGUAGE)
    return names.at(law.language).text() if names.has(law.language) else ""


def _printed_number(payload: Node, law: LawId) -> str:
    volume = payload.at("volume").value if payload.has("volume") else 0
    if law.kind == "regulation" and isinstance(volume, str) and volume.strip():
        return " ".join(volume.split())
    key = "regNmber" if law.kind == "regulation" else "chapter"
    return plain(_optional(payload, key))


def _optional(payload: Node, key: str) -> str:
    return payload.at(key).text() if payload.has(key) else ""


def _new_key(spec: DocumentSpec, key: str) -> Finding:
    return Finding(
        rule="CG504",
        severity=Severity.NOTE,
        layer=None,
        document=spec.id,
        message=f"{NEW_KEY}: {key[:60]!r}",
    )
