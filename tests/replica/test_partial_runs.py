"""A run of one layer that finds nothing takes back nothing that a night of all layers found."""

from __future__ import annotations

import pytest

from corpusguard.config import load_config
from corpusguard.serve.desk import Desk
from tests.replica.test_answers import FIVE, answer, gate_of
from tests.replica.test_nights import Nights, amended
from tests.unit.cli.conftest import call


@pytest.fixture
def nights(tmp_path, replica):
    made = Nights(tmp_path, replica)
    made.ingest()
    return made


def seen(nights):
    """What `status` exits with, the verdict it shows, health, and whether section 5 ships."""
    config = nights.folder / "corpusguard.toml"
    desk = Desk(load_config(config))
    try:
        health = desk.health()
    finally:
        desk.close()
    with gate_of(nights) as gate:
        decision = gate.check(answer(nights, "5"), [FIVE])
    (document,) = nights.service().status().documents
    code = call("status", "-c", config).exit_code
    return code, document.verdict, health.status, decision.outcome.value


WRONG = (1, "violated", "degraded", "withheld")
RIGHT = (0, "verified", "ok", "shipped")


@pytest.mark.parametrize("first", [("L1", "L2", "L3"), ("L1",)])
@pytest.mark.parametrize("later", ["L2", "L3"])
def test_an_amendment_stays_told_after_a_run_of_another_layer(nights, first, later):
    nights.night()
    assert seen(nights) == RIGHT
    nights.replica.publish(amended())
    nights.night(layers=first)
    assert seen(nights) == WRONG
    for _ in range(2):
        nights.night(layers=(later,))
        assert seen(nights) == WRONG


def test_a_run_of_all_layers_takes_it_back(nights):
    nights.night()
    nights.replica.publish(amended())
    nights.night()
    nights.ingest()
    nights.night(layers=("L1",))
    assert seen(nights)[:2] == (1, "violated")
    nights.night()
    nights.night(layers=("L3",))
    with gate_of(nights) as gate:
        new = answer(nights, "5").replace("dusk to dawn", "noon to noon")
        assert gate.check(new, [FIVE]).outcome.value == "shipped"
    assert seen(nights)[:3] == RIGHT[:3]


def test_a_layer_that_alone_was_wrong_is_right_when_it_says_so_itself(nights):
    """Whoever only ever runs one layer is told by it when all is well again."""
    nights.edit("5", lambda text: text.replace("dusk", "noon"))
    nights.night(layers=("L1",))
    (document,) = nights.service().status().documents
    assert document.verdict == "violated"
    nights.ingest()
    nights.night(layers=("L1",))
    (document,) = nights.service().status().documents
    assert (document.verdict, document.open_errors) == ("verified", 0)
