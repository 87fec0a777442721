"""Text that speaks to a judge or a model instead of saying what the law is.

Law never does. Where an answer or a passage does, no judge is asked at all: what a judge makes of
it cannot be known beforehand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_INSTRUCTION: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|sources?|"
    r"passages?|above|previous|prior)\b"
    r"|\b(?:reply|respond|answer|output|return|say|print|write)\b.{0,30}\bsupported\b"
    r"|\bNOT_SUPPORTED\b|[\"'{]\s*verdict\b|\bverdict\s*[\"']?\s*[:=]"
    r"|\b(?:system|developer|assistant|user)\s*(?:prompt|message|:)"
    r"|\b(?:you are|act as|pretend to be)\b.{0,30}\b(?:judge|model|assistant|AI|verifier)\b"
    r"|\b(?:dear|attention|note to)\b.{0,12}\b(?:judge|model|assistant|verifier|reviewer|AI)\b"
    r"|<\|[a-z_]+\|>|\[/?INST\]|</?(?:system|passage|sentence|instructions?)>",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=2048)
def instructs(text: str) -> str:
    """Return the words of ``text`` that speak to a judge, at most 80 code points, or nothing."""
    found = _INSTRUCTION.search(text)
    return found[0][:80] if found else ""
