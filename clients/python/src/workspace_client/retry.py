"""Whether a call that failed is sent again and after how long, and what is left of the rate limit. Pure."""

from __future__ import annotations

import email.utils
import re
from typing import Dict, Mapping, NamedTuple, Optional

from .operations import RETRYABLE_CODES

# A longer wait is for the caller to decide on: the call fails.
WAIT_SECONDS_MAX = 60
BACK_OFF_SECONDS = 0.5
BACK_OFF_SECONDS_MAX = 8.0
SPREAD_SECONDS = 1.0
PASSING_STATUSES = {408, 429, 502, 503, 504}


class Failure(NamedTuple):
    """Why it failed: `status` is None where no answer came, `code` where it was no problem of the API."""

    status: Optional[int]
    code: Optional[str] = None
    retry_after: Optional[float] = None


def retry_delay(failure: Failure, attempt: int, may_repeat: bool, random: float) -> Optional[float]:
    """In seconds; None: not again. A call that `may_repeat` acts once, however often it arrives.

    Any other is repeated only after an answer that says that nothing was done.
    """
    back_off: float = min(BACK_OFF_SECONDS * 2 ** min(attempt, 10), BACK_OFF_SECONDS_MAX) * (0.5 + random / 2)
    if failure.status is None:
        return back_off if may_repeat else None
    may_pass = failure.status in PASSING_STATUSES if failure.code is None else failure.code in RETRYABLE_CODES
    says_not_done = failure.code is not None and failure.status in (429, 503)
    if not may_pass or not (may_repeat or says_not_done):
        return None
    if failure.retry_after is None:
        return back_off
    # Never earlier than we were told to, and not all at once.
    return None if failure.retry_after > WAIT_SECONDS_MAX else failure.retry_after + random * SPREAD_SECONDS


def retry_after_in(header: Optional[str], now: float) -> Optional[float]:
    """`Retry-After` in seconds, or as a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - now)
    except (TypeError, ValueError):
        return None


class Bucket(NamedTuple):
    left: int
    per_second: float
    at: float


def budget_in(headers: Mapping[str, str], now: float) -> Dict[str, Bucket]:
    """What is left, from `RateLimit` (`"key";r=98;t=1`) and `RateLimit-Policy` (`"key";q=600;w=60`) of an answer."""
    left, policies = _items(headers.get("ratelimit")), _items(headers.get("ratelimit-policy"))
    return {
        name: Bucket(values["r"], policies[name]["q"] / policies[name]["w"], now)
        for name, values in left.items()
        if "r" in values and policies.get(name, {}).get("q", 0) > 0 and policies[name].get("w", 0) > 0
    }


def wait_seconds(budget: Mapping[str, Bucket], cost: int, now: float) -> float:
    """How long to wait until calls of this cost fit into what is left."""
    return max([0.0, *((cost - each.left) / each.per_second - (now - each.at) for each in budget.values())])


def _items(header: Optional[str]) -> Dict[str, Dict[str, int]]:
    found = re.findall(r'"([^"]*)"((?:;[a-z]+=-?\d+)*)', header or "")
    return {
        name: {key: int(value) for key, value in re.findall(r"([a-z]+)=(-?\d+)", parameters)}
        for name, parameters in found
    }
