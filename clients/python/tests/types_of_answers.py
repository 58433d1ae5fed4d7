"""What the types say. It is checked by pyright and never run: where a comment says that an error is expected and there is
none, pyright fails."""

# pyright: reportUnnecessaryTypeIgnoreComment=true, reportUnusedExpression=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from workspace_client import ApiError, Client
from workspace_client import types as t

client = Client("https://workspace.example", api_key="wsk_x")

task = client.tasks.get(id="WEB-1")
task["title"].upper()
task["colour"]  # pyright: ignore[reportGeneralTypeIssues]
client.tasks.create(projectId="WEB", title="T")
client.tasks.create(projectId="WEB")  # pyright: ignore[reportCallIssue]
client.tasks.create(projectId="WEB", title="T", colour="red")  # pyright: ignore[reportCallIssue]
client.tasks.list(status=["finished"])  # pyright: ignore[reportArgumentType]
client.tasks.remove(id="WEB-1")  # pyright: ignore[reportAttributeAccessIssue]
task["project"]  # pyright: ignore[reportGeneralTypeIssues]
with_project = client.tasks.get(id="WEB-1", expand=["project"])
with_project["project"]["key"].upper()
with_project["title"].upper()
with_project["assignees"]  # pyright: ignore[reportGeneralTypeIssues]
client.tasks.get(id="WEB-1", expand=["owner"])  # pyright: ignore[reportCallIssue, reportArgumentType]
client.tasks.get(expand=["project"])  # pyright: ignore[reportCallIssue]
# Of several names, each may be there.
with_several = client.tasks.get(id="WEB-1", expand=["project", "assignees"])
with_several["project"]  # pyright: ignore[reportTypedDictNotRequiredAccess]
with_several.get("assignees", [])
for each in client.tasks.list(expand=["assignees"], limit=10):
    [member["name"].upper() for member in each["assignees"]]
    each["project"]  # pyright: ignore[reportGeneralTypeIssues]
upserted = client.tasks.upsert(source="erp", externalId="1", projectId="WEB", title="T", expand=["project"])
[upserted["outcome"].upper(), upserted["project"]["key"].upper()]
changed = client.tasks.update(id="WEB-1", status="done", expand=["blockedBy"])
[blocking["identifier"].upper() for blocking in changed["blockedBy"]]
for each in client.tasks.list(status=["!done"], assigneeId=["me"]):
    each["title"].upper()
entity = client.crm_entities.get(id="x")
if entity["kind"] == "deal":
    entity["stage"]
    entity["company"]  # pyright: ignore[reportGeneralTypeIssues]
with_company = client.crm_entities.get(id="x", expand=["company"])
if with_company["kind"] == "deal":
    with_company["company"]
if with_company["kind"] == "company":
    with_company["company"]  # pyright: ignore[reportGeneralTypeIssues]
for event in client.events.follow(event_types=["tasks.*"]):
    event["sequence"] + 1
# In a batch, whatever can be expanded may be there.
for result in client.tasks.batch_all([], expand=["project"]):
    data = result.get("data")
    if data is not None:
        data["project"]  # pyright: ignore[reportTypedDictNotRequiredAccess]


def title_of(task: t.Task) -> str:
    return task["title"]


# A task with what was expanded is a task.
[title_of(task), title_of(with_project), title_of(with_several), title_of(upserted)]


def code_of(error: ApiError) -> bool:
    return error.code == "version_mismatch"
