"""``corpusguard-baseline.json``: canonical text, one finding a line, so that a review can read it.

The same entries give the same bytes, and only those bytes are accepted: what a reviewer sees in a
diff is all that there is.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError
from corpusguard.ignores.apply import differs, looked_for
from corpusguard.ignores.entries import Baseline, Entry, shown
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.ignores.apply import Looked
    from corpusguard.model import Finding

SCHEMA: Final = "corpusguard/baseline/1"
FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}")
DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_TOP: Final = ("schema", "run", "head", "finished", "findings")
_KEYS: Final = tuple(field.name for field in fields(Entry))
_RUN_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z"
)
_REMAKE: Final = (
    "take the last good version of the file from your version control, or move it away and run "
    "`corpusguard baseline create`"
)


def entry_of(finding: Finding, corpus: str) -> Entry:
    """Return a finding as a list names it."""
    return Entry(
        fingerprint=finding.fingerprint,
        rule=finding.rule,
        corpus=corpus,
        document=finding.document,
        section=shown(finding.section),
        passage=shown(finding.passage),
        official=finding.official_digest,
        stored=finding.stored_digest,
    )


def baseline_text(baseline: Baseline) -> str:
    """Return the file of a baseline, in ASCII."""
    head = {
        "schema": SCHEMA,
        "run": baseline.run,
        "head": baseline.head,
        "finished": baseline.finished,
    }
    lines = [json.dumps(asdict(entry)) for entry in sorted(baseline.entries, key=_order)]
    body = ",\n".join(lines)
    opened = json.dumps(head)[:-1]
    return f'{opened}, "findings": [\n{body}\n]}}\n'


def baseline_from(data: bytes, name: str) -> Baseline:
    """Return the baseline that ``data`` is.

    Args:
        data: The bytes of the file.
        name: What to call the file in messages.

    Raises:
        ConfigError: It is not such a file, or not byte for byte as ``baseline_text`` writes it.
    """
    try:
        # A version control may have changed the ends of lines, and nothing else.
        text = data.decode("utf-8").replace("\r\n", "\n")
        top = json.loads(text)
        baseline = _baseline(top)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ConfigError(f"{name}: not a baseline: {error}"[:400], hint=_REMAKE) from error
    if baseline_text(baseline) != text:
        raise ConfigError(f"{name}: not as corpusguard writes it", hint=_REMAKE)
    if len({entry.fingerprint for entry in baseline.entries}) != len(baseline.entries):
        raise ConfigError(f"{name}: a finding is listed twice", hint=_REMAKE)
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    return Baseline(baseline.run, baseline.head, baseline.finished, baseline.entries, digest)


def dropped(baseline: Baseline, looked: Looked) -> list[tuple[Entry, str]]:
    """Return the entries that may go, each with why; nothing is ever added.

    Args:
        baseline: The list.
        looked: What the newest runs found, and where they looked.
    """
    gone = []
    for entry in baseline.entries:
        there = looked.found.get(entry.fingerprint)
        if there is not None:
            why = differs(entry, *there)
        else:
            why = "resolved" if looked_for(entry, looked) else ""
        if why:
            gone.append((entry, why))
    return gone


def _order(entry: Entry) -> tuple[str, ...]:
    return (entry.corpus, entry.document, entry.rule, entry.section, entry.fingerprint)


def _baseline(top: Any) -> Baseline:  # noqa: ANN401 - JSON
    _check_keys(top, _TOP, "the file")
    if top["schema"] != SCHEMA:
        raise ValueError(f"its schema is not {SCHEMA}")
    run, head, finished = top["run"], top["head"], top["finished"]
    # As far as canonical JSON goes (RFC 8785): a run's record names the baseline's.
    if type(run) is not int or not 1 <= run < 2**53:
        raise ValueError("run is not a number of a run")
    if not (isinstance(head, str) and DIGEST.fullmatch(head)):
        raise ValueError("head is not sha256: and 64 hex digits")
    if not (isinstance(finished, str) and _RUN_TIME.fullmatch(finished)):
        raise ValueError("finished is not a time such as 2026-01-31T03:00:00Z")
    # As for an ignore, a day's grace: the clock of another machine may be ahead.
    if datetime.fromisoformat(finished) > datetime.now(UTC) + timedelta(days=1):
        raise ValueError(f"finished is {finished}, which has not come yet")
    if not isinstance(top["findings"], list):
        raise TypeError("findings is not a list")
    return Baseline(run, head, finished, tuple(_entry(one) for one in top["findings"]))


def _entry(one: Any) -> Entry:  # noqa: ANN401 - JSON
    _check_keys(one, _KEYS, "a finding")
    if not all(isinstance(one[key], str) for key in _KEYS):
        raise TypeError("a finding holds something else than text")
    entry = Entry(**one)
    if not FINGERPRINT.fullmatch(entry.fingerprint):
        raise ValueError("a fingerprint is not 16 hex digits")
    if entry.rule not in RULES:
        raise ValueError(f"there is no rule {entry.rule[:20]!r}")
    if not (DIGEST.fullmatch(entry.official) and DIGEST.fullmatch(entry.stored)):
        raise ValueError("a digest is not sha256: and 64 hex digits")
    return entry


def _check_keys(value: Any, keys: tuple[str, ...], what: str) -> None:  # noqa: ANN401 - JSON
    if not isinstance(value, dict):
        raise TypeError(f"{what} is not an object")
    for key in value:
        if key not in keys:
            raise ValueError(f"{what} has the unknown key {key[:40]!r}; known: {', '.join(keys)}")
    for key in keys:
        if key not in value:
            raise ValueError(f"{what} lacks {key!r}")
