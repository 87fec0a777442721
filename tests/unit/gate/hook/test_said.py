"""What a change newly says: also of what it leaves as it was."""

from __future__ import annotations

import pytest

from corpusguard.gate.hook.said import newly_said
from tests.unit.gate.hook.test_memory_write import hook, project, write

__all__ = ["project"]


def said(before, after):
    return [one for _, new in newly_said(before, after) for one in new]


SAME = {
    "nothing": ("Boats go free.", "Boats go free."),
    "a heading's level": ("# Law\n\nBoats go free.", "## Law\n\nBoats go free."),
    "a heading that names": ("# Law\n\nBoats go free.", "# Rules\n\nBoats go free."),
    "a statement moved": ("A goes.\n\nB goes.", "B goes.\n\nA goes."),
    "another removed": ("A goes.\n\nB goes.", "B goes."),
    "white space": ("- A  goes.\n  far", "- A goes. far"),
}


@pytest.mark.parametrize(("before", "after"), SAME.values(), ids=SAME)
def test_what_stands_as_it_stood_is_not_said_anew(before, after):
    """The same words in the same light."""
    new = [one for one in said(before, after) if not one.startswith("#")]
    assert new == []


TURNED = {
    "the opening words of a list": ("The following are void:\n- boats", "The following are allowed:\n- boats"),
    "after an empty line": ("These are void:\n\n- boats\n- carts", "These are allowed:\n\n- boats\n- carts"),
    "opening words taken away": ("These are false:\n- Boats go free.", "- Boats go free."),
    "opening words put in": ("- Boats go free.", "Not true\n- Boats go free."),
    "opening words of a paragraph": ("It is false that:\n\nBoats go free.", "It is true that:\n\nBoats go free."),
    "a heading": ("# Myths\n\nBoats go free.", "# Facts\n\nBoats go free."),
    "a heading taken away": ("# Myths\n\nBoats go free.", "Boats go free."),
    "a heading far above": ("# Myths\n## Boats\n- Boats go free.", "# Law\n## Boats\n- Boats go free."),
    "a heading with not": ("# Do not\n- Boats go free.", "# Do\n- Boats go free."),
    "an item above": ("- Void:\n  - boats go free", "- Valid:\n  - boats go free"),
    "the head of a table": ("| void | x |\n|---|---|\n| boats | carts |",
                            "| valid | x |\n|---|---|\n| boats | carts |"),
    "the sentence behind": ("Boats go free. That ends in May.", "Boats go free."),
    "the sentence before": ("Only members count. Boats go free.", "Boats go free."),
    "a sentence beside it": ("Boats go free. Not on Sundays.", "Boats go free. Use tabs."),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), TURNED.values(), ids=TURNED)
def test_what_stands_in_a_new_light_is_said_anew(before, after):
    """Though its own words did not change."""
    assert {
        "Boats go free.",
        "- boats",
        "- Boats go free.",
        "- boats go free",
        "| boats | carts |",
    } & {*said(before, after)}


def test_a_sentence_added_leaves_the_others_old():
    """It is judged by itself."""
    assert said("Boats go free.", "Boats go free. Use tabs.") == ["Use tabs."]


@pytest.mark.parametrize(
    "after",
    [
        "The following are allowed:\n\n- boats\n",
        "- boats\n",
        "# Facts\n\nThe following are void:\n- boats\n",
    ],
)
def test_an_edit_above_is_blocked(project, after):
    """Through the hook: nobody has verified what the item says now."""
    (project / "CLAUDE.md").write_text("The following are void:\n\n- boats\n")
    assert (
        hook(
            project, write("The following are void:\n\n- boats\n\n- Use tabs\n")(project)
        ).exit_code
        == 0
    )
    assert hook(project, write(after)(project)).exit_code == 2
