"""Every attestation in tests/contract/attestations is decided as the name of its folder says."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from corpusguard.attest import Reason, read_claim, statement
from corpusguard.evidence import canonical, head_of
from corpusguard.model import Severity
from corpusguard.service import Asked
from tests.contract import gate_project as gp
from tests.contract.make_attestations import CHECKED, FOLDER, envelope
from tests.unit.cli.conftest import call

CASES = sorted(path.name for path in FOLDER.iterdir() if "." in path.name)
OF_THE_FILE = {
    "no_run", "no_single_run", "nothing_in_scope", "unlisted_document", "evidence_broken",
    "passages_unknown",
}  # fmt: skip
"""Reasons that no attestation brings about by itself; test_check_corpus.py has them."""


def decide(name, tmp_path, config=None, **more):
    """What the gate says of one folder."""
    folder = FOLDER / name
    case = folder / "case.json"
    options = json.loads(case.read_text()) if case.exists() else {}
    attestation = tmp_path / "attestation.json"
    attestation.write_bytes(
        (folder / "attestation.json").read_bytes() + b" " * options.get("pad", 0)
    )
    seen = tmp_path / "seen.json"
    if "seen" in options:
        seen.write_text(json.dumps({"schema": "corpusguard/seen/1", **options["seen"]}))
    asked = Asked(
        attestation=attestation,
        keys=tuple(FOLDER / "project" / f"{key}.pub" for key in options.get("keys", "a")),
        seen=seen,
        fail_on=Severity(options.get("fail_on", "error")),
        **more,
    )
    now = datetime.fromisoformat(options["now"]) if "now" in options else CHECKED
    before = seen.read_bytes() if seen.exists() else None
    config = config or FOLDER / "project" / "corpusguard.toml"
    found = gp.service(config).gate.check(asked, now=now)
    return found, before, seen.read_bytes() if seen.exists() else None


@pytest.mark.parametrize("name", CASES)
def test_each_folder_is_decided_as_it_is_named(name, tmp_path):
    """One reason and no other; nothing passes, and nothing is remembered, but where it says so."""
    found, before, after = decide(name, tmp_path)
    wanted = name.split(".", 1)[0]
    reasons = {str(one.reason) for one in found.all_refusals}
    if wanted == "pass":
        assert (reasons, found.exit_code, found.outcome) == (set(), 0, "pass")
        assert json.loads(after)["run"] == 3
    else:
        assert reasons == {wanted}
        assert found.exit_code in {1, 3, 4}
        assert (found.passing, after) == ((), before)
        assert all(one.message and len(one.message) < 400 for one in found.all_refusals)


def test_every_reason_that_an_attestation_can_bring_about_has_a_folder():
    """A reason without one is a reason that nothing proves."""
    assert {name.split(".", 1)[0] for name in CASES} == {
        "pass",
        *(str(reason) for reason in Reason if reason not in OF_THE_FILE),
    }


def test_exit_codes_follow_the_kind_of_reason(tmp_path):
    """Altered or foreign: 4. Violated: 1. Genuine, but not of this corpus or time: 3."""
    codes = {
        name: decide(name, tmp_path)[0].exit_code
        for name in (
            "bad_signature.altered_payload",
            "unknown_signer.wrong_key",
            "violated.law_amended",
            "too_old.expired",
            "corpus_changed.other_corpus",
        )
    }
    assert list(codes.values()) == [4, 4, 1, 3, 3]


@pytest.fixture
def elsewhere(tmp_path):
    """The project on another machine: corpus, configuration and public keys, and no history."""
    shutil.copytree(FOLDER / "project", tmp_path / "p")
    return tmp_path / "p" / "corpusguard.toml"


@pytest.mark.parametrize("change", ["one byte", "one row more", "one row less", "order"])
def test_a_corpus_that_is_not_the_attested_one_is_refused(elsewhere, tmp_path, change):
    """The subject is the corpus that is loaded now, or the attestation says nothing of it."""
    store = elsewhere.parent / "corpus.jsonl"
    lines = store.read_bytes().splitlines(keepends=True)
    match change:
        case "one byte":
            lines[0] = lines[0].replace(b"dusk", b"dust")
        case "one row more":
            lines.insert(1, lines[0].replace(b"#sec_1", b"#sec_9"))
        case "one row less":
            del lines[0]
        case "order":
            lines[0], lines[1] = lines[1], lines[0]
    store.write_bytes(b"".join(lines))
    found, _, after = decide("pass.one_signature", tmp_path, elsewhere)
    assert {str(one.reason) for one in found.all_refusals} == {"corpus_changed"}
    assert (found.exit_code, after) == (3, None)
    part, _, _ = decide("pass.one_signature", tmp_path, elsewhere, partial=True)
    assert [one.held.document for one in part.passing] == [gp.FERRY.id]


def test_a_document_more_than_was_attested_is_refused(elsewhere, tmp_path):
    """A law that the run did not look at."""
    source = elsewhere.parent / "law.toml"
    more = '\n[[document]]\nid = "ca-on/statute/26z99@en"\ntitle = "Z"\n'
    source.write_text(source.read_text() + more)
    row = {"id": "z", "document": "ca-on/statute/26z99@en", "text": "1 Z.", "section": "1"}
    with (elsewhere.parent / "corpus.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    found, _, _ = decide("pass.one_signature", tmp_path, elsewhere)
    assert [(str(one.reason), one.document) for one in found.all_refusals] == [
        ("partial_scope", "ca-on/statute/26z99@en")
    ]


def test_the_list_of_passages_comes_without_a_history_too(tmp_path):
    """Every row of both documents verified, so all may be indexed."""
    found, _, _ = decide("pass.one_signature", tmp_path, passages=tmp_path / "l.jsonl")
    assert (found.outcome, found.listed) == ("pass", 8)
    assert len((tmp_path / "l.jsonl").read_text().splitlines()) == 8


# From end to end, on the command line


@pytest.fixture
def signed(tmp_path):
    """A verified project, its attestation, and the keys."""
    config = gp.project(tmp_path / "p")
    key = tmp_path / "key"
    assert call("keys", "new", key).exit_code == 0
    done = call(
        "verify", "--offline", "-q", "-c", config, "--attest", tmp_path / "a.json", "--key", key
    )
    assert done.exit_code == 0, done.output
    return config, tmp_path / "a.json", key


def gate(signed, *options):
    config, attestation, key = signed
    return call(
        "check-corpus", "-q", "-c", config, "--attestation", attestation, "--key", f"{key}.pub",
        *options,
    )  # fmt: skip


def test_what_verify_attests_check_corpus_believes_without_a_history(signed, tmp_path):
    """Signed here, checked there; the run is remembered."""
    (signed[0].parent / "history.db").unlink()
    shutil.rmtree(signed[0].parent / "snapshots")
    done = gate(signed, "--seen", tmp_path / "seen.json", "--format", "json")
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert (answer["outcome"], answer["run"], len(answer["signers"])) == ("pass", 1, 1)
    assert json.loads((tmp_path / "seen.json").read_text())["head"] == answer["head"]
    assert not (signed[0].parent / "history.db").exists()


def test_a_run_that_found_something_is_attested_as_failed(tmp_path):
    """The attestation says so, and is refused with exit 1."""
    config = gp.project(tmp_path / "p")
    rows = gp.rows_of(config)
    rows[0]["text"] = rows[0]["text"].replace("shall", "may", 1)
    gp.store(config, rows)
    key, target = tmp_path / "key", tmp_path / "a.json"
    assert call("keys", "new", key).exit_code == 0
    done = call("verify", "--offline", "-q", "-c", config, "--attest", target, "--key", key)
    assert done.exit_code == 1
    assert gate((config, target, key)).exit_code == 1


def test_the_envelope_is_plain_dsse_that_openssl_can_check(signed, tmp_path):
    """Pre-authentication encoding by hand, signature by another program."""
    envelope = json.loads(signed[1].read_text())
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"].encode()
    (tmp_path / "pae").write_bytes(b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
    done = subprocess.run(
        ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", f"{signed[2]}.pub", "-rawin",
         "-in", tmp_path / "pae", "-sigfile", tmp_path / "sig"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Signature Verified Successfully" in done.stdout
    value = json.loads(payload)
    assert value["_type"] == "https://in-toto.io/Statement/v1"
    assert value["predicate"]["result"] == "PASSED"
    sources = {one["name"] for one in value["predicate"]["configuration"]}
    assert sources == {"corpusguard", gp.LIGHTHOUSE.id, gp.FERRY.id}


def test_keys_that_openssl_makes_sign_and_check(signed, tmp_path):
    """The documented lines."""
    config, target, _ = signed
    key = tmp_path / "ossl"
    for line in (
        ["genpkey", "-algorithm", "ed25519", "-out", key],
        ["pkey", "-in", key, "-pubout", "-out", f"{key}.pub"],
    ):
        subprocess.run(["openssl", *line], check=True, capture_output=True)
    key.chmod(0o600)
    done = call("verify", "--offline", "-q", "-c", config, "--attest", target, "--key", key)
    assert done.exit_code == 0, done.output
    assert gate((config, target, key)).exit_code == 0


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_private_key_that_others_can_read_is_refused_before_the_run(signed, mode):
    """Exit 2, and no run is made."""
    config, target, key = signed
    key.chmod(mode)
    before = target.read_bytes()
    done = call("verify", "--offline", "-q", "-c", config, "--attest", target, "--key", key)
    assert done.exit_code == 2
    assert "chmod 600" in done.stderr
    assert "PRIVATE" not in done.output
    assert target.read_bytes() == before
    assert call("history", "head", "-c", config).stderr == "of run 1\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--attest", "{p}/a.json"], "go together"),
        (["--key", "{key}"], "go together"),
        (["--attest", "{p}/a.json", "--key", "{key}.pub"], "is not a private key"),
        (["--attest", "{p}/a.json", "--key", "{p}/none"], "keys new"),
        (["--attest", "{key}", "--key", "{key}"], "would overwrite"),
        (["--attest", "{p}/p/corpus.jsonl", "--key", "{key}"], "would overwrite"),
        (["--attest", "{p}/no/a.json", "--key", "{key}"], "of --attest does not exist"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_attestation_that_cannot_be_made_is_refused_before_the_run(
    signed, tmp_path, options, said
):
    """Exit 2; nothing is lost, no run is made."""
    config, _, key = signed
    key.with_name("key.pub").chmod(0o600)
    held = (key.read_bytes(), (config.parent / "corpus.jsonl").read_bytes())
    filled = [option.format(p=tmp_path, key=key) for option in options]
    done = call("verify", "--offline", "-q", "-c", config, *filled)
    assert done.exit_code == 2
    assert said in done.stderr
    assert (key.read_bytes(), (config.parent / "corpus.jsonl").read_bytes()) == held
    assert call("history", "head", "-c", config).stderr == "of run 1\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "is not an Ed25519 key"),
        (["-algorithm", "ed25519", "-aes256", "-pass", "pass:x"], "is encrypted"),
    ],
    ids=["another algorithm", "with a password"],
)
def test_a_key_of_another_kind_is_refused(signed, line, said):
    """Exit 2, before the run; the message says which kind is wanted."""
    config, target, key = signed
    other = key.with_name("other")
    subprocess.run(["openssl", "genpkey", *line, "-out", other], check=True, capture_output=True)
    other.chmod(0o600)
    done = call("verify", "--offline", "-q", "-c", config, "--attest", target, "--key", other)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "corpusguard keys new" in done.stderr


def test_a_pipe_is_no_key_and_no_attestation(signed):
    """A pipe would be waited for, for ever."""
    config, target, key = signed
    pipe = key.with_name("pipe")
    os.mkfifo(pipe, 0o600)
    for done in (
        call("verify", "--offline", "-c", config, "--attest", target, "--key", pipe),
        call("check-corpus", "-c", config, "--attestation", pipe, "--key", f"{key}.pub"),
        call("check-corpus", "-c", config, "--attestation", target, "--key", pipe),
        gate(signed, "--seen", pipe),
    ):
        assert done.exit_code == 2
        assert "is not a regular file" in done.stderr


def test_keys_are_never_overwritten(signed):
    """Exit 2; the private key is its owner's alone."""
    key = signed[2]
    held = key.read_bytes()
    assert key.stat().st_mode & 0o777 == 0o600
    assert call("keys", "new", key).exit_code == 2
    key.unlink()
    assert call("keys", "new", key).exit_code == 2
    assert not key.exists()
    assert held.startswith(b"-----BEGIN PRIVATE KEY-----")


