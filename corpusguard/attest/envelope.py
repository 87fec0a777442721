"""DSSE envelopes (Dead Simple Signing Envelope 1.0), as in-toto attestations travel in them.

The signature is over the payload's type and its bytes, by securesystemslib. Stricter than the
protocol asks, since a gate should not have to wonder: base64 is of one spelling, and *every*
signature in the envelope must be by an allowed key and hold, not just one of them.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.attest.reasons import Reason, Refused
from corpusguard.attest.strict import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from securesystemslib.signer import CryptoSigner, SSlibKey

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
"""Of an in-toto Statement, whatever its predicate (in-toto Envelope layer, v1)."""
MAX_BYTES: Final = 16 * 2**20
"""Of an attestation file; a thousand documents take some 4 MB."""
_MOST_SIGNATURES: Final = 16


def sign(statement: bytes, signer: CryptoSigner) -> bytes:
    """Return the envelope of a statement, as JSON with a line end."""
    from securesystemslib.dsse import Envelope  # noqa: PLC0415 - an extra

    envelope = Envelope(statement, PAYLOAD_TYPE, {})
    envelope.sign(signer)
    return json.dumps(envelope.to_dict(), indent=1).encode() + b"\n"


def unwrap(data: bytes, keys: Sequence[SSlibKey]) -> tuple[bytes, tuple[str, ...]]:
    """Return the payload of an envelope and the ids of the keys that signed it.

    Args:
        data: The envelope, as JSON.
        keys: The allowed signers.

    Raises:
        Refused: It is none, or a signature is missing, not allowed, or does not hold. Nothing of
            the payload was looked at.
    """
    if len(data) > MAX_BYTES:
        raise Refused(
            Reason.TOO_LARGE,
            f"the attestation has more than {MAX_BYTES} bytes",
            "is it the file that `corpusguard verify --attest` wrote?",
        )
    value = parse(data, "the attestation")
    payload, signatures = _parts(value)
    if value["payloadType"] != PAYLOAD_TYPE:
        raise Refused(
            Reason.WRONG_PAYLOAD_TYPE,
            f"the envelope holds {value['payloadType'][:80]!r}, not {PAYLOAD_TYPE}",
        )
    if not signatures:
        raise Refused(Reason.NO_SIGNATURE, "nobody signed the attestation", _SIGN)
    _verify(payload, signatures, keys)
    return payload, tuple(keyid for keyid, _ in signatures)


_SIGN: Final = "make it with `corpusguard verify --attest FILE --key KEY`"


def _parts(value: Any) -> tuple[bytes, list[tuple[str, bytes]]]:  # noqa: ANN401 - parsed JSON
    """Return payload and signatures of an envelope, decoded."""
    if not isinstance(value, dict):
        raise _malformed("not an object")
    payload, kind, listed = (value.get(name) for name in ("payload", "payloadType", "signatures"))
    if not isinstance(payload, str) or not isinstance(kind, str) or not isinstance(listed, list):
        raise _malformed("payload, payloadType or signatures is missing or of the wrong type")
    if len(listed) > _MOST_SIGNATURES:
        raise _malformed(f"more than {_MOST_SIGNATURES} signatures")
    found: dict[str, bytes] = {}
    for one in listed:
        keyid, sig = (one.get("keyid"), one.get("sig")) if isinstance(one, dict) else (None, None)
        if not isinstance(keyid, str) or not isinstance(sig, str):
            raise _malformed("a signature without keyid and sig")
        if keyid in found:
            raise _malformed(f"two signatures by the key {keyid[:64]!r}")
        found[keyid] = _decoded(sig, "a signature")
    return _decoded(payload, "the payload"), list(found.items())


def _verify(
    payload: bytes, signatures: Sequence[tuple[str, bytes]], keys: Sequence[SSlibKey]
) -> None:
    from securesystemslib.dsse import Envelope  # noqa: PLC0415 - an extra
    from securesystemslib.exceptions import Error  # noqa: PLC0415 - an extra
    from securesystemslib.signer import Signature  # noqa: PLC0415 - an extra

    allowed = {key.keyid: key for key in keys}
    signed = Envelope(payload, PAYLOAD_TYPE, {}).pae()
    for keyid, sig in signatures:
        key = allowed.get(keyid)
        if key is None:
            raise Refused(
                Reason.UNKNOWN_SIGNER,
                f"the key {keyid[:64]!r} signed it, which is not among the {len(allowed)} allowed",
                "name every allowed signer with --key",
            )
        try:
            key.verify_signature(Signature(keyid, sig.hex()), signed)
        except Error as error:
            raise Refused(
                Reason.BAD_SIGNATURE,
                f"the signature of key {keyid[:64]} does not hold: the attestation was altered",
                "take it again from where it was signed",
            ) from error


def _decoded(text: str, what: str) -> bytes:
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, binascii.Error) as error:
        raise Refused(Reason.BAD_BASE64, f"{what} is not base64: {error}") from error
    # Bits that no byte holds could be anything: two files would be one attestation.
    if base64.b64encode(data).decode("ascii") != text:
        raise Refused(Reason.BAD_BASE64, f"{what} is not base64 as it is written")
    return data


def _malformed(why: str) -> Refused:
    return Refused(Reason.MALFORMED_ENVELOPE, f"the attestation is no DSSE envelope: {why}", _SIGN)
