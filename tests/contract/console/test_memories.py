"""Memories in the console: looked through, searched, seen as of another moment, and one by one with their history."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from policies.decision import Reclassification
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Evidence,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Moment,
    Precision,
    Provenance,
    Relation,
)
from service.console.pages import memories
from tests.support.browser_forms import Browser, Shown
from tests.support.console import NOW, Served
from tests.support.memories import memory, registered

DAY_US = 86_400_000_000
OWNER, PAUL, ACME = EntityId("ent:owner"), EntityId("ent:Paul Durand"), EntityId("ent:Acme")
MARCH_2021, JUNE_2025 = (
    Moment(Instant(1_614_553_200_000_000), Precision.MONTH),
    Moment(Instant(1_748_728_800_000_000), Precision.MONTH),
)


@pytest.fixture(scope="module")
def furnished(served: Served) -> Served:
    """A store over ten days: an employment that ended, an error put right, one taken back, and what is on request."""
    house = served.house
    grant = house.grant("claude").grant
    house.clock.at = Instant(NOW - 10 * DAY_US)
    house.commit(
        registry=[
            registered("owner", owner=True),
            registered("Paul Durand", aliases=("Paul",)),
            registered("Paul Petit", aliases=("Paul",)),
            registered("Acme", EntityType.ORGANISATION),
        ]
    )
    works = {"anchors": (OWNER, ACME), "domains": ("work",), "relation": Relation(OWNER, "works_for", ACME)}
    at_acme = memory("acme", text="I work at Acme since March 2021.", valid_from=MARCH_2021, **works)
    tea = memory(
        "tea",
        text="Paul Durand drinks tea.",
        kind=Kind.PREFERENCE,
        provenance=Provenance.QUOTED,
        confidence=0.8,
        anchors=(PAUL,),
        proposed_by=grant.id,
        evidence=Evidence("Paul loves <tea>", "owner", "claude", Instant(NOW - 11 * DAY_US)),
    )
    illness = memory(
        "asthma",
        text="I have had asthma since 2010.",
        domains=("health",),
        level=Level.S3,
        discretion=Discretion.ON_REQUEST_ONLY,
        anchors=(OWNER,),
    )
    house.commit(at_acme, tea, illness, memory("hoax", text="Acme was founded on the moon.", anchors=(ACME,)))
    house.clock.at = Instant(NOW - 5 * DAY_US)
    house.commit(
        _contra(tea, "coffee", ContraRole.CORRECTION, text="Paul Durand drinks coffee.", ruled=True),
        _contra(
            at_acme, "closed", ContraRole.CLOSURE, kind=Kind.CLOSURE, restates=Kind.FACT, valid_to=JUNE_2025
        ),
    )
    begun = {"text": "I work at Globex since June 2025.", "valid_from": JUNE_2025, "relation": None}
    house.commit(
        _contra(at_acme, "globex", ContraRole.SUCCESSION, supersedes=MemoryId("mem:closed"), **begun)
    )
    house.commit(
        memory(
            "gone",
            text="That was a joke.",
            kind=Kind.RETRACTION,
            anchors=(ACME,),
            supersedes=MemoryId("mem:hoax"),
            contra=ContraRole.RETRACTION,
        )
    )
    house.clock.at = NOW
    return served


def _contra(target: Memory, name: str, role: ContraRole, **changed: object) -> Memory:
    changed = {"supersedes": target.id, "contra": role, "evidence": None} | changed
    return replace(target, id=MemoryId(f"mem:{name}"), **changed)  # pyright: ignore[reportArgumentType]


def listed(page: Shown) -> list[str]:
    """The ids that the list links to, in its order."""
    return [link.removeprefix("/memories/mem:") for link in page.links if link.startswith("/memories/mem:")]


def test_what_holds_is_listed_last_recorded_first_and_what_is_on_request_is_not(
    furnished: Served, owner: Browser
) -> None:
    page = owner.get("/memories")
    assert listed(page) == ["globex", "coffee"]
    assert "since June 2025" in page.text
    assert "/entities/ent:Acme" in page.links


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status=closed", ["closed"]),
        ("status=superseded", ["tea", "acme"]),
        ("status=retracted", ["hoax"]),
        ("status=all&private=1", ["globex", "closed", "coffee", "hoax", "asthma", "tea", "acme"]),
        ("domain=health", ["asthma"]),
        ("domain=work", ["globex"]),
        ("entity=Acme", ["globex"]),
        ("entity=ent:Paul Durand&status=all", ["coffee", "tea"]),
        ("kind=preference&status=all", ["coffee", "tea"]),
        ("level=S3&private=1", ["asthma"]),
        ("provenance=quoted", ["coffee"]),
    ],
)
def test_each_filter_narrows_the_list(
    furnished: Served, owner: Browser, query: str, found: list[str]
) -> None:
    assert listed(owner.get(f"/memories?{query}")) == found


def test_the_past_is_seen_on_either_axis(furnished: Served, owner: Browser) -> None:
    page = owner.get("/memories?valid_at=2022-05-01")
    assert listed(page) == ["closed", "coffee"]
    assert "This is how things stood at the time you chose" in page.text
    assert 'value="2022-05-01"' in page.html
    page = owner.get("/memories?known_at=2026-11-22")
    assert listed(page) == ["hoax", "tea", "acme"]
    assert listed(owner.get("/memories?known_at=2026-11-01")) == []


def test_a_moment_may_be_told_to_the_minute_as_date_fields_send_it(furnished: Served, owner: Browser) -> None:
    assert listed(owner.get("/memories?known_at=2026-11-25T09:59")) == ["hoax", "tea", "acme"]
    assert listed(owner.get("/memories?known_at=2026-11-25T10:00")) == ["globex", "coffee"]
    assert listed(owner.get("/memories?q=tea&known_at=2026-11-25T09:59")) == ["tea"]


def test_the_sliders_reach_from_the_first_entry_and_the_first_date_to_now(
    furnished: Served, owner: Browser
) -> None:
    page = owner.get("/memories?known_at=2026-11-22")
    sliders = re.findall(
        r'<input type="range" id="(\w+)-slider" min="0" max="(\d+)" value="(\d+)"', page.html
    )
    assert sliders == [("valid_at", "2100", "2100"), ("known_at", "10", "2")]
    assert page.html.count("<option value=") > 10
    assert "1 March 2021" in page.text
    assert "20 November 2026" in page.text


def test_a_search_answers_as_the_owners_view_would(furnished: Served, owner: Browser) -> None:
    assert listed(owner.get("/memories?q=Where do I work?")) == ["globex"]
    assert listed(owner.get("/memories?q=Where do I work?&valid_at=2022")) == ["closed"]
    assert listed(owner.get("/memories?q=tea&known_at=2026-11-22")) == ["tea"]
    page = owner.get("/memories?q=zeppelin")
    assert "No memory answers that" in page.text
    assert "Do not guess" not in page.text


def test_what_is_on_request_answers_once_its_domain_is_named(furnished: Served, owner: Browser) -> None:
    page = owner.get("/memories?q=asthma")
    assert listed(page) == []
    assert "choose its domain, or whom it is about" in page.text
    assert listed(owner.get("/memories?q=asthma&domain=health")) == ["asthma"]


def test_a_search_passes_the_filters_that_a_question_does_not_have(furnished: Served, owner: Browser) -> None:
    assert listed(owner.get("/memories?q=Where do I work?&level=S3")) == []
    page = owner.get("/memories?q=Where do I work?&status=retracted")
    assert listed(page) == []
    assert "/memories?status=retracted" in page.links


def test_a_name_that_is_nobodys_or_several_peoples_is_said_so(furnished: Served, owner: Browser) -> None:
    assert "Nobody and nothing registered is called “Zoltan”" in owner.get("/memories?entity=Zoltan").text
    page = owner.get("/memories?entity=Paul")
    assert "may mean several" in page.text
    assert "/memories?entity=ent:Paul Petit" in page.links


@pytest.mark.parametrize(
    "query", ["kind=poem", "level=S9", "valid_at=soon", "domain=x", "before=x", "q=a&cursor=x"]
)
def test_what_the_form_does_not_offer_is_told_on_the_page(
    furnished: Served, owner: Browser, query: str
) -> None:
    page = owner.get(f"/memories?{query}")
    assert page.status == 400
    assert page.form("/memories")


def test_what_is_wrong_is_told_by_the_name_of_the_field(furnished: Served, owner: Browser) -> None:
    assert "True on: this is not a date that exists." in owner.get("/memories?valid_at=soon").text
    assert "As Mnemo knew on: this is not a date" in owner.get("/graph?known_at=2026-02-30").text
    assert "This page of the answers cannot be shown any more." in owner.get("/memories?q=a&cursor=x").text


def test_an_id_as_a_question_opens_the_memory(furnished: Served, owner: Browser) -> None:
    identifier = "mem:" + "a" * 26
    assert owner.get(f"/memories?q={identifier}").url.endswith(f"/memories/{identifier}")


def test_a_memory_tells_all_that_qualifies_it_and_where_it_comes_from(
    furnished: Served, owner: Browser
) -> None:
    page = owner.get("/memories/mem:tea")
    for told in (
        "Another entry took its place.",
        "your words, quoted by an assistant",
        "80%. With its provenance it can be 80% at most.",
        "S1 everyday",
        "Recorded as S0 public; what it is about, or a later version, raised it.",
        "Paul Durand (S1)",
        "since 20 Nov 2026, 10:00, until 25 Nov 2026, 10:00",
        "the assistant claude",
        "Paul loves <tea>",
        "you ruled on it",
    ):
        assert told in page.text, told
    assert "<tea>" not in page.html
    for link in ("/memories/mem:coffee", "/log?memory=mem:tea", "/entities/ent:Paul Durand"):
        assert link in page.links
    assert not [link for link in page.links if link.endswith("/correct")]
    assert any(re.match("/proposals/prop:", link) for link in page.links)


def test_what_holds_can_be_corrected_taken_back_and_reclassified(furnished: Served, owner: Browser) -> None:
    page = owner.get("/memories/mem:globex")
    for act in ("correct", "retract", "reclassify"):
        assert f"/memories/mem:globex/{act}" in page.links
    assert "It holds today." in page.text
    assert "until the end of May 2025" in page.text
    assert 'data-copy="mem:globex"' in page.html


def test_the_history_says_what_each_entry_did_oldest_first(furnished: Served, owner: Browser) -> None:
    text = owner.get("/memories/mem:acme").text
    did = ["Recorded", "Closed: the same was true", "Succeeded: what is true since then"]
    assert [text.index(one) for one in did] == sorted(text.index(one) for one in did)
    page = owner.get("/memories/mem:hoax")
    assert "Taken back: it is believed no more" in page.text
    assert "That was a joke." in page.text
    assert "It was taken back" in page.text
    assert "This entry takes another back." in owner.get("/memories/mem:gone").text


def test_the_chain_is_told_as_of_another_moment(furnished: Served, owner: Browser) -> None:
    page = owner.get("/memories/mem:acme?known_at=2026-11-22")
    assert "At the time you chose: I work at Acme since March 2021." in page.text
    assert page.text.count("not known yet") == 2
    page = owner.get("/memories/mem:acme?valid_at=2022-01-01")
    assert listed(page)[0] == "closed"
    assert "At the time you chose: I work at Acme since March 2021." in page.text
    page = owner.get("/memories/mem:acme?valid_at=2020-01-01")
    assert "At the time you chose, nothing of this was believed and true." in page.text


def test_a_reclassification_is_part_of_the_history(furnished: Served, owner: Browser) -> None:
    change = Reclassification(MemoryId("mem:asthma"), discretion=Discretion.ON_DEMAND)
    furnished.house.commit(reclassified=[change])
    page = owner.get("/memories/mem:asthma")
    assert "You reclassified it" in page.text
    assert page.text.index("Recorded") < page.text.index("Reclassified on demand")
    assert "asthma" in listed(owner.get("/memories?level=S3"))


def test_there_is_nothing_at_the_address_of_an_unknown_memory(furnished: Served, owner: Browser) -> None:
    for path in ("/memories/mem:nobody", "/memories/mem:" + "a" * 26):
        assert owner.get(path).status == 404


def test_the_pages_speak_french(furnished: Served) -> None:
    with furnished.owners("fr") as browser:
        page = browser.get("/memories?valid_at=2022-05-01")
        assert "depuis mars 2021, jusqu'à la fin de mai 2025" in page.text
        assert "Tel que Mnemo le savait le" in page.text
        assert "Corrigé : ce qui précédait était faux" in browser.get("/memories/mem:coffee").text


def test_long_lists_are_paged_and_searches_too(
    furnished: Served, owner: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "PAGE", 4)
    furnished.house.commit(*(memory(f"bulk{number:02}", text=f"Bulk item {number}") for number in range(14)))
    page = owner.get("/memories?kind=fact&status=all")
    assert listed(page) == ["bulk13", "bulk12", "bulk11", "bulk10"]
    following = next(link for link in page.links if "before=" in link)
    assert "kind=fact&status=all" in following
    rest = owner.get(following)
    assert listed(rest) == ["bulk09", "bulk08", "bulk07", "bulk06"]
    assert "/memories?kind=fact&status=all" in rest.links
    page = owner.get("/memories?q=bulk item")
    first = listed(page)
    assert len(first) == 12
    second = listed(owner.get(next(link for link in page.links if "cursor=" in link)))
    assert len(second) == 2
    assert not set(first) & set(second)


@pytest.mark.parametrize("at", [-(2**62), -62_135_596_800_000_000, 253_402_297_200_000_000, 2**62])
def test_a_memory_whose_dates_no_calendar_has_hides_no_page(furnished: Served, at: int) -> None:
    """Such ends were accepted once, and every list that came to them failed."""
    name, far = f"far-{at}", Moment(Instant(at), Precision.DAY)
    furnished.house.commit(
        memory(name, text=f"Acme sold {abs(at)} boats.", anchors=(ACME,), valid_from=far, valid_to=far),
        memory(f"{name}-event", text=f"Acme met {at}.", kind=Kind.EVENT, anchors=(ACME,), valid_from=far),
    )
    pages = (
        *("/memories?status=all", "/memories?q=Acme boats", "/memories?q=Acme boats&valid_at=2020"),
        *("/graph", "/graph.json", "/entities/ent:Acme", f"/memories/mem:{name}"),
    )
    with furnished.owners() as english, furnished.owners("fr") as french:
        for page in pages:
            assert english.get(page).status == french.get(page).status == 200, page


@pytest.mark.parametrize("axis", ["valid_at", "known_at"])
@pytest.mark.parametrize(
    "given",
    [
        "0001",
        "9999",
        "0001-01-01",
        "9999-12-31",
        "0001-01-01T00:00",
        "9999-12-31T23:59",
        "9999-12-31T23:59:59-12:00",
    ],
)
def test_the_sliders_may_be_set_to_either_end_of_the_calendar_or_refuse(
    furnished: Served, owner: Browser, axis: str, given: str
) -> None:
    refused = given.endswith("-12:00")
    for page in ("/memories?q=Acme&", "/memories?", "/graph?", "/graph.json?", "/memories/mem:closed?"):
        assert owner.get(f"{page}{axis}={given}").status == (400 if refused else 200), page
