"""Where commands write: never over what the configuration names."""

from __future__ import annotations

import shutil

import pytest

from tests.unit.cli.conftest import call

WRITERS = {
    "report": ("report", "-f", "json", "-o", "{}"),
    "report --site": ("report", "--site", "{}"),
    "verify": ("verify", "--offline", "-f", "json", "-o", "{}"),
    "verify, several": ("verify", "--offline", "-f", "json", "-f", "markdown", "-o", "{}"),
    "verify --attest": ("verify", "--offline", "--attest", "{}", "--key", "key"),
    "measure verifier": ("measure", "verifier", "--faults", "1", "-f", "json", "-o", "{}"),
    "check-corpus --passages": ("check-corpus", "--passages", "{}"),
    "check-corpus --seen": ("check-corpus", "--attestation", "a", "--seen", "{}"),
    "snapshots export": ("snapshots", "export", "--warc", "{}"),
}
KEPT = (
    "corpusguard.toml",
    "history.db",
    "history.db.lock",
    "history.db-journal",
    "snapshots",
    "snapshots/report.json",
    "sources/sample.toml",
    "nightly.toml",
    "faulty.jsonl",
    "ignored.toml",
    "known.json",
    "head.txt",
    "figures.prom",
)
_SETTINGS = """
ignore_file = "ignored.toml"
baseline_file = "known.json"
head_file = "head.txt"
schedules = ["nightly.toml"]
"""
_NIGHTLY = '[schedule]\nname = "nightly"\ncron = "0 3 * * *"\ntimezone = "UTC"\n'


@pytest.fixture(scope="module")
def project(verified, tmp_path_factory):
    """A verified copy that uses every file that a configuration can name."""
    folder = tmp_path_factory.mktemp("outputs") / "project"
    shutil.copytree(verified.parent, folder)
    (folder / "nightly.toml").write_text(_NIGHTLY)
    config = folder / "corpusguard.toml"
    text = config.read_text().replace("\n[[corpus]]", f"{_SETTINGS}\n[[corpus]]", 1)
    config.write_text(f'{text}\n[metrics]\npath = "figures.prom"\n')
    assert call("keys", "new", folder / "key").exit_code == 0
    return config


def _tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if not path.name.endswith((".lock", ".holder"))
    }


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("writer", WRITERS)
def test_no_output_replaces_what_the_configuration_names(project, writer, kept, monkeypatch):
    """Exit 2 before any work, and every file is as it was."""
    monkeypatch.chdir(project.parent)
    before = _tree(project.parent)
    done = call(*(word.format(kept) for word in WRITERS[writer]), "-q", "-c", project)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert _tree(project.parent) == before


@pytest.mark.parametrize("kept", ["corpusguard.toml", "history.db-journal", "known.json"])
@pytest.mark.parametrize("writer", ["report", "verify", "measure verifier", "verify --attest"])
def test_the_message_names_what_would_be_lost(project, writer, kept, monkeypatch):
    """Cause and next step, also for a file that is not there yet."""
    monkeypatch.chdir(project.parent)
    done = call(*(word.format(kept) for word in WRITERS[writer]), "-c", project)
    assert f"would overwrite {project.parent / kept}" in done.stderr.replace("\n", "")
    assert "next: " in done.stderr


@pytest.mark.parametrize("make", ["symlink_to", "hardlink_to"])
def test_a_link_to_what_is_kept_is_as_good_as_its_name(project, tmp_path, make):
    """The corpus behind another name is the corpus."""
    link = tmp_path / "report.json"
    getattr(link, make)(project.parent / "faulty.jsonl")
    done = call("report", "-f", "json", "-o", link, "-c", project)
    assert done.exit_code == 2
    assert "would overwrite" in done.stderr


def test_a_report_in_a_folder_is_compared_file_by_file(project, tmp_path):
    """Several reports go to a folder; one of their names may be the corpus."""
    copy = tmp_path / "copy"
    shutil.copytree(project.parent, copy)
    (copy / "faulty.jsonl").rename(copy / "corpusguard.json")
    config = copy / "corpusguard.toml"
    config.write_text(config.read_text().replace("faulty.jsonl", "corpusguard.json"))
    from corpusguard.report import FORMATS  # noqa: PLC0415 - only here

    (copy / "corpusguard.json").rename(copy / FORMATS["json"].filename)
    config.write_text(config.read_text().replace("corpusguard.json", FORMATS["json"].filename))
    before = _tree(copy)
    options = ("-f", "json", "-f", "markdown", "-o", copy, "-c", config)
    done = call("verify", "--offline", *options)
    assert done.exit_code == 2
    assert "would overwrite" in done.stderr
    assert _tree(copy) == before


def test_a_schedule_is_not_exported_over_a_source(project, tmp_path, monkeypatch):
    """The names of exported files are looked at, and the folder too."""
    monkeypatch.chdir(project.parent)
    (project.parent / "out").mkdir(exist_ok=True)
    done = call("schedule", "export", "github", "-o", project.parent / "out", "-c", project)
    assert done.exit_code == 0, done.output
    made = next((project.parent / "out").iterdir())
    config = project.with_name("other.toml")
    config.write_text(project.read_text().replace("known.json", f"out/{made.name}"))
    before = made.read_bytes()
    done = call("schedule", "export", "github", "-o", project.parent / "out", "-c", config)
    assert done.exit_code == 2
    assert "would overwrite" in done.stderr
    assert made.read_bytes() == before
    assert call("schedule", "export", "cron", "-o", "snapshots", "-c", project).exit_code == 2
    config.unlink()


def test_a_database_is_no_place_for_any_output(project, tmp_path):
    """Commands without a configuration leave a history alone as well."""
    history = tmp_path / "any.db"
    shutil.copyfile(project.parent / "history.db", history)
    before = history.read_bytes()
    sheet = tmp_path / "run.jsonl"
    sheet.write_text("{}")
    done = call("trace", "label", sheet, "-o", history)
    assert done.exit_code == 2
    assert "would overwrite a database" in done.stderr
    assert history.read_bytes() == before


def test_a_record_is_not_replaced_by_its_own_recomputation(project, tmp_path):
    """--recompute FILE --output FILE would leave a table where the outcomes were."""
    record = tmp_path / "record.json"
    options = ("--faults", 1, "-f", "json", "-o", record, "-q", "-c", project)
    assert call("measure", "verifier", *options).exit_code == 0
    before = record.read_bytes()
    done = call("measure", "verifier", "--recompute", record, "-f", "markdown", "-o", record)
    assert done.exit_code == 2
    assert record.read_bytes() == before
