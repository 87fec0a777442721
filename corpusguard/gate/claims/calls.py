"""Calls: each in a process of its own, each written to the trace before its reply is used."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.claims.roles import prompt_of
from corpusguard.gate.judges.command import Command
from corpusguard.gate.judges.model import MAX_ANSWER, Completion, ModelError
from corpusguard.gate.judges.process import Child, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.claims.model import Role
    from corpusguard.gate.claims.trace import Trace

_NETWORK: Final = (
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy",
    "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""How this machine reaches the network; httpx reads them."""
_START_SECONDS: Final = 30.0
"""For a process to start on a busy machine, on top of the judge's own timeout."""


class Calls:
    """Asks the two tiers.

    Args:
        cheap: judge of triage, resolution and verification.
        expensive: judge of adjudication.
        root: folder in which commands run.
        trace: where every call is kept.
    """

    def __init__(self, cheap: JudgeSpec, expensive: JudgeSpec, root: Path, trace: Trace) -> None:
        self._tiers = {"cheap": cheap, "expensive": expensive}
        self._root = root
        self._trace = trace
        self.spent: list[tuple[str, Role, Completion]] = []
        """(tier, role, completion) of each call that came back."""

    async def ask(self, tier: str, role: Role, inputs: Mapping[str, Any]) -> str:
        """Make one call and return the raw reply.

        Raises:
            ModelError: No whole reply came.
            StorageError: The call could not be written down, so its reply must not be used.
        """
        spec = self._tiers[tier]
        entry: dict[str, Any] = {
            "event": "call",
            "role": str(role),
            "tier": tier,
            "judge": spec.label,
            "inputs": dict(inputs),
            "started": datetime.now(UTC).isoformat(),
            "parent_pid": os.getpid(),
        }
        begun = time.monotonic()
        try:
            found = await self._complete(spec, role, inputs)
        except (ModelError, ValueError) as error:
            entry |= {"error": str(error), "seconds": round(time.monotonic() - begun, 3)}
            self._trace.add(entry)
            if isinstance(error, ModelError):
                raise
            raise ModelError(str(error)) from error
        entry |= {
            "pid": found.pid,
            "reply": found.text,
            "input_tokens": found.input_tokens,
            "output_tokens": found.output_tokens,
            "counted": found.counted,
            "attempts": found.attempts,
            "seconds": round(time.monotonic() - begun, 3),
        }
        self._trace.add(entry)
        self.spent.append((tier, role, found))
        return found.text

    async def _complete(self, spec: JudgeSpec, role: Role, inputs: Mapping[str, Any]) -> Completion:
        if spec.kind == "command":  # a process of its own already
            return await Command(spec, self._root).complete(prompt_of(role, inputs))
        question = {"role": str(role), "judge": asdict(spec), "inputs": dict(inputs)}
        key = (spec.key,) if spec.key else ()
        child = Child(
            name=f"{spec.name}: the process of the call",
            # Isolated: neither the folder nor the environment can put another module in the way.
            arguments=(sys.executable, "-I", "-m", "corpusguard.gate.claims.worker"),
            folder=self._root,
            environment=(*_NETWORK, *key),
            timeout_seconds=spec.timeout_seconds + _START_SECONDS,
            max_output=8 * MAX_ANSWER,
        )
        output, pid = await run(child, json.dumps(question).encode("ascii"))
        return _read(spec, output, pid)


def _read(spec: JudgeSpec, output: bytes, pid: int) -> Completion:
    try:
        value = json.loads(output)
        if "error" in value:
            raise ModelError(str(value["error"]), hint=str(value["hint"]))
        if value["pid"] != pid or value["ppid"] != os.getpid():
            raise ModelError(f"{spec.name}: another process answered than the one that was asked")
        return replace(Completion(**value["completion"]), pid=pid)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{spec.name}: the process of the call answered unreadably") from error
