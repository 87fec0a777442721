"""The body of an answer: unpacked by ourselves, under caps, and proven whole.

HTTP libraries accept a gzip body that was cut and framed again as whole, and unpack a bomb to the
end. So the client hands over the raw bytes as they arrive, and this class unpacks them: at most
``max_decoded`` bytes come out, and a stream without its end mark is refused.
"""

from __future__ import annotations

import zlib
from typing import Final

from corpusguard.errors import BodyTruncated, Unreadable

_GZIP_WINDOW: Final = 31
_RATIO_FREE_BYTES: Final = 1_000_000
"""Below this size the ratio is not looked at: a short page of blanks packs a thousandfold."""
_LIMIT_HINT: Final = "raise the limit in sources/*.toml if the document is really that large"


class Body:
    """Collects one body.

    Args:
        encoding: Value of ``Content-Encoding``; only gzip and identity are asked for.
        max_wire: Most bytes to take from the network.
        max_decoded: Most bytes to unpack them to.
        max_ratio: Most that unpacking may multiply.

    Raises:
        Unreadable: The encoding is neither gzip nor identity.
    """

    def __init__(self, encoding: str, *, max_wire: int, max_decoded: int, max_ratio: float) -> None:
        name = encoding.strip().lower()
        if name not in {"", "identity", "gzip", "x-gzip"}:
            raise Unreadable(
                f"the body is packed as {name[:40]!r}, which was not asked for",
                hint="a proxy in between may repack answers; ask its keeper",
            )
        self._gzip = zlib.decompressobj(_GZIP_WINDOW) if name.endswith("gzip") else None
        self._max_wire = max_wire
        self._max_decoded = max_decoded
        self._max_ratio = max_ratio
        self._out = bytearray()
        self.wire = 0
        """Bytes taken from the network so far."""

    def expect(self, length: int) -> None:
        """Refuse a body whose declared length is over the cap before any of it is read.

        Raises:
            Unreadable: It is.
        """
        if length > self._max_wire:
            raise Unreadable(
                f"the body is announced with {length} bytes, the cap is {self._max_wire}",
                hint=_LIMIT_HINT,
            )

    def feed(self, chunk: bytes) -> None:
        """Take a raw chunk.

        Raises:
            Unreadable: A cap is exceeded, or the bytes are not gzip.
        """
        self.wire += len(chunk)
        if self.wire > self._max_wire:
            raise Unreadable(f"the body exceeds {self._max_wire} bytes", hint=_LIMIT_HINT)
        if self._gzip is None:
            self._out += chunk
            allowed = self._max_decoded
        else:
            fold = int(max(_RATIO_FREE_BYTES, self._max_ratio * self.wire))
            allowed = min(self._max_decoded, fold)
            self._unpack(self._gzip, chunk, allowed)
        if len(self._out) > self._max_decoded:
            raise Unreadable(
                f"the body unpacks to more than {self._max_decoded} bytes", hint=_LIMIT_HINT
            )
        if len(self._out) > allowed:
            raise Unreadable(
                f"{self.wire} bytes unpack more than {self._max_ratio:g} fold: a gzip bomb",
                hint=_LIMIT_HINT,
            )

    def finish(self) -> bytes:
        """Return the whole body.

        Raises:
            BodyTruncated: The gzip stream has no end mark.
        """
        if self._gzip is not None and self.wire and not self._gzip.eof:
            raise BodyTruncated(
                f"the gzip body ends early, after {self.wire} bytes", hint="fetch again"
            )
        return bytes(self._out)

    def _unpack(self, gzip: zlib._Decompress, chunk: bytes, allowed: int) -> None:
        # One byte more than allowed may come out, so that feed() sees the excess: a bomb is
        # stopped before it has filled the memory, not after.
        data = chunk
        try:
            while data and not gzip.eof and len(self._out) <= allowed:
                self._out += gzip.decompress(data, allowed + 1 - len(self._out))
                data = gzip.unconsumed_tail
        except zlib.error as error:
            raise Unreadable(f"the body is not gzip: {error}", hint="fetch again") from error
        if gzip.eof and (gzip.unused_data or data):
            raise Unreadable("bytes follow the end of the gzip body", hint="fetch again")
