"""Figures of the last run as a Prometheus text file, for node_exporter's textfile collector."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.errors import StorageError
from corpusguard.report.files import write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SEVERITIES: Final = ("error", "warning", "note")
LAYERS: Final = ("L1", "L2", "L3", "none")
STATES: Final = ("new", "open", "regressed", "resolved")
_NAME: Final = "corpusguard_"
FETCH_ERRORS: Final = _NAME + "fetch_errors_total"
MAX_BYTES: Final = 50_000_000
_LABEL: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """What the file tells; a figure that is None is left out, for a wrong one would be believed."""

    last_run: float
    """When the last run ended, in seconds since 1970."""
    exit_code: int
    duration: float | None = None
    last_success: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """(corpus, document) -> when the last run that verified it by all layers ended; 0: never."""
    findings: Mapping[tuple[str, str, str], int] | None = None
    """(severity, layer, state) -> how many."""
    oldest_verified: float | None = None
    """When the passage that has gone longest without being verified again last was; of those that
    count as verified."""
    verified_passages: int | None = None
    passages: int | None = None
    coverage_ratio: float | None = None
    fetch_errors: int = 0
    """Of this run."""
    notify_failures: int = 0
    """Messages and pings of this run that did not arrive, and channels that can't be used."""


def render(figures: Figures, fetch_errors_before: int) -> str:
    """Return the text of the file.

    Args:
        figures: What to tell.
        fetch_errors_before: The counter's value so far: it counts over runs.
    """
    found: list[str] = []

    def add(name: str, kind: str, about: str, samples: Mapping[Labels, float | int | None]) -> None:
        known = [(labels, value) for labels, value in samples.items() if value is not None]
        if known:
            found.extend([f"# HELP {name} {about}", f"# TYPE {name} {kind}"])
            found.extend(f"{name}{_labels(labels)} {_number(value)}" for labels, value in known)

    def gauge(name: str, about: str, value: float | None) -> None:
        add(_NAME + name, "gauge", about, {(): value})

    gauge("last_run_timestamp_seconds", "When the last run ended.", figures.last_run)
    add(
        _NAME + "last_success_timestamp_seconds",
        "gauge",
        "When the last run that verified the document by all layers ended; 0: never.",
        {
            (("corpus", corpus), ("document", document)): moment
            for (corpus, document), moment in sorted(figures.last_success.items())
        },
    )
    add(
        _NAME + "findings",
        "gauge",
        "Findings of the last run, and those that it resolved.",
        _all_findings(figures.findings),
    )
    gauge(
        "oldest_verified_passage_timestamp_seconds",
        "Start of the run that last verified the passage that has waited longest.",
        figures.oldest_verified,
    )
    gauge(
        "verified_passages",
        "Stored passages that the last run verified.",
        figures.verified_passages,
    )
    gauge("passages", "Stored passages that the last run looked at.", figures.passages)
    gauge(
        "coverage_ratio",
        "Words of law in force that verified passages cover, of all in scope.",
        figures.coverage_ratio,
    )
    add(
        FETCH_ERRORS,
        "counter",
        "Documents that the source gave no usable answer for, over all runs.",
        {(): fetch_errors_before + figures.fetch_errors},
    )
    gauge("run_duration_seconds", "How long the last run took.", figures.duration)
    gauge("run_exit_code", "Exit code of the last run.", figures.exit_code)
    gauge(
        "notify_failures",
        "Messages and pings of the last run that did not arrive.",
        figures.notify_failures,
    )
    return "\n".join(found) + "\n"


def write(path: Path, figures: Figures) -> None:
    """Replace the file, whole or not at all.

    Raises:
        StorageError: It could not be written; the old one is still there.
    """
    before = _read(path)
    match = re.search(rf"^{FETCH_ERRORS} ([0-9]{{1,15}})$", before, re.MULTILINE)
    # A counter whose file was lost begins at 0 again, as counters do.
    _put(path, render(figures, int(match[1]) if match else 0))


def amend(path: Path, figures: Figures) -> None:
    """Tell of a run that ended without a result: what the last one found stays in the file.

    Were the time of the last success to go, an alarm on its age would go quiet too.

    Raises:
        StorageError: It could not be written; the old one is still there.
    """
    fresh = dict(_samples(render(figures, 0)))
    own = (_NAME + "last_run_timestamp_seconds", _NAME + "run_exit_code", _NAME + "notify_failures")
    kept = dict(_samples(_read(path)))
    merged = kept | {name: fresh[name] for name in own}
    _put(path, "".join(merged.values()))


def _samples(text: str) -> list[tuple[str, str]]:
    """Return (name, its lines) of each metric of a file that ``render`` made."""
    return [(block.split(" ", 1)[0], f"# HELP {block}") for block in text.split("# HELP ") if block]


def _put(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"could not make {path.parent}: {error.strerror or error}",
            hint="check [metrics] path, and who may write there",
        ) from error
    write_file(path, text)


def _read(path: Path) -> str:
    """Return the file as it is, empty where there is none or it is not ours."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _all_findings(
    findings: Mapping[tuple[str, str, str], int] | None,
) -> dict[Labels, float | int | None]:
    """Return every combination: a series that comes and goes hides the change from 0 to 1."""
    if findings is None:
        return {}
    return {
        (("severity", severity), ("layer", layer), ("state", state)): findings.get(
            (severity, layer, state), 0
        )
        for severity in SEVERITIES
        for layer in LAYERS
        for state in STATES
    }


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    pairs = (f'{name}="{_escaped(value)}"' for name, value in labels)
    return "{" + ",".join(pairs) + "}"


def _escaped(value: str) -> str:
    return value.translate(_LABEL)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.15g}"