def test_a_private_key_is_no_key_to_check_with(signed):
    """Whoever hands it to the gate has put it on the wrong machine."""
    config, attestation, key = signed
    done = call("check-corpus", "-c", config, "--attestation", attestation, "--key", key)
    assert done.exit_code == 2
    assert "is a private key" in done.stderr


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"schema": "corpusguard/seen/1", "run": "3", "head": ""}',
     '{"schema": "corpusguard/seen/1", "run": true, "head": ""}', '{"schema": "x", "run": 3, "head": ""}'],
)  # fmt: skip
def test_what_was_seen_is_not_guessed(signed, tmp_path, text):
    """A file that was cut off must not let an older run through: exit 2, the file stays."""
    seen = tmp_path / "seen.json"
    seen.write_text(text)
    done = gate(signed, "--seen", seen)
    assert done.exit_code == 2
    assert "does not say what was seen" in done.stderr
    assert seen.read_text() == text


def test_an_older_attestation_is_refused_after_a_newer_one(signed, tmp_path):
    """Run 1 again, after run 2 was let through."""
    config, target, key = signed
    first = target.read_bytes()
    assert (
        call("verify", "--offline", "-q", "-c", config, "--attest", target, "--key", key).exit_code
        == 0
    )
    seen = tmp_path / "seen.json"
    assert gate(signed, "--seen", seen).exit_code == 0
    target.write_bytes(first)
    done = gate(signed, "--seen", seen)
    assert done.exit_code == 3
    assert "older_run" in done.stdout
    assert Path(seen).read_text().count('"run": 2') == 1


