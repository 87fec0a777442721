"""Bad input is refused with the right error and a next step, never read halfway."""

from __future__ import annotations

import io
import json
import time
import zipfile

import pytest

from corpusguard.errors import Unreadable
from corpusguard.first_reader import read
from corpusguard.model import Rendition

LAW = '<p class="section"><b>1 </b>A lamp is lit.</p>'


def payload(**fields):
    return json.dumps({"content": LAW, "title": "Lamp Act", **fields}).encode()


def docx(document, **parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", document)
        for name, text in parts.items():
            archive.writestr(f"word/{name}.xml", text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "rendition"),
    [
        (LAW.encode(), Rendition.PDF),
        (LAW.encode(), Rendition.DOC),
        (b"\xff\xfe" + LAW.encode(), Rendition.CONTENT),
        (b"", Rendition.CONTENT),
        (b"   ", Rendition.CONTENT),
        (b"<!-- nothing -->", Rendition.CONTENT),
        (b'<p class="section"> </p>', Rendition.CONTENT),
        (b'<p class="shorttitle">Lamp Act</p>', Rendition.CONTENT),
        (LAW.encode(), Rendition.PAGE),
        (b"<html><body><p>This site needs JavaScript</p></body></html>", Rendition.PAGE),
        (b"[]", Rendition.PAYLOAD),
        (b'{"content": 3}', Rendition.PAYLOAD),
        (b'{"content": "x', Rendition.PAYLOAD),
        (b"[" * 200_000, Rendition.PAYLOAD),
        (payload(content=""), Rendition.PAYLOAD),
        (b'{"content": "<p class=\\"section\\">\\ud800</p>"}', Rendition.PAYLOAD),
        (payload().replace(b"lamp", b"l\xe9mp"), Rendition.PAYLOAD),
        (b"not a zip", Rendition.DOCX),
        (b"PK\x03\x04" + b"\x00" * 60, Rendition.DOCX),
        (docx("<w:document"), Rendition.DOCX),
        (docx("<x/>"), Rendition.DOCX),
        (docx("<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"), Rendition.DOCX),
        (docx("<x>" + " " * 40_000_000 + "</x>"), Rendition.DOCX),
    ],
)
def test_what_cannot_be_read_is_refused(data, rendition):
    """Unreadable (CG507), with a hint."""
    with pytest.raises(Unreadable) as caught:
        read(data, rendition)

    assert caught.value.rule == "CG507"
    assert caught.value.hint


def test_a_truncated_word_file_is_refused():
    """Half a download is not half a law."""
    whole = docx("<x/>")

    with pytest.raises(Unreadable):
        read(whole[: len(whole) // 2], Rendition.DOCX)


@pytest.mark.parametrize("nest", ["<span>", "<div>", "<i>"])
@pytest.mark.parametrize("depth", [300, 5_000])
def test_the_parsers_silent_cut_off_is_an_error(nest, depth):
    """libxml2 drops all text after its depth limit without a word; we refuse the document."""
    with pytest.raises(Unreadable):
        read((LAW + f"<p class='section'>{nest * depth}x</p>{LAW}").encode(), Rendition.CONTENT)


def test_no_number_or_citation_makes_the_reader_slow():
    """Long runs of digits, brackets and near-citations are read in linear time."""
    evil = [
        "<p class='section'><b>" + "1." * 20_000 + "</b></p>",
        "<p class='subsection'>" + "(1), " * 20_000 + "</p>",
        "<p class='paragraph'>" + "i., " * 20_000 + "</p>",
        "<p class='section'>" + "x. 2031, c. 7, s. 5; " * 10_000 + "y</p>",
        "<p class='section'>x. 2031, c. 7, s. " + "5 (1), " * 20_000 + "</p>",
    ]
    start = time.process_time()
    for markup in evil:
        read((LAW + markup).encode(), Rendition.CONTENT)

    assert time.process_time() - start < 5


def test_ranges_cannot_claim_unbounded_memory():
    """Many wide ranges in a small document keep their ends only, loudly."""
    ranges = "".join(
        f"<p class='section'><b>{n}-{n + 4000} </b>Omitted.</p>" for n in range(1, 200)
    )

    reading = read(ranges.encode(), Rendition.CONTENT)

    assert sum(len(p.covers) for p in reading.provisions) <= 100_000
    assert reading.provisions[-1].covers_unknown == ("199", "4199")
    assert "bad_range" in {a.kind for a in reading.anomalies}
