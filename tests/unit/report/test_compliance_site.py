"""The site of runs, written from real history."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from corpusguard.errors import ConfigError
from corpusguard.history import History
from corpusguard.report.compliance.folder import write_site
from corpusguard.report.compliance.site import file_name
from tests.unit.cli.conftest import call

ACT = "ca-on/statute/19h31@en"


@pytest.fixture(scope="module")
def project(verified, tmp_path_factory):
    """A history of a faulty corpus that was then replaced by the clean one."""
    folder = tmp_path_factory.mktemp("site") / "sample"
    shutil.copytree(verified.parent, folder)
    config = folder / "corpusguard.toml"
    shutil.copyfile(folder / "clean.jsonl", folder / "faulty.jsonl")
    result = call("verify", "--offline", "-q", "-c", config)
    assert result.exit_code == 0, result.output
    return config


@pytest.fixture(scope="module")
def folder(project):
    target = project.parent / "public"
    result = call("report", "--site", target, "-c", project)
    assert result.exit_code == 0, result.output
    return target


def held(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_json_lies_beside_each_page(folder):
    """Every page has its JSON; Jekyll is told to keep out."""
    names = set(held(folder))
    pages = {name for name in names if name.endswith(".html")}
    assert len(pages) == 1 + 2 + 4 + 2
    assert {name.replace(".html", ".json") for name in pages} <= names
    assert ".nojekyll" in names


def test_the_json_of_a_run_is_its_report(folder, project):
    """`report --check` accepts it: the site says what the evidence says."""
    for number in (1, 2):
        file = folder / "runs" / str(number) / "index.json"
        checked = call("report", "-f", "json", "--run", number, "--check", file, "-c", project)
        assert checked.exit_code == 0, checked.output


def test_the_history_of_a_section(folder):
    """A section that was wrong and is right again says so, by run."""
    name = file_name("harbour-markets", ACT)
    history = json.loads((folder / "documents" / f"{name}.json").read_text())
    assert [one["verdict"] for one in history["runs"]] == ["violated", "verified"]
    sections = {one["section"]: one["periods"] for one in history["sections"]}
    assert sections["1"] == [{"cover": "whole", "first": 1, "last": 2}]
    assert [one["cover"] for one in sections["9"]] == ["part", "whole"]
    page = (folder / "documents" / f"{name}.html").read_text()
    assert "✓ whole</span> runs 1 to 2" in page


def test_a_second_time_changes_nothing(folder, project):
    """Equal files are not even written again; a page that was damaged is."""
    before = held(folder)
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    again = call("report", "--site", folder, "-c", project)
    assert "0 of" in again.stderr
    assert held(folder) == before
    assert times == {path: path.stat().st_mtime_ns for path in times}
    (folder / "index.html").write_text("broken")
    assert "1 of" in call("report", "--site", folder, "-c", project).stderr
    assert held(folder) == before


def test_a_folder_of_others_is_left_alone(project, tmp_path):
    """Somebody's index.html is not overwritten; a file or a missing parent is refused too."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "index.html").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for target in (mine, tmp_path / "file", tmp_path / "no" / "such"):
        refused = call("report", "--site", target, "-c", project)
        assert refused.exit_code == 2
        assert "next:" in refused.stderr
    assert held(tmp_path) == {"mine/index.html": b"mine", "file": b"mine"}


def test_a_site_is_not_written_from_broken_evidence(project, tmp_path):
    """Nothing is left behind but the refusal."""
    copy = tmp_path / "copy"
    shutil.copytree(project.parent, copy)
    one = next(path for path in (copy / "snapshots/objects").rglob("*") if path.is_file())
    one.chmod(0o644)
    one.write_bytes(b"other")
    refused = call("report", "--site", tmp_path / "out", "-c", copy / "corpusguard.toml")
    assert refused.exit_code == 4
    assert not (tmp_path / "out").exists()


