"""Opens the official driver, with the options both engines share."""

from __future__ import annotations

import logging

import neo4j

CONNECT_S_MAX = 5.0
ACQUIRE_S_MAX = 30.0
RETRY_S_FIRST = 0.05
"""The driver's own first pause, a second, is an age for a conflict on loopback."""

# It warns of each retry in words of its own, on standard error where nobody set up logs.
logging.getLogger("neo4j").setLevel(logging.CRITICAL)


def open_driver(url: str, auth: tuple[str, str] | None, *, retry_s_max: float) -> neo4j.Driver:
    """A driver that has not connected yet.

    Args:
        url: the engine's Bolt address.
        auth: user and password, if it asks for them.
        retry_s_max: for how long a conflict or a lost connection is retried.

    Raises:
        ConfigurationError, ValueError: the address is none.
    """
    return neo4j.GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]  (its options are untyped)
        url,
        auth=auth,
        connection_timeout=CONNECT_S_MAX,
        connection_acquisition_timeout=ACQUIRE_S_MAX,
        max_transaction_retry_time=retry_s_max,
        initial_retry_delay=RETRY_S_FIRST,
        telemetry_disabled=True,
    )
