"""Takes deliveries on PORT (9000) and prints what happened. A delivery counts only if its signature fits the raw bytes."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from client import setting

SECRET = base64.b64decode(setting("WEBHOOK_SECRET").removeprefix("whsec_"))
PORT = int(os.environ.get("PORT", "9000"))
BODY_BYTES_MAX = 5 * 1024 * 1024
TOLERANCE_SECONDS = 300
REMEMBERED_MAX = 10_000

# Ids of deliveries that were taken. Keep them in your database: the same id is the same delivery.
seen = {}


def is_genuine(headers, body):
    """Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`. There are two while a secret is replaced."""
    delivery, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{delivery}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in given)


def take(headers, body):
    if not is_genuine(headers, body):
        return 401
    if headers["webhook-id"] in seen:
        return 204
    event = json.loads(body)
    print(f"{event['type']} {event['resource']['id']} (number {event['sequence']})", flush=True)
    seen[headers["webhook-id"]] = True
    if len(seen) > REMEMBERED_MAX:
        seen.pop(next(iter(seen)))
    return 204


class Receiver(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > BODY_BYTES_MAX:
            self.answer(400)
        else:
            self.answer(take(self.headers, self.rfile.read(int(length))))

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Only what happened is printed."""


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Waiting for deliveries on http://127.0.0.1:{PORT}/", flush=True)
server.serve_forever()
