"""RFC 3161 timestamps, from a real authority: openssl's, behind HTTP on loopback."""

import hashlib
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from corpusguard import timestamp
from corpusguard.errors import ConfigError, HistoryBroken, StorageError
from corpusguard.evidence import head_of

pytest.importorskip("rfc3161_client", reason="the extra `timestamp` is not installed")
if shutil.which("openssl") is None:
    pytest.skip(
        "openssl, which plays the timestamp authority, is not there", allow_module_level=True
    )

RECORD = b'{"schema":"corpusguard/record/1"}'
CONFIG = """
[ req ]
distinguished_name = name
prompt = no
[ name ]
CN = An invented authority
[ ca ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[ signer ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[ tsa ]
default_tsa = one
[ one ]
serial = serial
signer_cert = signer.pem
signer_key = signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
"""


class Authority:
    """A folder with keys, and what its server does with a request."""

    def __init__(self, folder):
        self.folder = folder
        self.kind = "application/timestamp-reply"
        self.status = 200
        self.change = None
        (folder / "tsa.cnf").write_text(CONFIG)
        (folder / "serial").write_text("01\n")
        new = ["req", "-config", "tsa.cnf", "-newkey", "rsa:2048", "-nodes"]
        self.openssl(
            *new, "-x509", "-days", "30", "-extensions", "ca", "-keyout", "ca.key", "-out", "ca.pem"
        )
        self.openssl(*new, "-subj", "/CN=Signer", "-keyout", "signer.key", "-out", "signer.csr")
        signed = ["x509", "-req", "-in", "signer.csr", "-CA", "ca.pem", "-CAkey", "ca.key"]
        self.openssl(
            *signed, "-set_serial", "7", "-days", "30", "-out", "signer.pem",
            "-extfile", "tsa.cnf", "-extensions", "signer",
        )  # fmt: skip
        self.roots = (folder / "ca.pem").read_bytes()

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def answer(self, query):
        (self.folder / "query").write_bytes(query)
        self.openssl(
            "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "reply"
        )  # fmt: skip
        reply = (self.folder / "reply").read_bytes()
        return self.change(reply) if self.change else reply


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("tsa"))


@pytest.fixture
def authority(keys):
    """The authority and its address; well-behaved unless a test says otherwise."""
    keys.kind, keys.status, keys.change = "application/timestamp-reply", 200, None

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            reply = keys.answer(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(keys.status)
            self.send_header("Content-Type", keys.kind)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            try:
                self.wfile.write(reply)
            except OSError:  # the client had enough
                self.close_connection = True

        def log_message(self, *_):
            """Say nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield keys, f"http://127.0.0.1:{server.server_port}/tsr"
        server.shutdown()
        thread.join()


def test_a_record_is_stamped_and_the_token_read_back(authority):
    """The token's imprint is the head: nothing else is needed to check it."""
    keys, url = authority

    token = timestamp.stamp(url, RECORD, keys.roots)
    said = timestamp.read(token, keys.roots)

    assert said.head == head_of(RECORD)
    assert said.time.startswith("20")
    assert said.time.endswith("Z")


def test_openssl_checks_the_token_without_corpusguard(authority):
    """As the documentation says."""
    keys, url = authority
    (keys.folder / "token").write_bytes(timestamp.stamp(url, RECORD, keys.roots))
    digest = hashlib.sha256(RECORD).hexdigest()
    check = ["ts", "-verify", "-in", "token", "-CAfile", "ca.pem", "-digest"]

    keys.openssl(*check, digest)
    with pytest.raises(subprocess.CalledProcessError):
        keys.openssl(*check, "0" * 64)


def test_a_token_with_any_part_changed_proves_nothing(authority):
    """Forty places over the whole token, and its end cut off: refused, or the same head."""
    keys, url = authority
    token = timestamp.stamp(url, RECORD, keys.roots)
    found = 0
    for place in range(0, len(token), len(token) // 40):
        forged = bytearray(token)
        forged[place] ^= 0x10
        try:
            said = timestamp.read(bytes(forged), keys.roots)
        except HistoryBroken:
            found += 1
        else:
            assert said.head == head_of(RECORD), place
    assert found >= 30
    with pytest.raises(HistoryBroken):
        timestamp.read(token[:-9], keys.roots)


def test_an_authority_that_leads_elsewhere_is_not_believed(authority, tmp_path):
    """Neither when its token comes nor when it is read."""
    keys, url = authority
    other = Authority(tmp_path)
    token = timestamp.stamp(url, RECORD, keys.roots)

    with pytest.raises(HistoryBroken, match="proves nothing"):
        timestamp.read(token, other.roots)
    with pytest.raises(StorageError, match="no usable token"):
        timestamp.stamp(url, RECORD, other.roots)


def test_an_answer_to_another_request_is_refused(authority):
    """A replayed token is older than it claims to be."""
    keys, url = authority
    old = timestamp.stamp(url, RECORD, keys.roots)
    keys.change = lambda _: old

    with pytest.raises(StorageError, match="another request"):
        timestamp.stamp(url, RECORD, keys.roots)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": 503}, "status 503"),
        ({"kind": "text/html"}, "not a timestamp"),
        ({"change": lambda _: b""}, "no usable token"),
        ({"change": lambda _: b"\x30\x80" * 500}, "no usable token"),
        ({"change": lambda reply: reply[:-20]}, "no usable token"),
        ({"change": lambda _: b"x" * (timestamp.MAX_TOKEN_BYTES + 1)}, "too long"),
    ],
    ids=["503", "html", "empty", "no token", "cut", "flood"],
)
def test_what_is_no_timestamp_is_not_stored(authority, change, said):
    """An authority may fail in every way that a server can."""
    keys, url = authority
    for name, value in change.items():
        setattr(keys, name, value)

    with pytest.raises(StorageError, match=said) as caught:
        timestamp.stamp(url, RECORD, keys.roots)
    assert caught.value.hint


def test_an_authority_that_is_not_there_is_a_storage_error(keys):
    """Nothing was put outside, and nothing is lost."""
    with pytest.raises(StorageError, match=r"127\.0\.0\.1:9"):
        timestamp.stamp("http://127.0.0.1:9/", RECORD, keys.roots)


@pytest.mark.parametrize("url", ["", "ftp://example.org/tsr", "file:///etc/passwd", "http:///tsr"])
def test_only_http_addresses_are_asked(keys, url):
    """A typing error is told as one."""
    with pytest.raises(ConfigError, match="timestamp authority"):
        timestamp.stamp(url, RECORD, keys.roots)


@pytest.mark.parametrize("roots", [b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_roots_that_are_none_are_named(authority, roots):
    """Nothing is believed without them."""
    _, url = authority
    with pytest.raises(ConfigError, match="PEM"):
        timestamp.stamp(url, RECORD, roots)
