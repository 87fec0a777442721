"""Make the folders of tests/contract/attestations again: python -m tests.contract.make_attestations.

Keys and clock are fixed. Each folder is one attestation, named ``REASON.CASE`` for the reason code
that it must be refused with (``pass.CASE`` where it must be let through), and ``case.json`` where
the check is not the usual one: at CHECKED, with key a, and nothing seen before.
"""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner

from corpusguard.attest import statement
from corpusguard.evidence import canonical
from corpusguard.history import History
from tests.contract import gate_project as gp

FOLDER = Path(__file__).with_name("attestations")
VERIFIED = datetime(2026, 3, 10, 3, 0, tzinfo=UTC)
CHECKED = VERIFIED + timedelta(hours=2)
TYPE = "application/vnd.in-toto+json"

PRIVATE = {name: Ed25519PrivateKey.from_private_bytes(name.encode() * 32) for name in "ab"}
SIGNERS = {name: CryptoSigner(key) for name, key in PRIVATE.items()}


def records():
    """The records of real runs on the project, by what is special about them."""
    found = {}
    with tempfile.TemporaryDirectory() as name, time_machine.travel(VERIFIED, tick=False):
        base = Path(name)
        config = gp.project(base / "good")
        for _ in range(3):
            gp.service(config).verify(offline=True)
        found["good"] = record(config, 3)
        found["older"] = record(config, 2)

        renamed = gp.project(base / "renamed")
        gp.store(renamed, [row | {"id": "x" + row["id"]} for row in gp.rows_of(renamed)])
        gp.service(renamed).verify(offline=True)
        found["other corpus"] = record(renamed)

        amended = gp.project(base / "amended")
        old = gp.rows_of(amended)
        change = gp.ferry_act(consolidated_from="2026-03-09")
        gp.capture(amended, change)
        gp.store(amended, old)
        gp.service(amended).verify(offline=True)
        found["violated"] = record(amended)

        unread = gp.project(base / "unread")
        shutil.rmtree(unread.parent / "snapshots")
        gp.service(unread).verify(offline=True)
        found["unverifiable"] = record(unread)

        two = gp.project(base / "two")
        gp.service(two).verify(layers=("L1", "L2"), offline=True)
        found["two layers"] = record(two)

        part = gp.project(base / "part")
        gp.service(part).verify([gp.FERRY.id], offline=True)
        found["part"] = record(part)
    return found


def record(config, run=1):
    """The canonical record of a run, without the digests that the folder's name goes into."""
    with History.open(config.parent / "history.db") as history:
        found = json.loads(history.record(run))
    return canonical(found | {"config": "c0" * 32, "previous": "b0" * 32})


def envelope(payload, *signers, kind=TYPE):
    """An envelope over any bytes, as a trusted but careless signer would make it."""
    made = Envelope(payload, kind, {})
    for name in signers or "a":
        made.sign(SIGNERS[name])
    return made.to_dict()


def changed(record, **changes):
    """A statement about a good run, with fields replaced, signed by a."""
    value = json.loads(statement(record))
    value.update(changes)
    return envelope(canonical(value))


def predicate(record, **changes):
    value = json.loads(statement(record))
    value["predicate"].update(changes)
    return envelope(canonical(value))


def edited(record, **changes):
    """The statement of a record that a trusted signer edited before signing."""
    return envelope(statement(canonical(json.loads(record) | changes)))


