"""A story that the product and the fake server tell alike: `python3 story.py`, with URL and KEY for the product."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Callable, List

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from workspace_client import ApiError, Client  # noqa: E402
from workspace_client.testing import FakeServer  # noqa: E402


def refusal(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except ApiError as error:
        return [error.code, error.status, error.member("currentVersion")]


def story(client: Client, key: str) -> Any:
    after = client.events.list(occurredAfter="2999-01-01T00:00:00Z")["lastSequence"]
    project = client.projects.create(name="Story", key=key)
    tasks = [(title, "one" if title == "A" else "two") for title in ("C", "A", "B")]
    items = [
        {"action": "create", "data": {"projectId": project["id"], "title": title, "labels": [label]}}
        for title, label in tasks
    ]
    results = list(client.tasks.batch_all(items))
    first = results[0].get("data")
    assert first is not None
    task = first["id"]
    changed = client.tasks.update(id=task, title="D", expectedVersion=1)
    own: Any = {"source": "erp", "externalId": key, "projectId": project["id"]}
    upserted = [client.tasks.upsert(**own, title=title) for title in ("E", "F")]
    listed = [each["title"] for each in client.tasks.list(projectId=[project["id"]], sort=["-title"], limit=2)]
    labelled = [each["title"] for each in client.tasks.list(projectId=[project["id"]], labels=["!two"], sort=["title"])]
    client.tasks.delete(id=task)
    feed = client.events.follow(after=after, until_caught_up=True, event_types=["tasks.*"])
    seen: List[str] = [event["type"] for event in feed]
    return {
        "results": [[result["index"], result["status"]] for result in results],
        "changed": [changed["title"], changed["version"]],
        "upserted": [[each["outcome"], each["title"], each["version"]] for each in upserted],
        "listed": listed,
        "labelled": labelled,
        "refused": [
            refusal(lambda: client.tasks.update(id=upserted[0]["id"], title="G", expectedVersion=1)),
            refusal(lambda: client.tasks.get(id=task)),
            refusal(lambda: client.tasks.upsert(**own, title="H", createOnly=True)),
        ],
        "restored": client.tasks.restore(id=task)["version"],
        "byOwnId": client.tasks.get_by_external_id(source="erp", externalId=key)["title"],
        "total": client.tasks.count(projectId=[project["id"]])["total"],
        "seen": seen,
        "position": feed.position is not None and feed.position > after,
    }


def bytes_there_and_back(client: Client) -> str:
    made = client.files.create(name="minutes.txt", bytes=7)
    client.files.upload(b"minutes", id=made["id"])
    return client.files.download(id=made["id"]).decode()


if __name__ == "__main__":
    fake = FakeServer()
    product = Client(os.environ["URL"], api_key=os.environ["KEY"])
    told = [story(product, "STORY"), story(Client(fake.url, transport=fake), "STORY")]
    print(json.dumps([*told, bytes_there_and_back(product)]))
