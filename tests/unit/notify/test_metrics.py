"""The text file: what Prometheus itself reads out of it, and that it is never half a file."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families

from corpusguard.errors import StorageError
from corpusguard.notify.metrics import Figures, amend, render, write

DOC = "ca-on/statute/26a91@en"
FULL = Figures(
    last_run=1_772_000_000.0,
    exit_code=1,
    duration=2.5,
    last_success={("lights", DOC): 1_771_900_000.0, ("lights", "never"): 0.0},
    findings={("error", "L3", "new"): 2, ("warning", "none", "open"): 1},
    oldest_verified=1_771_800_000.0,
    verified_passages=19,
    passages=20,
    coverage_ratio=0.9501,
    fetch_errors=3,
    notify_failures=1,
)


def samples(text):
    """(name, labels) -> value, as Prometheus' own client reads them."""
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_every_figure_is_read_back_by_prometheus_parser():
    """Names, labels and values, as documented."""
    got = samples(render(FULL, 4))

    def value(name, **labels):
        return got[f"corpusguard_{name}", tuple(sorted(labels.items()))]

    assert value("last_run_timestamp_seconds") == 1_772_000_000
    assert value("last_success_timestamp_seconds", corpus="lights", document=DOC) == 1_771_900_000
    assert value("last_success_timestamp_seconds", corpus="lights", document="never") == 0
    assert value("findings", severity="error", layer="L3", state="new") == 2
    assert value("findings", severity="warning", layer="none", state="open") == 1
    assert value("findings", severity="error", layer="L1", state="regressed") == 0
    assert value("oldest_verified_passage_timestamp_seconds") == 1_771_800_000
    assert value("verified_passages") == 19
    assert value("passages") == 20
    assert value("coverage_ratio") == pytest.approx(0.9501)
    assert value("fetch_errors_total") == 7
    assert value("run_duration_seconds") == 2.5
    assert value("run_exit_code") == 1
    assert value("notify_failures") == 1


def test_kinds_are_declared_and_help_is_given():
    """One counter, the rest gauges; each with a line of help."""
    kinds = {one.name: one.type for one in text_string_to_metric_families(render(FULL, 0))}
    helps = [one.documentation for one in text_string_to_metric_families(render(FULL, 0))]

    assert kinds.pop("corpusguard_fetch_errors") == "counter"
    assert set(kinds.values()) == {"gauge"}
    assert len(kinds) == 10
    assert all(helps)


@pytest.mark.parametrize(
    "name",
    ['a"b', "a\\b", "a\nb", "a\\nb", 'x"} 1\ncorpusguard_run_exit_code 0', "é\u202e", "{}=,"],
)
def test_labels_are_escaped(name):
    """A corpus' name can't break out of its label and forge a figure."""
    got = samples(render(Figures(1.0, 1, last_success={(name, DOC): 5.0}), 0))

    labels = (("corpus", name), ("document", DOC))
    assert got["corpusguard_last_success_timestamp_seconds", labels] == 5
    assert got["corpusguard_run_exit_code", ()] == 1


def test_a_figure_that_is_not_known_is_left_out():
    """Nothing verified yet is not "verified in 1970"."""
    got = samples(render(Figures(1.0, 3), 0))

    assert not any("oldest" in name or "coverage" in name for name, _ in got)
    assert not any(math.isnan(value) for value in got.values())


def test_promtool_accepts_the_file():
    """Prometheus' own linter has no complaint."""
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("promtool is not installed (Debian package: prometheus)")

    done = subprocess.run(
        [tool, "check", "metrics"], input=render(FULL, 0).encode(), capture_output=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


# The file


def test_the_counter_goes_on_over_runs(tmp_path):
    """It counts over runs, from the file before; in a folder that has to be made."""
    path = tmp_path / "metrics" / "corpusguard.prom"
    for _ in range(3):
        write(path, FULL)

    assert samples(path.read_text())["corpusguard_fetch_errors_total", ()] == 9


@pytest.mark.parametrize("before", [b"", b"\xff\xfe", b"corpusguard_fetch_errors_total NaN\n"])
def test_a_file_that_makes_no_sense_begins_the_counter_again(tmp_path, before):
    """A counter that was lost starts at 0, as Prometheus expects."""
    path = tmp_path / "corpusguard.prom"
    path.write_bytes(before)
    write(path, FULL)

    assert samples(path.read_text())["corpusguard_fetch_errors_total", ()] == 3


def test_nothing_else_is_left_in_the_folder(tmp_path):
    """node_exporter reads every .prom file: a temporary one beside it would be counted twice."""
    path = tmp_path / "corpusguard.prom"
    write(path, FULL)
    write(path, FULL)

    assert [one.name for one in tmp_path.iterdir()] == ["corpusguard.prom"]
    assert path.stat().st_mode & 0o444 == 0o444, "node_exporter runs as another user"


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    """With a hint, and nothing written."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError) as caught:
        write(tmp_path / "file" / "corpusguard.prom", FULL)
    assert caught.value.hint


NO_ROOM = """
import pathlib, resource, signal, sys
from corpusguard.notify.metrics import Figures, write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
write(pathlib.Path(sys.argv[1]), Figures(1.0, 0))
"""


def test_a_file_that_does_not_fit_leaves_the_old_one(tmp_path):
    """Half a file would be worse than an old one."""
    path = tmp_path / "corpusguard.prom"
    write(path, FULL)
    old = path.read_text()

    done = subprocess.run(
        [sys.executable, "-c", NO_ROOM, path], capture_output=True, text=True, check=False
    )

    assert "StorageError: could not write" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["corpusguard.prom"]
    assert path.read_text() == old


# A run that failed


def test_a_failed_run_keeps_what_the_last_one_found(tmp_path):
    """Were the time of the last success to go, the alarm on its age would go quiet."""
    path = tmp_path / "corpusguard.prom"
    write(path, FULL)
    amend(path, Figures(1_772_086_400.0, 4, notify_failures=2))

    before, after = samples(render(FULL, 0)), samples(path.read_text())
    changed = {name for name, _ in before if before[name, _] != after[name, _]}
    assert set(before) == set(after)
    assert changed == {
        "corpusguard_last_run_timestamp_seconds",
        "corpusguard_run_exit_code",
        "corpusguard_notify_failures",
    }
    assert after["corpusguard_run_exit_code", ()] == 4


def test_a_first_run_that_failed_is_told_too(tmp_path):
    """Without a file before: three figures, and no invented ones."""
    path = tmp_path / "corpusguard.prom"
    amend(path, Figures(5.0, 70))

    assert samples(path.read_text()) == {
        ("corpusguard_last_run_timestamp_seconds", ()): 5,
        ("corpusguard_run_exit_code", ()): 70,
        ("corpusguard_notify_failures", ()): 0,
    }
