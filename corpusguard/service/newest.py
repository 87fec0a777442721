"""The newest result of each document of each corpus: what is known of now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.history import RunState
from corpusguard.model import Layer, Verdict
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
    """(corpus, document) -> its newest result; of some layers that verified, only where no older
    one says otherwise by a layer that they are not."""
    runs: dict[int, RunRecord]
    """The finished runs that were looked at."""


def newest(config: Config, history: History) -> Newest:
    """Return the newest results of each corpus and document, from the newest runs.

    A run of one layer that found nothing does not take back what an older run found by another:
    nor does the gate let a passage through again for it.
    """
    most = len(config.corpora) * max(len(known_documents(config)), 1)
    results: dict[tuple[str, str], StoredResult] = {}
    narrow: dict[tuple[str, str], set[str]] = {}
    """Of each document of which only some layers are known to verify: those."""
    runs: dict[int, RunRecord] = {}
    for run in history.runs(MOST_RUNS):
        if run.state is not RunState.FINISHED:
            continue
        runs[run.run] = run
        for result in history.document_results(run.run):
            pair = (result.corpus, result.result.id)
            layers = set(result.result.layers)
            if pair in results and pair not in narrow:
                continue
            if pair in results and layers <= narrow[pair] and not layers >= set(Layer):
                continue
            verified = result.result.verdict is Verdict.VERIFIED
            if pair not in results or not verified:
                results[pair] = result
            if verified and not layers >= set(Layer):
                narrow[pair] = narrow.get(pair, set()) | layers
            else:
                narrow.pop(pair, None)
        if len(results) >= most and not narrow:
            break
    return Newest(results, runs)
