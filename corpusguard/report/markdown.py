"""The run as Markdown, for a pull-request comment or a job summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.model import SuppressionKind
from corpusguard.report.summary import (
    SIGN,
    by_rule,
    cause_words,
    percent,
    plural,
    split,
    state_of,
    suppressed_words,
    tally,
)
from corpusguard.report.text import clip, inert, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import DocumentResult, Finding, RunResult

_SPECIAL: Final = re.compile(r"[\\`*_\[\]|~$]|^[-+#=:]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""Emphasis, code, links, tables, formulas; what begins a block; what GitHub links by itself."""
_COMMAND: Final = re.compile(r"^[^\S\n]*::", re.MULTILINE)
"""What the runner takes for a workflow command; the older form, ``##[``, anywhere in a line."""
_LIST_ITEM: Final = re.compile(r"^(\d{1,9})([.)])")
_SHOWN: Final = 5
_TEXT: Final = 600
_NAME: Final = 200
_LISTED: Final = 100
_DAY: Final = 40
_CUT: Final = "\n{} parts did not fit here: another format has them all.\n"


def render(result: RunResult, most: int | None = None) -> str:
    """Return a page: the verdict, a table of documents, findings by rule, what is ignored.

    Args:
        result: The run.
        most: Bytes that the page may have at most; parts that do not fit are left out, whole, and
            the page says so. None: no limit.
    """
    findings, suppressed = split(result)
    scope = plural(len(result.documents), "document")
    head = [
        f"# {SIGN[result.verdict]} corpusguard: {result.verdict}",
        "",
        f"Run {result.run}, {one_line(result.finished)}: {tally(findings)} in {scope}.",
    ]
    if words := suppressed_words(result):
        head += ["", f"Not verified, and not counted: {words}."]
    parts = [head]
    if result.documents:
        parts.append(["", *_documents(result.documents, result.layers)])
    parts += [["", *_group(result, rule, group)] for rule, group in by_rule(findings)]
    parts += [part for part in [_suppressed(result, suppressed)] if part]
    texts = [
        "".join(f"{inert(line)}\n" for whole in part for line in whole.split("\n"))
        for part in parts
    ]
    return "".join(texts) if most is None else _within(texts, most)


def _within(texts: list[str], most: int) -> str:
    """Return the parts that fit, in order, and how many do not."""
    room = most - len(_CUT.encode()) - 20
    kept = []
    for text in texts:
        size = len(text.encode("utf-8", "backslashreplace"))
        if size <= room:
            kept.append(text)
            room -= size
    left = len(texts) - len(kept)
    return "".join([*kept, _CUT.format(left)] if left else kept)


def _suppressed(result: RunResult, suppressed: list[Finding]) -> list[str]:
    """Return a table of what is ignored, whole; what is known of before is counted above."""
    group = [
        (finding, why)
        for finding in suppressed
        if (why := result.suppressions[finding.fingerprint]).kind is SuppressionKind.IGNORE
    ]
    if not group:
        return []
    rows = [
        ["Finding", "Where", "Reason", "Owner", "Until"],
        ["---"] * 5,
        *(
            [
                one_line(f"{finding.rule} {finding.fingerprint}"),
                _place([finding.document, finding.section, finding.passage]),
                one_line(clip(why.reason, _TEXT)),
                one_line(clip(why.owner, _TEXT)),
                one_line(why.expires),
            ]
            for finding, why in group[:_LISTED]
        ),
    ]
    lines = ["", "## Ignored", "", *("| " + " | ".join(row) + " |" for row in rows)]
    if len(group) > _LISTED:
        lines += ["", f"and {len(group) - _LISTED:,} more."]
    return lines


def _place(parts: Iterable[str]) -> str:
    return " · ".join(one_line(clip(part, _NAME)) for part in parts if part)


def _documents(documents: Iterable[DocumentResult], layers: tuple[str, ...]) -> list[str]:
    heads = [
        "Document",
        *layers,
        "Passages",
        "Coverage",
        "Any label",
        "In force from",
        "Current to",
    ]
    rows = [heads, ["---"] * len(heads)]
    for document in documents:
        measured = document.coverage
        verdicts = [document.layers.get(layer) for layer in layers]
        rows.append(
            [
                f"{SIGN[document.verdict]} {one_line(clip(document.id, _NAME))}",
                *(f"{SIGN[verdict]} {verdict}" if verdict else "not run" for verdict in verdicts),
                f"{document.verified_passages:,} of {document.passages:,}",
                percent(measured.covered, measured.words) if measured else "unmeasured",
                percent(measured.covered_any_label, measured.words) if measured else "unmeasured",
                one_line(clip(document.consolidated_from, _DAY)) or "unknown",
                one_line(clip(document.currency_date, _DAY)) or "unknown",
            ]
        )
    return ["| " + " | ".join(row) + " |" for row in rows]


def _group(result: RunResult, rule: str, group: list[Finding]) -> list[str]:
    meaning = RULES[rule]
    lines = [
        f"## {rule} {one_line(meaning.name)}: {plural(len(group), str(group[0].severity))}",
        "",
        meaning.summary,
    ]
    for finding in group[:_SHOWN]:
        lines += ["", *_finding(finding, state_of(result, finding))]
    if len(group) > _SHOWN:
        lines += ["", f"and {len(group) - _SHOWN:,} more."]
    return lines


def _finding(finding: Finding, state: str) -> list[str]:
    place = [
        finding.document,
        finding.section and f"s. {finding.section}",
        finding.passage,
        finding.where,
        f"cause: {cause_words(finding.cause)}" if finding.cause else "",
        state,
    ]
    lines = [
        "**" + _place(place) + "**",
        "",
        one_line(clip(finding.message, _TEXT)),
    ]
    sides = {"official": finding.official, "stored": finding.stored, "difference": finding.diff}
    for name, text in sides.items():
        if text:
            lines += ["", f"{name}:", "", *fenced(text)]
    return lines


def one_line(text: str, *, strip: bool = True) -> str:
    """Return one line of foreign text that no Markdown or HTML reader will act on."""
    line = safe(text)
    line = (
        (line.strip() if strip else line)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
    )
    line = _LIST_ITEM.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", line))
    # The empty comment keeps GitHub from notifying whoever a text seems to mention.
    return line.replace("@", "@<!-- -->")


def fenced(text: str, limit: int = _TEXT) -> list[str]:
    """Return text in a code block whose fence no run of backticks inside can close.

    Args:
        text: Any.
        limit: Most code points that are shown.
    """
    shown = clip(safe(text, multiline=True), limit)
    runs = re.findall(r"`+", shown)
    fence = "`" * max(3, 1 + max((len(run) for run in runs), default=0))
    # What a log of GitHub Actions would obey gets a bar: Markdown's escapes do not work in a fence.
    shown = _COMMAND.sub("│ ::", shown).replace("##[", "##│[")
    return [f"{fence}text", *shown.split("\n"), fence]
