from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest
from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError, UnsupportedGrantTypeError

from service.oauth.endpoints import refusal
from service.oauth.errors import REASONS, description


def said_by(module: str) -> set[str]:
    """What a module of Authlib says of requests, where it is no more than a text."""
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    calls = (
        node
        for node in ast.walk(ast.parse(Path(found.origin).read_text("utf-8")))
        if isinstance(node, ast.Call)
    )
    errors = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id.endswith("Error"))
    texts = (
        value for call in errors for value in (*call.args, *(keyword.value for keyword in call.keywords))
    )
    return {text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)}


@pytest.mark.parametrize(
    "module",
    [
        "rfc6749.grants.authorization_code",
        "rfc6749.grants.refresh_token",
        "rfc7636.challenge",
        "rfc7009.revocation",
    ],
)
def test_whatever_the_library_says_of_a_request_has_words_of_ours(module: str) -> None:
    assert said_by(f"authlib.oauth2.{module}") <= REASONS.keys()


@pytest.mark.parametrize(
    "error", [InvalidGrantError(), InvalidRequestError(), UnsupportedGrantTypeError("x")]
)
def test_where_it_says_nothing_there_are_some_too(error: InvalidGrantError) -> None:
    body = refusal(error).body
    assert body is not None
    assert str(body["error_description"]).endswith(".")


def test_sentences_of_ours_are_told_as_they_are() -> None:
    assert description(InvalidRequestError("A parameter is too long.")) == "A parameter is too long."
