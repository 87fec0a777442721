"""The site of runs: pages and their JSON by name, for any web server; nothing is written here.

Names of files are made of digests and of letters that are safe everywhere, so that no document id
can lead out of the folder or take another's place.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final

from corpusguard.report.compliance.content import render_json, to_json
from corpusguard.report.compliance.page import render
from corpusguard.report.files import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corpusguard.report.compliance.content import Content, Document

SCHEMA: Final = "corpusguard/site/1"
_UNSAFE: Final = re.compile(r"[^a-z0-9]+")
_UNMEASURED: Final = "not measured"

File = tuple[str, bytes]
"""Relative name, with slashes, and what it holds."""


@dataclass(frozen=True, slots=True)
class Period:
    """Runs in a row in which a section stood alike."""

    cover: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SectionHistory:
    """One section over the runs of the site."""

    section: str
    periods: tuple[Period, ...]
    """Oldest first."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one run said of a document."""

    run: int
    finished: str
    verdict: str
    errors: int
    warnings: int
    covered: int
    words: int
    currency_date: str
    consolidated_from: str
    page: str
    """From the page of the document's history."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One run in the list of runs."""

    run: int
    finished: str
    verdict: str
    folder: str
    documents: int
    errors: int
    warnings: int


@dataclass(slots=True)
class _Life:
    """A document over runs, gathered run by run."""

    title: str
    document: str
    corpus: str
    name: str
    language: str
    seen: list[Seen] = field(default_factory=list)
    order: dict[str, None] = field(default_factory=dict)
    covers: dict[str, dict[int, str]] = field(default_factory=dict)

    def add(self, content: Content, one: Document) -> None:
        """Add what a later run says."""
        self.title = one.title or self.title
        self.seen.append(
            Seen(
                run=content.run.number,
                finished=content.run.finished,
                verdict=one.verdict,
                errors=one.errors,
                warnings=one.warnings,
                covered=one.covered,
                words=one.words,
                currency_date=one.currency_date,
                consolidated_from=one.consolidated_from,
                page=f"../{_run_folder(content)}/{self.name}.html",
            )
        )
        if one.sections:
            # The newest order of the law first; sections that are gone come after.
            self.order = dict.fromkeys([*(each.section for each in one.sections), *self.order])
        for each in one.sections:
            self.covers.setdefault(each.section, {})[content.run.number] = str(each.cover)

    def sections(self) -> tuple[SectionHistory, ...]:
        """Return the history of each section."""
        return tuple(
            SectionHistory(section, _periods([one.run for one in self.seen], self.covers[section]))
            for section in self.order
        )


def site(contents: Iterable[Content]) -> Iterator[File]:
    """Yield every file of a site of runs, given oldest first.

    Args:
        contents: Reports of runs; each is let go of once its pages are made.
    """
    lives: dict[str, _Life] = {}
    runs: list[Listed] = []
    newest: Content | None = None
    for content in contents:
        newest = content
        folder = _run_folder(content)
        runs.append(_listed(content))
        names = {one.number: file_name(one.corpus, one.id) for one in content.documents}
        links = {number: f"{name}.html" for number, name in names.items()}
        page = render("site_run.html.j2", content=content, links=links)
        yield f"{folder}/index.html", encode(page)
        yield f"{folder}/index.json", encode(render_json(content))
        for one in content.documents:
            name = names[one.number]
            life = lives.setdefault(name, _Life(one.title, one.id, one.corpus, name, one.language))
            life.add(content, one)
            page = render("site_document.html.j2", content=content, one=one, name=name)
            yield f"{folder}/{name}.html", encode(page)
            yield f"{folder}/{name}.json", encode(to_json(asdict(one)))
    if newest is None:
        return
    for name, life in lives.items():
        sections = life.sections()
        page = render("site_history.html.j2", content=newest, life=life, sections=sections)
        yield f"documents/{name}.html", encode(page)
        held = {
            "schema": SCHEMA,
            "document": life.document,
            "corpus": life.corpus,
            "runs": [asdict(one) for one in life.seen],
            "sections": [asdict(one) for one in sections],
        }
        yield f"documents/{name}.json", encode(to_json(held))
    yield (
        "index.html",
        encode(
            render(
                "site_index.html.j2", content=newest, runs=runs[::-1], lives=list(lives.values())
            )
        ),
    )
    yield (
        "index.json",
        encode(to_json({"schema": SCHEMA, "runs": [asdict(one) for one in runs]})),
    )


def file_name(corpus: str, document: str) -> str:
    """Return a name of a document of a corpus: letters, digits and ``-``, no longer than 70.

    Two that differ in any character have two names, also where a file system ignores case.
    """
    words = _UNSAFE.sub("-", document.lower()).strip("-")[:57].strip("-")
    digest = hashlib.sha256(f"{corpus}\n{document}".encode("utf-8", "backslashreplace")).hexdigest()
    return f"{words}-{digest[:12]}" if words else digest[:12]


def _listed(content: Content) -> Listed:
    return Listed(
        run=content.run.number,
        finished=content.run.finished,
        verdict=content.answer.verdict,
        folder=_run_folder(content),
        documents=len(content.documents),
        errors=content.errors,
        warnings=content.warnings,
    )


def _run_folder(content: Content) -> str:
    return f"runs/{content.run.number}"


def _periods(runs: list[int], covers: dict[int, str]) -> tuple[Period, ...]:
    stood = [(run, covers.get(run, _UNMEASURED)) for run in runs]
    periods = []
    for cover, group in groupby(stood, key=lambda item: item[1]):
        numbers = [run for run, _ in group]
        periods.append(Period(cover, numbers[0], numbers[-1]))
    return tuple(periods)
