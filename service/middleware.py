"""The one hook into the SDK's dispatch (``Server.middleware``, provisional in mcp 2.3): what a fault becomes.

Left alone, the SDK answers an exception of a handler with its text on the older protocol. Here it becomes a
JSON-RPC error of ours, in the owner's language, carrying the same object as a tool's error.
"""

from __future__ import annotations

import logging
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS
from pydantic import ValidationError

from policies.errors import MnemoError
from service.failures import told

log = logging.getLogger("mnemo.mcp")


class FaultBarrier:
    """Implements the SDK's ``ServerMiddleware``."""

    def __init__(self, language: str) -> None:
        self._language = language

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Serve one message."""
        try:
            return await call_next(ctx)
        except (MCPError, ValidationError):
            # The SDK's own refusals carry no text of ours or of pydantic's.
            raise
        except MnemoError as error:
            raise protocol_error(error, self._language) from None
        except Exception as fault:  # noqa: BLE001  (the root: nothing of a fault may reach a client)
            log.error("%s: %s", ctx.method, type(fault).__name__)  # noqa: TRY400
            raise protocol_error(MnemoError(), self._language) from None


def protocol_error(error: MnemoError, language: str) -> MCPError:
    """An error outside tools, as JSON-RPC tells it; ``data`` is the object a tool's error would carry."""
    failure = told(error, language)
    code = INTERNAL_ERROR if error.category in ("fault", "unavailable") else INVALID_PARAMS
    return MCPError(code=code, message=str(failure["message"]), data={"error": failure})
