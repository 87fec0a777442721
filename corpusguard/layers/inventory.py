"""L3: is anything missing or invented? Sections, both ways; and which label text stands under.

The official side is the second reader's own inventory of lead numbers, with the publisher's
contents table and gaps in the number sequence as further oracles; the first reader's inventory is
compared with it, not trusted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from corpusguard.layers.context import STUBS, law_words
from corpusguard.layers.currency import is_partly_misfiled
from corpusguard.layers.draft import counted, draft
from corpusguard.layers.locate import Locator, Place
from corpusguard.layers.locators import normal_form
from corpusguard.model import Channel, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.layers.context import Official
    from corpusguard.layers.currency import Judged
    from corpusguard.layers.locate import Located
    from corpusguard.layers.matching import Match
    from corpusguard.model import Finding, Passage

_FUTURE = re.compile(r"(?:not (?:yet )?in force|future|pending|to be proclaimed)\b(?!.*\bnow\b)")
_GONE = re.compile(r"(?:repealed|revoked|omitted|spent|expired)\b")
"""A status says so with its first words: "no longer not in force" says something else."""
_ENOUGH = 8
"""Fewer words than this in a row prove nothing about where a text is from: laws repeat phrases."""


def claimed_status(passage: Passage) -> Status | None:
    """What a passage's own status field says; None when it says nothing that we know."""
    text = " ".join((passage.status or "").casefold().replace("-", " ").replace("_", " ").split())
    if not text:
        return None
    if _FUTURE.match(text):
        return Status.NOT_IN_FORCE
    if _GONE.match(text):
        return Status.REPEALED
    return Status.IN_FORCE


def label_findings(today: Official, judged: Judged) -> list[Finding]:
    """What is wrong with the label or the status that one passage's text is stored under."""
    located = judged.located
    found = [*_locator_finding(today, judged), *_status_findings(today, judged)]
    if located.locator is Locator.FOUND and not located.stub:
        found += _misfiled(today, judged)
    return found


def _locator_finding(today: Official, judged: Judged) -> list[Finding]:
    located, passage = judged.located, judged.located.passage
    where = _home(today, located)
    hint = f"; its words are those of s. {where}" if where else ""
    rule, severity, message = "", Severity.ERROR, ""
    if located.locator is Locator.UNREADABLE:
        rule = "CG309"
        message = (
            f"the section field {passage.section!r} cannot be read as a number{hint}"
            if passage.section
            else f"the section field is empty{hint}"
        )
    elif located.locator is Locator.UNKNOWN:
        rule = "CG302"
        message = f"the official text has no section {passage.section}{hint}"
    elif located.locator is Locator.UNKNOWABLE:
        rule, severity = "CG302", Severity.WARNING
        around = today.inventory.in_unknown_range(located.claim.section) if located.claim else ""
        message = (
            f"section {passage.section} lies in the unknown middle of {around}: "
            "whether it ever stood there cannot be told"
        )
    elif located.stub and not located.law_is_equal:
        rule = "CG304"
        status = today.status_of(located.sections[0]).value
        message = f"section {located.sections[0]} is {status}, but words are stored for it{hint}"
    if not rule:
        return []
    return [
        draft(
            rule,
            today.document.id,
            message,
            severity=severity,
            section=located.sections[0] if located.sections else (passage.section or ""),
            passage=passage.id,
            row=passage.row,
            where=passage.where,
            official=_official_text(today, located),
            stored=passage.text,
        )
    ]


_SHOWN_WORDS: Final = 60
"""Words of each place that a finding shows; the whole stands in the snapshot."""
_SHOWN_PLACES: Final = 2


def _official_text(today: Official, located: Located) -> str:
    return _cut(today, *today.unit(located.sections[0])) if located.sections else ""


def _cut(today: Official, first: int, last: int) -> str:
    text = today.linear.text(first, min(last, first + _SHOWN_WORDS))
    return f"{text} …" if last > first + _SHOWN_WORDS else text


def _both_places(today: Official, located: Located, claimed: str) -> str:
    """What the claimed section says, and the places where the words stand, a line each."""
    linear = today.linear
    found: dict[str, tuple[int, int]] = {}
    for match in (*_all_pieces(located), *located.places):
        for start, end in match.runs:
            segment = linear.seg_of[start]
            if linear.channel[segment] is not Channel.BODY:
                continue
            section, inner = linear.section[segment], linear.subsection[segment]
            if section in located.sections:
                # Misfiled inside its section: another subsection than the claimed one.
                name = f"s. {section} ({inner})" if inner else f"s. {section}"
            else:
                name = f"s. {section}" if section else "no section"
            first, last = found.get(name, (start, end))
            found[name] = (first, max(last, end) if start <= last + 1 else last)
    outside = [name for name in found if name not in {f"s. {one}" for one in located.sections}]
    lines = [f"claimed s. {claimed}: {_official_text(today, located)}"]
    lines += [f"found in {name}: {_cut(today, *found[name])}" for name in outside[:_SHOWN_PLACES]]
    if len(outside) > _SHOWN_PLACES:
        lines.append(f"and in {len(outside) - _SHOWN_PLACES} more")
    return "\n".join(lines)


