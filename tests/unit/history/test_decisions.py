"""Decisions of the gate: kept in order, never changed, and what they may rest on."""

import sqlite3

import pytest

from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.history import History
from tests.unit.history.sealed import PIER, build


@pytest.fixture
def sealing(tmp_path):
    return build(tmp_path)


def test_a_decision_is_read_back_as_it_was_written(sealing):
    """Lone surrogates and fractions included; the newest comes first."""
    with History.open(sealing.path) as history:
        numbers = [one.number for one in history.decisions()]
        withheld = history.decisions(outcome="withheld")
        body = history.decision(2).body

    assert numbers == [3, 2, 1]
    assert [(one.number, one.reason) for one in withheld] == [(2, "keep_ratio")]
    assert body == {"text": "Quays close at 2 p.m. \ud800", "keep_ratio": 0.5}
    assert withheld[0].run == 7


def test_there_is_no_decision_that_was_not_made(sealing):
    """A number that history does not hold is the caller's mistake, with the next step."""
    with History.open(sealing.path) as history, pytest.raises(ConfigError) as raised:
        history.decision(4)

    assert "decisions list" in raised.value.hint


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE decisions SET outcome = 'shipped'",
        "DELETE FROM decisions",
        "INSERT INTO decisions VALUES (9, '', 'shipped', '', 1, '{}', '')",
    ],
)
def test_the_table_refuses_every_change(sealing, statement):
    """Triggers refuse what a stray hand does; rows may only be added at the end."""
    db = sqlite3.connect(sealing.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    db.close()


def forge(path, statement):
    """Change decisions as somebody would who knows of the triggers."""
    verb = statement.split()[0].lower()
    db = sqlite3.connect(path)
    (sql,) = db.execute(
        "SELECT sql FROM sqlite_master WHERE name = ?", [f"decisions_never_{verb}"]
    ).fetchone()
    db.execute(f"DROP TRIGGER decisions_never_{verb}")
    db.execute(statement)
    db.execute(sql)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    "change",
    [
        "outcome = 'shipped'",
        "reason = ''",
        "checked = '2020-01-01T00:00:00Z'",
        "run = 1",
        "body = replace(body, 'close', 'open')",
        "body = '[]'",
        "body = '{'",
        "head = (SELECT head FROM decisions WHERE number = 1)",
    ],
)
def test_a_changed_decision_is_not_read(sealing, change):
    """Whatever was changed; the decision before it is read as ever, and all of them are checked."""
    forge(sealing.path, f"UPDATE decisions SET {change} WHERE number = 2")
    with History.open(sealing.path) as history:
        for read in (lambda: history.decision(2), history.decisions):
            with pytest.raises(HistoryBroken, match="not what was stored") as raised:
                read()
            assert "history verify" in raised.value.hint
        assert history.decision(1).number == 1
        audit = history.verify_all(sealing.store)
    assert audit.decisions == 3
    assert {one.table for one in audit.breaks} == {"decisions"}


def test_a_decision_whose_forerunner_is_gone_is_not_read(sealing):
    """Its hash cannot be computed."""
    forge(sealing.path, "DELETE FROM decisions WHERE number = 2")
    with History.open(sealing.path) as history, pytest.raises(HistoryBroken, match="2 is gone"):
        history.decision(3)


def test_a_decision_taken_out_is_found(sealing):
    """`history verify` misses the number and the link."""
    forge(sealing.path, "DELETE FROM decisions WHERE number = 2")

    with History.open(sealing.path) as history:
        breaks = history.verify_all(sealing.store).breaks

    assert {one.table for one in breaks} == {"decisions"}
    assert "has the number 3" in breaks[0].what


def test_an_id_stands_with_all_its_rows(sealing):
    """Every row of an id is told, with the run that last verified it and that run's roots."""
    with History.open(sealing.path) as history:
        rows = [one for one in history.standing_of(["b", "nowhere"]) if one.document == PIER]
        states = history.states_of(rows[0].payload)

    assert [(one.occurrence, one.state, one.last_run) for one in rows] == [
        (0, "verified", 7),
        (1, "verified", 7),
    ]
    assert len(rows[0].corpus_root) == 64
    assert rows[0].asked_source is True
    assert [state.id for state in states][:3] == ["a", "b", "b"]


def test_a_payload_that_is_gone_is_an_error(sealing):
    """A digest that history does not hold is damage, not an empty answer."""
    with History.open(sealing.path) as history, pytest.raises(HistoryBroken):
        history.states_of("sha256:none")
