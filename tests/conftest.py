"""What holds for every test."""

from __future__ import annotations

import signal

# A shell starts background jobs with Ctrl-C ignored, and what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
