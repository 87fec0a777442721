"""The trace of one check: JSON lines, on disk after every event, whole or not at all.

From it alone can be seen what each call was given and which process made it: that a verifier saw
claim and source and no other verdict, and that the adjudicator saw two verdicts and neither. Keys
and addresses are not in it; what the calls were given is, so it is as confidential as the claims.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from corpusguard.errors import StorageError
from corpusguard.gate.judges.prompt import as_json
from corpusguard.report.files import write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA = "corpusguard/claim-trace/1"


class Trace:
    """Events of one check.

    Args:
        path: the file; it must not be there yet.

    Raises:
        StorageError: It is there, or cannot be written.
    """

    def __init__(self, path: Path, claim: str) -> None:
        self.path = path
        self._lines: list[str] = []
        if path.exists():
            raise StorageError(
                f"{path} is there already", hint="Name another --trace; none is overwritten."
            )
        self.add(
            {
                "event": "begin",
                "schema": SCHEMA,
                "started": datetime.now(UTC).isoformat(),
                "pid": os.getpid(),
                "claim": claim,
            }
        )

    @classmethod
    def new(cls, folder: Path, claim: str) -> Trace:
        """Begin a trace under a name of its own in ``folder``, which is made if need be."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"could not make the folder {folder}: {error.strerror or error}",
                hint="Name a file with --trace.",
            ) from error
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        return cls(folder / f"claim-{moment}-{secrets.token_hex(4)}.jsonl", claim)

    def add(self, event: Mapping[str, Any]) -> None:
        """Append an event and bring it to disk.

        Raises:
            StorageError: It is not there.
        """
        numbered = {"seq": len(self._lines), **event}
        if "inputs" in event:
            digest = hashlib.sha256(json.dumps(event["inputs"], sort_keys=True).encode())
            numbered["inputs_sha256"] = digest.hexdigest()
        self._lines.append(as_json(numbered))
        write_file(self.path, "\n".join(self._lines) + "\n")
