"""Which addresses may be asked: https on known hosts, http on a loopback address only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urljoin, urlsplit

from corpusguard.errors import ConfigError, SourceUnreachable

if TYPE_CHECKING:
    from corpusguard.model import SourceSpec

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
MAX_ADDRESS: Final = 2_000
_USERINFO: Final = re.compile(r"(//)[^/?#]*@")
_PORTS: Final = {"https": 443, "http": 80}
_OFF_HINT: Final = (
    "if the publisher moved, add the new host to `hosts` in sources/*.toml after a look at it"
)


class Allowed:
    """The addresses that one source may be asked at.

    Args:
        source: ``base_url`` and ``hosts`` decide.

    Raises:
        ConfigError: ``base_url`` is neither https nor http on a loopback address.
    """

    def __init__(self, source: SourceSpec) -> None:
        base = _split(source.base_url)
        if base is None or not base.hostname:
            raise ConfigError(
                f"base_url {source.base_url!r} is not an address", hint="https://www.ontario.ca"
            )
        self.loopback = base.hostname in LOOPBACK
        if base.scheme != "https" and not (base.scheme == "http" and self.loopback):
            raise ConfigError(
                f"base_url {source.base_url!r} must be https",
                hint="plain http is for loopback addresses only, such as http://127.0.0.1:8080",
            )
        self._ends = {_end(base), *(self._extra(host) for host in source.hosts)}

    def refusal(self, url: str) -> str:
        """Return why ``url`` may not be asked, or an empty string."""
        parts = _split(url)
        if parts is None or not parts.hostname or len(url) > MAX_ADDRESS:
            return "it is not an address"
        if parts.username is not None or parts.password is not None:
            return "it carries a user name"
        if parts.scheme != "https" and not (
            parts.scheme == "http" and parts.hostname in LOOPBACK and self.loopback
        ):
            return f"it leads to {parts.scheme or 'no scheme'}, not to https"
        if _end(parts) not in self._ends:
            return f"{parts.netloc} is not among the hosts of this source"
        return ""

    def check(self, url: str) -> None:
        """Refuse an address that the caller made.

        Raises:
            ConfigError: See :meth:`refusal`.
        """
        if reason := self.refusal(url):
            raise ConfigError(f"{url[:200]!r} may not be asked: {reason}", hint=_OFF_HINT)

    def redirected(self, url: str, location: str) -> str:
        """Return where a redirect leads.

        Raises:
            SourceUnreachable: Nowhere, off the known hosts, or down to plain http.
        """
        try:
            target = urljoin(url, location.strip()).partition("#")[0]
        except ValueError:
            target = ""
        reason = self.refusal(target) if location.strip() else "it names no address"
        down = urlsplit(url).scheme == "https" and target.startswith("http:")
        if not reason and down:
            reason = "it leads down from https to http"
        if reason:
            raise SourceUnreachable(
                f"{url} redirects to {_shown(location)!r}: {reason}", hint=_OFF_HINT
            )
        return target

    def _extra(self, host: str) -> tuple[str, int]:
        # A bare host name means https; a port may be named, as loopback mirrors need.
        parts = _split(f"//{host}")
        if parts is None or not parts.hostname or parts.path:
            raise ConfigError(f"host {host!r} is not a host name", hint="such as ontario.ca")
        return parts.hostname, parts.port or _PORTS["https"]


def host_of(url: str) -> str:
    """Return host and port of an address that was checked."""
    return urlsplit(url).netloc.lower()


def _end(parts: SplitResult) -> tuple[str, int]:
    return parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # a port out of range raises only when it is asked for
    except ValueError:
        return None
    return parts


def _shown(location: str) -> str:
    """An address for a message, which history keeps for ever: no password, no query."""
    return _USERINFO.sub(r"\1***@", location[:1000].partition("?")[0])[:200]
