"""A copy of all projects, tasks, CRM entities, documents (without their content) and comments in a file.

Each run fetches what has changed since the last one, deletions included: run it as often as you like, at least every
30 days. The first run fetches everything.
"""

import json
import os
from datetime import datetime, timedelta, timezone

from client import api

FILE = os.environ.get("COPY_FILE", "copy.json")
COLLECTIONS = ["projects", "tasks", "crm-entities", "documents", "comments"]
lists = {name: getattr(api, name.replace("-", "_")).list for name in COLLECTIONS}


def read():
    parts = {name: {"updatedAfter": "1970-01-01T00:00:00.000Z", "objects": {}} for name in COLLECTIONS}
    # Since when objects are deleted or hidden that have comments, by their ids.
    empty = {**parts, "deletedProjects": [], "goneSince": {}}
    if not os.path.exists(FILE):
        return empty
    with open(FILE, encoding="utf-8") as file:
        return {**empty, **json.load(file)}


def write(copy):
    """In one step: a run that was cut short is simply made again."""
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(copy, file, indent=2)
    os.replace(FILE + ".new", FILE)


def list_of(collection):
    """Archived ones belong to the copy."""
    query = {"limit": 200}
    if collection in ("projects", "documents"):
        query["includeArchived"] = True
    return query


def fetch_changes(copy, collection, counts):
    """What has changed in a collection since it was last asked for."""
    part = copy[collection]
    changes = []
    query = {
        **list_of(collection),
        "sort": ["updatedAt"],
        "updatedAfter": part["updatedAfter"],
        "includeDeleted": True,
    }
    for item in lists[collection](**query):
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
        for item in lists[collection](**list_of(collection), projectId=[project_id]):
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
        for collection in ("tasks", "crm-entities", "documents", "comments"):
            fetch_changes(copy, collection, counts)
        is_first = False


def drop_outdated_comments(copy):
    """The comments on a deleted object stay, for it may be restored, and go when it can be no more."""
    now = datetime.now(timezone.utc)
    comments = copy["comments"]["objects"]
    for comment in list(comments.values()):
        subject = comment["subject"]
        if subject["id"] in copy[subject["type"]]["objects"]:
            copy["goneSince"].pop(subject["id"], None)
            continue
        since = copy["goneSince"].setdefault(subject["id"], now.isoformat())
        if now - datetime.fromisoformat(since) > timedelta(days=30):
            del comments[comment["id"]]


def main():
    copy = read()
    counts = {"changed": 0, "deleted": 0}
    fetch_all_changes(copy, counts)
    drop_outdated_comments(copy)
    write(copy)
    total = sum(len(copy[name]["objects"]) for name in COLLECTIONS)
    print(f"{counts['changed']} changed, {counts['deleted']} deleted, {total} objects in {FILE}")


main()
