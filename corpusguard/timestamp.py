"""RFC 3161 timestamps: a witness outside signs that a head existed at a time.

What is stamped is the run's record, hashed with SHA-256, so the token's message imprint *is* the
head, and ``openssl ts -verify -digest HEAD -in TOKEN -CAfile ROOTS`` checks it without corpusguard.

This module alone asks timestamp authorities. Plain http is allowed: the answer is signed, and what
is sent is a digest. The libraries come with the extra ``timestamp``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import httpx

from corpusguard import __version__
from corpusguard.errors import ConfigError, HistoryBroken, StorageError

if TYPE_CHECKING:
    from types import ModuleType

    from rfc3161_client import TimeStampResponse

MAX_TOKEN_BYTES: Final = 100_000
"""A token with a chain of certificates has some 5 kB."""
TIMEOUT_SECONDS: Final = 30.0
"""For the whole answer."""
_SHA256: Final = "2.16.840.1.101.3.4.2.1"
_LATER: Final = "try again later, or name another authority; what history holds is intact"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a token says."""

    head: str
    """``sha256:…`` of the record that was stamped."""
    time: str
    """When, by the authority's clock: UTC, ISO 8601, ``Z``."""


def stamp(url: str, record: bytes, roots: bytes, *, timeout: float = TIMEOUT_SECONDS) -> bytes:
    """Have a record stamped, and return the answer as the authority sent it (DER).

    Args:
        url: Address of the authority, http or https.
        record: Canonical bytes of the record. Only its digest is sent.
        roots: Certificates (PEM) that the authority's chain must lead to.
        timeout: Seconds until the whole answer must be here.

    Raises:
        ConfigError: The extra is not installed, or the address or the certificates are none.
        StorageError: No usable token came: nothing was put outside.
    """
    rfc3161 = _library()
    if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
        raise ConfigError(
            f"{url[:80]!r} is not the address of a timestamp authority",
            hint="such as https://freetsa.org/tsr",
        )
    builder = rfc3161.TimestampRequestBuilder().data(record)
    query = builder.hash_algorithm(rfc3161.HashAlgorithm.SHA256).build()
    token = _ask(url, query.as_bytes(), timeout)
    try:
        answer = rfc3161.decode_timestamp_response(token)
        if answer.tst_info.nonce != query.nonce:
            raise ValueError("the answer is to another request")  # noqa: TRY301 - joined below
        _verify(answer, query.message_imprint.message, roots)
    except (ValueError, rfc3161.VerificationError) as error:
        raise StorageError(f"{url}: no usable token: {error}", hint=_LATER) from error
    return token


def read(token: bytes, roots: bytes) -> Stamp:
    """Check a token and return what it says.

    Args:
        token: What ``stamp`` returned.
        roots: Certificates (PEM) that the authority's chain must lead to.

    Raises:
        ConfigError: The extra is not installed, or the certificates are none.
        HistoryBroken: The token is none, or is not signed by such an authority.
    """
    rfc3161 = _library()
    try:
        answer = rfc3161.decode_timestamp_response(token)
        imprint = answer.tst_info.message_imprint
        if imprint.hash_algorithm.dotted_string != _SHA256:
            raise ValueError("it does not stamp a SHA-256")  # noqa: TRY301 - joined below
        _verify(answer, imprint.message, roots)
    except (ValueError, rfc3161.VerificationError) as error:
        raise HistoryBroken(
            f"the timestamp proves nothing: {error}",
            hint="give the token that `history anchor` wrote, and the roots of its authority",
        ) from error
    when = answer.tst_info.gen_time.astimezone(UTC)
    return Stamp(f"sha256:{imprint.message.hex()}", when.strftime("%Y-%m-%dT%H:%M:%SZ"))


def _verify(answer: TimeStampResponse, digest: bytes, roots: bytes) -> None:
    from cryptography.x509 import load_pem_x509_certificates  # noqa: PLC0415 - an extra
    from rfc3161_client import VerifierBuilder  # noqa: PLC0415 - an extra

    try:
        certificates = load_pem_x509_certificates(roots)
    except ValueError as error:
        raise ConfigError(
            f"the roots are not certificates in PEM form: {error}",
            hint="ask the authority for its CA certificate",
        ) from error
    VerifierBuilder(roots=certificates).build().verify(answer, digest)


def _ask(url: str, query: bytes, timeout: float) -> bytes:
    headers = {
        "Content-Type": "application/timestamp-query",
        "User-Agent": f"corpusguard/{__version__}",
        "Accept-Encoding": "identity",
    }
    ends = time.monotonic() + timeout
    body = bytearray()
    try:
        with httpx.stream("POST", url, content=query, headers=headers, timeout=timeout) as answer:
            kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            if answer.status_code != httpx.codes.OK or kind != "application/timestamp-reply":
                raise StorageError(
                    f"{url}: status {answer.status_code}, {kind[:60]!r}: not a timestamp",
                    hint=_LATER,
                )
            for part in answer.iter_raw():
                body += part
                # A drip keeps every single read short; only the whole has an end.
                if len(body) > MAX_TOKEN_BYTES or time.monotonic() > ends:
                    raise StorageError(f"{url}: the answer is too long or too slow", hint=_LATER)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StorageError(f"{url}: {error or type(error).__name__}", hint=_LATER) from error
    return bytes(body)


def _library() -> ModuleType:
    try:
        import rfc3161_client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigError(
            "timestamps need the extra `timestamp`",
            hint='pip install "corpusguard-law[timestamp]"',
        ) from error
    return rfc3161_client
