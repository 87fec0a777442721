"""What to call before and after a run. Nothing here raises: a run that was made is a run.

run_id = before(config)
result = service.verify(…)          # failed(config, exit_code=…, reason=…) where this raises
problems = after(config, history, result, exit_code=code, run_id=run_id)
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from corpusguard import __version__, logs
from corpusguard.notify import metrics
from corpusguard.notify.channels import send, unusable
from corpusguard.notify.decide import decide, remember
from corpusguard.notify.facts import failed_night, figures_of, night_of, now, since, unix_time
from corpusguard.notify.metrics import Figures
from corpusguard.notify.ping import ATTEMPTS, ping
from corpusguard.notify.told import load, save, told_path
from corpusguard.report.summary import all_findings, plural, tally
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.config import Config
    from corpusguard.history import History
    from corpusguard.model import RunResult
    from corpusguard.notify.night import Night

STOPPED_CODES: Final = frozenset({130, 143})
QUIET_CODES: Final = STOPPED_CODES | {2, 75}
"""Ends without a result that nobody is written to about: a wrong option, another run that holds
the lock, a person or a system that stopped it. The dead-man check hears of them all the same."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A run that has begun."""

    run_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Joins its log lines and its two pings."""
    problems: tuple[str, ...] = ()


def before(config: Config) -> Begun:
    """Begin: give the run an id for the logs, and ping the dead-man check.

    Returns:
        What to give to ``after`` or ``failed``.
    """
    run_id = logs.begin_run()
    problems: list[str] = []
    if config.ping:
        _guarded(problems, "ping", lambda: _ping(config, "start", run_id, ""))
    return Begun(run_id, tuple(problems))


def after(  # noqa: PLR0913 (the facts of one run)
    config: Config,
    history: History,
    result: RunResult,
    *,
    exit_code: int,
    begun: Begun | None = None,
    asked: bool | None = None,
) -> list[str]:
    """Tell people, ping and count, each as far as configured.

    Args:
        config: ``notify``, ``ping`` and ``metrics`` of it are heeded.
        history: The history that holds the run, finished.
        result: What the run says.
        exit_code: What its process will end with.
        begun: What ``before`` returned; None: no start was pinged.
        asked: True: send a message even if it says nothing new; False: send none.

    Returns:
        What did not work, a line each, without secrets; logged as warnings too.
    """
    begun = begun or Begun()
    problems = [*begun.problems]
    if config.notify and asked is not False:
        _guarded(
            problems,
            "notify",
            lambda: _tell(
                config,
                night_of(config, history, result, exit_code),
                history,
                problems,
                asked=asked is True,
            ),
        )
    if config.ping:
        _guarded(
            problems,
            "ping",
            lambda: _ping(
                config,
                str(exit_code),
                begun.run_id,
                _summary(history, result, exit_code),
            ),
        )
    if config.metrics:
        path, failures = config.metrics.path, len(problems)

        def count() -> str:
            figures = figures_of(config, history, result, exit_code)
            metrics.write(path, replace(figures, notify_failures=failures))
            return ""

        _guarded(problems, "metrics", count)
    return problems


def failed(
    config: Config,
    *,
    exit_code: int,
    reason: str,
    begun: Begun | None = None,
    asked: bool | None = None,
) -> list[str]:
    """Tell of a run that ended without a result, as ``after`` tells of one that has one.

    Args:
        config: As for ``after``.
        exit_code: What the process will end with.
        reason: Why, as the person who reads the message should know it.
        begun: As for ``after``.
        asked: False: send no message.
    """
    begun = begun or Begun()
    problems = [*begun.problems]
    reason = logs.redacted(reason)
    if config.notify and asked is not False and exit_code not in QUIET_CODES:
        night = failed_night(config, exit_code, reason)
        _guarded(problems, "notify", lambda: _tell(config, night, None, problems, asked=False))
    if config.ping:
        body = f"corpusguard {__version__}: the run failed (exit {exit_code})\n{safe(reason)}\n"
        _guarded(
            problems,
            "ping",
            lambda: _ping(
                config,
                str(exit_code),
                begun.run_id,
                body,
                # Whoever stopped it waits for it to end.
                attempts=1 if exit_code in STOPPED_CODES else ATTEMPTS,
            ),
        )
    if config.metrics:
        path = config.metrics.path
        moment = unix_time(now())
        figures = Figures(moment, exit_code, notify_failures=len(problems))

        def count() -> str:
            metrics.amend(path, figures)
            return ""

        _guarded(problems, "metrics", count)
    return problems


def _guarded(problems: list[str], what: str, work: Callable[[], str]) -> None:
    """Do ``work``; keep as a problem, and log, what it returns or raises."""
    try:
        reason = work()
    except Exception as error:  # noqa: BLE001 (whatever it is, the run's own result stands)
        reason = f"{type(error).__name__}: {error}"
    if reason:
        _problem(problems, what, reason)


def _problem(problems: list[str], what: str, reason: str) -> None:
    line = clip(safe(logs.redacted(f"{what}: {reason}")), 400)
    problems.append(line)
    logs.get_logger().warning("not told", what=what, reason=reason)


def _tell(
    config: Config, night: Night, history: History | None, problems: list[str], *, asked: bool
) -> str:
    """Send each channel what its people do not know yet."""
    if config.notify is None:
        return ""
    path = told_path(config.history)
    known = load(path)
    repeat_after = config.notify.repeat_after_seconds
    for channel in config.notify.channels:
        told = known.get(channel)
        seen = since(night, config, history, told) if history else night
        message = decide(told, seen, repeat_after, asked=asked)
        reason = send(channel, message) if message else unusable(channel)
        if reason:
            _problem(problems, f"notify {channel}", reason)
        elif message:
            logs.get_logger().info("told", channel=channel, kind=str(message.kind))
            known[channel] = remember(told, seen, repeat_after)
            # At once: if the next channel is the end of this process, nobody is told twice.
            save(path, {name: known[name] for name in config.notify.channels if name in known})
    return ""


def _ping(config: Config, signal: str, run_id: str, body: str, *, attempts: int = ATTEMPTS) -> str:
    if config.ping is None:
        return ""
    return ping(config.ping.variable, signal, run_id, body, attempts=attempts)


def _summary(history: History, result: RunResult, exit_code: int) -> str:
    """Return the body of the last ping: figures, no law, and the head of the evidence chain.

    The head is kept by another machine so that a history whose last runs are cut off can be told
    from a whole one.
    """
    verified = sum(document.verified_passages for document in result.documents)
    passages = sum(document.passages for document in result.documents)
    documents = plural(len(result.documents), "document")
    checked = f"{verified:,} of {plural(passages, 'passage')} verified in {documents}"
    lines = [
        f"{result.tool}, run {result.run}: {result.verdict} (exit {exit_code})",
        f"{tally(all_findings(result))}; {checked}",
    ]
    head = history.head()
    if head is not None:
        lines.append(f"head {head[0]} (run {head[1]})")
    lines += [f"{document.verdict} {safe(document.id)}" for document in result.documents]
    return "\n".join(lines) + "\n"