def test_which_rows_verified_is_not_guessed_where_an_attestation_does_not_say(tmp_path):
    """A verified document of which one row did not: its passages are listed by history only."""
    record = json.loads(record_of("pass.one_signature"))
    record["documents"][0]["verified_passages"] -= 1
    folder = FOLDER / "project"
    attestation = tmp_path / "a.json"
    attestation.write_text(json.dumps(envelope(statement(canonical(record)))))
    asked = Asked(attestation=attestation, keys=(folder / "a.pub",))
    check = gp.service(folder / "corpusguard.toml").gate.check
    assert check(asked, now=CHECKED).exit_code == 0
    target = tmp_path / "l.jsonl"
    found = check(replace(asked, passages=target), now=CHECKED)
    assert (found.exit_code, target.exists()) == (3, False)
    assert {str(one.reason) for one in found.all_refusals} == {"passages_unknown"}
    found = check(replace(asked, passages=target, partial=True), now=CHECKED)
    assert (found.exit_code, found.listed) == (0, found.passing[0].held.rows)


def test_a_finished_run_without_a_scope_proves_nothing(tmp_path):
    """Signed, and consistent in all else: nobody can tell what it was to look at."""
    value = json.loads(statement(canonical(json.loads(record_of("pass.one_signature")))))
    own = value["predicate"]["corpusguardRun"]
    bare = canonical(json.loads(own["record"]) | {"scope": None})
    own |= {"record": bare.decode(), "head": head_of(bare)}
    attestation = tmp_path / "a.json"
    attestation.write_text(json.dumps(envelope(canonical(value))))
    folder = FOLDER / "project"
    asked = Asked(attestation=attestation, keys=(folder / "a.pub",))
    found = gp.service(folder / "corpusguard.toml").gate.check(asked, now=CHECKED)
    assert found.exit_code == 4
    assert [str(one.reason) for one in found.all_refusals] == ["malformed_statement"]
    assert "without a scope" in found.refusals[0].message


