"""JSON of attestations, read strictly: a signed text must say the same to every reader."""

from __future__ import annotations

from typing import Any

from corpusguard import strict_json
from corpusguard.attest.reasons import Reason, Refused
from corpusguard.strict_json import Fault, NotStrict


def parse(data: bytes, what: str) -> Any:  # noqa: ANN401 - JSON is any of six types
    """Parse one JSON value in UTF-8.

    Args:
        data: the bytes.
        what: what they are, for the message.

    Raises:
        Refused: DUPLICATE_KEY, or NOT_JSON for all else, such as a file that was cut off.
    """
    try:
        return strict_json.parse(data)
    except NotStrict as error:
        if error.fault is Fault.REPEATED_KEY:
            raise Refused(Reason.DUPLICATE_KEY, f"{what}: {error}") from error
        raise Refused(
            Reason.NOT_JSON, f"{what} is not JSON: {error}", "was the file copied to its end?"
        ) from error
