"""The bounds by themselves: buckets, clients, hosts."""

from __future__ import annotations

import pytest

from corpusguard.serve.limits import RateLimit, host_of, is_loopback


def test_a_minute_may_be_used_at_once_and_is_refilled_evenly():
    """After it is used up, the wait is what one request takes to come back."""
    limit = RateLimit(60)
    assert [limit.wait("10.0.0.1", 100.0) for _ in range(60)] == [0.0] * 60
    assert limit.wait("10.0.0.1", 100.0) == pytest.approx(1.0)
    assert limit.wait("10.0.0.1", 100.5) == pytest.approx(0.5)
    assert limit.wait("10.0.0.1", 101.01) == 0.0
    assert limit.wait("10.0.0.1", 101.01) > 0.9
    assert [limit.wait("10.0.0.1", 1000.0) for _ in range(61)][-1] > 0


def test_each_client_has_its_own_and_an_ipv6_network_is_one():
    """One that uses another address of its /64 is the same client."""
    limit = RateLimit(1)
    for client in ("10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8:0:1::1", "fe80::1%eth0", ""):
        assert limit.wait(client, 0.0) == 0.0
    for client in ("10.0.0.1", "2001:db8::ffff:2", "fe80::2%eth1", ""):
        assert limit.wait(client, 0.0) > 0.0


def test_clients_are_forgotten_when_there_are_too_many():
    """The memory of it is bounded, whoever asks."""
    limit = RateLimit(10)
    for number in range(30_000):
        limit.wait(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0.0)
    assert len(limit._clients) == 10_000


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost", "LocalHost."])
def test_loopback(host):
    """This machine alone."""
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "localhost.example", "", "127.1"])  # noqa: S104
def test_not_loopback(host):
    """Others, all of them, or not sure."""
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("a.example:80", "a.example"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("a", "a"),
        ("a:b", ""), ("[::1", ""), ("[::1]x", ""), ("a:1:2", "a:1:2"), ("a:١", ""),
    ],
)  # fmt: skip
def test_the_name_in_a_host_header(header, name):
    """Without its port; nothing where it is malformed."""
    assert host_of(header) == name
