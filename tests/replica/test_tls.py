"""Over TLS: no certificate is taken on trust, and the deadline reaches through."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from corpusguard.errors import SourceUnreachable
from corpusguard.fetch import Fetcher
from corpusguard.model import SourceSpec


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A self-signed certificate for this test run only."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def dripping(certificate):
    """A TLS server that never finishes its headers."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        try:
            plain, _ = listening.accept()
            with plain, context.wrap_socket(plain, server_side=True) as secure:
                secure.recv(65_536)
                secure.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                for _step in range(4_000):
                    secure.sendall(b"a")
                    time.sleep(0.05)
        except OSError:
            return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"https://127.0.0.1:{listening.getsockname()[1]}"
    listening.close()
    thread.join(5)


def fetcher(base: str, seconds: float = 60.0) -> Fetcher:
    spec = SourceSpec(
        "s.toml",
        "ontario-elaws",
        base,
        (),
        min_delay_seconds=0.0,
        attempts=1,
        total_timeout_seconds=seconds,
    )
    return Fetcher(spec)


def test_a_certificate_that_nobody_vouches_for_is_refused(dripping):
    with fetcher(dripping) as client, pytest.raises(SourceUnreachable, match="CERTIFICATE_VERIFY"):
        client.get(dripping + "/laws")


def test_the_deadline_ends_a_drip_inside_tls(dripping, certificate):
    context = ssl.create_default_context(cafile=certificate)
    before = time.monotonic()

    with fetcher(dripping, 0.5) as client:
        client._client.close()
        client._client = httpx.Client(verify=context, timeout=60)
        with pytest.raises(SourceUnreachable, match=r"did not finish within 0\.5 s"):
            client.get(dripping + "/laws")

    assert time.monotonic() - before < 60
