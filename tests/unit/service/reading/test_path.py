"""Paths: the shortest walk over edges in view, the same every time."""

from __future__ import annotations

import pytest

from policies.decision import RegistryChange, RegistryOp
from policies.errors import EntityUnknown
from policies.terms import ContraRole, Discretion, EntityId, Kind, Level, Relation, View
from service.reading import Answer, PathArguments, Reading
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory, moment, registered
from tests.support.reading import PRIVATE, STANDARD, THIRD_PARTY


def entity(letter: str) -> EntityId:
    return EntityId(f"ent:{letter}")


@pytest.fixture(autouse=True)
def letters(ledger: MemoryLedger) -> None:
    ledger.register(*(registered(letter) for letter in "abcdefgh"))


def edge(ledger: MemoryLedger, name: str, source: str, target: str, **qualifications: object) -> None:
    ends = (entity(source), entity(target))
    ledger.record(
        memory(
            name,
            anchors=ends,
            relation=Relation(ends[0], "knows", ends[1]),
            **{"level": Level.S1, **qualifications},
        )
    )


def walked(
    read: Reading, source: str, target: str, *, view: View = STANDARD, max_hops: int = 4
) -> list[str] | None:
    answer: Answer = read.path(view, PathArguments(source, target, max_hops))
    return [hop["memory"].removeprefix("mem:") for hop in answer["hops"]] if answer["found"] else None


def test_the_shortest_path_is_found_in_either_direction(read: Reading, ledger: MemoryLedger) -> None:
    for name, source, target in (("ab", "a", "b"), ("cb", "c", "b"), ("cd", "c", "d"), ("de", "d", "e")):
        edge(ledger, name, source, target)
    assert walked(read, "a", "e") == ["ab", "cb", "cd", "de"]
    assert walked(read, "e", "a") == ["de", "cd", "cb", "ab"]
    edge(ledger, "ad", "a", "d")
    assert walked(read, "a", "e") == ["ad", "de"]


def test_an_edge_is_told_in_its_own_direction(read: Reading, ledger: MemoryLedger) -> None:
    edge(ledger, "ab", "a", "b")
    assert read.path(STANDARD, PathArguments("b", "a"))["hops"] == [
        {"source": {"id": "ent:a", "name": "a"}, "type": "knows", "target": {"id": "ent:b", "name": "b"},
         "memory": "mem:ab"}
    ]  # fmt: skip


def test_no_path_longer_than_asked_for(read: Reading, ledger: MemoryLedger) -> None:
    for first, second in zip("abcdefg", "bcdefgh", strict=True):
        edge(ledger, first + second, first, second)
    assert walked(read, "a", "e", max_hops=3) is None
    assert walked(read, "a", "e", max_hops=4) == ["ab", "bc", "cd", "de"]
    assert walked(read, "a", "h", max_hops=60) is None, "six at most"


def test_hidden_closed_and_unrequested_edges_are_not_walked(read: Reading, ledger: MemoryLedger) -> None:
    edge(ledger, "secret", "a", "b", level=Level.S3)
    edge(ledger, "closed", "a", "b", valid_to=moment(5))
    edge(ledger, "aimed", "a", "b", discretion=Discretion.ON_REQUEST_ONLY)
    assert walked(read, "a", "b") is None
    assert walked(read, "a", "b", view=PRIVATE) == ["secret"]
    edge(ledger, "asked", "a", "b", discretion=Discretion.ON_DEMAND)
    assert walked(read, "a", "b") == ["asked"]


def test_a_longer_allowed_path_is_found_where_a_shorter_one_is_hidden(
    read: Reading, ledger: MemoryLedger
) -> None:
    edge(ledger, "secret", "a", "c", level=Level.S3)
    edge(ledger, "ab", "a", "b")
    edge(ledger, "bc", "b", "c")
    assert walked(read, "a", "c") == ["ab", "bc"]


def test_being_anchors_of_one_memory_is_no_edge(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("both", anchors=(entity("a"), entity("b")), level=Level.S1))
    assert walked(read, "a", "b") is None


def test_of_several_shortest_paths_the_first_by_ids_is_given(read: Reading, ledger: MemoryLedger) -> None:
    for name, source, target in (("z1", "a", "c"), ("z2", "c", "d"), ("y1", "a", "b"), ("y2", "b", "d")):
        edge(ledger, name, source, target)
    edge(ledger, "x1", "b", "a")
    assert walked(read, "a", "d") == ["x1", "y2"]


def test_a_corrected_edge_is_walked_no_more(read: Reading, ledger: MemoryLedger) -> None:
    edge(ledger, "ab", "a", "b")
    edge(ledger, "ac", "a", "c", supersedes="mem:ab", contra=ContraRole.CORRECTION)
    assert walked(read, "a", "b") is None
    assert walked(read, "a", "c") == ["ac"]


def test_merged_entities_are_one(read: Reading, ledger: MemoryLedger) -> None:
    edge(ledger, "ab", "a", "b")
    edge(ledger, "cd", "c", "d")
    assert walked(read, "a", "d") is None
    ledger.register(RegistryChange(RegistryOp.MERGE, entity("c"), other=entity("b")))
    assert walked(read, "a", "d") == ["ab", "cd"]
    ledger.register(RegistryChange(RegistryOp.UNMERGE, entity("c")))
    assert walked(read, "a", "d") is None


def test_an_entity_is_no_step_from_itself(read: Reading) -> None:
    assert walked(read, "a", "a") == []


def test_an_end_above_the_view_is_as_unknown_as_any(read: Reading) -> None:
    for view, name in ((STANDARD, "Zoltan Kovacs"), (THIRD_PARTY, "a"), (STANDARD, "nobody")):
        with pytest.raises(EntityUnknown) as refused:
            read.path(view, PathArguments("Initech", name))
        assert refused.value.field == "target"


def test_a_closure_draws_its_edge_only_in_the_past(read: Reading, ledger: MemoryLedger) -> None:
    edge(ledger, "ab", "a", "b")
    edge(ledger, "closed", "a", "b", kind=Kind.CLOSURE, restates=Kind.FACT, valid_to=moment(50),
         supersedes="mem:ab", contra=ContraRole.CLOSURE)  # fmt: skip
    assert walked(read, "a", "b") is None
