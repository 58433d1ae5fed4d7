"""An operation's input as a request: its path, query, conditions and body."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, cast
from urllib.parse import quote, urlencode

# What an answer shows stands in the query, also where all else is the body.
ANSWER_FIELDS = {"fields", "expand"}


class RequestParts(NamedTuple):
    # With the query.
    target: str
    headers: Dict[str, str]
    body: Optional[bytes]


def build_request(method: str, path: str, values: Mapping[str, Any]) -> RequestParts:
    rest = dict(values)
    headers: Dict[str, str] = {}
    expected = rest.pop("expectedVersion", None)
    if expected is not None:
        headers["If-Match"] = f'"{expected}"'
    if rest.pop("createOnly", False):
        headers["If-None-Match"] = "*"
    names = re.findall(r"\{(\w+)\}", path)
    target = re.sub(r"\{(\w+)\}", lambda match: _segment(path, match.group(1), values), path)
    for name in names:
        rest.pop(name, None)
    takes_query = method in ("GET", "DELETE")
    asked: List[Tuple[str, str]] = []
    for name in [name for name in rest if takes_query or name in ANSWER_FIELDS]:
        asked.extend(_parameters(name, rest.pop(name)))
    if asked:
        target += "?" + urlencode(asked)
    if takes_query:
        return RequestParts(target, headers, None)
    return RequestParts(target, {**headers, "Content-Type": "application/json"}, json.dumps(rest).encode())


def _segment(path: str, name: str, values: Mapping[str, Any]) -> str:
    text = as_text(values.get(name, ""))
    # Nothing and dots would make it the address of something else.
    if text in ("", ".", ".."):
        raise ValueError(f"{path} needs {name}")
    return quote(text, safe="")


def _parameters(name: str, value: Any) -> List[Tuple[str, str]]:
    """A filter by custom fields, `{"size": {"gte": "5"}}`, is a parameter for each: `customFields.size[gte]=5`."""
    if not isinstance(value, dict):
        return [(name, as_text(value))]
    filters = cast("Dict[str, Dict[str, Any]]", value)
    return [
        (f"{name}.{key}" + ("" if bound == "eq" else f"[{bound}]"), as_text(limit))
        for key, bounds in filters.items()
        for bound, limit in bounds.items()
    ]


def as_text(value: Any) -> str:
    """Commas part the items of a list; one in an item has a backslash before it."""
    if isinstance(value, (list, tuple)):
        return ",".join(re.sub(r"[\\,]", r"\\\g<0>", as_text(item)) for item in cast("List[Any]", value))
    return value if isinstance(value, str) else json.dumps(value)
