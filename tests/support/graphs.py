"""Stores for tests: their settings, and an emptied graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cypher.graph import Graph
from cypher.keys import create_keys
from cypher.settings import Settings, StoreFacts, load_settings, store_dir, write_store_facts
from cypher.statement import parse_statement

_WIPE = parse_statement(
    "wipe_graph",
    """
    // Empty the graph but for its schema and the store's claim.
    MATCH (n) WHERE NOT n:Schema AND NOT n:Store
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


def wipe(graph: Graph) -> None:
    """Empty a graph, leaving its schema and its claim: as it was when it was first connected to."""
    graph.write(_WIPE)
