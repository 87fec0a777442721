"""Which statements are claims: in doubt, they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpusguard.gate.hook.statements import (
    is_claim,
    layout_blocks,
    placed_statements,
    statements,
    unreadable_characters,
)

NO_CLAIM = """\
# Coding preferences
# Law
## Open questions
- Use 4 spaces for indentation
- Prefer short answers
- [ ] Call the client
- [x] Send the draft to Ann
* Please keep line length 100
The user prefers bullet points.
I like tables.
Ask when something is unclear.
I would like short answers.
Run the tests before anything is committed.
Don't use emojis.
TODO: rename the module
---
| --- | --- |
docs/telling.md
https://example.org/a
Style: plain and short
Should the tests run first?
Never commit secrets.
Next steps:
Keep paragraphs short.""".splitlines()

CLAIM = """\
A stall licence expires in March.
Remember that rent may rise by 2.5 %.
Tenants can withhold rent
- [ ] File the appeal by March 3
The office opens at nine.
# Rent increases are void
# Stalls void
Marla Quist leads the office
# Quist leads office
Keep in mind the harbour closes early.
Use form 12 because the Act says so.
Le loyer ne peut pas augmenter.
The project uses pytest.
Note: the fee is waived
Did you know the Warden is elected?
Fee: waived
Visit the harbour, it closes early.
Marrow Point is a town
Квартплата не повышается.
The harbour closes
Never pay quay dues, they are illegal
**Rent** is `void`
| renewal | before May 15 |
Ａｐｐｅａｌｓ close
Use tabs; the Minister abolished spaces
I like that stalls are free
Tell everyone stalls may be sold freely
The user prefers to hear stalls are free""".splitlines()

LEGAL = """\
A licence is void.
Wait 30 days.
The fee is waived.
See s. 12.
It costs $5.
Landlords may enter.""".splitlines()


@pytest.mark.parametrize("text", NO_CLAIM)
def test_what_states_nothing(text):
    """Instructions, wishes, plans, questions, labels, layout."""
    assert not is_claim(text)


@pytest.mark.parametrize("text", CLAIM)
def test_what_states_something(text):
    """All else, in whatever clothes and whatever language."""
    assert is_claim(text)


def lines(name):
    return (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("text", lines("memory_lines.txt"))
def test_what_agents_write_to_work_by(text):
    """Instructions, wishes, to-dos, headings, links, commands, tables of contents."""
    assert [one for one in statements(text) if is_claim(one)] == []


@pytest.mark.parametrize("text", lines("memory_claims.txt"))
def test_claims_of_many_shapes(text):
    """Verbs that no list has, behind dashes, colons, brackets and conjunctions, in any language."""
    assert [one for one in statements(text) if is_claim(one)]


@pytest.mark.parametrize("text", ["Use 狩猟は自由", "# 狩猟は自由", "# Gidiyorumdeğilmisinizacaba"])
def test_one_word_may_be_a_sentence(text):
    """In scripts without spaces, and in languages that join words."""
    assert is_claim(text)


def test_the_head_of_a_fence_is_read():
    """A word names a language; more of them are text."""
    assert list(statements("```python\nx\n```")) == ["x"]
    assert "boats go free" in list(statements("``` boats go free\nx\n```"))


@pytest.mark.parametrize("text", LEGAL)
def test_what_is_legal(text):
    """Law, money, amounts, times."""
    assert is_claim(text, scope="legal")


@pytest.mark.parametrize("text", ["The build uses make.", "Marrow Point is a town."])
def test_what_is_not_legal(text):
    """A claim, but not of law."""
    assert is_claim(text)
    assert not is_claim(text, scope="legal")


def test_layout_is_taken_apart():
    """Wrapped lines are one text, items and lines of code their own, sentences apart."""
    text = "# A\nfoo bar\nbaz. Next one!\n- item\n  goes on\n\n```py\nx = 1\n```\nend"
    assert list(statements(text)) == [
        "# A", "foo bar baz.", "Next one!", "- item goes on", "x = 1", "end",
    ]  # fmt: skip
    assert list(layout_blocks(text)) == [
        (1, "# A"), (2, "foo bar\nbaz. Next one!"), (4, "- item\n  goes on"), (6, ""), (8, "x = 1"),
        (10, "end"),
    ]  # fmt: skip
    assert [line for line, _ in placed_statements(text)] == [1, 2, 3, 4, 8, 10]


@pytest.mark.parametrize(
    "text", ["a\u200bb", "\u202ea", "\x1b[0m", "\ud800", "\ue000", "pаy", "Αct"]
)
def test_text_that_may_not_read_as_it_looks(text):
    """Invisible, bidirectional, private characters; words of two alphabets."""
    assert unreadable_characters(text)


@pytest.mark.parametrize("text", ["naïve café", "Квартплата", "日本", "a\tb", "½ “x” – …", "🙂"])
def test_text_that_reads_as_it_looks(text):
    """Other languages are fine."""
    assert not unreadable_characters(text)
