"""What a graph promises, on each engine."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cypher.engine.driver import open_driver
from cypher.graph import STATEMENT_S_MAX, Graph, Tx
from cypher.keeper.home import EngineHome
from cypher.settings import Settings
from cypher.statement import Statement, parse_statement
from policies.errors import (
    CommitUncertain,
    InvariantBroken,
    LedgerConflict,
    LedgerUnavailable,
    MnemoError,
    SettingInvalid,
    StoreInvalid,
)
from tests.support.bolt_proxy import COMMIT
from tests.support.relayed import Relayed, relayed
from tests.support.waiting import eventually


def make(name: str, text: str, *parameters: str) -> Statement:
    header = "".join(f"// ${parameter}: a value\n" for parameter in parameters)
    return parse_statement(name, f"// For this test.\n{header}{text}")


CREATE = make("create_proposal", "CREATE (p:Proposal {id: $id, count: 0})", "id")
MERGE = make("merge_proposal", "MERGE (p:Proposal {id: $id}) ON CREATE SET p.count = 0", "id")
COUNT = make("count_proposals", "MATCH (p:Proposal) RETURN count(p) AS n")
INCREASE = make(
    "increase_proposal", "MATCH (p:Proposal {id: $id}) SET p.lock = $id, p.count = p.count + 1", "id"
)
READ = make("read_proposal", "MATCH (p:Proposal {id: $id}) RETURN p.count AS count", "id")


def test_statement_returns_all_its_records(graph: Graph) -> None:
    rows = graph.read(make("count_up", "UNWIND range(1, $n) AS i RETURN i", "n"), n=3000)
    assert [row["i"] for row in rows] == list(range(1, 3001))


def test_whole_numbers_of_microseconds_and_any_text_come_back_unchanged(graph: Graph) -> None:
    given = {
        "at": 1_796_034_687_123_456,
        "text": "Zoé 记忆 🜁 \n ' \" \\ {} $id",
        "none": None,
        "list": ["a", "b"],
    }
    graph.write(make("create_note", "CREATE (n:Evidence) SET n = $note", "note"), note=given)
    row = graph.read(make("read_note", "MATCH (n:Evidence) RETURN properties(n) AS note"))[0]
    assert row["note"] == {name: value for name, value in given.items() if value is not None}


def test_parameters_must_be_those_declared(graph: Graph) -> None:
    with pytest.raises(InvariantBroken, match="create_proposal"):
        graph.write(CREATE)
    with pytest.raises(InvariantBroken, match="create_proposal"):
        graph.write(CREATE, id="a", more=1)


def test_transaction_keeps_all_or_nothing(graph: Graph) -> None:
    def refused_late(tx: Tx) -> None:
        tx.run(CREATE, id="a")
        raise StoreInvalid(problem="on purpose")

    with pytest.raises(StoreInvalid):
        graph.transaction(refused_late)
    assert graph.read(COUNT)[0]["n"] == 0

    def two(tx: Tx) -> int:
        tx.run(CREATE, id="a")
        tx.run(CREATE, id="b")
        return int(tx.run(COUNT)[0]["n"])

    assert graph.transaction(two) == 2
    assert graph.read(COUNT)[0]["n"] == 2


def test_taken_unique_key_is_a_conflict_and_keeps_nothing(graph: Graph) -> None:
    graph.write(CREATE, id="a")
    attempts: list[int] = []

    def again(tx: Tx) -> None:
        attempts.append(1)
        tx.run(CREATE, id="b")
        tx.run(CREATE, id="a")

    with pytest.raises(LedgerConflict) as caught:
        graph.transaction(again)
    assert len(attempts) == 2, "once more, in case it lost a race, and no oftener"
    assert_says_nothing_of_the_driver(caught.value)
    assert graph.read(COUNT)[0]["n"] == 1


def test_concurrent_merges_of_one_new_key_all_succeed_and_make_one_node(graph: Graph) -> None:
    barrier = threading.Barrier(8)

    def merge(_: int) -> None:
        barrier.wait(30)
        graph.write(MERGE, id="one")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(merge, range(8)))
    assert graph.read(COUNT)[0]["n"] == 1


def test_concurrent_writers_of_one_node_lose_no_update(graph: Graph) -> None:
    graph.write(CREATE, id="a")
    with ThreadPoolExecutor(4) as pool:
        for increase in [pool.submit(graph.write, INCREASE, id="a") for _ in range(40)]:
            increase.result()
    assert graph.read(READ, id="a")[0]["count"] == 40


def test_writer_sees_what_it_has_just_written(graph: Graph) -> None:
    for number in range(20):
        graph.write(CREATE, id=f"p{number}")
        assert graph.read(COUNT)[0]["n"] == number + 1


@pytest.mark.timeout(120)
def test_statement_that_takes_too_long_is_ended(graph: Graph) -> None:
    endless = make(
        "count_endlessly",
        "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a * b AS c WHERE c % 7 = 9"
        " RETURN count(c) AS n",
    )
    assert STATEMENT_S_MAX <= 10
    with pytest.raises(LedgerUnavailable) as caught:
        graph.read(endless)
    assert caught.value.retry_after_s is not None
    assert_says_nothing_of_the_driver(caught.value)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("MATHC (n) RETURN n", None),
        ("RETURN 1 / $value AS n", "a word that must not be quoted"),
        ("CREATE (n:Evidence {words: $value})", {"a": {"b": "a word that must not be quoted"}}),
    ],
)
def test_refused_statement_is_a_fault_that_quotes_no_value(graph: Graph, text: str, given: object) -> None:
    bad = make("try_this", text, *(["value"] if given else []))
    with pytest.raises(MnemoError) as caught:
        graph.write(bad, **({"value": given} if given else {}))
    assert isinstance(caught.value, InvariantBroken)
    assert_says_nothing_of_the_driver(caught.value)


def test_connection_lost_while_committing_is_uncertain_and_not_tried_again(
    settings: Settings, graph: Graph
) -> None:
    with relayed(settings, cut_at=COMMIT, times=1, deliver=True) as connection:
        with pytest.raises(CommitUncertain) as caught:
            Graph(connection).write(CREATE, id="a")
        assert_says_nothing_of_the_driver(caught.value)
        assert connection.failures == 0
        # Here it was kept, and the caller finds it by its key.
        eventually(lambda: graph.read(COUNT)[0]["n"] == 1)
        assert Graph(connection).read(COUNT)[0]["n"] == 1


def test_connection_lost_before_committing_is_tried_again(settings: Settings, graph: Graph) -> None:
    with relayed(settings, cut_at=b"CREATE (p:Proposal", times=2, deliver=False) as connection:
        Graph(connection).write(CREATE, id="a")
    assert graph.read(COUNT)[0]["n"] == 1


def test_engine_that_does_not_answer_is_unavailable_within_a_bound() -> None:
    with open_driver("bolt://127.0.0.1:1", None, retry_s_max=1) as driver:
        connection = Relayed(driver, "neo4j")
        with pytest.raises(LedgerUnavailable) as caught:
            Graph(connection).read(COUNT)
    assert connection.failures == 1, "the connection had its chance to bring the engine back"
    assert_says_nothing_of_the_driver(caught.value)


def test_wrong_password_is_a_setting_to_correct(settings: Settings, graph: Graph) -> None:
    if settings.graph_url is None:
        address = EngineHome(settings.home).address()
        assert address is not None
        url, user = f"bolt://127.0.0.1:{address.bolt_port}", "root"
    else:
        url, user = settings.graph_url, "neo4j"
    with open_driver(url, (user, "not the password"), retry_s_max=1) as driver, pytest.raises(SettingInvalid):
        Graph(Relayed(driver, settings.database)).read(COUNT)
    assert graph.read(COUNT)[0]["n"] == 0


def assert_says_nothing_of_the_driver(fault: MnemoError) -> None:
    assert fault.__suppress_context__
    for word in ("gql_status", "bolt", "127.0.0.1", "must not be quoted", "Couldn't"):
        assert word not in str(fault)
