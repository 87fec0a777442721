"""Snapshots as evidence: checked, let go of, taken elsewhere as WARC and brought back."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from corpusguard.cli.app import app
from corpusguard.errors import EvidenceMissing, WrongDocument
from corpusguard.snapshots import warc
from tests.replica.capture import LAW
from tests.replica.law import lighthouse_act
from tests.replica.test_nights import Nights, amended


@pytest.fixture
def nights(tmp_path, replica):
    """Five captures: fetched, confirmed by a 304, amended, imported by hand, and never used."""
    made = Nights(tmp_path, replica)
    made.ingest()
    made.night(refetch=True)
    replica.publish(amended())
    made.night()
    payload = tmp_path / "act.json"
    payload.write_text(json.dumps(lighthouse_act(sections=21).payload()), encoding="utf-8")
    made.service().add_snapshot(LAW.id, payload, older=True)
    return made


def run(nights, *arguments):
    config = str(nights.folder / "corpusguard.toml")
    return CliRunner().invoke(app, ["snapshots", *arguments, "--config", config])


def tree(folder, *, without=("requests", "confirmations")):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in without
    }


def store(nights):
    return nights.service().store


def test_verify_passes_a_sound_store_and_finds_one_changed_byte(nights):
    assert run(nights, "verify").exit_code == 0
    path = store(nights).root / store(nights).object_name(store(nights).list()[0].digest)
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(bytes(data))

    bad = run(nights, "verify", "--format", "json")

    assert bad.exit_code == 4
    findings = json.loads(bad.stdout)["findings"]
    assert {finding["rule"] for finding in findings} == {"CG701"}
    assert "is not what was stored" in findings[0]["message"]


def test_verify_finds_a_changed_confirmation(nights):
    folder = store(nights).root / "confirmations"
    (path,) = list(folder.rglob("*.json"))
    path.write_text(path.read_text().replace("records/", "recrods/"))

    assert run(nights, "verify").exit_code == 4


def test_an_empty_store_is_not_a_pass(nights):
    import shutil  # noqa: PLC0415

    shutil.rmtree(store(nights).root)

    assert run(nights, "verify").exit_code == 3


def age(nights):
    """Let every capture be of long ago, records and all that binds them left aside."""
    root = store(nights).root
    for path in (root / "records").rglob("*.json"):
        path.write_text(path.read_text().replace('"captured": "20', '"captured": "19'))


def test_prune_lets_go_of_what_no_run_refers_to_and_of_nothing_else(nights):
    root = store(nights).root
    unused = store(nights).list()[-1]
    payload = nights.folder / "act.json"
    payload.write_text(json.dumps(lighthouse_act(sections=22).payload()), encoding="utf-8")
    newest = nights.service().add_snapshot(LAW.id, payload, older=True)
    age(nights)
    before = tree(root)

    shown = run(nights, "prune", "--keep", "30")

    assert shown.exit_code == 0
    assert tree(root) == before, "without --yes nothing goes"
    assert shown.stdout.splitlines() == [unused.record, store(nights).object_name(unused.digest)]

    done = run(nights, "prune", "--keep", "30", "--yes")

    assert done.exit_code == 0
    assert set(before) - set(tree(root)) == {
        unused.record,
        store(nights).object_name(unused.digest),
    }
    assert store(nights).list()[-1].digest == newest.digest
    assert store(nights).verify() == ()


def test_prune_keeps_what_is_young_and_refuses_without_a_history(nights):
    assert run(nights, "prune", "--yes").stdout == ""
    (nights.folder / "history.db").unlink()

    refused = run(nights, "prune", "--yes")

    assert refused.exit_code == 2
    assert "no history" in refused.stderr


def test_prune_refuses_a_damaged_store(nights):
    path = store(nights).root / store(nights).list()[0].record
    path.write_text("{}")

    assert run(nights, "prune", "--yes").exit_code == 4
    assert path.exists()


@pytest.mark.parametrize("name", ["all.warc", "all.warc.gz"])
def test_an_export_passes_warcio_check_and_comes_back_byte_for_byte(nights, tmp_path, name):
    root, target = store(nights).root, tmp_path / name
    before = tree(root)

    assert run(nights, "export", "--warc", str(target)).exit_code == 0

    checked = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "warcio.cli", "check", "-v", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    assert "digest failed" not in checked.stdout
    assert checked.stdout.count("digest pass") >= 4
    root.rename(tmp_path / "lost")

    back = run(nights, "import", "--warc", str(target))

    assert back.exit_code == 0
    assert tree(root) == before
    assert run(nights, "verify").exit_code == 0
    assert run(nights, "import", "--warc", str(target)).exit_code == 0, "twice is as once"
    assert tree(root) == before
    assert run(nights, "export", "--warc", str(target)).exit_code == 2, "nothing is overwritten"


def exported(nights):
    out = io.BytesIO()
    warc.export(store(nights), store(nights).list(), out, pack=False)
    return out.getvalue()


def test_the_records_say_what_was_asked_and_answered(nights):
    kinds = []
    responses = []
    for record in ArchiveIterator(io.BytesIO(exported(nights)), check_digests="raise"):
        kinds.append(record.rec_type)
        if record.rec_type == "response":
            responses.append(record)
            assert record.http_headers.get_header("x-archive-orig-content-encoding") == "gzip"
            assert record.rec_headers.get_header("WARC-Payload-Digest").startswith("sha256:")
            body = record.content_stream().read()
            assert json.loads(body)["alias"] == "statute/26a91"
        if record.rec_type == "request":
            assert record.http_headers.get_header("User-Agent").startswith("corpusguard/")

    assert kinds.count("response") == 2
    assert kinds.count("revisit") == 1
    assert kinds.count("resource") == 1
    assert kinds.count("metadata") == len(store(nights).list()) == 4
    assert kinds[0] == "warcinfo"


def test_an_export_is_the_same_bytes_each_time(nights):
    assert exported(nights) == exported(nights)


def restored(nights, data, tmp_path):
    store(nights).root.rename(tmp_path / "lost")
    file = tmp_path / "x.warc"
    file.write_bytes(data)
    return nights.service().keeping.restore(file)


def test_altered_law_in_an_archive_is_refused(nights, tmp_path):
    data = exported(nights).replace(b"dusk to dawn", b"dawn to dusk")

    with pytest.raises(EvidenceMissing):
        restored(nights, data, tmp_path)


def test_a_record_that_lies_about_its_bytes_is_refused(nights, tmp_path):
    """Consistent lengths and digests, but another consolidation than the bytes say."""
    data = exported(nights).replace(
        b'"consolidated_from": "2026-03-02"', b'"consolidated_from": "2027-03-02"'
    )

    with pytest.raises(WrongDocument, match="the bytes say"):
        restored(nights, data, tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "records/../../x/000001-aaaaaaaaaaaa.json",
        "objects/x.json",
        "/etc/passwd",
        "",
        "WITHOUT-ITS-FOLDER",
        "elsewhere/WITHOUT-ITS-FOLDER",
    ],
)
def test_a_name_in_an_archive_leads_nowhere_else(nights, tmp_path, name):
    first = store(nights).list()[0].record
    name = name.replace("WITHOUT-ITS-FOLDER", first.removeprefix("records/"))
    data = exported(nights).replace(
        f"X-Corpusguard-Record: {first}".encode(), f"X-Corpusguard-Record: {name}".encode()
    )
    if not name:
        data = data.replace(b"X-Corpusguard-Record", b"X-Somebody-Elses-Record")

    with pytest.raises(EvidenceMissing):
        restored(nights, data, tmp_path)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "odd",
    [
        (b"WARC-Target-URI", b"X-Target"),
        (b"HTTP/1.1 200", b"HTTP/9 none"),
        (b"Content-Length", b"Content-Longth"),
    ],
)
def test_an_archive_of_others_is_refused_by_name(nights, tmp_path, odd):
    """What warcio itself stumbles over is damage of the archive, not an error of ours."""
    data = exported(nights).replace(b"X-Corpusguard-Record", b"X-Others").replace(*odd)

    with pytest.raises(EvidenceMissing):
        restored(nights, data, tmp_path)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_cut_archive_is_refused_and_what_came_before_is_whole(nights, tmp_path, share):
    whole = gzip.compress(exported(nights))

    with pytest.raises(EvidenceMissing):
        restored(nights, whole[: int(len(whole) * share)], tmp_path)

    assert store(nights).verify() == ()
