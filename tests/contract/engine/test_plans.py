"""Every statement is understood by every engine."""

from __future__ import annotations

import pytest

from cypher.graph import Graph
from cypher.statement import parse_statement, statement, statement_files


@pytest.mark.parametrize("name", sorted(statement_files().keys() - {"name_database"}))
def test_statement_is_planned(graph: Graph, name: str) -> None:
    wanted = statement(name)
    header = "".join(f"// ${parameter}: a value\n" for parameter in sorted(wanted.parameters))
    plan = parse_statement("explain_statement", f"// Its plan.\n{header}EXPLAIN {wanted.text}")
    graph.write(plan, **dict.fromkeys(wanted.parameters))
