"""Takes deliveries on PORT (9000) with FastAPI (`pip install fastapi uvicorn`), and prints what happened."""

import os

import uvicorn
from fastapi import FastAPI, Request, Response
from webhook_inbox import BODY_BYTES_MAX, receive

app = FastAPI()


@app.post("/")
async def take(request: Request) -> Response:
    # No parameter with a model: it would leave no raw bytes.
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES_MAX:
            return Response(status_code=413)
    return Response(status_code=receive(request.headers, bytes(body)))


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "9000")))
