"""The order of checks, from an answer to a decision. Pure: no I/O, no clock, no judge called.

A check has four steps, so that what must be looked up or asked happens between them::

    plan = read(answer, citations, rules)          # sentences, and what each cites
    examined = examine(plan, evidence)             # plan.wanted -> evidence, from history
    replies = {n: … for n, question in examined.questions.items()}      # optional
    decision = conclude(plan, examined, replies)

Each sentence is checked alone, in this order: its length; its citations, each of which must be a
passage that verified; its characters; whether it is a complete clause, quoted or in equivalent
words; the vetoes; and a judge. A complete quotation draws no veto (a test holds the two to that),
so the order of these two decides only which reason is given. Of an equivalent every word is
accounted for, which is more than the vetoes ask. A judge is asked last, and cannot undo anything
before it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from corpusguard.gate import vetoes
from corpusguard.gate.citations import declare
from corpusguard.gate.judging import JudgeError, Question, parse_reply
from corpusguard.gate.model import (
    SHIPS,
    Citation,
    Decision,
    Door,
    Evidence,
    Objection,
    Outcome,
    Reason,
    Rules,
    Sentence,
    SentenceDecision,
)
from corpusguard.gate.quote import equivalent, quote
from corpusguard.gate.splitter import split
from corpusguard.gate.vetoes.facts import condition_words
from corpusguard.gate.words import composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_SELF: Final = r"(?:Act|Part|Division|section|subsection|clause|paragraph|Regulation|Schedule|Code)"
_REFERS: Final = re.compile(
    rf"^\W*(?:(?:this|that|these|those|such)\b(?! {_SELF}\b)|(?:it|they|he|she|its|their|his|her|"
    r"however|otherwise|also|but|and|or|nor|then|if so|if not|likewise|similarly|accordingly|"
    r"the same)\b|in (?:that|this|such|either) (?:case|event)\b)"
    r"|\bthe (?:first|second|third|fourth|last|former|latter|other|previous|preceding|foregoing|"
    r"above|aforesaid|aforementioned|said)\b"
    r"(?! (?:day|week|month|year|quarter|market|reading|anniversary|instalment)s?\b)",
    re.IGNORECASE,
)
_MOST_JOINED: Final = 8
"""Sentences of one provision, quoted one after the other."""
_CUT_SHORT: Final = frozenset({Reason.LIMITED_ELSEWHERE, Reason.TRUNCATED})
_TOGETHER: Final = "with the sentences beside it, the law's own words, whole"
_MOST_TOLD: Final = 3
_POINTS_AHEAD: Final = re.compile(r"\b(?:following|below)\b|:\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plan:
    """An answer, read."""

    answer: str
    """In composed form (NFC)."""
    answer_digest: str
    rules: Rules
    sentences: tuple[Sentence, ...]
    cited: tuple[tuple[Citation, ...], ...]
    """Of each sentence."""
    marked: bool = True
    """Whether sentences have markers of their own; else each cites all that was declared."""
    refusal: Reason | None = None
    """Why nothing of it is checked."""
    detail: str = ""

    @property
    def wanted(self) -> tuple[Citation, ...]:
        """Every passage cited, each once."""
        return tuple({one.id: one for cited in self.cited for one in cited}.values())


@dataclass(frozen=True, slots=True)
class Examined:
    """What was decided without a judge, and what a judge could still let through."""

    decisions: tuple[SentenceDecision, ...]
    questions: Mapping[int, Question]
    """Index of a sentence -> what to ask; its decision stands unless the judge supports it."""
    evidence: tuple[Evidence, ...]


def digest(answer: str) -> str:
    """Return ``sha256:…`` of an answer as UTF-8, lone surrogates escaped."""
    return "sha256:" + hashlib.sha256(answer.encode("utf-8", "backslashreplace")).hexdigest()


def read(answer: str, citations: Iterable[Citation], rules: Rules) -> Plan:
    """Split ``answer`` and say what each sentence cites.

    Where the answer has no marker at all, each sentence cites every declared passage: so a caller
    without markers can check an answer against the passages that it was given, and those that do
    not count are left aside. Where it has one, each sentence must have its own, and each passage
    that it names must count.

    Raises:
        ConfigError: The citations contradict each other; see ``citations.declare``.
    """
    declared = declare(citations, rules)
    sum_of_it = digest(answer)

    def refused(reason: Reason, detail: str) -> Plan:
        return Plan("", sum_of_it, rules, (), (), refusal=reason, detail=detail)

    if len(answer) > rules.longest_answer:
        over = f"over the limit of {rules.longest_answer}"
        return refused(Reason.TOO_LONG, f"{len(answer)} characters, {over}")
    text = composed(answer)
    if not text.strip():
        return refused(Reason.EMPTY_ANSWER, "the answer is empty")
    sentences = tuple(split(text, declared.is_marker))
    if len(sentences) > rules.most_sentences:
        over = f"over the limit of {rules.most_sentences}"
        return refused(Reason.TOO_LONG, f"{len(sentences)} sentences, {over}")
    if not any(one.text for one in sentences):
        return refused(Reason.NO_SENTENCE, "the answer has no sentence")
    marked = any(sentence.markers for sentence in sentences)
    cited = tuple(
        declared.named(sentence.markers) if marked else declared.declared for sentence in sentences
    )
    refusal = None if any(cited) else Reason.NO_SOURCE
    detail = "nothing is cited" if refusal else ""
    return Plan(text, sum_of_it, rules, sentences, cited, marked, refusal, detail)


def examine(plan: Plan, evidence: Mapping[str, Evidence]) -> Examined:
    """Decide every sentence as far as it can be without a judge.

    Args:
        plan: From ``read``.
        evidence: Passage id -> what history says of it; an id that is missing is unknown.
    """
    decisions: list[SentenceDecision] = []
    questions: dict[int, Question] = {}
    for number, (sentence, cited) in enumerate(zip(plan.sentences, plan.cited, strict=True)):
        passages = tuple(evidence.get(one.id) or _unknown(one.id) for one in cited)
        aside: tuple[Evidence, ...] = ()
        if not plan.marked and any(one.refusal is None for one in passages):
            # It does not name them one by one, so those that do not count are left aside.
            aside = tuple(one for one in passages if one.refusal is not None)
            passages = tuple(one for one in passages if one.refusal is None)
        line = plan.answer[: sentence.start].rpartition("\n")[2]
        # A block quotation promises the very words.
        own = line.lstrip().startswith(">")
        rules = replace(plan.rules, equivalents=plan.rules.equivalents and not own)
        decision = _decide(sentence, passages, rules)
        if aside and decision.door not in SHIPS:
            told = "; ".join(f"{one.id[:120]}: {one.detail}" for one in aside[:_MOST_TOLD])
            decision = replace(decision, detail=f"{decision.detail}; left aside: {told}")
        decisions.append(decision)
        if decision.reason is Reason.NOT_QUOTED:
            questions[number] = Question(
                sentence.text, tuple((one.id, one.text) for one in passages)
            )
    _join(plan, evidence, decisions)
    for number in [at for at in questions if decisions[at].door in SHIPS]:
        del questions[number]
    used = tuple(evidence.get(one.id) or _unknown(one.id) for one in plan.wanted)
    return Examined(tuple(decisions), questions, used)


def _join(plan: Plan, evidence: Mapping[str, Evidence], decisions: list[SentenceDecision]) -> None:
    """Let sentences ship that are, one after the other, a whole provision of several.

    A marker after the last is enough for them: that the others are of the same provision is no
    guess, as they are its words. Sentences between which another stands are not joined.
    """
    start = 0
    while start < len(decisions):
        stop = start + 1
        if decisions[start].reason in {*_CUT_SHORT, Reason.NO_CITATION}:
            stop = _joined(plan, evidence, decisions, start) or stop
        start = stop


def _joined(
    plan: Plan, evidence: Mapping[str, Evidence], decisions: list[SentenceDecision], start: int
) -> int:
    """Return where the provision quoted from sentence ``start`` ends, or 0."""
    names: set[tuple[str, ...]] = set()
    for at in range(start, min(start + _MOST_JOINED, len(decisions))):
        cited = tuple(one.id for one in plan.cited[at])
        names |= {cited} - {()}
        if len(names) > 1 or decisions[at].reason not in {*_CUT_SHORT, Reason.NO_CITATION}:
            return 0
        if at == start or not cited or decisions[at].reason not in _CUT_SHORT:
            continue
        members = plan.sentences[start : at + 1]
        text = " ".join(one.text for one in members)
        passages = tuple(evidence.get(name) or _unknown(name) for name in cited)
        whole = _decide(replace(members[0], text=text), passages, plan.rules)
        if whole.door is Door.QUOTED:
            for number, one in enumerate(members, start):
                decisions[number] = replace(
                    whole, text=one.text, start=one.start, end=one.end, detail=_TOGETHER
                )
            return at + 1
    return 0


def _unknown(name: str) -> Evidence:
    return Evidence(
        name, Reason.UNKNOWN_PASSAGE, f"no configured corpus has a passage {name[:120]!r}"
    )


def _decide(sentence: Sentence, passages: tuple[Evidence, ...], rules: Rules) -> SentenceDecision:
    cited = tuple(one.id for one in passages)

    def leaves(door: Door, reason: Reason, detail: str) -> SentenceDecision:
        return SentenceDecision(
            sentence.text, sentence.start, sentence.end, door, reason, detail, cited
        )

    if len(sentence.text) > rules.longest_sentence:
        detail = f"{len(sentence.text)} characters, over the limit of {rules.longest_sentence}"
        return leaves(Door.ERROR, Reason.TOO_LONG, detail)
    if not passages:
        return leaves(Door.UNCITED, Reason.NO_CITATION, "no passage is cited")
    if not sentence.text:
        return leaves(Door.UNCITED, Reason.NO_SENTENCE, "a citation without a sentence")
    for one in passages:
        if one.refusal is not None:
            unknown = one.refusal is Reason.UNKNOWN_PASSAGE
            return leaves(Door.UNCITED if unknown else Door.UNSUPPORTED, one.refusal, one.detail)
        if len(one.text) > rules.longest_passage:
            over = f"over the limit of {rules.longest_passage}"
            detail = f"passage {one.id[:120]} has {len(one.text)} characters, {over}"
            return leaves(Door.ERROR, Reason.TOO_LONG, detail)
    objection = vetoes.characters(sentence.text, passages)
    if objection is None:
        found = quote(sentence.text, passages)
        if not isinstance(found, Objection):
            return SentenceDecision(
                sentence.text,
                sentence.start,
                sentence.end,
                Door.QUOTED,
                Reason.CLAUSE_COMPLETE,
                "the law's own words, whole",
                cited,
                found,
            )
        objection = found
        # Words of the law cut short are named as such; only what is no quotation is weighed.
        if found.reason is Reason.NOT_QUOTED:
            same = equivalent(sentence.text, passages) if rules.equivalents else found
            if not isinstance(same, Objection):
                spans, swaps = same
                return replace(leaves(Door.JUDGED, Reason.EQUIVALENT, _told(swaps)), spans=spans)
            cut_short = same.reason is not Reason.NOT_QUOTED
            objection = same if cut_short else vetoes.object_to(sentence.text, passages) or found
    return leaves(Door.UNSUPPORTED, objection.reason, objection.detail)


def _told(swaps: tuple[tuple[str, str], ...]) -> str:
    """Say which words stand for the law's."""
    said = (f"{word!r} for {own!r}" for own, word in swaps)
    return f"a whole clause in equivalent words: {', '.join(said)}"


