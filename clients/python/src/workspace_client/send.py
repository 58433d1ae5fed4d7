"""Sends a call: the key, a limit of time for each attempt, and the same request again where that is safe."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple, Union, cast

from .errors import ApiError, ConnectionFailed
from .operations import API_PREFIX, OPERATIONS
from .request import build_request
from .retry import Bucket, Failure, budget_in, retry_after_in, retry_delay, wait_seconds

VERSION = "0.3.0"
PACE_SECONDS_MAX = 120


class Response(NamedTuple):
    status: int
    # Names in small letters.
    headers: Dict[str, str]
    body: bytes


class Request(NamedTuple):
    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[bytes]
    timeout: float


# In place of urllib, for tests. It raises OSError where no answer comes.
Transport = Callable[[Request], Response]


class Settings(NamedTuple):
    base_url: str
    api_key: Union[str, Callable[[], str], None]
    workspace_id: Optional[str]
    retries: int
    timeout: float
    user_agent: Optional[str]
    idempotency_key: Optional[str]
    transport: Transport


class Sender:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._budget: Dict[str, Bucket] = {}

    def send(self, name: str, values: Mapping[str, Any], upload: Optional[bytes] = None, timeout: Optional[float] = None) -> Any:
        """The answer's JSON, or its bytes where it is a file."""
        method, path, marks = place_of(name)
        parts = build_request(method, API_PREFIX + path, values)
        takes_key = method != "GET" and "upload" not in marks
        headers = {**parts.headers, **self._headers(takes_key)}
        body = parts.body
        if upload is not None:
            body = upload
            headers["Content-Type"] = "application/octet-stream"
        seconds = self.settings.timeout if timeout is None else timeout
        request = Request(method, self.settings.base_url + parts.target, headers, body, seconds)
        attempt = 0
        while True:
            try:
                return self._once(request, "bytes" in marks)
            except _Failed as failed:
                may_repeat = method == "GET" or takes_key
                delay = retry_delay(failed.failure, attempt, may_repeat, random.random())
                if attempt >= self.settings.retries or delay is None:
                    raise failed.error from failed.__cause__
            time.sleep(delay)
            attempt += 1

    def pace(self, cost: int) -> None:
        """Waits until calls of this cost fit into the rate limit."""
        time.sleep(min(wait_seconds(self._budget, cost, time.time()), PACE_SECONDS_MAX))

    def _headers(self, takes_key: bool) -> Dict[str, str]:
        key, workspace, agent = self.settings.api_key, self.settings.workspace_id, self.settings.user_agent
        own = f"workspace-integration-client-python/{VERSION}"
        headers = {"User-Agent": own if agent is None else f"{agent} {own}"}
        if key is not None:
            headers["Authorization"] = "Bearer " + (key if isinstance(key, str) else key())
        if workspace is not None:
            headers["x-workspace-id"] = workspace
        if takes_key:
            # The same key in every attempt: whatever comes of them, it is done once.
            headers["Idempotency-Key"] = self.settings.idempotency_key or uuid.uuid4().hex
        return headers

    def _once(self, request: Request, is_bytes: bool) -> Any:
        try:
            response = self.settings.transport(request)
        except (OSError, http.client.HTTPException) as error:
            raise _Failed(ConnectionFailed(f"No answer came: {error}"), Failure(None)) from error
        self._budget = budget_in(response.headers, time.time()) or self._budget
        if response.status < 400 and is_bytes:
            return response.body
        try:
            answer = json.loads(response.body) if response.body else None
        except ValueError:
            raise self._not_ours(response, "something that is no JSON") from None
        if response.status < 400:
            return answer
        if not isinstance(answer, dict) or not isinstance(cast(Dict[str, Any], answer).get("code"), str):
            raise self._not_ours(response, "something that is no problem of the API")
        problem = cast(Any, answer)
        failure = Failure(response.status, problem["code"], retry_after_in(response.headers.get("retry-after"), time.time()))
        raise _Failed(ApiError(problem), failure)

    def _not_ours(self, response: Response, what: str) -> _Failed:
        message = f"{self.settings.base_url} answered {response.status}, with {what}."
        retry_after = retry_after_in(response.headers.get("retry-after"), time.time())
        return _Failed(ConnectionFailed(message, response.status), Failure(response.status, None, retry_after))


class _Failed(Exception):
    def __init__(self, error: Union[ApiError, ConnectionFailed], failure: Failure) -> None:
        super().__init__(str(error))
        self.error = error
        self.failure = failure


def place_of(name: str) -> Tuple[str, str, Tuple[str, ...]]:
    method, path, *marks = OPERATIONS[name].split(" ")
    return method, path, tuple(marks)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key goes to no other address."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def urllib_transport(request: Request) -> Response:
    sent = urllib.request.Request(request.url, data=request.body, headers=request.headers, method=request.method)
    try:
        with _opener.open(sent, timeout=request.timeout) as answered:
            return Response(answered.status, _small(answered.headers), answered.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return Response(refused.code, _small(refused.headers), refused.read())


def _small(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
