"""in-toto Statement v1 with the predicate *test result* v0.1.

What is tested is the corpus: the only subject is its root. ``configuration`` names the official
bytes that it was compared with, by digest, beside the configuration of the run. The extension field
``corpusguardRun`` holds run number, end, head of the history, and the run's whole record, of which
all else in the statement follows; what does not follow is refused. Unknown fields are ignored, as
the framework's parsing rules ask.

Sources: https://github.com/in-toto/attestation, spec/v1/statement.md, spec/v1/README.md (parsing
rules) and spec/predicates/test-result.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from corpusguard.attest.claim import read_claim
from corpusguard.attest.reasons import Reason, Refused
from corpusguard.attest.strict import parse
from corpusguard.evidence import canonical
from corpusguard.model import Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.attest.claim import Claim

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "https://in-toto.io/attestation/test-result/v0.1"
_OTHER: Final = "make the attestation again with `corpusguard verify --attest`"


def statement(record: bytes) -> bytes:
    """Return the statement about a run, as canonical JSON.

    Args:
        record: Canonical bytes of the run's record.

    Raises:
        ValueError: They are none.
    """
    claim = read_claim(record)
    return canonical(_statement(claim, record.decode()))


def read_statement(payload: bytes) -> Claim:
    """Return what a statement claims; its signature was checked before.

    Raises:
        Refused: It is not such a statement, or contradicts itself.
    """
    value = parse(payload, "the statement")
    if not isinstance(value, dict):
        raise _malformed("it is not an object")
    if value.get("_type") != STATEMENT_TYPE:
        raise Refused(
            Reason.WRONG_STATEMENT_TYPE, f"the payload is not of type {STATEMENT_TYPE}", _OTHER
        )
    if value.get("predicateType") != PREDICATE_TYPE:
        raise Refused(Reason.WRONG_PREDICATE_TYPE, f"its predicate is not {PREDICATE_TYPE}", _OTHER)
    root = _subject(value.get("subject"))
    predicate = value.get("predicate")
    own = predicate.get("corpusguardRun") if isinstance(predicate, dict) else None
    if not isinstance(predicate, dict) or not isinstance(own, dict):
        raise _malformed("it has no predicate with the field corpusguardRun")
    record = own.get("record")
    if not isinstance(record, str):
        raise _malformed("it holds no record of a run")
    try:
        claim = read_claim(record.encode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise _malformed(str(error)) from error
    expected = _statement(claim, record)
    if root != expected["subject"][0]["digest"]["sha256"]:
        raise _inconsistent("its subject is not the corpus that its record tells of")
    for name, found in expected["predicate"].items():
        if predicate.get(name) != found:
            raise _inconsistent(f"its {name} does not follow from its record")
    return claim


def _statement(claim: Claim, record: str) -> dict[str, Any]:
    tests = _tests(claim)
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": "corpus", "digest": {"sha256": _hex(claim.root)}}],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "result": _result(claim),
            "configuration": [
                {"name": "corpusguard", "digest": {"sha256": claim.config}},
                *_sources(claim),
            ],
            **tests,
            "corpusguardRun": {
                "run": claim.run,
                "finished": claim.finished,
                "head": claim.head,
                "tool": claim.tool,
                "record": record,
            },
        },
    }


def _result(claim: Claim) -> str:
    if claim.verdict is not Verdict.VERIFIED:
        return "FAILED"
    counts = [claim.own_counts, *(one.counts for one in claim.documents)]
    return "WARNED" if any(one[Severity.WARNING] for one in counts) else "PASSED"


def _sources(claim: Claim) -> Iterator[dict[str, Any]]:
    """Yield a resource descriptor for each official rendition, once."""
    seen = set()
    for one in claim.documents:
        for digest in one.snapshots:
            name = one.held.document
            if (name, digest) not in seen:
                seen.add((name, digest))
                yield {
                    "name": name,
                    "digest": {"sha256": _hex(digest)},
                    "annotations": {
                        "consolidatedFrom": one.consolidated_from,
                        "currencyDate": one.currency_date,
                        "captured": one.captured,
                    },
                }


def _tests(claim: Claim) -> dict[str, list[str]]:
    """Return the names of the tests, one a layer of each document, by what came of them."""
    found: dict[str, list[str]] = {"passedTests": [], "warnedTests": [], "failedTests": []}
    for one in claim.documents:
        for layer, verdict in sorted(one.layers.items()):
            passed = verdict is Verdict.VERIFIED
            warned = one.counts[Severity.WARNING] > 0
            kind = ("warnedTests" if warned else "passedTests") if passed else "failedTests"
            found[kind].append(f"{one.held.corpus}: {one.held.document}: {layer}")
    return found


def _subject(value: object) -> str:
    """Return the digest of the only subject, 64 hex digits."""
    if not isinstance(value, list):
        raise _malformed("it has no list of subjects")
    if not value:
        raise Refused(Reason.NO_SUBJECT, "the statement is about nothing", _OTHER)
    if len(value) > 1:
        raise Refused(
            Reason.SEVERAL_SUBJECTS, f"the statement is about {len(value)} things, not one", _OTHER
        )
    digests = value[0].get("digest") if isinstance(value[0], dict) else None
    digest = digests.get("sha256") if isinstance(digests, dict) else None
    if not isinstance(digest, str):
        raise Refused(Reason.NO_SUBJECT, "its subject has no SHA-256", _OTHER)
    return digest


def _hex(digest: str) -> str:
    return digest.removeprefix("sha256:")


def _malformed(why: str) -> Refused:
    return Refused(Reason.MALFORMED_STATEMENT, f"the statement cannot be read: {why}", _OTHER)


def _inconsistent(why: str) -> Refused:
    return Refused(Reason.INCONSISTENT, f"the statement contradicts itself: {why}", _OTHER)
