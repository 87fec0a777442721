"""The forms of a compliance report, and how two of them are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.report.compliance.content import render_json
from corpusguard.report.compliance.markdown import render_markdown
from corpusguard.report.compliance.page import render_html
from corpusguard.report.compliance.pdf import render_pdf
from corpusguard.report.files import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.report.compliance.content import Content


@dataclass(frozen=True, slots=True)
class Form:
    """One value of ``report --format``."""

    render: Callable[[Content], bytes]
    suffixes: tuple[str, ...]
    """What its files end in, in small letters."""
    binary: bool = False


def _text(render: Callable[[Content], str]) -> Callable[[Content], bytes]:
    return lambda content: encode(render(content))


FORMATS: Final[dict[str, Form]] = {
    "html": Form(_text(render_html), (".html", ".htm")),
    "pdf": Form(render_pdf, (".pdf",), binary=True),
    "markdown": Form(_text(render_markdown), (".md", ".markdown")),
    "json": Form(_text(render_json), (".json",)),
}


def form_of(name: str) -> str:
    """Return which form a file of this name has by its suffix; empty where that says nothing."""
    end = f".{name.lower().rpartition('.')[2]}"
    return next((form for form, one in FORMATS.items() if end in one.suffixes), "")


def compare(made: bytes, held: bytes) -> str:
    """Return in words how ``held`` differs from ``made``; empty where they are equal."""
    if made == held:
        return ""
    if not held:
        return "the file is empty"
    size = min(len(made), len(held))
    at = next((place for place in range(size) if made[place] != held[place]), size)
    line = made.count(b"\n", 0, at) + 1
    if at == len(held):
        return f"it ends early, after {at:,} of {len(made):,} bytes"
    if at == len(made):
        return f"it goes on after the {at:,} bytes of the report"
    return f"the first difference is in line {line:,} (byte {at + 1:,})"
