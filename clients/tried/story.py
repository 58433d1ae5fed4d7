"""The story of `story.ts`, for clients in Python: what it says is here, the calls are in each folder."""
import uuid


class Problem(Exception):
    """What a client throws, with the API's problem that it shows."""

    def __init__(self, problem):
        super().__init__(problem)
        self.problem = problem


def tell_story(client):
    label = f"tried-{uuid.uuid4().hex[:8]}"
    made = []
    for status in ("planned", "active", "paused"):
        project = client.create({"name": f"Größe, {status} & more", "status": status, "labels": [label]})
        assert project["name"] == f"Größe, {status} & more", project
        made.append(project["id"])
    print("done: create")

    listed = client.list({"status": ["active", "paused"], "labels": [label]})
    assert {project["id"] for project in listed["data"]} == set(made[1:]), listed
    print("done: list with two values of a filter")

    assert client.get(made[0])["version"] == 1
    updated = client.update(made[0], {"name": "Renamed"})
    assert (updated["name"], updated["version"]) == ("Renamed", 2), updated
    print("done: get, update")

    seen, query = [], {"labels": [label], "limit": 1}
    while len(seen) < 10:
        page = client.list(query)
        seen += [project["id"] for project in page["data"]]
        if not page["page"]["hasMore"]:
            break
        query["cursor"] = page["page"]["nextCursor"]
    assert sorted(seen) == sorted(made), seen
    print("done: all pages")

    assert client.archive(made[0])["archivedAt"] is not None
    print("done: an action without a body")

    problem = problem_of(lambda: client.get("01890000-0000-7000-8000-000000000000"))
    assert (problem["status"], problem["code"]) == (404, "not_found"), problem
    problem = problem_of(lambda: client.create({"nme": "Misspelt"}))
    assert (problem["status"], problem["code"]) == (422, "unknown_field"), problem
    print("done: problems")


def problem_of(call):
    try:
        call()
    except Problem as error:
        return error.problem
    raise AssertionError("A refused call did not raise")
