"""Ed25519 keys: PEM in, keys of securesystemslib out; nothing here reads or writes a file.

Private keys are PKCS #8, public ones SubjectPublicKeyInfo (RFC 8410), which is what
``openssl genpkey -algorithm ed25519`` and ``openssl pkey -pubout`` write. A key's id is the one
that securesystemslib computes from the public key, so it is the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from securesystemslib.signer import CryptoSigner, SSlibKey

_EXTRA = "pip install 'corpusguard-law[attest]'"
_NEW = "`corpusguard keys new FILE` makes a pair: FILE signs, FILE.pub checks"


def new_pair() -> tuple[bytes, bytes, str]:
    """Return a new private key, its public key (both PEM), and its id.

    Raises:
        ConfigError: The extra is not installed.
    """
    require()
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    from securesystemslib.signer import SSlibKey  # noqa: PLC0415 - an extra

    private = ed25519.Ed25519PrivateKey.generate()
    public = private.public_key()
    return (
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
        public.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
        SSlibKey.from_crypto(public).keyid,
    )


def load_private(pem: bytes, shown: str) -> CryptoSigner:
    """Return what signs with a private key.

    Args:
        pem: The key, not encrypted.
        shown: Name of its file, for messages. The key itself is never shown.

    Raises:
        ConfigError: It is no such key, or the extra is not installed.
    """
    require()
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - an extra
        load_pem_private_key,
    )
    from securesystemslib.signer import CryptoSigner  # noqa: PLC0415 - an extra

    try:
        key = load_pem_private_key(pem, None)
    except TypeError as error:
        raise ConfigError(
            f"{shown} is encrypted with a password", hint="give a key without one; " + _NEW
        ) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(f"{shown} is not a private key in PEM", hint=_NEW) from error
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise ConfigError(f"{shown} is not an Ed25519 key", hint=_NEW)
    return CryptoSigner(key)


def load_public(pem: bytes, shown: str) -> SSlibKey:
    """Return what checks a signature.

    Raises:
        ConfigError: It is no Ed25519 public key, or the extra is not installed.
    """
    require()
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - an extra
        load_pem_public_key,
    )
    from securesystemslib.signer import SSlibKey  # noqa: PLC0415 - an extra

    if b"PRIVATE KEY" in pem:
        raise ConfigError(
            f"{shown} is a private key, and checking needs the public one",
            hint="name the .pub file, and keep the private key where only the signer can read it",
        )
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigError(f"{shown} is not a public key in PEM", hint=_NEW) from error
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise ConfigError(f"{shown} is not an Ed25519 key", hint=_NEW)
    return SSlibKey.from_crypto(key)


def require() -> None:
    """Check that the extra is installed.

    Raises:
        ConfigError: It is not; the hint names it.
    """
    try:
        import cryptography  # noqa: F401, PLC0415 - an extra
        import securesystemslib.dsse  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise ConfigError(
            f"attestations need the extra `attest`: {error.name} is not installed", hint=_EXTRA
        ) from error
