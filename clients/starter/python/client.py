"""The client of this installation, with the settings of `.env`.

Its source is beside this file: it is that of the package `workspace-integration-client`.
"""

import os

from workspace_client import Client


def setting(name):
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"Set {name}, see .env.example")
    return value


api = Client(
    setting("WORKSPACE_API_URL"),
    api_key=setting("WORKSPACE_API_KEY"),
    workspace_id=os.environ.get("WORKSPACE_ID") or None,
    user_agent="workspace-starter/1.0",
)
