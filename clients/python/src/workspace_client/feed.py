"""Follows the feed of events: each event once, in order, from a position on.

A position is the number of an event, so whoever keeps it can go on from it after a restart.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Sequence

from .errors import ApiError, ConnectionFailed
from .operations import RETRYABLE_CODES
from .send import Sender

if TYPE_CHECKING:
    from .types import EventRecord

WAIT_SECONDS = 20
WAIT_MARGIN_SECONDS = 10
AGAIN_AFTER_SECONDS_MAX = 30.0


class EventFeed:
    def __init__(
        self,
        sender: Sender,
        after: Optional[int],
        occurred_after: Optional[str],
        event_types: Optional[Sequence[str]],
        resource_id: Optional[str],
        until_caught_up: bool,
    ) -> None:
        # Keep it, and give it as `after` next time: every event up to it has been worked off. An event is, once the next
        # one is asked for. None before anything is known.
        self.position: Optional[int] = after
        self._sender = sender
        self._occurred_after = occurred_after
        self._until_caught_up = until_caught_up
        self._filters: Dict[str, Any] = {
            **({} if event_types is None else {"eventTypes": list(event_types)}),
            **({} if resource_id is None else {"resourceId": resource_id}),
        }

    def __iter__(self) -> Iterator[EventRecord]:
        wait = 0
        while True:
            answer = self._answered({**self._filters, **self._begin(), "limit": 200, "wait": wait})
            for event in answer["data"]:
                yield event
                self.position = event["sequence"]
            self.position = answer["lastSequence"]
            if self._until_caught_up and not answer["hasMore"]:
                return
            wait = 0 if answer["hasMore"] or self._until_caught_up else WAIT_SECONDS

    def _begin(self) -> Dict[str, Any]:
        if self.position is not None:
            return {"after": self.position}
        return {} if self._occurred_after is None else {"occurredAfter": self._occurred_after}

    def _answered(self, values: Dict[str, Any]) -> Any:
        """Goes on after what may pass, for as long as that takes."""
        failures = 0
        while True:
            try:
                return self._sender.send("events.list", values, timeout=WAIT_SECONDS + WAIT_MARGIN_SECONDS)
            except (ApiError, ConnectionFailed) as error:
                if not _may_pass(error):
                    raise
            time.sleep(min(2.0 ** min(failures, 10), AGAIN_AFTER_SECONDS_MAX) * (0.5 + random.random() / 2))
            failures += 1


def _may_pass(error: Exception) -> bool:
    if isinstance(error, ApiError):
        return error.code in RETRYABLE_CODES
    status = error.status if isinstance(error, ConnectionFailed) else None
    return status is None or status == 429 or status >= 500
