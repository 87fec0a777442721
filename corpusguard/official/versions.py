"""The ``act-versions`` answer: a search aggregation, three ``hits`` levels deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.errors import BodyTruncated, ShapeChanged, SourceUnreachable, WrongDocument
from corpusguard.official.dates import toronto_day
from corpusguard.official.interface import Version

if TYPE_CHECKING:
    from corpusguard.official.addresses import LawId
    from corpusguard.official.schema import Node

_STATES = frozenset({"current", "historical"})


def read_versions(answer: Node, law: LawId) -> tuple[Version, ...]:
    """Return the versions, the current one first and then from new to old.

    The first ``hits`` belongs to the aggregation, the second is its result, the third its list;
    a client that read one level less reported "no versions" for every statute for weeks.

    Raises:
        ShapeChanged: A level or a field is not where it was.
        SourceUnreachable: No versions at all, which is an outage and never "no change".
        BodyTruncated: Fewer versions than the answer itself counts.
        WrongDocument: Versions of another law.
    """
    result = answer.at("aggregations").at("all").at("versions").at("hits").at("hits")
    hits = result.at("hits").items()
    if not hits:
        raise SourceUnreachable(
            f"the source lists no versions of {law.kind}/{law.code}",
            hint="an outage of the source's index looks like this; try again later",
        )
    if (total := result.at("total").at("value").number()) != len(hits):
        raise BodyTruncated(
            f"{len(hits)} versions of {law.kind}/{law.code} came, the source counts {total}",
            hint="the list is partial; try again later",
        )
    versions = [_version(hit.at("_source"), law) for hit in hits]
    return tuple(sorted(versions, key=lambda item: (item.number != 0, -item.number)))


def _version(node: Node, law: LawId) -> Version:
    alias = node.at("alias").in_language(law.language)
    parts = alias.split("/")
    if len(parts) < 2 or parts[1].lower() not in law.codes:
        raise WrongDocument(
            f"a version of {alias!r} came, where {law.kind}/{law.code} was asked for",
            hint="check the id in sources/*.toml",
        )
    state = node.at("state").in_language(law.language)
    if state not in _STATES:
        raise node.at("state").unlike("current or historical")
    return Version(
        alias=alias,
        state=state,
        title=node.at("title").in_language(law.language),
        date_from=_day(node.at("dateFrom"), law),
        date_to=_day(node.at("dateTo"), law) if node.has("dateTo") else "",
        number=node.at("version").number(),
    )


def _day(node: Node, law: LawId) -> str:
    stamp = node.in_language(law.language)
    if not (day := toronto_day(stamp)):
        raise ShapeChanged(
            f"{node.where} is {stamp[:40]!r}, not a midnight of Toronto in UTC",
            hint="the publisher's format changed: update corpusguard, or report this message",
        )
    return day
