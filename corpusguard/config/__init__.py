"""The configuration: ``corpusguard.toml`` or ``[tool.corpusguard]``, and the sources it names.

``load_config`` returns frozen specs from ``corpusguard.model``; whatever is wrong with a file is a
``ConfigError`` that names the file, the key, what was found and what was expected.
"""

from __future__ import annotations

from corpusguard.config.ignores import load_lists
from corpusguard.config.loader import Config, Judging, load_config, load_judging
from corpusguard.config.telling import MetricsSpec, NotifySpec, PingSpec
from corpusguard.config.template import FILL_IN, config_template, listed, source_listing
from corpusguard.config.variables import run_variables

__all__ = [
    "FILL_IN",
    "Config",
    "Judging",
    "MetricsSpec",
    "NotifySpec",
    "PingSpec",
    "config_template",
    "listed",
    "load_config",
    "load_judging",
    "load_lists",
    "run_variables",
    "source_listing",
]
