"""Tampering: whatever byte of history or of its evidence is changed, it is found and named."""

import random
import shutil
import sqlite3

import pytest

from corpusguard.errors import HistoryBroken
from corpusguard.history import History
from tests.unit.history.conftest import drop_triggers
from tests.unit.history.sealed import build

TABLES = (
    "chain",
    "decisions",
    "findings",
    "occurrences",
    "passages",
    "payloads",
    "provisions",
    "readings",
    "results",
    "run_findings",
    "runs",
    "scopes",
    "suppressions",
    "_sqlite_migrations",
    "sqlite_sequence",
)
KEYS = {
    "results": ("run", "corpus", "document"),
    "passages": ("document", "corpus", "id", "occurrence"),
    "provisions": ("document", "corpus", "pid"),
    "occurrences": ("run", "finding"),
}


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sealed")
    return folder, build(folder)


@pytest.fixture
def copied(original, tmp_path):
    folder, sealing = original
    shutil.copytree(folder, tmp_path / "copy")
    return type(sealing)(tmp_path / "copy")


def audit(sealing):
    """What is found, in words; a history that cannot be opened is found too."""
    try:
        with History.open(sealing.path) as history:
            return history.verify_all(sealing.store).breaks
    except HistoryBroken as error:
        return [error.message]


def logical(path):
    """Every value of every table, with its type, and every statement of the schema."""
    db = sqlite3.connect(path)
    db.text_factory = bytes
    try:
        rows = [db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()]
        for table in TABLES:
            rows.append(db.execute(f"SELECT * FROM {table}").fetchall())
        return rows
    finally:
        db.close()


def flipped(value, rng):
    """A value that differs by one bit, or NULL made a value."""
    if value is None:
        return 0
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(8))
    data = bytearray(value)
    if not data:
        return b"x"
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cells(path):
    """Every cell: table, condition that names its row, key, column."""
    db = sqlite3.connect(path)
    found = []
    for table in TABLES:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        key = KEYS.get(table, ("rowid",))
        where = " AND ".join(f"{name} = ?" for name in key)
        for row in db.execute(f"SELECT {', '.join(key)} FROM {table}").fetchall():
            found += [(table, where, row, column) for column in columns]
    db.close()
    return found


def change(path, cell, rng):
    """Flip one bit of a cell as someone with the file can; return whether SQLite took it."""
    table, where, key, column = cell
    db = sqlite3.connect(path)
    db.text_factory = bytes
    triggers = [sql.decode() for sql in drop_triggers_of(db)]
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("PRAGMA ignore_check_constraints = ON")
    kind, value = db.execute(
        f"SELECT typeof({column}), {column} FROM {table} WHERE {where}", key
    ).fetchone()
    new = flipped(value, rng)
    marker = "CAST(? AS TEXT)" if kind == b"text" else "?"
    try:
        db.execute(f"UPDATE {table} SET {column} = {marker} WHERE {where}", (new, *key))
    except sqlite3.IntegrityError:  # NOT NULL, or a key that another row has
        db.close()
        return False
    for trigger in triggers:
        db.execute(trigger)
    db.commit()
    db.close()
    return True


def drop_triggers_of(db):
    names = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in names:
        db.execute(f"DROP TRIGGER {name.decode()}")
    return [sql for _, sql in names]


def test_an_untouched_history_holds(copied):
    """Also after triggers were dropped and made again, which the flips below do."""
    db = sqlite3.connect(copied.path)
    db.text_factory = bytes
    for trigger in [sql.decode() for sql in drop_triggers_of(db)]:
        db.execute(trigger)
    db.commit()
    db.close()

    with History.open(copied.path) as history:
        found = history.verify_all(copied.store)

    assert found.breaks == ()
    assert [run for run, _ in found.heads] == [1, 2, 3, 4, 5, 6, 7]
    assert found.unsealed == ()
    assert found.snapshots == 3 + 12


def test_a_bit_flipped_in_any_cell_of_any_table_is_found(original, tmp_path):
    """Seeded flips, at least one in every column of every table, and 60 more anywhere."""
    _, sealing = original
    rng = random.Random(20260301)
    everything = cells(sealing.path)
    rng.shuffle(everything)
    first = {}
    for cell in everything:
        first.setdefault((cell[0], cell[3]), cell)
    chosen = [*first.values(), *everything[:60]]
    flips, missed, where = 0, [], set()
    for number, cell in enumerate(chosen):
        forged = type(sealing)(tmp_path / str(number))
        forged.store = sealing.store
        forged.path.parent.mkdir()
        shutil.copyfile(sealing.path, forged.path)
        if change(forged.path, cell, rng):
            flips += 1
            where.add((cell[0], cell[3]))
            if not audit(forged):
                missed.append(cell)
        shutil.rmtree(forged.path.parent)

    assert missed == []
    assert flips >= 120
    assert {table for table, _ in where} == set(TABLES)


