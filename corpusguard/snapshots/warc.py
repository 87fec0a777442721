"""Snapshots as WARC, the format of web archives (ISO 28500), and back.

For each capture: a ``response`` (a ``resource`` for an import by hand) with the bytes, the
``request``, and a ``metadata`` record that holds the capture record, byte for byte; so an export
read back gives the same files. Bytes that were written before are named by a ``revisit``.

A response is stored unpacked, so what the answer said of packing and length is kept under other
names (``x-archive-orig-…``), and its digest is that of the snapshot.
"""

from __future__ import annotations

import base64
import hashlib
import io
import uuid
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from urllib.parse import urlsplit

from corpusguard import __version__
from corpusguard.errors import ConfigError, EvidenceMissing
from corpusguard.snapshots import records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corpusguard.model import Snapshot
    from corpusguard.snapshots.store import SnapshotStore

try:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter
except ImportError as error:  # an extra: most projects never export
    raise ConfigError(
        "WARC files need the library warcio",
        hint="pip install 'corpusguard-law[warc]'",
    ) from error

_UNREADABLE: Final = (
    *(ArchiveLoadFailed, EOFError, OSError, ValueError, zlib.error),
    *(AttributeError, IndexError, KeyError, TypeError),
)
"""What warcio ends with on archives of others; the last four are its own slips on odd records."""
MAX_PAYLOAD_BYTES: Final = 250_000_000
_RECORD: Final = "X-Corpusguard-Record"
_RENAMED: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_NOT_MODIFIED: Final = 304
_NAMESPACE: Final = uuid.UUID("8f0a4d8a-0d2c-5f3e-9c38-6c1f5d5f7b11")
_BROKEN: Final = "take another copy of the archive; `warcio check FILE` says where it is damaged"


def export(store: SnapshotStore, captures: Iterable[Snapshot], out: BinaryIO, *, pack: bool) -> int:
    """Write captures as WARC/1.1.

    Args:
        store: Where they lie.
        captures: Which, in the order in which to write them.
        out: Where to; the same captures give the same bytes.
        pack: Whether to gzip, record by record.

    Returns:
        How many were written.

    Raises:
        EvidenceMissing: Bytes or a record are gone or altered.
    """
    writer = WARCWriter(out, gzip=pack, warc_version="1.1")
    written: dict[str, Snapshot] = {}
    number = 0
    for number, snapshot in enumerate(captures, 1):
        if number == 1:
            writer.write_record(_info(writer, snapshot))
        for record in _capture(store, writer, snapshot, written):
            writer.write_record(record)
        written.setdefault(snapshot.digest, snapshot)
    return number


def restore(
    store: SnapshotStore, stream: BinaryIO, check: Callable[[Snapshot, bytes], None]
) -> list[Snapshot]:
    """Put back the captures of an export.

    Args:
        store: Where to; the caller holds the run lock.
        stream: The archive, packed or not.
        check: Raises if the bytes are not what their record says that they are.

    Returns:
        What is now in the store, in the order of the archive.

    Raises:
        EvidenceMissing: The archive is damaged, or no export of corpusguard.
        SourceError: ``check`` refused a capture; those before it are stored, and it is not.
    """
    found: list[Snapshot] = []
    last = b""
    try:
        for record in ArchiveIterator(stream):
            if record.rec_type in {"response", "resource"}:
                last = _payload(record)
            name = record.rec_headers.get_header(_RECORD)
            if record.rec_type != "metadata" or not name:
                continue
            raw = record.content_stream().read(records.MAX_RECORD_BYTES + 1)
            snapshot = records.snapshot_of(records.parse(raw, records.SCHEMA, name), name, name)
            data = last if _digest(last) == snapshot.digest else store.read(snapshot.digest)
            check(snapshot, data)
            found.append(store.restore(raw, data, name))
    except _UNREADABLE as error:
        raise EvidenceMissing(f"the archive cannot be read: {error}", hint=_BROKEN) from error
    if not found:
        raise EvidenceMissing(
            "the archive holds no capture of corpusguard",
            hint="import single files with `corpusguard snapshots add`",
        )
    return found


