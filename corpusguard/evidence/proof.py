"""Inclusion proofs: that one passage stood in one run, checkable with the head alone.

A proof holds the run's whole record, the passage's leaf, and the Merkle path from the leaf to the
corpus root that the record gives for its document. Whoever holds the head (from a report, a tag, a
timestamp) needs neither the history nor corpusguard: ``docs/verify_proof.py`` does the same in
forty lines.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.evidence.canonical import canonical
from corpusguard.evidence.merkle import audit_path, root_from_path
from corpusguard.evidence.record import RECORD_SCHEMA, head_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROOF_SCHEMA: Final = "corpusguard/proof/1"


def build_proof(
    record: bytes, corpus: str, document: str, leaves: Sequence[bytes], index: int
) -> dict[str, Any]:
    """Return the proof for leaf ``index`` of one document's passages.

    Args:
        record: Canonical bytes of the run's record.
        corpus: Name of the corpus.
        document: Id of the document.
        leaves: Canonical leaves of all its passages in that run, in order.
        index: Which of them.
    """
    return {
        "schema": PROOF_SCHEMA,
        "head": head_of(record),
        "corpus": corpus,
        "document": document,
        "leaf": leaves[index].decode(),
        "index": index,
        "size": len(leaves),
        "path": audit_path(leaves, index),
        "record": record.decode(),
    }


def check_proof(proof: Mapping[str, Any], head: str) -> dict[str, Any]:
    """Check a proof against a head and return the passage's leaf.

    Raises:
        ValueError: It proves nothing; the message says why.
    """
    try:
        record_text, leaf_text = proof["record"], proof["leaf"]
        if proof["schema"] != PROOF_SCHEMA:
            raise ValueError(f"not a proof of schema {PROOF_SCHEMA}")
        if head_of(record_text.encode()) != head:
            raise ValueError("the record is not the one that the head stands for")
        record, leaf = json.loads(record_text), json.loads(leaf_text)
        if record["schema"] != RECORD_SCHEMA or canonical(leaf) != leaf_text.encode():
            raise ValueError("the record or the leaf is not in its canonical form")
        entry = next(
            (
                one
                for one in record["documents"]
                if (one["corpus"], one["document"]) == (proof["corpus"], proof["document"])
            ),
            None,
        )
        if entry is None or leaf["document"] != proof["document"]:
            raise ValueError("the record holds no such document")
        found = root_from_path(leaf_text.encode(), proof["index"], proof["size"], proof["path"])
        if found != entry["corpus_root"] or proof["size"] != entry["leaves"]:
            raise ValueError("the passage does not lead to the corpus root of the record")
    except (KeyError, TypeError, AttributeError, UnicodeError) as error:
        raise ValueError(f"not a proof: {error!r}") from error
    return dict(leaf)
