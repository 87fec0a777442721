"""Text templates of a recipe: plain names in braces, and nothing else.

``str.format`` would follow attributes and indexes of what it is given (``{text.__class__}``) and
pad to any width (``{text:>9999999999}``); a template comes from a file, so neither is allowed.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Final = ("title", "section", "subsection", "heading", "text")
DEFAULT: Final = "{text}"
_HINT: Final = f"Use only {', '.join(f'{{{name}}}' for name in NAMES)}."


class Template:
    """A checked template.

    Args:
        source: the template; ``{{`` and ``}}`` are braces.

    Raises:
        ConfigError: an unknown name, an attribute, an index, a conversion or a format.
    """

    def __init__(self, source: str) -> None:
        try:
            parts = list(Formatter().parse(source))
        except ValueError as error:
            raise ConfigError(f"template {source[:200]!r}: {error}", hint=_HINT) from error
        for _, name, spec, conversion in parts:
            if name is not None and (name not in NAMES or spec or conversion):
                raise ConfigError(
                    f"template {source[:200]!r}: {{{name[:80]}}} is not one of its names, or has "
                    "a format",
                    hint=_HINT,
                )
        self._parts = [(literal, name) for literal, name, _, _ in parts]

    def render(self, values: Mapping[str, str]) -> str:
        """Return the text; the values are put in as they are, braces and all."""
        return "".join(
            literal + ("" if name is None else values[name]) for literal, name in self._parts
        )
