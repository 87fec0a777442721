"""What a nightly run meets: another process, a kill, a full or read-only disk, a large corpus."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from corpusguard.errors import HistoryBroken, StorageError
from corpusguard.history import History, RunState
from corpusguard.model import Verdict

from .conftest import CORPUS, DOCUMENT, LAYERS, finding, result, sha, state

ROOT = Path(__file__).parents[3]


def test_another_connection_writes_between_our_read_and_our_write(path, nights, history):
    """A deferred transaction fails here at once; ours takes the lock before it reads."""
    nights.run(result(states=[state(0, "a", "one")]))
    with History.open(path) as second:
        history.verified_passages(DOCUMENT, CORPUS)
        second.set_reading(
            "sha256:aa", document=DOCUMENT, captured="", reading_digest="r", reader="1"
        )
        nights.run(result(states=[state(0, "a", "one")]))

        assert second.verified_passages(DOCUMENT, CORPUS)["a", 0].last_run == 2
    assert history.reading("sha256:aa").reader == "1"


def test_a_reader_sees_the_last_commit_while_a_run_writes(path, history, nights):
    """`status` during a run shows what is stored, and delays no one."""
    run = nights.begin()
    with History.open(path) as second:
        assert second.run(run).state is RunState.RUNNING
        history.record_document(run, CORPUS, result())
        assert len(second.document_results(run)) == 1


def test_two_writers_wait_for_each_other(path):
    """Forty short transactions from two threads, none lost and none refused."""
    History.open(path).close()
    errors = []

    def write(name):
        try:
            with History.open(path) as history:
                for number in range(20):
                    history.set_reading(
                        f"{name}{number}", document="d", captured="", reading_digest="", reader=""
                    )
        except StorageError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    with History.open(path) as history:
        assert all(history.reading(f"{name}{number}") for name in "ab" for number in range(20))


def test_two_processes_may_make_one_history(path):
    """Both find it missing; one makes the tables and the other finds them made."""
    code = "import sys; from pathlib import Path; from corpusguard.history import History\n"
    code += "History.open(Path(sys.argv[1])).close()"
    both = [subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT) for _ in range(2)]

    assert [process.wait(timeout=60) for process in both] == [0, 0]
    with History.open(path) as history:
        assert history.problems() == []


_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from corpusguard.history import History
from corpusguard.model import DocumentResult, PassageState, Verdict

def states(salt):
    return tuple(PassageState(n, f"h-{n}", f"sha256:{salt}-{n}", True, "1") for n in range(400))

with History.open(Path(sys.argv[1])) as history:
    run = history.begin_run(("L1",), "t", "c", "2026-03-01T02:00:00Z")
    print(run, flush=True)
    for number in range(100_000):
        layers = dict.fromkeys(("L1", "L2", "L3"), Verdict.VERIFIED)
        document = DocumentResult(f"d{number}", Verdict.VERIFIED, layers, (),
                                  states=states(number), verified_passages=400)
        history.record_document(run, "c", document)
        print(number, flush=True)
"""


def test_a_killed_run_loses_nothing_that_it_had_stored(path):
    """SIGKILL at a random moment: every document acknowledged is there, whole; the run is aborted."""
    for wanted in (1, 3):
        process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(ROOT)],
            stdout=subprocess.PIPE,
            text=True,
        )
        run = int(process.stdout.readline())
        for _ in range(wanted):
            acknowledged = int(process.stdout.readline())
        time.sleep(0.01 * wanted)
        os.kill(process.pid, signal.SIGKILL)
        rest = process.communicate()[0].split()
        acknowledged = int(rest[-1]) if rest else acknowledged

        with History.open(path) as history:
            stored = {each.result.id: each.result for each in history.document_results(run)}
            assert {f"d{number}" for number in range(acknowledged + 1)} <= set(stored)
            assert {len(each.states) for each in stored.values()} == {400}
            assert {len(history.verified_passages(name, "c")) for name in stored} == {400}
            assert history.run(run).state is RunState.RUNNING
            assert history.problems() == []

            history.begin_run(("L1",), "t", "c", "2026-03-02T02:00:00Z")
            assert history.run(run).state is RunState.ABORTED
            assert history.last_good("d0", "c") is None


