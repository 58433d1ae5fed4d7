import os

import httpx

from story import Problem, tell_story

API = os.environ["BASE_URL"] + "/api/v1"
session = httpx.Client()
session.headers["Authorization"] = "Bearer " + os.environ["API_KEY"]


def read(response):
    try:
        response.raise_for_status()
    except httpx.HTTPStatusError as error:
        raise Problem(error.response.json()) from error
    return response.json()


class Client:
    list = staticmethod(lambda query: read(session.get(API + "/projects", params=query)))
    create = staticmethod(lambda project: read(session.post(API + "/projects", json=project)))
    archive = staticmethod(lambda id: read(session.post(f"{API}/projects/{id}/archive")))
    get = staticmethod(lambda id: read(session.get(f"{API}/projects/{id}")))
    update = staticmethod(lambda id, change: read(session.patch(f"{API}/projects/{id}", json=change)))


tell_story(Client)
