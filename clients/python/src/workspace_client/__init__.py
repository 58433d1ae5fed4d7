"""A typed client of the workspace integration API, on the standard library."""

from .client import Client
from .errors import ApiError, ConnectionFailed
from .feed import EventFeed
from .pages import Page, Pages
from .webhooks import Delivery, WebhookError, verify_webhook

__all__ = [
    "ApiError",
    "Client",
    "ConnectionFailed",
    "Delivery",
    "EventFeed",
    "Page",
    "Pages",
    "WebhookError",
    "verify_webhook",
]
