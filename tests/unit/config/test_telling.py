"""``[notify]``, ``[ping]`` and ``[metrics]``: what is accepted, and that no secret is shown."""

import re

import pytest

from corpusguard.config import config_template, load_config
from corpusguard.errors import ConfigError
from tests.unit.config.test_config import MAIN, refused, write

TOLD = """
[notify]
channels = ["${SLACK_URL}", "${MAIL_URL}"]
repeat_after = "3d"
[ping]
url = "${CHECK_URL}"
[metrics]
path = "metrics/corpusguard.prom"
"""
ADDRESS = "https://hooks.example/T0/B0/verysecret"


def test_tables_become_specs_that_name_variables_and_hold_no_secret(tmp_path, monkeypatch):
    """Only the variables' names are kept, so the digest of a configuration holds no secret."""
    monkeypatch.setenv("SLACK_URL", ADDRESS)
    config = load_config(write(tmp_path, MAIN + TOLD))

    assert config.notify.channels == ("SLACK_URL", "MAIL_URL")
    assert config.notify.repeat_after_seconds == 3 * 86_400
    assert config.ping.variable == "CHECK_URL"
    assert config.metrics.path == tmp_path.resolve() / "metrics" / "corpusguard.prom"
    assert ADDRESS not in repr(config)


def test_variables_need_not_be_set_to_load(tmp_path, monkeypatch):
    """`status` on a laptop works without the secrets of the server."""
    monkeypatch.delenv("SLACK_URL", raising=False)

    assert load_config(write(tmp_path, MAIN + TOLD)).notify is not None


def test_absent_tables_tell_nobody(tmp_path):
    """Nothing is sent, pinged or written unless asked for."""
    config = load_config(write(tmp_path))

    assert (config.notify, config.ping, config.metrics) == (None, None, None)


def test_repeat_after_defaults_to_a_week(tmp_path):
    """The default of the documentation."""
    config = load_config(write(tmp_path, MAIN + '[notify]\nchannels = ["${A}"]\n'))

    assert config.notify.repeat_after_seconds == 7 * 86_400


def test_pyproject_holds_the_same_tables(tmp_path):
    """`[tool.corpusguard.notify]` is `[notify]`."""
    write(tmp_path)
    text = MAIN.replace("[corpusguard]", "[tool.corpusguard]")
    text = text.replace("[[corpus]]", "[[tool.corpusguard.corpus]]")
    told = TOLD.replace("\n[", "\n[tool.corpusguard.")
    (tmp_path / "pyproject.toml").write_text(text + told)

    config = load_config(tmp_path / "pyproject.toml")

    assert config.notify.channels == ("SLACK_URL", "MAIL_URL")
    assert config.ping.variable == "CHECK_URL"
    assert config.metrics.path.name == "corpusguard.prom"


@pytest.mark.parametrize(
    ("tables", "key", "hint"),
    [
        ('[notify]\nchanels = ["${A}"]\nchannels = ["${A}"]', "chanels", "`channels`"),
        ('[notify]\nchannels = ["${A}"]\nrepeat = "7d"', "repeat", "`repeat_after`"),
        ('[ping]\nurl = "${A}"\nurls = "x"', "urls", "`url`"),
        ('[metrics]\npath = "a.prom"\npaths = "x"', "paths", "`path`"),
        ('[notifi]\nchannels = ["${A}"]', "notifi", "`notify`"),
    ],
)
def test_unknown_keys_name_the_nearest(tmp_path, tables, key, hint):
    """A misspelt key never tells nobody in silence."""
    error = refused(tmp_path, MAIN + tables)

    assert f"unknown key `{key}`" in error.message
    assert hint in error.hint


@pytest.mark.parametrize(
    ("tables", "key"),
    [
        (f'[notify]\nchannels = ["{ADDRESS}"]', "channels"),
        (f'[notify]\nchannels = "{ADDRESS}"', "channels"),
        ('[notify]\nchannels = ["slack://${TOKEN_verysecret}/x"]', "channels"),
        ('[notify]\nchannels = ["${A B}"]', "channels"),
        ("[notify]\nchannels = []", "channels"),
        ("[notify]\nchannels = [7]", "channels"),
        ("[notify]", "channels"),
        ('[notify]\nchannels = ["${A}", "${A}"]', "channels"),
        ('[notify]\nchannels = ["${A}"]\nrepeat_after = "often"', "repeat_after"),
        ('[notify]\nchannels = ["${A}"]\nrepeat_after = "0d"', "repeat_after"),
        ('[notify]\nchannels = ["${A}"]\nrepeat_after = "400d"', "repeat_after"),
        (f'[ping]\nurl = "{ADDRESS}"', "url"),
        ("[ping]", "url"),
        ('[metrics]\npath = "corpusguard.txt"', "path"),
        ("[metrics]", "path"),
        ('notify = "x"', ""),
    ],
)
def test_wrong_values_are_refused_without_showing_a_secret(tmp_path, tables, key):
    """A secret written into the file is refused, and the message does not spread it."""
    main = tables + "\n" + MAIN if tables.startswith("notify") else MAIN + tables
    error = refused(tmp_path, main)

    assert key in error.message
    assert "verysecret" not in error.message + error.hint


def test_the_template_shows_tables_that_load(tmp_path):
    """What `init` writes as comments works when the comment signs go."""
    shown = config_template().partition("# [notify]")[2]
    lines = re.sub(r"^# ", "", "# [notify]" + shown, flags=re.MULTILINE)

    config = load_config(write(tmp_path, MAIN + lines))

    assert config.notify.channels == ("SLACK_URL", "MAIL_URL")
    assert config.metrics is not None


def test_a_variable_elsewhere_names_where_variables_work(tmp_path):
    """`${…}` in a key that takes none says where it would be replaced."""
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, MAIN.replace('"chunks.json"', '"${CHUNKS}"')))

    assert "`channels`" in caught.value.hint
