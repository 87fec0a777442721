"""What is done around a scheduled run, as its schedule says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from corpusguard.errors import StorageError
from corpusguard.report import FORMATS
from corpusguard.report.files import write_folder
from corpusguard.schedule import After

if TYPE_CHECKING:
    from corpusguard.config import Config
    from corpusguard.model import RunResult
    from corpusguard.schedule import Schedule

_REPORTS: Final = ("markdown", "json")


def heard_by(config: Config, schedule: Schedule) -> Config:
    """Return the configuration as far as it tells those whom ``schedule`` tells.

    Metrics stay: a file that nobody asked to write would not be configured.
    """
    return replace(
        config,
        notify=config.notify if After.NOTIFY in schedule.after else None,
        ping=config.ping if After.PING in schedule.after else None,
    )


def after_run(config: Config, schedule: Schedule, result: RunResult) -> None:
    """Write the report that ``schedule`` asks for.

    Raises:
        StorageError: a report could not be written.
    """
    if After.REPORT in schedule.after:
        folder = config.root / schedule.reports
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"could not make the folder {folder}: {error.strerror or error}",
                hint=f"name another one as `reports` of schedule {schedule.name}",
            ) from error
        target = folder / f"run-{result.run:06}"
        texts = {FORMATS[name].filename: FORMATS[name].render(result) for name in _REPORTS}
        write_folder(target, texts)
