"""The newest result of each document of each corpus: what is known of now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.history import RunState
from corpusguard.service.scope import known_documents

if TYPE_CHECKING:
    from corpusguard.config import Config
    from corpusguard.history import History, RunRecord, StoredResult

MOST_RUNS: Final = 200
"""Finished and other runs that are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Newest:
    """What the newest finished runs say."""

    results: dict[tuple[str, str], StoredResult]
    """(corpus, document) -> its newest result."""
    runs: dict[int, RunRecord]
    """The finished runs that were looked at."""


def newest(config: Config, history: History) -> Newest:
    """Return the newest results of each corpus and document, from the newest runs."""
    most = len(config.corpora) * max(len(known_documents(config)), 1)
    results: dict[tuple[str, str], StoredResult] = {}
    runs: dict[int, RunRecord] = {}
    for run in history.runs(MOST_RUNS):
        if run.state is not RunState.FINISHED:
            continue
        runs[run.run] = run
        for result in history.document_results(run.run):
            results.setdefault((result.corpus, result.result.id), result)
        if len(results) >= most:
            break
    return Newest(results, runs)
