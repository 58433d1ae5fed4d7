"""Batches of any length: cut into calls of up to a hundred items, sent one after the other at the pace of the rate limit.

The results are in the order of the items.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, cast

from .errors import ApiError
from .operations import COLLECTIONS
from .send import Sender

Item = Mapping[str, Any]
ITEMS_MAX = 100
# A body counts as one call for each part of this size.
BYTES_PER_CALL = 64 * 1024
# Of the body around the items.
BYTES_AROUND = 1_000


class _Chunk(NamedTuple):
    items: List[Item]
    bytes: int


def batch_all(
    sender: Sender,
    collection: str,
    items: Iterable[Item],
    fields: Optional[Sequence[str]] = None,
    expand: Optional[Sequence[str]] = None,
) -> Iterator[Dict[str, Any]]:
    known = COLLECTIONS[collection]
    shown = {name: list(value) for name, value in (("fields", fields), ("expand", expand)) if value is not None}
    ids: Dict[int, str] = {}
    limit, done = ITEMS_MAX, 0
    for chunk in _chunks(items, known.bytes_max):
        rest = chunk.items
        while rest:
            part = rest[:limit]
            sent = [_with_references(item, known.references, done, ids) for item in part]
            sender.pace(max(len(part), math.ceil(chunk.bytes / BYTES_PER_CALL)))
            try:
                results = sender.send(f"{collection}.batch", {**shown, "items": sent})["results"]
            except ApiError as error:
                fitting = _fitting(error)
                if not 1 <= fitting < len(part):
                    raise
                limit = fitting
                continue
            rest = rest[len(part) :]
            for result in results:
                index, done = done, done + 1
                made = cast("Dict[str, Any]", result.get("data") or {}).get("id")
                if made is not None:
                    ids[index] = made
                yield {**result, "index": index}


def _fitting(error: ApiError) -> int:
    """How many items fit into a call where these are too many for the rate limit."""
    limit = error.member("limit") if error.code == "too_many_items" else None
    return limit if isinstance(limit, int) else 0


def _chunks(items: Iterable[Item], bytes_max: int) -> Iterator[_Chunk]:
    """Up to a hundred items, and no more bytes than a body may have."""
    chunk: List[Item] = []
    size = BYTES_AROUND
    for item in items:
        own = len(json.dumps(item).encode()) + 2
        if chunk and (len(chunk) == ITEMS_MAX or size + own > bytes_max):
            yield _Chunk(chunk, size)
            chunk, size = [], BYTES_AROUND
        chunk.append(item)
        size += own
    if chunk:
        yield _Chunk(chunk, size)


def _with_references(item: Item, fields: Tuple[str, ...], done: int, ids: Mapping[int, str]) -> Item:
    """`#7` names the object of item 7 of all items.

    In the call that has this item it is `#` and its place there, in a later call the id that came of it. `done` items
    went in calls before.
    """

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(each) for each in cast(List[Any], value)]
        if isinstance(value, dict):
            return {key: renamed(each) for key, each in cast(Dict[str, Any], value).items()}
        match = re.fullmatch(r"#(\d+)", value) if isinstance(value, str) else None
        if match is None:
            return value
        index = int(match.group(1))
        # What was refused has no id: the item that names it is refused as well.
        return f"#{index - done}" if index >= done else ids.get(index, value)

    changed = dict(item)
    if "id" in changed:
        changed["id"] = renamed(changed["id"])
    data = changed.get("data")
    if isinstance(data, dict):
        fields_of = cast(Dict[str, Any], data).items()
        changed["data"] = {name: renamed(value) if name in fields else value for name, value in fields_of}
    return changed
