from __future__ import annotations

from cypher.graph import Graph
from cypher.statement import parse_statement


def test_a(graph: Graph) -> None:
    graph.write(parse_statement("create_thing", "// x\n// $id: the id\nCREATE (n:Thing {id: $id})"), id="a")
    assert len(graph.read(parse_statement("read_thing", "// x\nMATCH (n:Thing) RETURN n.id AS id"))) == 1


def test_b(graph: Graph) -> None:
    assert graph.read(parse_statement("read_thing", "// x\nMATCH (n:Thing) RETURN n.id AS id")) == []
