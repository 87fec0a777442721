"""What each reason of the gate means and what to do next, for people who read a decision.

The one place of these words: `explain`, `check-answer`, `decisions show`, the MCP tool and the
table in docs/gate.md all take them from here.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.errors import ConfigError
from corpusguard.gate.claims.model import Outcome
from corpusguard.gate.claims.outcomes import EXPLAINED as OUTCOMES
from corpusguard.gate.glossary import documented, words
from corpusguard.gate.model import Reason
from corpusguard.rules import RULES, rule_id, rule_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_QUOTE: Final = "Quote the whole clause, or let a judge decide on a paraphrase."
_QUOTE_ALONE: Final = "Quote the whole clause; no judge is asked here."
_RETYPE: Final = "Correct the sentence against the passage, or quote the clause whole."


class Explained(NamedTuple):
    """A reason in words."""

    meaning: str
    next: str


class Explanation(NamedTuple):
    """What there is to say of a name; a rule and a reason may share one."""

    rule: str
    """Id, or empty."""
    reason: str
    """Code of the gate, or empty."""
    page: str
    """Markdown."""
    outcome: str = ""
    """Of `check-claim`, or empty."""


EXPLAINED: Final[Mapping[Reason, Explained]] = {
    Reason.CLAUSE_COMPLETE: Explained(
        "The sentence is, word for word, a whole clause of a passage that verified.",
        "Nothing: it may be shown.",
    ),
    Reason.EQUIVALENT: Explained(
        "It says a whole clause in words that a closed table holds for the law's; the detail names "
        "them.",
        "Nothing: it may be shown, but not in quotation marks.",
    ),
    Reason.JUDGE_SUPPORTED: Explained(
        "It is no quotation; no check objects, and the judge says that the passage supports it.",
        "Nothing: it may be shown. `measure gate` says how far the judge can be trusted.",
    ),
    Reason.NO_CITATION: Explained(
        "The sentence names no passage: it has no bracket, or one that is no citation. That takes "
        "a declared marker, or an id with a digit and without a blank.",
        "Put [passage-id] after each sentence, headings and closing remarks included; declare ids "
        "without a digit.",
    ),
    Reason.UNKNOWN_PASSAGE: Explained(
        "No passage of the corpora that count has the id.",
        "Correct the marker: it is the row's own id, or the `marker` of a citation.",
    ),
    Reason.NEVER_VERIFIED: Explained(
        "The passage is stored, but no run with all three layers has verified it.",
        "Run `corpusguard verify`, and look at `corpusguard findings list`.",
    ),
    Reason.VIOLATED: Explained(
        "The last run found the passage wrong.",
        "See `corpusguard findings list`, correct the corpus and verify again.",
    ),
    Reason.AMENDED: Explained(
        "The law was amended after the passage last verified (CG106).",
        "Ingest the new consolidation and verify again.",
    ),
    Reason.ALTERED: Explained(
        "The stored text was changed after it last verified (CG107).",
        "Restore the row, or verify the corpus as it is now.",
    ),
    Reason.GONE: Explained(
        "The passage verified once, and is no longer in the corpus.",
        "Cite what the corpus holds now; ingest again if it should be there.",
    ),
    Reason.TOO_OLD: Explained(
        "The source was last asked for the text that the passage verified against longer ago than "
        "`max_age` allows.",
        "Run `corpusguard verify` online; raise `max_age` only if older law will do.",
    ),
    Reason.TEXT_DIFFERS: Explained(
        "The text that was presented, or is stored now, is not the text that verified.",
        "Send the stored text unchanged, or none; after a change of the store, verify again.",
    ),
    Reason.AMBIGUOUS_ID: Explained(
        "Two or more rows have the id, so it is not known which of them was meant.",
        "Give each row an id of its own, or name one corpus with `--corpus`.",
    ),
    Reason.CHARACTERS: Explained(
        "Letters or digits of another script, or invisible characters, are among the words.",
        "Write it again in plain letters; look at where the text comes from.",
    ),
    Reason.NUMBER: Explained(
        "A number is not in the clause that the sentence comes closest to, or in another place.",
        _RETYPE,
    ),
    Reason.DATE: Explained("A date is not in the closest clause.", _RETYPE),
    Reason.MONEY: Explained("An amount of money is not in the closest clause.", _RETYPE),
    Reason.PERCENTAGE: Explained("A percentage is not in the closest clause.", _RETYPE),
    Reason.REFERENCE: Explained(
        "A section or law is named that the passage neither is nor names.",
        "Correct the reference, or cite the passage that it is about.",
    ),
    Reason.COMPARATOR: Explained(
        "A comparison (at least, more than, before) is not that of the closest clause.", _RETYPE
    ),
    Reason.ACTOR: Explained(
        "Who acts in the sentence does not act so in the closest clause, or a word with a capital "
        "is not in it, whether it is anybody's name or not.",
        _RETYPE,
    ),
    Reason.NEGATION: Explained(
        "The sentence has a negation that the closest clause has not, or the reverse.", _RETYPE
    ),
    Reason.MODAL: Explained(
        "A modal (shall, may, must) is another than in the closest clause, or is missing.", _RETYPE
    ),
    Reason.CONDITION_ADDED: Explained(
        "The sentence has a condition or exception that the closest clause has not.", _RETYPE
    ),
    Reason.CONDITION_DROPPED: Explained(
        "The closest clause has a condition or exception that the sentence leaves out.", _QUOTE
    ),
    Reason.UNRELATED: Explained(
        "Too few words of the sentence and of any clause of the passage are the same.",
        "Cite the passage that says it. A plain-language paraphrase may be right and end here.",
    ),
    Reason.INSTRUCTION: Explained(
        "The sentence, or the passage, speaks to the judge as if it were to be instructed.",
        "Look at where the text comes from; nothing of it was sent to a judge.",
    ),
    Reason.TRUNCATED: Explained(
        "These are the law's words, but a part of the clause or items of the list are left out.",
        "Quote to the end, with the conditions, the opening words and all items of the list.",
    ),
    Reason.WRONG_SECTION: Explained(
        "The words are quoted, but are said to stand in another section, or under another number.",
        "Correct the section that the sentence names.",
    ),
    Reason.LIMITED_ELSEWHERE: Explained(
        "The clause is whole, but another one of its passage may limit it, or it is one of "
        "several sentences.",
        'Quote it with its number ("Section 10 (1) provides that …"), or with the limit.',
    ),
    Reason.NOT_QUOTED: Explained(
        "The words are not a clause of the passage, and there is no judge to ask.",
        _QUOTE,
    ),
    Reason.JUDGE_NOT_SUPPORTED: Explained(
        "The judge says that the passage does not support the sentence.",
        "Correct the sentence or its citation.",
    ),
    Reason.JUDGE_ERROR: Explained(
        "The judge failed, took too long or sent no exact verdict.",
        "Look at the judge; ask again. `--no-judge` does without it meanwhile.",
    ),
    Reason.TOO_LONG: Explained(
        "The answer, the sentence or a passage is over a limit, and was not checked.",
        "Check the answer in parts, each with the passages that it cites.",
    ),
    Reason.EMPTY_ANSWER: Explained(
        "There is no answer.", "Look at the program that hands it over; nothing was checked."
    ),
    Reason.NO_SENTENCE: Explained(
        "There are no words to check, such as in a marker that stands alone.",
        "Put each marker behind the sentence that it belongs to.",
    ),
    Reason.NO_SOURCE: Explained(
        "No sentence of the answer names a passage, and none was declared.",
        "Put [passage-id] after each sentence.",
    ),
    Reason.KEEP_RATIO: Explained(
        "Fewer than half of the sentences are left, so the rest is no answer any more.",
        "See the reason of each sentence that was removed.",
    ),
    Reason.LOST_CONDITION: Explained(
        "A sentence that was removed carried a condition or exception of what would be left.",
        "Correct that sentence: see its reason.",
    ),
    Reason.DANGLING: Explained(
        'A sentence that was kept refers to one that was removed ("This …", "the following …").',
        "Correct the sentence that was removed, or let the other stand without it.",
    ),
}


def look_up(name: str, *, judged: bool = True) -> Explanation:
    """Return what a name means: a reason of the gate, an outcome of `check-claim`, a rule.

    A name may be several of them; the rule comes last. Of other words of the gate's relatives it
    is said where they are explained.

    Args:
        name: A word, in any case.
        judged: Whether a judge may be asked where the page is read; else none is recommended.

    Raises:
        ConfigError: It is none; the hint names what is near.
    """
    code = name.strip().lower().replace("-", "_")
    reason = Reason(code) if code in set(Reason) else None
    outcome = Outcome(code) if code in set(Outcome) else None
    try:
        rule = rule_id(name)
    except ConfigError:
        rule = ""
    pages = []
    if reason is not None:
        said = EXPLAINED[reason]
        if not judged and said.next == _QUOTE:
            said = said._replace(next=_QUOTE_ALONE)
        pages.append(_page(reason, "a reason of the sentence gate", said))
    if outcome is not None:
        pages.append(_page(outcome, "an outcome of `check-claim`", OUTCOMES[outcome]))
    if rule and pages:
        pages.append(f"`{code}` is also the name of a rule of `verify`:\n")
    if rule:
        pages.append(rule_page(rule))
    if not pages:
        pages = [f"{line}\n" for line in documented(code)]
    if not pages:
        raise ConfigError(
            f"there is no rule, no reason of the gate and no outcome {name[:80]!r}",
            hint=_nearest(code),
        )
    return Explanation(rule, reason.value if reason else "", "\n".join(pages), outcome or "")


def _page(code: str, what: str, said: tuple[str, str]) -> str:
    meaning, next_step = said
    return f"# {code}, {what}\n\n{meaning}\n\n{next_step}\n"


def _nearest(code: str) -> str:
    rules = {rule.name: f"{rule.id} {rule.name}" for rule in RULES.values()}
    rules |= {rule.id.lower(): f"{rule.id} {rule.name}" for rule in RULES.values()}
    known = {str(one): str(one) for one in [*words(), *Outcome, *Reason]} | rules
    near = difflib.get_close_matches(code, known, n=3, cutoff=0.5)
    names = dict.fromkeys(known[one] for one in near)
    return f"Nearest: {', '.join(names)}." if names else "Rules look like CG101 or text_differs."


def legend(codes: Iterable[str]) -> list[str]:
    """Return a line for each reason, in order and once; codes of other versions are left out."""
    known = [Reason(code) for code in dict.fromkeys(codes) if code in set(Reason)]
    return [f"{code}: {' '.join(EXPLAINED[code])}" for code in known]
