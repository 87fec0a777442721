"""Find and load the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from corpusguard.config.corpus import load_corpus
from corpusguard.config.gate import GateSpec, load_gate, load_judges
from corpusguard.config.schedules import check_schedules, load_schedule
from corpusguard.config.sources import load_source
from corpusguard.config.table import Table, nearest, read_toml
from corpusguard.config.telling import TABLES, load_metrics, load_notify, load_ping
from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from corpusguard.config.gate import JudgeSpec
    from corpusguard.config.telling import MetricsSpec, NotifySpec, PingSpec
    from corpusguard.model import CorpusSpec, SourceSpec
    from corpusguard.schedule import Schedule

FILE_NAME: Final = "corpusguard.toml"
IGNORE_FILE: Final = "corpusguard-ignore.toml"
BASELINE_FILE: Final = "corpusguard-baseline.json"
IGNORE_DAYS: Final = 90
_PYPROJECT: Final = "pyproject.toml"
_BESIDE: Final = ("corpus", "judge", "gate", *TABLES)
"""Tables that stand beside ``[corpusguard]``, and inside ``[tool.corpusguard]``."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; every path in it is relative to ``root`` or absolute."""

    root: Path
    """Folder of the configuration file."""
    history: Path
    """The history database."""
    snapshots: Path
    """Folder of the captured official bytes."""
    sources: tuple[SourceSpec, ...]
    corpora: tuple[CorpusSpec, ...]
    """Paths in a corpus are as written; readers resolve them against ``root``."""
    notify: NotifySpec | None = None
    ping: PingSpec | None = None
    metrics: MetricsSpec | None = None
    schedules: tuple[Schedule, ...] = ()
    file: Path = Path(FILE_NAME)
    """The configuration file itself, absolute where it was read from one."""
    head_file: Path | None = None
    """Where each run writes the head of history's chain; None: nowhere."""
    ignore_file: Path = Path(IGNORE_FILE)
    """Findings that a person takes out of the exit code; there need not be one."""
    ignore_days: int = IGNORE_DAYS
    """Most days that an ignore may last."""
    baseline_file: Path = Path(BASELINE_FILE)
    """Findings that were there when the corpus was taken into care; there need not be one."""
    judges: tuple[JudgeSpec, ...] = ()
    gate: GateSpec = field(default_factory=GateSpec)
    schedule_files: tuple[Path, ...] = ()
    """The files that ``schedules`` were read from."""


def load_config(path: Path | None = None) -> Config:
    """Load the configuration.

    Args:
        path: ``corpusguard.toml`` or a ``pyproject.toml``; when ``None``, the nearest one from the
            current folder upward is taken, and in one folder ``corpusguard.toml`` comes first.

    Raises:
        ConfigError: there is none, or something in it is wrong.
    """
    file = _find(Path.cwd()) if path is None else Path(path)
    data = own_tables(file)
    top = Table(data, file, "top level")
    settings = top.table("corpusguard")
    root = file.resolve().parent
    notify, ping, metrics = (top.optional_table(name) for name in TABLES)
    judges = load_judges(top.tables("judge"))
    names = settings.texts("sources")
    if not names:
        raise settings.fail(
            "sources", list(names), 'at least one source file, as in sources = ["sources/….toml"]'
        )
    schedule_files = tuple(root / name for name in settings.texts("schedules"))
    config = Config(
        root=root,
        history=root / settings.text("history", "history.db"),
        snapshots=root / settings.text("snapshots", "snapshots"),
        sources=tuple(load_source(root / name, name) for name in names),
        corpora=tuple(load_corpus(table) for table in top.tables("corpus")),
        notify=load_notify(notify) if notify else None,
        ping=load_ping(ping) if ping else None,
        metrics=load_metrics(metrics, root) if metrics else None,
        schedules=tuple(map(load_schedule, schedule_files)),
        file=file.resolve(),
        head_file=_head_file(settings, root),
        ignore_file=root / settings.text("ignore_file", IGNORE_FILE),
        ignore_days=settings.integer("ignore_days", IGNORE_DAYS, 1, 3_660),
        baseline_file=root / settings.text("baseline_file", BASELINE_FILE),
        judges=judges,
        gate=load_gate(top.optional_table("gate"), judges),
        schedule_files=schedule_files,
    )
    settings.done()
    top.done()
    _check_together(config, file)
    return config


@dataclass(frozen=True, slots=True)
class Judging:
    """The judges of a configuration, and what they do."""

    file: Path
    root: Path
    """Folder of the configuration file, in which commands run."""
    judges: tuple[JudgeSpec, ...]
    gate: GateSpec


def load_judging(path: Path | None = None) -> Judging:
    """Load ``[[judge]]`` and ``[gate]`` alone: a model is measured without a corpus or a source.

    Args:
        path: As in :func:`load_config`.

    Raises:
        ConfigError: there is no configuration, or one of these two tables is wrong.
    """
    file = _find(Path.cwd()) if path is None else Path(path)
    top = Table(own_tables(file), file, "top level")
    judges = load_judges(top.tables("judge"))
    gate = load_gate(top.optional_table("gate"), judges)
    return Judging(file.resolve(), file.resolve().parent, judges, gate)


def _head_file(settings: Table, root: Path) -> Path | None:
    name = settings.text("head_file", "")
    return root / name if name else None


def _find(start: Path) -> Path:
    for folder in (start, *start.parents):
        own = folder / FILE_NAME
        if own.is_file():
            return own
        project = folder / _PYPROJECT
        if project.is_file() and _tool_table(read_toml(project)) is not None:
            return project
    raise ConfigError(
        f"no {FILE_NAME} in {start} or above it",
        hint="Run `corpusguard init` to write one, or name one with --config.",
    )


def own_tables(file: Path) -> dict[str, Any]:
    """Return our tables in the layout of ``corpusguard.toml``, whichever file holds them."""
    data = read_toml(file)
    if file.name != _PYPROJECT:
        return data
    tool = _tool_table(data)
    if tool is None:
        raise ConfigError(
            f"{file}: no [tool.corpusguard]", hint="Add it, or run `corpusguard init`."
        )
    settings = {key: value for key, value in tool.items() if key not in _BESIDE}
    return {"corpusguard": settings} | {key: tool[key] for key in _BESIDE if key in tool}


def _tool_table(data: dict[str, Any]) -> dict[str, Any] | None:
    tool = data.get("tool")
    own = tool.get("corpusguard") if isinstance(tool, dict) else None
    return own if isinstance(own, dict) else None


def _check_together(config: Config, file: Path) -> None:
    """Check what no table can see alone: names used twice, and documents nobody lists."""
    owner: dict[str, str] = {}
    for source in config.sources:
        for document in source.documents:
            if document.id in owner:
                raise ConfigError(
                    f"{file}: {document.id} is listed in {owner[document.id]} and {source.path}",
                    hint="List each document in one source file.",
                )
            owner[document.id] = source.path
    seen: set[str] = set()
    for corpus in config.corpora:
        if corpus.name in seen:
            raise ConfigError(
                f'{file}: two corpora are named "{corpus.name}"', hint="Give each its own name."
            )
        seen.add(corpus.name)
        if corpus.document and corpus.document not in owner:
            raise ConfigError(
                f'{file}: [[corpus]] "{corpus.name}" document: {corpus.document} is in no source',
                hint=f"{nearest(corpus.document, tuple(owner))} Or add it as [[document]].",
            )
    check_schedules(
        config.schedules,
        file,
        corpora=tuple(seen),
        documents=tuple(owner),
        told=[name for name in TABLES if getattr(config, name) is not None],
    )
