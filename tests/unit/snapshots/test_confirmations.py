"""Confirmations, restored captures, and what a crash between two files leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from corpusguard import errors
from corpusguard.model import Identity, Rendition
from corpusguard.snapshots import SnapshotStore, prune

DOCUMENT = "ca-on/statute/26a91@en"


@pytest.fixture
def store(tmp_path):
    return SnapshotStore(tmp_path / "snapshots")


def add(store, data=b"law", **changes):
    facts = {
        "document": DOCUMENT,
        "rendition": Rendition.PAYLOAD,
        "url": "https://www.ontario.ca/x",
        "identity": Identity(title="Lighthouse Wardens Act, 2026"),
        "captured": "2026-03-09T03:00:00Z",
    }
    return store.add(data, **{**facts, **changes})


def confirm(store, snapshot, day="2026-03-10"):
    return store.confirm_unchanged(
        snapshot,
        checked=f"{day}T03:00:00Z",
        currency_date=day,
        versions="sha256:" + "b" * 64,
        evidence={"status": 200},
    )


def test_the_newest_confirmation_of_exactly_this_capture_counts(store):
    first, second = add(store), add(store)
    confirm(store, first)
    newest = confirm(store, first, "2026-03-11")

    assert store.confirmation(first) == newest
    assert store.confirmation(second) is None, "the same bytes, but another capture"
    assert store.verify() == ()


@pytest.mark.parametrize(
    "change",
    [
        {"record": f"records/{DOCUMENT}/000009-aaaaaaaaaaaa.json"},
        {"record": "../../x"},
        {"digest": "sha256:" + "c" * 64},
        {"document": "ca-on/statute/26f92@en"},
        {"schema": "corpusguard/capture/1"},
        {"currency_date": 7},
    ],
)
def test_a_forged_confirmation_is_refused_and_reported(store, change):
    snapshot = add(store)
    confirm(store, snapshot)
    (path,) = (store.root / "confirmations").rglob("*.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | change))

    with pytest.raises(errors.EvidenceMissing):
        store.confirmation(snapshot)


def test_more_than_a_million_captures_keep_their_order(store):
    """Names of six and of seven digits are ordered by number, not by letter."""
    old = add(store)
    folder = (store.root / old.record).parent
    for number in (999_999, 1_000_000):
        said = json.loads((store.root / old.record).read_text()) | {"sequence": number}
        (folder / f"{number}-{old.digest[7:19]}.json").write_text(json.dumps(said))

    assert store.list(DOCUMENT)[-1].sequence == 1_000_000
    assert SnapshotStore(store.root).list(DOCUMENT)[-1].sequence == 1_000_000
    assert add(SnapshotStore(store.root)).sequence == 1_000_001


def test_a_capture_of_another_process_meanwhile_stays_the_older_one(store):
    add(store)
    other = SnapshotStore(store.root)
    for _ in range(3):
        add(other, b"theirs")

    ours = add(store, b"ours")

    assert store.list(DOCUMENT)[-1] == ours


BETWEEN = """
import os, signal, sys
from pathlib import Path
import corpusguard.snapshots.store as module
from corpusguard.model import Identity, Rendition
real = module.write_new
def write_new(path, data):
    if "records" in path.parts:
        os.kill(os.getpid(), signal.SIGKILL)
    real(path, data)
module.write_new = write_new
module.SnapshotStore(Path(sys.argv[1])).add(b"new law", document="ca-on/statute/26a91@en",
    rendition=Rendition.PAYLOAD, url="u", identity=Identity(), captured="2026-03-09T03:00:00Z")
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_kill_between_bytes_and_record_is_no_damage_and_is_taken_up_again(store):
    kept = add(store)
    done = subprocess.run([sys.executable, "-c", BETWEEN, str(store.root)], check=False)
    assert done.returncode == -signal.SIGKILL

    found = store.audit()

    assert found.problems == ()
    assert len(found.unnamed) == 1
    assert store.list() == (kept,)
    again = add(SnapshotStore(store.root), b"new law")
    assert store.audit().unnamed == ()
    assert store.read(again.digest) == b"new law"


def test_a_half_object_that_no_record_names_is_damage(store):
    snapshot = add(store)
    path = store.root / store.object_name(snapshot.digest)
    (store.root / snapshot.record).unlink()
    path.write_bytes(b"la")

    assert any("not whole" in problem for problem in store.verify())


def test_restore_refuses_what_does_not_belong_together(store, tmp_path):
    snapshot = add(store)
    record = (store.root / snapshot.record).read_bytes()
    other = SnapshotStore(tmp_path / "other")

    assert other.restore(record, b"law", snapshot.record) == snapshot
    assert other.verify() == ()
    for data, name in [
        (b"low", snapshot.record),
        (b"law", snapshot.record.replace("000001", "000002")),
        (b"law", snapshot.record.replace("26a91", "26f92")),
    ]:
        with pytest.raises(errors.EvidenceMissing):
            other.restore(record, data, name)
    (other.root / snapshot.record).write_bytes(record.replace(b"2026-03-09T03", b"2026-03-09T04"))
    with pytest.raises(errors.EvidenceMissing, match="says otherwise"):
        other.restore(record, b"law", snapshot.record)


def test_prune_keeps_the_newest_the_young_and_the_referenced(store):
    old, used, again, young, newest = (
        add(store, b"old"),
        add(store, b"used"),
        add(store, b"old"),
        add(store, b"young", captured="2026-06-01T00:00:00Z"),
        add(store, b"newest"),
    )
    stale, last = confirm(store, newest), confirm(store, newest, "2026-03-12")
    gone = confirm(store, old)

    doomed = prune(store, before="2026-05-01T00:00:00Z", referenced={used.digest}, delete=True)

    assert set(doomed.records) == {old.record, again.record}
    assert doomed.objects == (store.object_name(old.digest),)
    assert len(doomed.confirmations) == 2
    assert store.list() == (used, young, newest)
    assert store.confirmation(newest) == last != stale
    assert gone.record == old.record
    assert store.verify() == ()
