from __future__ import annotations

import pytest

from corpusguard.first_reader import read
from corpusguard.model import Rendition


@pytest.fixture
def ask():
    """Read invented paragraphs as a content fragment."""

    def _ask(*paragraphs):
        return read("".join(paragraphs).encode(), Rendition.CONTENT)

    return _ask
