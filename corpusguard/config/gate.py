"""``[[judge]]`` and ``[gate]``: which models may be asked, and for what.

A judge is a model behind an HTTP endpoint or a command of the user's. Keys are secrets, so the
configuration names the environment variable that holds one; it is read only when a judge is asked.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from corpusguard.config.table import nearest
from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from corpusguard.config.table import Table

KINDS: Final = ("openai", "anthropic", "command")
MAX_JUDGES: Final = 20
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
MEMORY_FILES: Final = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "GEMINI.md",
    "MEMORY.md",
    "memory/**",
    "memories/**",
    ".claude/memory/**",
)
"""Where agents keep what they will believe next time."""
MEMORY_SKIP: Final = (".git",)
"""Folders in which nobody's memory is: branches may be called ``memory/…``."""
ACCEPTED: Final = ".corpusguard-memory.json"
SCOPES: Final = ("all", "legal")
WORDS: Final = ("own", "equivalent")

_PARAMETERS: Final[Mapping[str, type]] = {
    "max_completion_tokens": int,
    "max_tokens": int,
    "reasoning_effort": str,
    "seed": int,
    "temperature": float,
    "top_p": float,
}
"""What a user may add to a request. Nothing here can give a model a tool or another prompt."""
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_FILE: Final = re.compile(r"(?:.*/)?(?!\.+$)[A-Za-z0-9._-]{1,100}")
"""A path whose last part is a plain name: shell commands are searched for it."""


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """One ``[[judge]]``."""

    name: str
    kind: str
    """``openai`` (chat completions), ``anthropic`` (messages) or ``command``."""
    url: str = ""
    """Full address that is posted to; https, or http on a loopback address."""
    model: str = ""
    """Sent as ``model``; empty: left out, for a server that has one model."""
    key: str = ""
    """Name of the environment variable that holds the API key; empty: none is sent."""
    command: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    """Names of the variables that the command gets besides PATH, HOME and the locale."""
    timeout_seconds: float = 60.0
    """For one call with all its attempts."""
    parameters: tuple[tuple[str, int | float | str], ...] = ()
    price_input: float = 0.0
    """Of a million input tokens, in any currency that all judges share; 0: not known."""
    price_output: float = 0.0

    @property
    def label(self) -> str:
        """Name and model, as written with each decision."""
        return f"{self.name} ({self.model})" if self.model else self.name


@dataclass(frozen=True, slots=True)
class GateSpec:
    """``[gate]``: which judge does what, and which files are an agent's memory."""

    judge: str = ""
    """Of the sentence gate; empty: it quotes only."""
    cheap: str = ""
    """Of triage, resolution and verifiers of ``check-claim``."""
    expensive: str = ""
    """Of its adjudicator."""
    memory_files: tuple[str, ...] = MEMORY_FILES
    memory_skip: tuple[str, ...] = MEMORY_SKIP
    """Folders in which ``hook memory-check`` does not look for them."""
    memory_accepted: str = ACCEPTED
    """Where it keeps what they said when they were last accepted; relative to the configuration."""
    words: str = "own"
    """``own``: the sentence gate ships whole clauses in the law's own words only; ``equivalent``:
    also in words that its table holds for the same."""
    memory_claims: str = "all"
    """``all``: every statement is a claim; ``legal``: those that speak of law."""


def load_judges(tables: Sequence[Table]) -> tuple[JudgeSpec, ...]:
    """Turn every ``[[judge]]`` into its spec.

    Raises:
        ConfigError: a key is unknown, missing, or not as documented; a name comes twice.
    """
    if len(tables) > MAX_JUDGES:
        raise tables[0].fail("name", len(tables), f"at most {MAX_JUDGES} judges")
    specs = tuple(_judge(table) for table in tables)
    for number, spec in enumerate(specs):
        if spec.name in {other.name for other in specs[:number]}:
            raise tables[number].fail("name", spec.name, "each judge its own name")
    return specs


