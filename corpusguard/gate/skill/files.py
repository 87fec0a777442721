"""The skill's files, as they travel with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import yaml

NAME: Final = "verify-claims"


@dataclass(frozen=True, slots=True)
class Triggers:
    """Messages of users on which the skill must fire, and on which it must stay quiet."""

    fires: tuple[str, ...]
    quiet: tuple[str, ...]


def skill_text() -> str:
    """Return ``SKILL.md``."""
    folder = resources.files("corpusguard.gate.skill")
    return (folder / NAME / "SKILL.md").read_text(encoding="utf-8")


def front_matter() -> dict[str, Any]:
    """Return the skill's front matter."""
    _, head, _ = skill_text().split("---\n", 2)
    found = yaml.safe_load(head)
    if not isinstance(found, dict):
        raise TypeError("the skill's front matter is no mapping")
    return found


def triggers() -> Triggers:
    """Return both lists."""
    folder = resources.files("corpusguard.gate.skill")
    value = json.loads((folder / "triggers.json").read_text(encoding="utf-8"))
    return Triggers(tuple(value["fires"]), tuple(value["quiet"]))
