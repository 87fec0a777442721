"""The faults of the sample's faulty corpus: each one a change to the clean rows, and its story.

Every fault names the rules of which at least one must report it, and checks that it did change
something: a fault that no longer bites after an edit of the masters stops the build.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Row = dict[str, object]
ACT_ID = "ca-on/statute/19h31@en"
REGULATION_ID = "ca-on/regulation/190902@en"


@dataclass
class Corpus:
    """Rows that faults are planted into, and what was planted."""

    rows: list[Row]
    older: list[Row]
    plants: list[dict[str, object]] = field(default_factory=list)

    def index(self, section: str, subsection: str = "", document: str = ACT_ID) -> int:
        """Position of the one row of a section or subsection."""
        (found,) = [
            number
            for number, row in enumerate(self.rows)
            if (row["document"], row["section"], row.get("subsection") or "")
            == (document, section, subsection)
        ]
        return found

    def plant(self, kind: str, row: Row, rules: str, explanation: str) -> None:
        """Note what was planted."""
        self.plants.append(
            {
                "kind": kind,
                "document": row["document"],
                "section": row["section"],
                "passage": row["id"],
                "rules": rules.split(),
                "explanation": explanation,
            }
        )

    def replace(self, at: int, old: str, new: str) -> Row:
        """Replace words that stand once in a row's text."""
        row = self.rows[at]
        text = str(row["text"])
        if text.count(old) != 1 or old == new:
            raise ValueError(f"{old!r} does not stand once in {row['id']}")
        row["text"] = text.replace(old, new)
        return row


def faulty(clean: list[Row], older: list[Row]) -> Corpus:
    """Return the clean rows with all faults planted.

    Args:
        clean: rows of the newest consolidation of both documents.
        older: rows of the Act's older consolidation.
    """
    corpus = Corpus([dict(row) for row in clean], older)
    for step in (_words, _cuts, _labels, _status, _characters):
        step(corpus)
    ordinals: dict[object, int] = {}
    for row in corpus.rows:
        row["ordinal"] = ordinals[row["document"]] = ordinals.get(row["document"], -1) + 1
    return corpus


def _words(corpus: Corpus) -> None:
    at = corpus.index("9", "2")
    (stale,) = [row for row in corpus.older if (row["section"], row["subsection"]) == ("9", "2")]
    row = corpus.rows[at]
    if row["text"] == stale["text"]:
        raise ValueError("section 9 (2) was not amended")
    row["text"] = stale["text"]
    corpus.plant(
        "stale",
        row,
        "CG101 CG106",
        "Section 9 (2) is the text before the amendment of January 1, 2026: 30 days, not 21.",
    )
    row = corpus.replace(corpus.index("26", "2"), "156", "165")
    corpus.plant(
        "number_changed",
        row,
        "CG101",
        "Section 26 (2) allows 165 market days; the law says 156.",
    )
    row = corpus.replace(corpus.index("20", "1"), "may not be sold", "may be sold")
    corpus.plant(
        "negation_dropped",
        row,
        "CG101",
        "Section 20 (1) lost one word, “not”: a licence that may not be sold now may be.",
    )
    at = corpus.index("10")
    lines = str(corpus.rows[at]["text"]).split("\n")
    lines[1], lines[2] = lines[2], lines[1]
    corpus.rows[at]["text"] = "\n".join(lines)
    corpus.plant(
        "order_changed",
        corpus.rows[at],
        "CG202",
        "Clauses (a) and (b) of section 10 changed places; every word of the law is there.",
    )


