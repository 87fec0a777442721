"""The default gate as a subject of ``measure gate``: no model, no history, nothing but its rules.

What a fixture's item cites is taken as verified: how a passage comes to be verified is what the
verifier's own measurement is about.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpusguard.evidence.canonical import sha256_hex
from corpusguard.gate.core import conclude, examine, read
from corpusguard.gate.model import SHIPS, Citation, Door, Evidence, Rules
from corpusguard.measure.gate.outcomes import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.gate.core import Examined, Plan
    from corpusguard.gate.model import Decision as GateDecision

DEFAULT_GATE: Final = "corpusguard"
"""Its name as a subject."""
EQUIVALENTS: Final = "corpusguard-equivalents"
"""The design of experiments/quote-or-equivalent: whole clauses ship in equivalent words, too."""
VETOES_ALONE: Final = "corpusguard-vetoes"
"""The design of experiments/quote-or-no-veto: what is not quoted ships where no veto objects."""
_LOCATOR: Final = re.compile(r"^(\d+(?:\.\d+)*)\s", re.MULTILINE)
"""The section's number, as the passage prints it at the beginning of a line."""


@dataclass(frozen=True, slots=True)
class DefaultGate:
    """The gate as `check-answer` runs it where no judge is configured."""

    name: str = DEFAULT_GATE
    reply: str = ""
    """What a judge says to whatever it is asked; empty: there is none."""
    rules: Rules = field(default_factory=Rules)

    @property
    def facts(self) -> Mapping[str, str]:
        """Versions, and the digest of every file that a decision is made with."""
        listing = "".join(
            f"{sha256_hex(path.read_bytes())}  {name}\n"
            for name, path in sorted(_sources("corpusguard.gate.core").items())
        )
        return {
            "subject": self.name,
            "corpusguard": version("corpusguard-law"),
            "splitter": f"nupunkt {version('nupunkt')}",
            "judge": f"always {self.reply}" if self.reply else "none",
            "bounds": repr(self.rules),
            "rules": f"sha256:{sha256_hex(listing.encode())}",
        }

    def decide(self, sentence: str, passages: Sequence[tuple[str, str]]) -> str:
        """Check the sentence as an answer of its own that cites these passages.

        It ships only whole: an answer of which a part is removed is not the sentence any more.
        """
        return self.reasoned(sentence, passages)[0]

    def reasoned(self, sentence: str, passages: Sequence[tuple[str, str]]) -> tuple[str, str]:
        """Return the decision, and why the sentence does not ship."""
        plan, examined = examined_alone(sentence, passages, self.rules)
        replies = dict.fromkeys(examined.questions, self.reply) if self.reply else {}
        decision = conclude(plan, examined, replies)
        return measured_decision(decision), measured_reason(decision)


def examined_alone(
    sentence: str, passages: Sequence[tuple[str, str]], rules: Rules
) -> tuple[Plan, Examined]:
    """Examine a sentence as an answer of its own that cites these passages, all verified."""
    evidence = {name: _verified(name, text) for name, text in passages}
    plan = read(sentence, [Citation(name) for name in evidence], rules)
    return plan, examine(plan, evidence)


def measured_decision(decision: GateDecision) -> Decision:
    """Return what a decision of the gate is in a measurement."""
    doors = {one.door for one in decision.sentences}
    if Door.ERROR in doors:
        return Decision.ERROR
    return Decision.SHIPS if doors and doors <= SHIPS else Decision.STRIPPED


def measured_reason(decision: GateDecision) -> str:
    """Return the reason of the first sentence that does not ship, else that of the whole."""
    removed = [one.reason for one in decision.sentences if one.door not in SHIPS]
    return str(next(iter(removed), decision.reason or ""))


SUBJECTS: Final = {
    DEFAULT_GATE: DefaultGate(),
    EQUIVALENTS: DefaultGate(EQUIVALENTS, rules=Rules(equivalents=True)),
    VETOES_ALONE: DefaultGate(VETOES_ALONE, "SUPPORTED"),
}
"""Name -> the gate, in a design of its own."""


def _sources(module: str) -> dict[str, Path]:
    """Return the project's modules that ``module`` is made of, by name, itself among them.

    What they import is read from their text, so that nothing else of the project counts: a change
    of the command line does not make the gate another one.
    """
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        # What the package exports, beside its core, is not what decides.
        spec = find_spec(name) if name not in {*found, "corpusguard.gate"} else None
        if spec is None or spec.origin is None:
            continue
        found[name] = Path(spec.origin)
        for node in ast.walk(ast.parse(found[name].read_bytes())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("corpusguard."):
                inner = [f"{node.module}.{one.name}" for one in node.names]
                waiting += [node.module or "", *(one for one in inner if _is_module(one))]
    return found


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module, not a package
        return False


def _verified(name: str, text: str) -> Evidence:
    found = _LOCATOR.search(text)
    return Evidence(name, None, text=text, section=found[1] if found else "")
