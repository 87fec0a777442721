"""Is a provision that is named one of this law, or of another?

"Section 12 of the Lamp Act does not apply" says nothing of section 12 of the Ferry Act. In doubt it
is this law's: what another law loses is then told of this one, which costs an attribution.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_TITLE_WORDS: Final = 24
_ENGLISH: Final = re.compile(r"\b(?:act|code|charter|reg|regulations?|rules?|by ?-? ?law)\b")
"""What a full title has; a short name ("RTA") cannot be compared with what a law calls itself."""
_FRENCH: Final = re.compile(r"^(?:loi|code|règlement)\b")
_OWN: Final = re.compile(
    r"\b(?:of|du|de) (?:the )?(?:(?:this|said|present|principal) \w+|la présente loi)\b"
)
_THAT: Final = re.compile(r"\b(?:of|du|de) (?:that|cette) \w+")
_NAMED: Final = re.compile(r"\b(?:of|du|de) the (\w.*)")
_NAMED_FRENCH: Final = re.compile(
    r"\b(?:of|du|de) la ((?:loi|code) (?:sur|de|du|des|relative|concernant)\b.*)"
)
_PARENT: Final = re.compile(r"\b(?:of the act|de la loi)\b(?! (?:sur|de|du|des))")
_AN_ACT: Final = re.compile(r"\bof the .* act$")
"""No regulation is an Act."""
_YEAR: Final = re.compile(r"\W*\b\d{4}\W*$")


class OwnLaw:
    """The law that names provisions.

    Args:
        title: As published; empty: unknown.
        subordinate: Whether it is made under an Act, which it calls "the Act".
    """

    def __init__(self, title: str, *, subordinate: bool = False) -> None:
        self._title = _YEAR.sub("", title.casefold()).removeprefix("the ").strip()
        self._french = _FRENCH.match(self._title) is not None
        self._english = not self._french and _ENGLISH.search(self._title) is not None
        self._subordinate = subordinate

    def names_another(self, words: Sequence[str], start: int, end: int) -> bool:
        """Tell whether the provisions named from ``start`` to ``end`` are another law's."""
        named = " ".join(words[start:end])
        behind = " ".join(words[end : end + _TITLE_WORDS])
        if _OWN.search(named) or _OWN.match(behind):
            return False
        if _THAT.search(named) or _THAT.match(behind):
            return True
        if self._subordinate and (_PARENT.match(behind) or _AN_ACT.search(named)):
            return True
        if self._english and (found := _NAMED.search(named)):
            law = _YEAR.sub("", found[1]).strip()
            return not (law in self._title or self._title in law)
        if self._french and (found := _NAMED_FRENCH.match(behind)):
            return not found[1].startswith(self._title)
        return False
