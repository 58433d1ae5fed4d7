"""Takes deliveries on PORT (9000) with nothing but Python, and prints what happened."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from webhook_inbox import BODY_BYTES_MAX, receive

PORT = int(os.environ.get("PORT", "9000"))


class Receiver(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            return self.answer(411)
        # One byte too many is read, so that a body which is only just too large is read whole: its sender sees the answer.
        body = self.rfile.read(min(int(length), BODY_BYTES_MAX + 1))
        self.answer(413 if len(body) > BODY_BYTES_MAX else receive(self.headers, body))

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Only what happened is printed."""


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Waiting for deliveries on http://127.0.0.1:{PORT}/", flush=True)
server.serve_forever()
