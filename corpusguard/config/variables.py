"""Which environment variables a run needs: what a machine that shall run it must be given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusguard.config.loader import own_tables
from corpusguard.config.table import names_in, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.config.loader import Config


def run_variables(config: Config) -> tuple[str, ...]:
    """Return the variables without which the configuration does not load, in order, each once.

    Those are of ``command`` and ``user_agent_contact``: ``config`` has their values and no longer
    their names, so the files are read again. Those of ``[notify]`` and ``[ping]`` are in ``config``.

    Raises:
        ConfigError: A file is no longer there.
    """
    texts = [text for one in own_tables(config.file).get("corpus", []) for text in _command(one)]
    for source in config.sources:
        texts.append(read_toml(config.root / source.path)["source"].get("user_agent_contact", ""))
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))


def _command(table: dict[str, Any]) -> Iterator[str]:
    yield from table.get("command", ())
