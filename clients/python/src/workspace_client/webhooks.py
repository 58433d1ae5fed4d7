"""Verifies deliveries of webhooks.

Each has two signatures, with keys that are derived differently from one secret; one of them is enough.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Dict, Mapping, NamedTuple, Optional, Sequence, Union

if TYPE_CHECKING:
    from .types import EventRecord

TOLERANCE_SECONDS = 300
KEY_BYTES_MIN = 24


class Delivery(NamedTuple):
    # The same in every attempt: keep it, and drop a delivery that was taken before.
    id: str
    event: EventRecord


class WebhookError(Exception):
    """The delivery is not genuine. Answer 400."""


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    scheme: str = "standard",
    brand: str = "service",
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> Delivery:
    """`body` is what was sent, byte for byte, before any parser. Give several secrets while one is replaced.

    `scheme`: `standard` is that of Standard Webhooks, `own` that in `x-<brand>-signature`, where `brand` is the setting
    `BRAND` of the installation.
    """
    small = {name.lower(): value for name, value in headers.items()}
    if scheme == "standard":
        delivery, timestamp = small.get("webhook-id", ""), small.get("webhook-timestamp", "")
        given = [each[3:] for each in small.get("webhook-signature", "").split(" ") if each.startswith("v1,")]
    else:
        parts = [part.partition("=") for part in small.get(f"x-{brand}-signature", "").split(",")]
        delivery = small.get(f"x-{brand}-delivery-id", "")
        timestamp = next((value for name, _, value in parts if name == "t"), "")
        given = [value for name, _, value in parts if name == "v1"]
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookError("The delivery has no signature of this kind.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookError("The time of the signature is too far from ours.")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [_signature(each, scheme, delivery, timestamp, body) for each in secrets]
    # Each is compared in constant time.
    fitting = [hmac.compare_digest(one.encode(), other.encode()) for one in expected for other in given]
    if not any(fitting):
        raise WebhookError("No signature fits the body and the secret.")
    return Delivery(delivery, json.loads(body))


def sign_webhook(
    body: bytes, secret: str, delivery_id: str, unix_seconds: int, brand: str = "service", event_type: str = ""
) -> Dict[str, str]:
    """Signs as the installation does: for tests of a receiver. Returns all headers of a delivery."""
    timestamp = str(unix_seconds)
    own = _signature(secret, "own", delivery_id, timestamp, body)
    return {
        "content-type": "application/json",
        "webhook-id": delivery_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + _signature(secret, "standard", delivery_id, timestamp, body),
        f"x-{brand}-delivery-id": delivery_id,
        f"x-{brand}-signature-timestamp": timestamp,
        f"x-{brand}-signature": f"t={timestamp},v1={own}",
        f"x-{brand}-event": event_type,
    }


def _signature(secret: str, scheme: str, delivery: str, timestamp: str, body: bytes) -> str:
    key = _key(secret)
    if scheme == "standard":
        head = f"{delivery}.{timestamp}.".encode()
        return base64.b64encode(hmac.new(key, head + body, hashlib.sha256).digest()).decode()
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


def _key(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    # Anybody could sign with an empty key.
    if len(key) < KEY_BYTES_MIN:
        raise ValueError("This is no secret of a webhook: it begins with whsec_.")
    return key
