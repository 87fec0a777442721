"""``sources/*.toml``: a publisher, its limits, and the documents in scope."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from corpusguard.config.table import Table, nearest, read_toml
from corpusguard.errors import ConfigError
from corpusguard.model import DocumentSpec, SourceSpec

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Publisher:
    """What the configuration must know of a publisher to refuse a wrong address or id."""

    hosts: tuple[str, ...]
    """The only hosts that ``base_url`` may name."""
    document: re.Pattern[str]
    example: str


PUBLISHERS: Final = {
    "ontario-elaws": Publisher(
        hosts=("www.ontario.ca", "ontario.ca"),
        document=re.compile(r"ca-on/(?:statute|regulation)/[0-9a-z]{1,40}@(?:en|fr)"),
        example="ca-on/statute/06r17@en",
    ),
}
"""Publisher name -> facts. A new publisher adds a row here."""

_HOST: Final = re.compile(r"(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}")
_PATH_TEMPLATE: Final = re.compile(r"/(?!/)[A-Za-z0-9_.~%{}/-]{0,300}")
_MIN_POLITE_SECONDS: Final = 0.5


def is_document_id(value: str) -> bool:
    """Say whether ``value`` is a document id of any known publisher."""
    return any(known.document.fullmatch(value) for known in PUBLISHERS.values())


def load_source(path: Path, shown: str) -> SourceSpec:
    """Load one source file.

    Args:
        path: the file.
        shown: the path as the configuration writes it; kept in ``SourceSpec.path``.

    Raises:
        ConfigError: anything in the file is not as documented.
    """
    top = Table(read_toml(path), path, "top level")
    source = top.table("source")
    name = source.choice("publisher", tuple(PUBLISHERS))
    publisher = PUBLISHERS[name]
    base_url, is_local = _base_url(source, publisher)
    defaults = SourceSpec(path="", publisher="", base_url="", documents=())
    spec = SourceSpec(
        path=shown,
        publisher=name,
        base_url=base_url,
        documents=_documents(top, name, publisher),
        # A publisher's server is not ours to hurry; one's own mirror is.
        min_delay_seconds=source.number(
            "min_delay_seconds",
            defaults.min_delay_seconds,
            0 if is_local else _MIN_POLITE_SECONDS,
            3600,
        ),
        hosts=_hosts(source),
        max_wire_bytes=source.integer("max_wire_bytes", defaults.max_wire_bytes, 1_000, 2**31),
        max_decoded_bytes=source.integer(
            "max_decoded_bytes", defaults.max_decoded_bytes, 1_000, 2**31
        ),
        max_ratio=source.number("max_ratio", defaults.max_ratio, 1, 1_100),
        connect_timeout_seconds=source.number(
            "connect_timeout_seconds", defaults.connect_timeout_seconds, 0.01, 600
        ),
        read_timeout_seconds=source.number(
            "read_timeout_seconds", defaults.read_timeout_seconds, 0.01, 600
        ),
        total_timeout_seconds=source.number(
            "total_timeout_seconds", defaults.total_timeout_seconds, 0.01, 7_200
        ),
        attempts=source.integer("attempts", defaults.attempts, 1, 10),
        daily_request_budget=source.integer(
            "daily_request_budget", defaults.daily_request_budget, 1, 1_000_000
        ),
        user_agent_contact=_contact(source),
        paths=_paths(source),
        licence=source.text("licence", ""),
        acknowledgement=source.text("acknowledgement", ""),
        frozen_after_days=source.integer("frozen_after_days", defaults.frozen_after_days, 1, 3_650),
        refetch_share=source.number("refetch_share", defaults.refetch_share, 0.01, 1),
        refetch_within_seconds=source.duration("refetch_within", "7d", 366 * 86_400),
    )
    source.done()
    top.done()
    return spec


def _documents(top: Table, name: str, publisher: Publisher) -> tuple[DocumentSpec, ...]:
    found: dict[str, DocumentSpec] = {}
    for table in top.tables("document"):
        identifier = table.text("id")
        if not publisher.document.fullmatch(identifier):
            raise table.fail("id", identifier, f"a document id such as {publisher.example}")
        if identifier in found:
            raise table.fail("id", identifier, "each document once")
        found[identifier] = DocumentSpec(
            id=identifier,
            title=table.text("title"),
            code=table.text("code", ""),
            publisher=name,
            second_rendition=table.choice("second_rendition", ("", "docx", "pdf"), ""),
        )
        table.done()
    if not found:
        raise ConfigError(
            f"{top.file}: no document is listed",
            hint=f'Add `[[document]]` with `id = "{publisher.example}"` and a `title`.',
        )
    return tuple(found.values())


def _base_url(source: Table, publisher: Publisher) -> tuple[str, bool]:
    """Check ``base_url``; return it without a trailing slash, and whether it is a loopback."""
    value = source.text("base_url")
    expected = (
        f"https on {' or '.join(publisher.hosts)}, or http on a loopback address, without "
        "user, query or fragment"
    )
    try:
        parts = urlsplit(value)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise source.fail("base_url", value, expected) from error
    plain = (
        value.isascii()
        and not re.search(r"[\s\\?#@]", value)
        and ".." not in parts.path
        and "//" not in parts.path
    )
    is_local = parts.scheme == "http" and _is_loopback(host)
    is_official = parts.scheme == "https" and host in publisher.hosts and port in {None, 443}
    if not plain or not (is_local or is_official):
        raise source.fail("base_url", value, expected, nearest(host, publisher.hosts))
    return value.rstrip("/"), is_local


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _hosts(source: Table) -> tuple[str, ...]:
    hosts = source.texts("hosts")
    for host in hosts:
        if not _HOST.fullmatch(host) and not _is_loopback(host):
            raise source.fail("hosts", host, "host names in lower case, without scheme or port")
    return hosts


def _contact(source: Table) -> str:
    contact = source.text("user_agent_contact", "", expand=True)
    # It is sent in a header: a line break would add a header of its own.
    if not (contact.isascii() and contact.isprintable() and len(contact) <= 200):
        raise source.fail(
            "user_agent_contact",
            "(not shown)",
            "at most 200 printable ASCII characters, such as an e-mail address",
        )
    return contact


def _paths(source: Table) -> dict[str, str]:
    paths = source.mapping("paths")
    for name, template in paths.items():
        # Several candidates may stand in a row. "//host/…" and "/../" would leave the host or the
        # folder that base_url names.
        candidates = template.split(" ")
        if ".." in template or not all(map(_PATH_TEMPLATE.fullmatch, candidates)):
            raise source.fail(
                f"paths.{name}", template, "paths that begin with one slash, one space between"
            )
    return paths
