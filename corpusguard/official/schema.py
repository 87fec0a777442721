"""A small checker of JSON shapes whose messages name the key, the expectation and the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from corpusguard import strict_json
from corpusguard.errors import BodyTruncated, Mojibake, ShapeChanged
from corpusguard.strict_json import Fault, NotStrict

_LANGUAGES: Final = frozenset({"en", "fr"})
_HINT: Final = "the publisher's format changed: update corpusguard, or report this message"


def load_json(data: bytes, what: str) -> Node:
    """Decode strict UTF-8 JSON without duplicate keys, NaN or endless nesting.

    Args:
        data: The body.
        what: Name of the answer in messages.

    Raises:
        Mojibake: The bytes are not UTF-8, the only character set that JSON has.
        BodyTruncated: The text stops in the middle of a value, or is empty.
        ShapeChanged: It is no JSON, or JSON that means two things.
    """
    try:
        return Node(strict_json.parse(data), what)
    except NotStrict as error:
        if error.fault is Fault.NOT_UTF8:
            raise Mojibake(
                f"{what}: {error}",
                hint="the server sends another character set than JSON allows; fetch again later",
            ) from error
        if error.fault is Fault.CUT_SHORT:
            raise BodyTruncated(
                f"{what}: {error}, after {len(data)} bytes",
                hint="fetch again: the transfer was cut",
            ) from error
        raise ShapeChanged(f"{what} is not usable JSON: {error}", hint=_HINT) from error


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value and where it was found."""

    value: object
    where: str

    def members(self) -> dict[str, object]:
        """Return the value as an object."""
        if not isinstance(self.value, dict):
            raise self.unlike("an object")
        return self.value

    def at(self, key: str) -> Node:
        """Return the member ``key``, which must be there."""
        members = self.members()
        if key not in members:
            raise ShapeChanged(
                f"{self.where}: key {key!r} is missing; there are {_names(members)}", hint=_HINT
            )
        return Node(members[key], f"{self.where}.{key}")

    def has(self, key: str) -> bool:
        """Say whether the object has this key."""
        return key in self.members()

    def items(self) -> list[Node]:
        """Return the value as a list of nodes."""
        if not isinstance(self.value, list):
            raise self.unlike("a list")
        return [Node(item, f"{self.where}[{index}]") for index, item in enumerate(self.value)]

    def text(self) -> str:
        """Return the value as a string."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, dict) and _LANGUAGES & self.value.keys():
            raise ShapeChanged(
                f"{self.where} is an object by language, the shape of the search endpoints, where"
                " a string was expected",
                hint=_HINT,
            )
        raise self.unlike("a string")

    def number(self) -> int:
        """Return the value as an integer."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return self.value
        raise self.unlike("an integer")

    def text_or_number(self) -> str | int:
        """Return the value as a string or an integer."""
        return self.value if isinstance(self.value, str) else self.number()

    def in_language(self, language: str) -> str:
        """Return the string of an object by language: ``{"en": …}``."""
        if isinstance(self.value, str):
            raise ShapeChanged(
                f"{self.where} is a string where an object by language was expected", hint=_HINT
            )
        return self.at(language).text()

    def unlike(self, expected: str) -> ShapeChanged:
        """Return the error that says what the value should have been."""
        return ShapeChanged(
            f"{self.where} is {_kind(self.value)}, where {expected} was expected", hint=_HINT
        )


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")


def _names(members: dict[str, object]) -> str:
    shown = ", ".join(repr(name[:40]) for name in list(members)[:25])
    return shown or "no keys"
