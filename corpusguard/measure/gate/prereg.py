"""Preregistration: what is going to be measured, and the bars, written down before a sealed run.

::

    schema = "corpusguard/gate-preregistration/1"
    design = "quote-mode"
    fixture = "…"              # digest of the published fixture
    subject = "…"              # digest of the subject, as `measure gate ledger register` asks for
    why = "what is expected, and why"

    [upper]                    # bars on the upper bound of the 95% interval
    false_pass = 0.03
    "tier.verbatim" = 0.05
    [count]                    # bars on the number of errors
    "kind.dropped_condition" = 0
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError
from corpusguard.evidence.canonical import sha256_hex
from corpusguard.measure.gate.items import Kind, Tier

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA: Final = "corpusguard/gate-preregistration/1"
MAX_BYTES: Final = 64 * 1024

BARS: Final = frozenset(
    {
        "false_pass",
        "false_strip",
        "lost",
        "errors",
        "paired",
        *(f"kind.{kind}" for kind in Kind),
        *(f"tier.{tier}" for tier in Tier),
        *(f"{origin}.{what}" for origin in ("natural", "constructed") for what in ("pass", "lost")),
    }
)
"""Figures that a bar can stand on: see :mod:`corpusguard.measure.gate.figures`."""


@dataclass(frozen=True, slots=True)
class Preregistration:
    """What was promised."""

    digest: str
    """SHA-256, in hex, of the file's bytes."""
    design: str
    fixture: str
    subject: str
    why: str
    upper: Mapping[str, float]
    """Figure -> the most that the upper bound of its interval may be."""
    count: Mapping[str, int]
    """Figure -> the most errors."""


def load_preregistration(data: bytes, where: str) -> Preregistration:
    """Read a preregistration.

    Raises:
        ConfigError: It is none, or sets no bar on false passes.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{where} is larger than {MAX_BYTES} bytes", hint=_HINT)
    try:
        found = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is not TOML: {error}", hint=_HINT) from error
    known = {"schema", "design", "fixture", "subject", "why", "upper", "count"}
    unknown = sorted(found.keys() - known)
    if unknown or found.get("schema") != SCHEMA:
        said = f"unknown key {unknown[0]!r}" if unknown else f"schema is not {SCHEMA}"
        raise ConfigError(f"{where}: {said}", hint=_HINT)
    for key in ("design", "fixture", "subject", "why"):
        if not isinstance(found.get(key), str) or not found[key].strip():
            raise ConfigError(
                f"{where} says no {key}: it is missing or empty",
                hint=f'write {key} = "…"; docs/measuring-the-gate.md shows a preregistration',
            )
    upper = {name: float(value) for name, value in _bars(found, "upper", where).items()}
    count = _bars(found, "count", where)
    if "false_pass" not in upper:
        raise ConfigError(f"{where} sets no bar on false_pass under [upper]", hint=_HINT)
    if any(not 0 <= value <= 1 for value in upper.values()):
        raise ConfigError(f"{where}: a bar under [upper] is a share of 0 to 1", hint=_HINT)
    if any(not isinstance(value, int) or value < 0 for value in count.values()):
        raise ConfigError(f"{where}: a bar under [count] is a whole number", hint=_HINT)
    return Preregistration(
        sha256_hex(data),
        found["design"],
        found["fixture"],
        found["subject"],
        found["why"],
        upper,
        count,
    )


def proposal(design: str, fixture: str, subject: str) -> str:
    """Return a preregistration that still lacks its reason: it is refused until one is given.

    Raises:
        ConfigError: The design has no name.
    """
    if not design.strip():
        raise ConfigError("--design is empty", hint="name what is measured, as --design quoting")
    quoted = json.dumps(design, ensure_ascii=False)  # a TOML basic string takes the same escapes
    return f"""\
schema = "{SCHEMA}"
design = {quoted}
fixture = "{fixture}"
subject = "{subject}"
why = ""

[upper]
false_pass = 0.03
"tier.verbatim" = 0.05

[count]
"kind.dropped_condition" = 0
"""


def _bars(found: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    bars = found.get(key, {})
    if not isinstance(bars, dict):
        raise ConfigError(f"{where}: {key} is not a table", hint=_HINT)
    for name, value in bars.items():
        if name not in BARS:
            raise ConfigError(
                f"{where}: no figure {name!r} for a bar",
                hint=f"there are: {', '.join(sorted(BARS))}",
            )
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ConfigError(f"{where}: the bar on {name} is not a number", hint=_HINT)
    return bars


_HINT: Final = "docs/measuring-the-gate.md shows a preregistration"
