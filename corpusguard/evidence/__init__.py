"""Evidence, the pure parts: canonical JSON, Merkle trees, records and inclusion proofs.

Nothing here reads a file, a clock or a database: what is proven follows from values alone, and can
be computed again by anyone who holds them (see ``docs/evidence.md``).
"""

from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.evidence.merkle import audit_path, root, root_from_path
from corpusguard.evidence.proof import PROOF_SCHEMA, build_proof, check_proof
from corpusguard.evidence.record import GENESIS, RECORD_SCHEMA, differences, head_of, parse_head
from corpusguard.evidence.sealed import SealedRun

__all__ = [
    "GENESIS",
    "PROOF_SCHEMA",
    "RECORD_SCHEMA",
    "SealedRun",
    "audit_path",
    "build_proof",
    "canonical",
    "check_proof",
    "differences",
    "head_of",
    "parse_head",
    "root",
    "root_from_path",
    "sha256_hex",
]
