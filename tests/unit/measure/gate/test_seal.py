"""Two sealed runs for each design, promised before, and nothing changed afterwards."""

from __future__ import annotations

import json
import os

import pytest

from corpusguard.errors import EvidenceMissing
from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.measure.gate.fixture import Half, load_fixture
from corpusguard.measure.gate.items import dump_items
from corpusguard.measure.gate.sealing import encrypt

PASS = ("--subject", "always-pass")
STRIP = ("--subject", "always-strip")


def test_a_third_attempt_is_refused(promise, sealed_run, tmp_path):
    """Two runs of a design, also under a new promise; the third is refused and runs nothing."""
    file = promise("one", *STRIP)
    assert sealed_run(file, "first", *STRIP)[0] in (0, 1)
    again = promise("one", *STRIP, why="with more care")
    assert sealed_run(again, "second", *STRIP)[0] in (0, 1)
    code, _, said = sealed_run(again, "third", *STRIP)
    assert (code, "has had its 2 sealed runs" in said) == (2, True)
    assert not (tmp_path / "third").exists()


def test_another_name_for_the_same_subject_is_the_same_design(promise, sealed_run):
    """Renaming a design does not give it more attempts."""
    for number in (1, 2):
        assert sealed_run(promise(f"name-{number}", *STRIP), f"out{number}", *STRIP)[0] in (0, 1)
    code, _, said = sealed_run(promise("name-3", *STRIP), "out3", *STRIP)
    assert (code, "sealed runs" in said) == (2, True)


def test_a_run_that_was_stopped_counts(promise, sealed_run, tmp_path, monkeypatch):
    """The ledger is written before the first item: a run that dies has used its attempt."""
    file = promise("dies", *STRIP)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", _full_disk_after(1))
        assert sealed_run(file, "first", *STRIP)[0] == 4
    entries = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text().splitlines()]
    assert [entry["entry"] for entry in entries] == ["register", "begin"]
    sealed_run(file, "second", *STRIP)
    assert sealed_run(file, "third", *STRIP)[0] == 2


def _full_disk_after(files: int):
    """Let so many files (each syncs itself and its folder) be written, then no more."""
    real, calls = os.fsync, []

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > 2 * files:
            raise OSError(28, "No space left on device")
        real(descriptor)

    return fsync


def test_no_sealed_run_without_a_registered_promise(cli, promise, sealed_run, tmp_path):
    """Neither without a preregistration, nor with one that is not in the ledger."""
    words = ("run", "--fixture", "fixture.json", "--half", "sealed", *PASS, "--key-file", "key.txt")
    file = promise("known", *PASS)
    code, _, said = cli(*words, "-o", "out")
    assert (code, "--preregistration" in said) == (2, True)
    changed = (tmp_path / file).read_text().replace("0.03", "0.99")
    (tmp_path / "softer.toml").write_text(changed)
    code, _, said = sealed_run("softer.toml", "out", *PASS)
    assert (code, "is not in the ledger" in said) == (2, True)
    assert not (tmp_path / "out").exists()


def test_another_subject_than_was_promised_is_refused(promise, sealed_run):
    """The promise names the digest of the subject."""
    code, _, said = sealed_run(promise("strips", *STRIP), "out", *PASS)
    assert (code, "names the subject" in said) == (2, True)


def test_a_dev_run_takes_no_promise(cli, promise):
    """A promise that nobody holds the run to would look like one."""
    file = promise("dev", *PASS)
    code, _, said = cli(
        "run", "--fixture", "fixture.json", *PASS, "--preregistration", file, "-o", "out"
    )
    assert (code, "belong to a sealed run" in said) == (2, True)


