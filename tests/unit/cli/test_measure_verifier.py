"""``measure verifier``: what it prints, stores, refuses, and leaves alone."""

import hashlib
import json
import shutil
from dataclasses import fields

import pytest

from corpusguard.evidence import canonical
from corpusguard.measure.verifier import Outcome, Rate
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


def _sealed(record, path, change):
    """Write a changed record with a digest of its own: anyone can make one."""
    found = json.loads(record.read_text())
    change(found)
    body = {name: value for name, value in found.items() if name != "digest"}
    found["digest"] = "sha256:" + hashlib.sha256(canonical(body)).hexdigest()
    path.write_text(json.dumps(found))
    return path


_WRONG = (None, -1, True, "| <b>", [], [3], {"a": 1})
_PLACES = (
    ("schema",),
    ("tool",),
    ("versions",),
    ("seed",),
    ("faults_per_kind",),
    ("subjects",),
    ("subjects", 0),
    ("rates",),
    ("rates", 0),
    *(
        ("subjects", 0, name)
        for name in ("corpus", "document", "mode", "snapshot", "rows", "verified", "outcomes")
    ),
    *(("subjects", 0, "outcomes", 0, field.name) for field in fields(Outcome)),
    *(("rates", 0, field.name) for field in fields(Rate)),
)


@pytest.mark.parametrize("place", _PLACES, ids=lambda place: ".".join(map(str, place)))
def test_a_sealed_record_of_another_shape_is_never_an_internal_error(record, tmp_path, place):
    """Wrong types under a right digest: exit 2, or 4 where figures do not follow; or all is well."""
    *way, last = place
    for wrong in _WRONG:
        held = []

        def change(found, wrong=wrong, held=held):
            for step in way:
                found = found[step]
            held.append(type(found[last]))
            found[last] = wrong

        path = _sealed(record, tmp_path / "wrong.json", change)
        done = call("measure", "verifier", "--recompute", path, "-f", "markdown")
        assert "Traceback" not in done.output
        fits = held[0] is type(wrong)
        assert done.exit_code in ({0, 2, 3, 4} if fits else {2, 4}), (wrong, done.output)


@pytest.mark.parametrize("more", [{"x": 1}, {"kind": "cg|<b>"}, {"layers": ["L9"]}, {"rules": [1]}])
def test_an_outcome_holds_what_outcomes_hold(record, tmp_path, more):
    """Another key, a name that is none, a layer that there is not: exit 2, and where."""
    path = _sealed(
        record, tmp_path / "r.json", lambda found: found["subjects"][0]["outcomes"][0].update(more)
    )
    done = call("measure", "verifier", "--recompute", path)
    assert done.exit_code == 2
    assert "subjects[0].outcomes[0]" in done.stderr


def test_nothing_in_a_record_is_markup(record, tmp_path):
    """Tool, seed and names stand in code spans that nothing in them ends."""
    hostile = "`</code><img src=x>|\n\n# H\n::error::x ##[error]y [a](javascript:x)\u202e"

    def change(found):
        found["tool"] = found["seed"] = hostile
        found["subjects"][0]["corpus"] = found["subjects"][0]["document"] = hostile

    path = _sealed(record, tmp_path / "r.json", change)
    done = call("measure", "verifier", "--recompute", path, "-f", "markdown", "-q")
    assert done.exit_code == 0, done.output
    assert "##[" not in done.stdout
    assert "\u202e" not in done.stdout
    shown = [line for line in done.stdout.splitlines() if "img" in line]
    assert len(shown) == 2
    for line in shown:
        outside = "".join(line.split("`")[::2])
        assert line.count("`") in {4, 6}
        assert "<" not in outside
        assert "[" not in outside
    assert not any(line.startswith(("# H", "::")) for line in done.stdout.splitlines())
