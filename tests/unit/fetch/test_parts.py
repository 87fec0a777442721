"""The parts of the fetcher that need no network."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusguard import errors
from corpusguard.fetch import Fetcher
from corpusguard.fetch.addresses import Allowed
from corpusguard.fetch.body import Body
from corpusguard.fetch.politeness import Politeness, retry_after_seconds
from corpusguard.model import SourceSpec

NOW = datetime(2026, 3, 9, 3, 0, tzinfo=UTC)


def source(base="https://www.ontario.ca", **changes) -> SourceSpec:
    return SourceSpec("s.toml", "ontario-elaws", base, (), **changes)


def body(encoding="gzip", wire=1_000_000, decoded=5_000_000, ratio=60.0) -> Body:
    return Body(encoding, max_wire=wire, max_decoded=decoded, max_ratio=ratio)


@given(st.binary(max_size=3_000), st.integers(1, 200), st.booleans())
def test_any_body_in_any_chunks_comes_out_as_it_went_in(data, size, packed):
    sent = gzip.compress(data, mtime=0) if packed else data
    found = body("gzip" if packed else "")

    for start in range(0, len(sent), size):
        found.feed(sent[start : start + size])

    assert found.finish() == data
    assert found.wire == len(sent)


@given(st.binary(min_size=1, max_size=500), st.data())
def test_a_gzip_body_cut_anywhere_is_truncated(data, draw):
    sent = gzip.compress(data, mtime=0)
    found = body()
    found.feed(sent[: draw.draw(st.integers(1, len(sent) - 1))])

    with pytest.raises(errors.BodyTruncated):
        found.finish()


def test_a_bomb_is_stopped_before_it_fills_the_memory():
    """One chunk of 100 kB would unpack to 100 MB; never more than the allowance comes out."""
    found = body(decoded=120_000_000)
    bomb = gzip.compress(bytes(100_000_000), 9)

    with pytest.raises(errors.Unreadable, match="bomb"):
        found.feed(bomb)

    assert len(found._out) <= 60 * len(bomb) + 1


def test_a_small_page_of_blanks_is_no_bomb():
    found = body()
    found.feed(gzip.compress(b" " * 900_000, mtime=0))

    assert len(found.finish()) == 900_000


@pytest.mark.parametrize(
    ("sent", "limits", "told"),
    [
        (b"x" * 11, {"encoding": "", "wire": 10}, "exceeds 10"),
        (b"x" * 11, {"encoding": "", "decoded": 10}, "more than 10"),
        (gzip.compress(b"x" * 11, mtime=0), {"decoded": 10}, "more than 10"),
        (gzip.compress(b"a", mtime=0) + gzip.compress(b"b", mtime=0), {}, "follow the end"),
        (zlib.compress(b"a"), {}, "not gzip"),
    ],
)
def test_limits_and_nonsense_are_unreadable(sent, limits, told):
    with pytest.raises(errors.Unreadable, match=told):
        body(**limits).feed(sent)


def test_a_second_chunk_after_the_end_of_the_stream_is_seen():
    found = body()
    found.feed(gzip.compress(b"law", mtime=0))

    with pytest.raises(errors.Unreadable, match="follow the end"):
        found.feed(b"more")


def test_an_encoding_that_was_not_asked_for_is_refused():
    with pytest.raises(errors.Unreadable, match="br"):
        body("br")


HTTP = "Mon, 09 Mar 2026 03:00:00 GMT"


@pytest.mark.parametrize(
    ("value", "date", "expected"),
    [
        ("120", "", 120.0),
        ("0", "", 0.0),
        ("-5", "", 0.0),
        ("soon", "", 0.0),
        ("", "", 0.0),
        ("9" * 400, "", 999_999_999.0),
        ("Mon, 09 Mar 2026 03:00:40 GMT", "", 40.0),
        ("Mon, 09 Mar 2026 02:00:00 GMT", "", 0.0),
        ("Mon, 09 Mar 2026 03:10:40 GMT", "Mon, 09 Mar 2026 03:10:00 GMT", 40.0),
        ("Mon, 99 Mar 2026 03:10:40 GMT", "", 0.0),
        ("٣", "", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 -2300", "", 0.0),
        ("Mon, 01 Jan 0001 00:00:00 +2300", "", 0.0),
        ("Mon, 09 Mar 2026 03:00:40 GMT", "Fri, 31 Dec 9999 23:59:59 -2300", 40.0),
    ],
)
def test_retry_after_in_both_forms(value, date, expected):
    """A date counts from the server's own clock where it tells it."""
    assert retry_after_seconds(value, date, NOW) == expected


class Clock:
    """A clock that moves only when someone sleeps."""

    def __init__(self):
        self.seconds = 0.0
        self.slept = []

    def monotonic(self):
        return self.seconds

    def now(self):
        return NOW + timedelta(seconds=self.seconds)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.seconds += seconds


def politeness(clock, delay=1.0, budget=100) -> Politeness:
    return Politeness(delay, budget, now=clock.now, monotonic=clock.monotonic, sleep=clock.sleep)


