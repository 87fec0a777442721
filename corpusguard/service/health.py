"""What history and this machine say: status, records of findings, and doctor."""

from __future__ import annotations

import os
import shutil
import sqlite3
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import CorpusguardError, HistoryBroken, StorageError
from corpusguard.history import History, asked_at, awaits_source
from corpusguard.ignores import accepted, applied_in
from corpusguard.model import Layer, Severity, Verdict
from corpusguard.report.records import finding_record
from corpusguard.report.summary import plural
from corpusguard.service import readiness
from corpusguard.service.age import is_too_old, text_age
from corpusguard.service.newest import newest
from corpusguard.service.opening import has_history, is_busy, open_history
from corpusguard.service.results import Check, CorpusAge, CorpusStatus, DocumentStatus, RunError
from corpusguard.service.scope import known_documents
from corpusguard.service.work import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.history import DecisionRecord, FindingRecord, VerifiedRows
    from corpusguard.model import Suppression
    from corpusguard.service.newest import Newest
    from corpusguard.snapshots import SnapshotStore

_ENOUGH_SPACE: Final = 200_000_000
_RESTORE: Final = "restore it from a copy, or look at the store; nothing was changed"


def suppressions(history: History, run: int | None) -> dict[str, Suppression]:
    """What a run, by default the newest finished one, ignored or knew, by fingerprint."""
    if run is None:
        last = history.last_run()
        run = last.run if last else 0
    kept = history.suppressions(run)
    try:
        return applied_in(kept) if kept else {}
    except (LookupError, TypeError, ValueError) as error:
        raise HistoryBroken(
            f"the suppressions of run {run} are not such as a run stores: {error!r}",
            hint="`corpusguard history verify` says what else is not as it was",
        ) from error


def record(found: FindingRecord, suppressed: Mapping[str, Suppression]) -> dict[str, Any]:
    """A finding of history as JSON, with its life."""
    why = suppressed.get(found.finding.fingerprint)
    return finding_record(found.finding, str(found.state), why) | {
        "where": found.finding.where,
        "corpus": found.corpus,
        "first_run": found.first_run,
        "last_run": found.last_run,
        "resolved_run": found.resolved_run,
    }


def decision(found: DecisionRecord) -> dict[str, Any]:
    """A decision of history as JSON: as the gate wrote it, with its place."""
    return {
        **found.body,
        "decision": found.number,
        "checked": found.checked,
        "outcome": found.outcome,
        "reason": found.reason,
        "newest_run": found.run,
        "head": found.head,
    }


def status(config: Config, history: History) -> CorpusStatus:
    """The newest result of each document, how old its text is, and the newest run's own errors.

    Every run looks at all rows and all corpora, whatever documents it was asked to verify: what
    the newest one did not find of them is gone.
    """
    known = newest(config, history)
    last = history.last_run()
    number = last.run if last else 0
    errors = [
        RunError(number, found.rule, str(found.layer or ""), found.message)
        for found in history.run_findings(number)
        if found.severity is Severity.ERROR
    ]
    listed = known_documents(config)
    rows = [one for one in history.verified_rows() if one.document in listed]
    documents = _documents(config, history, known, rows)
    return CorpusStatus(tuple(documents), tuple(errors), tuple(_ages(config, rows)))


def supporting(config: Config, history: History, corpora: Collection[str]) -> tuple[CorpusAge, ...]:
    """How old the text is, by corpus, of what supports an answer where these corpora count.

    The gate refuses an id that two of their rows have, so such rows are left out.
    """
    listed = known_documents(config)
    rows = [one for one in history.verified_rows(alone_in=corpora) if one.document in listed]
    return tuple(one for one in _ages(config, rows) if one.corpus in corpora)


def _ages(config: Config, rows: Sequence[VerifiedRows]) -> Iterator[CorpusAge]:
    for corpus in config.corpora:
        most = corpus.max_age_seconds
        found = text_age((one for one in rows if one.corpus == corpus.name), most)
        yield CorpusAge(
            corpus.name, most, found.asked, found.age_seconds, found.passages, found.too_old
        )


def _documents(
    config: Config, history: History, known: Newest, rows: Sequence[VerifiedRows]
) -> list[DocumentStatus]:
    pairs = dict.fromkeys(known.results)
    unread: dict[str, int] = {}
    for run in known.runs:
        for one in history.findings(run=run, rule="CG507", document=""):
            # A run that could not read a corpus has no result of its documents to show.
            unread.setdefault(one.finding.section, run)
    ages = {corpus.name: corpus.max_age_seconds for corpus in config.corpora}
    pairs |= dict.fromkeys((one.name, one.document) for one in config.corpora if one.document)
    suppressed = {
        run: suppressions(history, run) for run in {one.run for one in known.results.values()}
    }
    verified: dict[tuple[str, str], list[VerifiedRows]] = {}
    for row in rows:
        verified.setdefault((row.corpus, row.document), []).append(row)
    return [
        _status(
            history,
            document,
            corpus,
            known,
            suppressed,
            ages[corpus],
            unread.get(corpus, 0),
            verified.get((corpus, document), []),
        )
        for corpus, document in sorted(pairs, key=lambda pair: (pair[1], pair[0]))
        if corpus in ages
    ]


