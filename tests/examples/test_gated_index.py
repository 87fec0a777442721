"""examples/gated-index: the whole story is played, and a broken gate or publisher spoils it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "gated-index"
MISSING = [name for name in ("apsw", "sqlite_vec") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@pytest.fixture
def example(tmp_path):
    """A copy, to be broken."""
    return shutil.copytree(
        EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("__pycache__")
    )


def play(example, *options):
    return subprocess.run(
        [sys.executable, str(example / "story.py"), *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_story_is_told_to_its_end(example, tmp_path):
    """Verified law is indexed, an altered row and an amended law are refused, new law comes in."""
    done = play(example, "--keep", str(tmp_path / "kept"))

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("Every step did what it should.\n")
    assert done.stdout.count("the index is as it was") == 3
    for reason in ("no_run", "corpus_changed", "CG106", "violated"):
        assert reason in done.stdout
    kept = {path.name for path in (tmp_path / "kept").iterdir()}
    assert {"passages.jsonl", "index.db", "state"} <= kept
    assert "is there already" in play(example, "--keep", str(tmp_path / "kept")).stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("pipeline/build.py", "    code = gate()\n", "    code = 0\n", "exits 3, not"),
        ("pipeline/ingest.py", '+= "\\n" + text', '= "Law. " + text', "exits 0, not 1"),
        ("story.py", "    publisher.amend()\n", "", "exits 1, not 0"),
        ("pipeline/vectors.py", "    os.replace(part, path)", "    _ = (part, path)", "exits 0"),
    ],
    ids=["gate left out", "wrong words stored", "law not amended", "index not written"],
)
def test_a_story_that_goes_another_way_fails(example, file, old, new, expected):
    """So that the test above can."""
    source = example / file
    text = source.read_text("utf-8")
    assert text.count(old) == 1
    source.write_text(text.replace(old, new), "utf-8")

    done = play(example)

    assert done.returncode == 1, done.stdout
    assert done.stderr.strip().splitlines()[-1].startswith("story: expected that")
    assert expected in done.stderr


def test_the_stand_in_publisher_is_the_one_that_the_pipeline_asks():
    """By hand, ``python elaws.py`` serves where sources/kites.toml looks."""
    port = "PORT = 8931\n"

    assert port in (EXAMPLE / "elaws.py").read_text("utf-8")
    assert "http://127.0.0.1:8931" in (EXAMPLE / "pipeline/sources/kites.toml").read_text("utf-8")
