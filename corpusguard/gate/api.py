"""``Gate``: the sentence gate on a project's history.

    from corpusguard.gate import Gate

    gate = Gate.open("corpusguard.toml")
    decision = gate.check("The Warden shall keep a register. [p-6]", ["p-6"])
    print(decision.text if decision.ships else decision.detail)

Without a judge checking needs no network: passages come from the corpus, what is known of them from
history. A judge is asked where ``[gate] judge`` names one, or the caller brings one along. One
thread of the gate's own talks to history, so that a gate may be used from any thread and from an
event loop. ``acheck`` reads and examines an answer in threads too: a long one takes seconds, in
which the loop has other tasks.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Self

from corpusguard.config import load_config
from corpusguard.config.gate import judge_named
from corpusguard.errors import ConfigError
from corpusguard.gate import core
from corpusguard.gate.judges import AT_ONCE, judge_seconds, make_judge
from corpusguard.gate.judging import JudgeError
from corpusguard.gate.model import Citation, Decision, Rules
from corpusguard.gate.passages import evidence_of
from corpusguard.gate.quoting import check_quote
from corpusguard.gate.record import decision_record
from corpusguard.gate.splitter import warm_up
from corpusguard.service.gate import GateDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import ParamSpec, TypeVar

    from corpusguard.config import Config
    from corpusguard.gate.core import Examined, Plan
    from corpusguard.gate.judging import Judge
    from corpusguard.gate.model import Evidence, SentenceDecision
    from corpusguard.gate.quoting import QuoteCheck

    P = ParamSpec("P")
    T = TypeVar("T")

_EXAMINERS: Final = 4
"""Answers that ``acheck`` splits or examines at once."""

Cited = Mapping[str, str | None] | Iterable[str | Citation]
"""Passages that an answer rests on: ids, ``Citation`` objects, or a mapping of ids to texts."""


class Gate:
    """Checks answers against verified passages; made by ``Gate.open``, closed after use.

    Every check is stored in history before it is returned. What cannot be stored is not returned:
    nothing ships that could not be explained later.
    """

    def __init__(
        self,
        config: Config,
        *,
        corpora: Collection[str] = (),
        judge: Judge | None = None,
        rules: Rules | None = None,
        shadow: bool = False,
    ) -> None:
        self._rules = rules or _rules(config)
        self._judge = judge
        self._shadow = shadow
        self._closed = False
        self._closing = threading.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="corpusguard-gate")
        # Not the loop's own threads, which other tasks may keep for as long as they like.
        self._examiners = ThreadPoolExecutor(_EXAMINERS, thread_name_prefix="corpusguard-examine")
        try:
            self._desk = self._call(GateDesk, config, tuple(corpora))
        except BaseException:
            self._thread.shutdown()
            raise

    @classmethod
    def open(
        cls,
        config: str | Path | None = None,
        *,
        corpora: Collection[str] = (),
        judge: Judge | Literal["configured"] | None = "configured",
        rules: Rules | None = None,
        shadow: bool = False,
    ) -> Self:
        """Open the gate of a project.

        Args:
            config: ``corpusguard.toml``; default: looked for upward from the working folder.
            corpora: Names of the corpora that count; default: all of the configuration.
            judge: Asked last about what is not quoted; default: the one that ``[gate] judge``
                names. None, or none named: nothing ships but whole clauses, in the law's own
                words or, where the rules say so, in equivalent ones.
            rules: Bounds of a check; default: ``Rules()`` with ``[gate] words`` of the
                configuration, in which a configured judge has at least its own ``timeout``.
            shadow: Decide and store, but let every answer through unchanged.

        Raises:
            ConfigError: The configuration is wrong, or names no such corpus or judge.
            NothingVerified: No run has been made yet.
            StorageError: History cannot be opened.
        """
        warm_up()
        loaded = load_config(Path(config) if config is not None else None)
        if judge == "configured":
            judge, seconds = _configured(loaded)
            rules = rules or replace(_rules(loaded), judge_seconds=seconds)
        return cls(loaded, corpora=corpora, judge=judge, rules=rules, shadow=shadow)

    def close(self) -> None:
        """Close history; the gate cannot be used any more. A second time does nothing."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self._examiners.shutdown()
        with self._closing:  # so that no check comes after it, when history is closed
            last = self._thread.submit(self._desk.close)
            self._thread.shutdown(wait=False)
        last.result()
        self._thread.shutdown()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close history."""
        self.close()

    def check(self, answer: str, citations: Cited = (), *, shadow: bool = False) -> Decision:
        """Decide whether ``answer`` may be shown, and store the decision.

        Args:
            answer: What the model wrote, with ``[marker]`` after each sentence; see
                ``core.read`` for an answer without any.
            citations: The passages that it may cite. Their texts are compared with what verified;
                where none is given, the stored text is read.
            shadow: Let this answer through unchanged, whatever is decided.

        Returns:
            The decision. ``decision.text`` is what may be shown, and is empty where withheld.

        Raises:
            ConfigError: The answer is no text, the citations contradict each other, the gate was
                closed, or one with a judge is used from a running event loop (use ``acheck``).
            CorpusUnreadable: A store cannot be read.
            StorageError: History cannot be read, or the decision not stored.
        """
        plan = self._read(answer, citations)
        examined = core.examine(plan, self._call(self._evidence, plan))
        replies = self._ask_and_wait(examined) if self._judge and examined.questions else {}
        decision = self._concluded(answer, plan, examined, replies, shadow=shadow)
        return self._call(self._stored, decision)

    async def acheck(self, answer: str, citations: Cited = (), *, shadow: bool = False) -> Decision:
        """Do what ``check`` does, from an event loop."""
        self._usable()
        cited = _citations(citations)
        plan = await self._in(self._examiners, self._read, answer, cited)
        evidence = await self._in(self._thread, self._evidence, plan)
        examined = await self._in(self._examiners, core.examine, plan, evidence)
        replies = await self._ask(examined) if self._judge and examined.questions else {}
        conclude = partial(self._concluded, answer, plan, examined, replies, shadow=shadow)
        decision = await self._in(self._examiners, conclude)
        return await self._in(self._thread, self._stored, decision)

    def verify_quote(self, passage: str, text: str) -> QuoteCheck:
        """Say whether ``text`` quotes whole clauses of a passage that verified; stores nothing.

        Raises:
            CorpusUnreadable: A store cannot be read.
            StorageError: History cannot be read.
        """
        self._usable()
        known = evidence_of(self._call(self._desk.look_up, {passage: None})[passage])
        return check_quote(known, text, self._rules)

    def try_storing(self) -> None:
        """Make sure that a decision could be stored now; nothing is left of the attempt.

        Raises:
            StorageError: It could not, or another process has history in use just now.
        """
        self._usable()
        self._call(self._desk.try_storing)

    # Inside

    def _read(self, answer: str, citations: Cited) -> Plan:
        self._usable()
        if not isinstance(answer, str):
            raise ConfigError(
                f"the answer is {type(answer).__name__}, not text",
                hint="where a model gave none, there is nothing to check; give its text",
            )
        return core.read(answer, _citations(citations), self._rules)

    def _usable(self) -> None:
        if self._closed:
            raise ConfigError(
                "this gate was closed", hint="check within `with Gate.open(…) as gate:`, or open it"
            )

    def _call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._begun(self._thread, function, *args, **kwargs).result()

    async def _in(
        self, pool: Executor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await asyncio.wrap_future(self._begun(pool, function, *args, **kwargs))

    def _begun(
        self, pool: Executor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        try:
            with self._closing:
                return pool.submit(function, *args, **kwargs)
        except RuntimeError:
            self._usable()  # closed meanwhile, in the middle of this check
            raise

    def _evidence(self, plan: Plan) -> dict[str, Evidence]:
        wanted = {one.id: one.text for one in plan.wanted}
        if not wanted:
            return {}
        return {name: evidence_of(one) for name, one in self._desk.look_up(wanted).items()}

    def _concluded(
        self,
        answer: str,
        plan: Plan,
        examined: Examined,
        replies: Mapping[int, object],
        *,
        shadow: bool,
    ) -> Decision:
        shadow = shadow or self._shadow
        judge = self._judge.name if self._judge else ""
        decision = core.conclude(plan, examined, replies, judge)
        return replace(
            decision,
            sentences=tuple(
                _with_reply(one, replies.get(number))
                for number, one in enumerate(decision.sentences)
            ),
            checked=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            shadow=shadow,
            text=answer if shadow else decision.text,
        )

    def _stored(self, decision: Decision) -> Decision:
        number = self._desk.record(
            checked=decision.checked,
            outcome=decision.outcome.value,
            reason=decision.reason.value if decision.reason else "",
            body=decision_record(decision),
        )
        return replace(decision, number=number)

    def _ask_and_wait(self, examined: Examined) -> dict[int, object]:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self._ask(examined))
        raise ConfigError(
            "check() with a judge was called from a running event loop", hint="await acheck()"
        )

    async def _ask(self, examined: Examined) -> dict[int, object]:
        """Ask the judge every question, some at once; what it raises is its reply."""
        if self._judge is None:
            return {}
        judge, seconds = self._judge, self._rules.judge_seconds
        free = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> tuple[int, object]:
            async with free:
                try:
                    async with asyncio.timeout(seconds):
                        return number, await judge.judge(examined.questions[number])
                except asyncio.CancelledError:
                    task = asyncio.current_task()
                    if task is not None and task.cancelling():
                        raise
                    return number, JudgeError("the judge was cancelled")
                except TimeoutError:
                    return number, JudgeError(f"the judge gave no reply in {seconds:g} seconds")
                except Exception as error:  # noqa: BLE001 - whatever it is, nothing ships
                    return number, error

        return dict(await asyncio.gather(*(one(number) for number in examined.questions)))


def _rules(config: Config) -> Rules:
    return Rules(equivalents=config.gate.words == "equivalent")


def _configured(config: Config) -> tuple[Judge | None, float]:
    """Return the judge that the configuration names, if any, and the seconds that it gets.

    Raises:
        ConfigError: It names one that is not there.
    """
    if not config.gate.judge:
        return None, Rules().judge_seconds
    spec = judge_named(config.judges, config.gate.judge, config.file, "the sentence gate")
    return make_judge(spec, config.root), judge_seconds(spec)


def _citations(cited: Cited) -> list[Citation]:
    if isinstance(cited, str):
        raise ConfigError("citations are one text, not a list", hint="give a list of passage ids")
    if isinstance(cited, Mapping):
        return [Citation(name, text) for name, text in cited.items()]
    found = list(cited)
    for one in found:
        if not isinstance(one, (str, Citation)):
            raise ConfigError(
                f"a citation is a {type(one).__name__}, neither a passage id nor a Citation",
                hint='give ids, a mapping of ids to texts, or Citation("id", text, marker) of '
                "corpusguard.gate; objects like {'id': …} are for JSON alone",
            )
    return [one if isinstance(one, Citation) else Citation(one) for one in found]


def _with_reply(one: SentenceDecision, reply: object) -> SentenceDecision:
    """Note which text a judge replied with; its own words, of any length, are not kept."""
    return replace(one, reply=core.digest(reply)) if type(reply) is str else one
