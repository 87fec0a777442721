"""Airflow: verify every night, let the gate decide, index behind it.

Needs ``apache-airflow`` (written against 3.3), and ``corpusguard-law`` on the workers. Put this
file into the DAGs folder and set ``CORPUSGUARD_CONFIG`` on the workers.

The tasks must run where history and snapshots are: one worker, or a volume with file locks.
"""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pendulum
from airflow.sdk import dag, task
from airflow.sdk.exceptions import AirflowException, AirflowFailException

CONFIG = os.environ.get("CORPUSGUARD_CONFIG", "corpusguard.toml")
ALLOWED = Path(CONFIG).resolve().parent / "allowed.jsonl"
LOCKED = 75


def _corpusguard(*words):
    """Run corpusguard; fail without a retry on all but a lock, which goes away by itself."""
    command = [sys.executable, "-m", "corpusguard", "--quiet", "--config", CONFIG, *words]
    code = subprocess.run(command, check=False).returncode
    if code == LOCKED:
        raise AirflowException("another run holds the lock")
    if code != 0:
        # Findings and unreachable sources do not go away by trying again at once: corpusguard has
        # tried politely already.
        raise AirflowFailException(f"corpusguard {words[0]} ended with exit code {code}")


@dag(
    schedule="30 3 * * *",
    start_date=pendulum.datetime(2026, 1, 1, tz="America/Toronto"),
    catchup=False,
    max_active_runs=1,
    tags=["law"],
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
)
def law():
    """Verify, gate, index."""

    @task(execution_timeout=timedelta(hours=3))
    def verify():
        _corpusguard("verify")

    @task
    def gate():
        _corpusguard("check-corpus", "--max-age", "36h", "--passages", str(ALLOWED))

    @task
    def index():
        """Index the rows that ALLOWED names by id and digest, no others."""

    # The default rule, all_success, is what makes this a gate: leave it.
    verify() >> gate() >> index()


law()