def _status(  # noqa: PLR0913 - the facts of one line
    history: History,
    document: str,
    corpus: str,
    known: Newest,
    suppressed: Mapping[int, Mapping[str, Suppression]],
    max_age: int,
    unread: int,
    verified: Sequence[VerifiedRows],
) -> DocumentStatus:
    now = datetime.now(UTC)
    found = known.results.get((corpus, document))
    good = history.last_good(document, corpus)
    last = found.run if found else 0
    taken = suppressed.get(last, {})
    open_findings = [
        one
        for one in history.findings(document=document, corpus=corpus)
        if str(one.state) != "resolved"
    ]
    counted = [one for one in open_findings if one.finding.fingerprint not in taken]
    severities = [str(one.finding.severity) for one in counted]
    awaiting = [
        str(one.finding.severity)
        for one in counted
        if one.last_run < last and awaits_source(one.finding.rule, one.finding.layer or "")
    ]
    coverage = found.result.coverage if found else None
    verdict = str(found.result.verdict) if found else ""
    if unread > last:
        last, verdict = unread, str(Verdict.UNVERIFIABLE)
    finished = known.runs[last].finished if last else ""
    by_list = found is not None and verdict == Verdict.VIOLATED and accepted(found.result, taken)
    # What was accepted is as old as the text in which nothing else was found, by all three layers.
    judged = ""
    if found is not None and by_list and set(found.result.layers) == set(Layer):
        judged = asked_at(
            began=known.runs[last].started,
            captured=found.result.captured,
            asked_source=found.asked_source,
        )
    text = text_age(verified, max_age, now)
    return DocumentStatus(
        document=document,
        corpus=corpus,
        verdict=verdict,
        last_run=last,
        finished=finished,
        last_good_run=good.run if good else 0,
        last_good=good.finished if good else "",
        max_age_seconds=max_age,
        too_old=good is None or is_too_old(good.asked, max_age, now),
        words=coverage.words if coverage else None,
        covered=coverage.covered if coverage else None,
        open_errors=severities.count("error"),
        open_warnings=severities.count("warning"),
        awaiting_errors=awaiting.count("error"),
        awaiting_warnings=awaiting.count("warning"),
        accepted=by_list,
        accepted_too_old=by_list and is_too_old(judged, max_age, now),
        suppressed=len(open_findings) - len(severities),
        text_asked=text.asked,
        text_age_seconds=text.age_seconds,
        verified_passages=text.passages,
        too_old_passages=text.too_old,
    )


def doctor(config: Config, store: SnapshotStore) -> list[Check]:
    """Check configuration, corpora, evidence, space, versions, and that something can verify."""
    checks = [
        Check(
            "configuration",
            ok=True,
            detail=f"{plural(len(known_documents(config)), 'document')}, {len(config.corpora)} "
            f"{'corpus' if len(config.corpora) == 1 else 'corpora'}",
        )
    ]
    checks += [readiness.corpus(config, corpus) for corpus in config.corpora]
    checks.append(_checked("history", partial(_history, config)))
    snapshots = _checked("snapshots", partial(_snapshots, store))
    checks.append(snapshots)
    if snapshots.ok:
        checks.append(readiness.captures(config, store))
        checks += readiness.ages(config, store, _known_ages(config))
    checks += [*readiness.contacts(config), *readiness.addresses(config)]
    checks += readiness.judges(config)
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


def _history(config: Config) -> tuple[bool, str]:
    if not has_history(config):
        return True, "not yet written"
    with open_history(config) as history:
        problems = history.problems()
        last = history.last_run()
        try:
            history.try_storing()
        except StorageError as error:
            if not is_busy(error):
                raise
    if problems:
        return False, f"{len(problems)} problems: {'; '.join(problems[:3])}"
    return True, f"sound; last run {last.run} ({last.verdict})" if last else "no finished run"


def _known_ages(config: Config) -> tuple[CorpusAge, ...]:
    """Return the age of each corpus as history knows it; none where it cannot be read."""
    try:
        if not has_history(config):
            return ()
        with open_history(config) as history:
            return status(config, history).corpora
    except CorpusguardError:
        return ()


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
