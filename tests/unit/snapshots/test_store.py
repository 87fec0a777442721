"""The store keeps what came, gives back only that, and says what is wrong with the rest."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpusguard import errors
from corpusguard.model import Identity, Rendition
from corpusguard.snapshots import SnapshotStore

DOCUMENT = "ca-on/statute/26a91@en"
OTHER = "ca-on/regulation/260417@en"
IDENTITY = Identity(title="Lighthouse Wardens Act, 2026", consolidated_from="2026-03-02")


@pytest.fixture
def store(tmp_path):
    return SnapshotStore(tmp_path / "deep" / "snapshots")


def add(store, data=b"law", document=DOCUMENT, rendition=Rendition.PAYLOAD, **changes):
    facts = {
        "url": "https://www.ontario.ca/x",
        "identity": IDENTITY,
        "captured": "2026-03-09T03:00:00Z",
    }
    return store.add(data, document=document, rendition=rendition, **{**facts, **changes})


def files(store):
    return sorted(path for path in store.root.rglob("*") if path.is_file())


def test_an_empty_store_has_nothing_and_nothing_wrong(store):
    assert store.list() == ()
    assert store.verify() == ()


def test_what_is_added_is_listed_equal_and_read_back(store):
    snapshot = add(
        store, currency_date="2026-03-08", etag='"a"', last_modified="x", extra={"status": 200}
    )

    assert store.list() == (snapshot,)
    assert store.read(snapshot.digest) == b"law"
    assert snapshot.digest == "sha256:" + hashlib.sha256(b"law").hexdigest()
    assert (store.root / snapshot.record).is_file()
    assert store.evidence(snapshot) == {"status": 200}
    assert store.verify() == ()


def test_the_same_bytes_again_are_a_new_record_beside_one_object(store):
    first = add(store)
    before = {path: path.read_bytes() for path in files(store)}

    second = add(store, captured="2026-03-10T03:00:00Z")

    assert [first, second] == list(store.list(DOCUMENT))
    assert len(list((store.root / "objects").rglob("*"))) == 2
    assert all(path.read_bytes() == data for path, data in before.items())


def test_the_sequence_counts_over_the_whole_store_and_not_the_clock(store):
    first = add(store, captured="2026-03-09T03:00:00Z")
    second = add(store, b"other", OTHER, captured="2026-03-08T03:00:00Z")
    third = add(store, b"new", captured="2020-01-01T00:00:00Z")

    assert [item.sequence for item in store.list()] == [1, 2, 3]
    assert store.list(OTHER) == (second,)
    assert store.list(DOCUMENT)[-1] == third
    assert first.sequence < third.sequence


def test_a_confirmation_names_what_it_confirms(store):
    first = add(store, etag='"a"')

    second = store.confirm(first, captured="2026-03-10T03:00:00Z", currency_date="2026-03-10")

    assert second.digest == first.digest
    assert second.etag == first.etag
    assert second.currency_date == "2026-03-10"
    assert store.evidence(second) == {"confirms": first.record}


@pytest.mark.parametrize(
    "document",
    [
        "../../etc/passwd@en",
        "ca-on/../../x@en",
        "ca-on/./x@en",
        "/etc/x@en",
        "ca-on//x@en",
        "ca-on/x/@en",
        "ca-on/x@en/../../../y@en",
        "ca-on/x",
        "x@en",
        "ca-on/.hidden@en",
        "ca-on/x\x00@en",
        "ca-on/x\n@en",
        "ca-on\\x@en",
        "a/" * 120 + "x@en",
        "",
    ],
)
def test_no_document_id_leads_out_of_the_folder(store, document):
    for ask in (lambda: add(store, document=document), lambda: store.list(document)):
        with pytest.raises(errors.ConfigError):
            ask()
    assert not store.root.exists()


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=100,
)
@given(st.text(alphabet="ab.~/@-_\\\x00é", max_size=20).map(lambda text: f"{text}@en"))
def test_any_document_id_stays_inside_or_is_refused(tmp_path, text):
    store = SnapshotStore(tmp_path / "s")
    try:
        folder = store._folder(text)
    except errors.ConfigError:
        return
    assert (tmp_path / "s" / "records") in folder.resolve().parents


@pytest.mark.parametrize(
    "digest",
    ["", "sha256:", "sha256:" + "A" * 64, "../../x", "md5:" + "0" * 64, "sha256:" + "0" * 64],
)
def test_a_digest_that_names_nothing_is_missing_evidence(store, digest):
    add(store)

    with pytest.raises(errors.EvidenceMissing):
        store.read(digest)


def object_of(store, snapshot) -> Path:
    name = snapshot.digest.removeprefix("sha256:")
    return store.root / "objects" / name[:2] / name


@pytest.mark.parametrize("damage", ["altered", "cut", "gone", "folder"])
def test_damaged_bytes_are_never_read_and_are_reported(store, damage):
    snapshot = add(store)
    path = object_of(store, snapshot)
    if damage in {"altered", "cut"}:
        path.write_bytes(b"lax" if damage == "altered" else b"")
    else:
        path.unlink()
    if damage == "folder":
        path.mkdir()

    with pytest.raises(errors.EvidenceMissing) as caught:
        store.read(snapshot.digest)
    assert caught.value.hint
    problems = store.verify()
    assert len(problems) == 1
    assert problems[0].startswith(snapshot.record)
    with pytest.raises(errors.EvidenceMissing):
        store.confirm(snapshot, captured="2026-03-10T03:00:00Z")
    assert len(list((store.root / "records").rglob("*.json"))) == 1


def test_new_bytes_over_a_damaged_object_are_not_recorded_as_good(store):
    snapshot = add(store)
    object_of(store, snapshot).write_bytes(b"lax")

    with pytest.raises(errors.EvidenceMissing):
        add(store)


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "sha256:" + "0" * 64},
        {"document": OTHER},
        {"sequence": 9},
        {"size": "3"},
        {"identity": {}},
        {"rendition": "scroll"},
        {"schema": "corpusguard/capture/9"},
        {"captured": None},
        None,
    ],
)
def test_a_damaged_record_is_loud_and_never_left_out(store, change):
    snapshot = add(store)
    path = store.root / snapshot.record
    record = json.loads(path.read_text())
    path.write_text("{" if change is None else json.dumps(record | change))

    for ask in (store.list, lambda: store.list(DOCUMENT)):
        with pytest.raises(errors.EvidenceMissing):
            ask()
    assert any(problem.startswith(snapshot.record) for problem in store.verify())


def test_a_wrong_size_strangers_and_orphans_are_reported_in_order(store):
    snapshot = add(store)
    path = store.root / snapshot.record
    path.write_text(json.dumps(json.loads(path.read_text()) | {"size": 99}))
    (path.parent / "notes.txt").write_text("x")
    orphan = store.root / "objects" / "zz" / "orphan"
    orphan.parent.mkdir()
    orphan.write_text("x")
    (path.parent / ".tmp-0011").write_text("left over by a crash")

    problems = store.verify()

    assert list(problems) == sorted(problems)
    assert [
        any(word in problem for problem in problems)
        for word in ("says 99 bytes", "notes.txt: not a capture", "orphan: no record")
    ] == [True, True, True]
    assert len(problems) == 3


def test_records_are_the_same_bytes_for_the_same_facts(tmp_path):
    records = []
    for name in ("a", "b"):
        snapshot = add(SnapshotStore(tmp_path / name), extra={"status": 200})
        records.append((tmp_path / name / snapshot.record).read_bytes())

    assert records[0] == records[1]


def test_a_root_that_is_a_file_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("x")

    with pytest.raises(errors.StorageError) as caught:
        add(SnapshotStore(tmp_path / "file"))

    assert caught.value.exit_code == 4
    assert caught.value.hint


FULL = """
import resource, signal, sys
from pathlib import Path
from corpusguard.errors import StorageError
from corpusguard.model import Identity, Rendition
from corpusguard.snapshots import SnapshotStore
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
store = SnapshotStore(Path(sys.argv[1]))
try:
    store.add(b"x" * 50_000, document="ca-on/statute/26a91@en", rendition=Rendition.PAYLOAD,
              url="u", identity=Identity(), captured="2026-03-09T03:00:00Z")
