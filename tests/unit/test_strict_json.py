"""JSON from outside: what two readers could take in two ways is refused, and said in own words."""

import json
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusguard.strict_json import MAX_DEPTH, MAX_NUMBER, Fault, NotStrict, parse

REFUSED = {
    "empty": (b"", Fault.CUT_SHORT),
    "white space": (b" \n", Fault.CUT_SHORT),
    "an object cut off": (b'{"a": 1', Fault.CUT_SHORT),
    "a string cut off": (b'{"a": "b', Fault.CUT_SHORT),
    "two values": (b"{} {}", Fault.SYNTAX),
    "a comma too many": (b"[1,]", Fault.SYNTAX),
    "a comment": (b"[1] // one", Fault.SYNTAX),
    "single quotes": (b"{'a': 1}", Fault.SYNTAX),
    "a raw line end in a string": (b'"a\nb"', Fault.SYNTAX),
    "a white space that JSON does not have": ("[1,\u00a02]".encode(), Fault.SYNTAX),
    "Latin-1": (b'"\xe9"', Fault.NOT_UTF8),
    "UTF-16": ('{"a": 1}'.encode("utf-16-le") + b"\xff", Fault.NOT_UTF8),
    "a surrogate in UTF-8": (b'"\xed\xa0\x80"', Fault.NOT_UTF8),
    "a byte order mark": (b'\xef\xbb\xbf{"a": 1}', Fault.BYTE_ORDER_MARK),
    "a byte order mark in text": ('\ufeff{"a": 1}', Fault.BYTE_ORDER_MARK),
    "NaN": (b"[NaN]", Fault.NUMBER),
    "Infinity": (b"[Infinity]", Fault.NUMBER),
    "-Infinity": (b"[-Infinity]", Fault.NUMBER),
    "an integer that Python does not convert": (b"1" * 4_301, Fault.NUMBER),
    "an integer too long": (b"1" * (MAX_NUMBER + 1), Fault.NUMBER),
    "an exponent that Decimal does not take": (b"[1e9999999999999999999]", Fault.NUMBER),
    "a key twice": (b'{"a": 1, "a": 1}', Fault.REPEATED_KEY),
    "a key twice, once escaped": (b'{"a": 1, "\\u0061": 2}', Fault.REPEATED_KEY),
    "a key twice, deep inside": (b'[{"b": {"a": 1, "a": 2}}]', Fault.REPEATED_KEY),
    "a key in two Unicode forms": ('{"\u00e9": 1, "e\u0301": 2}', Fault.REPEATED_KEY),
    "half a pair": (b'["\\ud83d"]', Fault.HALF_CHARACTER),
    "the halves in the wrong order": (b'["\\udE00\\uD83D"]', Fault.HALF_CHARACTER),
    "half a pair as a key": (b'{"a": [{"\\udc00": 1}]}', Fault.HALF_CHARACTER),
    "half a pair in text": ('"\ud800"', Fault.HALF_CHARACTER),
    "arrays without end": (b"[" * 100_000, Fault.TOO_DEEP),
    "objects without end": (b'{"a":' * 100_000, Fault.TOO_DEEP),
    "one level too many": (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), Fault.TOO_DEEP),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("decimals", [False, True])
def test_what_two_readers_take_in_two_ways_is_refused(name, decimals):
    data, fault = REFUSED[name]
    with pytest.raises(NotStrict) as refused:
        parse(data, decimals=decimals)
    assert refused.value.fault is fault
    said = str(refused.value)
    assert said
    assert len(said) < 200
    assert said.isprintable()
    assert "sys." not in said


TAKEN = {
    "a pair": (b'"\\ud83d\\ude00"', "\U0001f600"),
    "escaped text that looks like half a pair": (b'"\\\\ud83d"', "\\ud83d"),
    "keys that differ in case": (b'{"a": 1, "A": 2}', {"a": 1, "A": 2}),
    "one key in two objects": ('[{"\u00e9": 1}, {"e\u0301": 2}]', [{"\u00e9": 1}, {"e\u0301": 2}]),
    "a mark inside": ('"\ufeff"', "\ufeff"),
    "a line separator inside": ('"\u2028"', "\u2028"),
    "an integer of 64 bits": (b"18446744073709551615", 18446744073709551615),
    "the largest double": (b"1.7976931348623157e308", sys.float_info.max),
    "the smallest double": (b"5e-324", 5e-324),
    "the deepest": (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, None),
    "many levels side by side": (b"[" + b"[]," * 500 + b"[]]", [[]] * 501),
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_means_one_thing_is_taken(name):
    data, value = TAKEN[name]
    assert parse(data) == (json.loads(data) if value is None else value)


def test_a_caller_may_say_itself_where_half_a_character_is():
    assert parse(b'["\\ud83d"]', halves=True) == ["\ud83d"]


def test_the_size_is_counted_before_anything_is_read():
    assert parse(b'"12345678"', max_size=10) == "12345678"
    with pytest.raises(NotStrict, match="more than 10 bytes") as refused:
        parse(b"\xff" * 11, max_size=10)
    assert refused.value.fault is Fault.TOO_LARGE
    with pytest.raises(NotStrict, match="more than 10 characters"):
        parse("é" * 11, max_size=10)


def test_a_repeated_key_is_named_and_a_fault_has_its_place():
    with pytest.raises(NotStrict, match=r"the key 'b\\x1b' comes twice"):
        parse('{"a": 1, "b\\u001b": 1, "b\\u001b": 2}')
    with pytest.raises(NotStrict, match=r"\(line 2, column 2\)"):
        parse("[1\n,,2]")


def test_a_decimal_keeps_what_is_printed():
    assert str(parse("36.10", decimals=True)) == "36.10"
    assert parse("1e999", decimals=True) == Decimal("1e999")


@pytest.mark.parametrize("printed", ["1e309", "-1e999", "1" * MAX_NUMBER + ".5"])
def test_a_number_that_a_double_makes_infinite_is_refused(printed):
    with pytest.raises(NotStrict, match="out of range") as refused:
        parse(f"[{printed}]")
    assert refused.value.fault is Fault.NUMBER


@pytest.mark.parametrize("printed", ["0." + "1" * MAX_NUMBER, "1e-9999999999999999999"])
def test_a_number_that_no_decimal_should_hold_is_refused(printed):
    with pytest.raises(NotStrict, match=r"more than|out of range") as refused:
        parse(f"[{printed}]", decimals=True)
    assert refused.value.fault is Fault.NUMBER


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**300), 10**300)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.sampled_from('ab{[\\"é')), inner),
    max_leaves=30,
)


@given(VALUES, st.booleans())
def test_every_value_comes_back(value, ascii_only):
    """It is read as Python's own reader does, in either spelling."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse(text) == value
    assert parse(text.encode()) == value
