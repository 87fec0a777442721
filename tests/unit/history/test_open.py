"""Opening: what is ours, sound and of this version, and what is refused with the next step."""

import signal
import sqlite3
import subprocess
import sys

import pytest
from sqlite_utils import Database

from corpusguard.errors import HistoryBroken, StorageError
from corpusguard.history import History
from corpusguard.history.schema import KNOWN, MIGRATIONS, TABLES

from .conftest import CORPUS, DOCUMENT, result, state


def fill(path, count=300):
    with History.open(path) as history:
        run = history.begin_run(("L1",), "t", "c", "2026-03-01T02:00:00Z")
        states = [state(row, f"h-{row}", f"text {row}") for row in range(count)]
        history.record_document(run, CORPUS, result(states=states))


def test_a_new_history_is_made_in_a_new_folder(tmp_path):
    """With rollback journal, full durability and foreign keys, and nothing but its own tables."""
    path = tmp_path / "deep" / "er" / "history.db"

    with History.open(path) as history:
        db = history._db
        pragmas = [
            db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "trusted_schema")
        ]
        strict = {table.name for table in db.tables if table.strict}

    assert pragmas == ["delete", 3, 1, 0]
    assert strict == TABLES | {"_sqlite_migrations"}
    assert list(path.parent.iterdir()) == [path]


def test_opening_again_changes_no_byte(path):
    """Looking at a history is not writing to it."""
    fill(path)
    before = path.read_bytes()

    with History.open(path) as history:
        history.verified_passages(DOCUMENT, CORPUS)

    assert path.read_bytes() == before


@pytest.mark.parametrize("make", [True, False])
def test_an_empty_file_is_refused_and_left_alone(path, make):
    """No history is ever written so: something emptied it, and what was in it is to be restored."""
    path.touch()

    with pytest.raises(HistoryBroken, match="is empty") as caught:
        History.open(path, make=make)

    assert caught.value.exit_code == 4
    assert "delete the empty file" in caught.value.hint
    assert path.read_bytes() == b""


KILLED = """
import os, signal, sys
from pathlib import Path
from corpusguard.history import History

def die(event, arguments):
    if event == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die)
History.open(Path(sys.argv[1]))
"""
"""Opens a history, and is killed at the first step of a kind."""


@pytest.mark.parametrize("step", ["os.link", "os.remove"])
def test_a_kill_while_it_is_made_leaves_no_empty_file(path, step):
    """It is there whole or not at all, and the next one opens or makes it."""
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path), step], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert path.exists() == (step == "os.remove")
    with History.open(path) as history:
        assert history.runs() == []
        assert history.problems() == []


WITHOUT_LINKS = """
import errno, sys
from pathlib import Path
from corpusguard.history import History

def refuse(event, arguments):
    if event == "os.link":
        if sys.argv[2] == "meanwhile":
            Path(arguments[1]).write_bytes(b"of another")
        raise OSError(errno.EPERM, "Operation not permitted")

sys.addaudithook(refuse)
with History.open(Path(sys.argv[1])) as history:
    assert history.runs() == []
"""
"""Opens a history where link(2) is refused, as on FAT; perhaps another file comes first."""


