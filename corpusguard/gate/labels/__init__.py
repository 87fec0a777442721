"""Labels in the sentence: what was given (u), what the gate measured (m), what was guessed (g).

>>> check("(u)A boat must carry a lamp.(/u: Harbour Act, s. 4)").held
False
>>> check("(g)The fee may rise.(/g: no source)").reasons
(<Reason.GUESS: 'guess'>,)
>>> strip("(u)A boat must carry a lamp.(/u: Harbour Act, s. 4)")
'A boat must carry a lamp.'
"""

from corpusguard.gate.labels.check import assign, check
from corpusguard.gate.labels.model import (
    Bare,
    Decision,
    Fault,
    Kind,
    Label,
    Labelled,
    Problem,
    Quoted,
    Reason,
)
from corpusguard.gate.labels.parse import MAX_CHARACTERS, parse, strip
from corpusguard.gate.labels.prompting import prompt

__all__ = [
    "MAX_CHARACTERS",
    "Bare",
    "Decision",
    "Fault",
    "Kind",
    "Label",
    "Labelled",
    "Problem",
    "Quoted",
    "Reason",
    "assign",
    "check",
    "parse",
    "prompt",
    "strip",
]
