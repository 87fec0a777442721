"""The PDF half, on small files with invented law."""

from __future__ import annotations

import zlib

import pytest

from corpusguard.second_reader import ParseError, read

IMAGE = b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 1 >>\nstream\n\xff\nendstream"


def pdf(pages, extra=b"", trailer=b""):
    """A file of pages; a page is a list of (x, y, size, bold, text), or raw bytes of operators."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        5: IMAGE,
    }
    kids = []
    for number, page in enumerate(pages):
        if isinstance(page, bytes):
            stream = page
        else:
            stream = b"".join(
                b"BT /F%d %g Tf %g %g Td (%s) Tj ET\n"
                % (
                    2 if bold else 1,
                    size,
                    x,
                    y,
                    text.replace("(", r"\(").replace(")", r"\)").encode("cp1252"),
                )
                for x, y, size, bold, text in page
            )
        at = 10 + 2 * number
        packed = zlib.compress(stream)
        objects[at + 1] = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (
            len(packed),
            packed,
        )
        objects[at] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources "
            b"<< /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /I 5 0 R >> >> >>" % (at + 1)
        )
        kids.append(b"%d 0 R" % at)
    objects[2] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    out = bytearray(b"%PDF-1.4\n" + extra)
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        used = number in places
        out += b"%010d %05d %s \n" % (
            places.get(number, 0),
            0 if used else 65535,
            b"n" if used else b"f",
        )
    out += b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (size, trailer, start)
    return bytes(out)


def column(x, top, *lines, size=10, bold=False):
    return [(x, top - 12 * at, size, bold, text) for at, text in enumerate(lines)]


def texts(result):
    return [" ".join(text for _, text in b[2]) for b in result["blocks"]]


def test_sections_are_told_by_their_bold_numbers():
    """A bold lead number opens a section; before the first one the section is unknown."""
    page = [
        *column(60, 700, "Owls Act", size=18, bold=True),
        *column(60, 660, "Whereas owls hoot,"),
        (60, 620, 10, True, "1"),
        (75, 620, 10, False, "(1) Every owl shall hoot"),
        *column(60, 608, "at night. 2006, c. 17, s. 1."),
        *column(60, 580, "(2) Owls sleep."),
        (60, 550, 10, True, "2"),
        (75, 550, 10, False, "Repealed: 2020, c. 3, s. 4."),
    ]
    result = read(pdf([page]), "pdf")
    assert result["title"] == "Owls Act"
    assert [(b[0], b[1]) for b in result["blocks"]] == [
        ("", "in_force"),
        (None, "in_force"),
        ("1", "in_force"),
        ("1", "in_force"),
        ("2", "gone"),
    ]
    assert result["blocks"][2][2] == [
        ("marker", "1"),
        ("marker", "(1)"),
        ("body", "Every owl shall hoot at night."),
        ("history", "2006, c. 17, s. 1."),
    ]
    assert [s["number"] for s in result["sections"]] == ["1", "2"]


def test_furniture_goes_and_paragraphs_run_over_the_page():
    """Running heads and page numbers are dropped; the sentence they cut is whole again."""
    pages = []
    for number, (first, second) in enumerate(
        [
            ("Owls shall not hoot in", "a barn by day."),
            ("They hoot", "outside it,"),
            ("at", "night."),
        ]
    ):
        pages.append(
            [
                *column(60, 770, f"Owls Act, page {number + 1}"),
                *column(60, 700, first, second),
                *column(300, 30, str(number + 1)),
            ]
        )
    result = read(pdf(pages), "pdf")
    assert texts(result) == [
        "Owls shall not hoot in a barn by day.",
        "They hoot outside it, at night.",
    ]


def test_two_columns_are_read_one_after_the_other():
    """Lines sort by position within a column; a line across both cuts them."""
    left = [f"left number {n} has many words of law" for n in range(10)]
    right = [f"right number {n} has many words of law" for n in range(10)]
    page = [
        *column(
            60, 740, "A heading that runs across the whole page and both of its columns, it does"
        ),
        *column(60, 680, *left),
        *column(320, 680, *right),
    ]
    joined = " ".join(texts(read(pdf([page]), "pdf")))
    assert joined.index("left number 9") < joined.index("right number 0")
    assert joined.index("across") < joined.index("left number 0")


def test_numbers_beside_text_are_not_a_column():
    """A narrow column of numbers reads with its text, row by row."""
    page = []
    for n in range(20):
        page += [
            (60, 700 - 20 * n, 10, False, f"({n})"),
            (90, 700 - 20 * n, 10, False, f"owl {n}."),
        ]
    assert texts(read(pdf([page]), "pdf"))[:2] == ["(0) owl 0.", "(1) owl 1."]


def test_footnotes_stand_apart():
    """Smaller type at the foot of the page is a note, outside the sentence it interrupts."""
    pages = [
        [
            *column(60, 700, *["Owls hoot (1) and"] * 5),
            *column(60, 80, "(1) Owls are birds.", size=7),
        ],
        column(60, 700, *["they go on,"] * 5, "then sleep."),
    ]
    result = read(pdf(pages), "pdf")
    assert [b[2][0][0] for b in result["blocks"]] == ["body", "note"]
    assert texts(result)[0].endswith(
        "and they go on, they go on, they go on, they go on, they go on, then sleep."
    )


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("the barn owl hoo-", "ting loudly; hooting"), "the barn owl hooting loudly; hooting"),
        (("the well-", "known owl"), "the well-known owl"),
        (("barn-", "und owl"), "barn- und owl"),
        (("the Owl-", "Act"), "the Owl- Act"),
    ],
)
def test_hyphens_at_line_ends(lines, joined):
    """A hyphen goes only where the whole word stands elsewhere; else it stays as printed."""
    assert texts(read(pdf([column(60, 700, *lines)]), "pdf")) == [joined]


def test_letter_spaced_type_is_read_as_words():
    """Wide-set names are words, not letters."""
    page = b"BT /F1 10 Tf 3 Tc 60 700 Td (Owl  Barnes) Tj ET"
    assert texts(read(pdf([page]), "pdf")) == ["Owl Barnes"]


def test_contents_lines_with_leaders():
    """A row of dots to a page number is contents."""
    result = read(pdf([column(60, 700, "Owls ............ 3")]), "pdf")
    assert result["blocks"] == [("", "in_force", [("contents", "Owls ............ 3")])]


def test_a_scan_is_unreadable_not_empty():
    """Images without text are refused; one such page among others is said."""
    scan = b"q 600 0 0 800 0 0 cm /I Do Q"
    with pytest.raises(ParseError, match="unreadable, not empty"):
        read(pdf([scan, scan]), "pdf")
    result = read(pdf([column(60, 700, "Owls."), scan]), "pdf")
    assert result["problems"] == ["page 2 holds an image and no text"]
    with pytest.raises(ParseError, match="no text and no images"):
        read(pdf([b" "]), "pdf")


def test_encrypted_pdf_is_refused():
    """A file that needs a password is refused as such."""
    entry = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (
        b"11" * 32,
        b"22" * 32,
    )
    with pytest.raises(ParseError, match="encrypted"):
        read(pdf([column(60, 700, "Owls.")], trailer=entry), "pdf")


def test_bombs_are_refused(monkeypatch):
    """Streams that unpack without end, or twice over, are refused before pdfminer sees them."""
    monkeypatch.setattr("corpusguard.second_reader.pdf.MAX_INFLATED", 100_000)
    with pytest.raises(ParseError, match="unpacks to over"):
        read(pdf([b" " * 200_000]), "pdf")
    with pytest.raises(ParseError, match="packs a stream twice"):
        read(pdf([column(60, 700, "x")], extra=b"% /FlateDecode /FlateDecode\n"), "pdf")


def test_too_many_pages_are_refused(monkeypatch):
    """The cap on pages holds."""
    monkeypatch.setattr("corpusguard.second_reader.pdf.MAX_PAGES", 2)
    with pytest.raises(ParseError, match="more than 2 pages"):
        read(pdf([column(60, 700, "x")] * 3), "pdf")
