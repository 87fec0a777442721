"""What a run does, in that order: fetch, accept, store."""

from __future__ import annotations

import pytest

from corpusguard.errors import SourceError
from corpusguard.fetch import Fetcher
from corpusguard.model import DocumentSpec, Snapshot, SourceSpec
from corpusguard.official import OntarioELaws
from tests.replica.law import lighthouse_act

LAW = lighthouse_act()
SPEC = DocumentSpec(LAW.id, LAW.title, LAW.number)
ELAWS = OntarioELaws()


def source(replica, **changes) -> SourceSpec:
    facts = {
        "path": "test.toml",
        "publisher": "ontario-elaws",
        "base_url": replica.base_url,
        "documents": (SPEC,),
        "min_delay_seconds": 0.0,
        "read_timeout_seconds": 60.0,
        "attempts": 2,
    }
    return SourceSpec(**{**facts, **changes})


class Sleeps(list):
    """Records waits instead of waiting."""

    def __call__(self, seconds):
        self.append(seconds)


def fetcher(spec: SourceSpec, **changes) -> Fetcher:
    return Fetcher(spec, backoff_seconds=0.001, **changes)


def capture(
    replica, store, *, spec=SPEC, previous: Snapshot | None = None, earlier=b"", **changes
) -> Snapshot:
    """Fetch, accept, store: what a run does, in that order."""
    asked = source(replica, **changes)
    with fetcher(asked, sleep=Sleeps()) as client:
        for url in ELAWS.document_addresses(asked, spec):
            answer = client.get(url)
            if not ELAWS.is_absent(answer):
                break
        accepted = ELAWS.accept(answer, spec, previous, earlier=earlier)
    return store.add(
        accepted.data,
        document=spec.id,
        rendition=accepted.rendition,
        url=url,
        identity=accepted.identity,
        captured=answer.finished,
        etag=answer.etag,
        last_modified=answer.last_modified,
        extra=answer.evidence(),
    )


def refused(replica, store, expected: type[SourceError], rule: str, **changes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        capture(replica, store, **changes)

    assert type(caught.value) is expected, caught.value
    assert rule == caught.value.rule
    assert caught.value.hint
    assert not list(store.root.rglob("*.json"))
    return caught.value
