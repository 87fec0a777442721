"""Files brought by hand never make an older text the official one, and never make it young."""

from __future__ import annotations

import dataclasses
import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from corpusguard.cli.app import app
from corpusguard.model import Severity, Verdict
from corpusguard.snapshots import prune
from tests.replica.capture import LAW
from tests.replica.faults import Fault
from tests.replica.test_nights import Nights, amended, rules


@pytest.fixture
def nights(tmp_path, replica):
    """A night that verified the consolidation from 2026-06-01."""
    replica.publish(amended())
    made = Nights(tmp_path, replica)
    made.ingest()
    assert made.night()[1] == 0
    return made


def bring(nights, law, *options):
    path = nights.folder / "brought.json"
    path.write_text(json.dumps(law.payload()), encoding="utf-8")
    config = str(nights.folder / "corpusguard.toml")
    arguments = ["snapshots", "add", LAW.id, str(path), *options, "--config", config]
    return CliRunner().invoke(app, arguments)


OLD = dataclasses.replace(LAW, consolidated_from="2023-03-02")


def test_an_older_consolidation_is_refused_and_nothing_is_stored(nights):
    before = nights.service().snapshots()

    refused = bring(nights, OLD)

    assert refused.exit_code == 3
    assert "CG509" in refused.stderr
    assert "2023-03-02" in refused.stderr
    assert "--older" in refused.stderr
    assert nights.service().snapshots() == before


def test_an_older_consolidation_kept_on_purpose_never_becomes_the_official_text(nights):
    emitted = list(nights.service().passages(LAW.id, "section"))
    assert bring(nights, OLD, "--older").exit_code == 0

    result, code = nights.night(offline=True)

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
    assert rules(result) == [("CG509", "")]
    (found,) = result.documents[0].findings
    assert found.severity is Severity.WARNING
    assert "2023-03-02" in found.message
    assert result.documents[0].consolidated_from == "2026-06-01"
    assert list(nights.service().passages(LAW.id, "section")) == emitted
    (change,) = nights.service().diff(LAW.id)
    assert "noon" in change.after, "the newer consolidation is the right side of the diff"


def test_an_older_consolidation_kept_on_purpose_does_not_excuse_a_source_that_goes_back(nights):
    assert bring(nights, OLD, "--older").exit_code == 0
    nights.replica.publish(OLD)

    result, code = nights.night(refetch=True)

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert rules(result) == [("CG509", "")]


def test_a_store_that_holds_only_an_older_text_is_told_of_and_never_called_an_amendment(nights):
    shutil.rmtree(nights.folder / "snapshots")
    assert bring(nights, OLD).exit_code == 0

    result, code = nights.night(offline=True)

    assert code == 1
    assert ("CG509", "") in rules(result)
    assert ("CG101", "5") in rules(result)
    said = " ".join(f.message for f in result.documents[0].findings)
    assert "2026-06-01" in said
    assert "CG106" not in {rule for rule, _ in rules(result)}
    assert "stale" not in said
    assert "law changed" not in said


def test_a_result_of_the_older_text_is_not_taken_over_without_saying_that_it_is_older(
    tmp_path, replica
):
    replica.publish(OLD)
    nights = Nights(tmp_path, replica)
    nights.ingest()
    assert nights.night(offline=True)[1] == 0
    shutil.copytree(tmp_path / "snapshots", tmp_path / "backup")
    replica.publish(amended())
    assert nights.night(refetch=True)[1] == 1
    shutil.rmtree(tmp_path / "snapshots")
    shutil.copytree(tmp_path / "backup", tmp_path / "snapshots")

    result, _ = nights.night(offline=True)

    assert result.documents[0].consolidated_from == "2023-03-02"
    assert rules(result) == [("CG509", "")]


def test_pruning_keeps_the_newest_consolidation_beside_a_later_older_one(nights):
    assert bring(nights, OLD, "--older").exit_code == 0

    prune(nights.service().store, before="2999-01-01T00:00:00Z", referenced=(), delete=True)

    dates = {one.identity.consolidated_from for one in nights.service().snapshots()}
    assert dates == {"2023-03-02", "2026-06-01"}


AMENDED = amended()


def verified_ids(nights):
    return {one.id for one in nights.service().verified_passages()}


