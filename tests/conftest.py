"""What holds for every test."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# A shell starts background jobs with Ctrl-C ignored, and what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Neither chance nor a busy machine decides: the same examples in each run, however long one takes.
# A function's own fixture that the examples share is reported for good reason, so it is not here.
settings.register_profile(
    "suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")
