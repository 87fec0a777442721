"""Invented law in the shape of e-Laws, small enough to read in a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_FILLER = (
    "The warden of every lighthouse shall keep the lamp lit from dusk to dawn, shall write down"
    " each failure of the lamp in the log, and shall show the log to an inspector who asks for it."
)


@dataclass(frozen=True)
class Law:
    """One invented law; ``paragraphs`` are (class, inner markup) pairs."""

    kind: str
    code: str
    title: str
    number: str
    paragraphs: tuple[tuple[str, str], ...]
    consolidated_from: str = "2026-03-02"
    title_fr: str = ""

    @property
    def id(self) -> str:
        return f"ca-on/{self.kind}/{self.code}@en"

    def content(self) -> str:
        parts = "\r \n".join(f'<p class="{name}">{inner}</p>' for name, inner in self.paragraphs)
        return f'<div class="WordSection1">\r \n{parts}\r \n<p class="line">______</p>\r \n</div>'

    def payload(self, language: str = "en") -> dict[str, Any]:
        """The 19 keys of ``doc-search``, in their order."""
        title = self.title_fr if language == "fr" and self.title_fr else self.title
        regulation = self.kind == "regulation"
        found: dict[str, Any] = {
            "volume": self.number if regulation else 0,
            "content": self.content(),
            "title": f"{self.number}: {title}" if regulation else f"{title}, {self.number}",
            "actName": {"en": self.title, "fr": self.title_fr},
            "alias": f"{self.kind}/{self.code}",
            "state": "current",
            "description": "Consolidation Period:  From March 2,\n2026 to the e-Laws currency date.",
            "updatedAt": "2026-03-03T20:00:01.000Z",
            "tabMode": "Versions",
            "actAlias": "",
            "actTitle": "",
            "docSource": f"elaws/{self.code}_{language[0]}.html",
            "dateFrom": f"{self.consolidated_from}T05:00:00.000Z",
            "comments": {"consolidationPeriod": "March 2, 2026", "comment": ""},
            "shortTitle": f'<p class="shorttitle">{title}</p>',
            "chapter": f'<p class="chapter">{self.number}</p>',
            "history": "",
            "contentTable": "",
            "hlCount": 0,
        }
        if regulation:
            found["regNmber"] = f'<p class="regnumber-e">{self.number}</p>'
        return found


def section(number: str, text: str, headnote: str = "") -> tuple[tuple[str, str], ...]:
    """The paragraphs of one section."""
    head = (("headnote", headnote),) if headnote else ()
    return (*head, ("section", f"<b>{number} </b>{text}"))


def lighthouse_act(sections: int = 20, **changes: Any) -> Law:
    """An Act of so many sections, about 250 bytes each."""
    paragraphs = tuple(
        pair
        for number in range(1, sections + 1)
        for pair in section(str(number), f"{_FILLER} No. {number}.", f"Lamp duty {number}")
    )
    facts = {
        "kind": "statute",
        "code": "26a91",
        "title": "Lighthouse Wardens Act, 2026",
        "title_fr": "Loi de 2026 sur les gardiens de phare",
        "number": "S.O. 2026, c. 91",
        "paragraphs": paragraphs,
    }
    return Law(**{**facts, **changes})


def ferry_act(**changes: Any) -> Law:
    """Another Act, to be served under the wrong address."""
    facts = {
        "kind": "statute",
        "code": "26f92",
        "title": "Ferry Tolls Act, 2026",
        "number": "S.O. 2026, c. 92",
        "paragraphs": section("1", "Every ferry shall post its toll in clear figures.", "Toll"),
    }
    return Law(**{**facts, **changes})
