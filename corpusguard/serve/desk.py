"""``Desk``: what the servers ask, from any thread.

It follows the history file: where a backup was put in its place, or it was made only after the
server started, the next question opens the file that is there now. An open connection to a file
that is gone would go on answering from what was true then.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from corpusguard.errors import (
    ConfigError,
    CorpusguardError,
    HistoryBroken,
    NothingVerified,
    StorageError,
)
from corpusguard.gate.api import Gate
from corpusguard.gate.quoting import quote_record
from corpusguard.gate.reasons import look_up
from corpusguard.gate.record import decision_record
from corpusguard.gate.splitter import warm_up
from corpusguard.model import Verdict
from corpusguard.serve.storing import Storing
from corpusguard.service import Service
from corpusguard.service.opening import has_history, is_busy

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from corpusguard.config import Config
    from corpusguard.gate.model import Citation

    T = TypeVar("T")

LONGEST_QUOTE: Final = 8_000
"""Code points of words that ``verify_quote`` looks for: as the longest sentence of an answer."""
LONGEST_ID: Final = 1_000
"""Code points of a passage id, or of what is to be explained."""
_WAITS: Final = (0.2, 1.0)
"""Seconds before each new try where another process has history in use; SQLite itself waits 5."""
_HEALTH_SECONDS: Final = 5.0
_LARGEST_NUMBER: Final = 2**63 - 1
"""Of SQLite."""


class NoSuchThing(ConfigError):
    """There is no decision or rule of that name."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether answers can be checked, without anything that an outsider may not know."""

    status: str
    """``ok``; ``degraded``: a law does not verify, the text of one is too old, two rows have one
    id, or a store is gone: such passages support nothing, others do; ``unavailable``: none does,
    or no decision can be stored."""
    reason: str = ""
    """A word for the cause; empty where all is well."""
    documents: int = 0
    oldest_good: str = ""
    """When the document that waits longest last verified, UTC."""
    text_asked: str = ""
    """When the source was asked for the oldest text that passages verified against, UTC."""
    text_age_seconds: int | None = None
    verified_passages: int = 0
    too_old_passages: int = 0
    """Of the verified ones, those that the gate refuses for their age."""

    @property
    def serves(self) -> bool:
        """Whether answers can be checked."""
        return self.status != "unavailable"


