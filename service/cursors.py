"""Cursors: where the next page begins, signed, good for one grant and one question, for an hour.

A cursor holds what the reading side needs to go on (a position within what the caller may see, never a ledger
sequence). Its signature is made under the grant, the tool and the arguments, so that it opens nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, cast

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from policies.entries import canonical
from policies.errors import CursorInvalid
from policies.ports import Clock
from policies.terms import GrantId


class Cursors:
    """Makes and reads cursors."""

    def __init__(self, key: bytes, clock: Clock, lifetime_s: int) -> None:
        """Sign with the store's ``cursor`` key; a cursor is good for ``lifetime_s`` seconds."""
        self._key = key
        self._clock = clock
        self._lifetime_s = lifetime_s

    def make(
        self, state: Mapping[str, Any], grant: GrantId, tool: str, arguments: Mapping[str, object]
    ) -> str:
        """A cursor for the page that ``state`` (plain JSON) begins."""
        return self._serializer(grant, tool, arguments).dumps(state)

    def read(self, cursor: str, grant: GrantId, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The state of a cursor.

        Raises:
            CursorInvalid: forged, expired, or made for another grant, tool or question.
        """
        try:
            state: object = self._serializer(grant, tool, arguments).loads(cursor, max_age=self._lifetime_s)
        except (BadData, ValueError) as fault:
            raise CursorInvalid(field="cursor") from fault
        return cast("dict[str, Any]", state)

    def _serializer(
        self, grant: GrantId, tool: str, arguments: Mapping[str, object]
    ) -> URLSafeTimedSerializer:
        asked = {name: value for name, value in arguments.items() if name not in ("cursor", "lang")}
        bound = hashlib.sha256(
            canonical({"grant": grant, "tool": tool, "arguments": asked}).encode()
        ).hexdigest()
        clock = self._clock

        class Signer(TimestampSigner):
            """Tells the injected clock's time instead of the machine's."""

            def get_timestamp(self) -> int:
                return clock.now() // 1_000_000

        return URLSafeTimedSerializer(self._key, salt=f"cursor {bound}", signer=Signer)
