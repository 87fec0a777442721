"""From the name in a configuration to the publisher that it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError
from corpusguard.official.ontario_elaws import OntarioELaws

if TYPE_CHECKING:
    from corpusguard.official.interface import Publisher


def publisher_of(name: str) -> Publisher:
    """Return the publisher that ``name`` stands for in ``sources/*.toml``.

    Raises:
        ConfigError: No publisher has this name.
    """
    if name == OntarioELaws.name:
        return OntarioELaws()
    raise ConfigError(
        f"unknown publisher {name!r}",
        hint=f"publishers known to this version: {OntarioELaws.name}",
    )
