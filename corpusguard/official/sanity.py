"""Is this text a law at all? Shells, firewall pages, empty successes and wrong character sets."""

from __future__ import annotations

import html
import re
from typing import Final

from corpusguard.errors import Mojibake, NotTheDocument, ShapeChanged

SHELL_MARKER: Final = "e-Laws needs JavaScript"

NOTHING_STORED: Final = (
    "nothing was stored; an outage looks like this: try again later, or import the file by hand"
    " with `corpusguard snapshots add`"
)
_NOT_LAW: Final = (
    (SHELL_MARKER, "the JavaScript shell of the site"),
    ("You need to enable JavaScript to run this app", "the JavaScript shell of the site"),
    ("Request Rejected", "a firewall page"),
    ("The requested URL was rejected", "a firewall page"),
    ("awsWafCookieDomainList", "a firewall page"),
    ("Attention Required! | Cloudflare", "a firewall page"),
    ("Incapsula incident", "a firewall page"),
    ("Checking your browser before", "a firewall page"),
    ("Content Not Found.", "an error page"),
    ("<title>Access Denied</title>", "an error page"),
    ("<title>404", "an error page"),
    ("<title>Page not found", "an error page"),
    ("Service Unavailable</title>", "an error page"),
)
_MOJIBAKE: Final = re.compile(
    "\ufffd|[\u0080-\u009f]|Ã[\u0080-\u00bf\u0152-\u0178]|â€|Â[\u00a0-\u00bf]"
)
_TAG: Final = re.compile(r"<[^<>]*>")
_PARAGRAPH: Final = re.compile(r"<p\b([^<>]*)>", re.IGNORECASE)
_CLASS: Final = re.compile(r"\bclass\s*=\s*[\"']?\s*([\w-]+)")
_LAW_CLASS: Final = re.compile(
    r"[YPS]?(?:sub)*(?:section|ection|clause|paragraph|para|definition|rule)|firstdef|def\w+"
    r"|schedule\w*|form\w*|headingx|partnumRe\w+|equation\w*|preamble|scanned"
)
_SUFFIX: Final = re.compile(r"-[a-z]{1,2}$")
_PLACEHOLDER: Final = re.compile(r"\[[^\[\]]*\]")


def plain(markup: str) -> str:
    """Return the words of a markup fragment, white space collapsed."""
    return " ".join(html.unescape(_TAG.sub("", markup.replace("<br", " <br"))).split())


def foreign_page(text: str) -> str:
    """Return what a shell, firewall or error page is, or an empty string.

    To be asked only of text that carries no law: a prerendered page of a law may well hold the
    site's notice about JavaScript. Only the first 200,000 characters are searched: such pages
    are small.
    """
    head = text[:200_000]
    for marker, kind in _NOT_LAW:
        if marker in head:
            return f"{kind} ({marker!r} in {len(text)} characters)"
    return ""


def refuse_mojibake(text: str, what: str) -> None:
    """Refuse text that was decoded with the wrong character set somewhere on its way.

    Raises:
        Mojibake: A replacement character, a C1 control, or UTF-8 read as a one-byte set.
    """
    match = _MOJIBAKE.search(text)
    if match is None:
        return
    around = text[max(0, match.start() - 20) : match.end() + 20]
    raise Mojibake(
        f"{what} is wrongly decoded at character {match.start()}: {around!a}",
        hint="the publisher's answer is damaged; fetch again, and report it if it stays",
    )


def refuse_empty(markup: str, what: str) -> None:
    """Refuse markup that carries no provision: an empty success is not an empty law.

    Raises:
        NotTheDocument: A page of another kind, no words at all, or only bracketed placeholders.
        ShapeChanged: Words, but no paragraph of a class that carries law.
    """
    openers = list(_PARAGRAPH.finditer(markup))
    bounds = [match.start() for match in openers[1:]] + [len(markup)] * bool(openers)
    words = law = False
    for match, bound in zip(openers, bounds, strict=True):
        inner = markup[match.end() : bound]
        text = plain(inner)
        if not text and "<img" not in inner:
            continue
        words = True
        found = _CLASS.search(match.group(1))
        if found is None or not _LAW_CLASS.fullmatch(_SUFFIX.sub("", found.group(1))):
            continue
        if _PLACEHOLDER.fullmatch(text):
            continue
        law = True
        break
    if law:
        return
    if page := foreign_page(markup):
        raise NotTheDocument(f"{what} is {page}", hint=NOTHING_STORED)
    if not words or _all_placeholders(markup):
        raise NotTheDocument(
            f"{what} carries no words of law ({len(markup)} characters of markup)",
            hint=NOTHING_STORED,
        )
    raise ShapeChanged(
        f"{what} has {len(openers)} paragraphs, none of a class that carries law",
        hint="the publisher's markup changed: update corpusguard, or report this message",
    )


def _all_placeholders(markup: str) -> bool:
    return not _PLACEHOLDER.sub("", plain(markup)).strip()
