"""Dagster: the stored law as an asset, and a blocking check before anything is built of it.

Needs ``dagster`` (written against 1.13) and ``corpusguard-law``. A failed check of severity ERROR
with ``blocking=True`` keeps downstream assets from being materialised in the same run.

    CORPUSGUARD_CONFIG=corpusguard.toml dagster dev -f dagster_law.py
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import dagster as dg

CONFIG = os.environ.get("CORPUSGUARD_CONFIG", "corpusguard.toml")
MAX_AGE = "36h"


def _corpusguard(*words):
    """Run corpusguard in a process of its own; return its exit code and what it printed."""
    command = [sys.executable, "-m", "corpusguard", "--quiet", "--config", CONFIG, *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


@dg.asset
def stored_law():
    """The corpus: put your ingestion here, or make this an external asset."""


@dg.asset_check(asset=stored_law, blocking=True)
def verified_against_the_source():
    """Verify, then ask the gate: it passes only if that run verified exactly these rows."""
    code, _, problem = _corpusguard("verify")
    gate, answer, refused = _corpusguard("check-corpus", "--max-age", MAX_AGE, "--format", "json")
    passed = code == 0 and gate == 0
    found = json.loads(answer) if answer.lstrip().startswith("{") else {}
    reasons = [
        f"{one['reason']} {one['document']}: {one['message']}" for one in found.get("reasons", [])
    ]
    return dg.AssetCheckResult(
        passed=passed,
        severity=dg.AssetCheckSeverity.ERROR,
        metadata={
            "verify_exit_code": code,
            "gate_exit_code": gate,
            "corpus_root": found.get("root", ""),
            "run": found.get("run", 0),
            # Law text and names are data, and no Markdown.
            "reasons": dg.MetadataValue.text("\n".join(reasons[:20]) or refused or problem),
        },
    )


@dg.asset(deps=[stored_law])
def index():
    """The index: reads the gate's list once more, and takes no row that is not in it."""
    with tempfile.TemporaryDirectory() as folder:
        allowed = Path(folder) / "allowed.jsonl"
        code, _, problem = _corpusguard(
            "check-corpus", "--max-age", MAX_AGE, "--passages", str(allowed)
        )
        if code != 0:
            raise dg.Failure(f"the gate refused the corpus (exit {code}): {problem}")
        lines = allowed.read_text("utf-8").splitlines()
    rows = {(row["id"], row["digest"]) for row in map(json.loads, lines)}
    # Index here the rows whose id and sha256 of the text are in `rows`.
    return dg.MaterializeResult(metadata={"passages": len(rows)})


defs = dg.Definitions(
    assets=[stored_law, index],
    asset_checks=[verified_against_the_source],
    schedules=[
        dg.ScheduleDefinition(
            name="nightly",
            target=dg.AssetSelection.all(),
            cron_schedule="30 3 * * *",
            execution_timezone="America/Toronto",
        )
    ],
)