def load_gate(table: Table | None, judges: Sequence[JudgeSpec]) -> GateSpec:
    """Turn ``[gate]`` into its spec.

    Raises:
        ConfigError: a key is unknown or not as documented, or names no judge.
    """
    if table is None:
        return GateSpec()
    names = [spec.name for spec in judges]
    chosen = {key: table.text(key, "") for key in ("judge", "cheap", "expensive")}
    for key, name in chosen.items():
        if name and name not in names:
            raise table.fail(
                key, name, "the name of a [[judge]]", nearest(name, names) or "Add a [[judge]]."
            )
    if bool(chosen["cheap"]) != bool(chosen["expensive"]):
        raise table.fail("cheap", chosen["cheap"], "both `cheap` and `expensive`, or neither")
    files = table.texts("memory_files")
    skip = table.texts("memory_skip")
    accepted = table.text("memory_accepted", ACCEPTED)
    if not _FILE.fullmatch(accepted):
        raise table.fail("memory_accepted", accepted, "a file whose name is letters, digits, . _ -")
    spec = GateSpec(
        **chosen,
        memory_files=files or MEMORY_FILES,
        memory_skip=skip or MEMORY_SKIP,
        memory_accepted=accepted,
        words=table.choice("words", WORDS, "own"),
        memory_claims=table.choice("memory_claims", SCOPES, "all"),
    )
    table.done()
    return spec


def judge_named(judges: Sequence[JudgeSpec], name: str, file: Path, purpose: str) -> JudgeSpec:
    """Return the judge of that name.

    Raises:
        ConfigError: none is configured for this purpose.
    """
    for spec in judges:
        if spec.name == name:
            return spec
    names = [spec.name for spec in judges]
    if name and names:
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
        raise ConfigError(
            f"{file}: no [[judge]] is named {name!r}; there are: {', '.join(names)}",
            hint=f"Did you mean `{close[0]}`?"
            if close
            else "Name one of these, or add a [[judge]] of that name.",
        )
    raise ConfigError(
        f"{file}: no judge is configured for {purpose}",
        hint="Add a [[judge]] and name it in [gate]; docs/check-claim.md shows how.",
    )


def _judge(table: Table) -> JudgeSpec:
    name = table.text("name")
    if len(name) > 80:
        raise table.fail("name", name, "at most 80 characters")
    kind = table.choice("kind", KINDS)
    timeout = table.number("timeout", 60.0, 0.1, 600.0)
    prices = [table.number(key, 0.0, 0.0, 1e6) for key in ("price_input", "price_output")]
    if kind == "command":
        command = table.texts("command")
        if not command:
            raise table.fail("command", list(command), "a program and its arguments")
        environment = table.texts("environment")
        for variable in environment:
            if not _NAME.fullmatch(variable):
                raise table.fail("environment", variable, "names of environment variables")
        spec = JudgeSpec(
            name,
            kind,
            command=command,
            environment=environment,
            timeout_seconds=timeout,
            price_input=prices[0],
            price_output=prices[1],
        )
    else:
        spec = JudgeSpec(
            name,
            kind,
            url=_address(table),
            model=table.text("model", ""),
            key=_key(table),
            timeout_seconds=timeout,
            parameters=_parameters(table),
            price_input=prices[0],
            price_output=prices[1],
        )
    table.done()
    return spec


def _address(table: Table) -> str:
    url = table.text("url")
    try:
        parts = urlsplit(url)
        _ = parts.port  # out of range, it raises only when it is asked for
    except ValueError:
        raise table.fail("url", url, "an address") from None
    if parts.username is not None or parts.password is not None:
        raise table.fail("url", "(not shown)", 'no user or password; use key = "${NAME}"')
    if not parts.hostname or not url.isascii() or not url.isprintable() or " " in url:
        raise table.fail("url", url, "an address")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise table.fail("url", url, "https, or http on a loopback address")
    return url


def _key(table: Table) -> str:
    """Return NAME of ``${NAME}``; anything else may be a secret and is not shown."""
    value = table.take("key")
    if value is None:
        return ""
    match = _VARIABLE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise table.fail(
            "key",
            "(not shown)",
            'the name of an environment variable that holds the key, as in "${JUDGE_KEY}"',
            'Put the key into an environment variable and write key = "${NAME}".',
        )
    return match[1]


def _parameters(table: Table) -> tuple[tuple[str, int | float | str], ...]:
    value = table.take("parameters")
    if value is None:
        return ()
    if not isinstance(value, dict):
        raise table.fail("parameters", value, "a table such as { temperature = 0 }")
    for name, item in value.items():
        kind = _PARAMETERS.get(name)
        if kind is None:
            raise table.fail(
                "parameters",
                name,
                f"only {', '.join(_PARAMETERS)}",
                nearest(name, tuple(_PARAMETERS)),
            )
        fits = isinstance(item, (int, float)) if kind is float else isinstance(item, kind)
        if not fits or isinstance(item, bool):
            raise table.fail(f"parameters.{name}", item, f"a value of type {kind.__name__}")
    return tuple(sorted(value.items()))