@pytest.fixture
def small_disk(tmp_path):
    """A disk of one megabyte, remounted at will."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() != 0 or not mount or not umount:
        pytest.skip("mounting a small disk needs root and mount(8)")
    place = tmp_path / "disk"
    place.mkdir()
    tried = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {tried.stderr.strip()}")
    yield (
        place,
        lambda option: subprocess.run([mount, "-o", f"remount,{option}", str(place)], check=True),
    )
    subprocess.run([umount, str(place)], check=True)


def test_a_full_disk_is_a_storage_error_and_loses_nothing(small_disk):
    """Exit 4, a hint, and what was stored before is intact and still readable."""
    place, _ = small_disk
    with History.open(place / "history.db") as history:
        run = history.begin_run(LAYERS, "t", "c", "2026-03-01T02:00:00Z")
        history.record_document(run, CORPUS, result(states=[state(0, "a", "one")]))
        large = [state(row, f"h-{row}", f"t{row}") for row in range(20_000)]

        with pytest.raises(StorageError, match="full") as caught:
            history.record_document(run, "large", result(states=large))

        assert "free some space" in caught.value.hint
        assert [stored.corpus for stored in history.document_results(run)] == [CORPUS]
        assert history.verified_passages(DOCUMENT, CORPUS)["a", 0].current
        history.finish_run(run, Verdict.VERIFIED, "2026-03-01T02:05:00Z", 4)
    with History.open(place / "history.db") as history:
        assert history.problems() == []
        assert history.last_run().exit_code == 4


def test_a_read_only_disk_can_be_read_and_not_written(small_disk):
    """`status` works; a run is refused with exit 4; a new history cannot be made."""
    place, remount = small_disk
    with History.open(place / "history.db") as history:
        history.begin_run(LAYERS, "t", "c", "2026-03-01T02:00:00Z")
    remount("ro")
    try:
        with History.open(place / "history.db") as history:
            assert history.run(1).state is RunState.RUNNING
            with pytest.raises(StorageError, match="begin a run") as caught:
                history.begin_run(LAYERS, "t", "c", "2026-03-02T02:00:00Z")
            assert "write access" in caught.value.hint
        with pytest.raises(StorageError):
            History.open(place / "another.db")
    finally:
        remount("rw")


def test_a_locked_history_is_a_storage_error(path, history):
    """A writer that never ends is reported, not waited for without end."""
    with History.open(path) as second:
        second._db.execute("PRAGMA busy_timeout = 50")
        history._db.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="locked") as caught:
            second.begin_run(LAYERS, "t", "c", "2026-03-01T02:00:00Z")
        history._db.rollback()

        assert "another process" in caught.value.hint
        assert second.begin_run(LAYERS, "t", "c", "2026-03-01T02:00:00Z") == 1


def test_a_failure_in_the_middle_undoes_all_of_a_document(history, nights):
    """The last step fails, so the first ones never happened: neither result nor verified state."""
    run = nights.begin()
    broken = finding("f1", section="1", evidence=(object(),))

    with pytest.raises(HistoryBroken, match="TypeError"):
        history.record_document(run, CORPUS, result(Verdict.VIOLATED, [broken]))
    with pytest.raises(StorageError):
        history.record_document(
            run, CORPUS, result(Verdict.VIOLATED, [finding("")], [state(0, "a", "one")])
        )

    assert history.document_results(run) == []
    assert history.verified_passages(DOCUMENT, CORPUS) == {}


@pytest.mark.parametrize(
    ("passages", "findings", "seconds"),
    [(732, 600, 0.4), (8_000, 10, 1.5)],
    ids=["the Act", "8,000 passages"],
)
def test_a_large_document_is_stored_in_time(history, nights, passages, findings, seconds):
    """CPU of one recording, best of a first night and two like it; bars four times what we measured."""
    outcome = result(
        Verdict.VIOLATED,
        [
            finding(f"f{number}", official="o" * 600, stored="s" * 600, section=str(number))
            for number in range(findings)
        ],
        [state(row, f"h-{row}", f"{row}", verified=row >= findings) for row in range(passages)],
        provision_digests={
            f"sec_{number // 10}__subsec_{number % 10}": sha(str(number)) for number in range(3_000)
        },
    )
    spent = []
    for _ in range(3):
        run = nights.begin()
        before = time.process_time()
        history.record_document(run, CORPUS, outcome)
        spent.append(time.process_time() - before)
        nights.finish(run)

    assert min(spent) < seconds
    assert len(history.verified_passages(DOCUMENT, CORPUS)) == passages - findings
