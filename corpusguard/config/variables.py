"""Which environment variables a run needs: what a machine that shall run it must be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.config.loader import own_tables
from corpusguard.config.table import names_in, read_toml

if TYPE_CHECKING:
    from corpusguard.config.loader import Config


def run_variables(config: Config) -> tuple[str, ...]:
    """Return the variables without which the configuration does not load, in order, each once.

    Those are of ``command`` and ``user_agent_contact``: ``config`` has their values and no longer
    their names, so the files are read again. It names those of ``[notify]`` and ``[ping]`` itself.

    Raises:
        ConfigError: A file is no longer there.
    """
    corpora = own_tables(config.file).get("corpus", [])
    sources = [read_toml(config.root / source.path)["source"] for source in config.sources]
    texts = [text for one in corpora for text in one.get("command", ())]
    texts += [one.get("user_agent_contact", "") for one in sources]
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))
