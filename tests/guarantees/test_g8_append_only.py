"""G8: no statement changes or deletes what the ledger holds."""

from __future__ import annotations

import re

import pytest

from cypher.statement import statement, statement_files

LEDGER = {"Entry", "Memory", "RegistryEntry", "Reclassification", "Outcome", "PasskeyEntry", "Evidence"}
ELSEWHERE = {
    "State", "Entity", "Proposal", "Lane", "AnchorReview", "Run", "ServiceLog", "Lease", "ChainHead", "Published",
    "Schema", "Store",
}  # fmt: skip
EXCEPTIONS = {("unlink_states", "link"), ("clear_demonstration", "node")}
"""Statements that delete what they do not name by its label, and the variables; a test of their own bounds them."""
LEDGER_LINKS = {"HAS_EVIDENCE", "SUPERSEDES"}
_STRINGS = re.compile(r"'[^']*'|//[^\n]*")
_NODE = re.compile(r"\((\w*)((?::\w+)*)")
_LINK = re.compile(r"\[(\w*):([\w|]+)")
_NEXT_CLAUSE = r"\b(?:RETURN|WITH|MATCH|UNWIND|MERGE|CREATE|ON)\b"
_TOUCHED = re.compile(rf"\b(?:SET|REMOVE|(?:DETACH )?DELETE)\s+((?:(?!{_NEXT_CLAUSE}).)*)", re.DOTALL)


def labels_of(text: str) -> dict[str, set[str]]:
    """The labels and types that each variable of a statement is matched or made with."""
    found: dict[str, set[str]] = {}
    for name, labels in _NODE.findall(text):
        found.setdefault(name, set()).update(filter(None, labels.split(":")))
    for name, types in _LINK.findall(text):
        found.setdefault(name, set()).update(types.split("|"))
    return found


def changed(text: str) -> set[str]:
    """The variables that a statement sets, removes from, or deletes."""
    names: set[str] = set()
    for clause in _TOUCHED.findall(text):
        names |= {part.strip().split(".")[0].split(" ")[0].split("+")[0] for part in clause.split(",")}
    return {name for name in names if re.fullmatch(r"[a-z]\w*", name)}


@pytest.mark.parametrize("name", sorted(statement_files()))
def test_g8_no_statement_changes_or_deletes_an_entry_of_the_ledger(name: str) -> None:
    text = _STRINGS.sub("''", statement(name).text)
    labels = labels_of(text)
    known = LEDGER | ELSEWHERE | LEDGER_LINKS | {"OF", "ABOUT", "SUBJECT", "OBJECT", "AWAITS"}
    assert set().union(*labels.values(), set()) <= known, "a label that this test does not know"
    for variable in changed(text):
        if (name, variable) in EXCEPTIONS:
            continue
        touched = labels.get(variable, set())
        assert touched, f"{variable} is changed, and its label does not show"
        assert not touched & (LEDGER | LEDGER_LINKS), f"{variable} is of the ledger"


def test_g8_of_the_two_exceptions_one_deletes_links_of_states_the_other_a_demonstration() -> None:
    links = statement("unlink_states").text
    assert "(s:State {memory: id})-[link:ABOUT|SUBJECT|OBJECT]->(:Entity)" in links
    demonstration = statement("clear_demonstration")
    assert demonstration.text.startswith("MATCH (:Store {key: 'store', name: $mark})")


def test_g8_the_ledger_is_made_only_by_the_commit() -> None:
    for name, path in statement_files().items():
        text = _STRINGS.sub("''", statement(name).text)
        created = re.findall(
            r"(?:CREATE|MERGE)\b((?:(?!\b(?:RETURN|WITH|MATCH|UNWIND|SET)\b).)*)", text, re.S
        )
        labels = {label for part in created for _, found in _NODE.findall(part) for label in found.split(":")}
        if labels & LEDGER:
            assert path.parent.name == "commit", name


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("MATCH (m:Memory) SET m.text = ''", {"m"}),
        ("MATCH (m:Memory {id: $id}) REMOVE m.text, m.salt RETURN m", {"m"}),
        ("MATCH (s:State)-[:OF]->(m:Memory) DETACH DELETE s, m", {"s", "m"}),
        ("MERGE (e:Entry {seq: 1}) ON CREATE SET e += $row SET e = row", {"e"}),
    ],
)
def test_g8_this_test_sees_what_a_statement_changes(text: str, variables: set[str]) -> None:
    assert changed(text) == variables
    assert all(labels_of(text)[name] for name in variables)
