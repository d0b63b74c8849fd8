"""Stores for tests: their settings, and an emptied graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cypher.graph import Graph
from cypher.keys import create_keys
from cypher.settings import Settings, StoreFacts, load_settings, store_dir, write_store_facts
from cypher.statement import parse_statement, statement

_WIPE = parse_statement(
    "wipe_graph",
    """
    // Empty the graph but for the record of its schema.
    MATCH (n) WHERE NOT n:Schema
    DETACH DELETE n
    """,
)


def make_settings(
    home: Path,
    store: str = "default",
    *,
    owner: str = "Louis Martin",
    handle: str = "louis",
    zone: str = "Europe/Paris",
    **overrides: object,
) -> Settings:
    """The settings of a store in a home, both made if they do not exist. Overrides are fields of Settings."""
    directory = store_dir(home, store)
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (directory / "store.toml").exists():
        write_store_facts(directory, StoreFacts(owner, handle, zone, "fr"))
        create_keys(directory / "keys")
    return replace(load_settings(home, store), **overrides)  # pyright: ignore[reportArgumentType]


def wipe(graph: Graph, *, claim: str | None = "default") -> None:
    """Empty a graph, leaving its schema.

    Args:
        graph: the graph.
        claim: the store that it belongs to afterwards; None for whichever connects to it first.
    """
    graph.write(_WIPE)
    if claim is not None:
        graph.write(statement("claim_store"), name=claim)
