"""A small client on the standard library: sends the key, names the workspace, waits after 429 and 503."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TRIES_MAX = 5
WAIT_MAX_SECONDS = 60


class ApiError(Exception):
    """What the API refused. `problem` is its body."""

    def __init__(self, problem):
        super().__init__("{status} {code}: {detail} (request {requestId})".format(**problem))
        self.problem = problem


def call(method, path, query=None, body=None, headers=None):
    url = setting("WORKSPACE_API_URL") + "/api/v1" + path
    if query:
        url += "?" + urllib.parse.urlencode(query)
    sent = {"Authorization": "Bearer " + setting("WORKSPACE_API_KEY"), "User-Agent": "workspace-starter/1.0"}
    if os.environ.get("WORKSPACE_ID"):
        sent["x-workspace-id"] = os.environ["WORKSPACE_ID"]
    if method != "GET":
        # The same key in every try: whatever comes of them, it is done once.
        sent["Idempotency-Key"] = str(uuid.uuid4())
    if body is not None:
        sent["Content-Type"] = "application/json"
    sent.update(headers or {})
    data = None if body is None else json.dumps(body).encode()
    for tries in range(1, TRIES_MAX + 1):
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as refused:
            if tries == TRIES_MAX or refused.code not in (429, 503):
                raise ApiError(problem_of(refused)) from None
            asked = refused.headers.get("Retry-After", "")
            seconds = int(asked) if asked.isascii() and asked.isdigit() else 2**tries
            time.sleep(min(seconds, WAIT_MAX_SECONDS))


def each(path, query):
    """All items of a list, page by page."""
    cursor = None
    while True:
        page = call("GET", path, {**query, **({"cursor": cursor} if cursor else {})})
        yield from page["data"]
        cursor = page["page"]["nextCursor"]
        if cursor is None:
            return


def setting(name):
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"Set {name}, see .env.example")
    return value


def problem_of(refused):
    """What stands between us and the API may answer something else than a problem."""
    text = refused.read().decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return {"status": refused.code, "code": "unreadable", "detail": text[:200], "requestId": "unknown"}
