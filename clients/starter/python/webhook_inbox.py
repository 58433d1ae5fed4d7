"""What a receiver does with the raw bytes of a delivery: verify, drop what was taken before, answer, and work afterwards.

The receivers beside this file are the way from a server to here.
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import threading
import time
import traceback

# Answer 413 to a body with more bytes.
BODY_BYTES_MAX = 5 * 1024 * 1024
TOLERANCE_SECONDS = 300
KEY_BYTES_MIN = 24
WAITING_MAX = 1_000
REMEMBERED_MAX = 10_000

# Memory is lost with the process. In earnest these are tables of your database, and `receive` inserts into the first two in
# one transaction before it answers: the id is unique, so a second insert says that the delivery was taken.
taken = {}
waiting = queue.Queue(WAITING_MAX)
newest_versions = {}
lock = threading.Lock()

# Several, separated by commas, while the secret is replaced. Standard Webhooks keys with the bytes behind `whsec_`.
KEYS = [
    base64.b64decode(secret.strip().removeprefix("whsec_")) for secret in os.environ.get("WEBHOOK_SECRET", "").split(",")
]
# Anybody could sign with an empty key.
if any(len(key) < KEY_BYTES_MIN for key in KEYS):
    raise SystemExit("Set WEBHOOK_SECRET, see .env.example")


def receive(headers, body):
    """Returns the status to answer with, at once. `body` is what was sent, byte for byte."""
    delivery, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "").split(" ")
    if not is_fresh(timestamp) or not is_genuine(f"{delivery}.{timestamp}.".encode() + body, signatures):
        return 400
    event = json.loads(body)
    with lock:
        if delivery in taken:
            return 204
        if waiting.full():
            return 503  # It is sent again later.
        remember(taken, delivery, True)
        waiting.put_nowait((delivery, event))
    return 204


def is_fresh(timestamp):
    return timestamp.isascii() and timestamp.isdigit() and abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS


def is_genuine(signed, signatures):
    """HMAC-SHA-256 over `<id>.<timestamp>.<body>`, with any of our keys. There are two while a secret is replaced."""
    digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in KEYS]
    expected = [b"v1," + base64.b64encode(digest) for digest in digests]
    return any(hmac.compare_digest(mac, given.encode()) for mac in expected for given in signatures)


def work_off():
    while True:
        delivery, event = waiting.get()
        try:
            if is_news(event["resource"]):
                work(event)
        except Exception:
            traceback.print_exc()
            with lock:
                taken.pop(delivery, None)  # So that a replay of this delivery is taken.


def is_news(resource):
    """False where a later change of the same object was worked off already."""
    key, version = (resource["type"], resource["id"]), resource["version"]
    if version is None:
        return True
    if version < newest_versions.get(key, 0):
        return False
    remember(newest_versions, key, version)
    return True


def work(event):
    """Yours. An event with `"test": true` is an example, of an object that does not exist."""
    print(f"{event['type']} {event['resource']['id']} (number {event['sequence']})", flush=True)


def remember(entries, key, value):
    """The entry that was kept longest gives way."""
    entries.pop(key, None)
    entries[key] = value
    if len(entries) > REMEMBERED_MAX:
        entries.pop(next(iter(entries)))


threading.Thread(target=work_off, daemon=True).start()
