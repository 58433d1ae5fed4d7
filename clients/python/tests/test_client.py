"""The client against a server that fails in chosen ways, the fake server, and signatures."""

from __future__ import annotations

import base64
import json
import random
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from workspace_client import ApiError, Client, ConnectionFailed, WebhookError, verify_webhook  # noqa: E402
from workspace_client.request import build_request  # noqa: E402
from workspace_client.send import Request, Response  # noqa: E402
from workspace_client.retry import Failure, budget_in, retry_after_in, retry_delay, wait_seconds  # noqa: E402
from workspace_client.testing import FakeServer  # noqa: E402
from workspace_client.webhooks import sign_webhook  # noqa: E402

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(range(1, 33))).decode()

Answer = Tuple[int, Any, Dict[str, str]]
BREAKS_OFF: Answer = (0, None, {})


def problem(status: int, code: str, retry_after: str = "0", **more: Any) -> Answer:
    body = {"code": code, "status": status, "detail": "No.", "requestId": "r", **more}
    return status, body, {"Retry-After": retry_after}


class Failing:
    """Each call is answered by the next of these, and all further ones by the last."""

    def __init__(self, *answers: Answer) -> None:
        self.seen: List[Tuple[str, str, Optional[str], bytes]] = []
        seen = self.seen

        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer, headers = answers[min(len(seen), len(answers) - 1)]
                seen.append((self.command, self.path, self.headers.get("Idempotency-Key"), body))
                if status == 0:
                    self.close_connection = True
                    return
                text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.client = Client(f"http://127.0.0.1:{self.server.server_port}", api_key="wsk_test", timeout=5)

    def __enter__(self) -> Failing:
        return self

    def __exit__(self, *_: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


class Calls(unittest.TestCase):
    def test_a_change_is_sent_again_with_the_same_key(self) -> None:
        answers: List[Answer] = [problem(429, "rate_limited"), (503, b"<html>", {}), BREAKS_OFF, (201, {"id": "t"}, {})]
        with Failing(*answers) as failing:
            made = failing.client.tasks.create(projectId="p", title="Once")
        self.assertEqual(made["id"], "t")
        self.assertEqual(len(failing.seen), 4)
        self.assertEqual(len({(key, body) for _, _, key, body in failing.seen}), 1)
        self.assertTrue(failing.seen[0][2])

    def test_a_call_says_whose_it_is(self) -> None:
        seen: List[Dict[str, str]] = []

        def transport(request: Request) -> Response:
            seen.append(request.headers)
            return Response(200, {}, b"{}")

        keys = iter(["wsk_old", "wsk_new"])
        client = Client("http://api/", lambda: next(keys), "w-1", user_agent="acme-sync/2", transport=transport)
        client.tasks.get(id="t")
        client.tasks.get(id="t")
        Client("http://api", transport=transport).tasks.get(id="t")
        first, second, bare = seen
        self.assertEqual([first["Authorization"], second["Authorization"]], ["Bearer wsk_old", "Bearer wsk_new"])
        self.assertEqual(first["x-workspace-id"], "w-1")
        self.assertRegex(first["User-Agent"], r"^acme-sync/2 workspace-integration-client-python/\d")
        self.assertEqual(set(bare), {"User-Agent"})

    def test_a_call_that_takes_too_long_is_repeated(self) -> None:
        tries: List[float] = []

        def transport(request: Request) -> Response:
            tries.append(request.timeout)
            if len(tries) == 1:
                raise TimeoutError("timed out")
            return Response(200, {}, b'{"id": "t"}')

        client = Client("http://api", timeout=3, transport=transport)
        self.assertEqual(client.tasks.get(id="t")["id"], "t")
        self.assertEqual(tries, [3, 3])

    def test_two_changes_have_two_keys_and_a_read_has_none(self) -> None:
        with Failing((200, {}, {})) as failing:
            failing.client.tasks.create(projectId="p", title="One")
            failing.client.tasks.create(projectId="p", title="Two")
            failing.client.using(idempotency_key="mine").tasks.create(projectId="p", title="Three")
            failing.client.tasks.get(id="t")
        first, second, third, read = [key for _, _, key, _ in failing.seen]
        self.assertNotEqual(first, second)
        self.assertEqual((third, read), ("mine", None))

    def test_what_does_not_pass_is_not_tried_again(self) -> None:
        for code, status in (("not_found", 404), ("version_mismatch", 412), ("query_too_costly", 503)):
            with self.subTest(code), Failing(problem(status, code)) as failing:
                with self.assertRaises(ApiError) as caught:
                    failing.client.tasks.get(id="t")
                self.assertEqual((caught.exception.code, caught.exception.status), (code, status))
                self.assertEqual(len(failing.seen), 1)

    def test_bytes_are_sent_again_only_if_nothing_was_done(self) -> None:
        with Failing(problem(503, "unavailable"), (204, b"", {})) as refused:
            refused.client.files.upload(b"bytes", id="f")
        with Failing(BREAKS_OFF) as lost, self.assertRaises(ConnectionFailed):
            lost.client.files.upload(b"bytes", id="f")
        self.assertEqual([(key, body) for _, _, key, body in refused.seen], [(None, b"bytes")] * 2)
        self.assertEqual(len(lost.seen), 1)

    def test_tries_end_and_long_waits_are_for_the_caller(self) -> None:
        with Failing(problem(503, "unavailable")) as failing, self.assertRaises(ApiError):
            failing.client.using(retries=1).tasks.list().first()
        with Failing(problem(429, "rate_limited", "61")) as patient, self.assertRaises(ApiError):
            patient.client.tasks.get(id="t")
        self.assertEqual((len(failing.seen), len(patient.seen)), (2, 1))

    def test_an_answer_of_something_in_front_says_so_and_the_key_follows_no_redirect(self) -> None:
        with Failing((404, b"<html>", {})) as failing, self.assertRaisesRegex(ConnectionFailed, "no JSON"):
            failing.client.tasks.get(id="t")
        with Failing((200, {"id": "t"}, {})) as other:
            moved = (302, b"", {"Location": f"http://127.0.0.1:{other.server.server_port}/"})
            with Failing(moved) as failing:
                failing.client.tasks.get(id="t")
        self.assertEqual(other.seen, [])

    def test_a_list_is_read_page_by_page(self) -> None:
        page = {"data": [{"id": "1"}], "page": {"nextCursor": "next"}}
        with Failing((200, page, {}), (200, {"data": [{"id": "2"}], "page": {"nextCursor": None}}, {})) as failing:
            ids = [task["id"] for task in failing.client.tasks.list(labels=["Berlin, west", "b"], limit=1)]
        self.assertEqual(ids, ["1", "2"])
        self.assertEqual(failing.seen[0][1], "/api/v1/tasks?labels=Berlin%5C%2C+west%2Cb&limit=1")
        self.assertTrue(failing.seen[1][1].endswith("&cursor=next"))

    def test_a_batch_is_cut_and_its_items_may_name_earlier_ones(self) -> None:
        def results(count: int) -> Answer:
            return 200, {"results": [{"index": n, "status": 201, "data": {"id": f"t{n}"}} for n in range(count)]}, {}

        items = [{"action": "create", "data": {"title": "#1", "parentTaskId": f"#{max(n - 1, 0)}"}} for n in range(130)]
        too_many = problem(413, "too_many_items", limit=60)
        with Failing(too_many, results(60), results(40), results(30)) as failing:
            done = list(failing.client.tasks.batch_all(items))
        self.assertEqual([result["index"] for result in done], list(range(130)))
        sent = [json.loads(body)["items"] for _, _, _, body in failing.seen]
        self.assertEqual([len(each) for each in sent], [100, 60, 40, 30])
        self.assertEqual(sent[2][0]["data"], {"title": "#1", "parentTaskId": "t59"})
        self.assertEqual(sent[2][5]["data"]["parentTaskId"], "#4")

    def test_a_batch_is_cut_also_by_its_bytes(self) -> None:
        items = [{"action": "create", "data": {"description": "a" * 400_000}} for _ in range(4)]
        with Failing((200, {"results": []}, {})) as failing:
            list(failing.client.tasks.batch_all(items))
        self.assertEqual([len(json.loads(body)["items"]) for _, _, _, body in failing.seen], [2, 2])

    def test_a_follower_goes_on_from_where_it_was(self) -> None:
        def page(sequence: int) -> Answer:
            return 200, {"data": [{"sequence": sequence}], "lastSequence": sequence, "hasMore": True}, {}

        answers = (page(1), problem(503, "unavailable"), page(2), problem(410, "cursor_expired"))
        with Failing(*answers) as failing:
            feed = failing.client.events.follow(after=0)
            read: List[int] = []
            with self.assertRaises(ApiError) as caught:
                for event in feed:
                    read.append(event["sequence"])
        self.assertEqual((read, feed.position, caught.exception.code), ([1, 2], 2, "cursor_expired"))


    def test_a_position_counts_an_event_once_the_next_one_is_asked_for(self) -> None:
        data = [{"sequence": sequence} for sequence in (1, 2, 3)]
        with Failing((200, {"data": data, "lastSequence": 9, "hasMore": False}, {})) as failing:
            feed = failing.client.events.follow(after=0, until_caught_up=True)
            for event in feed:
                if event["sequence"] == 2:
                    break
            broken = feed.position
            list(feed)
        self.assertEqual((broken, feed.position), (1, 9))


class Decisions(unittest.TestCase):
    def test_waits_are_bounded_and_never_too_early(self) -> None:
        for _ in range(500):
            attempt, chance = random.randrange(60), random.random()
            told = retry_delay(Failure(429, "rate_limited", 7), attempt, True, chance) or 0
            own = retry_delay(Failure(None), attempt, True, chance) or 0
            self.assertTrue(7 <= told <= 8 and min(0.25 * 2**attempt, 4) <= own <= 8)

    def test_the_time_to_come_again(self) -> None:
        self.assertEqual(retry_after_in("5", 0), 5)
        self.assertEqual(retry_after_in("Thu, 01 Jan 1970 00:00:09 GMT", 0), 9)
        self.assertEqual([retry_after_in(None, 0), retry_after_in("soon", 0)], [None, None])

    def test_the_tightest_limit_counts(self) -> None:
        policy = '"key";q=600;w=60, "workspace";q=3000;w=60'
        budget = budget_in({"ratelimit": '"key";r=40;t=1, "workspace";r=10;t=1', "ratelimit-policy": policy}, 0)
        self.assertEqual([wait_seconds(budget, cost, 0) for cost in (10, 15, 50)], [0, 0.1, 1])
        self.assertAlmostEqual(wait_seconds(budget, 50, 0.9), 0.1)
        self.assertEqual((budget_in({}, 0), wait_seconds({}, 100, 0)), ({}, 0))

    def test_a_request_has_each_value_in_its_place(self) -> None:
        values = {"id": "ext:erp/1", "title": "T", "fields": ["title"], "expectedVersion": 3, "createOnly": True}
        parts = build_request("PATCH", "/tasks/{id}", values)
        self.assertEqual(parts.target, "/tasks/ext%3Aerp%2F1?fields=title")
        self.assertEqual((parts.headers["If-Match"], parts.headers["If-None-Match"]), ('"3"', "*"))
        self.assertEqual(parts.body, b'{"title": "T"}')
        asked = build_request("GET", "/tasks", {"customFields": {"size": {"eq": ["1"], "gte": "2"}}}).target
        self.assertEqual(asked, "/tasks?customFields.size=1&customFields.size%5Bgte%5D=2")
        for bad in ("", ".", ".."):
            self.assertRaises(ValueError, build_request, "GET", "/tasks/{id}", {"id": bad})


class Webhooks(unittest.TestCase):
    body = b'{"type":"tasks.created"}'

    def headers(self) -> Dict[str, str]:
        return sign_webhook(self.body, SECRET, "d-1", 1_000, "acme", "tasks.created")

    def test_both_signatures_are_verified_also_while_a_secret_is_replaced(self) -> None:
        upper = {name.title(): value for name, value in self.headers().items()}
        for scheme in ("standard", "own"):
            delivery = verify_webhook(self.body, upper, [OTHER, SECRET], scheme, "acme", now=1_100)
            self.assertEqual((delivery.id, delivery.event["type"]), ("d-1", "tasks.created"))

    def test_what_is_not_genuine_is_refused(self) -> None:
        changes: List[Callable[[], Tuple[bytes, Dict[str, str], str, float]]] = [
            lambda: (b"{}", self.headers(), SECRET, 1_000),
            lambda: (self.body, self.headers(), OTHER, 1_000),
            lambda: (self.body, {}, SECRET, 1_000),
            lambda: (self.body, self.headers(), SECRET, 1_301),
            lambda: (self.body, self.headers(), SECRET, 699),
        ]
        for change in changes:
            for scheme in ("standard", "own"):
                body, headers, secret, now = change()
                with self.assertRaises(WebhookError):
                    verify_webhook(body, headers, secret, scheme, "acme", now=now)
        for secret in ("", "whsec_AAAA"):
            self.assertRaises(ValueError, verify_webhook, self.body, self.headers(), secret, now=1_000)


class Fake(unittest.TestCase):
    def setUp(self) -> None:
        self.fake = FakeServer()
        self.client = Client(self.fake.url, api_key="wsk_test", transport=self.fake)

    def test_calls_are_refused_as_the_test_says_and_seen(self) -> None:
        self.fake.refuse("rate_limited", times=2)
        self.fake.refuse("insufficient_scope", operation="projects.list")
        made = self.client.projects.create(name="Retried")
        self.assertRaises(ApiError, self.client.projects.list().first)
        self.assertEqual([each["id"] for each in self.fake.objects("projects")], [made["id"]])
        self.assertEqual([call.operation for call in self.fake.calls], ["projects.create"] * 3 + ["projects.list"])

    def test_what_it_does_not_know_is_refused_in_words(self) -> None:
        self.fake.add("tasks", {"title": "One"})
        with self.assertRaisesRegex(ApiError, "does not know me.get"):
            self.client.me.get()
        with self.assertRaisesRegex(ApiError, "does not filter by q"):
            self.client.tasks.list(q="words").first()
        self.fake.answer("me.get", lambda _input: {"id": "k-1"})
        self.assertEqual(self.client.me.get(), {"id": "k-1"})

    def test_an_event_is_delivered(self) -> None:
        self.client.projects.create(name="Delivered")
        body, headers = self.fake.delivery(SECRET)
        for scheme in ("standard", "own"):
            self.assertEqual(verify_webhook(body, headers, SECRET, scheme).event["type"], "projects.created")


if __name__ == "__main__":
    unittest.main()
