"""``check_claim``: one claim on one configuration."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from corpusguard.config.gate import judge_named
from corpusguard.errors import ConfigError
from corpusguard.gate.claims.calls import Calls
from corpusguard.gate.claims.check import ClaimCheck
from corpusguard.gate.claims.corpus import VerifiedCorpus
from corpusguard.gate.claims.trace import Trace
from corpusguard.service.outputs import check_output

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.gate.claims.model import ClaimResult
    from corpusguard.service import Service

FOLDER = "claims"
"""Of traces, beside the history."""


def check_claim(  # noqa: PLR0913 (the options of a check)
    service: Service,
    claim: str,
    *,
    context: str = "",
    source: str = "",
    triage: bool = True,
    trace: Path | None = None,
) -> ClaimResult:
    """Check ``claim`` against the verified corpus; see ``ClaimCheck.run``.

    Args:
        service: whose configuration names the tiers, and whose corpus is the source of record.
        claim: one statement.
        context: where it comes from.
        source: id of its source of record; empty: it is resolved.
        triage: whether to ask first if the claim is worth a check.
        trace: file for the trace; None: a new one beside the history.

    Raises:
        ConfigError: The tiers are not configured, or there is no history yet.
        StorageError: The trace cannot be written.
        CorpusUnreadable: The corpus cannot be read.
    """
    config = service.config
    tiers = (
        judge_named(config.judges, config.gate.cheap, config.file, "the cheap tier"),
        judge_named(config.judges, config.gate.expensive, config.file, "the expensive tier"),
    )
    if not claim.strip():
        raise ConfigError("the claim is empty", hint="Give one statement, or `-` to read it.")
    if trace is not None:
        check_output(config, trace, "--trace")
    written = Trace(trace, claim) if trace else Trace.new(config.history.parent / FOLDER, claim)
    check = ClaimCheck(
        Calls(*tiers, config.root, written),
        VerifiedCorpus(service.verified_passages),
        tiers,
        written,
    )
    return asyncio.run(check.run(claim, context, source=source, triage=triage))
