"""Selection trace: what entered an answer, what is cited, and why the rest was dropped.

>>> claims = (Claim("c_1", "It is 5."), Claim("c_2", "It was 4."))
>>> check(Selection("What is the fee?", claims, "It is 5 [c_1].")).problems
(Problem(fault=<Fault.UNACCOUNTED: 'unaccounted'>, what='c_2', detail=''),)
"""

from corpusguard.gate.trace import records
from corpusguard.gate.trace.check import check, settle
from corpusguard.gate.trace.labelling import Agreement, Row, agree, item, sheet
from corpusguard.gate.trace.model import (
    Checked,
    Claim,
    DropReason,
    Fault,
    Problem,
    Relevance,
    Reply,
    Selection,
    Settled,
)
from corpusguard.gate.trace.report import (
    FATES,
    Comparison,
    Distribution,
    Measure,
    compare,
    distribution,
    measure,
    sample_size,
)

__all__ = [
    "FATES",
    "Agreement",
    "Checked",
    "Claim",
    "Comparison",
    "Distribution",
    "DropReason",
    "Fault",
    "Measure",
    "Problem",
    "Relevance",
    "Reply",
    "Row",
    "Selection",
    "Settled",
    "agree",
    "check",
    "compare",
    "distribution",
    "item",
    "measure",
    "records",
    "sample_size",
    "settle",
    "sheet",
]
