"""The memory as a picture: what it is drawn from, the list that says the same, and the library that draws it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

import service.console
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Moment,
    Precision,
    Relation,
)
from service.console import picture
from tests.support.browser_forms import Browser
from tests.support.console import NOW, Served
from tests.support.memories import memory, registered

DAY_US = 86_400_000_000
VENDORED = Path(service.console.__file__).parent / "static" / "vendor"
OWNER, PAUL, ACME, LYON = (EntityId(f"ent:{name}") for name in ("owner", "Paul", "Acme", "Lyon"))


@pytest.fixture(scope="module")
def furnished(served: Served) -> Served:
    """Four names, three relations of which one ended, and memories of several levels."""
    house = served.house
    house.clock.at = Instant(NOW - 10 * DAY_US)
    house.commit(
        registry=[
            registered("owner", owner=True),
            registered("Paul"),
            registered("Acme", EntityType.ORGANISATION),
            registered("Lyon", EntityType.PLACE),
            registered("Nobody"),
        ]
    )
    ended = Moment(Instant(NOW - 300 * DAY_US), Precision.DAY)
    on_request: dict[str, Any] = {"discretion": Discretion.ON_REQUEST_ONLY, "level": Level.S3}
    house.commit(
        tied("works", "Paul works at Acme.", PAUL, "works_for", ACME),
        tied("seat", "Acme is in Lyon.", ACME, "located_in", LYON),
        tied("lived", "I lived in Lyon.", OWNER, "lives_in", LYON, valid_to=ended),
        memory("tea", text="Paul drinks <tea>.", kind=Kind.PREFERENCE, anchors=(PAUL,), domains=("food",)),
        memory("pay", text="My pay is low.", anchors=(OWNER,), domains=("finance",), level=Level.S2),
        memory("ill", text="Paul was ill.", anchors=(PAUL,), domains=("health",), **on_request),
        memory("loose", text="It rains."),
    )
    house.clock.at = Instant(NOW - 5 * DAY_US)
    house.commit(
        memory(
            "moved",
            text="Paul works in Lyon.",
            anchors=(PAUL, LYON),
            supersedes=MemoryId("mem:works"),
            contra=ContraRole.CORRECTION,
        )
    )
    house.clock.at = NOW
    return served


def tied(name: str, text: str, source: EntityId, predicate: str, target: EntityId, **more: Any) -> Memory:
    """A memory that asserts a relation."""
    return memory(
        name, text=text, anchors=(source, target), relation=Relation(source, predicate, target), **more
    )


def drawn(browser: Browser, query: str = "") -> dict[str, list[Any]]:
    """The data of a picture: names, memories and relations by label."""
    answer = browser.http.get(f"/graph.json{query}")
    assert answer.status_code == 200, answer.text
    graph = answer.json()
    labels = {node["id"]: node["label"] for node in graph["nodes"]}
    return {
        "names": sorted(node["label"] for node in graph["nodes"] if node["shape"] == "entity"),
        "memories": sorted(node["label"] for node in graph["nodes"] if node["shape"] == "memory"),
        "relations": sorted(
            f"{labels[edge['source']]} {edge['label']} {labels[edge['target']]}"
            for edge in graph["edges"]
            if edge["shape"] == "relation"
        ),
    }


def test_names_relations_and_memories_are_drawn_and_each_leads_to_its_page(
    furnished: Served, owner: Browser
) -> None:
    assert drawn(owner) == {
        "names": ["Acme", "Lyon", "Paul", "owner"],
        "memories": ["It rains.", "My pay is low.", "Paul drinks <tea>.", "Paul works in Lyon."],
        "relations": ["Acme is located in Lyon"],
    }
    graph = owner.http.get("/graph.json").json()
    assert {node["path"].split("/")[1] for node in graph["nodes"]} == {"entities", "memories"}
    ends = {(edge["source"], edge["target"]) for edge in graph["edges"] if edge["shape"] == "about"}
    assert ("mem:moved", "ent:Lyon") in ends


@pytest.mark.parametrize(
    ("query", "names", "memories"),
    [
        ("?type=organisation", ["Acme"], ["Acme is in Lyon."]),
        ("?type=person", ["Paul", "owner"], ["My pay is low.", "Paul drinks <tea>.", "Paul works in Lyon."]),
        ("?domain=food", ["Paul"], ["Paul drinks <tea>."]),
        ("?domain=health", ["Paul"], ["Paul was ill."]),
        ("?up_to=S0", ["Acme", "Lyon"], ["It rains."]),
        ("?show=relations", ["Acme", "Lyon"], []),
        ("?focus=Lyon", ["Acme", "Lyon", "Paul"], ["Paul works in Lyon."]),
        ("?focus=Nobody", ["Nobody"], []),
        ("?known_at=2026-11-22&focus=Acme", ["Acme", "Lyon", "Paul"], []),
    ],
)
def test_filters_leave_what_they_name(
    furnished: Served, owner: Browser, query: str, names: list[str], memories: list[str]
) -> None:
    found = drawn(owner, query)
    assert (found["names"], found["memories"]) == (names, memories)


def test_the_picture_is_as_of_the_moment_asked_about(furnished: Served, owner: Browser) -> None:
    assert drawn(owner, "?known_at=2026-11-22")["relations"] == [
        "Acme is located in Lyon",
        "Paul works for Acme",
    ]
    assert "owner lives in Lyon" in drawn(owner, "?valid_at=2025-06-01")["relations"]


def test_what_is_on_request_is_drawn_only_when_asked_for(furnished: Served, owner: Browser) -> None:
    assert "Paul was ill." not in drawn(owner)["memories"]
    assert "Paul was ill." in drawn(owner, "?private=1")["memories"]
    assert "Paul was ill." in drawn(owner, "?focus=Paul")["memories"]


def test_the_list_says_the_same_as_the_picture(furnished: Served, owner: Browser) -> None:
    page = owner.get("/graph")
    graph = owner.http.get("/graph.json").json()
    pointed = set(re.findall(r'data-node="([^"]+)"', page.html))
    assert pointed == {one["id"] for one in [*graph["nodes"], *graph["edges"]] if one["shape"] != "about"}
    for node in graph["nodes"]:
        assert node["path"] in page.links
    assert "Paul drinks <tea>." in page.text
    assert "<tea>" not in page.html
    assert "4 names, 1 relation, 4 memories." in page.text


def test_the_page_asks_for_the_same_picture_that_it_lists(furnished: Served, owner: Browser) -> None:
    page = owner.get("/graph?focus=Lyon&up_to=S1&valid_at=2025-06-01")
    (source,) = re.findall(r'data-picture="([^"]+)"', page.html)
    assert source.replace("&amp;", "&") == "/graph.json?up_to=S1&valid_at=2025-06-01&focus=ent%3ALyon"


def test_nothing_runs_in_the_page_but_files_of_its_own(furnished: Served, owner: Browser) -> None:
    page = owner.get("/graph")
    assert "script-src 'self';" in page.response.headers["content-security-policy"]
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page.html)
    assert '<script src="/static/vendor/cytoscape.min.js" defer>' in page.html


def test_a_question_that_cannot_be_is_told(furnished: Served, owner: Browser) -> None:
    assert owner.get("/graph?type=planet").status == 400
    assert owner.http.get("/graph.json?focus=Zoltan").status_code == 400
    page = owner.get("/graph?focus=Zoltan")
    assert "is called “Zoltan”" in page.text
    assert "data-picture" not in page.html


def test_the_data_is_for_the_owners_session_alone(furnished: Served, owner: Browser) -> None:
    with furnished.browser() as stranger:
        answer = stranger.http.get("/graph.json")
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in")
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert owner.http.get("/graph.json", headers=elsewhere).status_code == 403
    answer = owner.http.get("/graph.json")
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"


def test_a_large_memory_is_shown_in_part_and_said_so(
    furnished: Served, owner: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert picture.ENTITIES_MAX + picture.MEMORIES_MAX <= 300
    assert "only a part" not in owner.get("/graph").text
    monkeypatch.setattr(picture, "MEMORIES_MAX", 2)
    assert "This is only a part, what was recorded last" in owner.get("/graph").text
    assert drawn(owner)["memories"] == ["It rains.", "Paul works in Lyon."]
    assert "only a part of what surrounds Paul" in owner.get("/graph?focus=Paul").text
    monkeypatch.setattr(picture, "ENTITIES_MAX", 1)
    assert drawn(owner, "?focus=Acme&valid_at=2025")["names"] == ["Acme"]


def test_the_library_is_the_one_that_was_published() -> None:
    """What is vendored is what its note says, byte for byte."""
    note = (VENDORED / "VENDORED.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `([^`]+)` .*\| ([\d.]+) \| MIT \(`LICENSE`\) \| `([0-9a-f]{64})` \|$", note, re.MULTILINE
    )
    assert [name for name, _, _ in rows] == ["cytoscape.min.js"]
    for name, version, digest in rows:
        kept = (VENDORED / name).read_bytes()
        assert hashlib.sha256(kept).hexdigest() == digest
        assert f'"{version}"'.encode() in kept
    assert "The Cytoscape Consortium" in (VENDORED / "LICENSE").read_text("utf-8")
    assert {path.name for path in VENDORED.iterdir()} == {"cytoscape.min.js", "LICENSE", "VENDORED.md"}