def test_requests_to_one_host_keep_their_distance_and_hosts_do_not_wait_for_each_other():
    clock = Clock()
    polite = politeness(clock)

    for host in ("a", "b", "a", "b"):
        polite.before(host)

    assert clock.slept == [1.0]
    assert clock.seconds == 1.0


def test_the_daily_budget_ends_at_midnight_utc():
    clock = Clock()
    polite = politeness(clock, delay=0.0, budget=2)
    polite.before("a")
    polite.before("b")
    with pytest.raises(errors.SourceUnreachable, match="budget of 2"):
        polite.before("a")

    clock.seconds += 21 * 3600
    polite.before("a")


def test_retry_after_slows_the_whole_host():
    clock = Clock()
    polite = politeness(clock)
    polite.before("a")

    assert polite.asked_to_wait("a", 30)
    polite.before("b")
    assert clock.slept == []
    polite.before("a")

    assert clock.slept == [30.0]


def test_a_success_resets_the_breaker():
    clock = Clock()
    polite = politeness(clock, delay=0.0)
    for _ in range(3):
        polite.failed("a", "503")
    polite.succeeded("a")
    polite.failed("a", "503")
    polite.before("a")
    for _ in range(3):
        polite.failed("a", "503")

    with pytest.raises(errors.SourceUnreachable, match="503"):
        polite.before("a")


@pytest.mark.parametrize(
    "base",
    [
        "http://www.ontario.ca",
        "http://192.168.0.4",
        "ftp://127.0.0.1",
        "www.ontario.ca",
        "https://",
        "https://x:99999999",
        "",
    ],
)
def test_a_base_address_is_https_or_loopback(base):
    with pytest.raises(errors.ConfigError):
        Fetcher(source(base))


@pytest.mark.parametrize("base", ["http://127.0.0.1:80", "http://localhost", "http://[::1]:8080"])
def test_loopback_may_be_plain_http(base):
    assert Allowed(source(base)).loopback


@pytest.mark.parametrize("contact", ["a\r\nX-Evil: 1", "é", "x" * 201])
def test_a_contact_that_would_break_the_header_is_refused(contact):
    with pytest.raises(errors.ConfigError, match="contact"):
        Fetcher(source(user_agent_contact=contact))


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/laws/statute/06r17", "https://www.ontario.ca/laws/statute/06r17"),
        ("https://ontario.ca/x#part", "https://ontario.ca/x"),
        ("//ontario.ca/x", "https://ontario.ca/x"),
    ],
)
def test_redirects_within_the_hosts_are_followed(location, expected):
    allowed = Allowed(source(hosts=("ontario.ca",)))

    assert allowed.redirected("https://www.ontario.ca/a", location) == expected


@pytest.mark.parametrize(
    "location",
    [
        "",
        "http://www.ontario.ca/x",
        "https://evil.example/x",
        "https://www.ontario.ca.evil.example/x",
        "https://www.ontario.ca@evil.example/x",
        "https://user@www.ontario.ca/x",
        "https://www.ontario.ca:8443/x",
        "http://127.0.0.1/x",
        "http://169.254.169.254/latest",
        "file:///etc/hostname",
        "javascript:alert(1)",
        "https://[::1",
        "/" + "x" * 3_000,
    ],
)
def test_redirects_that_lead_away_or_down_are_refused(location):
    allowed = Allowed(source(hosts=("ontario.ca",)))

    with pytest.raises(errors.SourceUnreachable) as caught:
        allowed.redirected("https://www.ontario.ca/a", location)

    assert caught.value.hint


@pytest.mark.parametrize(
    "location",
    [
        "https://user:hunter2@evil.example/x",
        "//user:hunter2@evil.example/x",
        "https://evil.example/x?token=hunter2",
        "http://hunter2@127.0.0.1:9/x",
    ],
)
def test_what_a_redirect_gives_away_is_not_told(location):
    """The message is kept in history for ever, and goes into reports."""
    allowed = Allowed(source())

    with pytest.raises(errors.SourceUnreachable) as caught:
        allowed.redirected("https://www.ontario.ca/a", location)

    assert "hunter2" not in f"{caught.value}{caught.value.message}{caught.value.hint}"


def test_https_on_loopback_does_not_lead_down_to_http():
    allowed = Allowed(source("https://127.0.0.1:8443", hosts=("127.0.0.1:8080",)))

    with pytest.raises(errors.SourceUnreachable, match="down"):
        allowed.redirected("https://127.0.0.1:8443/a", "http://127.0.0.1:8080/a")


@pytest.mark.parametrize("host", ["https://ontario.ca", "a/b", ""])
def test_a_host_that_is_no_host_name_is_refused(host):
    with pytest.raises(errors.ConfigError):
        Allowed(source(hosts=(host,)))


def test_an_address_of_another_host_is_never_asked():
    with Fetcher(source()) as fetcher, pytest.raises(errors.ConfigError, match="not among"):
        fetcher.get("https://example.org/")