class Desk:
    """The gate, status, decisions and rules of one project.

    Raises:
        ConfigError: A named corpus does not exist.
    """

    def __init__(self, config: Config, corpora: Collection[str] = ()) -> None:
        known = [corpus.name for corpus in config.corpora]
        for name in corpora:
            if name not in known:
                raise ConfigError(
                    f"there is no corpus {name!r}", hint=f"there are: {', '.join(known) or 'none'}"
                )
        self._config = config
        self._corpora = tuple(corpora)
        self._service = Service(config)
        self._lock = threading.Lock()
        self._open: _Open | None = None
        self._health_lock = threading.Lock()
        self._health: tuple[float, Health] | None = None
        self._storing = Storing(self._try_storing)
        warm_up()

    def close(self) -> None:
        """Close history, when the last question under way has been answered."""
        with self._lock:
            self._retire()

    def check(
        self, answer: str, citations: Iterable[Citation], *, shadow: bool = False
    ) -> dict[str, Any]:
        """Check an answer, and store the decision; the JSON of `check-answer`.

        Raises:
            ConfigError: The citations contradict each other, or are too many.
            NothingVerified: There is no history yet.
            CorpusUnreadable, StorageError: See ``Gate.check``.
        """
        cited = list(citations)
        try:
            found = self._ask(lambda gate: gate.check(answer, cited, shadow=shadow))
        except StorageError:
            self._storing.doubt()
            raise
        return decision_record(found)

    def verify_quote(self, passage: str, text: str) -> dict[str, Any]:
        """Say whether words are whole clauses of a verified passage; see ``Gate.verify_quote``.

        Raises:
            ConfigError: Id or words are empty or too long.
            NothingVerified, CorpusUnreadable, StorageError: As ``check``.
        """
        _bounded("the passage id", passage, LONGEST_ID)
        _bounded("the text", text, LONGEST_QUOTE)
        return quote_record(self._ask(lambda gate: gate.verify_quote(passage, text)))

    def status(self) -> dict[str, Any]:
        """Where each document of each corpus stands; the JSON of `status`.

        Raises:
            NothingVerified: There is no history yet.
            StorageError: History cannot be read.
        """
        self._require_history()
        return {"schema": "corpusguard/status/1", **asdict(_patiently(self._service.status))}

    def decision(self, number: int) -> dict[str, Any]:
        """Return a decision of history; the JSON of `decisions show`.

        Raises:
            NoSuchThing: There is none of that number.
            NothingVerified: There is no history yet.
            StorageError: History cannot be read.
        """
        self._require_history()
        if not 1 <= number <= _LARGEST_NUMBER:
            raise NoSuchThing(f"there is no decision {str(number)[:40]}", hint="they begin with 1")
        try:
            return _patiently(lambda: self._service.decision(number))
        except ConfigError as error:
            raise NoSuchThing(error.message, hint=error.hint) from error

    def explain(self, subject: str) -> dict[str, Any]:
        """Explain a rule, by id or name, a reason or outcome, or a decision, by number.

        Raises:
            NoSuchThing: There is none of them.
            ConfigError: It is empty or too long.
            NothingVerified, StorageError: As ``decision``.
        """
        _bounded("the subject", subject, LONGEST_ID)
        wanted = subject.strip()
        number = wanted.lower().removeprefix("decision").strip()
        if number.isascii() and number.isdigit() and len(number) <= 20:
            return self.decision(int(number))
        try:
            found = look_up(wanted, judged=False)
        except ConfigError as error:
            raise NoSuchThing(error.message, hint=error.hint) from error
        kinds = {"rule": found.rule, "reason": found.reason, "outcome": found.outcome}
        named = {kind: code for kind, code in kinds.items() if code}
        schema = next(iter(named), "word")
        return {"schema": f"corpusguard/{schema}/1", **named, "page": found.page}

    def health(self) -> Health:
        """Say whether answers can be checked; looked up anew every few seconds at most."""
        with self._health_lock:
            now = time.monotonic()
            if self._health is None or now - self._health[0] > _HEALTH_SECONDS:
                self._health = (now, self._look())
            return self._health[1]

    # Inside

    def _look(self) -> Health:
        try:
            self._require_history()
            found = _patiently(self._service.status)
            counting = {one.corpus for one in found.corpora if self._counts(one.corpus)}
            standing = _patiently(lambda: self._service.supporting(counting))
        except HistoryBroken:
            return Health("unavailable", "history_broken")
        except NothingVerified:
            return Health("unavailable", "nothing_verified")
        except CorpusguardError:
            return Health("unavailable", "history_unreadable")
        counted = [one for one in found.documents if self._counts(one.corpus)]
        ages = [one for one in standing if one.text_asked]
        marked = sum(one.verified_passages for one in found.corpora if one.corpus in counting)
        oldest = min(ages, key=lambda one: one.text_asked, default=None)
        health = Health(
            "ok",
            documents=len(counted),
            oldest_good=min(filter(None, (one.last_good for one in counted)), default=""),
            text_asked=oldest.text_asked if oldest else "",
            text_age_seconds=oldest.text_age_seconds if oldest else None,
            verified_passages=sum(one.verified_passages for one in ages),
            too_old_passages=sum(one.too_old_passages for one in ages),
        )
        rated = self._rated(health, marked, {one.verdict for one in counted})
        if not rated.serves:
            return rated
        try:
            fault = self._storing.fault(time.monotonic())
        except HistoryBroken:
            return Health("unavailable", "history_broken")
        except CorpusguardError:
            return Health("unavailable", "history_unreadable")
        return replace(rated, status="unavailable", reason=fault) if fault else rated

    def _try_storing(self) -> None:
        with self._gate() as gate:
            gate.try_storing()

    def _rated(self, health: Health, marked: int, verdicts: set[str]) -> Health:
        """Return ``health`` with status and reason, the worst first.

        Args:
            health: Its counts.
            marked: How many passages are marked verified, whether their ids are their own or not.
            verdicts: Of the documents.
        """
        none, some = replace(health, status="unavailable"), replace(health, status="degraded")
        if not health.verified_passages:
            ambiguous = replace(none, reason="ambiguous_ids")
            return ambiguous if marked else replace(none, reason="nothing_verified")
        if health.too_old_passages == health.verified_passages:
            return replace(none, reason="too_old")
        if health.too_old_passages:
            return replace(some, reason="too_old")
        if not verdicts <= {str(Verdict.VERIFIED)}:
            return replace(some, reason="not_verified")
        if health.verified_passages < marked:
            return replace(some, reason="ambiguous_ids")
        if not self._stores_are_there():
            return replace(some, reason="corpus_unreadable")
        return health

    def _stores_are_there(self) -> bool:
        """Tell whether the files that ids are looked up in can be opened; nothing is read."""
        return all(
            os.access(self._config.root / corpus.path, os.R_OK)
            for corpus in self._config.corpora
            if corpus.path and self._counts(corpus.name)
        )

    def _counts(self, corpus: str) -> bool:
        return not self._corpora or corpus in self._corpora

    def _require_history(self) -> None:
        if not has_history(self._config):
            raise NothingVerified(
                f"there is no history at {self._config.history} yet, so no passage has verified",
                hint="`corpusguard verify` writes it",
            )

    def _ask(self, question: Callable[[Gate], T]) -> T:
        def once() -> T:
            with self._gate() as gate:
                return question(gate)

        return _patiently(once)

    @contextmanager
    def _gate(self) -> Iterator[Gate]:
        """Lend the gate of the history that is there now."""
        with self._lock:
            found = self._identity()
            if self._open is None or self._open.identity != found:
                self._retire()
                # Opening can take seconds on a large history; who comes meanwhile would wait for
                # the same file anyway.
                self._open = _Open(Gate(self._config, corpora=self._corpora), found)
            lent = self._open
            lent.users += 1
        try:
            yield lent.gate
        except HistoryBroken:
            with self._lock:
                if self._open is lent:
                    self._retire()
            raise
        finally:
            with self._lock:
                lent.users -= 1
                lent.close_if_done()

    def _identity(self) -> tuple[int, int]:
        """Return which file history is.

        Raises:
            NothingVerified: There is none.
        """
        self._require_history()
        try:
            facts = self._config.history.stat()
        except OSError as error:
            raise StorageError(f"{self._config.history}: {error.strerror}") from error
        return facts.st_dev, facts.st_ino

    def _retire(self) -> None:
        """Lend the open gate no more; with the lock held."""
        if self._open is not None:
            self._open.retired = True
            self._open.close_if_done()
            self._open = None


@dataclass(slots=True)
class _Open:
    """A gate, the history file that it has open, and how many are using it."""

    gate: Gate
    identity: tuple[int, int]
    users: int = 0
    retired: bool = False

    def close_if_done(self) -> None:
        if self.retired and not self.users:
            self.gate.close()


def _bounded(what: str, text: str, longest: int) -> None:
    if not text.strip():
        raise ConfigError(f"{what} is empty", hint="give it a value")
    if len(text) > longest:
        raise ConfigError(
            f"{what} has {len(text)} characters, over the limit of {longest}",
            hint="ask for less at once",
        )


def _patiently(ask: Callable[[], T]) -> T:
    """Ask again where another process, such as a nightly run, has history in use."""
    for seconds in _WAITS:
        try:
            return ask()
        except CorpusguardError as error:
            if not is_busy(error):
                raise
        time.sleep(seconds)
    return ask()
