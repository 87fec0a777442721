"""Word files, the currency date and the list of versions."""

from __future__ import annotations

import dataclasses
import json
from datetime import date

import pytest

from corpusguard import errors
from corpusguard.model import Rendition
from tests.replica.capture import ELAWS, SPEC, fetcher, source
from tests.replica.replica import OLE, Fault


def word(replica, store_name: bytes | None, name: str = ""):
    if store_name is not None:
        replica.files[name] = store_name
    asked = source(replica)
    with fetcher(asked) as client:
        for url in ELAWS.word_addresses(asked, SPEC):
            answer = client.get(url, accept="*/*")
            if not ELAWS.is_absent(answer):
                return ELAWS.accept_word(answer, SPEC)
    return None


def test_403_on_every_word_name_means_that_there_is_none(replica):
    assert word(replica, None) is None
    assert len(replica.requests) == 3


def test_a_binary_word_file_is_recognised_and_its_identity_is_unknown(replica):
    accepted = word(replica, OLE, "elaws_statutes_26a91_e.doc")

    assert accepted is not None
    assert Rendition.DOC is accepted.rendition
    assert not accepted.identity_known


def test_the_shell_under_a_word_name_is_refused(replica):
    with pytest.raises(errors.NotTheDocument, match="JavaScript"):
        word(replica, b"<html>e-Laws needs JavaScript</html>", "26a91_e.docx")


def test_403_on_the_api_is_a_refusal_not_an_absence(replica):
    replica.misbehave(Fault.FORBIDDEN)
    asked = source(replica)

    with fetcher(asked) as client:
        answer = client.get(ELAWS.document_addresses(asked, SPEC)[0])

    assert not ELAWS.is_absent(answer)


def currency(replica):
    asked = source(replica)
    with fetcher(asked) as client:
        return ELAWS.accept_currency(client.get(ELAWS.currency_address(asked, SPEC)))


def test_the_currency_date_is_read_and_a_frozen_one_is_a_finding(replica):
    found = currency(replica)

    assert found == "2026-03-09"
    spec = source(replica, frozen_after_days=14)
    assert ELAWS.currency_finding(found, date(2026, 3, 23), spec, SPEC.id) is None
    frozen = ELAWS.currency_finding(found, date(2026, 3, 24), spec, SPEC.id)
    assert frozen is not None
    assert frozen.rule == "CG505"
    ahead = ELAWS.currency_finding(found, date(2026, 3, 1), spec, SPEC.id)
    assert ahead is not None
    assert ahead.rule == "CG510"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault.SHELL, errors.NotTheDocument),
        (Fault.EMPTY, errors.NotTheDocument),
        (Fault.OTHER_SHAPE, errors.ShapeChanged),
        (Fault.NOT_FOUND, errors.SourceUnreachable),
    ],
)
def test_what_is_no_currency_date_is_refused(replica, fault, expected):
    replica.misbehave(fault)

    with pytest.raises(expected):
        currency(replica)


def versions(replica):
    asked = source(replica)
    with fetcher(asked) as client:
        return ELAWS.accept_versions(client.get(ELAWS.versions_address(asked, SPEC)), SPEC)


def test_the_versions_lie_three_hits_deep(replica):
    """T14."""
    found = versions(replica)

    assert [version.number for version in found] == [0, 2, 1]
    assert found[0].date_from == "2026-03-02"
    assert found[1].date_to == "2026-03-01"


def test_versions_one_level_higher_are_a_changed_shape(replica):
    """T14: read one level short, the list looks empty; here the missing level is named."""
    replica.misbehave(Fault.TWO_HITS)

    with pytest.raises(errors.ShapeChanged, match=r"versions\.hits\.hits"):
        versions(replica)


def test_no_versions_are_an_outage(replica):
    """T14: zero versions never mean that nothing changed."""
    replica.misbehave(Fault.NO_VERSIONS)

    with pytest.raises(errors.SourceUnreachable, match="no versions"):
        versions(replica)


def answer(replica):
    asked = source(replica)
    with fetcher(asked) as client:
        return client.get(ELAWS.versions_address(asked, SPEC))


@pytest.mark.parametrize(
    ("change", "expected", "told"),
    [
        (lambda hits: hits["hits"].pop(), errors.BodyTruncated, "counts 3"),
        (lambda hits: hits.update(hits={}), errors.ShapeChanged, "a list was expected"),
        (
            lambda hits: hits["hits"][0]["_source"].update(title="x"),
            errors.ShapeChanged,
            "is a string where an object by language",
        ),
        (
            lambda hits: hits["hits"][0]["_source"]["state"].update(en="lost"),
            errors.ShapeChanged,
            "current or historical",
        ),
        (
            lambda hits: hits["hits"][0]["_source"]["dateFrom"].update(en="lately"),
            errors.ShapeChanged,
            "'lately'",
        ),
        (
            lambda hits: hits["hits"][1]["_source"]["alias"].update(en="statute"),
            errors.WrongDocument,
            "'statute'",
        ),
        (
            lambda hits: hits["hits"][1]["_source"]["alias"].update(en="statute/26f92/v1"),
            errors.WrongDocument,
            "26f92",
        ),
    ],
)
def test_a_list_of_versions_that_is_partial_or_strange_is_refused(replica, change, expected, told):
    """T14, T30."""
    found = answer(replica)
    body = json.loads(found.body)
    change(body["aggregations"]["all"]["versions"]["hits"]["hits"])

    with pytest.raises(expected, match=told):
        ELAWS.accept_versions(dataclasses.replace(found, body=json.dumps(body).encode()), SPEC)
