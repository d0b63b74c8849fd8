"""Who read what: every call an assistant made, with links to what it was given and without any text of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.service_log import ServiceLogEntry
from policies.terms import EntityId, GrantId, Instant, Level, MemoryId
from service.console.pages.log import MEMORY_DAYS, ON_PAGE
from service.grants import CLI_GRANT
from tests.support.browser_forms import Browser, Shown
from tests.support.connecting import called
from tests.support.console import NOW, Served
from tests.support.memories import memory, registered

BIKE, LONG, GONE = (MemoryId(f"mem:{name}") for name in ("bike", "long", "gone"))
DAY_US = 86_400_000_000
Entry = Callable[..., ServiceLogEntry]


@pytest.fixture(scope="module")
def furnished(served: Served) -> Served:
    """A store with calls of two tools and of the command line, each an hour after the other."""
    house = served.house
    house.commit(registry=[registered("owner", owner=True, level=Level.S0)])
    house.commit(
        memory("bike", text="Louise owns a red bike", anchors=(EntityId("ent:owner"),)),
        memory("long", text="A long <b>story</b> " * 20),
    )
    house.grants().grant("Claude", "assistant-standard")
    house.grants().grant("Phone", "work-context", domains=["work"])
    house.grants().revoke("Phone")
    claude, phone = (grant.id for grant in house.grants().ever())
    house.service_log.append(
        [
            call("a", NOW - 3 * 3_600_000_000, claude, served=(BIKE, LONG, GONE)),
            call(
                "b", NOW - 2 * 3_600_000_000, phone, served=(BIKE,), view='{"domains":["work"],"level":"S2"}'
            ),
            call("c", NOW - 3_600_000_000, claude, tool="mem_recall", verdict="grant.scope"),
            call("d", NOW, CLI_GRANT.id, tool="resources/read", verdict="served"),
            call("e", NOW - 200 * DAY_US, GrantId("grant:forgotten"), served=(BIKE,)),
        ]
    )
    return served


def call(name: str, at: int, grant: GrantId, **more: object) -> ServiceLogEntry:
    whole = {
        "tool": "mem_profile", "view": '{"domains":null,"level":"S1"}', "arguments": "digest", "served": (),
        "verdict": "certain", "duration_us": 12_400,
    }  # fmt: skip
    return ServiceLogEntry(id=f"log:{name}", at=Instant(at), grant=grant, **(whole | more))  # pyright: ignore[reportArgumentType]


def rows(page: Shown) -> list[str]:
    """What each line of the table says."""
    body = page.html.partition("<tbody>")[2].partition("</tbody>")[0]
    return body.split("<tr>")[1:]


def test_calls_are_told_newest_first_with_who_what_and_how_it_went(furnished: Served, owner: Browser) -> None:
    page = owner.get("/log")
    assert len(rows(page)) == 5
    for told in (
        "30 Nov 2026, 10:00 command line seeing up to S1 resources/read answered 12 ms nothing",
        "30 Nov 2026, 09:00 Claude seeing up to S1 asked a question mem_recall refused "
        "The argument … is not open to this tool. 12 ms nothing",
        "30 Nov 2026, 08:00 Phone (revoked) seeing up to S2, in 1 domain read the profile mem_profile sure answer",
        "not known any more",
    ):
        assert told in page.text
    claude, phone = furnished.house.grants().ever()
    assert f"/tools/{claude.id}" in page.links
    assert f"/tools/{phone.id}" in page.links


def test_what_was_given_is_linked_and_told_as_it_is_today(furnished: Served, owner: Browser) -> None:
    page = owner.get("/log")
    assert f"/memories/{BIKE}" in page.links
    assert "3 memories Louise owns a red bike A long <b>story</b> A long <b>story</b>" in page.text
    assert "<b>story" not in page.html
    assert f"… {GONE}" in page.text, "of one that is gone, the id"


def test_an_entity_that_was_given_leads_to_its_page(furnished: Served, owner: Browser) -> None:
    house = furnished.house
    entity = MemoryId("ent:owner")
    house.service_log.append([call("ent", NOW - 30 * DAY_US, CLI_GRANT.id, served=(entity,))])
    assert "/entities/ent:owner" in owner.get("/log?until=2026-11-01").links


def test_the_log_of_one_tool(furnished: Served, owner: Browser) -> None:
    claude = furnished.house.grants().ever()[0]
    page = owner.get(f"/log?tool={claude.id}")
    assert len(rows(page)) == 2
    assert page.form("/log").fields["tool"] == [claude.id]
    assert "/log" in page.links, "a way back to everything"


def test_the_log_of_one_memory_looks_back_a_while_or_as_far_as_asked(
    furnished: Served, owner: Browser
) -> None:
    page = owner.get(f"/log?memory={BIKE}")
    assert len(rows(page)) == 2
    assert "Calls that were given this memory: Louise owns a red bike" in page.text
    assert page.form("/log").fields["since"] == ["2026-09-01"]
    assert MEMORY_DAYS == 90
    assert len(rows(owner.get(f"/log?memory={BIKE}&since=2026-01-01"))) == 3


def test_the_log_of_a_stretch_of_days_takes_both_days_whole(furnished: Served, owner: Browser) -> None:
    assert len(rows(owner.get("/log?since=2026-11-30&until=2026-11-30"))) == 4
    assert "No call matches." in owner.get("/log?since=2026-12-01").text
    assert owner.get("/log?since=yesterday").status == 400


def test_nothing_that_is_asked_for_breaks_the_page(furnished: Served, owner: Browser) -> None:
    for query in (
        "tool=%22%3E",
        "memory=x",
        "after=../../x",
        "after=99999999999999999999+log:zz",
        "memory=%00",
    ):
        assert owner.get(f"/log?{query}").status == 200


def test_a_long_log_is_read_a_page_at_a_time(furnished: Served, owner: Browser) -> None:
    house = furnished.house
    many = GrantId("grant:many")
    house.service_log.append([call(f"m{n}", NOW - 10 * DAY_US - n, many) for n in range(ON_PAGE + 5)])
    page = owner.get(f"/log?tool={many}")
    assert len(rows(page)) == ON_PAGE
    older = next(link for link in page.links if "after=" in link)
    page = owner.get(older)
    assert len(rows(page)) == 5
    assert not any("after=" in link for link in page.links)
    assert "/log?tool=grant%3Amany&memory=&since=&until=" in page.links


def test_a_real_call_is_there_and_a_refused_one_too_without_a_word_of_either(
    furnished: Served, owner: Browser
) -> None:
    granted = furnished.house.grant("Real")
    called(furnished.address, granted.token, "mem_recall", query="whose bike is red")
    called(furnished.address, granted.token, "mem_recall", query="xylophone", known_at="2026-01-01")
    page = owner.get(f"/log?tool={granted.grant.id}")
    assert len(rows(page)) == 2
    assert "refused" in rows(page)[0]
    assert f"/memories/{BIKE}" in page.links
    assert "xylophone" not in page.html
    assert "whose bike" not in page.html


def test_the_page_says_what_is_not_in_the_log(furnished: Served, owner: Browser) -> None:
    text = owner.get("/log").text
    assert "No question, no answer and no proposal is kept in the log" in text
    assert "What you read yourself in this console is not listed" in text


def test_the_page_speaks_french(furnished: Served) -> None:
    with furnished.owners("fr") as owner:
        text = owner.get("/log").text
        assert "Qui a lu quoi" in text
        assert "a posé une question mem_recall refusé L'argument … n'est pas ouvert à cet outil." in text
