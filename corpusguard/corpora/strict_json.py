"""JSON of a corpus, read strictly, with numbers as they are printed."""

from __future__ import annotations

from typing import Any, Final

from corpusguard import strict_json
from corpusguard.corpora.interface import LIMITS
from corpusguard.errors import CorpusUnreadable
from corpusguard.strict_json import Fault, NotStrict

_DISAGREE: Final = "Correct or re-export this row: readers would disagree on it."
_SAID: Final = {
    Fault.SYNTAX: "not JSON: ",
    Fault.CUT_SHORT: "not JSON: ",
    Fault.BYTE_ORDER_MARK: "not JSON: ",
    Fault.TOO_DEEP: "JSON ",
}
_HINTS: Final = {
    Fault.TOO_DEEP: "Flatten the row; passages need few levels.",
    Fault.REPEATED_KEY: _DISAGREE,
    Fault.NUMBER: _DISAGREE,
}


def parse(text: str, where: str) -> Any:  # noqa: ANN401 -- JSON is any of six types
    """Parse one JSON value.

    Decimals come as ``Decimal``, which keeps what is printed: as a float the section number
    ``36.10`` would become 36.1, another section. Half a surrogate pair is left to the mapping,
    which names the field, and lets be what no field needs.

    Raises:
        CorpusUnreadable: it is not JSON, has a duplicate key or a NaN, or is nested too deeply.
    """
    try:
        return strict_json.parse(text, max_size=LIMITS.json_file, halves=True, decimals=True)
    except NotStrict as error:
        raise CorpusUnreadable(
            f"{where}: {_SAID.get(error.fault, '')}{error}",
            hint=_HINTS.get(
                error.fault,
                "Correct or re-export this row; a row that cannot be read cannot be verified.",
            ),
        ) from error