def _home(today: Official, located: Located) -> str:
    """The section that holds most of a passage's words, wherever it claims to be."""
    linear = today.linear
    counts: Counter[str] = Counter()
    for match in _all_pieces(located):
        for start, end in match.runs:
            segment = linear.seg_of[start]
            if linear.channel[segment] is Channel.BODY and linear.section[segment]:
                counts[linear.section[segment]] += end - start
    if not counts:
        return ""
    section, words = counts.most_common(1)[0]
    return section if words >= min(_ENOUGH, len(located.words)) else ""


def _all_pieces(located: Located) -> Sequence[Match]:
    return [located.match] if located.match is not None else located.pieces


def _misfiled(today: Official, judged: Judged) -> list[Finding]:
    located, passage = judged.located, judged.located.passage
    claimed = located.sections[0]
    severity = Severity.ERROR
    if located.place is Place.ELSEWHERE or is_partly_misfiled(today, located):
        counts = _law_by_section(today, located)
        inside = sum(counts[section] for section in located.sections)
        others = [section for section, _ in counts.most_common() if section not in located.sections]
        names = ", ".join(others[:4])
        if inside:
            outside = sum(counts.values()) - inside
            message = f"claims s. {claimed}, but {outside} of its words are of s. {names}"
        elif names:
            names = _alternatives(today, located) or names
            message = f"claims s. {claimed}, but its words are those of s. {names}"
        else:
            message = (
                f"claims s. {claimed}, but holds no law: only headings or notes from elsewhere"
            )
    elif (
        located.law_is_equal
        and located.match is not None
        and _has_law(today, located.match)
        and not today.locate.in_subsection(located.match, located)
    ):
        severity = Severity.WARNING
        inner = located.claim.subsection if located.claim else ""
        place = _subsections(today, located.match)
        message = f"claims subs. ({inner}) of s. {claimed}, but stands in {place}"
    else:
        return []
    return [
        draft(
            "CG203",
            today.document.id,
            message,
            severity=severity,
            section=claimed,
            passage=passage.id,
            row=passage.row,
            where=passage.where,
            official=_both_places(today, located, claimed),
            stored=passage.text,
        )
    ]


def _alternatives(today: Official, located: Located) -> str:
    """The sections of a text that stands in several, for a reader who looks only at the first."""
    linear = today.linear
    sections = dict.fromkeys(
        linear.section[linear.seg_of[start]]
        for place in located.places
        for start, _ in place.runs
        if linear.channel[linear.seg_of[start]] is Channel.BODY
    )
    named = [section for section in sections if section]
    more = f" or {len(named) - 3} more" if len(named) > 3 else ""
    return " or ".join(named[:3]) + more if len(named) > 1 else ""


def _subsections(today: Official, match: Match) -> str:
    linear = today.linear
    names = dict.fromkeys(
        linear.subsection[linear.seg_of[start]]
        for start, _ in match.runs
        if linear.channel[linear.seg_of[start]] is Channel.BODY
    )
    return ", ".join(f"subs. ({name})" if name else "no subsection" for name in names)


def _has_law(today: Official, match: Match) -> bool:
    linear = today.linear
    return any(linear.channel[linear.seg_of[start]] is Channel.BODY for start, _ in match.runs)


def _law_by_section(today: Official, located: Located) -> Counter[str]:
    linear = today.linear
    counts: Counter[str] = Counter()
    for match in _all_pieces(located):
        for start, end in match.runs:
            segment = linear.seg_of[start]
            if linear.channel[segment] is Channel.BODY and linear.section[segment]:
                counts[linear.section[segment]] += end - start
    return counts


