"""The gate on real nights: what shipped yesterday is withheld once the law has changed."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpusguard.errors import ConfigError, NothingVerified
from corpusguard.gate import Citation, Door, Gate, Outcome, Reason
from corpusguard.history import History
from tests.replica.capture import LAW
from tests.replica.test_nights import Nights, amended

FIVE = f"{LAW.id}#sec_5"
SIX = f"{LAW.id}#sec_6"
SENTENCE = (
    "The warden of every lighthouse shall keep the lamp lit from dusk to dawn, shall write down"
    " each failure of the lamp in the log, and shall show the log to an inspector who asks for it."
)


def said(number, sentence=SENTENCE):
    """The sentence as an answer gives it: its section has another, so it is named."""
    return f"Section {number} provides that {sentence[0].lower()}{sentence[1:]}"


@pytest.fixture
def nights(tmp_path, replica):
    made = Nights(tmp_path, replica)
    made.ingest()
    return made


def gate_of(nights, **options):
    return Gate.open(nights.folder / "corpusguard.toml", **options)


def answer(nights, *sections):
    rows = {row["section"]: row for row in nights.rows()}
    return " ".join(f"{said(number)} [{rows[number]['id']}]" for number in sections)


def test_the_answer_of_yesterday_is_withheld_today_and_names_the_amendment(nights):
    """Verified, amended on the source, marked by the nightly run: the same answer is withheld."""
    nights.night()
    with gate_of(nights) as gate:
        yesterday = gate.check(answer(nights, "5"), [FIVE])
        nights.replica.publish(amended())
        nights.night()
        today = gate.check(answer(nights, "5"), [FIVE])
        other = gate.check(answer(nights, "6"), [SIX])

    assert yesterday.outcome is Outcome.SHIPPED
    assert yesterday.sentences[0].door is Door.QUOTED
    assert yesterday.text == answer(nights, "5")
    assert today.outcome is Outcome.WITHHELD
    assert today.text == ""
    (sentence,) = today.sentences
    assert (sentence.door, sentence.reason) == (Door.UNSUPPORTED, Reason.AMENDED)
    assert "CG106" in sentence.detail
    assert "2026-06-01" in sentence.detail
    assert other.outcome is Outcome.SHIPPED

    with History.open(nights.folder / "history.db") as history:
        stored = history.decisions()
        audit = history.verify_all()
    assert [(one.outcome, one.number) for one in stored] == [
        ("shipped", 3),
        ("withheld", 2),
        ("shipped", 1),
    ]
    assert audit.breaks == ()
    passage = stored[-1].body["passages"][0]
    assert len(passage["corpus_root"]) == 64
    assert passage["corpus_digest"].startswith("sha256:")
    assert 0 <= passage["age_seconds"] < 600


def test_an_ingested_amendment_ships_again(nights):
    """Once the corpus follows the law, the new words ship and the old do not."""
    nights.night()
    nights.replica.publish(amended())
    nights.night()
    nights.ingest()
    nights.night()
    new = said("5").replace("dusk to dawn", "noon to noon")
    with gate_of(nights) as gate:
        follows = gate.check(f"{new} [{FIVE}]", [FIVE])
        old = gate.check(f"{said('5')} [{FIVE}]", [FIVE])

    assert follows.outcome is Outcome.SHIPPED
    assert old.outcome is Outcome.WITHHELD


def test_stored_text_altered_after_it_verified_ships_nothing(nights):
    """The store says other words than those that verified, and no run has looked since."""
    nights.night()
    nights.edit("5", lambda text: text.replace("shall keep", "may keep"))
    with gate_of(nights) as gate:
        stored = gate.check(f"{said('5').replace('shall keep', 'may keep')} [{FIVE}]", [FIVE])
        shown = {row["id"]: row["text"] for row in nights.rows()}[FIVE]
        presented = gate.check(f"{said('5')} [{FIVE}]", {FIVE: shown})

    assert stored.sentences[0].reason is Reason.TEXT_DIFFERS
    assert presented.sentences[0].reason is Reason.TEXT_DIFFERS
    assert stored.text == presented.text == ""


def test_a_corpus_that_no_run_looked_at_for_too_long_ships_nothing(nights):
    """Older than max_age (36 hours by default): refused, with its age."""
    nights.night()
    later = datetime.now(UTC) + timedelta(hours=37)
    with gate_of(nights) as gate:
        with time_machine.travel(later, tick=True):
            old = gate.check(answer(nights, "5"), [FIVE])
        with time_machine.travel(datetime.now(UTC) - timedelta(hours=2), tick=True):
            future = gate.check(answer(nights, "5"), [FIVE])

    assert old.sentences[0].reason is Reason.TOO_OLD
    assert "37.0 hours ago" in old.sentences[0].detail
    assert future.sentences[0].reason is Reason.TOO_OLD


def test_an_offline_run_is_as_old_as_its_snapshot(nights):
    """A run of tonight on a snapshot of last week proves what was law last week."""
    nights.night()
    later = datetime.now(UTC) + timedelta(days=7)
    with time_machine.travel(later, tick=True):
        result, _ = nights.night(offline=True)
        with gate_of(nights) as gate:
            decision = gate.check(answer(nights, "5"), [FIVE])

    assert str(result.verdict) == "verified"
    assert decision.sentences[0].reason is Reason.TOO_OLD


def test_text_is_as_young_as_the_last_night_that_asked_for_it(nights):
    """Unchanged since last week: a night that asks makes it young, one that is offline does not."""
    nights.night()
    (first,) = nights.service().status().documents
    later = datetime.now(UTC) + timedelta(days=7)
    with time_machine.travel(later, tick=True):
        nights.night(offline=True)
        (offline,) = nights.service().status().documents
        nights.night()
        (asked,) = nights.service().status().documents
        with gate_of(nights) as gate:
            decision = gate.check(answer(nights, "5"), [FIVE])

    assert (first.too_old, first.too_old_passages) == (False, 0)
    assert (offline.verdict, offline.too_old) == ("verified", True)
    # A night that asks counts from its check, one that is offline from the capture just before.
    asked_first, asked_offline = map(datetime.fromisoformat, (first.text_asked, offline.text_asked))
    assert timedelta(0) <= asked_first - asked_offline < timedelta(minutes=1)
    assert offline.too_old_passages == offline.verified_passages > 0
    assert (asked.verdict, asked.too_old, asked.too_old_passages) == ("verified", False, 0)
    assert asked.text_asked[:10] == f"{later:%Y-%m-%d}"
    assert decision.outcome is Outcome.SHIPPED


def test_a_passage_removed_from_the_corpus_is_gone(nights):
    """The next night marks it, and it supports nothing."""
    nights.night()
    nights.write(
        json.dumps(row, ensure_ascii=False) for row in nights.rows() if row["section"] != "5"
    )
    nights.night()
    with gate_of(nights) as gate:
        decision = gate.check(f"{said('5')} [{FIVE}]", {FIVE: SENTENCE})

    assert decision.sentences[0].reason is Reason.GONE


def test_a_passage_that_never_verified_names_its_finding(nights):
    """Wrong from its first night: refused with the finding, not as an unknown id."""
    nights.edit("5", lambda text: text.replace("shall keep", "may keep"))
    nights.night()
    with gate_of(nights) as gate:
        decision = gate.check(f"{said('5')} [{FIVE}]", [FIVE])

    assert decision.sentences[0].reason is Reason.NEVER_VERIFIED
    assert "CG1" in decision.sentences[0].detail


def test_one_layer_verifies_nothing_for_the_gate(nights):
    """`verify --layer L1` leaves no passage that an answer may rest on."""
    nights.night(layers=("L1",))
    with gate_of(nights) as gate:
        decision = gate.check(answer(nights, "5"), [FIVE])

    assert decision.outcome is Outcome.WITHHELD


def test_without_a_history_there_is_no_gate(nights):
    """Nothing has verified yet: an error with its own exit code, not an empty pass."""
    with pytest.raises(NothingVerified) as raised:
        gate_of(nights)

    assert raised.value.exit_code == 3
    assert not (nights.folder / "history.db").exists()


def test_a_corpus_that_is_not_configured_is_an_error(nights):
    """A misspelt name must not turn into a gate that knows no passage."""
    nights.night()
    with pytest.raises(ConfigError, match="lihgts"):
        gate_of(nights, corpora=["lihgts"])


def test_shadow_mode_stores_what_it_would_withhold_and_changes_nothing(nights):
    """The answer comes back as it was; history has the decision."""
    nights.night()
    wrong = f"The lamp may be put out at will. [{FIVE}]"
    with gate_of(nights, shadow=True) as gate:
        decision = gate.check(wrong, [FIVE])

    assert (decision.outcome, decision.shadow, decision.text) == (Outcome.WITHHELD, True, wrong)
    with History.open(nights.folder / "history.db") as history:
        assert history.decision(decision.number).body["shadow"] is True


def test_many_answers_at_once_are_each_decided_and_stored(nights):
    """Fifty at once from one event loop: no error, fifty decisions in history."""
    nights.night()

    async def all_of_them(gate):
        return await asyncio.gather(
            *(gate.acheck(answer(nights, "5", "6"), [FIVE, Citation(SIX)]) for _ in range(50))
        )

    with gate_of(nights) as gate:
        decisions = asyncio.run(all_of_them(gate))

    assert {one.outcome for one in decisions} == {Outcome.SHIPPED}
    assert sorted(one.number for one in decisions) == list(range(1, 51))


def test_a_window_that_cuts_a_provision_cannot_be_quoted_as_one(tmp_path, replica):
    """Windows on one line verify word for word; what is cut at an edge is still no provision."""
    nights = Nights(tmp_path, replica, recipe="anchored")
    nights.ingest()
    rows = {row["section"]: row for row in nights.rows()}
    cut = SENTENCE.partition(", shall write")[0]
    rest = rows["5"]["text"].partition("dawn, ")[2]
    # The window ends in the middle of section 5, as if it were a sentence of its own.
    windows = [
        {**rows["5"], "id": "w-1", "text": cut},
        {**rows["5"], "id": "w-2", "text": rest},
        {**rows["6"], "id": "w-3", "text": " ".join(rows["6"]["text"].split())},
    ]
    nights.write(json.dumps(row, ensure_ascii=False) for row in windows)
    nights.night()
    with gate_of(nights) as gate:
        half = gate.check(f"{cut}. [w-1]", ["w-1"])
        whole = gate.check(f"{said('6')} [w-3]", ["w-3"])

    assert half.evidence[0].refusal is None
    assert half.sentences[0].reason is Reason.NOT_QUOTED or half.sentences[0].reason is (
        Reason.TRUNCATED
    )
    assert half.text == ""
    assert whole.outcome is Outcome.SHIPPED


def test_an_id_that_two_corpora_use_for_different_texts_names_nothing(tmp_path, replica):
    """Both verified, and the id alone does not say which is meant; naming the corpus does."""
    nights = Nights(tmp_path, replica)
    nights.ingest()
    config = nights.folder / "corpusguard.toml"
    second = config.read_text().partition("[[corpus]]")[2].replace("lights", "lamps")
    config.write_text(f"{config.read_text()}\n[[corpus]]{second}")
    renamed = {FIVE: SIX, SIX: FIVE}
    rows = [{**row, "id": renamed.get(row["id"], row["id"])} for row in nights.rows()]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (nights.folder / "lamps.jsonl").write_text(lines, encoding="utf-8")
    result, code = nights.night()
    assert (str(result.verdict), code) == ("verified", 0)

    with gate_of(nights) as gate:
        both = gate.check(f"{said('5')} [{FIVE}]", [FIVE])
    with gate_of(nights, corpora=["lights"]) as gate:
        one = gate.check(f"{said('5')} [{FIVE}]", [FIVE])

    assert both.sentences[0].reason is Reason.AMBIGUOUS_ID
    assert one.outcome is Outcome.SHIPPED
