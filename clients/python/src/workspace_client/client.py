"""The client: a method for every call that a key may make."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Union

from .calls import Calls
from .send import Sender, Settings, Transport, urllib_transport


class Client(Calls):
    """`Client("https://workspace.example", api_key="wsk_…").tasks.get(id="WEB-42")`"""

    def __init__(
        self,
        base_url: str,
        api_key: Union[str, Callable[[], str], None] = None,
        workspace_id: Optional[str] = None,
        retries: int = 4,
        timeout: float = 30,
        user_agent: Optional[str] = None,
        transport: Transport = urllib_transport,
    ) -> None:
        """`workspace_id` is for a key that is bound to no workspace. `timeout` is in seconds, for each attempt."""
        self._configure(
            Settings(base_url.rstrip("/"), api_key, workspace_id, retries, timeout, user_agent, None, transport)
        )

    def _configure(self, settings: Settings) -> None:
        self._settings = settings
        self._sender = Sender(settings)
        Calls.__init__(self, self._sender)

    def using(
        self,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Client:
        """The same client with other options: `client.using(idempotency_key="order-7").tasks.create(…)`."""
        given = {"idempotency_key": idempotency_key, "timeout": timeout, "retries": retries}
        other = object.__new__(Client)
        other._configure(self._settings._replace(**{name: value for name, value in given.items() if value is not None}))
        return other

    def call(self, name: str, values: Mapping[str, Any]) -> Any:
        """Any call by its name: `call("tasks.get", {"id": "WEB-42"})`. A list answers one page."""
        return self._sender.send(name, values)
