"""What to say: a subject, and a body of at most 4,000 characters as plain text and as Markdown.

Passage ids, locators and messages are other people's text. In a chat or a mail they could ping a
whole team, hide a link or reverse the reading order, so each goes through ``foreign``; in Markdown
it stands in a code span, in which nothing is acted on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.model import Verdict
from corpusguard.notify.night import FAILED, Kind, Message
from corpusguard.report.summary import SIGN, cause_words, percent, plural
from corpusguard.report.text import clip, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.model import Finding
    from corpusguard.notify.night import Night

MAX_BODY: Final = 4_000
"""Characters of a body, in each form."""
MAX_SUBJECT: Final = 150
MAX_TEXT: Final = 200
"""Characters of one finding's message: people read the rest where the evidence is."""
MAX_LISTED: Final = 10
_MAX_RESOLVED: Final = 3
_HARMLESS: Final = str.maketrans({"@": "＠", "<": "‹", ">": "›", "`": "ˋ"})
"""Mentions, tags and Slack's ``<!channel>``, and the end of a code span; readable all the same."""
_LINK: Final = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
"""What mail and chat programs turn into a link by themselves."""
_LINK_SIGNS: Final = {":": "：", ".": "．"}
_SEVERITY: Final[dict[str, str]] = {"verified": "success", "unverifiable": "warning"}


@dataclass(frozen=True, slots=True)
class News:
    """What has changed for the people who are told."""

    new: tuple[Finding, ...] = ()
    regressed: tuple[Finding, ...] = ()
    open: int = 0
    """How many were told before and are still there."""
    resolved: tuple[Finding, ...] = ()
    resolved_count: int = 0
    """May be more than are known by name: some went in nights that nobody was told of."""


def foreign(text: str, limit: int) -> str:
    """Return other people's text as one harmless line of at most ``limit`` characters."""
    shown = safe(clip(text, limit * 2)).translate(_HARMLESS)
    return clip(_LINK.sub(lambda match: _LINK_SIGNS[match[0]], shown).strip(), limit)


def compose(kind: Kind, night: Night, verdict: str, before: str, news: News) -> Message:
    """Return the message of a night.

    Args:
        kind: Why it is sent.
        night: What is known.
        verdict: The verdict on everything that is configured.
        before: The verdict that was told last, empty if none.
        news: What has changed.
    """
    return Message(
        kind=kind,
        severity=_SEVERITY.get(verdict, "failure"),
        subject=_subject(kind, night, verdict, news),
        text=_fitted(_Plain(), night, verdict, before, news, kind),
        markdown=_fitted(_Markdown(), night, verdict, before, news, kind),
    )


def _sign(verdict: str) -> str:
    return SIGN[Verdict(verdict)] if verdict != FAILED else "✗"


def _subject(kind: Kind, night: Night, verdict: str, news: News) -> str:
    if verdict == FAILED:
        head = f"✗ corpusguard: the run failed (exit {night.exit_code})"
    elif kind is Kind.RECOVERED:
        head = f"{_sign(verdict)} corpusguard: verified again"
    else:
        still = "still " if kind is Kind.REMINDER else ""
        head = f"{_sign(verdict)} corpusguard: {still}{verdict}"
    counts = "" if verdict == FAILED else _counts(news)
    names = foreign(", ".join(night.corpora), 60)
    place = f" [{names}]" if names else ""
    return clip(head + (f": {counts}" if counts else "") + place, MAX_SUBJECT)


def _counts(news: News) -> str:
    counted = {
        "new": len(news.new),
        "regressed": len(news.regressed),
        "open": news.open,
        "resolved": news.resolved_count,
    }
    return ", ".join(f"{number:,} {name}" for name, number in counted.items() if number)


class _Plain:
    """How the pieces look as plain text."""

    def quoted(self, text: str) -> str:
        return text

    def strong(self, text: str) -> str:
        return text


class _Markdown(_Plain):
    """How the pieces look as Markdown."""

    def quoted(self, text: str) -> str:
        return f"`{text}`" if text else ""

    def strong(self, text: str) -> str:
        return f"**{text}**"


