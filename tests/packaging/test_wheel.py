"""The wheel carries all that the demo needs: it is installed elsewhere and run from there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_readers_pages_sample_and_types_but_no_tests(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())

    for name in (
        "corpusguard/py.typed",
        "corpusguard/rule_pages/CG101.md",
        "corpusguard/report/compliance/data/measured.toml",
        "corpusguard/report/compliance/data/statements.toml",
        "corpusguard/sample/plants.json",
        "corpusguard/gate/labels/prompt.md",
        "corpusguard/sample/sources/sample.toml",
        "corpusguard/gate/skill/triggers.json",
        "corpusguard/gate/skill/verify-claims/SKILL.md",
    ):
        assert name in names
    assert any(name.startswith("corpusguard/sample/snapshots/objects/") for name in names)
    here = {path.name for path in (ROOT / "corpusguard/report/compliance/templates").iterdir()}
    assert len(here) >= 8
    assert {f"corpusguard/report/compliance/templates/{name}" for name in here} <= names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_demo_runs_from_an_installed_wheel(wheel, tmp_path):
    target = tmp_path / "installed"
    # The libraries are those of this environment; only our own code comes from the wheel.
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import corpusguard; "
        "assert corpusguard.__file__.startswith(sys.path[0]), corpusguard.__file__; "
        "from corpusguard.cli import main; sys.argv[0] = 'corpusguard'; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(target), "demo", "--to", str(tmp_path / "demo")],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("found") >= 16
    assert (tmp_path / "demo" / "corpusguard.toml").is_file()


def test_a_report_is_written_from_an_installed_wheel(wheel, tmp_path):
    """Templates, statements and figures are found where the package was put."""
    target = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import corpusguard; "
        "assert corpusguard.__file__.startswith(sys.path[0]), corpusguard.__file__; "
        "from corpusguard.cli import main; sys.argv[0] = 'corpusguard'; main()"
    )
    start = [sys.executable, "-c", code, str(target)]
    demo = tmp_path / "demo"
    subprocess.run(
        [*start, "demo", "--to", str(demo)], cwd=tmp_path, check=True, capture_output=True
    )
    config = ["-c", str(demo / "corpusguard.toml")]
    page = tmp_path / "report.html"
    subprocess.run([*start, "report", "-o", str(page), *config], cwd=tmp_path, check=True)
    subprocess.run([*start, "report", "--check", str(page), *config], cwd=tmp_path, check=True)

    assert "Harbour Markets Act, 2019" in page.read_text()
