"""``[[judge]]`` and ``[gate]``: what is accepted, and that no secret is ever shown."""

from __future__ import annotations

import re

import pytest

from corpusguard.config import config_template, load_config
from corpusguard.errors import ConfigError

HEAD = '[corpusguard]\nsources = ["law.toml"]\n'
LAW = """\
[source]
publisher = "ontario-elaws"
base_url = "https://www.ontario.ca"
[[document]]
id = "ca-on/statute/19h31@en"
title = "Harbour Markets Act, 2019"
code = "S.O. 2019, c. 31"
"""
SMALL = '[[judge]]\nname = "small"\nkind = "openai"\nurl = "https://models.example/v1/chat"\n'
LARGE = '[[judge]]\nname = "large"\nkind = "command"\ncommand = ["judge", "--large"]\n'


def load(folder, text):
    (folder / "law.toml").write_text(LAW)
    (folder / "corpusguard.toml").write_text(HEAD + text)
    return load_config(folder / "corpusguard.toml")


def test_nothing_is_configured_by_default(tmp_path):
    """The gate quotes, and guards the usual memory files."""
    config = load(tmp_path, "")
    assert config.judges == ()
    assert (config.gate.judge, config.gate.cheap, config.gate.expensive) == ("", "", "")
    assert "CLAUDE.md" in config.gate.memory_files
    assert config.gate.memory_claims == "all"
    assert config.gate.words == "own"
    assert config.gate.memory_skip == (".git",)
    assert config.gate.memory_accepted == ".corpusguard-memory.json"


def test_tiers_and_judges(tmp_path):
    """All keys, of an endpoint and of a command."""
    text = (
        SMALL
        + 'model = "m"\nkey = "${JUDGE_KEY}"\ntimeout = 5\nparameters = { temperature = 0 }\n'
        + "price_input = 0.5\nprice_output = 2\n"
        + LARGE
        + 'environment = ["MODEL_HOME"]\n[gate]\njudge = "large"\ncheap = "small"\n'
        + 'expensive = "large"\nmemory_files = ["notes/*.md"]\nmemory_claims = "legal"\n'
    )
    config = load(tmp_path, text)
    small, large = config.judges
    assert (small.label, small.key, small.timeout_seconds) == ("small (m)", "JUDGE_KEY", 5.0)
    assert small.parameters == (("temperature", 0),)
    assert (small.price_input, small.price_output) == (0.5, 2.0)
    assert (large.command, large.environment) == (("judge", "--large"), ("MODEL_HOME",))
    assert (config.gate.cheap, config.gate.expensive) == ("small", "large")
    assert config.gate.memory_files == ("notes/*.md",)


WRONG = {
    "unknown kind": ('[[judge]]\nname = "a"\nkind = "openia"\nurl = "https://a.example"', "openai"),
    "no url": ('[[judge]]\nname = "a"\nkind = "openai"', "url"),
    "plain http": (SMALL.replace("https", "http"), "loopback"),
    "not an address": (SMALL.replace("https://models.example/v1/chat", "models"), "an address"),
    "bad port": (SMALL.replace("example/", "example:99999/"), "an address"),
    "no command": ('[[judge]]\nname = "a"\nkind = "command"', "program"),
    "a command line": ('[[judge]]\nname = "a"\nkind = "command"\ncommand = "judge -x"', "list"),
    "url of a command": (LARGE + 'url = "https://a.example"', "unknown key `url`"),
    "a tool": (SMALL + "parameters = { tools = [] }", "tools"),
    "a stream": (SMALL + "parameters = { stream = true }", "stream"),
    "wrong type": (SMALL + "parameters = { seed = true }", "int"),
    "twice": (SMALL + SMALL, "its own name"),
    "no such judge": (SMALL + '[gate]\ncheap = "smal"\nexpensive = "small"', "smal"),
    "one tier": (SMALL + '[gate]\ncheap = "small"', "expensive"),
    "misspelt": ('[gate]\nmemory_file = ["a"]', "memory_files"),
    "no such words": ('[gate]\nwords = "any"', "own"),
    "no such scope": ('[gate]\nmemory_claims = "some"', "legal"),
    "a place that is a folder": ('[gate]\nmemory_accepted = "kept/.."', "memory_accepted"),
    "a place with a pattern": ('[gate]\nmemory_accepted = "kept*.json"', "a file whose name"),
    "bad variable": (LARGE + 'environment = ["A=B"]', "environment"),
}


@pytest.mark.parametrize(("text", "named"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named(tmp_path, text, named):
    """The key and what was expected."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text + "\n")
    assert named in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    "line",
    ['key = "sk-very-secret"', 'key = "${A}sk-very-secret"', 'key = ["sk-very-secret"]'],
)
def test_a_key_in_the_file_is_refused_and_not_shown(tmp_path, line):
    """A secret belongs into the environment, and never into a message."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, SMALL + line + "\n")
    assert "very-secret" not in f"{caught.value.message} {caught.value.hint}"


def test_a_password_in_the_address_is_refused_and_not_shown(tmp_path):
    """The same for an address."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, SMALL.replace("//models", "//me:very-secret@models"))
    assert "very-secret" not in f"{caught.value.message} {caught.value.hint}"


def test_the_template_shows_judges_that_load(tmp_path):
    """What `init` writes as comments works when the comment signs go."""
    shown = config_template().partition("# [[judge]]")[2].partition("\n\n")[0]
    config = load(tmp_path, re.sub(r"^# ", "", "# [[judge]]" + shown, flags=re.MULTILINE))
    assert [spec.name for spec in config.judges] == ["small", "large"]
    assert config.gate.memory_files == ("CLAUDE.md", "memory/**")
