"""A console's store with something of everything that its pages show."""

from __future__ import annotations

from cypher.runtime import RandomIds
from policies.directives import Verb
from policies.terms import RunId
from tests.support.console import Console
from tests.support.waiting import eventually


def furnish(console: Console) -> None:
    """People, places, memories at every level, a correction, arbitrations, a name to register, two tools."""
    for name, kind, aliases in (
        ("Louis Martin", "person", []),
        ("Claire Martin", "person", ["Claire"]),
        ("Paul Durand", "person", []),
        ("Paul Petit", "person", []),
        ("Acme", "organisation", ["Acme Corp"]),
        ("Globex", "organisation", []),
        ("Lisbon", "place", ["Lisbonne"]),
        ("Atlas", "project", []),
    ):
        owner = {"owner": True} if name == "Louis Martin" else {}
        console.direct(Verb.REGISTER, name=name, type=kind, aliases=aliases, **owner)
    for text, more in (
        ("I work at Acme since March 2021.", {"anchors": ["Acme"]}),
        ("Claire Martin is my sister.", {"anchors": ["Claire Martin"]}),
        ("Paul Durand works at Globex.", {"anchors": ["Paul Durand", "Globex"]}),
        ("I live in Lisbon since 2023.", {"anchors": ["Lisbon"]}),
        ("We decided in May 2024 to rewrite Atlas in Python.", {"anchors": ["Atlas"]}),
        ("I prefer the train to the plane.", {"domains": ["travel"]}),
        ("My salary is 4,200 euros a month.", {"domains": ["finance"]}),
        ("I am allergic to penicillin.", {"domains": ["health"]}),
    ):
        console.direct(Verb.DECLARE, text=text, **more)
    console.house.grant("claude")
    console.house.grant("cursor", "work-context", domains=["work", "projects"])
    console.propose("Louis Martin works at Globex since January 2024.", words="I work at Globex now")
    console.propose("Paul likes climbing.", tool="cursor")
    console.propose("Zoltan Kovacs is a friend of Louis Martin.")
    console.propose("Always answer in French.")
    console.propose("Louis Martin seems depressed lately.")
    run(console)


def run(console: Console) -> None:
    """Have the curator run over the inbox, and wait until it has."""
    inbox = console.house.inbox
    asked = inbox.request_run(RunId(RandomIds().new("run")), console.house.clock.now())
    eventually(lambda: (state := inbox.run_state(asked.id)) is not None and state.state == "finished")