def _cuts(corpus: Corpus) -> None:
    row = corpus.replace(corpus.index("38", "1"), ", shall be chosen by the other two.", "")
    corpus.plant(
        "truncated",
        row,
        "CG307",
        "Section 38 (1) stops in the middle of its last clause.",
    )
    row = corpus.replace(
        corpus.index("21", "3"), " The Warden shall then say so in the register.", ""
    )
    corpus.plant(
        "sentence_dropped",
        row,
        "CG101 CG306",
        "The middle one of three sentences of section 21 (3) is missing.",
    )
    at = corpus.index("Sched. 1", document=REGULATION_ID)
    lines = str(corpus.rows[at]["text"]).split("\n")
    mole = lines.index("East Mole")
    del lines[mole - 1 : mole + 3]
    corpus.rows[at]["text"] = "\n".join(lines)
    corpus.plant(
        "table_row_dropped",
        corpus.rows[at],
        "CG101 CG306",
        "The table of public quays in Schedule 1 of the regulation lost its fourth row.",
    )
    row = corpus.rows.pop(corpus.index("45"))
    corpus.plant(
        "section_missing",
        {**row, "id": ""},
        "CG301",
        "Section 45, the limitation period, is not stored at all.",
    )


def _labels(corpus: Corpus) -> None:
    hearing, stay = corpus.rows[corpus.index("39")], corpus.rows[corpus.index("41")]
    hearing_text, stay_text = str(hearing["text"]), str(stay["text"])
    hearing["text"] = stay_text.replace("41 ", "39 ", 1)
    stay["text"] = hearing_text.replace("39 ", "41 ", 1)
    corpus.plant(
        "misfiled",
        hearing,
        "CG203",
        "The words of section 41 are stored as section 39, and those of 39 as 41.",
    )
    row = corpus.rows[corpus.index("48")]
    row["section"] = ""
    corpus.plant(
        "label_empty",
        row,
        "CG309",
        "The passage of section 48 has an empty section field: nothing can be cited for it.",
    )
    at = corpus.index("50")
    row = {
        **corpus.rows[at],
        "id": f"{ACT_ID}#sec_50.1",
        "section": "50.1",
        "heading": "Lanterns",
        "text": "50.1 A seller of lanterns needs no stall licence on the longest night of the"
        " year.",
    }
    corpus.rows.insert(at + 1, row)
    corpus.plant(
        "invented",
        row,
        "CG302",
        "Section 50.1 does not exist; somebody, or something, made it up.",
    )
    at = corpus.index("28")
    row = dict(corpus.rows[at])
    corpus.rows.insert(at + 1, row)
    corpus.replace(at + 1, "must close by 8 p.m.", "must close by 10 p.m.")
    corpus.plant(
        "duplicate_id",
        row,
        "CG303",
        "Two rows carry the id of section 28 and differ: a database would keep either.",
    )


def _status(corpus: Corpus) -> None:
    at = corpus.index("35", "2")
    row = {
        **corpus.rows[at],
        "id": f"{ACT_ID}#sec_35.1",
        "section": "35.1",
        "subsection": "1",
        "heading": "Night markets",
        "text": "35.1 (1) The Warden may permit a night market if the quay is lit along its whole"
        " length.",
    }
    corpus.rows.insert(at + 1, row)
    corpus.plant(
        "not_in_force",
        row,
        "CG305",
        "Section 35.1 (1), night markets, is printed but not yet in force; it is stored as law.",
    )
    (lamps,) = [row for row in corpus.older if row["section"] == "31"]
    row = corpus.rows[corpus.index("31")]
    row["text"] = lamps["text"]
    corpus.plant(
        "repealed",
        row,
        "CG304",
        "Section 31 was repealed on January 1, 2026; its old words are still stored as law.",
    )


def _characters(corpus: Corpus) -> None:
    broken = "’".encode().decode("cp1252")
    row = corpus.replace(corpus.index("15", "1"), "’", broken)
    corpus.plant(
        "mojibake",
        row,
        "CG101 CG104",
        "An apostrophe of section 15 (1) was decoded with the wrong character set.",
    )
    row = corpus.replace(corpus.index("4", document=REGULATION_ID), "’", "'")
    corpus.plant(
        "quotes_straightened",
        row,
        "CG104",
        "A typographic apostrophe in section 4 of the regulation was made a straight one.",
    )
