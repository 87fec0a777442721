"""How the replica misbehaves: what a fault makes of a true answer, in the text or on the wire."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import StrEnum
from typing import Any

from tests.replica.law import Law

SHELL = (
    "<!doctype html><html><head><title>e-Laws</title></head><body><div id='root'></div><noscript>"
    "e-Laws needs JavaScript to function properly.</noscript></body></html>"
)
FIREWALL = (
    "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected."
    " Please consult with your administrator. Your support ID is: 42</body></html>"
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


class Fault(StrEnum):
    """How to misbehave."""

    # On the wire.
    RESET = "reset before any answer"
    RESET_MID_BODY = "reset in the middle of the body"
    SILENT = "accepts and never answers"
    DRIP_HEADERS = "headers, one byte at a time, for ever"
    DRIP_BODY = "body, one byte at a time, for ever"
    CUT_LENGTH = "body shorter than Content-Length"
    CUT_CHUNKED = "chunked body without its last chunk"
    CUT_CLOSE = "close-delimited body that stops early"
    NOT_HTTP = "no HTTP at all"
    # In HTTP.
    FORBIDDEN = "403"
    NOT_FOUND = "404"
    TOO_MANY_SECONDS = "429 with seconds"
    TOO_MANY_DATE = "429 with a date"
    TOO_MANY_DAY = "429 for a day"
    SERVER_ERROR = "500"
    UNAVAILABLE = "503"
    CHALLENGE = "202 with a robot check"
    NOT_ASKED_304 = "304 to an unconditional request"
    REDIRECT_OFF_HOST = "redirect to another host"
    REDIRECT_DOWN = "redirect to plain http on a known host"
    REDIRECT_LOOP = "redirect to itself"
    REDIRECT_NOWHERE = "redirect without Location"
    REDIRECT_FILE = "redirect to a file address"
    REDIRECT_ONCE = "redirect to the right address"
    GZIP_CUT = "gzip without its end, framed as whole"
    GZIP_BOMB = "gzip that unpacks a thousandfold"
    GZIP_TRAILING = "bytes after the end of the gzip stream"
    GZIP_NONSENSE = "bytes that are not gzip, called gzip"
    BROTLI = "an encoding that was not asked for"
    HUGE = "200 MB, streamed"
    HUGE_ANNOUNCED = "200 MB, announced"
    # In the text.
    SHELL = "the JavaScript shell with 200"
    FIREWALL = "a firewall page with 200"
    EMPTY = "an empty body with 200"
    OTHER_SHAPE = "JSON of another shape"
    SEARCH_SHAPE = "the shape of the search endpoints"
    HTML_FOR_JSON = "the page instead of the payload"
    TEXT_FOR_JSON = "the payload as text/plain"
    LATIN_1 = "the payload in another character set"
    MOJIBAKE = "a payload decoded wrongly before it was sent"
    OTHER_LAW = "another law"
    HISTORICAL = "a historical version"
    OTHER_LANGUAGE = "the other language"
    NO_PROVISIONS = "an empty law"
    PLACEHOLDERS = "placeholders instead of law"
    OLDER = "an older consolidation"
    HALF = "half the sections gone"
    NO_VERSIONS = "no versions"
    TWO_HITS = "versions one level of hits too high"


@dataclass(frozen=True)
class Resource:
    """One answer before it is framed."""

    status: int
    body: bytes = b""
    media: str = "application/json; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


def versions(law: Law, language: str = "en") -> dict[str, Any]:
    """The three ``hits`` levels of ``act-versions``."""
    alias = f"{law.kind}/{law.code}"

    def source(suffix: str, state: str, start: str, number: int, end: str = "") -> dict[str, Any]:
        found: dict[str, Any] = {
            "act": {language: law.title},
            "alias": {language: alias + suffix},
            "state": {language: state},
            "title": {language: f"{law.title}, {law.number}"},
            "dateFrom": {language: f"{start}T05:00:00.000Z"},
            "version": number,
        }
        if end:
            found["dateTo"] = {language: f"{end}T05:00:00.000Z"}
        return {"_source": found}

    hits = [
        source("", "current", law.consolidated_from, 0),
        source("/v2", "historical", "2026-01-05", 2, "2026-03-01"),
        source("/v1", "historical", "2025-12-01", 1, "2026-01-04"),
    ]
    inner = {"hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits}}
    return {"aggregations": {"all": {"doc_count": 9, "versions": {"doc_count": 3, "hits": inner}}}}


def spoiled(fault: Fault, true: Resource, here: str) -> Resource:
    """The answer that a fault makes of a true one."""
    page = "text/html; charset=utf-8"
    now = datetime.now(UTC)
    plain: dict[Fault, Callable[[], Resource]] = {
        Fault.FORBIDDEN: lambda: Resource(403, b"<html>Forbidden</html>", page),
        Fault.NOT_FOUND: lambda: Resource(404, b"<html>Not found</html>", page),
        Fault.TOO_MANY_SECONDS: lambda: Resource(429, headers={"retry-after": "7"}),
        Fault.TOO_MANY_DATE: lambda: Resource(
            429,
            headers={"retry-after": format_datetime(now + timedelta(seconds=30), usegmt=True)},
        ),
        Fault.TOO_MANY_DAY: lambda: Resource(429, headers={"retry-after": "86400"}),
        Fault.SERVER_ERROR: lambda: Resource(500, b"<html>oops</html>", page),
        Fault.UNAVAILABLE: lambda: Resource(503, b"<html>maintenance</html>", page),
        Fault.CHALLENGE: lambda: Resource(202, b"<html>awsWafCookieDomainList</html>", page),
        Fault.NOT_ASKED_304: lambda: Resource(304),
        Fault.REDIRECT_OFF_HOST: lambda: Resource(
            302, headers={"location": "https://elaws.example.net/laws/"}
        ),
        Fault.REDIRECT_DOWN: lambda: Resource(
            302, headers={"location": "http://www.ontario.ca/laws/"}
        ),
        Fault.REDIRECT_LOOP: lambda: Resource(302, headers={"location": here}),
        Fault.REDIRECT_NOWHERE: lambda: Resource(302),
        Fault.REDIRECT_FILE: lambda: Resource(302, headers={"location": "file:///etc/hostname"}),
        Fault.REDIRECT_ONCE: lambda: Resource(301, headers={"location": here + "?again"}),
        Fault.GZIP_CUT: lambda: _packed(gzip.compress(true.body)[:-40]),
        Fault.GZIP_BOMB: lambda: _packed(gzip.compress(bytes(20_000_000), 1)),
        Fault.GZIP_TRAILING: lambda: _packed(gzip.compress(true.body) + b"more"),
        Fault.GZIP_NONSENSE: lambda: _packed(true.body),
        Fault.BROTLI: lambda: _packed(true.body, "br"),
        Fault.HUGE: lambda: true,
        Fault.HUGE_ANNOUNCED: lambda: Resource(200, headers={"content-encoding": "identity"}),
        Fault.SHELL: lambda: Resource(200, SHELL.encode(), page),
        Fault.FIREWALL: lambda: Resource(200, FIREWALL.encode(), page),
        Fault.EMPTY: lambda: Resource(200, b"", true.media),
        Fault.OTHER_SHAPE: lambda: Resource(200, b'{"document": {"body": []}}'),
        Fault.HTML_FOR_JSON: lambda: Resource(200, b'<p class="section"><b>1 </b>Law.</p>', page),
        Fault.TEXT_FOR_JSON: lambda: Resource(200, true.body, "text/plain"),
        Fault.LATIN_1: lambda: Resource(
            200, true.body.replace(b"Lamp duty", b"Lamp d\xfbty"), true.media
        ),
        Fault.MOJIBAKE: lambda: Resource(
            200, true.body.replace(b"Lamp duty", "Lamp dÃ»ty".encode()), true.media
        ),
        Fault.NO_VERSIONS: lambda: Resource(200, as_json(_without_versions())),
        Fault.TWO_HITS: lambda: Resource(200, as_json(_two_hits(json.loads(true.body)))),
    }
    if fault in plain:
        return plain[fault]()
    return Resource(200, as_json(_respoken(fault, json.loads(true.body))))


def _respoken(fault: Fault, payload: dict[str, Any]) -> dict[str, Any]:
    content = payload["content"]
    changes: dict[Fault, dict[str, Any]] = {
        Fault.SEARCH_SHAPE: {"title": {"en": payload["title"]}},
        Fault.OTHER_LAW: {
            "alias": "statute/26f92",
            "title": "Ferry Tolls Act, 2026, S.O. 2026, c. 92",
        },
        Fault.HISTORICAL: {"state": "historical"},
        Fault.OTHER_LANGUAGE: {"docSource": payload["docSource"].replace("_e.", "_f.")},
        Fault.NO_PROVISIONS: {
            "content": '<div class="WordSection1"><p class="MsoNormal"></p></div>'
        },
        Fault.PLACEHOLDERS: {"content": '<p class="section">[Provision text from e-Laws]</p>'},
        Fault.OLDER: {"dateFrom": "2025-11-03T05:00:00.000Z"},
        Fault.HALF: {"content": content[: len(content) // 2] + "</p></div>"},
    }
    return payload | changes[fault]


def _without_versions() -> dict[str, Any]:
    inner = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}
    return {"aggregations": {"all": {"doc_count": 9, "versions": {"doc_count": 0, "hits": inner}}}}


def _two_hits(answer: dict[str, Any]) -> dict[str, Any]:
    level = answer["aggregations"]["all"]["versions"]
    level["hits"] = level["hits"]["hits"]
    return answer


def _packed(body: bytes, name: str = "gzip") -> Resource:
    return Resource(200, body, headers={"content-encoding": name})


def as_json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


_Wire = Iterator[bytes | float | None]
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def _reset(_: bytes) -> _Wire:
    yield None


def _reset_mid_body(body: bytes) -> _Wire:
    yield _OK + b"Content-Length: %d\r\n\r\n" % len(body) + body[: len(body) // 2]
    yield 0.05
    yield None


def _silent(_: bytes) -> _Wire:
    for _step in range(600):
        yield 0.05


def _drip_headers(_: bytes) -> _Wire:
    yield b"HTTP/1.1 200 OK\r\nX-Slow: "
    for _step in range(600):
        yield 0.05
        yield b"a"


def _drip_body(_: bytes) -> _Wire:
    yield _OK + b"\r\n"
    for _step in range(600):
        yield 0.05
        yield b" "


def _cut_length(body: bytes) -> _Wire:
    yield _OK + b"Content-Length: %d\r\n\r\n" % len(body) + body[: len(body) // 2]


def _cut_chunked(body: bytes) -> _Wire:
    yield _OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n"


def _cut_close(body: bytes) -> _Wire:
    yield _OK + b"\r\n" + body[: len(body) // 2]


def _not_http(_: bytes) -> _Wire:
    yield b"220 mail.example ESMTP ready\r\n"


WIRE: dict[Fault, Callable[[bytes], _Wire]] = {
    Fault.RESET: _reset,
    Fault.RESET_MID_BODY: _reset_mid_body,
    Fault.SILENT: _silent,
    Fault.DRIP_HEADERS: _drip_headers,
    Fault.DRIP_BODY: _drip_body,
    Fault.CUT_LENGTH: _cut_length,
    Fault.CUT_CHUNKED: _cut_chunked,
    Fault.CUT_CLOSE: _cut_close,
    Fault.NOT_HTTP: _not_http,
}
