"""``measure verifier``: what it prints, stores, refuses, and leaves alone."""

import json
import shutil

import pytest

from tests.unit.cli.conftest import call


@pytest.fixture(scope="module")
def clean(sample):
    return sample / "corpusguard-clean.toml"


@pytest.fixture(scope="module")
def record(clean, tmp_path_factory):
    path = tmp_path_factory.mktemp("record") / "rates.json"
    done = call("measure", "verifier", "-c", clean, "--faults", 1, "-f", "json", "-o", path, "-q")
    assert done.exit_code == 0, done.output
    return path


def test_a_record_is_recomputed_from_its_outcomes(record, tmp_path):
    """The table of a stored record follows from its outcomes; a changed one is refused."""
    shown = call("measure", "verifier", "--recompute", record, "-f", "markdown", "-q")
    assert shown.exit_code == 0, shown.output
    assert "| all faults |" in shown.stdout
    stored = json.loads(record.read_text())
    assert stored["digest"] in shown.stdout

    for place, value in (("rates", []), ("seed", "2")):
        changed = tmp_path / "changed.json"
        changed.write_text(json.dumps({**stored, place: value}))
        refused = call("measure", "verifier", "--recompute", changed)
        assert refused.exit_code == 4
        assert "changed" in refused.stderr


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"subjects": 3}', "[" * 100_000])
def test_what_is_no_record_is_a_usage_error(tmp_path, content):
    """Exit 2 and a next step, whatever the file holds."""
    path = tmp_path / "no-record.json"
    path.write_text(content)
    done = call("measure", "verifier", "--recompute", path)

    assert done.exit_code == 2
    assert "--output" in done.stderr


def test_the_same_configuration_gives_the_same_bytes(record, clean):
    """No clock and no path stands in the record."""
    again = call("measure", "verifier", "-c", clean, "--faults", 1, "-f", "json", "-q")

    assert json.loads(again.stdout) == json.loads(record.read_text())


def test_a_corpus_of_which_no_row_verifies_is_no_measurement(sample, tmp_path):
    """Exit 3: an empty measurement must not look like a perfect one."""
    folder = tmp_path / "sample"
    shutil.copytree(sample, folder)
    rows = [json.loads(line) for line in (folder / "clean.jsonl").read_text().splitlines()]
    spoiled = [json.dumps({**row, "text": "All of this is made up by somebody."}) for row in rows]
    (folder / "clean.jsonl").write_text("\n".join(spoiled))

    done = call("measure", "verifier", "-c", folder / "corpusguard-clean.toml", "--faults", 1, "-q")

    assert done.exit_code == 3
    assert "no row verifies" in done.stderr


def test_history_and_corpus_are_not_touched(clean, record):
    """Measuring is not a run."""
    assert record.is_file()
    assert not (clean.parent / "history-clean.db").exists()
