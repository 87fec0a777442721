"""What a run claims of a corpus, whether that lets it through, and how it is signed.

``claim`` reads a run's record, ``decide`` says what speaks against a corpus, ``reasons`` names it;
``statement`` and ``envelope`` carry a claim to a machine without the history. Nothing here reads a
file, a database or a clock. The libraries that sign come with the extra ``attest``.
"""

from corpusguard.attest.claim import Claim, DocumentClaim, Held, corpus_root, read_claim
from corpusguard.attest.decide import (
    Policy,
    Standing,
    gone,
    of_the_run,
    stand,
    too_old,
)
from corpusguard.attest.envelope import MAX_BYTES, sign, unwrap
from corpusguard.attest.keys import load_private, load_public, new_pair
from corpusguard.attest.reasons import Reason, Refusal, Refused, exit_code
from corpusguard.attest.statement import read_statement, statement

__all__ = [
    "MAX_BYTES",
    "Claim",
    "DocumentClaim",
    "Held",
    "Policy",
    "Reason",
    "Refusal",
    "Refused",
    "Standing",
    "corpus_root",
    "exit_code",
    "gone",
    "load_private",
    "load_public",
    "new_pair",
    "of_the_run",
    "read_claim",
    "read_statement",
    "sign",
    "stand",
    "statement",
    "too_old",
    "unwrap",
]