def cases():
    """Folder -> (attestation: an object or bytes, options of the check)."""
    runs = records()
    good = runs["good"]
    made = envelope(statement(good))
    two = envelope(statement(good), "a", "b")
    forged = json.loads(json.dumps(envelope(statement(good), "b")))
    forged["signatures"][0]["keyid"] = SIGNERS["a"].public_key.keyid
    altered = made | {"payload": b64(statement(good).replace(b'"run":3', b'"run":4'))}
    one_bad = json.loads(json.dumps(two))
    one_bad["signatures"][1]["sig"] = one_bad["signatures"][0]["sig"]
    text = json.dumps(made, indent=1)
    value = json.loads(statement(good))
    late = {"now": (VERIFIED + timedelta(hours=36, seconds=1)).isoformat()}
    early = {"now": (VERIFIED - timedelta(seconds=61)).isoformat()}
    head = value["predicate"]["corpusguardRun"]["head"]
    subject = value["subject"][0]
    failed = json.loads(statement(runs["violated"]))["predicate"]
    parsed = json.loads(good)
    record_scope, documents, own = (parsed[k] for k in ("scope", "documents", "run_findings"))
    warned = documents[0] | {"counts": documents[0]["counts"] | {"warning": 1}}
    spelling = made["signatures"][0]["sig"]
    return {
        "pass.one_signature": (made, {}),
        "pass.two_allowed_signers": (two, {"keys": ["a", "b"]}),
        "pass.seen_before": (made, {"seen": {"run": 3, "head": head}}),
        "pass.to_the_second": (made, {"now": (VERIFIED + timedelta(hours=36)).isoformat()}),
        "pass.unknown_fields": (predicate(good, url="https://ci.invalid/1", more=[1]), {}),
        "unknown_signer.wrong_key": (envelope(statement(good), "b"), {}),
        "unknown_signer.one_of_two": (two, {}),
        "bad_signature.altered_payload": (altered, {}),
        "bad_signature.forged_key_id": (forged, {}),
        "bad_signature.two_signatures_one_bad": (one_bad, {"keys": ["a", "b"]}),
        "bad_signature.short": (signature(made, b64(b"short")), {}),
        "no_signature.empty_list": (made | {"signatures": []}, {}),
        "wrong_payload_type.json": (
            envelope(statement(good), kind="application/json"),
            {},
        ),
        "malformed_envelope.array": ([made], {}),
        "malformed_envelope.no_payload": ({k: made[k] for k in made if k != "payload"}, {}),
        "malformed_envelope.one_key_twice": (made | {"signatures": made["signatures"] * 2}, {}),
        "malformed_envelope.no_key_id": (made | {"signatures": [{"sig": spelling}]}, {}),
        "malformed_envelope.many_signatures": (
            made | {"signatures": [{"keyid": str(n), "sig": spelling} for n in range(17)]},
            {},
        ),
        "bad_base64.payload": (made | {"payload": "*" + made["payload"][1:]}, {}),
        "bad_base64.line_break": (
            made | {"payload": made["payload"][:8] + "\n" + made["payload"][8:]},
            {},
        ),
        "bad_base64.signature": (signature(made, "é"), {}),
        # 64 bytes are 86 digits, of whose last only two bits count: + and / could be others.
        "bad_base64.second_spelling": (signature(made, respelt(spelling)), {}),
        "not_json.truncated": (text[: len(text) // 2].encode(), {}),
        "not_json.empty": (b"", {}),
        "not_json.not_utf8": (text.encode("utf-16"), {}),
        "not_json.nan": (text.replace('"payloadType"', '"x": NaN, "payloadType"').encode(), {}),
        "not_json.deep": (b"[" * 100_000, {}),
        "duplicate_key.envelope": (
            text.replace('"payloadType"', '"payload": "", "payloadType"', 1).encode(),
            {},
        ),
        "duplicate_key.statement": (
            envelope(statement(good).replace(b'"_type"', b'"_type":"x","_type"', 1)),
            {},
        ),
        "too_large.padded": (text.encode(), {"pad": 16 * 2**20}),
        "wrong_statement_type.v0_1": (
            changed(good, _type="https://in-toto.io/Statement/v0.1"),
            {},
        ),
        "wrong_predicate_type.provenance": (
            changed(good, predicateType="https://slsa.dev/provenance/v1"),
            {},
        ),
        "no_subject.empty": (changed(good, subject=[]), {}),
        "no_subject.weak_digest": (changed(good, subject=[{"digest": {"md5": "0" * 32}}]), {}),
        "several_subjects.two": (changed(good, subject=[subject, subject]), {}),
        "malformed_statement.list": (envelope(b"[]"), {}),
        "malformed_statement.no_predicate": (changed(good, predicate={}), {}),
        "malformed_statement.no_record": (predicate(good, corpusguardRun={"run": 3}), {}),
        "malformed_statement.record_not_canonical": (
            predicate(
                good,
                corpusguardRun=value["predicate"]["corpusguardRun"]
                | {"record": good.decode().replace(",", ", ", 1)},
            ),
            {},
        ),
        "inconsistent.another_subject": (changed(runs["other corpus"], subject=[subject]), {}),
        "inconsistent.failed_called_passed": (
            predicate(runs["violated"], result="PASSED", passedTests=failed["failedTests"]),
            {},
        ),
        "inconsistent.later_end": (
            predicate(
                good,
                corpusguardRun=value["predicate"]["corpusguardRun"]
                | {"finished": "2026-03-10T04:00:00Z"},
            ),
            {},
        ),
        "inconsistent.another_source": (predicate(good, configuration=[]), {}),
        "violated.law_amended": (envelope(statement(runs["violated"])), {}),
        "unverifiable.no_official_text": (envelope(statement(runs["unverifiable"])), {}),
        "missing_layers.two_of_three": (envelope(statement(runs["two layers"])), {}),
        "partial_scope.one_document": (envelope(statement(runs["part"])), {}),
        "corpus_changed.other_corpus": (envelope(statement(runs["other corpus"])), {}),
        "partial_scope.not_reached": (
            edited(good, scope=record_scope | {"missing": [["harbour", "ca-on/statute/26x@en"]]}),
            {},
        ),
        "findings.warning_of_a_document": (
            edited(good, documents=[warned, *documents[1:]]),
            {"fail_on": "warning"},
        ),
        "findings.warning_of_the_run": (
            edited(good, run_findings=own | {"counts": own["counts"] | {"warning": 1}}),
            {"fail_on": "warning"},
        ),
        "pass.warning": (edited(good, documents=[warned, *documents[1:]]), {}),
        "unverifiable.error_of_the_run": (
            edited(
                good,
                verdict="unverifiable",
                run_findings=own | {"counts": own["counts"] | {"error": 1}},
            ),
            {},
        ),
        "unverifiable.run_without_reason": (edited(good, verdict="unverifiable"), {}),
        "unfinished_run.aborted": (edited(good, state="aborted"), {}),
        "older_run.run_2_after_3": (
            envelope(statement(runs["older"])),
            {"seen": {"run": 3, "head": head}},
        ),
        "other_history.another_run_3": (made, {"seen": {"run": 3, "head": "sha256:" + "0" * 64}}),
        "too_old.expired": (made, late),
        "too_old.end_unreadable": (edited(good, finished="yesterday"), {}),
        "from_the_future.checked_before": (made, early),
    }


def signature(made, sig):
    return made | {"signatures": [made["signatures"][0] | {"sig": sig}]}


def b64(data):
    return base64.b64encode(data).decode()


def respelt(text):
    """Another spelling of the same bytes: a bit that no byte holds is set."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    place = len(text.rstrip("=")) - 1
    other = text[:place] + digits[digits.index(text[place]) ^ 1] + text[place + 1 :]
    assert base64.b64decode(other) == base64.b64decode(text) != other
    return other


def main():
    found = cases()
    shutil.rmtree(FOLDER, ignore_errors=True)
    config = gp.project(FOLDER / "project")
    shutil.rmtree(config.parent / "snapshots")
    (FOLDER / "project" / "history.db").unlink(missing_ok=True)
    for lock in config.parent.glob("*.lock*"):
        lock.unlink()
    for name, key in PRIVATE.items():
        (FOLDER / "project" / f"{name}.pub").write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        )
    for name, (attestation, options) in found.items():
        folder = FOLDER / name
        folder.mkdir()
        raw = isinstance(attestation, bytes)
        data = attestation if raw else json.dumps(attestation, indent=1).encode() + b"\n"
        (folder / "attestation.json").write_bytes(data)
        if options:
            (folder / "case.json").write_text(json.dumps(options, indent=1) + "\n")


if __name__ == "__main__":
    main()
