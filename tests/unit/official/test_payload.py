"""The shape, the characters and the identity of a payload."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from corpusguard import errors
from corpusguard.model import DocumentSpec, Severity
from corpusguard.official import OntarioELaws
from tests.replica.law import Law, lighthouse_act, section

ELAWS = OntarioELaws()
LAW = lighthouse_act(3)
SPEC = DocumentSpec(LAW.id, LAW.title, LAW.number)


@dataclass(frozen=True)
class Sent:
    """An answer as the fetcher would hand it over."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    url: str = "http://127.0.0.1/laws/api/v2/x"


def accept(payload: dict, spec: DocumentSpec = SPEC):
    return ELAWS.accept(Sent(json.dumps(payload).encode()), spec)


def changed(**changes):
    return LAW.payload() | changes


def test_an_accepted_payload_keeps_its_bytes_and_says_who_it_is():
    body = json.dumps(LAW.payload()).encode()

    accepted = ELAWS.accept(Sent(body), SPEC)

    assert accepted.data == body
    assert accepted.identity.title == "Lighthouse Wardens Act, 2026"
    assert accepted.identity.code == "S.O. 2026, c. 91"
    assert accepted.identity.alias == "statute/26a91"
    assert accepted.identity.consolidated_from == "2026-03-02"
    assert accepted.findings == ()


@pytest.mark.parametrize("key", ["content", "title", "alias", "state", "dateFrom"])
def test_a_missing_key_is_named(key):
    payload = LAW.payload()
    del payload[key]

    with pytest.raises(errors.ShapeChanged, match=f"'{key}' is missing"):
        accept(payload)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("title", {"en": "x"}, "payload.title is an object by language"),
        ("content", None, "payload.content is null"),
        ("hlCount", "0", "payload.hlCount is a string"),
        ("hlCount", True, "payload.hlCount is a boolean"),
        ("volume", 1.5, "payload.volume is a number"),
        ("actName", "x", "payload.actName is a string"),
        ("comments", {"comment": 3}, "payload.comments.comment is an integer"),
        ("regNmber", 3, "payload.regNmber is an integer"),
        ("state", "pending", "state 'pending'"),
        ("dateFrom", "2026-03-02", "not a midnight of Toronto"),
        ("dateFrom", "2026-03-02T12:00:00.000Z", "not a midnight of Toronto"),
        ("dateFrom", "2026-02-30T05:00:00.000Z", "not a midnight of Toronto"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_key(key, value, told):
    with pytest.raises(errors.ShapeChanged, match=told):
        accept(changed(**{key: value}))


@pytest.mark.parametrize(
    ("stamp", "day"),
    [("2026-07-01T04:00:00.000Z", "2026-07-01"), ("2026-01-01T05:00:00Z", "2026-01-01")],
)
def test_a_midnight_of_toronto_is_its_local_day_in_summer_and_winter(stamp, day):
    assert accept(changed(dateFrom=stamp)).identity.consolidated_from == day


def test_a_key_that_was_not_known_is_a_note_and_no_refusal():
    accepted = accept(changed(amendedBy=[]))

    assert [(f.rule, f.severity) for f in accepted.findings] == [("CG504", Severity.NOTE)]
    assert "amendedBy" in accepted.findings[0].message


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"content": "a", "content": "b"}', errors.ShapeChanged),
        (b'{"volume": NaN}', errors.ShapeChanged),
        (b"[" * 200_000, errors.ShapeChanged),
        (b'{"volume": ' + b"9" * 5_000 + b"}", errors.ShapeChanged),
        (b'["a"]', errors.ShapeChanged),
        (b"{'content'}", errors.ShapeChanged),
        (b'{"content": "half of it', errors.BodyTruncated),
        (b'{"content": "whole", "ti', errors.BodyTruncated),
        (b'{"content": "whole",', errors.BodyTruncated),
        (b'{"content": "caf\xe9"}', errors.Mojibake),
    ],
)
def test_hostile_or_broken_json_is_refused_by_kind(body, expected):
    with pytest.raises(expected) as caught:
        ELAWS.accept(Sent(body), SPEC)

    assert type(caught.value) is expected


@pytest.mark.parametrize("bad", ["d\ufffdty", "d\u0092ty", "dÃ»ty", "theyâ€™ll", "Â§ 4"])
@pytest.mark.parametrize("key", ["content", "title", "shortTitle", "history"])
def test_text_of_a_wrong_character_set_is_refused_in_every_key(key, bad):
    with pytest.raises(errors.Mojibake, match=f"payload.{key}"):
        accept(changed(**{key: LAW.payload()[key] + bad}))


