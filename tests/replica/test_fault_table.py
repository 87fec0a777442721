"""Every fault of a source, met by a whole night of the service after a good one.

Each row asserts the exit code, the verdict, the rule, that history still knows the night before as
the last good one, and that the snapshots are, file for file, what they were.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from corpusguard.config import load_config
from corpusguard.fetch import Fetcher
from corpusguard.history import History
from corpusguard.model import Verdict
from corpusguard.service import Service
from tests.ports import refusing_port
from tests.replica.capture import LAW, Sleeps
from tests.replica.replica import Fault
from tests.replica.test_nights import SOURCE, Nights

TEXT = "doc-search"


@pytest.fixture
def nights(tmp_path, replica):
    made = Tabled(tmp_path, replica)
    made.ingest()
    return made


class Tabled(Nights):
    """Nights that sleep without passing time."""

    def __init__(self, folder, replica):
        super().__init__(folder, replica)
        self.sleeps = Sleeps()
        self.source()

    def source(self, base_url="", **settings):
        text = SOURCE.format(
            base_url=base_url or self.replica.base_url,
            id=LAW.id,
            title=LAW.title,
            code=LAW.number,
        )
        head, table, documents = text.partition("[[document]]")
        kept = [line for line in head.splitlines() if line.partition(" ")[0] not in settings]
        kept += [f"{name} = {value}" for name, value in settings.items()]
        (self.folder / "lights.toml").write_text("\n".join(kept) + "\n" + table + documents)

    def service(self):
        return Service(
            load_config(self.folder / "corpusguard.toml"),
            make_fetcher=lambda spec: Fetcher(spec, backoff_seconds=0.001, sleep=self.sleeps),
        )

    def files(self):
        store = self.service().store.root
        return {
            path.relative_to(store): path.read_bytes()
            for path in store.rglob("*")
            if path.is_file() and path.parent.name != "requests"
        }

    def last_good(self):
        with History.open(self.folder / "history.db") as history:
            return history.last_good(LAW.id, "lights").run, history.problems()

    def verified(self):
        with History.open(self.folder / "history.db") as history:
            known = history.verified_passages(LAW.id, "lights")
        return {key: (one.digest, one.since_run, one.current) for key, one in known.items()}


@dataclass(frozen=True)
class Row:
    """One row: what goes wrong where, and the rule that says so."""

    fault: Fault
    rule: str
    part: str = TEXT


ROWS = {
    "reset before any answer": Row(Fault.RESET, "CG501"),
    "reset mid-body": Row(Fault.RESET_MID_BODY, "CG506"),
    "timeout": Row(Fault.SILENT, "CG501"),
    "403": Row(Fault.FORBIDDEN, "CG501"),
    "404": Row(Fault.NOT_FOUND, "CG501"),
    "429 with seconds": Row(Fault.TOO_MANY_SECONDS, "CG501"),
    "429 with a date": Row(Fault.TOO_MANY_DATE, "CG501"),
    "429 for a day": Row(Fault.TOO_MANY_DAY, "CG501"),
    "500 for ever": Row(Fault.SERVER_ERROR, "CG501"),
    "503 for ever": Row(Fault.UNAVAILABLE, "CG501"),
    "503 everywhere": Row(Fault.UNAVAILABLE, "CG501", ""),
    "202 with a robot check": Row(Fault.CHALLENGE, "CG501"),
    "redirect off-host": Row(Fault.REDIRECT_OFF_HOST, "CG501"),
    "redirect loop": Row(Fault.REDIRECT_LOOP, "CG501"),
    "http downgrade": Row(Fault.REDIRECT_DOWN, "CG501"),
    "shell with 200": Row(Fault.SHELL, "CG503"),
    "shell everywhere": Row(Fault.SHELL, "CG503", ""),
    "firewall page with 200": Row(Fault.FIREWALL, "CG503"),
    "empty body": Row(Fault.EMPTY, "CG503"),
    "JSON of another shape": Row(Fault.OTHER_SHAPE, "CG504"),
    "HTML for JSON": Row(Fault.HTML_FOR_JSON, "CG503"),
    "truncated gzip in correct framing": Row(Fault.GZIP_CUT, "CG506"),
    "cut below Content-Length": Row(Fault.CUT_LENGTH, "CG506"),
    "cut chunked": Row(Fault.CUT_CHUNKED, "CG506"),
    "cut close-delimited": Row(Fault.CUT_CLOSE, "CG506"),
    "gzip bomb": Row(Fault.GZIP_BOMB, "CG507"),
    "200 MB body": Row(Fault.HUGE, "CG507"),
    "200 MB announced": Row(Fault.HUGE_ANNOUNCED, "CG507"),
    "wrong charset": Row(Fault.LATIN_1, "CG511"),
    "decoded wrongly before it was sent": Row(Fault.MOJIBAKE, "CG511"),
    "other law": Row(Fault.OTHER_LAW, "CG502"),
    "older consolidation than the last": Row(Fault.OLDER, "CG509"),
    "half the sections gone": Row(Fault.HALF, "CG506"),
    "endless slow drip of headers": Row(Fault.DRIP_HEADERS, "CG501"),
    "endless slow drip of the body": Row(Fault.DRIP_BODY, "CG501"),
    "no HTTP at all": Row(Fault.NOT_HTTP, "CG501"),
}

SLOW = {Fault.SILENT, Fault.DRIP_HEADERS, Fault.DRIP_BODY}
"""What only a limit ends. All other nights have time: a busy machine is no fault of a source."""


def unverified(nights, rule):
    """A bad night after a good one; returns the result after asserting all that must hold."""
    good, code = nights.night()
    assert (good.verdict, code) == (Verdict.VERIFIED, 0)
    return after(nights, good.run, rule)


def after(nights, good, rule):
    known, files = nights.verified(), nights.files()

    result, code = nights.night(refetch=True)

    document = result.documents[0]
    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert rule in {finding.rule for finding in document.findings}
    assert document.verified_passages == 0
    assert set(document.layers.values()) == {Verdict.UNVERIFIABLE}
    assert nights.last_good() == (good, [])
    assert nights.verified() == known
    assert nights.files() == files
    return result


def test_the_good_night_of_the_table_verifies(nights):
    """Without a fault the same night is verified, so that no row passes for another reason."""
    nights.night()

    result, code = nights.night(refetch=True)

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)


@pytest.mark.parametrize("name", ROWS)
def test_a_fault_is_never_verified_and_destroys_nothing(nights, name):
    row = ROWS[name]
    good, _ = nights.night()
    nights.replica.etags = False  # a fault that answers a conditional request with 304 is none
    if row.fault in {Fault.HUGE, Fault.HUGE_ANNOUNCED}:
        nights.source(max_wire_bytes=3_000_000, max_decoded_bytes=3_000_000)
    if row.fault is Fault.REDIRECT_DOWN:
        nights.source(hosts='["www.ontario.ca"]')
    if row.fault in SLOW:
        nights.source(read_timeout_seconds=0.5, total_timeout_seconds=1.0)
    nights.replica.misbehave(row.fault, part=row.part)

    after(nights, good.run, row.rule)

    nights.replica.behave()
    if row.fault in SLOW:
        nights.source()
    healed, code = nights.night()
    assert (healed.verdict, code) == (Verdict.VERIFIED, 0)
    assert not healed.documents[0].not_refetched, "what went wrong is fetched again at once"
    assert nights.last_good()[0] == healed.run


def test_a_refused_connection(nights):
    nights.night()
    good = nights.last_good()[0]
    with refusing_port() as port:
        nights.source(base_url=f"http://127.0.0.1:{port}")

        after(nights, good, "CG501")


def test_a_name_that_does_not_resolve(nights, monkeypatch):
    nights.night()
    good = nights.last_good()[0]

    def fail(*_args, **_kwargs):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)

    after(nights, good, "CG501")


def test_500_then_good_is_verified(nights):
    """The one row that ends verified."""
    nights.night()
    nights.replica.misbehave(Fault.SERVER_ERROR, times=1, part=TEXT)

    result, code = nights.night(refetch=True)

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
    assert nights.last_good()[0] == result.run


@pytest.mark.parametrize(
    ("fault", "low", "high"),
    [(Fault.TOO_MANY_SECONDS, 6, 7), (Fault.TOO_MANY_DATE, 28, 32)],
)
def test_429_is_waited_for_as_it_asks(nights, fault, low, high):
    nights.night()
    nights.replica.misbehave(fault, times=1, part=TEXT)

    result, code = nights.night(refetch=True)

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
    assert any(low <= wait <= high for wait in nights.sleeps)


def test_a_frozen_currency_date_is_never_verified(nights):
    """A source that stopped consolidating may be equal and still weeks behind the law."""
    nights.night()
    good, known = nights.last_good()[0], nights.verified()
    old = datetime.now(UTC) - timedelta(days=15)
    nights.replica.currency = f"{old:%B} {old.day}, {old.year}\n"
    nights.source(frozen_after_days=14)

    result, code = nights.night(refetch=True)

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert [f.rule for f in result.documents[0].findings] == ["CG505"]
    assert nights.last_good() == (good, [])
    # The text itself was compared, and agrees: its baseline stays, nothing is new or gone.
    assert nights.verified() == known
    assert nights.service().store.verify() == ()


@pytest.mark.parametrize("fault", [Fault.NO_VERSIONS, Fault.TWO_HITS, Fault.UNAVAILABLE])
def test_an_outage_of_the_list_of_versions_never_means_no_change(nights, fault):
    """T14: the currency date moved and the list is empty, so the text itself is fetched."""
    nights.night()
    nights.replica.days_on()
    nights.replica.misbehave(fault, part="act-versions")
    nights.replica.requests.clear()

    result, _ = nights.night()

    assert any("doc-search" in seen.path for seen in nights.replica.requests)
    assert not result.documents[0].not_refetched
    assert any("list of versions" in f.message for f in result.documents[0].findings)
