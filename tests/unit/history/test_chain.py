"""The chain: what a record holds, that runs are sealed as they end, and that nothing changes after."""

import json
import sqlite3

import pytest
from sqlite_utils import Database

from corpusguard.errors import HistoryBroken, StorageError
from corpusguard.evidence import GENESIS, canonical, head_of, root
from corpusguard.history import History
from corpusguard.history.roots import passage_leaves
from corpusguard.history.schema import make_state_tables
from corpusguard.model import Layer, Severity, Verdict

from .conftest import CORPUS, DOCUMENT, LAYERS, finding, result, state
from .sealed import BUOY, PIER, build, passages


def records(history):
    """The records as bytes, oldest first."""
    rows = history._db.execute("SELECT record FROM chain ORDER BY run").fetchall()
    return [row[0].encode() for row in rows]


def test_each_record_is_canonical_and_names_the_one_before(tmp_path):
    """64 zeros for the first; an aborted and a dead run are links as well."""
    with History.open(build(tmp_path).path) as history:
        found = records(history)
        previous = GENESIS
        for record in found:
            value = json.loads(record)
            assert canonical(value) == record
            assert value["previous"] == previous
            previous = head_of(record).removeprefix("sha256:")

        assert history.head() == (f"sha256:{previous}", 7)
    assert [json.loads(record)["state"] for record in found] == [
        "finished",
        "finished",
        "aborted",
        "finished",
        "finished",
        "aborted",
        "finished",
    ]


def test_a_record_says_what_was_run_expected_and_found(tmp_path):
    """Enough to know what a run claimed without any table of the history."""
    sealing = build(tmp_path)
    with History.open(sealing.path) as history:
        second, third = (json.loads(record) for record in records(history)[1:3])

    assert (second["schema"], second["run"], second["verdict"]) == (
        "corpusguard/record/1",
        2,
        "violated",
    )
    assert second["versions"] == ["lxml 6", "python 3"]
    assert second["layers"] == list(LAYERS)
    assert second["counts"] == {"error": 2, "warning": 0, "note": 0}
    assert second["scope"]["missing"] == []
    pier = next(one for one in second["documents"] if one["document"] == PIER)
    assert pier["currency_date"] == "2026-03-02"
    assert (pier["words"], pier["covered"], pier["covered_any_label"]) == (10, 8, 9)
    assert pier["corpus_root"] == root(passage_leaves(PIER, passages("p", bad={1, 2})))
    (capture,) = pier["captures"]
    assert capture["snapshot"] == pier["snapshot"]
    assert (sealing.store.root / capture["record"]).is_file()
    # The third was stopped: what it had stored is sealed, and what it did not reach is said.
    assert (third["verdict"], third["exit_code"]) == (None, 130)
    assert third["scope"]["expected"] == 2
    assert third["scope"]["missing"] == [[CORPUS, BUOY]]
    assert [one["document"] for one in third["documents"]] == [PIER]


def test_nights_without_a_change_share_a_root(history, nights):
    """And one with a change has another, though the run is not part of a leaf."""
    one = result(states=[state(0, "a", "one"), state(1, "a", "two")])
    nights.run(one)
    nights.run(one)
    nights.run(result(states=[state(0, "a", "one"), state(1, "a", "three")]))

    roots = [json.loads(record)["documents"][0]["corpus_root"] for record in records(history)]

    assert roots[0] == roots[1] != roots[2]


def test_the_head_is_given_when_a_run_ends(history, nights):
    """By finishing and by aborting; before that there is none."""
    assert history.head() is None
    run = nights.begin()
    assert history.head() is None

    assert history.abort_run(run, "2026-03-01T02:01:00Z", 143) == history.head()[0]
    head = history.finish_run(nights.begin(), Verdict.VERIFIED, "2026-03-02T02:05:00Z", 0)

    assert history.head() == (head, 2)
    assert [run for run, _ in history.verify_all().heads] == [1, 2]


def test_a_run_that_died_is_sealed_by_the_next_one(path):
    """Until then it is told as unsealed, which is no break: nothing was tampered with."""
    with History.open(path) as history:
        run = history.begin_run(LAYERS, "t", "c", "2026-03-01T02:00:00Z")
        history.record_document(run, CORPUS, result(states=[state(0, "a", "x")]))
    with History.open(path) as history:
        before = history.verify_all()
        history.begin_run(LAYERS, "t", "c", "2026-03-02T02:00:00Z")
        after = history.verify_all()

    assert (before.breaks, before.heads, before.unsealed) == ((), (), (1,))
    assert (after.breaks, [run for run, _ in after.heads], after.unsealed) == ((), [1], (2,))


