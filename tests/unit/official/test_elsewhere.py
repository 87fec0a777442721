"""Addresses, imports by hand, dates, and the smaller answers."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from datetime import date

import docx
import pytest

from corpusguard import errors
from corpusguard.model import DocumentSpec, Rendition, SourceSpec
from corpusguard.official import OntarioELaws, publisher_of, recognise
from corpusguard.official.dates import first_long_date, long_date
from corpusguard.official.identity import bare_title, chapter_of, same_code
from tests.replica.law import lighthouse_act

ELAWS = OntarioELaws()
LAW = lighthouse_act(3)
SPEC = DocumentSpec(LAW.id, LAW.title, LAW.number)
BASE = "https://www.ontario.ca"


def source(**changes) -> SourceSpec:
    facts = {"path": "s.toml", "publisher": "ontario-elaws", "base_url": BASE, "documents": ()}
    return SourceSpec(**{**facts, **changes})


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("ca-on/statute/06r17@en", ["/en/doc-search/statute/06r17"]),
        ("ca-on/regulation/120332@fr", ["/fr/doc-search/regulation/120332"]),
        ("ca-on/regulation/r24163@en", ["/en/doc-search/regulation/r24163"]),
        (
            "ca-on/statute/97w16a@en",
            ["/en/doc-search/statute/97w16a", "/en/doc-search/statute/97w16"],
        ),
    ],
)
def test_the_addresses_of_a_document(document, expected):
    found = ELAWS.document_addresses(source(), DocumentSpec(document, "x"))

    assert [f"{BASE}/laws/api/v2/legislation{path}" for path in expected] == list(found)


def test_word_names_write_source_law_with_a_capital():
    found = ELAWS.word_addresses(source(), DocumentSpec("ca-on/regulation/r24163@en", "x"))

    assert found[0] == f"{BASE}/laws/docs/R24163_e.docx"
    assert len(found) == 3


@pytest.mark.parametrize(
    "document",
    ["ca-on/statute/06R17@en", "ca-on/statute/../x@en", "ca/act/A-1@en", "ca-on/statute/06r17", ""],
)
def test_what_is_no_document_of_elaws_is_a_configuration_error(document):
    with pytest.raises(errors.ConfigError) as caught:
        ELAWS.document_addresses(source(), DocumentSpec(document, "x"))

    assert caught.value.hint


@pytest.mark.parametrize(
    "paths",
    [
        {"document": "/x/{id.__class__}"},
        {"document": "//evil.example/{id}"},
        {"document": "/a/../b"},
        {"document": "x/{id}"},
        {"document": "/{secret}"},
        {"document": " "},
        {"documents": "/x"},
    ],
)
def test_a_path_template_that_could_lead_astray_is_refused(paths):
    with pytest.raises(errors.ConfigError):
        ELAWS.document_addresses(source(paths=paths), SPEC)


@pytest.mark.parametrize(
    "base", ["https://example.org", "http://www.ontario.ca", "ftp://127.0.0.1", ""]
)
def test_only_the_publisher_or_a_loopback_mirror_may_be_asked(base):
    with pytest.raises(errors.ConfigError, match="base_url"):
        ELAWS.document_addresses(source(base_url=base), SPEC)


def test_publishers_are_found_by_name():
    assert publisher_of("ontario-elaws").name == "ontario-elaws"
    with pytest.raises(errors.ConfigError, match="nobody"):
        publisher_of("nobody")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("August 28, 2026\n", "2026-08-28"),
        ("28 août 2026", "2026-08-28"),
        ("1er janvier 2026\r\n", "2026-01-01"),
        ("February 30, 2026", ""),
        ("Smarch 3, 2026", ""),
        ("2026-08-28", ""),
        ("as of August 28, 2026", ""),
    ],
)
def test_long_dates(text, expected):
    assert long_date(text) == expected


def test_a_date_inside_a_sentence():
    text = "Consolidation Period:  From December 4, 2024 to the e-Laws currency date."

    assert first_long_date(text) == "2024-12-04"
    assert not first_long_date("from Smarch 4, 2024")


@pytest.mark.parametrize(
    ("title", "bare", "number"),
    [
        ("Ferry Act, 2006, S.o. 2006, chapter 17", "Ferry Act, 2006", "S.o. 2006, chapter 17"),
        ("Ferry Act, R.S.O. 1990, c. F.8", "Ferry Act", "R.S.O. 1990, c. F.8"),
        ("R.R.O. 1990, Reg. 668: FERRY TOLLS", "FERRY TOLLS", "R.R.O. 1990, Reg. 668"),
        ("O. Reg. 332/12: FERRY CODE", "FERRY CODE", "O. Reg. 332/12"),
        ("Ferries: a General Act", "Ferries: a General Act", ""),
    ],
)
def test_a_long_title_is_title_and_number(title, bare, number):
    assert bare_title(title) == bare
    assert chapter_of(title) == number


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("S.O. 2006, c. 21, Sched. F", "S.o. 2006, chapter 21 Schedule F", True),
        ("O. Reg. 163/24", "ontario regulation 163/24", True),
        ("R.R.O. 1990, Reg. 668", "R.R.O. 1990, Regulation 668", True),
        ("S.O. 2006, c. 17", "S.O. 2006, c. 171", False),
        ("O. Reg. 163/24", "O. Reg. 16/324", False),
    ],
)
def test_numbers_are_compared_without_their_dress(asked, served, same):
    assert same_code(asked, served) is same


def word(*paragraphs: tuple[str, str]) -> bytes:
    document = docx.Document()
    for style, text in paragraphs:
        if style not in [item.name for item in document.styles]:
            document.styles.add_style(style, docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
        document.add_paragraph(text, style=style)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


FRONT = (
    ("shorttitle", "Lighthouse Wardens Act, 2026"),
    ("chapter", "S.O. 2026, chapter 91"),
    ("ConsolidationPeriod", "Consolidation Period: From March 2, 2026 to the currency date."),
    ("section", "1 A lamp shall burn."),
)
PAGE = (
    '<!DOCTYPE html><html><head><meta property="og:title" content="Lighthouse Wardens Act, 2026,'
    ' S.O. 2026, c. 91"/></head><body><noscript>e-Laws needs JavaScript</noscript>'
    '<p class="section"><b>1 </b>A lamp shall burn.</p></body></html>'
)


@pytest.mark.parametrize(
    ("data", "rendition", "known"),
    [
        (json.dumps(LAW.payload()).encode(), Rendition.PAYLOAD, True),
        (LAW.content().encode(), Rendition.CONTENT, False),
        (b"\xef\xbb\xbf" + PAGE.encode(), Rendition.PAGE, True),
        (word(*FRONT), Rendition.DOCX, True),
        (b"%PDF-1.7\n%", Rendition.PDF, False),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), Rendition.DOC, False),
    ],
)
def test_an_import_is_recognised_by_its_bytes_and_says_whether_it_named_itself(
    data, rendition, known
):
    accepted = ELAWS.accept_import(data, SPEC)

    assert recognise(data) is rendition
    assert accepted.rendition is rendition
    assert accepted.identity_known is known


def test_a_word_file_says_title_number_and_consolidation():
    identity = ELAWS.accept_import(word(*FRONT), SPEC).identity

    assert identity.title == "Lighthouse Wardens Act, 2026"
    assert identity.code == "S.O. 2026, chapter 91"
    assert identity.consolidated_from == "2026-03-02"


@pytest.mark.parametrize(
    "data",
    [
        word(("shorttitle", "Ferry Tolls Act, 2026"), *FRONT[3:]),
        PAGE.replace("Lighthouse Wardens", "Ferry Tolls").encode(),
        b'<p class="shorttitle">Ferry Tolls Act, 2026</p><p class="section">1 Toll.</p>',
        b'<p class="regnumber-e">O. Reg. 4/26</p><p class="section-e">1. Toll.</p>',
    ],
)
def test_an_import_that_names_another_law_is_refused(data):
    with pytest.raises(errors.WrongDocument):
        ELAWS.accept_import(data, SPEC)


def zipped(**parts: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name.replace("__", "/") + ".xml", data)
    return stream.getvalue()


ENTITIES = b'<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">]><w:p xmlns:w="w">&a;</w:p>'


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", errors.NotTheDocument),
        (b" \n", errors.NotTheDocument),
        (b"<html>e-Laws needs JavaScript to function properly</html>", errors.NotTheDocument),
        (b"<html><title>Request Rejected</title></html>", errors.NotTheDocument),
        (b"The requested URL was rejected.", errors.NotTheDocument),
        (b"plain words of law", errors.Unreadable),
        (b"{\\rtf1 words}", errors.Unreadable),
        (b'<?xml version="1.0"?><Statute><Body><Section/></Body></Statute>', errors.Unreadable),
        (gzip.compress(b"x", mtime=0), errors.Unreadable),
        (zipped(other=b"x"), errors.Unreadable),
        (zipped(word__document=ENTITIES), errors.Unreadable),
        (zipped(word__document=b" " * 2_000_000), errors.Unreadable),
        (zipped(word__document=b"<w:p xmlns:w='w'>"), errors.BodyTruncated),
        (word(*FRONT)[:-400], errors.BodyTruncated),
        (b"PK\x03\x04", errors.BodyTruncated),
        (b'<p class="section">caf\xe9</p>', errors.Mojibake),
        (b'{"content": "cut', errors.BodyTruncated),
        (b'{"chunks": []}', errors.ShapeChanged),
    ],
)
def test_what_is_no_rendition_is_refused_by_kind(data, expected):
    with pytest.raises(errors.SourceError) as caught:
        ELAWS.accept_import(data, SPEC)

    assert type(caught.value) is expected
    assert caught.value.hint


def test_a_currency_date_of_today_or_in_the_other_time_zone_is_no_finding():
    for day in (date(2026, 3, 8), date(2026, 3, 9), date(2026, 3, 10)):
        assert ELAWS.currency_finding("2026-03-09", day, source(), "") is None
