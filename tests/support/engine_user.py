"""A process that uses a home's engine: says ``ready``, then answers each line of its input, until it ends."""

from __future__ import annotations

import sys
from pathlib import Path

from cypher.engine import connect
from cypher.settings import load_settings
from cypher.statement import statement

if __name__ == "__main__":
    with connect(load_settings(Path(sys.argv[1]), None)) as engine:
        print("ready", flush=True)
        for _ in sys.stdin:
            print(engine.graph.read(statement("find_store"))[0]["name"], flush=True)