def test_a_failed_seal_leaves_the_run_running(history, nights):
    """The record and the end of the run are one transaction: never one without the other."""
    run = nights.begin()
    history._db.execute(
        "CREATE TRIGGER full BEFORE INSERT ON chain BEGIN SELECT RAISE(ABORT, 'no space'); END"
    )

    with pytest.raises(HistoryBroken, match="no space"):
        history.finish_run(run, Verdict.VERIFIED, "2026-03-01T02:05:00Z", 0)

    assert history.run(run).state == "running"
    assert history.head() is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chain SET head = 'x'",
        "DELETE FROM chain",
        "INSERT OR REPLACE INTO chain SELECT run, 'x', head FROM chain",
        "INSERT INTO chain SELECT 0, record, head FROM chain LIMIT 1",
        "UPDATE results SET verdict = 'verified'",
        "DELETE FROM results WHERE run = 2",
        "UPDATE payloads SET size = size + 1",
        "DELETE FROM payloads",
        "UPDATE occurrences SET state = 'open'",
        "DELETE FROM occurrences",
        "UPDATE run_findings SET counts = '{}'",
        "UPDATE readings SET reader = 'x'",
        "DELETE FROM readings",
        "UPDATE scopes SET pairs = '[]'",
        "UPDATE runs SET verdict = 'verified' WHERE run = 2",
        "DELETE FROM runs WHERE run = 7",
        """INSERT INTO results SELECT 1, 'c2', document, verdict, layers, snapshot, snapshots,
        consolidated_from, currency_date, captured, provisions, passages, verified_passages,
        words, covered, covered_any_label, corpus_digest, input_key, reused_from, payload,
        sequence, asked_source, not_refetched, store, captures, leaves, corpus_root,
        findings_root, counts FROM results WHERE run = 1 LIMIT 1""",
    ],
)
def test_what_is_sealed_cannot_be_changed_by_mistake(tmp_path, statement):
    """Also by another program that opens the file, and also with foreign keys off."""
    path = build(tmp_path).path
    before = path.read_bytes()
    db = sqlite3.connect(path)

    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|the run has ended"):
        db.execute(statement)

    db.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("table", ["payloads", "scopes"])
def test_what_is_kept_by_digest_is_kept_as_it_was(tmp_path, table):
    """To store it again, or in place of the other, changes nothing."""
    path = build(tmp_path).path
    columns = {"payloads": "digest, 1, x'00', 'x'", "scopes": "digest, 'x'"}[table]
    with sqlite3.connect(path) as db:
        before = db.execute(f"SELECT * FROM {table}").fetchall()
        db.execute(f"INSERT OR REPLACE INTO {table} SELECT {columns} FROM {table}")
        after = db.execute(f"SELECT * FROM {table}").fetchall()
    db.close()

    assert after == before


def test_a_result_that_stands_is_followed_as_a_whole_one_is(history, nights):
    """What a cheap night stores is what `history verify` computes from the body."""
    wrong = [finding("f1"), finding("n1", severity=Severity.NOTE, layer=Layer.L2)]
    one = result(Verdict.VIOLATED, wrong, [state(0, "a", "x"), state(1, "b", "y", verified=False)])
    nights.run(one, input_key="k")
    for of_run in (1, 2):
        run = nights.begin()
        standing = history.standing(DOCUMENT, CORPUS, "k")
        assert standing.run == of_run
        history.record_standing(run, CORPUS, standing.result, of_run=of_run, input_key="k")
        nights.finish(run)

    assert history.verify_all().breaks == ()


def test_scope_is_for_a_running_run(history, nights):
    """A run that has ended has said what it was to look at."""
    run = nights.begin()
    nights.finish(run)

    with pytest.raises(StorageError, match="nothing can be added"):
        history.set_scope(run, [(CORPUS, DOCUMENT)])


def test_ids_that_no_text_can_hold_are_sealed(history, nights):
    """T-surrogate: half a character, NUL and quotes in an id, a section and a corpus."""
    odd = 'a\ud800"\x00\u2028'
    run = nights.begin()
    history.set_scope(run, [(odd, DOCUMENT)])
    outcome = result(
        Verdict.VIOLATED,
        [finding("f1", section=odd, passage=odd, provision=odd)],
        [state(0, odd, "x", section=odd, verified=False), state(1, odd, "y", section=odd)],
    )
    history.record_document(run, odd, outcome)
    history.finish_run(run, Verdict.VIOLATED, "2026-03-01T02:05:00Z", 1)

    assert history.verify_all().breaks == ()


def test_findings_that_share_a_fingerprint_are_sealed(history, nights):
    """One occurrence, two texts: the leaves have both, the state is one."""
    twice = [finding("f1", section="1"), finding("f1", section="2")]
    nights.run(result(Verdict.VIOLATED, twice))
    nights.run(result())

    assert history.verify_all().breaks == ()


def test_runs_from_before_the_chain_are_told(path):
    """A history of the first tables is migrated; what was not sealed then is not sealed now."""
    with Database(str(path)) as db:
        make_state_tables(db)
        db.table("_sqlite_migrations").create(
            {"id": int, "migration_set": str, "name": str, "applied_at": str}, pk="id"
        )
        db.execute(
            "INSERT INTO _sqlite_migrations VALUES"
            " (1, 'corpusguard-history', 'm001_first_tables', '2026-01-01T00:00:00+00:00')"
        )
        db.execute(
            "INSERT INTO runs (started, finished, state, verdict, layers, tool, config_digest)"
            " VALUES ('2026', '2026', 'finished', 'verified', '[]', 't', 'c')"
        )
        db.execute("INSERT INTO readings VALUES ('sha256:aa', 'd', '', 'r', '1')")
    with History.open(path) as history:
        run = history.begin_run(LAYERS, "t", "c", "2026-03-01T02:00:00Z")
        history.finish_run(run, Verdict.VERIFIED, "2026-03-01T02:05:00Z", 0)
        found = history.verify_all()
        reading = history.reading("sha256:aa")

    assert [(one.run, one.table, one.what) for one in found.breaks] == [
        (1, "chain", "the run has ended, and has no record")
    ]
    assert reading.reader == "1"
