"""The Word half, on small packages with invented law."""

from __future__ import annotations

import io
import zipfile

import pytest

from corpusguard.second_reader import read

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STYLES = "".join(
    f'<w:style w:styleId="{identifier}"><w:name w:val="{name}"/></w:style>'
    for identifier, name in [
        ("section", "section"),
        ("heading10", "heading1"),
        ("sub", "subsection,alias"),
        ("sch", "schedule-e"),
        ("TOCid", "TOCid"),
        ("table", "table"),
        ("shorttitle", "shorttitle"),
        ("ovbold", "ovbold"),
    ]
)


def docx(body, **parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/styles.xml", f'<w:styles xmlns:w="{W}">{STYLES}</w:styles>')
        package.writestr(
            "word/document.xml", f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
        )
        for name, text in parts.items():
            package.writestr(f"word/{name}.xml", f'<w:{name} xmlns:w="{W}">{text}</w:{name}>')
    return read(stream.getvalue(), "docx")


def t(text, bold=False, extra=""):
    properties = ("<w:b/>" if bold else "") + extra
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(style, *inner):
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{"".join(inner)}</w:p>'


def test_style_ids_are_mapped_to_names():
    """The id heading10 is the name heading1; aliases after a comma are dropped."""
    result = docx(
        p("shorttitle", t("Owls Act"))
        + p("heading10", t("Owls"))
        + p("section", t("1", True), t(" ", True), t("(1) Owls."))
        + p("sub", t("(2)  More."))
    )
    assert result["title"] == "Owls Act"
    assert [b[2][0] for b in result["blocks"][1:]] == [
        ("heading", "Owls"),
        ("marker", "1"),
        ("marker", "(2)"),
    ]
    assert not result["problems"]


def test_characters_that_word_writes_as_elements():
    """Tabs and breaks are space, the no-break hyphen is U+2011, soft hyphens vanish."""
    run = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/>"
    run += "<w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r>"
    result = docx(p("section", t("1 ", True), run))
    assert result["blocks"][0][2][1] == ("body", "a b c\u2011de")


def test_fields_are_read_without_their_codes():
    """Field codes are instructions; what they print, and links, are text."""
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' + t("shown")
    )
    link = f"<w:hyperlink>{t(' linked')}</w:hyperlink>"
    result = docx(p("section", t("1 ", True), field, link))
    assert result["blocks"][0][2][1] == ("body", "shown linked")
    assert not result["problems"]


def test_tracked_changes_and_hidden_text_are_said():
    """Deleted and hidden runs are not the text, inserted ones are; all are said."""
    deleted = "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    inserted = f"<w:ins>{t('new')}</w:ins>"
    result = docx(p("section", t("1 ", True), deleted, inserted, t("gone", extra="<w:vanish/>")))
    assert result["blocks"][0][2][1] == ("body", "new")
    for said in ("deletion not read: 'old'", "insertion read: 'new'", "hidden text not read"):
        assert [m for m in result["problems"] if said in m]


def test_footnotes_follow_their_paragraph():
    """A footnote is a note after the paragraph that names it; one named nowhere is said."""
    notes = (
        '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>-</w:t></w:r></w:p></w:footnote>'
        f'<w:footnote w:id="2"><w:p>{t("Owls are birds.")}</w:p></w:footnote>'
        f'<w:footnote w:id="3"><w:p>{t("Stray.")}</w:p></w:footnote>'
    )
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    result = docx(
        p("section", t("1 ", True), t("Owls."), reference) + p("section", t("2 ", True), t("On.")),
        footnotes=notes,
    )
    assert result["blocks"][1] == ("1", "in_force", [("note", "Owls are birds.")])
    assert [b[2][0][1] for b in result["blocks"]] == ["1", "Owls are birds.", "2", "Stray."]
    assert [m for m in result["problems"] if "footnote 3 is referred to nowhere" in m]


def test_contents_table_of_word():
    """Cells of one row make one contents entry."""
    cells = f"<w:tc>{p('TOCid', t('7.'))}</w:tc><w:tc>{p('table', t('Owls'))}</w:tc>"
    result = docx(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>" + p("section", t("7 ", True), t("Owls.")))
    assert result["contents"] == [{"number": "7", "title": "Owls", "in_force": True}]


@pytest.mark.parametrize(
    ("first", "locator"),
    [("Schedule</w:t><w:br/><w:t>A useful list", "Sched."), ("Schedule A", "Sched. A")],
)
def test_line_break_ends_a_schedules_number(first, locator):
    """What follows a break is the title, not the number."""
    result = docx(p("sch", f"<w:r><w:t>{first}</w:t></w:r>"))
    assert result["blocks"][0][0] == locator


def test_pictures_text_boxes_symbols_and_automatic_numbers():
    """Pictures leave their alternative text; boxes, symbols and Word's own numbers are said."""
    picture = '<w:r><w:drawing><docPr descr="an owl"/></w:drawing></w:r>'
    box = f"<w:r><w:pict><w:txbxContent>{p('section', t('boxed'))}</w:txbxContent></w:pict></w:r>"
    symbol = '<w:r><w:sym w:font="Symbol" w:char="00B1"/></w:r>'
    numbered = "<w:p><w:pPr><w:numPr/></w:pPr>" + t("automatic") + "</w:p>"
    result = docx(p("section", t("1 ", True), t("See"), picture, symbol, box) + numbered)
    assert result["blocks"][0][2] == [
        ("marker", "1"),
        ("body", "See"),
        ("placeholder", "[image: an owl]"),
        ("body", "±"),
    ]
    assert result["blocks"][1][2] == [("body", "boxed")]
    for said in ("text box", "symbol '00B1'", "numbered by Word itself", "without a known class"):
        assert [m for m in result["problems"] if said in m], said


def test_text_box_in_a_text_box_is_read_once():
    """Nested boxes do not multiply their text."""
    inner = p("section", t("innermost"))
    for _ in range(12):
        inner = p("section", f"<w:r><w:pict><w:txbxContent>{inner}</w:txbxContent></w:pict></w:r>")
    result = docx(p("section", t("1 ", True), t("Owls.")) + inner)
    assert [b[2][-1][1] for b in result["blocks"]] == ["Owls.", "innermost"]
