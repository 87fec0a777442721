"""Small things that a newcomer meets: a dash for a file, a suffix, an empty list, a group's help."""

from __future__ import annotations

import pytest

from tests.unit.cli.conftest import call


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "--offline", "-o", "-"),
        ("report", "-o", "-"),
        ("verify", "--offline", "-f", "json", "-f", "jsonl", "-o", "-"),
    ],
)
def test_a_dash_never_becomes_a_file(verified, tmp_path, monkeypatch, arguments):
    """It is refused before a run is made, and the hint says how to get standard output."""
    monkeypatch.chdir(tmp_path)
    result = call(*arguments, "-c", verified)
    assert result.exit_code == 2
    assert "For standard output leave --output out" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "form"), [("r.json", "json"), ("r.MD", "markdown"), ("r", "html")]
)
def test_the_suffix_is_the_form(verified, tmp_path, name, form):
    """`--output` and `--check` agree on it without --format; another form is not that report."""
    file = tmp_path / name
    # Of run 1: other tests make further runs of the same project.
    assert call("report", "--run", 1, "-o", file, "-q", "-c", verified).exit_code == 0
    checked = call("report", "--run", 1, "--check", file, "-c", verified)
    assert checked.exit_code == 0, checked.stderr
    assert f"is the {form} report of run 1" in checked.stdout
    assert (file.read_bytes()[:1] == b"{") is (form == "json")
    other = "markdown" if form == "json" else "json"
    refused = call("report", "--run", 1, "--check", file, "--format", other, "-c", verified)
    assert refused.exit_code == 1
    assert f"is not the {other} report that the evidence gives" in refused.stderr


def test_a_cut_report_and_a_longer_one_are_told_as_such(verified, tmp_path):
    """Not as bytes that differ where there are none."""
    file = tmp_path / "r.json"
    assert call("report", "-o", file, "-q", "-c", verified).exit_code == 0
    whole = file.read_bytes()
    for data, words in (
        (b"", "the file is empty"),
        (whole[:100], "it ends early, after 100 of"),
        (whole + b"x", "it goes on after the"),
        (b"x" + whole[1:], "the first difference is in line 1 (byte 1)"),
    ):
        file.write_bytes(data)
        refused = call("report", "--check", file, "-c", verified)
        assert refused.exit_code == 1
        assert words in refused.stderr


def test_no_hit_is_said(verified):
    """On standard error: the list itself stays empty."""
    result = call("findings", "list", "--rule", "CG104", "--doc", "nowhere", "-c", verified)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "no finding that these options ask for in the newest run" in result.stderr


@pytest.mark.parametrize("group", ["measure", "findings", "schedule", "snapshots", "history"])
def test_the_help_of_a_group_claims_no_exit_codes_of_verify(group):
    """Those of `verify` would be untrue of most commands in it."""
    text = call(group, "--help").stdout
    assert "every document in scope" not in text
    assert "--fail-on" not in text
    assert "the --help of each" in text