def _status_findings(today: Official, judged: Judged) -> list[Finding]:
    """Future text stored as law, one finding per future provision; and the reverse."""
    located, passage = judged.located, judged.located.passage
    says = claimed_status(passage)
    linear = today.linear
    future: Counter[int] = Counter()
    current = 0
    for match in _all_pieces(located):
        for start, end in match.runs:
            segment = linear.seg_of[start]
            if linear.channel[segment] is not Channel.BODY:
                continue
            if linear.status[segment] is Status.NOT_IN_FORCE:
                future[segment] += end - start
            elif linear.status[segment] is Status.IN_FORCE:
                current += end - start
    if says is Status.NOT_IN_FORCE or says is Status.REPEALED:
        if not current or future:
            return []
        rule = "CG305" if says is Status.NOT_IN_FORCE else "CG304"
        return [
            draft(
                rule,
                today.document.id,
                f"its status field says {passage.status!r}, but its words are in force",
                section=judged.section,
                passage=passage.id,
                row=passage.row,
                where=passage.where,
                stored=passage.text,
            )
        ]
    return [
        draft(
            "CG305",
            today.document.id,
            "text that is not yet in force is stored as law",
            section=linear.section[segment],
            provision=linear.pid[segment],
            passage=passage.id,
            row=passage.row,
            where=passage.where,
            official=linear.text(linear.seg_first[segment], linear.seg_last[segment]),
            stored=passage.text,
        )
        for segment, words in future.items()
        # A passage that stands in future text and nowhere else needs no more proof than that.
        if located.match is not None
        or words >= min(_ENOUGH, linear.seg_last[segment] - linear.seg_first[segment])
    ]


def future_text(today: Official, located: Located) -> bool:
    """Whether a placed passage takes text that is not yet in force."""
    return located.match is not None and today.locate.future_words(located.match) > 0


def duplicate_findings(
    document: str, judged: Sequence[Judged], rows_by_id: Mapping[str, int]
) -> list[Finding]:
    """CG303: two rows with one id. With differing text the store keeps only one of the texts."""
    groups: dict[str, list[Passage]] = {}
    for one in judged:
        groups.setdefault(one.located.passage.id, []).append(one.located.passage)
    found = []
    for native, rows in groups.items():
        total = max(rows_by_id.get(native, len(rows)), len(rows))
        if total < 2:
            continue
        elsewhere = total - len(rows)
        for number, row in enumerate(rows):
            if number == 0 and not elsewhere:
                continue
            differs = elsewhere > 0 or row.text != rows[0].text
            first = (rows[0].where or f"row {rows[0].row}") if number else "one elsewhere"
            message = (
                f"{total} rows have this id; this one has another text than {first}"
                if differs
                else f"{total} rows have this id and one text"
            )
            found.append(
                draft(
                    "CG303",
                    document,
                    f"{message}: an upsert keeps only one",
                    severity=Severity.ERROR if differs else Severity.WARNING,
                    section=row.section or "",
                    passage=native,
                    row=row.row,
                    where=row.where,
                    stored=row.text,
                )
            )
    return found


def section_findings(
    today: Official,
    second: Mapping[str, Any],
    judged: Sequence[Judged],
    covered: Mapping[str, int],
) -> list[Finding]:
    """CG301: sections of the second reader's inventory that no passage claims.

    ``covered``: locator -> words of its law that passages hold under any label.
    """
    if all(one.located.locator is Locator.UNMAPPED for one in judged):
        # Stubs are no law in force, but a window that holds their words has not lost them.
        claimed = {s for one in judged for s in _law_by_section(today, one.located)}
    else:
        claimed = {s for one in judged for s in one.located.sections}
    homes: dict[str, Counter[str]] = {}
    for one in judged:
        label = one.located.passage.section
        if label:
            for section in _law_by_section(today, one.located):
                homes.setdefault(section, Counter())[label] += 1
    found = []
    for entry in (*second["sections"], *_other_units(second)):
        number = entry["number"]
        if number in claimed or entry["status"] == "not_in_force":
            continue
        if any(normal_form(number) == normal_form(section) for section in claimed):
            continue
        # A schedule or table without words of its own is claimed through its parts.
        if entry["status"] == "in_force" and any(s.startswith(f"{number},") for s in claimed):
            continue
        words = law_words(today, number)
        stub = entry["status"] == "gone" or today.status_of(number) in STUBS
        if not stub and not words and number in today.sections:
            continue
        labels = ", ".join(label for label, _ in homes.get(number, Counter()).most_common(4))
        share, verb = covered.get(number, 0), "is" if words == 1 else "are"
        message = f"no passage claims section {number} ({entry['status'].replace('_', ' ')})"
        if stub:
            message += ": a stub, nothing of law in force is missing"
        elif share:
            where = f"under other labels ({labels})" if labels else "in passages without a label"
            message += f": {share} of its {counted(words)} {verb} stored {where}"
        else:
            message += f": none of its {counted(words)} {verb} stored"
        first, last = today.unit(number)
        found.append(
            draft(
                "CG301",
                today.document.id,
                message,
                severity=Severity.NOTE if stub else Severity.ERROR,
                section=number,
                official=today.linear.text(first, min(last, first + 60)),
            )
        )
    return found


