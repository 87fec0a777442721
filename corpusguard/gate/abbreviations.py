"""Abbreviations after which a full stop ends no sentence, in answers as in the law."""

from __future__ import annotations

import re
from typing import Final

ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\"“\[])(?:"
    r"ss?|sub-?ss?|cl|cls|subcl|paras?|pp?|arts?|c|ch|chap|sched|app|reg|regs|nos?|vol|ed|eds|"
    r"o|r\.r\.o|r\.s\.o|s\.o|r\.s\.c|s\.c|r\.s|r\.s\.b\.c|s\.b\.c|r\.s\.a|c\.q\.l\.r|sor|si|"
    r"o\.j|o\.r|o\.a\.c|d\.l\.r|s\.c\.r|c\.a|ont|que|alta|sask|man|b\.c|n\.s|n\.b|can|"
    r"v|vs|et al|al|cf|e\.g|i\.e|viz|ibid|supra|infra|approx|"
    r"capt|sgt|col|gen|rev|mr|mrs|ms|dr|prof|hon|rt|st|ste|jr|sr|j|jj|c\.j|j\.a|c\.j\.o|"
    r"inc|ltd|co|corp|assn|dept|gov|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[A-Za-z]|"
    r"u\.s|u\.k|a\.m|p\.m|dec'd"
    r")\.$",
    re.IGNORECASE,
)
"""At the end of what stands before and with the full stop."""