def test_a_bit_flipped_in_any_page_is_found_or_changes_nothing(original, tmp_path):
    """60 seeded flips anywhere in the file: in unused space no value changes; elsewhere found."""
    _, sealing = original
    rng = random.Random(7)
    data = sealing.path.read_bytes()
    before = logical(sealing.path)
    found = 0
    for number in range(60):
        forged = type(sealing)(tmp_path / str(number))
        forged.store = sealing.store
        forged.path.parent.mkdir()
        damaged = bytearray(data)
        place = rng.randrange(len(damaged))
        damaged[place] ^= 1 << rng.randrange(8)
        forged.path.write_bytes(damaged)
        if audit(forged):
            found += 1
        else:
            assert logical(forged.path) == before, place
        shutil.rmtree(forged.path.parent)

    assert found >= 15


def test_a_bit_flipped_in_any_snapshot_or_capture_record_is_found(copied):
    """Each file once, and each file gone."""
    rng = random.Random(3)
    root = copied.store.root
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    assert len(files) == 3 + 12
    for path in files:
        whole = path.read_bytes()
        for damaged in (flipped(whole, rng), whole[:-1], whole + b"\n"):
            path.write_bytes(damaged)
            (broken,) = audit(copied)
            assert broken.rule == "CG701"
            assert broken.table == ("records" if path.suffix == ".json" else "snapshots")
            assert broken.run >= 1
        path.unlink()
        assert [one.rule for one in audit(copied)] == ["CG701"]
        path.write_bytes(whole)
    assert audit(copied) == ()


FORGERIES = {
    # What is done: (statement, first break's run, its table, a word of what is said).
    "a verdict": ("UPDATE results SET verdict = 'verified' WHERE run = 2", 2, "results", "verdict"),
    "a result lost": ("DELETE FROM results WHERE run = 4", 4, "results", "is gone"),
    "a run's exit code": ("UPDATE runs SET exit_code = 1 WHERE run = 4", 4, "runs", "exit_code"),
    "an abort made a finish": (
        "UPDATE runs SET state = 'finished', verdict = 'verified' WHERE run = 3",
        3,
        "runs",
        "state",
    ),
    "a record lost": ("DELETE FROM chain WHERE run = 3", 3, "chain", "no record"),
    "a passage verified since long": (
        "UPDATE passages SET since_run = 1 WHERE since_run > 1",
        None,
        "passages",
        "since_run is 1, computed",
    ),
    "a finding resolved": (
        "UPDATE findings SET state = 'new', resolved_run = NULL WHERE state = 'resolved'",
        None,
        "findings",
        "state is 'new', computed 'resolved'",
    ),
    "a finding that no run saw": (
        """INSERT INTO findings SELECT 99, corpus, document, 'f9', rule, layer, content,
        content_digest, state, first_run, last_run, resolved_run FROM findings WHERE id = 2""",
        None,
        "findings",
        "does not follow",
    ),
    "a baseline lost": ("DELETE FROM provisions WHERE pid = 'sec_1'", None, "provisions", "gone"),
    "the reason of an ignore": (
        "UPDATE suppressions SET body = replace(body, 'night 1', 'night 2')",
        1,
        "runs",
        "not those that were stored",
    ),
    "an ignore denied": (
        "UPDATE runs SET suppressions = NULL WHERE run = 1",
        0,
        "suppressions",
        "belongs to no run",
    ),
    "a payload that no run stored": (
        "INSERT INTO payloads SELECT 'sha256:x', size, body, stored FROM payloads LIMIT 1",
        0,
        "payloads",
        "no run",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_the_first_break_is_named(copied, name):
    """Run, table, and in words what is not as it was."""
    statement, run, table, said = FORGERIES[name]
    db = sqlite3.connect(copied.path)
    triggers = drop_triggers(db)
    db.execute(statement)
    for trigger in triggers:
        db.execute(trigger)
    db.commit()
    db.close()

    first = audit(copied)[0]

    assert first.table == table
    assert said in first.what
    if run is not None:
        assert first.run == run


def test_a_trigger_left_out_is_found(copied):
    """Even where no row was changed: the next change would go unhindered."""
    db = sqlite3.connect(copied.path)
    db.execute("DROP TRIGGER results_never_update")
    db.commit()
    db.close()

    assert [one.what for one in audit(copied)] == [
        "trigger results_never_update is not as this version makes it"
    ]


def test_a_tail_cut_off_holds_by_itself_but_lacks_the_head(copied, original):
    """What a chain cannot see: that is why the head is kept elsewhere."""
    heads = original[1].heads
    db = sqlite3.connect(copied.path)
    triggers = drop_triggers(db)
    for table in ("chain", "results", "run_findings", "readings", "occurrences", "runs"):
        db.execute(f"DELETE FROM {table} WHERE run = 7")
    db.execute("UPDATE sqlite_sequence SET seq = 6")
    for trigger in triggers:
        db.execute(trigger)
    db.commit()
    db.close()

    with History.open(copied.path) as history:
        found = history.verify_all(copied.store)

    assert {one.table for one in found.breaks} <= {"passages", "provisions", "findings"}
    assert heads[-1] not in {head for _, head in found.heads}
    assert heads[-2] in {head for _, head in found.heads}