def conclude(
    plan: Plan, examined: Examined, replies: Mapping[int, object], judge: str = ""
) -> Decision:
    """Return the decision on the answer.

    Args:
        plan: From ``read``.
        examined: From ``examine``.
        replies: Index of a sentence -> the judge's raw reply, or the exception that came instead.
            A question without a reply keeps the decision that quoting alone gave.
        judge: Name of the judge; empty: none.
    """
    decisions = tuple(
        _judged(one, replies[number]) if number in examined.questions and number in replies else one
        for number, one in enumerate(examined.decisions)
    )
    kept = [one for one in decisions if one.door in SHIPS]
    ratio = len(kept) / len(decisions) if decisions else 0.0
    reason, detail = plan.refusal, plan.detail
    if reason is None:
        reason, detail = _withheld(decisions, ratio, plan.rules)
    if reason is not None:
        outcome = Outcome.WITHHELD
    else:
        outcome = Outcome.SHIPPED if len(kept) == len(decisions) else Outcome.ALTERED
    return Decision(
        outcome=outcome,
        reason=reason,
        detail=detail,
        sentences=decisions,
        evidence=examined.evidence,
        answer_digest=plan.answer_digest,
        keep_ratio=ratio,
        text="" if reason is not None else "".join(_surviving(plan.answer, decisions)),
        judge=judge,
    )