@pytest.mark.parametrize("when", ["alone", "meanwhile"])
def test_it_is_made_on_a_disk_without_hard_links(path, when):
    """Under a name of its own first, too; and never in the place of a file that came meanwhile."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LINKS, str(path), when],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode == 0) == (when == "alone"), done.stderr
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    if when == "meanwhile":
        assert "file is not a database" in done.stderr
        assert path.read_bytes() == b"of another"


@pytest.mark.parametrize("ending", ["-journal", "-wal"])
def test_a_file_that_is_gone_from_beside_its_journal_is_not_made_anew(path, ending):
    """SQLite would play the journal back into the new file, or delete it."""
    fill(path, 3)
    path.unlink()
    left = path.with_name(path.name + ending)
    left.write_bytes(b"pages of before")

    with pytest.raises(HistoryBroken, match="is gone") as caught:
        History.open(path)

    assert "put the file back" in caught.value.hint
    assert left.read_bytes() == b"pages of before"
    assert not path.exists()


def test_a_missing_file_is_made_only_where_it_may_be(path):
    """Whoever was told that it is there gets no empty history in its place."""
    with pytest.raises(HistoryBroken, match="is gone"):
        History.open(path, make=False)

    assert not path.exists()


def test_a_link_to_a_place_without_a_file_is_followed(path, tmp_path):
    """The history is made where the link leads."""
    (tmp_path / "far").mkdir()
    path.symlink_to(tmp_path / "far" / "h.db")

    with History.open(path) as history:
        assert history.runs() == []

    assert path.is_symlink()
    assert [one.name for one in (tmp_path / "far").iterdir()] == ["h.db"]


@pytest.mark.parametrize(
    "content", [b"not a database", b"SQLite format 2\x00" * 99, b"\x00" * 4096]
)
def test_a_file_that_is_not_sqlite_is_refused_and_left_alone(path, content):
    """With a hint that names the next step."""
    path.write_bytes(content)

    with pytest.raises(HistoryBroken, match="not an SQLite file") as caught:
        History.open(path)

    assert "corpusguard verify" in caught.value.hint
    assert path.read_bytes() == content


def test_a_folder_is_not_a_history(tmp_path):
    """The configuration names a file."""
    with pytest.raises(HistoryBroken, match="not a file"):
        History.open(tmp_path)


def test_another_programs_database_is_refused_and_left_alone(path):
    """Our tables never go into a stranger's file."""
    with Database(str(path)) as db:
        db.table("bookmarks").insert({"url": "x"})

    with pytest.raises(HistoryBroken, match="another program"):
        History.open(path)

    with Database(str(path)) as db:
        assert db.table_names() == ["bookmarks"]


def test_a_strangers_application_id_is_refused(path):
    """Even where it has no table yet."""
    with Database(str(path)) as db:
        db.execute("PRAGMA application_id = 7")

    with pytest.raises(HistoryBroken, match="another program"):
        History.open(path)


def test_a_newer_history_is_refused(path):
    """An older version would not know what the newer one promised."""
    History.open(path).close()
    with Database(str(path)) as db:
        db.table("_sqlite_migrations").insert(
            {"migration_set": MIGRATIONS.name, "name": "m999_later", "applied_at": "2030"}
        )

    with pytest.raises(HistoryBroken, match=r"newer corpusguard.*m999_later") as caught:
        History.open(path)
    assert "upgrade" in caught.value.hint


def test_every_migration_is_known():
    """The list of known migrations is the list of migrations."""
    with Database(memory=True) as db:
        assert {migration.name for migration in MIGRATIONS.pending(db)} == KNOWN


def test_a_history_with_a_table_removed_is_refused(path):
    """It would look like a history without baselines."""
    fill(path)
    with Database(str(path)) as db:
        db.execute("DROP TABLE passages")

    with pytest.raises(HistoryBroken, match="lacks the tables passages"):
        History.open(path)


def test_damaged_pages_are_found_when_it_is_opened(path):
    """A quick check runs before anything is believed, and the file is kept."""
    fill(path)
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(data)

    with pytest.raises(HistoryBroken) as caught:
        History.open(path)

    assert "keep the file" in caught.value.hint
    assert path.read_bytes() == bytes(data)


def test_a_value_that_no_run_can_have_written_is_damage(path):
    """A forged state passes SQLite's pages, and not the check of its constraints."""
    fill(path)
    with Database(str(path)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE runs SET state = 'passed'")

    with pytest.raises(HistoryBroken, match=r"damaged.*CHECK"):
        History.open(path)


def test_a_truncated_history_is_refused(path):
    """Half a file is not half a history."""
    fill(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])

    with pytest.raises(HistoryBroken):
        History.open(path)


