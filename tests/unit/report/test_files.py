"""Reports on disk: whole or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from corpusguard.errors import ConfigError, CorpusUnreadable, StorageError
from corpusguard.report.files import check_target, write_chunks, write_file, write_folder


def test_a_report_replaces_the_old_one_whole(tmp_path):
    """The new text is there, and nothing else is left behind."""
    target = tmp_path / "report.json"
    target.write_text("old and much longer than the new")
    write_file(target, "{}\n")
    assert target.read_text() == "{}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_report_can_be_read_by_others(tmp_path):
    """The file has the usual mode, not a temporary file's."""
    mask = os.umask(0o022)
    try:
        write_file(tmp_path / "report.json", "{}")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == 0o644


def test_a_link_is_written_through(tmp_path):
    """A link to the report stays a link."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_lone_surrogate_does_not_stop_a_report(tmp_path):
    """What UTF-8 cannot hold is written as an escape."""
    write_file(tmp_path / "r", "a\ud800b")
    assert (tmp_path / "r").read_text() == "a\\ud800b"


def test_a_failed_write_keeps_the_old_report(tmp_path):
    """The folder went away under the run: StorageError, with a next step."""
    with pytest.raises(StorageError) as caught:
        write_file(tmp_path / "gone" / "report.json", "{}")
    assert caught.value.exit_code == 4
    assert caught.value.hint


def test_several_reports_go_to_one_folder(tmp_path):
    """The folder is made, and each text has its name."""
    write_folder(tmp_path / "out", {"a.json": "1", "b.txt": "2"})
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.json", "b.txt"]


def test_a_folder_in_the_place_of_a_file_is_not_made(tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "out").write_text("")
    with pytest.raises(StorageError):
        write_folder(tmp_path / "out", {"a": "1"})


@pytest.mark.parametrize(
    ("name", "folder"), [("here", False), ("file", True), ("pipe", False), ("no/such", False)]
)
def test_a_bad_place_is_refused_before_the_run(tmp_path, name, folder):
    """A folder for a file, a file for a folder, a pipe, a parent that is not there."""
    (tmp_path / "here").mkdir()
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError) as caught:
        check_target(tmp_path / name, folder=folder)
    assert caught.value.hint


def test_good_places_are_accepted(tmp_path):
    """A new file, an old file, a new folder and an old folder."""
    (tmp_path / "file").write_text("")
    check_target(tmp_path / "new", folder=False)
    check_target(tmp_path / "file", folder=False)
    check_target(tmp_path / "folder", folder=True)
    check_target(tmp_path, folder=True)


def test_chunks_that_fail_half_way_leave_the_old_file(tmp_path):
    """A list that could not be made to its end is no list; nothing else is left behind."""
    target = tmp_path / "list.jsonl"
    target.write_text("of last night\n")

    def chunks():
        yield b"first\n" * 100_000
        raise CorpusUnreadable("the corpus changed while it was read")

    with pytest.raises(CorpusUnreadable):
        write_chunks(target, chunks())
    assert target.read_text() == "of last night\n"
    assert [path.name for path in tmp_path.iterdir()] == ["list.jsonl"]