def _capture(
    store: SnapshotStore, writer: WARCWriter, snapshot: Snapshot, written: dict[str, Snapshot]
) -> Iterator[Any]:
    """Yield the records of one capture, the main one first."""
    raw = records.read_bytes(store.root / snapshot.record)
    said = records.parse(raw, records.SCHEMA, snapshot.record).get("extra")
    extra = said if isinstance(said, dict) else {}
    main = _identifier(snapshot, "main")
    about = {"WARC-Date": snapshot.captured, "WARC-Record-ID": main}
    payload = {**about, "WARC-Payload-Digest": _payload_digest(snapshot)}
    answer = _answer(extra, snapshot)
    before = written.get(snapshot.digest)
    if before is not None:
        yield writer.create_revisit_record(
            snapshot.url,
            _payload_digest(snapshot),
            before.url,
            before.captured,
            http_headers=answer,
            warc_headers_dict=about,
        )
    else:
        # What a 304 confirms came with another answer, so its bytes stand alone.
        fetched = answer is not None and extra.get("status") != _NOT_MODIFIED
        data = store.read(snapshot.digest)
        yield writer.create_warc_record(
            snapshot.url,
            "response" if fetched else "resource",
            payload=io.BytesIO(data),
            length=len(data),
            warc_content_type="" if fetched else "application/octet-stream",
            warc_headers_dict=payload,
            http_headers=answer if fetched else None,
        )
    if (request := _request(extra, snapshot)) is not None:
        yield writer.create_warc_record(
            snapshot.url,
            "request",
            warc_headers_dict={
                "WARC-Date": snapshot.captured,
                "WARC-Record-ID": _identifier(snapshot, "request"),
                "WARC-Concurrent-To": main,
            },
            http_headers=request,
        )
    yield writer.create_warc_record(
        snapshot.url,
        "metadata",
        payload=io.BytesIO(raw),
        length=len(raw),
        warc_content_type="application/json",
        warc_headers_dict={
            "WARC-Date": snapshot.captured,
            "WARC-Record-ID": _identifier(snapshot, "metadata"),
            "WARC-Concurrent-To": main,
            _RECORD: snapshot.record,
        },
    )


def _info(writer: WARCWriter, first: Snapshot) -> Any:  # noqa: ANN401, warcio is untyped
    """Return the first record; dated by the first capture, so that exports are reproducible."""
    text = f"software: corpusguard {__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    return writer.create_warc_record(
        "",
        "warcinfo",
        payload=io.BytesIO(text),
        length=len(text),
        warc_headers_dict={
            "WARC-Date": first.captured,
            "WARC-Record-ID": _identifier(first, "warcinfo"),
        },
    )


def _answer(extra: dict[str, Any], snapshot: Snapshot) -> Any:  # noqa: ANN401
    """Return the answer's head, or None for an import by hand."""
    headers, status = extra.get("headers"), extra.get("status")
    if not isinstance(headers, dict) or not isinstance(status, int):
        return None
    kept = [
        (f"x-archive-orig-{name}" if name.lower() in _RENAMED else name, value)
        for name, value in headers.items()
        if isinstance(value, str)
    ]
    if status != _NOT_MODIFIED:
        kept.append(("content-length", str(snapshot.size)))
    return StatusAndHeaders(str(status), kept, protocol="HTTP/1.1")


def _request(extra: dict[str, Any], snapshot: Snapshot) -> Any:  # noqa: ANN401
    headers = extra.get("request_headers")
    if not isinstance(headers, dict):
        return None
    parts = urlsplit(snapshot.url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    sent = [("Host", parts.netloc), *((k, v) for k, v in headers.items() if isinstance(v, str))]
    return StatusAndHeaders(f"GET {target or '/'} HTTP/1.1", sent, is_http_request=True)


def _payload(record: Any) -> bytes:  # noqa: ANN401
    data: bytes = record.content_stream().read(MAX_PAYLOAD_BYTES + 1)
    if len(data) > MAX_PAYLOAD_BYTES:
        raise EvidenceMissing(
            f"a record of the archive holds more than {MAX_PAYLOAD_BYTES} bytes", hint=_BROKEN
        )
    return data


def _identifier(snapshot: Snapshot, part: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(_NAMESPACE, f'{snapshot.record} {snapshot.digest} {part}')}>"


def _payload_digest(snapshot: Snapshot) -> str:
    whole = bytes.fromhex(snapshot.digest.removeprefix("sha256:"))
    return f"sha256:{base64.b32encode(whole).decode('ascii')}"


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
