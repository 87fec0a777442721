"""A verified project, and the real server on it: the command line as a process of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from tests.unit.cli.conftest import call, start

FEES = "ca-on/regulation/190902@en#sec_9__subsec_1"
LAW = "Quay dues shall be paid before the closing bell."
QUOTED = f"{LAW} [{FEES}]"
FALSE = f"Quay dues shall be paid within 3 days. [{FEES}]"
TOKEN = "a-token-that-nobody-guesses-0123"  # noqa: S105


@pytest.fixture(scope="session")
def verified_project(tmp_path_factory):
    """The clean corpus of the sample, verified; it may be as old as a year."""
    folder = tmp_path_factory.mktemp("serve") / "project"
    folder.mkdir()
    config = (sample_folder() / "corpusguard-clean.toml").read_text(encoding="utf-8")
    (folder / "corpusguard.toml").write_text(config + 'max_age = "3650d"\n', encoding="utf-8")
    shutil.copyfile(sample_folder() / "clean.jsonl", folder / "clean.jsonl")
    shutil.copytree(snapshots_folder(), folder / "snapshots")
    shutil.copytree(sources_folder(), folder / "sources")
    result = call("verify", "--offline", "-q", "-c", folder / "corpusguard.toml")
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def project(verified_project, tmp_path):
    """A copy of it that a test may break."""
    shutil.copytree(verified_project, tmp_path / "project")
    return tmp_path / "project"


BOUNDED = """
import json, signal, sys
from pathlib import Path
from corpusguard import logs
from corpusguard.cli.app import _terminated
from corpusguard.config import load_config
from corpusguard.serve.desk import Desk
from corpusguard.serve.limits import Limits
from corpusguard.serve.server import serve
signal.signal(signal.SIGTERM, _terminated)
logs.configure("json")
desk = Desk(load_config(Path(sys.argv[1])))
serve(desk, "127.0.0.1", 0, token="", limits=Limits(**json.loads(sys.argv[2])))
"""
"""The same with bounds that a test does not have to wait for."""


class Server:
    """A running `corpusguard serve`; with ``limits``, the same by its function."""

    def __init__(self, project, *options, limits=None, **environment):
        os.environ.update(environment)
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BOUNDED, project / "corpusguard.toml", json.dumps(limits)],
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            ) if limits else start(
                "serve", "--port", "0", "--log-format", "json",
                "-c", project / "corpusguard.toml", *options,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
        finally:
            for name in environment:
                del os.environ[name]
        self.lines = []
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._ready.wait(60), self.lines
        assert self.process.poll() is None, self.lines
        self.port = int(self.url.rpartition(":")[2])

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line)
            found = re.search(r'"url": "(http://[^"]+)"', line)
            if found:
                self.url = found[1]
                self._ready.set()
        self._ready.set()

    @property
    def log(self):
        return "".join(self.lines)

    def requests(self):
        """The access log."""
        found = [json.loads(line) for line in self.lines if line.startswith("{")]
        return [one for one in found if one["event"] == "request"]

    def client(self, **options):
        return httpx.Client(base_url=self.url, timeout=280, trust_env=False, **options)

    def cpu_seconds(self):
        """What the process has used so far: how long it was busy, however busy the machine is."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connect(self, timeout=120):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def raw(self, data, timeout=120):
        """Send bytes as they are, and return all that comes back until the end."""
        with self.connect(timeout) as connection:
            with suppress(ConnectionResetError, BrokenPipeError):
                connection.sendall(data)
            return read_all(connection)

    def stop(self, number=signal.SIGTERM):
        """Stop it; return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(60)
        self._reader.join(10)
        if not self.process.stdout.closed:
            self.out = self.process.stdout.read()
            self.process.stdout.close()
            self.process.stderr.close()
        return code


def read_all(connection):
    found = b""
    try:
        while chunk := connection.recv(65536):
            found += chunk
    except ConnectionResetError:
        pass
    return found


def status_of(answer):
    """The status of the first response in raw bytes."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def timeless(status):
    """The JSON of `status` without what grows from one second to the next."""
    for one in [*status["documents"], *status["corpora"]]:
        assert one.pop("text_age_seconds") > 0
    return status


def until(condition, seconds=60):
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


@contextmanager
def serving(project, *options, limits=None, **environment):
    server = Server(project, *options, limits=limits, **environment)
    try:
        yield server
    finally:
        server.stop(signal.SIGKILL if server.process.poll() is None else signal.SIGTERM)


@pytest.fixture(scope="session")
def shared_server(verified_project, tmp_path_factory):
    """One server for tests that break nothing."""
    folder = tmp_path_factory.mktemp("shared") / "project"
    shutil.copytree(verified_project, folder)
    with serving(folder, "--per-minute", "100000") as server:
        server.folder = folder
        yield server


@pytest.fixture(scope="session")
def client(shared_server):
    with shared_server.client() as opened:
        yield opened