@pytest.mark.parametrize("good", ["élève", "Âge", "L’Île", "naïve – “yes”", "m²", "½"])
def test_french_and_typographic_text_is_no_mojibake(good):
    accept(changed(history=good))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"alias": "statute/26f92"}, "statute/26f92"),
        ({"alias": "regulation/26a91"}, "regulation/26a91"),
        ({"alias": "statute/26a91/v3"}, "v3"),
        ({"state": "historical"}, "historical"),
        ({"state": "source"}, "source"),
        ({"docSource": "elaws/26a91_f.html"}, "other language"),
        ({"chapter": "<p>S.O. 2026, c. 19</p>", "title": "Lighthouse Wardens Act, 2026"}, "c. 19"),
    ],
)
def test_another_law_state_or_language_is_refused(changes, told):
    with pytest.raises(errors.WrongDocument, match=told):
        accept(changed(**changes))


def test_another_title_under_the_right_alias_is_refused():
    """T12: the address may resolve to something else for months."""
    other = {"title": "Foghorn Act, 2026, S.O. 2026, c. 91", "shortTitle": "", "actName": {}}

    with pytest.raises(errors.WrongDocument, match="Foghorn"):
        accept(changed(**other))


@pytest.mark.parametrize(
    "title", ["LIGHTHOUSE WARDENS ACT, 2026", "Lighthouse  Wardens Act, 2026, S.O. 2026, c. 91"]
)
def test_case_space_and_the_chapter_do_not_make_another_title(title):
    accept(LAW.payload(), DocumentSpec(LAW.id, title))


REGULATION = Law(
    kind="regulation",
    code="260417",
    title="LAMP OIL",
    number="O. Reg. 417/26",
    paragraphs=section("1.", "Lamp oil shall be clear."),
)


def test_a_regulation_is_known_by_its_own_title_not_by_that_of_its_act():
    """Its shortTitle and actName are those of the Act under which it was made."""
    payload = REGULATION.payload() | {"shortTitle": "<p>Lighthouse Wardens Act, 2026</p>"}

    accepted = accept(payload, DocumentSpec(REGULATION.id, "Lamp Oil", "O. Reg. 417/26"))
    assert accepted.identity.title == "LAMP OIL"
    assert accepted.identity.code == "O. Reg. 417/26"
    with pytest.raises(errors.WrongDocument):
        accept(payload, DocumentSpec(REGULATION.id, "Lighthouse Wardens Act, 2026"))


@pytest.mark.parametrize("number", ["O. Reg. 418/26", "O. Reg. 417/25", "S.O. 2026, c. 417"])
def test_a_regulation_number_that_is_not_that_of_the_id_is_refused(number):
    payload = REGULATION.payload() | {"volume": number, "title": "LAMP OIL"}

    with pytest.raises(errors.WrongDocument, match="417"):
        accept(payload, DocumentSpec(REGULATION.id, "Lamp Oil"))


def test_source_law_is_asked_for_in_its_own_state():
    law = Law("regulation", "r26417", "LAMP OIL", "O. Reg. 417/26", REGULATION.paragraphs)
    spec = DocumentSpec(law.id, "Lamp Oil")

    assert accept(law.payload() | {"state": "source"}, spec).identity.state == "source"
    with pytest.raises(errors.WrongDocument, match="current"):
        accept(law.payload(), spec)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", errors.NotTheDocument),
        ("<p class='section'> </p><p class='MsoNormal'>\xa0</p>", errors.NotTheDocument),
        ("<div>e-Laws needs JavaScript to function properly</div>", errors.NotTheDocument),
        ("<p class='section'>[Provision text from the source]</p>", errors.NotTheDocument),
        ("<p class='lawtext'>1 A lamp shall burn.</p>", errors.ShapeChanged),
        ("<p>1 A lamp shall burn.</p>", errors.ShapeChanged),
    ],
)
def test_content_without_provisions_is_refused(content, expected):
    """T10, T22, T24."""
    with pytest.raises(expected) as caught:
        accept(changed(content=content))

    assert type(caught.value) is expected


@pytest.mark.parametrize(
    "name", ["section", "section-e", "Ysection", "Psection", "schedule-e", "form", "definition-e"]
)
def test_one_paragraph_of_any_class_of_law_is_enough(name):
    accept(changed(content=f'<div><p class="{name}"><b>1 </b>A lamp shall burn.</p></div>'))


def test_a_law_that_mentions_a_marker_of_firewalls_is_still_a_law():
    accept(changed(content='<p class="section"><b>1 </b>Request Rejected: a form.</p>'))


def test_hostile_markup_is_scanned_in_linear_time():
    accept(changed(content="<p <" * 300_000 + '<p class="section">1 A lamp.</p>'))
