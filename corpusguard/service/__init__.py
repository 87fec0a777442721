"""The service: the one place that composes readers, fetching, snapshots, history and layers.

A run, step by step:

1. take the lock, begin the run in history;
2. read every corpus in scope, and group its rows by document;
3. for each document, capture the official renditions (or take the newest ones, offline);
4. read them with both readers and run the layers; or take over an earlier result whose inputs
   were equal in every byte and version;
5. record each document in one transaction, then the run's verdict.

Whatever goes wrong with one document is a finding of that document, and never a pass.
"""

from __future__ import annotations

from corpusguard.service.attestations import Signing, new_keys
from corpusguard.service.checked import Checked
from corpusguard.service.evidence import Listed, Verified
from corpusguard.service.facade import Service
from corpusguard.service.gatecheck import Asked
from corpusguard.service.outputs import check_output, is_envelope
from corpusguard.service.results import (
    Check,
    CorpusStatus,
    DocumentStatus,
    FetchOutcome,
    ProvisionChange,
)

__all__ = [
    "Asked",
    "Check",
    "Checked",
    "CorpusStatus",
    "DocumentStatus",
    "FetchOutcome",
    "Listed",
    "ProvisionChange",
    "Service",
    "Signing",
    "Verified",
    "check_output",
    "is_envelope",
    "new_keys",
]
