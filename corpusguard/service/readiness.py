"""What doctor says of a sound installation with which nothing could verify, or nobody would hear.

Nothing here is broken: documents that no source lists, captures that were never made, a publisher
who cannot write to us, addresses that are in no environment variable.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from corpusguard.errors import CorpusguardError
from corpusguard.notify.channels import unusable
from corpusguard.service.results import Check
from corpusguard.service.rows import read_rows
from corpusguard.service.scope import known_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corpusguard.config import Config
    from corpusguard.model import CorpusSpec
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
    found += [(f"[[judge]] {one.name}", _unset(one.key)) for one in config.judges if one.key]
    for table, reason in found:
        hint = "set it where corpusguard runs, as the scheduler's environment"
        if "pip install" in reason:
            hint = "install it in this environment"
        ok = None if reason else True
        yield Check(table, ok=ok, detail=reason or "usable", hint=hint if reason else "")


def _unset(variable: str) -> str:
    set_ = os.environ.get(variable, "").strip()
    return "" if set_ else f"environment variable {variable} is not set"


def _some(documents: Iterable[str]) -> str:
    names = list(documents)
    shown = ", ".join(repr(one[:_LENGTH]) for one in names[:_SHOWN])
    return shown + (", …" if len(names) > _SHOWN else "")