def test_a_schema_changed_by_another_hand_is_broken_history(path):
    """It is told when the file is opened, and the file is kept."""
    fill(path)
    with Database(str(path)) as db:
        db.execute("ALTER TABLE provisions DROP COLUMN digest")
    before = path.read_bytes()

    with pytest.raises(HistoryBroken, match="'table provisions'") as caught:
        History.open(path)
    assert "last good copy" in caught.value.hint
    assert path.read_bytes() == before


FOREIGN = {
    "trigger more": "CREATE TRIGGER more BEFORE INSERT ON chain BEGIN SELECT RAISE(IGNORE); END",
    "trigger first": "CREATE TRIGGER first BEFORE INSERT ON _sqlite_migrations"
    " BEGIN SELECT RAISE(IGNORE); END",
    "view runs_now": "CREATE VIEW runs_now AS SELECT * FROM runs",
    "table spare": "CREATE TABLE spare (x)",
    "index twice": "CREATE UNIQUE INDEX twice ON runs (state)",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_no_migration_made_is_refused(path, name):
    """A foreign trigger decides what is stored, whatever the run says afterwards."""
    fill(path)
    with Database(str(path)) as db:
        db.execute(FOREIGN[name])

    with pytest.raises(HistoryBroken, match=f"not made as a history is: '{name}'"):
        History.open(path)


@pytest.mark.parametrize("weaker", [(" STRICT", ""), ("record TEXT NOT NULL", "record TEXT")])
def test_a_table_with_weaker_rules_is_refused(path, weaker):
    """Without STRICT a record can be anything; with its rows it was built anew."""
    fill(path)
    with Database(str(path)) as db:
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'chain'").fetchone()
        assert weaker[0] in sql
        db.execute("DROP TABLE chain")
        db.execute(sql.replace(*weaker))

    with pytest.raises(HistoryBroken, match="'table chain'"):
        History.open(path)


def test_what_analyze_leaves_is_no_damage(path):
    """SQLite's own statistics are no part of what was sealed."""
    fill(path)
    with Database(str(path)) as db:
        db.execute("ANALYZE")

    with History.open(path) as history:
        assert history.verify_all().breaks == ()


def test_a_wal_history_goes_back_to_the_rollback_journal(path):
    """A WAL file copied without its -wal has no tables at all."""
    fill(path)
    with Database(str(path)) as db:
        db.enable_wal()

    with History.open(path) as history:
        assert history._db.journal_mode == "delete"
        assert len(history.verified_passages(DOCUMENT, CORPUS)) == 300
    assert not path.with_name("history.db-wal").exists()


def test_a_wal_history_that_another_program_holds_open_is_refused(path):
    """It cannot be brought back to the rollback journal now."""
    fill(path)
    with Database(str(path)) as other:
        other.enable_wal()
        other.execute("SELECT * FROM runs").fetchone()

        with pytest.raises(StorageError) as caught:
            History.open(path)

    assert not isinstance(caught.value, HistoryBroken)
    assert caught.value.hint


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "file").touch()

    with pytest.raises(StorageError, match="file") as caught:
        History.open(tmp_path / "file" / "history.db")

    assert caught.value.exit_code == 4
    assert caught.value.hint


def test_a_folder_that_takes_no_file_is_a_storage_error(tmp_path):
    """Dangling link into nowhere: SQLite cannot create the file."""
    link = tmp_path / "history.db"
    link.symlink_to(tmp_path / "nowhere" / "history.db")

    with pytest.raises(StorageError, match="make it") as caught:
        History.open(link)
    assert "folder exists" in caught.value.hint


def test_misuse_stays_an_internal_error(history):
    """A closed history is our own fault, not the file's."""
    history.close()

    with pytest.raises(sqlite3.ProgrammingError):
        history.runs()
