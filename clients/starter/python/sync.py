"""A copy of all projects, tasks, CRM entities and documents (without their content) in a file.

Each run fetches what has changed since the last one, deletions included: run it as often as you like, at least every
30 days. The first run fetches everything.
"""

import json
import os

from client import each

FILE = os.environ.get("COPY_FILE", "copy.json")
COLLECTIONS = ["projects", "tasks", "crm-entities", "documents"]


def read():
    if not os.path.exists(FILE):
        parts = {name: {"updatedAfter": "1970-01-01T00:00:00.000Z", "objects": {}} for name in COLLECTIONS}
        return {**parts, "deletedProjects": []}
    with open(FILE, encoding="utf-8") as file:
        return json.load(file)


def write(copy):
    """In one step: a run that was cut short is simply made again."""
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(copy, file, indent=2)
    os.replace(FILE + ".new", FILE)


def list_of(collection):
    """Archived ones belong to the copy."""
    query = {"limit": 200}
    if collection in ("projects", "documents"):
        query["includeArchived"] = "true"
    return query


def fetch_changes(copy, collection, counts):
    """What has changed in a collection since it was last asked for."""
    part = copy[collection]
    changes = []
    query = {
        **list_of(collection),
        "sort": "updatedAt",
        "updatedAfter": part["updatedAfter"],
        "includeDeleted": "true",
    }
    for item in each(f"/{collection}", query):
        changes.append(item)
        if item["deletedAt"] is None:
            part["objects"][item["id"]] = item
            part["updatedAfter"] = item["updatedAt"]
            counts["changed"] += 1
        else:
            # What is left of a deleted one: id, version and when.
            part["objects"].pop(item["id"], None)
            part["updatedAfter"] = item["deletedAt"]
            counts["deleted"] += 1
    return changes


def drop_contents(copy, project_id):
    """A deleted project takes its tasks and documents out of sight; of them nothing is said."""
    for collection in ("tasks", "documents"):
        objects = copy[collection]["objects"]
        copy[collection]["objects"] = {
            id: item for id, item in objects.items() if item["projectId"] != project_id
        }


def read_contents(copy, project_id):
    """And brings them back as it comes back."""
    drop_contents(copy, project_id)
    for collection in ("tasks", "documents"):
        for item in each(f"/{collection}", {**list_of(collection), "projectId": project_id}):
            copy[collection]["objects"][item["id"]] = item


def fetch_all_changes(copy, counts):
    """Projects are asked for until none has changed meanwhile: one that has may have been away while its tasks were
    read."""
    is_first = True
    while True:
        projects = fetch_changes(copy, "projects", counts)
        if not projects and not is_first:
            return
        for project in projects:
            was_deleted = project["id"] in copy["deletedProjects"]
            if was_deleted:
                copy["deletedProjects"].remove(project["id"])
            if project["deletedAt"] is not None:
                copy["deletedProjects"].append(project["id"])
                drop_contents(copy, project["id"])
            elif was_deleted or not is_first:
                read_contents(copy, project["id"])
        for collection in ("tasks", "crm-entities", "documents"):
            fetch_changes(copy, collection, counts)
        is_first = False


def main():
    copy = read()
    counts = {"changed": 0, "deleted": 0}
    fetch_all_changes(copy, counts)
    write(copy)
    total = sum(len(copy[name]["objects"]) for name in COLLECTIONS)
    print(f"{counts['changed']} changed, {counts['deleted']} deleted, {total} objects in {FILE}")


main()
