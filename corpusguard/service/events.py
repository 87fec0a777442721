"""What a run says of itself in the logs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpusguard import logs
from corpusguard.model import Severity
from corpusguard.report.summary import all_findings, counts, seconds_between

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import DocumentResult, Finding, RunResult


@dataclass(slots=True)
class Events:
    """The events of one run, in order."""

    _since: float = field(default_factory=time.monotonic)

    def begun(self, run: int, **facts: object) -> None:
        """Say that a run has begun; every line from here on carries its number."""
        logs.name_run(run)
        logs.get_logger().info("run begun", **facts)

    def document(self, corpus: str, result: DocumentResult) -> None:
        """Say that a document is done, and what the source got wrong about it."""
        now = time.monotonic()
        seconds, self._since = now - self._since, now
        _source_errors(result.findings)
        logs.get_logger().info(
            "document done",
            document=result.id,
            corpus=corpus,
            verdict=str(result.verdict),
            seconds=round(seconds, 3),
            passages=result.passages,
            verified_passages=result.verified_passages,
            **counts(result.findings),
            reused_from=result.reused_from,
        )

    def finished(self, result: RunResult, exit_code: int, head: str) -> None:
        """Say that the run has finished, and is stored."""
        _source_errors(result.findings)
        logs.get_logger().info(
            "run finished",
            verdict=str(result.verdict),
            exit_code=exit_code,
            seconds=seconds_between(result.started, result.finished),
            documents=len(result.documents),
            **counts(all_findings(result)),
            head=head,
        )

    def aborted(self, error: BaseException) -> None:
        """Say that the run ends without a result."""
        logs.get_logger().error("run aborted", reason=f"{type(error).__name__}: {error}")


def _source_errors(findings: Iterable[Finding]) -> None:
    for finding in findings:
        if finding.layer is None and finding.severity is Severity.ERROR:
            logs.get_logger().warning(
                "source error",
                rule=finding.rule,
                document=finding.document,
                message=finding.message,
            )
