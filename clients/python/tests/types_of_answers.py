"""What the types say. It is checked by pyright and never run: where a comment says that an error is expected and there is
none, pyright fails."""

# pyright: reportUnnecessaryTypeIgnoreComment=true, reportUnusedExpression=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from workspace_client import ApiError, Client

client = Client("https://workspace.example", api_key="wsk_x")

task = client.tasks.get(id="WEB-1")
task["title"].upper()
task["colour"]  # pyright: ignore[reportGeneralTypeIssues]
client.tasks.create(projectId="WEB", title="T")
client.tasks.create(projectId="WEB")  # pyright: ignore[reportCallIssue]
client.tasks.create(projectId="WEB", title="T", colour="red")  # pyright: ignore[reportCallIssue]
client.tasks.list(status=["finished"])  # pyright: ignore[reportArgumentType]
client.tasks.remove(id="WEB-1")  # pyright: ignore[reportAttributeAccessIssue]
for each in client.tasks.list(status=["!done"], assigneeId=["me"]):
    each["title"].upper()
entity = client.crm_entities.get(id="x")
if entity["kind"] == "deal":
    entity["stage"]
for event in client.events.follow(event_types=["tasks.*"]):
    event["sequence"] + 1


def code_of(error: ApiError) -> bool:
    return error.code == "version_mismatch"