except StorageError as error:
    print("refused:", error.message)
"""


def test_a_disk_that_fills_up_leaves_no_trace_of_half_a_snapshot(store):
    kept = add(store)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(store.root)], capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("refused: cannot store")
    assert store.list() == (kept,)
    assert store.verify() == ()
    assert not [path for path in files(store) if path.name.startswith(".tmp-")]


KILLED = """
import os, sys
from pathlib import Path
from corpusguard.model import Identity, Rendition
from corpusguard.snapshots import SnapshotStore
store = SnapshotStore(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(100_000):
    store.add(b"%d" % number * 2000, document="ca-on/statute/26a91@en",
              rendition=Rendition.PAYLOAD, url="u", identity=Identity(),
              captured="2026-03-09T03:00:00Z")
"""


@pytest.mark.parametrize("milliseconds", [5, 40, 120])
def test_a_kill_at_any_moment_leaves_whole_snapshots_only(store, milliseconds):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(store.root)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        try:
            child.wait(milliseconds / 1000)
        except subprocess.TimeoutExpired:
            child.kill()

    snapshots = store.list()
    assert [item.sequence for item in snapshots] == list(range(1, len(snapshots) + 1))
    for snapshot in snapshots:
        assert len(store.read(snapshot.digest)) == snapshot.size
    # At most the one object whose record was not written yet.
    assert len(store.verify()) <= 1


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_without_permission_is_a_storage_error(store):
    snapshot = add(store)
    (store.root / "records").chmod(0)
    try:
        with pytest.raises(errors.StorageError):
            store.list()
    finally:
        (store.root / "records").chmod(0o755)
    assert store.read(snapshot.digest) == b"law"


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge"])
@pytest.mark.parametrize("what", ["object", "record"])
def test_what_is_no_file_is_damage_and_hangs_nothing(store, kind, what):
    """A pipe would hang a night for ever, a device fill the memory; both are named as damage."""
    snapshot = add(store)
    path = store.root / snapshot.record
    if what == "object":
        path = next(file for file in files(store) if file.suffix != ".json")
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        path.touch()
        os.truncate(path, 3_000_000_000)

    asked = store.evidence if what == "record" else lambda one: store.read(one.digest)
    with pytest.raises((errors.EvidenceMissing, errors.StorageError)):
        asked(snapshot)
    # A folder in the place of a record is a record that is gone, which history alone can know.
    assert store.verify() or (what, kind) == ("record", "folder")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rendition", []),
        ("rendition", {}),
        ("rendition", 3),
        ("captured", "zzz\x1b[31m\n"),
        ("captured", "2026-13-09T03:00:00Z"),
        ("currency_date", "9999-99-99"),
        ("url", "https://\ud800"),
        ("etag", None),
        ("size", "3"),
    ],
)
def test_a_field_of_a_record_that_we_did_not_write_is_damage(store, field, value):
    """Named by `verify`, refused by all that reads it: exit 4, never an internal error."""
    snapshot = add(store)
    path = store.root / snapshot.record
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))

    with pytest.raises(errors.EvidenceMissing):
        list(store.list())
    assert store.verify()
