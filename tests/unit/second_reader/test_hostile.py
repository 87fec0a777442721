"""Input that is damaged, hostile or something else than it is said to be."""

from __future__ import annotations

import gc
import io
import json
import zipfile

import pytest

from corpusguard.second_reader import ParseError, read
from corpusguard.second_reader.words import canon, covered

LAW = '<p class="section"><b>1 </b>Owls.</p>'


def payload(**fields):
    return json.dumps({"title": "Owls", "content": LAW, **fields}).encode()


@pytest.mark.parametrize(
    ("data", "rendition", "said"),
    [
        (b"", "payload", "empty"),
        (b"\xff\xfe", "content", "not UTF-8: byte 0xff at offset 0"),
        (LAW.encode()[:-5] + b"\xe9</p>", "page", "not UTF-8"),
        (b"<p>", "payload", "not JSON"),
        (b"[]", "payload", "list, not an object"),
        (b"{}", "payload", "'content' is missing"),
        (payload(content=" "), "payload", "'content' is missing"),
        (payload(content={"en": "x"}), "payload", "'content' is missing"),
        (b'{"content": "<p>a</p>", "content": "<p>b</p>"}', "payload", "a key twice"),
        (b'{"content": "<p>\\ud800</p>"}', "payload", "lone surrogate"),
        (b"[" * 200_000, "payload", "nests too deeply"),
        (b'{"content": ' + b"9" * 10_000 + b"}", "payload", "not JSON"),
        (b"no markup", "content", "no markup"),
        (b"<p class='x'> </p>", "content", "no text"),
        (b"<?xml version='1.0'?><p>x</p>", "content", "XML"),
        (b"<div>" * 3000, "content", "deep"),
        (b"<!--" * 3000, "content", "comments"),
        (b"</" * 3000, "content", "unclosed"),
        (b"<html><p>e-Laws needs JavaScript</p></html>", "page", "shell"),
        (b"<html><body>503</body></html>", "page", "no div of class WordSection"),
        (b"<div class='WordSection1'></div>", "page", "empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "docx", "binary Word file"),
        (b"anything", "doc", "binary Word file"),
        (b"PK\x03\x04 cut off", "docx", "not a Word file"),
        (b"anything", "epub", "unknown rendition 'epub'"),
        (b"%PDF-1.4 and no more", "pdf", "can't read the PDF"),
        (b"<html>", "pdf", "not a PDF"),
    ],
)
def test_refusals_say_why(data, rendition, said):
    """Whatever can't be read raises the reader's one error, with the reason."""
    with pytest.raises(ParseError) as caught:
        read(data, rendition)
    assert said in str(caught.value)


def test_oversized_input_is_refused(monkeypatch):
    """The cap on bytes holds before anything is parsed."""
    monkeypatch.setattr("corpusguard.second_reader.complaint.MAX_BYTES", 100)
    with pytest.raises(ParseError, match="more than the 100 allowed"):
        read(b"<p>" + b"x" * 200, "content")


def test_parse_error_is_a_value_error_and_leaves_the_collector_on():
    """A refusal in the middle of parsing does not leave garbage collection off."""
    assert issubclass(ParseError, ValueError)
    with pytest.raises(ParseError):
        read(b"<div>" * 3000, "content")
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("caf\ufffd", "U+FFFD"),
        ("caf&#65533;", "U+FFFD"),
        ("cafÃ©", "mojibake"),
        ("owlâ€™s", "mojibake"),
        ("Â§ 3", "mojibake"),
        ("a\u0085b", "control"),
        ("a\x07b", "control"),
    ],
)
def test_t12_broken_characters_are_problems(text, said):
    """Signs of a wrong decoding are said; the text is read all the same."""
    result = read(f'<p class="section"><b>1 </b>{text} x</p>'.encode(), "content")
    assert [m for m in result["problems"] if said in m]
    assert result["sections"][0]["number"] == "1"


def test_clean_text_is_not_suspected():
    """French letters, currency and typographic quotes are no mojibake."""
    text = "“Âge” à l’été — Ã la carte, 5 € §3 m²"
    assert read(f'<p class="section"><b>1 </b>{text}</p>'.encode(), "content")["problems"] == []


def test_problems_are_bounded():
    """A document of a million anomalies lists a thousand and counts the rest."""
    result = read(b"<i>x</i><p class='section'><b>1</b> A</p>" * 1500, "content")
    assert len(result["problems"]) == 1001
    assert result["problems"][-1].startswith("and ")


