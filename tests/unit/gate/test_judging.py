"""A judge's reply is an exact verdict or an error, never something in between."""

from __future__ import annotations

import pytest

from corpusguard.gate.judging import JudgeError, parse_reply


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("SUPPORTED", "SUPPORTED"),
        ("NOT_SUPPORTED\n", "NOT_SUPPORTED"),
        ('{"verdict": "SUPPORTED"}', "SUPPORTED"),
        ('  {"verdict":"NOT_SUPPORTED"}\n', "NOT_SUPPORTED"),
    ],
)
def test_exact_replies_are_read(reply: str, verdict: str) -> None:
    """A token or the schema is read as it stands."""
    assert parse_reply(reply) == verdict


UNUSABLE = [
    None,
    True,
    1,
    b"SUPPORTED",
    ["SUPPORTED"],
    {"verdict": "SUPPORTED"},
    "",
    " ",
    "SUPPORTED? No.",
    "SUPPORTED.",
    "supported",
    "Supported",
    "NOT SUPPORTED",
    "NOT_",
    "SUPPORTE",
    "SUPPORTED NOT_SUPPORTED",
    "SUPPORTED\x00",
    "\u00a0SUPPORTED",
    "\u202eSUPPORTED",
    "ЅUPPORTED",
    '"SUPPORTED"',
    '{"verdict": "SUPPORTED"',
    '{"verdict": "SUPPORTED", "confidence": 1}',
    '{"verdict": "NOT_SUPPORTED", "verdict": "SUPPORTED"}',
    '{"Verdict": "SUPPORTED"}',
    '{"verdict": ["SUPPORTED"]}',
    '{"verdict": {"verdict": "SUPPORTED"}}',
    '{"verdict": null}',
    '[["verdict", "SUPPORTED"]]',
    '```json\n{"verdict": "SUPPORTED"}\n```',
    '{"verdict": "SUPPORTED"} trailing',
    "SUPPORTED" + " " * 1000,
    "{" * 250,
]


@pytest.mark.parametrize("reply", UNUSABLE, ids=[repr(one)[:40] for one in UNUSABLE])
def test_anything_else_is_an_error(reply: object) -> None:
    """Prefixes, other cases, more fields, repeated keys and wrong types are no verdict."""
    with pytest.raises(JudgeError):
        parse_reply(reply)