def test_a_place_without_room_for_results_costs_no_attempt(promise, sealed_run, tmp_path):
    """The folder above must be there, before the ledger is written."""
    file = promise("nowhere", *STRIP)
    code, _, said = sealed_run(file, "no/such/folder", *STRIP)
    assert (code, "does not exist" in said) == (2, True)
    assert len((tmp_path / "ledger.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("key", [None, "", "not a key", "A" * 43 + "="])
def test_without_its_key_the_sealed_half_stays_shut(key, cli, promise, monkeypatch, tmp_path):
    """No key or none that can be one: 2, with the variable's name; another key: 4."""
    file = promise("keyless", *PASS)
    if key is not None:
        monkeypatch.setenv("CORPUSGUARD_SEAL_KEY", key)
    code, _, said = cli(
        "run",
        "--fixture",
        "fixture.json",
        "--half",
        "sealed",
        *PASS,
        "--preregistration",
        file,
        "--ledger",
        "ledger.jsonl",
        "-o",
        "out",
    )
    assert code == (4 if key and len(key) == 44 else 2), said
    assert "next: " in said
    assert len((tmp_path / "ledger.jsonl").read_text().splitlines()) == 1  # no attempt was used


@pytest.mark.parametrize("line", [0, 1, 2])
@pytest.mark.parametrize("how", ["edit", "drop"])
def test_a_changed_ledger_is_refused(line, how, cli, promise, sealed_run, tmp_path):
    """An edited or removed line breaks the chain, for reading and for running."""
    file = promise("chain", *STRIP)
    sealed_run(file, "first", *STRIP)
    promise("chain", *STRIP, why="again")
    path = tmp_path / "ledger.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 4
    if how == "drop":
        del lines[line]
    else:
        lines[line] = lines[line].replace('"at":"20', '"at":"19')
    path.write_text("".join(lines))
    code, _, said = cli("ledger", "show", "ledger.jsonl")
    assert (code, "was changed" in said) == (4, True)
    assert sealed_run(file, "second", *STRIP)[0] == 4


def test_a_changed_fixture_is_refused(cli, promise, sealed_run, sealed_fixture):
    """A flipped label of the dev half is another fixture; a touched cipher does not open."""
    file = promise("fixture", *STRIP)
    whole = sealed_fixture.read_text()
    found = json.loads(whole)
    found["dev"][3]["sentence"] += " "
    sealed_fixture.write_text(json.dumps(found))
    code, _, said = sealed_run(file, "out", *STRIP)
    assert (code, "names the fixture" in said) == (2, True)
    found = json.loads(whole)
    token = found["sealed"]["token"]
    found["sealed"]["token"] = token[:500] + ("A" if token[500] != "A" else "B") + token[501:]
    sealed_fixture.write_text(json.dumps(found))
    code, _, said = sealed_run(file, "out", *STRIP)
    assert (code, "does not open" in said) == (4, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"decision":"stripped"', '"decision":"ships"'),
        ('"label":"unsupported"', '"label":"supported"'),
        ('"attempt":1', '"attempt":2'),
        ('"set_aside":false', '"set_aside":true'),
    ],
)
def test_changed_verdicts_are_refused(old, new, cli, promise, sealed_run, tmp_path):
    """Any changed byte of the verdicts, and also verdicts that were sealed anew."""
    sealed_run(promise("edit", *STRIP), "out", *STRIP)
    path = tmp_path / "out/verdicts.jsonl"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    code, _, said = cli("recompute", path)
    assert (code, "were changed" in said) == (4, True)


def test_verdicts_sealed_anew_are_not_those_of_the_ledger(cli, promise, sealed_run, tmp_path):
    """Whoever repairs the seal of changed verdicts is caught by the ledger or the fixture."""
    sealed_run(promise("forge", *STRIP), "out", *STRIP)
    path = tmp_path / "out/verdicts.jsonl"
    *lines, _ = path.read_bytes().splitlines(keepends=True)
    whole = b"".join(lines)
    for old, new, option in (
        (b'"decision":"stripped"', b'"decision":"ships"', ("--ledger", "ledger.jsonl")),
        (b'"split":false', b'"split":true', ("--fixture", "fixture.json")),
    ):
        body = whole.replace(old, new, 1)
        assert body != whole
        seal = canonical({"items": len(lines) - 1, "sha256": sha256_hex(body)})
        path.write_bytes(body + seal + b"\n")
        code, _, said = cli("recompute", path, *option)
        assert code == 4, (option, said)


def test_labels_come_from_three_labellers(cli, draft, tmp_path):
    """A draft that fewer have labelled is not sealed, and no key is left behind."""
    for who in ("a", "b"):
        draft = draft.voted(who, {item.id: item.intended for item in draft.items})
    (tmp_path / "draft.json").write_bytes(draft.dump())
    code, _, said = cli("seal", "draft.json", "-o", "f.json", "--key-file", "k.txt")
    assert (code, "three are needed" in said) == (2, True)
    assert not (tmp_path / "f.json").exists()
    assert not (tmp_path / "k.txt").exists()


def test_a_changed_label_is_a_new_version(cli, labelled, sealed_fixture, tmp_path):
    """A fixture is not replaced by one of the same version; a later one names the one before."""
    code, _, said = cli("seal", "draft.json", "-o", "fixture.json", "--key-file", "key.txt")
    assert (code, "new version" in said) == (2, True)
    text = (tmp_path / "draft.json").read_text().replace('"version":1}', '"version":2}')
    (tmp_path / "draft.json").write_text(text)
    assert cli("seal", "draft.json", "-o", "fixture.json", "--key-file", "key.txt")[0] == 0
    assert len(json.loads(sealed_fixture.read_text())["previous"]) == 64


def test_key_and_draft_are_for_their_owner_alone(sealed_fixture, tmp_path):
    """Nobody else on the machine can read the key."""
    assert (tmp_path / "key.txt").stat().st_mode & 0o077 == 0


def test_the_fixture_tells_how_far_labellers_agree(sealed_fixture):
    """Of each half: who, splits, what is set aside, Fleiss and each pair of Cohen."""
    found = json.loads(sealed_fixture.read_text())
    for half in ("dev", "sealed"):
        said = found["labelling"][half]
        assert said["labellers"] == ["a", "b", "c"]
        assert (said["split"], said["set_aside"]) == (1, 0)
        assert said["cohen"]["a/b"] == "1.0000"
        assert 0.5 < float(said["fleiss"]) < 1.0


@pytest.mark.parametrize("name", ["digest", "answers"])
def test_a_sealed_half_that_is_not_what_its_digest_says_stays_shut(name, sealed_fixture, tmp_path):
    """Another digest in the fixture, or another text under the same key."""
    found = json.loads(sealed_fixture.read_text())
    key = (tmp_path / "key.txt").read_text()
    assert load_fixture(json.dumps(found).encode(), "f").items(Half.SEALED, key)
    found["sealed"][name] = "0" * 64
    fixture = load_fixture(json.dumps(found).encode(), "f")
    with pytest.raises(EvidenceMissing, match="not what its digest says"):
        fixture.items(Half.SEALED, key)


def test_other_items_under_the_same_key_are_refused(sealed_fixture, labelled, tmp_path):
    """Whoever has the key cannot put easier sentences in the place of those that were promised."""
    found = json.loads(sealed_fixture.read_text())
    key = (tmp_path / "key.txt").read_text()
    easier = [item for item in labelled.sealed if item.klass == "verbatim"]
    found["sealed"]["token"] = encrypt(dump_items(easier), key)
    with pytest.raises(EvidenceMissing, match="not what its digest says"):
        load_fixture(json.dumps(found).encode(), "f").items(Half.SEALED, key)