def ago(**span):
    return (datetime.now(UTC) - timedelta(**span)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_importing_stored_bytes_again_makes_an_old_text_no_younger(nights):
    shutil.rmtree(nights.folder / "snapshots")
    (nights.folder / "history.db").unlink()
    first = bring(nights, AMENDED, "--captured", ago(days=30))
    assert first.exit_code == 0
    assert nights.night(offline=True)[1] == 0
    assert verified_ids(nights) == set()

    again = bring(nights, AMENDED)

    assert again.exit_code == 0
    assert "no younger" in " ".join(again.stderr.split())
    one, two = nights.service().snapshots()
    assert one.captured == two.captured
    assert nights.night(offline=True)[1] == 0
    assert verified_ids(nights) == set()

    told = bring(nights, AMENDED, "--captured", ago(hours=1))

    assert "on your word" in " ".join(told.stderr.split())
    assert nights.night(offline=True)[1] == 0
    assert len(verified_ids(nights)) == 20


def test_a_file_obtained_before_a_fetch_of_the_same_consolidation_does_not_displace_it(nights):
    (fetched,) = nights.service().snapshots()
    path = nights.service().store.root / fetched.record
    path.write_text(path.read_text().replace(fetched.captured, ago(hours=1)))
    other = amended("6")

    added = bring(nights, other, "--captured", ago(days=2))

    assert added.exit_code == 0
    assert "kept to compare with" in added.stderr
    result, _ = nights.night(offline=True)
    assert result.documents[0].snapshot == fetched.digest

    assert "counts from now" in bring(nights, amended("7")).stderr
    result, _ = nights.night(offline=True)
    assert result.documents[0].snapshot == nights.service().snapshots()[-1].digest


def test_bytes_that_were_fetched_keep_the_time_of_the_fetch(nights):
    fetched = nights.service().snapshots()[-1]
    path = nights.service().store.root / fetched.record
    path.write_text(path.read_text().replace(fetched.captured, "2026-06-02T00:00:00Z"))
    brought = nights.folder / "same.json"
    brought.write_bytes(nights.service().store.read(fetched.digest))

    imported = nights.service().add_snapshot(LAW.id, brought)

    assert imported.digest == fetched.digest
    assert imported.captured == "2026-06-02T00:00:00Z"


def test_new_bytes_count_from_now_and_the_output_and_record_say_so(nights):
    added = bring(nights, amended("6", "2026-07-01"))

    assert added.exit_code == 0
    assert "counts from now" in " ".join(added.stderr.split())
    store = nights.service().store
    record = store.evidence(store.list()[-1])
    assert (record["imported"], record["age_from"]) == (True, "import")
    assert record["imported_at"] == store.list()[-1].captured


@pytest.mark.parametrize(
    "said", ["2999-01-01", "2026-05-31", "2026-13-01", "yesterday", "2026-07-01T00:00:00+05:00"]
)
def test_a_time_that_cannot_be_is_refused(nights, said):
    before = nights.service().snapshots()

    refused = bring(nights, amended("6", "2026-06-01"), "--captured", said)

    assert refused.exit_code == 2
    assert said[:10] in refused.stderr
    assert nights.service().snapshots() == before


def status(nights, *options):
    config = str(nights.folder / "corpusguard.toml")
    return CliRunner(env={"COLUMNS": "160"}).invoke(app, ["status", *options, "--config", config])


def test_status_says_which_open_findings_wait_for_the_source(nights):
    nights.replica.misbehave(Fault.UNAVAILABLE)
    assert nights.night(refetch=True)[1] == 3
    (failed,) = json.loads(status(nights, "--format", "json").stdout)["documents"]
    assert failed["open_errors"] == 1
    assert failed["awaiting_errors"] == 0, "the last run saw it itself"

    assert nights.night(offline=True)[1] == 0

    (told,) = json.loads(status(nights, "--format", "json").stdout)["documents"]
    assert (told["verdict"], told["open_errors"], told["awaiting_errors"]) == ("verified", 1, 1)
    shown = " ".join(status(nights).stdout.split())
    assert "of an earlier run" in shown

    nights.replica.behave()
    assert nights.night(refetch=True)[1] == 0
    (healed,) = json.loads(status(nights, "--format", "json").stdout)["documents"]
    assert (healed["open_errors"], healed["awaiting_errors"]) == (0, 0)
    assert "of an earlier run" not in " ".join(status(nights).stdout.split())


def test_a_finding_of_the_rows_never_waits_for_the_source(nights):
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))
    assert nights.night()[1] == 1
    assert nights.night(offline=True)[1] == 1

    (told,) = json.loads(status(nights, "--format", "json").stdout)["documents"]

    assert told["open_errors"] == 1
    assert (told["awaiting_errors"], told["awaiting_warnings"]) == (0, 0)
