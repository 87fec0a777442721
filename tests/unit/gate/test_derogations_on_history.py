"""Through the command line, on a corpus that verified: what another section takes is told.

The section that takes is in none of the corpora: only the official text has it.
"""

from __future__ import annotations

import json
import shutil

import pytest

from tests.replica.law import Law
from tests.unit.cli.conftest import call

ACT, REGULATION = "ca-on/statute/26f10@en", "ca-on/regulation/260910@en"
SAIL = "A ferry of class {} may sail at night."

SOURCE = """
[source]
publisher = "ontario-elaws"
base_url = "http://127.0.0.1:9"
min_delay_seconds = 0.0
licence = "Invented."
acknowledgement = "Invented."

[[document]]
id = "ca-on/statute/26f10@en"
title = "Ferry Act, 2026"
code = "S.O. 2026, c. 10"

[[document]]
id = "ca-on/regulation/260910@en"
title = "Buoys"
code = "O. Reg. 910/26"
"""
CONFIG = """
[corpusguard]
history = "history.db"
snapshots = "snapshots"
sources = ["source.toml"]

[[corpus]]
name = "rows"
reader = "jsonl"
path = "rows.jsonl"
document = {{ field = "document" }}
{more}
"""


def act():
    paragraphs = [("section", f"<b>{number} </b>{SAIL.format(number)}") for number in range(1, 8)]
    paragraphs += [
        ("section", "<b>8 </b>(1) " + SAIL.format(8)),
        ("subsection", "(2) The owner of a ferry of class 8 shall keep a log."),
        ("section", "<b>9 </b>Section 2 and subsection 8 (1) do not, in winter, apply to a raft."),
        ("Ysection", "<b>10 </b>Section 3 does not apply in winter."),
        ("section", "<b>11 </b>Section 4 of the Lamp Act does not apply to a raft."),
    ]
    return Law("statute", "26f10", "Ferry Act, 2026", "S.O. 2026, c. 10", tuple(paragraphs))


def regulation():
    paragraphs = [("section", f"<b>{number} </b>{SAIL.format(number)}") for number in range(1, 4)]
    paragraphs += [
        ("section", "<b>4 </b>Section 2 of the Act does not apply to a raft."),
        ("section", "<b>5 </b>Section 3 does not apply to a raft."),
    ]
    return Law("regulation", "260910", "Buoys", "O. Reg. 910/26", tuple(paragraphs))


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    """Two laws whose official text was brought by hand, and no corpus yet."""
    folder = tmp_path_factory.mktemp("derogations")
    (folder / "source.toml").write_text(SOURCE, encoding="utf-8")
    (folder / "corpusguard.toml").write_text(CONFIG.format(more='recipe = "section"'), "utf-8")
    (folder / "rows.jsonl").write_text("", encoding="utf-8")
    for document, law in ((ACT, act()), (REGULATION, regulation())):
        file = folder / "law.json"
        file.write_text(json.dumps(law.payload()), encoding="utf-8")
        added = call("snapshots", "add", document, file, "-c", folder / "corpusguard.toml")
        assert added.exit_code == 0, added.stderr
    return folder


@pytest.fixture
def check(captured, tmp_path):
    """Verify rows made by a recipe and changed, and return what checks an answer from them."""

    def verified(recipe, more, change=lambda row: row):
        folder = tmp_path / "project"
        shutil.copytree(captured, folder)
        config = folder / "corpusguard.toml"
        config.write_text(CONFIG.format(more=more), encoding="utf-8")
        rows = []
        for document in (ACT, REGULATION):
            made = call("passages", document, "--recipe", recipe, "-c", config)
            assert made.exit_code == 0, made.stderr
            rows += [json.loads(line) for line in made.stdout.splitlines()]
        kept = [change(row) for row in rows if (row["document"], row["section"]) != (ACT, "9")]
        text = "".join(json.dumps(row) + "\n" for row in kept)
        (folder / "rows.jsonl").write_text(text, encoding="utf-8")
        call("verify", "--offline", "-c", config)

        def asked(sentence, passage):
            (folder / "answer.txt").write_text(f"{sentence} [{passage}]", encoding="utf-8")
            answer = call("check-answer", folder / "answer.txt", "--format", "json", "-c", config)
            (one,) = json.loads(answer.stdout)["sentences"]
            assert answer.exit_code == (0 if one["door"] == "quoted" else 1), answer.stderr
            return one["reason"], one["detail"]

        return asked

    return verified


@pytest.mark.parametrize("recipe", ["section", "subsection"])
def test_a_quotation_is_held_to_all_of_its_own_law_and_to_no_other(check, recipe):
    asked = check(recipe, f'recipe = "{recipe}"')
    reason, detail = asked(SAIL.format(2), f"{ACT}#sec_2")
    assert reason == "limited_elsewhere"
    assert "section 9: Section 2 and subsection 8 (1)" in detail
    provided = "Section 2 provides that a ferry of class 2 may sail at night."
    assert asked(provided, f"{ACT}#sec_2")[0] == "clause_complete"
    for free in (1, 3, 4):
        # Nothing, a provision that is not in force yet, and another law's section 4.
        assert asked(SAIL.format(free), f"{ACT}#sec_{free}")[0] == "clause_complete"
    # Two laws with the same numbers; "the Act" of a regulation is the one it is made under.
    assert asked(SAIL.format(2), f"{REGULATION}#sec_2")[0] == "clause_complete"
    assert asked(SAIL.format(3), f"{REGULATION}#sec_3")[0] == "limited_elsewhere"


def test_of_a_section_only_the_subsection_that_loses_is_held(check):
    asked = check("subsection", 'recipe = "subsection"')
    assert asked(SAIL.format(8), f"{ACT}#sec_8__subsec_1")[0] == "limited_elsewhere"
    log = "The owner of a ferry of class 8 shall keep a log."
    assert asked(log, f"{ACT}#sec_8__subsec_2")[0] == "clause_complete"


def test_a_label_changes_nothing(check):
    def labelled(row):
        return {**row, "text": f"s. {row['section']}\n{row['text']}"}

    more = 'recipe = "section"\nstrip_prefix = "s. {section}\\n"'
    asked = check("section", more, labelled)
    assert asked(SAIL.format(2), f"{ACT}#sec_2")[0] == "limited_elsewhere"
    assert asked(SAIL.format(1), f"{ACT}#sec_1")[0] == "clause_complete"


def test_a_window_changes_nothing(check):
    """Stored on one line and without a locator."""

    def window(row):
        text = " ".join(row["text"].split())
        return {"id": row["id"], "document": row["document"], "text": text}

    asked = check("section", "", window)
    assert asked(SAIL.format(2), f"{ACT}#sec_2")[0] == "limited_elsewhere"
    assert asked(SAIL.format(1), f"{ACT}#sec_1")[0] == "clause_complete"
