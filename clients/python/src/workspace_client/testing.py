"""A stand-in for the API, for tests of programs that use the client: it is given to the client as its `transport`.

It is in memory. It keeps objects of the collections, answers their lists in pages and filters them by equality; it
knows versions, own ids, idempotency keys and the feed. It checks nothing: what it takes, the API may refuse.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, cast
from urllib.parse import parse_qsl, unquote

from .operations import API_PREFIX, COLLECTIONS, OPERATIONS
from .send import Request, Response
from .webhooks import sign_webhook

Object = Dict[str, Any]
STATUSES = {
    **{"rate_limited": 429, "unavailable": 503, "timeout": 504, "internal_error": 500, "not_found": 404},
    **{"version_mismatch": 412, "insufficient_scope": 403, "invalid_api_key": 401, "validation_failed": 422},
    **{"duplicate": 409, "purged": 410},
}
PAGE_DEFAULT, PAGE_MAX = 50, 200
# A follower of the feed asks again at once.
EMPTY_FEED_SECONDS = 0.02
SHOWN_ONLY = {"limit", "cursor", "sort", "fields", "expand", "includeDeleted", "includeArchived", "includeTotal"}


class FakeCall(NamedTuple):
    operation: str
    input: Dict[str, Any]


class _Refusal(Exception):
    def __init__(self, status: int, code: str, detail: str, more: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(detail)
        self.status = status
        self.body = {"type": f"/docs/errors/{code}", "title": code, "status": status, "detail": detail, "instance": ""}
        self.body.update({"code": code, "requestId": "fake", **(more or {})})


class FakeServer:
    """`Client(fake.url, api_key="wsk_test", transport=fake)`"""

    def __init__(self, url: str = "https://fake.example") -> None:
        self.url = url
        # What was called, in order.
        self.calls: List[FakeCall] = []
        self.events: List[Dict[str, Any]] = []
        self._objects: Dict[str, List[Object]] = {name: [] for name in COLLECTIONS}
        self._refusing: List[Dict[str, Any]] = []
        self._answers: Dict[str, Callable[[Mapping[str, Any]], Any]] = {}
        self._kept: Dict[str, Tuple[int, Any]] = {}

    def __call__(self, request: Request) -> Response:
        operation, values = _call_in(request, self.url)
        self.calls.append(FakeCall(operation, values))
        try:
            status, body = self._answered(operation, values, request.headers.get("Idempotency-Key"))
        except _Refusal as refused:
            status, body = refused.status, refused.body
        headers = {"content-type": "application/json"}
        if isinstance(body, dict) and "retryAfterSeconds" in body:
            headers["retry-after"] = str(cast(Dict[str, Any], body)["retryAfterSeconds"])
        return Response(status, headers, b"" if status == 204 else json.dumps(body).encode())

    def objects(self, collection: str) -> List[Object]:
        """The objects of a collection that are not deleted."""
        return [each for each in self._of(collection) if each["deletedAt"] is None]

    def add(self, collection: str, fields: Mapping[str, Any]) -> Object:
        """Adds an object as it is, without an event."""
        made: Object = {"id": str(uuid.uuid4()), "object": COLLECTIONS[collection].object, "version": 1}
        made.update(createdAt=_now(), updatedAt=_now(), deletedAt=None, externalIds=[], customFields={})
        made.update(fields)
        self._of(collection).append(made)
        return made

    def refuse(
        self,
        code: str,
        times: int = 1,
        status: Optional[int] = None,
        retry_after_seconds: int = 0,
        operation: Optional[str] = None,
    ) -> None:
        """The next calls, of any or of this operation, are refused with this code."""
        chosen = STATUSES.get(code, 400) if status is None else status
        more = {"retryAfterSeconds": retry_after_seconds}
        self._refusing.append({"left": times, "operation": operation, "args": (chosen, code, "Refused by the test.", more)})

    def answer(self, operation: str, answer: Callable[[Mapping[str, Any]], Any]) -> None:
        """What an operation answers that the fake does not know, or in place of what it does."""
        self._answers[operation] = answer

    def delivery(
        self, secret: str, event: Optional[Mapping[str, Any]] = None, brand: str = "service", delivery_id: str = "d-1"
    ) -> Tuple[bytes, Dict[str, str]]:
        """An event, the newest by default, as a webhook delivers it: body and signed headers."""
        chosen = self.events[-1] if event is None else event
        body = json.dumps(chosen).encode()
        return body, sign_webhook(body, secret, delivery_id, int(time.time()), brand, str(chosen.get("type")))

    def _answered(self, operation: str, values: Dict[str, Any], key: Optional[str]) -> Tuple[int, Any]:
        for refusing in self._refusing:
            if refusing["left"] > 0 and refusing["operation"] in (None, operation):
                refusing["left"] -= 1
                raise _Refusal(*refusing["args"])
        if key is not None and key in self._kept:
            return self._kept[key]
        own = self._answers.get(operation)
        answer = self._known(operation, values) if own is None else (200, own(values))
        if key is not None:
            self._kept[key] = answer
        return answer

    def _known(self, operation: str, values: Dict[str, Any]) -> Tuple[int, Any]:
        collection, action = operation.split(".")
        if operation == "events.list":
            return 200, self._feed(values)
        if collection not in COLLECTIONS:
            raise _unknown(operation)
        if action == "list":
            return 200, self._list(collection, values)
        if action == "count":
            return 200, {"total": len(self._matching(collection, values)), "groups": [], "moreGroups": 0}
        if action == "batch":
            return 200, {"results": [self._item(collection, at, item) for at, item in enumerate(values["items"])]}
        return self._change(collection, action, values)

    def _change(self, collection: str, action: str, values: Mapping[str, Any]) -> Tuple[int, Any]:
        not_data = {"id", "source", "externalId", "expectedVersion", "createOnly", "fields", "expand"}
        options = {"onMatch", "restore", "match"} if action == "upsert" else cast("set[str]", set())
        data = {name: value for name, value in values.items() if name not in not_data | options}
        own = {"source": values["source"], "id": values.get("externalId")} if "source" in values else None
        if action == "create":
            return 201, self._made(collection, data)
        found = next((each for each in self._of(collection) if _is_named(each, values, own)), None)
        if found is None and action == "upsert" and own is not None:
            ids = {"externalSource": own["source"], "externalId": own["id"], "externalIds": [own]}
            return 201, {**self._made(collection, {**data, **ids}), "outcome": "created", "matchedBy": None}
        if found is None or (found["deletedAt"] and action != "restore" and "includeDeleted" not in values):
            raise _Refusal(404, "not_found", f"No {COLLECTIONS[collection].object} has this ID.")
        if action in ("get", "get-by-external-id"):
            return 200, found
        current = {"currentVersion": found["version"]}
        if values.get("expectedVersion", found["version"]) != found["version"]:
            raise _Refusal(412, "version_mismatch", f"The object is now at version {found['version']}.", current)
        if values.get("createOnly"):
            raise _Refusal(412, "precondition_failed", "The object exists.", current)
        if action in ("delete", "delete-by-external-id"):
            self._changed(collection, "deleted", found, {"deletedAt": _now()})
            return 204, None
        if action == "restore":
            return 200, self._changed(collection, "restored", found, {"deletedAt": None})
        if action not in ("update", "upsert"):
            raise _unknown(f"{collection}.{action}")
        changed = self._changed(collection, "updated", found, data)
        return 200, {**changed, "outcome": "updated", "matchedBy": "externalId"} if action == "upsert" else changed

    def _item(self, collection: str, index: int, item: Mapping[str, Any]) -> Dict[str, Any]:
        rest = {name: value for name, value in item.items() if name not in ("action", "data", "externalSource")}
        if "externalSource" in item:
            rest["source"] = item["externalSource"]
        try:
            status, body = self._change(collection, item["action"], {**(item.get("data") or {}), **rest})
            return {"index": index, "status": status, "data": body}
        except _Refusal as refused:
            return {"index": index, "status": refused.status, "problem": {**refused.body, "instance": f"#/items/{index}"}}

    def _of(self, collection: str) -> List[Object]:
        return self._objects[collection]

    def _made(self, collection: str, data: Mapping[str, Any]) -> Object:
        made = self.add(collection, data)
        self._record(collection, "created", made)
        return made

    def _changed(self, collection: str, change: str, found: Object, fields: Mapping[str, Any]) -> Object:
        # The one that was answered before stays as it was.
        changed = {**found, **fields, "version": found["version"] + 1, "updatedAt": _now()}
        objects = self._of(collection)
        objects[objects.index(found)] = changed
        self._record(collection, change, changed)
        return changed

    def _record(self, collection: str, change: str, data: Object) -> None:
        event: Dict[str, Any] = {"id": str(uuid.uuid4()), "object": "event", "type": f"{collection}.{change}", "workspaceId": "fake"}
        event.update(sequence=len(self.events) + 1, occurredAt=data["updatedAt"], requestId="fake", data=data, changes={})
        event.update(actor={"type": "api_key", "id": "fake", "name": "Fake"})
        event.update(resource={"type": collection, "id": data["id"], "kind": None, "version": data["version"]})
        self.events.append(event)

    def _matching(self, collection: str, values: Mapping[str, Any]) -> List[Object]:
        shows_deleted = values.get("includeDeleted") == "true"
        visible = [each for each in self._of(collection) if shows_deleted or each["deletedAt"] is None]
        asked = [(_field_of(visible, name), str(text)) for name, text in values.items() if name not in SHOWN_ONLY]
        return [each for each in visible if all(_fits(each, field, text) for field, text in asked)]

    def _list(self, collection: str, values: Mapping[str, Any]) -> Dict[str, Any]:
        found = self._matching(collection, values)
        for field in reversed(str(values.get("sort", "-createdAt")).split(",")):
            name = field.lstrip("-")
            found.sort(key=lambda each: str(each.get(name) or ""), reverse=field.startswith("-"))
        limit, begin = min(int(values.get("limit", PAGE_DEFAULT)), PAGE_MAX), int(values.get("cursor", 0))
        end = begin + limit
        page: Dict[str, Any] = {"limit": limit, "hasMore": end < len(found)}
        page["nextCursor"] = str(end) if page["hasMore"] else None
        if values.get("includeTotal") == "true":
            page["total"] = len(found)
        return {"data": found[begin:end], "page": page}

    def _feed(self, values: Mapping[str, Any]) -> Dict[str, Any]:
        after, since = int(values.get("after", 0)), values.get("occurredAfter")
        later = [each for each in self.events if (each["sequence"] > after if since is None else each["occurredAt"] > since)]
        read = later[: int(values.get("limit", PAGE_DEFAULT))]
        if not read:
            time.sleep(EMPTY_FEED_SECONDS)
        patterns = str(values.get("eventTypes", "*")).split(",")
        end = after if since is None else len(self.events)
        return {
            "data": [each for each in read if any(_is_of(each["type"], pattern) for pattern in patterns)],
            "lastSequence": read[-1]["sequence"] if read else end,
            "hasMore": len(later) > len(read),
        }


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _unknown(what: str) -> _Refusal:
    return _Refusal(404, "route_not_found", f"The fake server does not know {what}: say what it answers by `answer`.")


def _is_of(event_type: str, pattern: str) -> bool:
    return pattern in ("*", event_type) or (pattern.endswith(".*") and event_type.startswith(pattern[:-1]))


def _is_named(each: Object, values: Mapping[str, Any], own: Optional[Mapping[str, Any]]) -> bool:
    return each["id"] == values.get("id") if own is None else own in each["externalIds"]


def _field_of(objects: List[Object], name: str) -> str:
    """The field that a filter asks for: `assigneeId` is one of `assigneeIds`. Some objects may lack it."""
    fields = ["id"] if name == "ids" else [name, f"{name}s"]
    found = next((field for field in fields if any(field in each for each in objects)), None)
    if found is None and objects:
        raise _Refusal(400, "invalid_parameter", f"The fake server does not filter by {name}.")
    return found or name


def _fits(each: Object, field: str, text: str) -> bool:
    """Any of the values, or with `!` before them none."""
    value = each.get(field)
    held = cast("List[Any]", value) if isinstance(value, list) else [] if value is None else [value]
    texts = {one if isinstance(one, str) else json.dumps(one) for one in held}
    asked = [re.sub(r"\\(.)", r"\1", one) for one in re.split(r"(?<!\\),", text)]
    negated = all(one.startswith("!") for one in asked)
    return any((one[1:] if negated else one) in texts for one in asked) != negated


def _call_in(request: Request, url: str) -> Tuple[str, Dict[str, Any]]:
    """The operation that a request calls, and its input."""
    path, _, query = request.url[len(url) :].partition("?")
    parts = path[len(API_PREFIX) :].split("/")
    # One that names the path is meant rather than one that takes any name there.
    for operation, how in sorted(OPERATIONS.items(), key=lambda each: each[1].count("{")):
        method, template = how.split(" ")[:2]
        names = template.split("/")
        if method == request.method and len(names) == len(parts) and all(map(_same, names, parts)):
            values: Dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
            if request.headers.get("Content-Type") == "application/json" and request.body:
                values.update(json.loads(request.body))
            values.update({name[1:-1]: unquote(part) for name, part in zip(names, parts) if name.startswith("{")})
            expected = re.fullmatch(r'"(\d+)"', request.headers.get("If-Match", ""))
            if expected is not None:
                values["expectedVersion"] = int(expected.group(1))
            if request.headers.get("If-None-Match") == "*":
                values["createOnly"] = True
            return operation, values
    raise LookupError(f"There is no operation at {request.method} {path}")


def _same(name: str, part: str) -> bool:
    return name.startswith("{") or name == part
