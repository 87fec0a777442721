"""Faults of the source are told apart by what they are about, not by tonight's details."""

from __future__ import annotations

import hashlib

import pytest

from corpusguard.layers.draft import (
    CLOCK_DIFFERS,
    CURRENCY_UNKNOWN,
    CURRENCY_WENT_BACK,
    VERSIONS_DISAGREE,
    VERSIONS_UNKNOWN,
    draft,
    with_fingerprints,
)
from corpusguard.model import Severity
from corpusguard.service.capture import stored
from corpusguard.snapshots import SnapshotStore

DOC = "ca-on/statute/19h31@en"


def prints(*findings):
    return [one.fingerprint for one in with_fingerprints(findings, "store", ())]


def test_two_faults_of_one_source_are_two(tmp_path):
    """No snapshot, no currency date and no list of versions are three identities under one rule."""
    (missing,) = stored(SnapshotStore(tmp_path), DOC).findings
    others = [
        draft("CG501", DOC, f"{opening}: no answer", severity=Severity.WARNING)
        for opening in (CURRENCY_UNKNOWN, VERSIONS_UNKNOWN)
    ]
    plain = draft("CG501", DOC, "no answer from the source")
    alone = {prints(one)[0] for one in (missing, *others, plain)}
    assert len(alone) == 4
    # Nor does it matter which of them a night has: no order gives one the identity of another.
    assert prints(plain, *others, missing) == [prints(one)[0] for one in (plain, *others, missing)]


@pytest.mark.parametrize(
    ("rule", "tonight", "tomorrow"),
    [
        ("CG501", f"{CURRENCY_UNKNOWN}: timed out after 30 s", f"{CURRENCY_UNKNOWN}: status 503"),
        ("CG501", "timed out after 30 s", "status 503"),
        ("CG509", f"{VERSIONS_DISAGREE} on 2026-01-01", f"{VERSIONS_DISAGREE} on no day"),
        ("CG509", f"{CURRENCY_WENT_BACK} from 2026-01-03", f"{CURRENCY_WENT_BACK} from 2026-01-04"),
        ("CG510", f"{CLOCK_DIFFERS} 400 seconds behind", f"{CLOCK_DIFFERS} 402 seconds ahead of"),
    ],
)
def test_tonights_details_make_nothing_new(rule, tonight, tomorrow):
    """Times, numbers and answers move from night to night; the finding stays the one it was."""
    assert prints(draft(rule, DOC, tonight)) == prints(draft(rule, DOC, tomorrow))


def test_findings_about_texts_keep_the_identity_that_lists_were_written_for():
    """An ignore or baseline of an earlier version still names what it was written for."""
    about = "CG101\x1f" + DOC + "\x1fstore\x1f7\x1fsec_7\x1fp-7\x1f0"
    finding = draft("CG101", DOC, CURRENCY_UNKNOWN, section="7", provision="sec_7", passage="p-7")
    assert prints(finding) == [hashlib.sha256(about.encode()).hexdigest()[:16]]
    source = f"CG503\x1f{DOC}\x1fstore\x1f\x1f\x1f\x1f0"
    assert prints(draft("CG503", DOC, "an error page")) == [
        hashlib.sha256(source.encode()).hexdigest()[:16]
    ]