def _other_units(second: Mapping[str, Any]) -> list[dict[str, str]]:
    """Places with law in force that the second reader's inventory of numbers does not list.

    They are the preamble, and tables, forms and schedules whose text has no numbers of its own.
    """
    listed = {entry["number"] for entry in second["sections"]}
    places: dict[str, None] = {}
    for section, status, runs in second["blocks"]:
        if not section or status != "in_force" or section in listed or section in places:
            continue
        if any(role == Channel.BODY.value for role, _ in runs):
            places[section] = None
    return [{"number": place, "status": "in_force"} for place in places]


def inventories(today: Official, second: Mapping[str, Any]) -> list[Finding]:
    """CG308: the inventories of the two readers, the contents table and the number sequence."""
    found = []
    theirs = Counter((entry["number"], entry["status"]) for entry in second["sections"])
    ours: Counter[tuple[str, str]] = Counter()
    for locator, nodes in today.sections.items():
        for node in nodes:
            if node.kind.value == "preamble" or not node.section:
                continue
            ours[locator, _second_status(node.status)] += 1
    for (number, status), count in (theirs - ours).items():
        found.append(_disagree(today, number, status, count, "second", "first"))
    for (number, status), count in (ours - theirs).items():
        if any(node.kind.value == "section" for node in today.sections[number]):
            found.append(_disagree(today, number, status, count, "first", "second"))
    known = {normal_form(entry["number"]) for entry in second["sections"]}
    known |= set(today.inventory.locators)
    rows = [row for row in second["contents"] if row["number"].replace(".", "").isdigit()]
    for row in rows:
        number = row["number"].rstrip(".")
        if normal_form(number) not in known and not today.inventory.find(normal_form(number)):
            found.append(
                draft(
                    "CG308",
                    today.document.id,
                    f"the publisher's contents list section {number}, which no reader found",
                    section=number,
                    official=row["title"],
                )
            )
    for before, after in second["gaps"]:
        found.append(
            draft(
                "CG308",
                today.document.id,
                f"the numbers jump from {before} to {after}: sections may have been lost",
                severity=Severity.WARNING,
                section=str(after),
            )
        )
    return found


def _second_status(status: Status) -> str:
    if status in STUBS:
        return "gone"
    return status.value


def _disagree(  # noqa: PLR0913 - the five facts of one sentence
    today: Official, number: str, status: str, count: int, sees: str, misses: str
) -> Finding:
    return draft(
        "CG308",
        today.document.id,
        f"the {sees} reader finds section {number} ({status.replace('_', ' ')}) {count} more "
        f"time(s) than the {misses} reader",
        section=number,
    )


def order_findings(today: Official, judged: Sequence[Judged]) -> list[Finding]:
    """CG202 for rows out of order, only where an ordinal is mapped.

    Ordinals may count through the document or start again in each section; rows are compared
    within their section where numbers repeat, else through the whole document. The rows outside
    the longest increasing sequence are the ones out of place.
    """
    rows = [
        (one.located.passage.ordinal, one)
        for one in judged
        if one.located.passage.ordinal is not None
        and one.located.law_is_equal
        and one.located.match is not None
    ]
    if len({ordinal for ordinal, _ in rows}) == len(rows):
        groups = {"": rows}
    else:
        groups = {}
        for ordinal, one in rows:
            groups.setdefault(one.section, []).append((ordinal, one))
    found = []
    for group in groups.values():
        group.sort(key=lambda pair: pair[0] or 0)
        places = [one.located.match.begin if one.located.match else 0 for _, one in group]
        keep = _longest_increasing(places)
        for number, (ordinal, one) in enumerate(group):
            if number in keep:
                continue
            passage = one.located.passage
            found.append(
                draft(
                    "CG202",
                    today.document.id,
                    f"ordinal {ordinal} puts it in another place than the official order",
                    section=one.section,
                    passage=passage.id,
                    row=passage.row,
                    where=passage.where,
                    stored=passage.text,
                )
            )
    return found


def _longest_increasing(values: list[int]) -> set[int]:
    """Indexes of a longest non-decreasing subsequence (patience sorting)."""
    tails: list[int] = []
    last: list[int] = []
    previous = [-1] * len(values)
    for index, value in enumerate(values):
        place = bisect_right(tails, value)
        if place:
            previous[index] = last[place - 1]
        if place == len(tails):
            tails.append(value)
            last.append(index)
        else:
            tails[place] = value
            last[place] = index
    keep: set[int] = set()
    index = last[-1] if last else -1
    while index >= 0:
        keep.add(index)
        index = previous[index]
    return keep
