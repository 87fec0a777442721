"""Word markup: what prints is read, what does not is left out loudly."""

from __future__ import annotations

import io
import zipfile

import pytest

from corpusguard.first_reader import read
from corpusguard.model import Channel, Kind, Rendition, Status
from tests.unit.first_reader.invariants import check

NS = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
)
STYLES = f"""<w:styles {NS}>
<w:style w:type="paragraph" w:styleId="heading10"><w:name w:val="heading1"/></w:style>
<w:style w:type="paragraph" w:styleId="section"><w:name w:val="section"/></w:style>
<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/>
<w:rPr><w:b/></w:rPr></w:style></w:styles>"""
FOOTNOTES = f"""<w:footnotes {NS}><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>no
</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>A lamp of old.</w:t></w:r></w:p>
</w:footnote></w:footnotes>"""
OPENER = (
    "<w:r><w:rPr><w:b/></w:rPr><w:t>1</w:t></w:r><w:r><w:t xml:space='preserve'> {}</w:t></w:r>"
)


def p(style, inner):
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{inner}</w:p>'


def r(text, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


@pytest.fixture
def ask():
    """Read a Word file with this body."""

    def _ask(*paragraphs):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            body = (
                f"<w:document {NS}><w:body>{''.join(paragraphs)}<w:sectPr/></w:body></w:document>"
            )
            archive.writestr("word/document.xml", body)
            archive.writestr("word/styles.xml", STYLES)
            archive.writestr("word/footnotes.xml", FOOTNOTES)
        reading = read(out.getvalue(), Rendition.DOCX)
        check(reading)
        return reading

    return _ask


def test_styles_are_known_by_name_not_by_id(ask):
    """`heading10` is named heading1."""
    reading = ask(p("heading10", r("Lamps")), p("section", OPENER.format("A lamp is lit.")))

    assert [(x.kind, x.section) for x in reading.provisions] == [
        (Kind.HEADING, ""),
        (Kind.SECTION, "1"),
    ]
    assert reading.anomalies == ()


def test_a_number_in_a_bold_character_style_opens_a_section(ask):
    """Bold may come from a style, and be switched off in a run."""
    reading = ask(
        p("section", r("7", '<w:rStyle w:val="Strong"/>') + r(" A lamp is lit.")),
        p("section", r("30 days", '<w:b w:val="0"/>') + r(" it burns.")),
    )

    assert [(x.kind, x.section) for x in reading.provisions] == [
        (Kind.SECTION, "7"),
        (Kind.FLUSH, "7"),
    ]
    assert [a.kind for a in reading.anomalies] == ["unmatched_opener"]


def test_tabs_breaks_and_hyphens_print_as_they_do_in_word(ask):
    """Tab and break are space, the non-breaking hyphen stays, the soft one goes; fields print."""
    inner = (
        "<w:r><w:t>A</w:t><w:tab/><w:t>co</w:t><w:noBreakHyphen/><w:t>keep</w:t><w:softHyphen/>"
        "<w:t>er</w:t><w:br/><w:t>lights</w:t></w:r>"
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>LINK x</w:instrText></w:r>'
        "<w:hyperlink><w:r><w:t xml:space='preserve'> it</w:t></w:r></w:hyperlink>"
    )

    reading = ask(p("section", OPENER.format("") + inner))

    assert reading.text == "1 A co\u2011keeper lights it"


def test_deleted_and_hidden_text_is_left_out_and_said(ask):
    """Tracked deletions and hidden runs do not print; insertions do."""
    inner = (
        "<w:del><w:r><w:delText>never</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t xml:space='preserve'>always </w:t></w:r></w:ins>"
        + r("secretly", "<w:vanish/>")
        + r("lit.")
    )

    reading = ask(p("section", OPENER.format("A lamp is ") + inner))

    assert reading.text == "1 A lamp is always lit."
    assert sorted(a.kind for a in reading.anomalies) == ["hidden_text", "tracked_change"]


def test_footnotes_are_notes_after_their_paragraph(ask):
    """The note prints once, as a note; Word's separators are no notes."""
    inner = OPENER.format("A lamp is lit.") + '<w:r><w:footnoteReference w:id="2"/></w:r>'

    reading = ask(p("section", inner))

    assert reading.text == "1 A lamp is lit.\nA lamp of old."
    assert [s.channel for s in reading.segments] == [Channel.MARKER, Channel.BODY, Channel.NOTE]


def test_tables_make_rows_and_alternatives_print_once(ask):
    """One provision for a row; a text box is read from its first alternative only."""
    cell = "<w:tc>{}</w:tc>"
    box = (
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>{0}</w:txbxContent>"
        "</w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>{0}</w:txbxContent></w:pict>"
        "</mc:Fallback></mc:AlternateContent></w:r>"
    ).format(p("Ssubsection", r("where,")))
    row = (
        "<w:tr>"
        + cell.format(p("table", r("1.")))
        + cell.format(p("table", r("Brass")))
        + "</w:tr>"
    )

    reading = ask(p("section", OPENER.format("Lamps:") + box), f"<w:tbl>{row}{row}</w:tbl>")

    assert reading.text == "1 Lamps:\nwhere,\n1.\nBrass\n1.\nBrass"
    assert [x.text for x in reading.provisions if x.kind == Kind.ROW] == ["1.\nBrass", "1.\nBrass"]


def test_images_are_placeholders_with_their_alternative_text(ask):
    """A picture prints as [image: …], and alone in its paragraph it is an image provision."""
    image = '<w:r><w:drawing><wp:docPr id="1" name="x" descr="A  lit lamp"/></w:drawing></w:r>'

    reading = ask(p("section", OPENER.format("A lamp:")), p("scanned", image))

    assert reading.text == "1 A lamp:\n[image: A lit lamp]"
    assert reading.provisions[1].kind == Kind.IMAGE
    assert reading.provisions[1].status == Status.IN_FORCE
