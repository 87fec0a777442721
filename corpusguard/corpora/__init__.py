"""Readers of stored corpora (rows in, passages out), and the recipes that rebuild them.

``load_passages`` reads a store as it is; ``inspect.propose`` looks at an unknown store and proposes
its mapping; ``recipes.rebuild`` says what ingestion should have stored.
"""

from __future__ import annotations

from corpusguard.corpora.load import load_passages
from corpusguard.corpora.recipes import emit, rebuild

__all__ = ["emit", "load_passages", "rebuild"]
