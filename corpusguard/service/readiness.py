"""What doctor says of a sound installation with which nothing could verify, or nobody would hear.

Nothing here is broken: documents that no source lists, captures that were never made, a publisher
who cannot write to us, addresses that are in no environment variable.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard.errors import CorpusguardError
from corpusguard.notify.channels import unusable
from corpusguard.report.summary import plural
from corpusguard.service.age import ASK_AGAIN, is_too_old, refused_for_age, span
from corpusguard.service.results import Check
from corpusguard.service.rows import read_rows
from corpusguard.service.scope import known_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpusguard.config import Config
    from corpusguard.model import CorpusSpec
    from corpusguard.service.results import CorpusAge
    from corpusguard.snapshots import SnapshotStore

_SHOWN: Final = 3
_LENGTH: Final = 80


def corpus(config: Config, spec: CorpusSpec) -> Check:
    """Check that a corpus can be read, has rows, and that a source lists each of its documents."""
    name = f"corpus {spec.name}"
    try:
        with read_rows(config, spec) as rows:
            documents = rows.documents()
            count = sum(map(rows.count, documents))
    except CorpusguardError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)
    detail = f"{count} rows in {len(documents)} documents"
    if not count:
        return Check(name, ok=False, detail=detail, hint="is `path` the store, or an empty export?")
    known = known_documents(config)
    unlisted = [document for document in documents if document not in known]
    if unlisted:
        hint = "add each as [[document]] (id, title) to a file named in `sources`"
        if not any(one.strip() for one in unlisted):
            hint = "map the field that names the document: document = { field = … }"
        detail += f"; {len(unlisted)} of them no source lists: {_some(unlisted)}"
        return Check(name, ok=False, detail=detail, hint=hint)
    return Check(name, ok=True, detail=detail)


def captures(config: Config, store: SnapshotStore) -> Check:
    """Check that each document that a source lists was captured at least once."""
    listed = known_documents(config)
    if not listed:
        return Check(
            "captures",
            ok=False,
            detail="no source lists a document",
            hint="add a [[document]] to a file named in `sources`",
        )
    have = {snapshot.document for snapshot in store.list()}
    missing = [document for document in listed if document not in have]
    if missing:
        return Check(
            "captures",
            ok=None,
            detail=f"{len(missing)} of {len(listed)} documents have none: {_some(missing)}",
            hint="corpusguard fetch, or verify without --offline",
        )
    return Check("captures", ok=True, detail=f"of all {len(listed)} documents")


def ages(config: Config, store: SnapshotStore, known: Sequence[CorpusAge]) -> Iterator[Check]:
    """Check that the gate would not refuse the text of a corpus for its age.

    Where a run has verified, what counts is when the source was asked. Before that, the captures:
    a run that is offline makes them no younger.

    Args:
        config: The configuration.
        store: The captures.
        known: What history says of each corpus; empty before the first run.
    """
    verified = {one.corpus: one for one in known if one.verified_passages}
    captured = {one.document: one.captured for one in store.list()}
    now = datetime.now(UTC)
    for corpus in config.corpora:
        name, most = f"age {corpus.name}", corpus.max_age_seconds
        one = verified.get(corpus.name)
        if one is not None:
            yield _age_of_passages(name, one)
            continue
        fixed = {corpus.document} if corpus.document else set(captured)
        old = [
            document
            for document, moment in captured.items()
            if document in fixed and is_too_old(moment, most, now)
        ]
        if old:
            yield Check(
                name,
                ok=None,
                detail=f"captures of {plural(len(old), 'document')} are older than max_age "
                f"({span(most)}): {_some(old)}",
                hint=f"an offline run makes them no younger for the gate: {ASK_AGAIN}",
            )


def _age_of_passages(name: str, one: CorpusAge) -> Check:
    if not one.too_old_passages:
        return Check(name, ok=True, detail=f"source asked at {one.text_asked}")
    return Check(name, ok=None, detail=refused_for_age(one), hint=ASK_AGAIN)


def contacts(config: Config) -> Iterator[Check]:
    """Check that publishers can write to whoever asks them; a loopback address needs nobody."""
    for source in config.sources:
        if source.base_url.startswith("https:") and not source.user_agent_contact.strip():
            yield Check(
                f"source {source.path}",
                ok=None,
                detail="user_agent_contact is empty: the publisher can only block, not write",
                hint="set it to an e-mail address or a page",
            )


def addresses(config: Config) -> Iterator[Check]:
    """Check that what holds the addresses and keys of others is set where doctor runs.

    Warnings: a run's result does not depend on them, and the scheduler's environment may have them.
    """
    found = []
    if config.notify:
        found += [("[notify]", unusable(name)) for name in dict.fromkeys(config.notify.channels)]
    if config.ping:
        found.append(("[ping]", _unset(config.ping.variable)))
    for table, reason in found:
        hint = "set it where corpusguard runs, as the scheduler's environment"
        if "pip install" in reason:
            hint = "install it in this environment"
        ok = None if reason else True
        yield Check(table, ok=ok, detail=reason or "usable", hint=hint if reason else "")


def judges(config: Config) -> Iterator[Check]:
    """Check that each judge has something to do, and its key. Warnings, as for addresses."""
    gate = config.gate
    uses = ((gate.judge, "judge"), (gate.cheap, "cheap"), (gate.expensive, "expensive"))
    for one in config.judges:
        named = [f"[gate] {key}" for name, key in uses if name == one.name]
        reason = _unset(one.key) if one.key else ""
        detail = f"is {', '.join(named)}" if named else "[gate] names it for nothing"
        hint = "set it where corpusguard runs, as the scheduler's environment" if reason else ""
        if not named:
            idle = "name it as judge, cheap or expensive in [gate]; `measure` takes it by --judge"
            hint = f"{hint}; {idle}" if hint else idle
        yield Check(
            f"[[judge]] {one.name}",
            ok=True if named and not reason else None,
            detail=f"{detail}; {reason}" if reason else detail,
            hint=hint,
        )


def _unset(variable: str) -> str:
    set_ = os.environ.get(variable, "").strip()
    return "" if set_ else f"environment variable {variable} is not set"


def _some(documents: Iterable[str]) -> str:
    names = list(documents)
    shown = ", ".join(repr(one[:_LENGTH]) for one in names[:_SHOWN])
    return shown + (", …" if len(names) > _SHOWN else "")
