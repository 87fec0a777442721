"""What no model can lift: a figure of the claim that its source does not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corpusguard.gate.evidence.anchors import figures

if TYPE_CHECKING:
    from corpusguard.gate.claims.model import Source


def missing_figures(claim: str, source: Source) -> list[str]:
    """Return the numbers, amounts and months of ``claim`` that ``source`` does not have, sorted.

    In figures or in words. How the claim names its source (the title, "section 19 (2)") is no
    figure of the claim.
    """
    bare = claim.replace(source.title, " ") if source.title else claim
    if source.section:
        named = (
            rf"\b(?:ss?\.|sections?)\s?{re.escape(source.section)}(?:\s?\(\w{{1,6}}\))*(?![\w.]*\d)"
        )
        bare = re.sub(named, " ", bare, flags=re.IGNORECASE)
    return sorted(figures(bare) - figures(source.text))