def test_options_that_do_not_go_together(project, tmp_path):
    """A site has its own runs and files."""
    for more in (["--run", "1"], ["--output", tmp_path / "x"], ["--check", project]):
        assert call("report", "--site", tmp_path / "s", *more, "-c", project).exit_code == 2


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "..",
        "",
        "a/../b",
        "CON",
        "a\x00b",
        "x" * 5000,
        "é\u202e",
        ".hidden",
        "A",
        "a",
    ],
)
def test_any_id_becomes_one_safe_name(name):
    """Letters, digits and dashes; short; never hidden, never a way out; no two alike."""
    made = file_name("corpus", name)
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert 12 <= len(made) <= 70
    assert Path(made).name == made
    assert made != file_name("corpus", name + " ")
    assert made != file_name("other", name)


def test_runs_that_were_stopped_have_pages_too(project, tmp_path):
    """One aborted in time and one that died: both are listed, neither as verified."""
    copy = tmp_path / "copy"
    shutil.copytree(project.parent, copy)
    with History.open(copy / "history.db") as history:
        layers = ("L1", "L2", "L3")
        number = history.begin_run(layers, "corpusguard 0", "", "2026-11-30T05:00:00Z")
        history.abort_run(number, "2026-11-30T05:00:01Z", 130)
        history.begin_run(layers, "corpusguard 0", "", "2026-11-30T06:00:00Z")
        history.begin_run(layers, "corpusguard 0", "", "2026-11-30T07:00:00Z")
    done = call("report", "--site", tmp_path / "out", "-c", copy / "corpusguard.toml")
    assert done.exit_code == 0, done.output
    listed = json.loads((tmp_path / "out" / "index.json").read_text())["runs"]
    assert [one["verdict"] for one in listed] == ["violated", "verified", "aborted", "aborted"]
    page = (tmp_path / "out" / "runs" / str(number + 1) / "index.html").read_text()
    assert "No answer: the run was stopped before it ended." in page
    assert "index.html" in (tmp_path / "out" / "index.html").read_text()


@pytest.mark.parametrize(
    "place", ["index.html", "runs", "runs/1", "runs/1/index.json", ".nojekyll"]
)
def test_a_link_in_the_folder_leads_no_page_out_of_it(folder, project, tmp_path, place):
    """A linked page or folder is refused before any file is written, and named."""
    site, outside = tmp_path / "site", tmp_path / "outside"
    shutil.copytree(folder, site)
    outside.mkdir()
    (outside / "file").write_text("mine")
    link = site / place
    is_folder = link.is_dir()
    (shutil.rmtree if is_folder else Path.unlink)(link)
    link.symlink_to(outside if is_folder else outside / "file")
    (site / "index.json").write_text("old")
    refused = call("report", "--site", site, "-c", project)
    assert refused.exit_code == 2
    assert f"{link} is a link" in refused.stderr.replace("\n", " ")
    assert held(outside) == {"file": b"mine"}
    assert (site / "index.json").read_text() == "old"


@pytest.mark.parametrize("mark", [b"", b"corpusguard", b"corpusguard/site/2\n"])
def test_a_mark_that_we_did_not_write_gives_no_pages_away(project, tmp_path, mark):
    """`touch .corpusguard-site` beside somebody's pages does not make them ours."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "index.html").write_text("mine")
    (mine / ".corpusguard-site").write_bytes(mark)
    assert call("report", "--site", mine, "-c", project).exit_code == 2
    assert held(mine) == {"index.html": b"mine", ".corpusguard-site": mark}


def test_a_link_that_comes_while_a_site_is_written_is_not_followed(tmp_path):
    """Each file is looked at again when its turn comes."""
    (tmp_path / "outside").mkdir()

    def files():
        yield "index.html", b"1"
        (tmp_path / "site" / "runs").symlink_to(tmp_path / "outside")
        yield "runs/1/index.html", b"2"

    with pytest.raises(ConfigError, match="is a link"):
        write_site(tmp_path / "site", files())
    assert held(tmp_path / "outside") == {}


def test_a_site_that_cannot_be_written_says_so_in_its_own_words(folder, project, tmp_path):
    """A folder stands where a page goes: exit 4, and no word of --output."""
    site = tmp_path / "site"
    shutil.copytree(folder, site)
    (site / "index.html").unlink()
    (site / "index.html").mkdir()
    failed = call("report", "--site", site, "-c", project)
    assert failed.exit_code == 4
    assert "index.html" in failed.stderr
    assert "--output" not in failed.stderr
