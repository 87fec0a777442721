"""What history and this machine say: status, records of findings, and doctor."""

from __future__ import annotations

import os
import shutil
import sqlite3
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import CorpusguardError
from corpusguard.history import History
from corpusguard.model import Verdict
from corpusguard.report.records import finding_record
from corpusguard.service.results import Check, DocumentStatus
from corpusguard.service.rows import read_rows
from corpusguard.service.scope import known_documents
from corpusguard.service.work import versions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.history import FindingRecord, StoredResult
    from corpusguard.model import CorpusSpec
    from corpusguard.snapshots import SnapshotStore

_ENOUGH_SPACE: Final = 200_000_000
_RESTORE: Final = "restore it from a copy, or look at the store; nothing was changed"
_MOST_RUNS: Final = 200


def record(found: FindingRecord) -> dict[str, Any]:
    """A finding of history as JSON, with its life."""
    return finding_record(found.finding, str(found.state)) | {
        "where": found.finding.where,
        "corpus": found.corpus,
        "first_run": found.first_run,
        "last_run": found.last_run,
        "resolved_run": found.resolved_run,
    }


def status(config: Config, history: History) -> list[DocumentStatus]:
    """The newest result of each document of each corpus, and how old the last good run is."""
    newest: dict[tuple[str, str], StoredResult | None] = {}
    finished: dict[int, str] = {}
    unread: dict[str, int] = {}
    for run in history.runs(_MOST_RUNS):
        if run.state != "finished":
            continue
        finished[run.run] = run.finished
        for one in history.findings(run=run.run, rule="CG507", document=""):
            # A run that could not read a corpus has no result of its documents to show.
            unread.setdefault(one.finding.section, run.run)
        for result in history.document_results(run.run):
            newest.setdefault((result.result.id, result.corpus), result)
        if len(newest) >= len(config.corpora) * max(len(known_documents(config)), 1):
            break
    ages = {corpus.name: corpus.max_age_seconds for corpus in config.corpora}
    for corpus in config.corpora:
        if corpus.document and (corpus.document, corpus.name) not in newest:
            newest[corpus.document, corpus.name] = None
    return [
        _status(history, document, corpus, found, finished, ages[corpus], unread.get(corpus, 0))
        for (document, corpus), found in sorted(newest.items(), key=lambda pair: pair[0])
        if corpus in ages
    ]


def _status(  # noqa: PLR0913 - the facts of one line
    history: History,
    document: str,
    corpus: str,
    found: StoredResult | None,
    finished: dict[int, str],
    max_age: int,
    unread: int,
) -> DocumentStatus:
    good = history.last_good(document, corpus)
    open_findings = [
        one
        for one in history.findings(document=document, corpus=corpus)
        if str(one.state) != "resolved"
    ]
    severities = [str(one.finding.severity) for one in open_findings]
    coverage = found.result.coverage if found else None
    last = found.run if found else 0
    verdict = str(found.result.verdict) if found else ""
    if unread > last:
        last, verdict = unread, str(Verdict.UNVERIFIABLE)
    return DocumentStatus(
        document=document,
        corpus=corpus,
        verdict=verdict,
        last_run=last,
        finished=finished.get(last, ""),
        last_good_run=good.run if good else 0,
        last_good=good.finished if good else "",
        max_age_seconds=max_age,
        too_old=good is None or _age(good.finished) > max_age,
        words=coverage.words if coverage else None,
        covered=coverage.covered if coverage else None,
        open_errors=severities.count("error"),
        open_warnings=severities.count("warning"),
    )


def _age(moment: str) -> float:
    """Seconds since a recorded time; a time in the future is no age at all, and too old."""
    seconds = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    return seconds if seconds > -60 else float("inf")


def doctor(config: Config, store: SnapshotStore) -> list[Check]:
    """Check configuration, corpora, history, snapshots, space, SQLite and versions."""
    checks = [
        Check(
            "configuration",
            ok=True,
            detail=f"{len(known_documents(config))} documents, {len(config.corpora)} corpora",
        )
    ]
    checks += [
        _checked(f"corpus {corpus.name}", partial(_corpus, config, corpus))
        for corpus in config.corpora
    ]
    checks.append(_checked("history", partial(_history, config.history)))
    checks.append(_checked("snapshots", partial(_snapshots, store)))
    checks += [_writable("history folder", config.history.parent), _space(config.history.parent)]
    checks.append(
        Check("sqlite", ok=True, detail=f"{sqlite3.sqlite_version}, rollback journal, full sync")
    )
    checks.append(Check("versions", ok=True, detail=", ".join(versions())))
    return checks


def _checked(name: str, check: Callable[[], tuple[bool, str]]) -> Check:
    try:
        ok, detail = check()
    except CorpusguardError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)
    return Check(name, ok=ok, detail=detail, hint="" if ok else _RESTORE)


def _corpus(config: Config, corpus: CorpusSpec) -> tuple[bool, str]:
    with read_rows(config, corpus) as rows:
        documents = rows.documents()
        count = sum(map(rows.count, documents))
    return count > 0, f"{count} rows in {len(documents)} documents"


def _history(path: Path) -> tuple[bool, str]:
    if not path.exists():
        return True, "not yet written"
    with History.open(path) as history:
        problems = history.problems()
        last = history.last_run()
    if problems:
        return False, f"{len(problems)} problems: {'; '.join(problems[:3])}"
    return True, f"sound; last run {last.run} ({last.verdict})" if last else "no finished run"


def _snapshots(store: SnapshotStore) -> tuple[bool, str]:
    problems = store.verify()
    if problems:
        return False, f"{len(problems)} problems: {'; '.join(problems[:3])}"
    return True, f"{len(store.list())} captures, all digests hold"


def _writable(name: str, folder: Path) -> Check:
    if folder.is_dir() and os.access(folder, os.W_OK):
        return Check(name, ok=True, detail=str(folder))
    return Check(name, ok=False, detail=f"{folder} cannot be written", hint="check permissions")


def _space(folder: Path) -> Check:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("space", ok=False, detail=str(error))
    if free < _ENOUGH_SPACE:
        return Check("space", ok=None, detail=f"{free:,} bytes free", hint="free some space")
    return Check("space", ok=True, detail=f"{free // 1_000_000:,} MB free")
