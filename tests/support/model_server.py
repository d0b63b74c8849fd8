"""A local server that speaks both providers' protocols, faults included, for tests through the real SDKs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ALWAYS_ACCEPT: dict[str, Any] = {
    "kind": "fact",
    "level": "S0",
    "domains": [],
    "health": "none",
    "importance": "none",
    "instruction": "none",
    "valid_from": None,
    "valid_to": None,
    "names": [],
    "sure": True,
}
"""The model that says "accept, S0" to whatever it reads."""


@dataclass
class ModelServer:
    """What the server answers next, and what it was asked."""

    url: str = ""
    answer: Callable[[dict[str, Any]], dict[str, Any] | str] = lambda question: ALWAYS_ACCEPT
    """From the question (``statement``, ``said_on``, ``domains``) to the answer; a string goes as it is."""
    status: int = 200
    stall: threading.Event | None = None
    """Where set, an answer waits for it (or for the client to give up)."""
    stop_reason: str = "end_turn"
    refuses_temperature: bool = False
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    questions: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@contextmanager
def model_server() -> Generator[ModelServer]:
    """Run one on a free loopback port for the length of a test."""
    state = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.requests.append(body)
            if state.stall is not None:
                state.stall.wait(10)
            if state.status != 200:
                self._send(state.status, {"error": {"type": "api_error", "message": "scripted fault"}})
            elif state.refuses_temperature and "temperature" in body:
                fault = {"message": "Unsupported", "param": "temperature", "code": "unsupported_value"}
                self._send(400, {"error": fault})
            else:
                question = json.loads(body["messages"][-1]["content"])
                state.questions.append(question)
                answer = state.answer(question)
                text = answer if isinstance(answer, str) else json.dumps(answer)
                speaks_anthropic = self.path.endswith("/messages")
                self._send(200, _message(text, state) if speaks_anthropic else _completion(text, state))

        def _send(self, status: int, body: dict[str, Any]) -> None:
            raw = json.dumps(body).encode()
            try:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except (BrokenPipeError, ConnectionResetError):
                return  # the client gave up waiting

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _message(text: str, state: ModelServer) -> dict[str, Any]:
    return {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": "test-model",
        "content": [{"type": "text", "text": text}],
        "stop_reason": state.stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _completion(text: str, state: ModelServer) -> dict[str, Any]:
    refused = state.stop_reason == "refusal"
    return {
        "id": "cmpl_test",
        "object": "chat.completion",
        "created": 0,
        "model": "test-model",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop" if state.stop_reason == "end_turn" else "length",
                "message": {
                    "role": "assistant",
                    "content": None if refused else text,
                    "refusal": "I cannot help with that." if refused else None,
                },
            }
        ],
    }
