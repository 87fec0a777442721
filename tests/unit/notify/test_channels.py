"""Real channels: a mail server and a web hook, which also misbehave."""

from __future__ import annotations

import email
import email.policy
import json
import time

import pytest

from corpusguard.notify.channels import send, unusable
from corpusguard.notify.decide import decide
from tests.ports import refusing_port
from tests.unit.notify.nights import WEEK, finding, night
from tests.unit.notify.servers import Hook, Mail
from tests.unit.notify.test_message import hostile

MESSAGE = decide(None, night(7, finding("a")), WEEK)


@pytest.fixture
def hook(monkeypatch):
    with Hook() as server:
        monkeypatch.setenv("HOOK_URL", f"json://127.0.0.1:{server.port}/T0/verysecret")
        yield server


def test_a_web_hook_gets_one_message(hook):
    """apprise's JSON hook: title and body as composed."""
    assert send("HOOK_URL", MESSAGE) == ""

    ((path, body),) = hook.seen
    got = json.loads(body)
    assert path.startswith("/T0/verysecret")
    assert got["title"] == MESSAGE.subject
    assert got["message"] == MESSAGE.text
    assert got["type"] == "failure"


def test_a_module_in_the_working_folder_is_not_imported(hook, tmp_path, monkeypatch):
    """A corpus' folder may hold a file that is called like a module of the sender."""
    (tmp_path / "apprise.py").write_text("raise SystemExit(0)\n")
    monkeypatch.chdir(tmp_path)

    assert send("HOOK_URL", MESSAGE) == ""
    assert len(hook.seen) == 1


def test_a_letter_arrives(monkeypatch):
    """A real SMTP conversation; the letter says what the message says, umlauts and signs whole."""
    with Mail() as mail:
        monkeypatch.setenv(
            "MAIL_URL", f"mailto://127.0.0.1:{mail.port}?from=a@example.org&to=b@example.org"
        )
        assert send("MAIL_URL", MESSAGE) == ""

    (letter,) = mail.letters
    parsed = email.message_from_bytes(letter.content, policy=email.policy.default)
    assert letter.rcpt_tos == ["b@example.org"]
    assert parsed["Subject"] == MESSAGE.subject
    text = parsed.get_body(("plain", "html")).get_content()
    assert "CG203 misfiled" in text
    assert "lamp-a" in text


def test_a_hostile_corpus_adds_no_header_and_no_tag_to_a_letter(monkeypatch):
    """The subject and the body of a letter are what was composed, and no more."""
    with Mail() as mail:
        monkeypatch.setenv(
            "MAIL_URL", f"mailto://127.0.0.1:{mail.port}?from=a@example.org&to=b@example.org"
        )
        assert send("MAIL_URL", hostile()) == ""

    (letter,) = mail.letters
    parsed = email.message_from_bytes(letter.content, policy=email.policy.default)
    assert parsed["Bcc"] is None
    assert letter.rcpt_tos == ["b@example.org"]
    for part in parsed.walk():
        if part.get_content_type() == "text/html":
            assert "<script" not in part.get_content()
            assert 'evil.example"' not in part.get_content()


@pytest.mark.parametrize("answer", [500, "reset", "redirect"])
def test_a_channel_that_refuses_is_a_reason_and_no_error(hook, answer):
    """Refusals, resets and redirects: not sent, and why."""
    hook.usual = answer

    reason = send("HOOK_URL", MESSAGE)

    assert reason
    assert "verysecret" not in reason
    assert all("elsewhere" not in path for path in hook.paths), "no redirect is followed"


@pytest.mark.parametrize("answer", ["drip", "huge"])
def test_a_channel_that_never_ends_is_ended(hook, answer):
    """A head that drips and a reply without end: the sender is killed, or dies of its own size."""
    hook.usual = answer
    started = time.monotonic()

    reason = send("HOOK_URL", MESSAGE, timeout=6)

    assert reason
    assert time.monotonic() - started < 60


def test_nobody_listens(monkeypatch):
    """Connection refused."""
    with refusing_port() as port:
        monkeypatch.setenv("HOOK_URL", f"json://127.0.0.1:{port}/verysecret")
        reason = send("HOOK_URL", MESSAGE)

    assert "Connection error" in reason
    assert "verysecret" not in reason


@pytest.mark.parametrize("address", ["verysecret://x", "json://"])
def test_an_address_that_apprise_does_not_know(monkeypatch, address):
    """Said without the address, which may hold a secret."""
    monkeypatch.setenv("HOOK_URL", address)

    reason = send("HOOK_URL", MESSAGE)

    assert "not an address that apprise knows" in reason
    assert "verysecret" not in reason


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_variable_that_is_not_set_is_known_before_it_is_needed(monkeypatch, value):
    """Asked every night: an alarm that cannot ring is a problem on the first quiet night."""
    monkeypatch.delenv("HOOK_URL", raising=False)
    if value is not None:
        monkeypatch.setenv("HOOK_URL", value)

    assert unusable("HOOK_URL") == "environment variable HOOK_URL is not set"
    assert send("HOOK_URL", MESSAGE) == unusable("HOOK_URL")
