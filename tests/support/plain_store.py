"""A store without an engine, for what needs its settings, its keys and its grants alone: made in milliseconds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cypher.keys import create_keys
from cypher.settings import Settings, StoreFacts, load_settings, store_dir, write_store_facts

FACTS = StoreFacts(owner="Zoé Martin", handle="zoe", timezone="Europe/Paris", lang="en")


def plain_store(home: Path) -> Settings:
    """Make one in a home. Whoever opens its ledger is refused at once: its password cannot be read."""
    directory = store_dir(home, "default")
    directory.mkdir(parents=True)
    create_keys(directory / "keys")
    write_store_facts(directory, FACTS)
    return replace(
        load_settings(home), graph_url="bolt://graph.invalid", graph_password_file=home / "no-such-file"
    )
