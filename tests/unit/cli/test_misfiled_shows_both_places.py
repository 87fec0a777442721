"""A misfiled passage is shown with the place it claims and the places where its words stand."""

from __future__ import annotations

import json

import pytest

from tests.unit.cli.conftest import call


@pytest.fixture(scope="module")
def misfiled(verified):
    listed = call("findings", "list", "--rule", "CG203", "-f", "json", "-c", verified).stdout
    return json.loads(listed)["findings"]


def test_official_text_names_and_quotes_both_places(misfiled):
    """Who sees only the claimed section cannot see that the stored words are law elsewhere."""
    assert len(misfiled) == 2  # the sample exchanges the labels of two sections
    for one, other in zip(misfiled, reversed(misfiled), strict=True):
        claimed, found = one["official"].split("\n")
        assert claimed.startswith(f"claimed s. {one['section']}: ")
        place, _, words = found.partition(": ")
        assert place == f"found in s. {other['section']}"
        assert words in one["stored"]
        assert words in other["official"]