def _fitted(  # noqa: PLR0913 (the facts of one body)
    style: _Plain, night: Night, verdict: str, before: str, news: News, kind: Kind
) -> str:
    """Return the body with as many findings as fit."""
    head = _head(style, night, verdict, before, news, kind)
    tail = _tail(style, night, verdict, news)
    for listed in range(MAX_LISTED, -1, -1):
        blocks = [head, *_listed(style, news, listed), tail]
        body = "\n\n".join(block for block in blocks if block)
        if len(body) <= MAX_BODY:
            return body
    return clip(body, MAX_BODY)


def _head(  # noqa: PLR0913 (the facts of one head)
    style: _Plain, night: Night, verdict: str, before: str, news: News, kind: Kind
) -> str:
    was = f" (before: {before})" if before and before != verdict else ""
    still = "still " if kind is Kind.REMINDER else ""
    run = f"run {night.run}, " if night.run else ""
    when = foreign(night.at[:16].replace("T", " "), 20)
    lines = [f"{_sign(verdict)} {style.strong(still + verdict)}{was} · {run}{when} UTC"]
    if verdict == FAILED:
        reason = style.quoted(foreign(night.reason, 2 * MAX_TEXT))
        return "\n\n".join([*lines, f"The run ended with exit code {night.exit_code}. {reason}"])
    if not night.whole:
        lines.append("This run looked at a part of what is configured.")
    return "\n\n".join([*lines, _counts(news) or "No findings are open."])


def _listed(style: _Plain, news: News, most: int) -> list[str]:
    came = [*news.regressed, *news.new]
    came.sort(key=lambda one: (one.severity != "error", one.rule))
    back = {one.fingerprint for one in news.regressed}
    blocks = []
    if came:
        blocks.append(
            _block(
                style,
                "New, and come back" if back else "New",
                came,
                most,
                lambda one: _line(style, one, regressed=one.fingerprint in back),
            )
        )
    if news.resolved:
        shown = min(most, _MAX_RESOLVED)
        blocks.append(
            _block(style, "Resolved", news.resolved, shown, lambda one: _place(style, one))
        )
    return blocks


def _block(
    style: _Plain,
    title: str,
    findings: Sequence[Finding],
    most: int,
    line: Callable[[Finding], str],
) -> str:
    lines = [f"- {line(one)}" for one in findings[:most]]
    rest = len(findings) - len(lines)
    if rest:
        lines.append(f"- and {rest:,} more")
    return style.strong(title + ":") + "\n\n" + "\n".join(lines)


def _place(style: _Plain, finding: Finding) -> str:
    section = foreign(finding.section, 40)
    passage = foreign(finding.passage, 60)
    parts = [
        f"{finding.rule} {RULES[finding.rule].name}",
        style.quoted(foreign(finding.document, 80)),
        section and f"s. {style.quoted(section)}",
        passage and f"passage {style.quoted(passage)}",
    ]
    return " · ".join(part for part in parts if part)


def _line(style: _Plain, finding: Finding, *, regressed: bool) -> str:
    parts = [
        _place(style, finding),
        "regressed" if regressed else "",
        f"cause: {cause_words(finding.cause)}" if finding.cause else "",
        style.quoted(foreign(finding.message, MAX_TEXT)),
    ]
    return " · ".join(part for part in parts if part)


def _tail(style: _Plain, night: Night, verdict: str, news: News) -> str:
    if verdict == FAILED:
        return f"Next: {style.quoted('corpusguard doctor')}"
    measured = night.coverage
    coverage = f", coverage {percent(measured.covered, measured.words)}" if measured else ""
    facts = (
        f"{plural(night.documents, 'document')}, {night.verified_passages:,} of "
        f"{plural(night.passages, 'passage')} verified{coverage}."
    )
    if verdict == Verdict.VERIFIED and not news.new:
        return f"{facts}\n\nNext: {style.quoted('corpusguard status')}"
    command = f"corpusguard findings list --run {night.run}"
    rule = next((one.rule for one in (*news.new, *news.regressed)), "")
    explain = f", {style.quoted(f'corpusguard explain {rule}')}" if rule else ""
    return f"{facts}\n\nNext: {style.quoted(command)}{explain}"