def _judged(decision: SentenceDecision, reply: object) -> SentenceDecision:
    door, reason = Door.ERROR, Reason.JUDGE_ERROR
    if isinstance(reply, BaseException):
        detail = f"the judge failed: {type(reply).__name__}: {str(reply)[:200]}"
    else:
        try:
            verdict = parse_reply(reply)
        except JudgeError as error:
            detail = error.message
        else:
            if verdict == "SUPPORTED":
                door, reason, detail = Door.JUDGED, Reason.JUDGE_SUPPORTED, "the judge supports it"
            else:
                door, reason = Door.UNSUPPORTED, Reason.JUDGE_NOT_SUPPORTED
                detail = "the judge does not support it"
    return replace(decision, door=door, reason=reason, detail=detail)


def _withheld(
    decisions: tuple[SentenceDecision, ...], ratio: float, rules: Rules
) -> tuple[Reason | None, str]:
    """Return why what is left of an answer may not stand, if it may not."""
    removed = [number for number, one in enumerate(decisions) if one.door not in SHIPS]
    if not removed:
        return None, ""
    if len(removed) == len(decisions) or ratio < rules.keep_ratio:
        kept = len(decisions) - len(removed)
        return Reason.KEEP_RATIO, f"{kept} of {len(decisions)} sentences are left"
    for number in removed:
        if words := condition_words(decisions[number].text):
            what = f"a condition or exception ({', '.join(sorted(words))})"
            return Reason.LOST_CONDITION, f"sentence {number + 1} was removed and carried {what}"
    for number, one in enumerate(decisions):
        if number in removed:
            continue
        refers = number > removed[0] and _REFERS.search(one.text)
        ahead = number < removed[-1] and _POINTS_AHEAD.search(one.text)
        if refers or ahead:
            return Reason.DANGLING, f"sentence {number + 1} refers to one that was removed"
    return None, ""


def _surviving(answer: str, decisions: tuple[SentenceDecision, ...]) -> Iterator[str]:
    """Yield the kept sentences with what stood before them: blanks, line breaks, bullets."""
    at = 0
    was_kept = True
    anything = False
    for one in decisions:
        if one.door in SHIPS:
            between = answer[at : one.start]
            if not was_kept:
                _, line_break, bullet = between.rpartition("\n")
                between = line_break + bullet if line_break else " "
            yield (between if anything else between.lstrip()) + answer[one.start : one.end]
            anything = True
        was_kept = one.door in SHIPS
        at = one.end
