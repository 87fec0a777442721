"""The ready files in schedules/: each loads, and the templates are what ``export`` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpusguard.config.schedules import load_schedule
from corpusguard.schedule import TARGETS, Place

FOLDER = Path(__file__).parents[3] / "schedules"
PLACES = {
    "cron": ("/usr/local/bin/corpusguard", "/srv/corpusguard"),
    "systemd": ("/usr/local/bin/corpusguard", "/srv/corpusguard"),
    "kubernetes": ("corpusguard", "/corpusguard"),
    "github": ("corpusguard", "."),
}


def exported(tool):
    program, root = PLACES[tool]
    at = "" if root == "." else f"{root}/"
    place = Place(
        program=(program,),
        config=f"{at}corpusguard.toml",
        writable=(root, f"{at}snapshots", f"{at}reports"),
        kept=(f"{at}history.db", f"{at}history.db.told.json", f"{at}snapshots"),
        reports=f"{at}reports",
    )
    return TARGETS[tool](load_schedule(FOLDER / "nightly.toml"), place)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_ready_schedule_loads_and_is_named_as_its_file(path):
    """So that it can be used as it is."""
    assert load_schedule(path).name == path.stem


@pytest.mark.parametrize("tool", PLACES)
def test_a_template_is_what_export_writes(tool):
    """Whoever changes one changes the other."""
    for name, text in exported(tool).items():
        assert (FOLDER / "templates" / name).read_text(encoding="utf-8") == text


def test_no_template_is_left_over():
    """Each file there belongs to a tool."""
    names = {name for tool in PLACES for name in exported(tool)}

    assert {path.name for path in (FOLDER / "templates").iterdir()} == names
