"""The summary of a step of GitHub Actions."""

import os
from pathlib import Path
from typing import Final

from corpusguard.errors import ConfigError, StorageError
from corpusguard.model import RunResult
from corpusguard.report import markdown
from corpusguard.report.files import encode

VARIABLE: Final = "GITHUB_STEP_SUMMARY"
MAX_BYTES: Final = 1_048_576
"""A step's summary that is larger is not shown at all (GitHub's documentation of job summaries)."""


def summary_file() -> Path:
    """Return the file that the runner names; asked before a long run.

    Raises:
        ConfigError: It names none, or something else than a regular file.
    """
    name = os.environ.get(VARIABLE, "")
    if not name:
        raise ConfigError(
            f"--step-summary: {VARIABLE} is not set",
            hint="GitHub Actions sets it; elsewhere take --format markdown --output FILE.",
        )
    path = Path(name)
    if path.exists() and not path.is_file():
        raise ConfigError(f"{VARIABLE}: {path} is not a regular file", hint="Name a file.")
    return path


def append_summary(path: Path, result: RunResult) -> None:
    """Append the report to what the step has written already, as far as it fits.

    Raises:
        StorageError: The file cannot be written.
    """
    try:
        with path.open("ab") as stream:
            room = MAX_BYTES - stream.tell() - 1
            stream.write(encode("\n" + markdown.render(result, max(room, 0))))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise StorageError(
            f"could not write {path}: {error.strerror or error}",
            hint=f"Free some space, or set {VARIABLE} to another file.",
        ) from error
