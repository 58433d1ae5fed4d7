"""A copy of all projects in a file. Each run fetches what has changed since the last one, deletions included."""

import json
import os

from client import each

FILE = os.environ.get("COPY_FILE", "projects.json")


def read():
    if not os.path.exists(FILE):
        return {"updatedAfter": "1970-01-01T00:00:00.000Z", "projects": {}}
    with open(FILE, encoding="utf-8") as file:
        return json.load(file)


def write(copy):
    """In one step: a run that was cut short is simply made again."""
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(copy, file, indent=2)
    os.replace(FILE + ".new", FILE)


def main():
    copy = read()
    changed = deleted = 0
    query = {"sort": "updatedAt", "updatedAfter": copy["updatedAfter"], "includeDeleted": "true", "limit": 200}
    for item in each("/projects", query):
        if "updatedAt" in item:
            copy["projects"][item["id"]] = item
            copy["updatedAfter"] = item["updatedAt"]
            changed += 1
        else:
            # What is left of a deleted project: id, version and when.
            copy["projects"].pop(item["id"], None)
            copy["updatedAfter"] = item["deletedAt"]
            deleted += 1
    write(copy)
    print(f"{changed} changed, {deleted} deleted, {len(copy['projects'])} projects in {FILE}")


main()
