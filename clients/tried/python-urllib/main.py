import json
import os
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from story import Problem, tell_story

API = os.environ["BASE_URL"] + "/api/v1"
HEADERS = {"Authorization": "Bearer " + os.environ["API_KEY"]}


def call(path, method="GET", body=None):
    headers = HEADERS if body is None else HEADERS | {"Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(API + path, data, headers, method=method)) as response:
            return json.load(response)
    except HTTPError as error:
        raise Problem(json.load(error)) from error


class Client:
    list = staticmethod(lambda query: call("/projects?" + urlencode(query, doseq=True)))
    create = staticmethod(lambda project: call("/projects", "POST", project))
    archive = staticmethod(lambda id: call(f"/projects/{id}/archive", "POST"))
    get = staticmethod(lambda id: call(f"/projects/{id}"))
    update = staticmethod(lambda id, change: call(f"/projects/{id}", "PATCH", change))


tell_story(Client)
