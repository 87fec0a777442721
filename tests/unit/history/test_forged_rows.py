"""Values that no run wrote are broken history, wherever they are met; never an internal error."""

import shutil
import sqlite3

import pytest

from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.history import History
from corpusguard.model import Verdict
from tests.unit.history.conftest import LAYERS, drop_triggers, finding, result, state
from tests.unit.history.sealed import BUOY, CORPUS, build

LARGEST = 2**63 - 1
RUN = "INSERT INTO runs (run, started, state, layers, tool, config_digest) VALUES"


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forged")
    return build(folder).path


@pytest.fixture
def forged(original, tmp_path):
    """Return what forges a copy of the history, as someone with the file can."""

    def forge(*statements):
        path = tmp_path / "history.db"
        shutil.copy(original, path)
        db = sqlite3.connect(path)
        triggers = drop_triggers(db)
        for statement in statements:
            db.execute(statement)
        for trigger in triggers:
            db.execute(trigger)
        db.commit()
        db.close()
        return path

    return forge


def night(history):
    """The next run, to its end."""
    run = history.begin_run(LAYERS, "t", "c", "2026-04-01T02:00:00Z")
    history.record_run_findings(run, [])
    history.finish_run(run, Verdict.VERIFIED, "2026-04-01T02:05:00Z", 0)


UNSEALED = {
    "layers": f"{RUN} (8, '2026-04-01T00:00:00Z', 'running', 'nope', 't', 'c')",
    "started": f"{RUN} (8, 'tonight', 'running', '[\"L1\"]', 't', 'c')",
    "number": f"{RUN} ({LARGEST}, '2026-04-01T00:00:00Z', 'running', '[\"L1\"]', 't', 'c')",
    "verdict": "INSERT INTO runs (run, started, state, layers, tool, config_digest, verdict)"
    " VALUES (8, '2026-04-01T00:00:00Z', 'running', '[\"L1\"]', 't', 'c', 'verified')",
}


@pytest.mark.parametrize("name", UNSEALED)
def test_a_run_that_has_not_ended_must_be_one(forged, name):
    """Nothing is sealed of it yet, so its row itself is looked at."""
    with History.open(forged(UNSEALED[name])) as history:
        assert "runs" in {one.table for one in history.verify_all().breaks}
        assert "runs" in {one.table for one in history.verify_relied([])}


def test_of_two_runs_that_have_not_ended_one_is_forged(forged):
    """The next run seals the one that died, so there is never a second."""
    path = forged(
        *(f"{RUN} ({n}, '2026-04-01T00:00:00Z', 'running', '[]', 't', 'c')" for n in (8, 9))
    )
    with History.open(path) as history:
        (found,) = history.verify_all().breaks
    assert (found.run, found.what) == (8, "it has not ended, but run 9 has begun since")


WRITING = {
    "layers of a dead run": UNSEALED["layers"],
    "largest number": UNSEALED["number"],
    "head": "UPDATE chain SET head = ''",
    "record": "UPDATE chain SET record = '[]'",
}


@pytest.mark.parametrize("name", WRITING)
def test_no_run_goes_on_top_of_what_was_forged(forged, name):
    """The next night says so at once, and adds nothing."""
    with History.open(forged(WRITING[name])) as history:
        before = history.head()
        with pytest.raises(HistoryBroken) as caught:
            night(history)
        assert "last good copy" in caught.value.hint
        assert history.head() == before


READING = {
    "finished": ("UPDATE runs SET finished = '9999-99-99'", lambda h: h.last_run()),
    "no zone": ("UPDATE runs SET finished = '2026-03-01T00:00:00'", lambda h: h.last_run()),
    "layers": ("UPDATE runs SET layers = '7'", lambda h: h.runs()),
    "tool": ("UPDATE runs SET tool = CAST(x'ff' AS TEXT)", lambda h: h.runs()),
    "size": (f"UPDATE payloads SET size = {LARGEST}", lambda h: h.document_results(1)),
    "captured": ("UPDATE results SET captured = 'x'", lambda h: h.last_good(BUOY, CORPUS)),
    "verdicts": ("UPDATE results SET layers = '[]'", lambda h: h.document_results(1)),
    "started": ("UPDATE runs SET started = 'x'", lambda h: h.verified_passages(BUOY, CORPUS)),
}


@pytest.mark.parametrize("name", READING)
def test_a_value_that_no_run_wrote_is_broken_history(forged, name):
    """Whoever reads it is told what to do next."""
    statement, read = READING[name]
    with History.open(forged(statement)) as history, pytest.raises(HistoryBroken) as caught:
        read(history)
    assert caught.value.hint
    assert caught.value.exit_code == 4


IGNORED = [
    *(("INSERT", name) for name in ("runs", "chain", "results", "run_findings", "payloads")),
    *(("INSERT", name) for name in ("occurrences", "readings")),
    ("UPDATE", "runs"),
]


@pytest.mark.parametrize(("event", "table"), IGNORED)
def test_what_is_not_stored_is_told_at_once(tmp_path, event, table):
    """A trigger that came after the file was opened lets statements do nothing; no run ends so."""
    path = tmp_path / "history.db"
    with History.open(path) as history:
        with sqlite3.connect(path) as db:
            db.execute(
                f"CREATE TRIGGER quiet BEFORE {event} ON {table} BEGIN SELECT RAISE(IGNORE); END"
            )
        db.close()
        with pytest.raises(HistoryBroken, match=f"0 of 1 rows of {table} were stored"):
            whole_night(history)
        assert history.head() is None


def test_a_decision_that_is_not_stored_is_told(tmp_path):
    """The gate must not show what it has no record of."""
    path = tmp_path / "history.db"
    with History.open(path) as history:
        with sqlite3.connect(path) as db:
            db.execute(
                "CREATE TRIGGER quiet BEFORE INSERT ON decisions BEGIN SELECT RAISE(IGNORE); END"
            )
        db.close()
        with pytest.raises(HistoryBroken, match="0 of 1 rows of decisions"):
            history.record_decision(checked="", outcome="shipped", reason="", body={})


def whole_night(history):
    run = history.begin_run(LAYERS, "t", "c", "2026-04-01T02:00:00Z")
    history.set_scope(run, [(CORPUS, BUOY)])
    found = result(Verdict.VIOLATED, [finding("f1")], [state(0, "a", "x")], document=BUOY)
    history.record_document(run, CORPUS, found)
    history.set_reading("sha256:1", document=BUOY, captured="", reading_digest="", reader="")
    history.record_run_findings(run, [])
    history.finish_run(run, Verdict.VERIFIED, "2026-04-01T02:05:00Z", 0)


@pytest.mark.parametrize("number", [LARGEST + 1, 10**30])
def test_a_number_that_no_row_can_have_is_the_callers(forged, number):
    """Exit 2, and no word of damage: the history is sound."""
    with History.open(forged()) as history:
        for ask in (history.run, history.document_results, history.record, history.decision):
            with pytest.raises(ConfigError, match="as large as that"):
                ask(number)