def test_result_is_plain():
    """Nothing but built-ins leaves the reader."""
    result = read(payload(content=LAW + '<p class="paragraph">One</p>'), "payload")
    assert json.loads(json.dumps(result)) == json.loads(json.dumps(result, default=str))
    for section, status, runs in result["blocks"]:
        assert (type(section), type(status), type(runs)) == (str, str, list)
        assert all(type(role) is str and type(text) is str and text for role, text in runs)


@pytest.mark.parametrize(
    ("raw", "canonical"),
    [
        (" a\u00a0\u2002b\r\n\tc ", "a b c"),
        ("co\u00adop\u200berate\ufeff", "cooperate"),
        ("e\u0301", "é"),
        ("e\u200d\u0301", "é"),
        ("‘q’ – — \u2011 ﬁ", "‘q’ – — \u2011 ﬁ"),
        ("\u2029\u3000", ""),
    ],
)
def test_canonical_form(raw, canonical):
    """The canonical form folds space and drops what has no width, and nothing else."""
    assert canon(raw) == canonical
    assert canon(canonical) == canonical


def test_huge_range_is_not_enumerated():
    """A hostile range is bounded and says that it is unknown inside."""
    assert covered("1-9999") == (["1", "9999"], ["1", "9999"])
    assert covered("5.1-5.4") == (["5.1", "5.4"], ["5.1", "5.4"])


@pytest.mark.parametrize(
    "unit", ["2006, c. 1, s. 1; ", "(1), ", "1., ", "(a) ", "hoot. 2006, c. 1 ", "O. Reg. 1/02. "]
)
def test_long_paragraphs_read_in_linear_time(unit):
    """No pattern backtracks over a long paragraph (bounded by the suite's timeout)."""
    body = f'<p class="section"><b>1 </b>{unit * 4000}!</p>'
    assert len(read(body.encode(), "content")["sections"]) == 1


def zipped(**parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(f"word/{name}.xml", text)
    return stream.getvalue()


STYLES = '<styles xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({}, "no styles"),
        ({"styles": STYLES}, "no word/document.xml"),
        ({"styles": STYLES, "document": "<a>"}, "not well-formed"),
        (
            {"styles": STYLES, "document": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"},
            "document type",
        ),
        ({"styles": STYLES, "document": "<a>" * 300 + "</a>" * 300}, "deep"),
        ({"styles": STYLES, "document": "<a/>"}, "no text"),
        ({"styles": STYLES, "document": "<a>".encode("utf-16")}, "not UTF-8"),
        ({"styles": STYLES, "document": "<a>" + " " * 9_000_000 + "</a>"}, "unpacks to more"),
    ],
)
def test_hostile_word_files(parts, said):
    """A Word file with a bomb, entities or missing parts is refused."""
    with pytest.raises(ParseError, match=said):
        read(zipped(**parts), "docx")


def test_twice_named_and_damaged_entries_are_refused():
    """Two entries of one name, and a wrong checksum, are refused."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        package.writestr("word/styles.xml", STYLES)
        with pytest.warns(UserWarning, match="Duplicate"):
            package.writestr("word/styles.xml", STYLES)
    with pytest.raises(ParseError, match="twice"):
        read(stream.getvalue(), "docx")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as package:
        package.writestr("word/styles.xml", STYLES)
    damaged = stream.getvalue().replace(b"openxmlformats", b"openxmlformatz", 1)
    with pytest.raises(ParseError, match="damaged"):
        read(damaged, "docx")


def test_encrypted_entry_is_refused():
    """An entry with the encryption flag is refused before it is read."""
    data = bytearray(zipped(styles=STYLES))
    central = data.rindex(b"PK\x01\x02")
    data[central + 8] |= 1
    with pytest.raises(ParseError, match="encrypted"):
        read(bytes(data), "docx")


@pytest.mark.parametrize(
    "body",
    [
        "<p class='section'><b>1 </b>" + "<br>" * 8_000 + "Owls.</p>",
        LAW + "<p class='Yheadnote'>x</p>" * 4_000 + "<p class='subsection'>(2) y</p>" * 4_000,
        "<p class='section'><b>" + "1, " * 4_000 + "</b>Owls.</p>",
        "<p class='x'>" + "<i>a</i>" * 8_000 + "</p>",
    ],
)
def test_many_small_parts_read_in_linear_time(body):
    """Breaks, waiting headnotes and inline elements by the ten thousand do not multiply."""
    assert read(body.encode(), "content")["blocks"]


def test_too_many_images_are_refused():
    """A paragraph of images without end is refused."""
    with pytest.raises(ParseError, match="more than 500 images"):
        read(b"<p class='scanned'>" + b"<img>" * 600 + b"</p>", "content")
