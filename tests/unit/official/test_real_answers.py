"""Real answers of the publisher are accepted for their own document, and for no other."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from corpusguard import errors
from corpusguard.model import DocumentSpec, Rendition
from corpusguard.official import OntarioELaws, recognise

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "elaws"
ELAWS = OntarioELaws()
PAYLOADS = {
    "statute-06r17.json": DocumentSpec(
        "ca-on/statute/06r17@en", "Residential Tenancies Act, 2006", "S.O. 2006, c. 17"
    ),
    "06l21_legislation_act.api.excerpt.json": DocumentSpec(
        "ca-on/statute/06l21@en", "Legislation Act, 2006", "S.O. 2006, c. 21, Sched. F"
    ),
    "r24163.api.fixture.json": DocumentSpec(
        "ca-on/regulation/r24163@en", "Building Code", "O. Reg. 163/24"
    ),
}
SINCE = dict(zip(PAYLOADS, ("2024-12-04", "2025-12-11", "2024-04-10"), strict=True))

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(
        not DATA.is_dir(), reason=f"no recorded answers beside the checkout ({DATA.name})"
    ),
]


@dataclass(frozen=True)
class Sent:
    """A recorded answer."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(
        default_factory=lambda: {"content-type": "application/json; charset=utf-8"}
    )
    url: str = "https://www.ontario.ca/laws/api/v2/x"


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_real_payload_is_accepted_without_a_note(name):
    accepted = ELAWS.accept(Sent((DATA / name).read_bytes()), PAYLOADS[name])

    assert accepted.identity.consolidated_from == SINCE[name]
    assert accepted.findings == ()


@pytest.mark.parametrize("name", PAYLOADS)
@pytest.mark.parametrize("other", PAYLOADS)
def test_a_real_payload_is_refused_for_any_other_document(name, other):
    if name == other:
        other_spec = DocumentSpec(PAYLOADS[name].id, "Ferry Tolls Act, 2026")
    else:
        other_spec = PAYLOADS[other]

    with pytest.raises(errors.WrongDocument):
        ELAWS.accept(Sent((DATA / name).read_bytes()), other_spec)


def test_the_real_list_of_versions_is_read_at_its_third_level():
    """T14."""
    answer = Sent((DATA / "00e41.act-versions.trimmed.json").read_bytes())
    spec = DocumentSpec("ca-on/statute/00e41@en", "Employment Standards Act, 2000")

    current, before = ELAWS.accept_versions(answer, spec)

    assert (current.number, current.date_from, current.date_to) == (0, "2026-01-01", "")
    assert (before.number, before.alias) == (83, "statute/00e41/v83")
    with pytest.raises(errors.WrongDocument):
        ELAWS.accept_versions(answer, PAYLOADS["statute-06r17.json"])


def test_the_real_word_file_names_itself():
    data = (DATA / "06r17_e.docx").read_bytes()

    accepted = ELAWS.accept_import(data, PAYLOADS["statute-06r17.json"])

    assert accepted.rendition is Rendition.DOCX
    assert accepted.identity.consolidated_from == "2024-12-04"
    with pytest.raises(errors.WrongDocument):
        ELAWS.accept_import(data, PAYLOADS["06l21_legislation_act.api.excerpt.json"])


@pytest.mark.parametrize(
    ("name", "rendition", "known"),
    [
        ("regulation-210242.content.html", Rendition.CONTENT, False),
        ("100034_sabs.page.excerpt.html", Rendition.CONTENT, False),
        ("900668_fault_rules.page.excerpt.html", Rendition.PAGE, True),
        ("960461_court_proceedings.page.excerpt.html", Rendition.CONTENT, True),
    ],
)
def test_real_fragments_and_pages_are_recognised(name, rendition, known):
    data = (DATA / name).read_bytes()
    code = name.partition("_")[0].partition(".")[0].removeprefix("regulation-")
    titles = {"900668": "Fault Determination Rules"}
    spec = DocumentSpec(f"ca-on/regulation/{code}@en", titles.get(code, ""))

    assert recognise(data) is rendition
    assert ELAWS.accept_import(data, spec).identity_known is known


def test_a_page_of_a_regulation_is_refused_for_another_number():
    data = (DATA / "960461_court_proceedings.page.excerpt.html").read_bytes()

    with pytest.raises(errors.WrongDocument, match="461/96"):
        ELAWS.accept_import(data, DocumentSpec("ca-on/regulation/960462@en", ""))


def test_text_made_by_a_converter_is_no_official_rendition():
    data = (DATA / "90c10_charities_accounting.antiword.excerpt.txt").read_bytes()

    with pytest.raises(errors.Unreadable):
        ELAWS.accept_import(data, DocumentSpec("ca-on/statute/90c10@en", ""))
