"""The gate against the loopback e-Laws: what a night finds decides what is indexed next day."""

from __future__ import annotations

import json

import pytest

from corpusguard.service import Asked
from tests.replica.replica import Fault
from tests.replica.test_nights import Nights, amended
from tests.unit.cli.conftest import call


@pytest.fixture
def nights(tmp_path, replica):
    made = Nights(tmp_path, replica)
    made.ingest()
    return made


def gate(nights, **options):
    return nights.service().gate.check(Asked(**options))


def reasons(found):
    return [str(one.reason) for one in found.all_refusals]


def test_an_amendment_closes_the_gate_until_the_corpus_follows(nights):
    """Verified: open. Amended: closed by the night that finds it. Ingested, not verified: closed."""
    nights.night()
    found = gate(nights)
    assert (found.outcome, [one.claim.asked_source for one in found.passing]) == ("pass", [True])

    nights.replica.publish(amended())
    nights.night()
    found = gate(nights)
    assert (found.exit_code, reasons(found)) == (1, ["violated"])

    nights.ingest()
    found = gate(nights)
    assert (found.exit_code, reasons(found)) == (3, ["corpus_changed"])

    nights.night()
    assert gate(nights).outcome == "pass"


def test_a_night_that_could_not_verify_closes_the_gate(nights):
    """Unverifiable is never a pass, however young the run before is."""
    nights.night()
    nights.replica.misbehave(Fault.SERVER_ERROR)
    nights.night(refetch=True)
    found = gate(nights)
    assert (found.exit_code, reasons(found)) == (3, ["unverifiable"])
    nights.replica.behave()
    nights.night(refetch=True)
    assert gate(nights).outcome == "pass"


def test_verify_now_asks_the_source(nights):
    """The gate by itself does not see what no run has seen; --verify does, on the command line."""
    nights.night()
    nights.replica.publish(amended())
    assert gate(nights).outcome == "pass"
    config = nights.folder / "corpusguard.toml"
    done = call("check-corpus", "--verify", "-q", "--format", "json", "-c", config)
    assert done.exit_code == 1, done.output
    answer = json.loads(done.stdout)
    assert (answer["run"], [one["reason"] for one in answer["reasons"]]) == (2, ["violated"])
