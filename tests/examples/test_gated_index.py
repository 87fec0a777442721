"""examples/gated-index: the whole story is played, and a broken gate or publisher spoils it."""

from __future__ import annotations

import importlib.util
import os
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


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The pipeline after the story: a verified corpus, and its index."""
    folder = tmp_path_factory.mktemp("kept") / "pipeline"
    done = play(EXAMPLE, "--keep", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def python(folder, *arguments):
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )


BETWEEN = """
import json
import build

def gate(ask=build.gate):
    code = ask()
    rows = [json.loads(line) for line in build.CORPUS.read_bytes().split(b"\\n") if line]
    {edit}
    build.CORPUS.write_text("".join(json.dumps(row) + "\\n" for row in rows), "utf-8")
    return code

build.gate = gate
raise SystemExit(build.build())
"""
"""Build, with somebody who writes to the corpus as soon as the gate has looked."""


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        ("pass", 0),
        ("rows.append(rows[0] | {'id': 'new'})", 0),
        ("rows[3]['text'] += ' Not.'", 3),
        ("rows[3]['section'] = '9'", 3),
        ("rows[3]['heading'] = 'Repealed'", 3),
        ("rows[3]['ordinal'] = 0", 3),
        ("rows[3]['status'] = 'repealed'", 3),
        ("rows[3]['document'] = 'ca-on/statute/00x00@en'", 3),
        ("rows[3] = rows[4]", 3),
        ("del rows[3]", 3),
        ("del rows[3]['text']", 3),
        ("rows[3]['id'] = ['x']", 3),
        ("rows.append(7)", 3),
    ],
)
def test_nothing_is_indexed_but_what_the_gate_saw(kept, tmp_path, edit, code):
    """Whole rows and as many; a row that the gate did not see is left out."""
    folder = shutil.copytree(kept, tmp_path / "pipeline")
    before = (folder / "index.db").read_bytes()
    done = python(folder, "-c", BETWEEN.format(edit=edit))
    assert done.returncode == code, done.stderr
    assert ("not the one that the gate saw" in done.stderr) is (code == 3)
    assert (folder / "index.db").read_bytes() == before or code == 0
    if code == 0:
        assert "indexed 10 passages" in done.stdout


@pytest.mark.parametrize(
    ("question", "section"),
    [("How high may a kite fly?", "3"), ("What is the fee for a child?", "5")],
)
def test_a_question_finds_its_section(kept, question, section):
    """And changes nothing."""
    before = (kept / "index.db").read_bytes()
    done = python(kept, "build.py", "--ask", question)
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, f"s. {section}")
    assert (kept / "index.db").read_bytes() == before


@pytest.mark.parametrize("question", ["", "?", "the", os.fsdecode(b"\xff")])
def test_a_question_without_a_word_is_refused(kept, question):
    """It neither builds the index nor ends in a traceback."""
    before = (kept / "index.db").stat().st_mtime_ns
    done = python(kept, "build.py", "--ask", question)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "build: the question holds no word to look for\n"
    assert (kept / "index.db").stat().st_mtime_ns == before


def test_the_stand_in_publisher_is_the_one_that_the_pipeline_asks():
    """By hand, ``python elaws.py`` serves where sources/kites.toml looks."""
    port = "PORT = 8931\n"

    assert port in (EXAMPLE / "elaws.py").read_text("utf-8")
    assert "http://127.0.0.1:8931" in (EXAMPLE / "pipeline/sources/kites.toml").read_text("utf-8")
