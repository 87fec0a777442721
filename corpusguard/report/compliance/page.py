"""Content as one HTML file that needs nothing else: no script, no request, a content policy.

Jinja escapes every value; the only markup that is not escaped is the package's own style sheet,
whose digest stands in the policy. Style attributes are not used, since the policy forbids them.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from corpusguard.report.compliance import pages
from corpusguard.report.compliance.drawing import strip_of, trend_of
from corpusguard.report.compliance.strips import COVER_LOOKS, COVER_SIGNS, Cover
from corpusguard.report.summary import percent, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2 import Environment

    from corpusguard.report.compliance.content import Content, RunFacts
    from corpusguard.report.compliance.strips import SectionCover

_COMMAND: Final = re.compile(r"^([^\S\n]*)::", re.MULTILINE)
SIGNS: Final = {"verified": "✓", "violated": "✗", "unverifiable": "?", "aborted": "?", "": "–"}
_PAINTS: Final = {
    "whole": "#1c6437",
    "part": "#7d5200",
    "rest": "#faf1dd",
    "none": "#9c1f1c",
    "off": "#5d5a53",
}
"""Fill attributes, for WeasyPrint: its SVG does not see the page's styles; a browser's does."""


def render_html(content: Content) -> str:
    """Return the report as one self-contained HTML file."""
    return render("report.html.j2", content=content, links=links_within(content))


def links_within(content: Content) -> dict[int, str]:
    """Return where each document, by its number, begins on a page that holds them all."""
    return {one.number: f"#d{one.number}" for one in content.documents}


def render(name: str, /, *, paper: bool = False, **values: Any) -> str:  # noqa: ANN401
    """Return a page of ``templates/``, with the style sheet and its policy.

    Args:
        name: Of the template.
        paper: Lay it out for WeasyPrint: everything open, in plain blocks.
        values: What the template is given.
    """
    from markupsafe import Markup  # noqa: PLC0415, as below

    style = pages.template("style.css").strip()
    if paper:
        style += "\n" + pages.template("paper.css").strip()
    text: str = (
        _environment()
        .get_template(name)
        .render(
            style=Markup(style),  # noqa: S704 - our own file
            policy=policy(style),
            paper=paper,
            **values,
        )
    )
    # A page may be printed into a log of GitHub Actions, which obeys lines that begin with "::".
    return _COMMAND.sub("\\1&#58;:", text).replace("##[", "#&#35;[").rstrip("\n") + "\n"


def policy(style: str) -> str:
    """Return the content security policy of a page whose only style element holds ``style``.

    CSP Level 3: the hash source is the base64 of the SHA-256 of the element's text.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> Environment:
    # Here: commands that print no page need not wait for jinja.
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        loader=FunctionLoader(pages.template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        signs=SIGNS,
        cover_signs=COVER_SIGNS,
        cover_classes=COVER_LOOKS,
        paints=_PAINTS,
        tally=_tally,
        wordless=_wordless,
        strip_of=strip_of,
        trend_of=trend_of,
        percent=percent,
    )
    environment.filters.update(
        moment=_moment, when=_when, many=plural, number=_number, digest=_digest, plain=_plain
    )
    return environment


def _tally(sections: Iterable[SectionCover]) -> dict[str, int]:
    """Count sections by how they are drawn; every look is a key."""
    counts = dict.fromkeys(COVER_LOOKS.values(), 0)
    for one in sections:
        counts[COVER_LOOKS[one.cover]] += 1
    return counts


def _wordless(sections: Iterable[SectionCover]) -> str:
    """Return ``2 repealed, 1 container`` of the sections without words of law in force."""
    counts = Counter(one.cover for one in sections if COVER_LOOKS[one.cover] == "off")
    return ", ".join(f"{counts[cover]:,} {cover}" for cover in Cover if counts[cover])


def _moment(text: str) -> str:
    """Return ``2026-11-30 03:00 UTC`` of an ISO time; anything else as it is."""
    if len(text) >= 16 and text[10] == "T" and text.endswith("Z"):
        return f"{text[:10]} {text[11:16]} UTC"
    return text


def _when(run: RunFacts) -> str:
    """Return when a run was: one time where begin and end are one to the minute."""
    started, finished = _moment(run.started), _moment(run.finished)
    if started == finished:
        return f"at {started}"
    return f"from {started} to {finished}" if finished else f"from {started} until it was stopped"


def _number(value: int) -> str:
    return f"{value:,}"


def _digest(text: str) -> str:
    """Return a digest with its first 12 digits, for a reader; the whole stands elsewhere."""
    return f"{text[:19]}…" if len(text) > 20 else text


def _plain(text: str) -> str:
    return text.replace("_", " ")
