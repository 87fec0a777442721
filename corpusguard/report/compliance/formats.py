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
    binary: bool = False


def _text(render: Callable[[Content], str]) -> Callable[[Content], bytes]:
    return lambda content: encode(render(content))


FORMATS: Final[dict[str, Form]] = {
    "html": Form(_text(render_html)),
    "pdf": Form(render_pdf, binary=True),
    "markdown": Form(_text(render_markdown)),
    "json": Form(_text(render_json)),
}


def compare(made: bytes, held: bytes) -> str:
    """Return in words where two reports first differ; empty where they are equal."""
    if made == held:
        return ""
    if not held:
        return "it is empty"
    size = min(len(made), len(held))
    at = next((place for place in range(size) if made[place] != held[place]), size)
    line = made.count(b"\n", 0, at) + 1
    return f"they differ from byte {at:,} (line {line:,}) on"
