"""Runs: numbers, states, and what is the last good one."""

import pytest

from corpusguard.errors import StorageError
from corpusguard.history import History, RunState
from corpusguard.model import Verdict

from .conftest import CORPUS, DOCUMENT, result, state


def test_a_finished_run_is_remembered_whole(history, nights):
    """All that was said of a run comes back as it was said."""
    run = nights.begin(("L1", "L3"))
    history.finish_run(run, Verdict.VIOLATED, "2026-03-01T02:09:00Z", 1)

    record = history.run(run)

    assert record.state is RunState.FINISHED
    assert record.verdict is Verdict.VIOLATED
    assert record.layers == ("L1", "L3")
    assert record.exit_code == 1
    assert (record.started, record.finished) == ("2026-03-01T02:00:00Z", "2026-03-01T02:09:00Z")
    assert history.last_run() == record


def test_a_run_that_died_is_aborted_when_the_next_begins(path):
    """A run whose process is gone never counts as finished."""
    with History.open(path) as history:
        dead = history.begin_run(("L1",), "t", "c", "2026-03-01T02:00:00Z")
    with History.open(path) as history:
        assert history.run(dead).state is RunState.RUNNING

        history.begin_run(("L1",), "t", "c", "2026-03-02T02:00:00Z")

        assert history.run(dead).state is RunState.ABORTED
        assert history.run(dead).verdict is None
        assert history.last_run() is None


def test_an_interrupted_run_is_aborted_with_its_exit_code(history, nights):
    """130 and 143 are kept."""
    run = nights.begin()

    history.abort_run(run, "2026-03-01T02:01:00Z", 130)

    assert history.run(run).state is RunState.ABORTED
    assert history.run(run).exit_code == 130


@pytest.mark.parametrize("end", ["finished", "aborted", "never begun"])
def test_nothing_is_added_to_a_run_that_has_ended(history, nights, end):
    """A process that lost the lock to another cannot write on."""
    run = nights.begin()
    if end == "finished":
        nights.finish(run)
    elif end == "aborted":
        nights.begin()
    else:
        run += 7

    with pytest.raises(StorageError, match="nothing can be added"):
        history.record_document(run, CORPUS, result())
    with pytest.raises(StorageError, match="nothing can be added"):
        history.finish_run(run, Verdict.VERIFIED, "2026-03-01T02:09:00Z", 0)
    assert history.document_results(run) == []


def test_numbers_are_never_given_twice_and_order_the_runs(history, nights):
    """Order is by number: a clock that went backwards does not reorder runs."""
    first = nights.begin()
    second = history.begin_run(("L1",), "t", "c", "2019-01-01T00:00:00Z")

    assert [record.run for record in history.runs(limit=5)] == [second, first]
    assert [record.run for record in history.runs(limit=1)] == [second]
    assert history.run(99) is None


def test_last_good_is_a_finished_run_that_verified_all_layers_asked(history, nights):
    """A violated, an unverifiable, an aborted and an L1-only run are none of them good."""
    good = result(states=[state(0, "a", "x")], captured="2026-03-01T01:00:00Z")
    nights.run(good)
    nights.run(result(Verdict.VIOLATED))
    nights.run(result(Verdict.UNVERIFIABLE))
    nights.run(result(layers={"L1": Verdict.VERIFIED}))
    history.record_document(nights.begin(), CORPUS, good)

    last = history.last_good(DOCUMENT, CORPUS)

    assert (last.run, last.finished) == (1, "2026-03-01T02:05:00Z")
    assert last.captured == "2026-03-01T01:00:00Z"
    assert history.last_good(DOCUMENT, CORPUS, ("L1",)).run == 4
    assert history.last_good(DOCUMENT, "another") is None
    assert history.last_good("ca-on/statute/00z01@en", CORPUS) is None


def test_a_document_that_verified_without_layers_is_not_good(history, nights):
    """T36: a check that never ran is not a check that found nothing."""
    nights.run(result(layers={}))

    assert history.last_good(DOCUMENT, CORPUS) is None


def test_one_document_of_one_corpus_is_stored_once_a_run(history, nights):
    """A second result would contradict the first; another corpus may hold the same law."""
    run = nights.begin()
    history.record_document(run, CORPUS, result())

    history.record_document(run, "second corpus", result())
    with pytest.raises(StorageError, match="already stored"):
        history.record_document(run, CORPUS, result(Verdict.VIOLATED))

    assert [stored.corpus for stored in history.document_results(run)] == [CORPUS, "second corpus"]
