"""The system prompt that asks a model for labels: package data beside this file."""

from __future__ import annotations

from importlib import resources


def prompt() -> str:
    """Return the prompt as Markdown; put it before your own instructions."""
    return resources.files("corpusguard.gate.labels").joinpath("prompt.md").read_text("utf-8")
