"""The three layers: pure functions from readings and passages to findings. No I/O, no clock."""

from __future__ import annotations

from corpusguard.layers.currency import Baseline, OlderReading
from corpusguard.layers.document import (
    Inputs,
    OtherRendition,
    Prepared,
    check_document,
    prepare,
    provision_digests,
)

__all__ = [
    "Baseline",
    "Inputs",
    "OlderReading",
    "OtherRendition",
    "Prepared",
    "check_document",
    "prepare",
    "provision_digests",
]
