"""Canonical JSON, heads, and how two records differ."""

import json

import pytest

from corpusguard.evidence import canonical, differences, head_of, parse_head


def test_canonical_json_is_that_of_the_rfc():
    """RFC 8785: names sorted by UTF-16 units, no white space, the shortest escapes."""
    value = {"\ue000": 1, "\U0001f600": 2, "b": "\u00e9\n\x01\x7f/", "a": [None, True, -3, {}]}

    text = canonical(value).decode()

    assert text == '{"a":[null,true,-3,{}],"b":"\u00e9\\n\\u0001\x7f/","\U0001f600":2,"\ue000":1}'
    assert json.loads(text) == value


@pytest.mark.parametrize("value", [1.0, [0.5], {"a": {"b": [float("nan")]}}, 2**53, "\ud800"])
def test_what_has_no_canonical_form_is_refused(value):
    """Floats wherever they stand, integers that JSON readers round, text that is not Unicode."""
    with pytest.raises(ValueError, match=r"float|integer|codepoints"):
        canonical(value)


def test_a_head_is_the_hash_of_the_record():
    """As sha256sum prints it."""
    assert head_of(b"{}") == (
        "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    )


@pytest.mark.parametrize("text", ["AB" * 32, "sha256:" + "ab" * 32, f" sha256:{'ab' * 32}\n"])
def test_a_head_is_read_as_people_write_it(text):
    """Upper case, with or without the prefix, with a line end."""
    assert parse_head(text) == "sha256:" + "ab" * 32


@pytest.mark.parametrize("text", ["", "sha256:", "ab" * 31, "ab" * 33, "sha512:" + "ab" * 32])
def test_what_is_no_head_is_refused(text):
    """Rather than not found."""
    with pytest.raises(ValueError, match="not a head"):
        parse_head(text)


def entry(document, **more):
    return {"corpus": "c", "document": document, "verdict": "verified", **more}


def test_differences_name_the_document_and_what_is_other():
    """A document that is gone does not make the ones after it look changed."""
    sealed = {"tool": "t", "documents": [entry("a"), entry("b"), entry("d")]}
    found = {"tool": "t", "documents": [entry("b", verdict="violated"), entry("d"), entry("e")]}

    assert list(differences(sealed, found)) == [
        "the result of a in corpus c is gone",
        "b in corpus c: verdict is 'violated', sealed was 'verified'",
        "a result of e in corpus c was added",
    ]
    assert list(differences(sealed, sealed)) == []


def test_differences_survive_any_shape():
    """A forged record may hold anything; long values are cut."""
    said = list(differences({"documents": 7, "tool": "x" * 500}, {"documents": [entry("a")]}))

    assert said[0] == "a result of a in corpus c was added"
    assert said[1].startswith("tool is None, sealed was 'xxx")
    assert len(said[1]) < 200
