"""What the service has done since it began, in Prometheus' text form.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/ (version 0.0.4). Labels take
their values from routes, methods and outcomes that we name, never from a request.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

from corpusguard import __version__

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """Counters of one server; for its event loop's thread alone."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._decisions: Counter[tuple[str, bool]] = Counter()
        self._buckets: Counter[float] = Counter()
        self._seconds = 0.0
        self._checks = 0
        self.under_way = 0
        """Requests being served."""

    def served(self, route: str, method: str, status: int) -> None:
        """Count a response."""
        self._requests[route, method if method in METHODS else "other", status] += 1

    def decided(self, outcome: str, seconds: float, *, shadow: bool) -> None:
        """Count a decision, and how long it took."""
        self._decisions[outcome, shadow] += 1
        place = bisect_left(_BUCKETS, seconds)
        if place < len(_BUCKETS):
            self._buckets[_BUCKETS[place]] += 1
        self._seconds += seconds
        self._checks += 1

    def text(self) -> str:
        """Return all of it."""
        lines = [
            "# HELP corpusguard_serve_info The version that serves.",
            "# TYPE corpusguard_serve_info gauge",
            f'corpusguard_serve_info{{version="{__version__}"}} 1',
            "# HELP corpusguard_serve_requests_under_way Requests being served.",
            "# TYPE corpusguard_serve_requests_under_way gauge",
            f"corpusguard_serve_requests_under_way {self.under_way}",
            "# HELP corpusguard_serve_requests_total Responses, by route, method and status.",
            "# TYPE corpusguard_serve_requests_total counter",
        ]
        lines += [
            f'corpusguard_serve_requests_total{{route="{route}",method="{method}",'
            f'status="{status}"}} {count}'
            for (route, method, status), count in sorted(self._requests.items())
        ]
        lines += [
            "# HELP corpusguard_serve_decisions_total Answers checked, by outcome.",
            "# TYPE corpusguard_serve_decisions_total counter",
        ]
        lines += [
            f'corpusguard_serve_decisions_total{{outcome="{outcome}",'
            f'shadow="{str(shadow).lower()}"}} {count}'
            for (outcome, shadow), count in sorted(self._decisions.items())
        ]
        name = "corpusguard_serve_check_seconds"
        lines += [f"# HELP {name} Time to check an answer.", f"# TYPE {name} histogram"]
        so_far = 0
        for limit in _BUCKETS:
            so_far += self._buckets[limit]
            lines.append(f'{name}_bucket{{le="{limit}"}} {so_far}')
        lines += [
            f'{name}_bucket{{le="+Inf"}} {self._checks}',
            f"{name}_sum {self._seconds}",
            f"{name}_count {self._checks}",
        ]
        return "\n".join(lines) + "\n"
