"""What `measure gate` measures, and what it says of a judge and of errors."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from corpusguard.cli.base import choice
from corpusguard.errors import ConfigError
from corpusguard.report.summary import plural

if TYPE_CHECKING:
    from corpusguard.measure.gate.outcomes import Outcome
    from corpusguard.measure.gate.subjects import AnySubject, Subject

_MOST_REASONS: Final = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that name a subject; one of the first three is given."""

    subject: str | None
    command: str | None
    judge: str | None
    config: Path | None
    timeout: float = 60.0
    """Seconds that ``command`` may think."""


@contextmanager
def chosen_subject(asked: Asked) -> "Iterator[AnySubject]":
    """Open the subject that the options name.

    Raises:
        ConfigError: They name none, several, or one that is not there.
    """
    from corpusguard.gate.measured import SUBJECTS  # noqa: PLC0415
    from corpusguard.measure.gate.command import CommandSubject  # noqa: PLC0415
    from corpusguard.measure.gate.subjects import BUILT_IN  # noqa: PLC0415

    known: dict[str, Subject] = {**SUBJECTS, **BUILT_IN}
    given = [one for one in (asked.subject, asked.command, asked.judge) if one is not None]
    if len(given) != 1:
        raise ConfigError(
            "name one subject" if not given else "name one subject, not several",
            hint=f'--judge NAME of the configuration, --command "python judge.py", '
            f"or --subject {'|'.join(known)}",
        )
    if asked.subject is not None:
        yield known[choice(asked.subject, known, "--subject")]
    elif asked.judge is not None:
        yield _judged(asked.judge, asked.config)
    else:
        try:
            words = shlex.split(asked.command or "")
        except ValueError as error:
            raise ConfigError(
                f"--command {asked.command!r}: {error}", hint="close the quotes"
            ) from error
        with CommandSubject(words, asked.timeout) as own:
            yield own


def _judged(name: str, config: Path | None) -> "AnySubject":
    from corpusguard.config import load_judging  # noqa: PLC0415
    from corpusguard.config.gate import judge_named  # noqa: PLC0415
    from corpusguard.gate.judged import JudgedGate  # noqa: PLC0415

    found = load_judging(config)
    spec = judge_named(found.judges, name, found.file, "--judge")
    return JudgedGate(spec, found.root, equivalents=found.gate.words == "equivalent")


def told_of_judge(found: Mapping[str, Any]) -> list[str]:
    """Return what to say of the judge: how often it was asked, what it replied, what it cost."""
    judge = found.get("judge")
    if judge is None:
        return []
    if not judge["asked"]:
        return ["the judge was asked nothing: every item is a quotation or was stopped by a veto"]
    replies = ", ".join(f"{number} {what}" for what, number in judge["replies"].items())
    about = "" if judge["counted"] else " (estimated)"
    tokens = f"{judge['input_tokens']} + {judge['output_tokens']} tokens{about}"
    price = "" if judge["price"] is None else f", {judge['price']:g} by its prices"
    again = f"; {judge['again']} asked again after an error" if judge["again"] else ""
    calls = plural(judge["calls"], "call")
    return [
        f"judge: {calls} on {plural(judge['asked'], 'item')}: {replies}{again}",
        f"cost: {tokens}{price}",
    ]


def told_of_gaps(found: Mapping[str, Any]) -> list[str]:
    """Return what the fixture cannot show, because it has no such items, or too few families."""
    shares = found["figures"]["shares"]
    lines = []
    for name, what in (("false_pass", "unsupported"), ("lost", "supported")):
        rate = name.replace("_", " ")
        if not shares[name]["total"]:
            lines.append(f"no {what} item was decided on: this says nothing of {rate}")
        elif shares[name]["families"] == 1:
            lines.append(
                f"all {what} items are of one family, which is one case: {rate} is bounded by 100%"
            )
    return lines


def told_of_errors(errors: "Sequence[Outcome]") -> list[str]:
    """Return the commonest reasons of errors, each with its number and the next step."""
    reasons = Counter((one.reason, one.hint) for one in errors)
    lines = []
    for (reason, hint), number in reasons.most_common(_MOST_REASONS):
        lines.append(f"{plural(number, 'error')}: {reason}")
        if hint:
            lines.append(f"  next: {hint}")
    if len(reasons) > _MOST_REASONS:
        lines.append(f"and {len(reasons) - _MOST_REASONS} other reasons")
    return lines
