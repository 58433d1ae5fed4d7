"""Stands in for the Python packages of the samples in docs/guides/mcp.md, which come from a registry that tests do not reach.

Only what the samples use is here, with the parameters of the packages: an unknown one is an error. The requests are
those of a client that opens a session under the name that the source of `mcp` has as its default. The agent asks no model:
it calls `projects_list` and answers with the names that are listed and the text of the result.

    python3 python_frameworks.py sample.py
"""

import json
import runpy
import sys
import types
import urllib.request
from contextlib import asynccontextmanager
from types import SimpleNamespace


class HttpClient:
    def __init__(self, *, headers: dict, timeout: float) -> None:
        self.headers, self.timeout = headers, timeout

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error) -> None:
        pass


def streamable_http_client(url: str, *, http_client: HttpClient):
    return SimpleNamespace(url=url, http_client=http_client)


class Client:
    def __init__(self, server) -> None:
        self.url, self.http, self.session, self.sent = server.url, server.http_client, {}, 0

    async def __aenter__(self):
        info = {"name": "mcp", "version": "0.1.0"}
        started = self.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self.session["mcp-protocol-version"] = started["protocolVersion"]
        self.send("notifications/initialized", None)
        return self

    async def __aexit__(self, *_error) -> None:
        pass

    async def list_tools(self):
        return SimpleNamespace(tools=[SimpleNamespace(name=tool["name"]) for tool in self.send("tools/list", {})["tools"]])

    async def call_tool(self, name: str, arguments: dict):
        result = self.send("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(result["content"])
        return SimpleNamespace(content=[SimpleNamespace(**block) for block in result["content"]])

    def send(self, method: str, params):
        self.sent += 1
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message |= {"id": self.sent, "params": params}
        headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        headers |= {"user-agent": "python-httpx2"} | self.session | self.http.headers
        request = urllib.request.Request(self.url, json.dumps(message).encode(), headers)
        with urllib.request.urlopen(request, timeout=self.http.timeout) as response:
            if (session := response.headers.get("mcp-session-id")) is not None:
                self.session["mcp-session-id"] = session
            return None if params is None else json.loads(response.read())["result"]


@asynccontextmanager
async def mcp_server_streamable_http(*, name: str, params: dict):
    unknown = params.keys() - {"url", "headers", "timeout"}
    if unknown:
        raise TypeError(f"unknown: {unknown}")
    http_client = HttpClient(headers=params["headers"], timeout=params["timeout"])
    async with Client(streamable_http_client(params["url"], http_client=http_client)) as client:
        yield client


class Agent:
    def __init__(self, *, name: str, mcp_servers: list) -> None:
        self.mcp_servers = mcp_servers


class Runner:
    @staticmethod
    async def run(agent: Agent, _question: str):
        (server,) = agent.mcp_servers
        names = [tool.name for tool in (await server.list_tools()).tools]
        result = await server.call_tool(next(name for name in names if name == "projects_list"), {"limit": 3})
        return SimpleNamespace(final_output=f"{names}\n{result.content[0].text}")


def module(name: str, **members) -> None:
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


module("httpx2", AsyncClient=HttpClient)
module("mcp", Client=Client)
module("mcp.client")
module("mcp.client.streamable_http", streamable_http_client=streamable_http_client)
module("agents", Agent=Agent, Runner=Runner)
module("agents.mcp", MCPServerStreamableHttp=mcp_server_streamable_http)
runpy.run_path(sys.argv[1], run_name="__main__")
