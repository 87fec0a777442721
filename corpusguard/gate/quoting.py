"""One quotation against one passage: what ``verify_quote`` says, by the checks of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate import core
from corpusguard.gate.model import Citation, Door, Reason
from corpusguard.gate.record import passage_record, sentence_record
from corpusguard.gate.splitter import split
from corpusguard.gate.words import composed

if TYPE_CHECKING:
    from corpusguard.gate.model import Evidence, Rules, SentenceDecision

SCHEMA: Final = "corpusguard/quote/1"


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What the gate says of words that are said to stand in a passage."""

    passage: Evidence
    sentences: tuple[SentenceDecision, ...]
    reason: Reason | None
    """Why it is no quotation; of the first sentence that is none."""
    detail: str

    @property
    def quoted(self) -> bool:
        """Whether every sentence is a whole clause of the passage, and the passage verified."""
        return self.reason is None


def check_quote(passage: Evidence, text: str, rules: Rules) -> QuoteCheck:
    """Check each sentence of ``text`` against ``passage``; what stands in brackets is text too."""
    if passage.refusal is not None:
        return QuoteCheck(passage, (), passage.refusal, passage.detail)
    if len(text) > rules.longest_answer:
        over = f"{len(text)} characters, over the limit of {rules.longest_answer}"
        return QuoteCheck(passage, (), Reason.TOO_LONG, over)
    words = composed(text)
    sentences = tuple(split(words, lambda _inside: False))
    if not any(one.text for one in sentences):
        return QuoteCheck(passage, (), Reason.NO_SENTENCE, "there are no words to look for")
    cited = ((Citation(passage.id),),) * len(sentences)
    plan = core.Plan(words, core.digest(text), rules, sentences, cited)
    decisions = core.examine(plan, {passage.id: passage}).decisions
    wrong = next((one for one in decisions if one.door is not Door.QUOTED), None)
    if wrong is None:
        return QuoteCheck(passage, decisions, None, "")
    return QuoteCheck(passage, decisions, wrong.reason, wrong.detail)


def quote_record(check: QuoteCheck) -> dict[str, Any]:
    """Return ``check`` as JSON values; the passage's text is left out, as in a decision."""
    return {
        "schema": SCHEMA,
        "quoted": check.quoted,
        "reason": check.reason.value if check.reason else "",
        "detail": check.detail,
        "sentences": [sentence_record(one) for one in check.sentences],
        "passage": passage_record(check.passage),
    }
