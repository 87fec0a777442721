"""What is done after a scheduled run, as its schedule says."""

from __future__ import annotations

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


def after_run(config: Config, schedule: Schedule, result: RunResult) -> None:
    """Do what ``schedule`` asks for after a run.

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