def record_of(name):
    """The record inside one attestation."""
    made = json.loads((FOLDER / name / "attestation.json").read_text())
    value = json.loads(base64.b64decode(made["payload"]))
    return value["predicate"]["corpusguardRun"]["record"]


def test_one_document_is_claimed_once():
    """Two entries for one document could say two things."""
    record = json.loads(record_of("pass.one_signature"))
    record["documents"].append(record["documents"][0])
    with pytest.raises(ValueError, match="tells of one document twice"):
        read_claim(canonical(record))


@pytest.mark.parametrize(
    "change",
    [
        {"run": -1},
        {"run": True},
        {"run": "3"},
        {"documents": [{}]},
        {"documents": None},
        {"layers": [1]},
        {"verdict": "fine"},
        {"run_findings": {"counts": {"error": -1}}},
        {"scope": {"missing": [["a"]]}},
        {"schema": "corpusguard/record/9"},
        {"tool": None},
    ],
    ids=str,
)
def test_a_record_of_another_shape_is_no_claim(change):
    """Whoever signed it: ValueError with a short message, nothing is taken for a default."""
    record = json.loads(record_of("pass.one_signature")) | change
    with pytest.raises(ValueError, match="not the record of a run"):
        read_claim(canonical(record))


def test_without_the_extra_the_message_names_it(signed, monkeypatch):
    """Exit 2, and how to install it; the gate by history needs none of it."""
    monkeypatch.setitem(sys.modules, "securesystemslib.dsse", None)
    config, _, key = signed
    for done in (
        gate(signed),
        call("keys", "new", key.with_name("other")),
        call("verify", "-c", config, "--attest", key.with_name("b.json"), "--key", key),
    ):
        assert done.exit_code == 2
        assert "pip install 'corpusguard-law[attest]'" in done.stderr
    assert call("check-corpus", "-q", "-c", config).exit_code == 0
