"""The sealed half at rest: compressed, then encrypted with a key that is kept elsewhere.

Fernet (AES-128-CBC with HMAC-SHA256; https://github.com/fernet/spec) because a wrong key or a
changed byte is noticed, and because its token is text that a JSON file can hold.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, EvidenceMissing

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEY_VARIABLE: Final = "CORPUSGUARD_SEAL_KEY"
_MOST: Final = 64 * 1024 * 1024
"""Bytes that a sealed half may unpack to."""


def new_key() -> str:
    """Return a fresh key, as 44 characters of URL-safe base64.

    Raises:
        ConfigError: cryptography is not installed.
    """
    return _fernet_class().generate_key().decode()


def encrypt(plain: bytes, key: str) -> str:
    """Return ``plain`` compressed and encrypted, as text.

    Raises:
        ConfigError: The key is none, or cryptography is not installed.
    """
    return _fernet(key).encrypt(zlib.compress(plain, 9)).decode("ascii")


def decrypt(token: str, key: str) -> bytes:
    """Return what :func:`encrypt` was given.

    Raises:
        ConfigError: The key is none, or cryptography is not installed.
        EvidenceMissing: The key is another one, or the token was changed.
    """
    from cryptography.fernet import InvalidToken  # noqa: PLC0415 - an extra

    fernet = _fernet(key)
    try:
        packed = fernet.decrypt(token.encode("utf-8", "replace"))
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(packed, _MOST)
    except (InvalidToken, zlib.error) as error:
        raise EvidenceMissing(
            "the sealed half does not open: the key is another one, or the file was changed",
            hint=f"give the key that the fixture was sealed with in {KEY_VARIABLE} or --key-file",
        ) from error
    if unpacker.unconsumed_tail:
        raise EvidenceMissing(f"the sealed half unpacks to more than {_MOST} bytes")
    return plain


def _fernet(key: str) -> Fernet:
    try:
        return _fernet_class()(key.strip().encode("utf-8", "replace"))
    except ValueError as error:
        raise ConfigError(
            "the key of the sealed half is not 32 bytes in URL-safe base64",
            hint="`corpusguard measure gate seal` writes a key to --key-file",
        ) from error


def _fernet_class() -> type[Fernet]:
    try:
        from cryptography.fernet import Fernet  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigError(
            "sealing needs the package cryptography",
            hint="pip install 'corpusguard-law[attest]'",
        ) from error
    return Fernet
