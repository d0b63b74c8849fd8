"""The preview: exactly what one tool would be shown, and no trace of a call by it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from policies.terms import Discretion, EntityId, EntityType, Kind, Level
from service.grants import Granted
from tests.support.browser_forms import Browser
from tests.support.connecting import called, result_of
from tests.support.console import Served
from tests.support.memories import memory, registered

OWNER, PAUL, ACME = (EntityId(f"ent:{name}") for name in ("owner", "paul", "acme"))
QUESTION = "what does Louise own"


@pytest.fixture(scope="module")
def furnished(served: Served) -> Served:
    """A store with a memory at each level, one on request only, and a rule."""
    house = served.house
    house.commit(
        registry=[
            registered("owner", owner=True, level=Level.S0),
            registered("paul"),
            registered("acme", EntityType.ORGANISATION),
        ]
    )
    house.commit(
        memory("bike", text="Louise owns a red bike", anchors=(OWNER,), domains=("leisure",)),
        memory(
            "friend", text="Paul is a friend of Louise", anchors=(PAUL,), level=Level.S1, domains=("social",)
        ),
        memory(
            "pay", text="Louise works at Acme for money", anchors=(ACME,), level=Level.S2, domains=("work",)
        ),
        memory("clinic", text="Louise owns an inhaler", level=Level.S3, domains=("health",)),
        memory("aimed", text="Louise owns a secret", discretion=Discretion.ON_REQUEST_ONLY),
        memory("brief", text="Answer Louise briefly", kind=Kind.RULE, ruled=True),
    )
    return served


@pytest.fixture(autouse=True)
def nothing_connected(served: Served) -> Iterator[None]:
    """Each test begins without connected tools."""
    yield
    served.house.grants().revoke_all()


def preview_of(granted: Granted, query: str = "", topic: str = "") -> str:
    return f"/tools/{granted.grant.id}/preview?query={quote(query)}&topic={quote(topic)}"


@pytest.mark.parametrize(
    ("scope", "domains"),
    [
        ("third-party", None),
        ("assistant-standard", None),
        ("work-context", ["work", "leisure"]),
        ("private-full", None),
    ],
)
def test_the_preview_is_what_the_tool_itself_is_answered(
    furnished: Served, owner: Browser, scope: str, domains: list[str] | None
) -> None:
    granted = furnished.house.grant("Claude", scope, domains=domains)
    page = owner.get(preview_of(granted, QUESTION, QUESTION))
    address, token = furnished.address, granted.token
    recalled = result_of(called(address, token, "mem_recall", query=QUESTION))
    pack = result_of(called(address, token, "mem_context_pack", topic=QUESTION))
    profile = result_of(called(address, token, "mem_profile"))
    assert recalled["items"]
    shown = [link for link in page.links if link.startswith("/memories/")]
    rules = [rule["id"] for rule in profile["rules"]]
    assert shown == [f"/memories/{one}" for one in [*(item["id"] for item in recalled["items"]), *rules]]
    assert " ".join(pack["context_prompt"].split()) in page.text
    counts = " ".join(f"{domain['label']} {domain['count']}" for domain in profile["domains"])
    assert counts in page.text
    assert ", ".join(entity["name"] for entity in profile["entities"]) in page.text
    for hidden, least in (("bike", Level.S0), ("inhaler", Level.S3), ("money", Level.S2)):
        assert (hidden in page.text) == (granted.grant.level >= least and hidden in str(recalled))
    assert "secret" not in page.text


def test_a_preview_is_marked_and_leaves_no_trace(furnished: Served, owner: Browser) -> None:
    granted = furnished.house.grant("Claude")
    page = owner.get(preview_of(granted, QUESTION, QUESTION))
    assert "What Claude would see Preview up to S1" in page.text
    assert "nothing here counts as a use of it, and nothing is written in the log" in page.text
    now = furnished.house.store.grants.grant(granted.grant.id)
    assert now is not None
    assert (now.calls, now.last_used_at) == (0, None)
    assert furnished.house.service_log.read(grant=granted.grant.id, limit=10) == []


def test_before_anything_is_asked_the_profile_is_shown(furnished: Served, owner: Browser) -> None:
    page = owner.get(f"/tools/{furnished.house.grant('Claude').grant.id}/preview")
    assert "What it reads first: its profile" in page.text
    assert "Answer Louise briefly" in page.text
    assert "It would be told" not in page.text


def test_a_question_that_nothing_answers_says_so(furnished: Served, owner: Browser) -> None:
    page = owner.get(preview_of(furnished.house.grant("Claude"), "xylophone", "xylophone"))
    assert page.text.count("It would be told: the memory does not know.") == 2


def test_a_question_is_cut_to_what_a_tool_may_ask_and_shown_as_text(
    furnished: Served, owner: Browser
) -> None:
    page = owner.get(preview_of(furnished.house.grant("Claude"), '"><script>alert(1)</script>' + "x" * 3_000))
    assert page.status == 200
    assert "<script>alert" not in page.html
    (query,) = page.forms[2].fields["query"]
    assert len(query) == 1_000


def test_a_tool_that_may_only_propose_is_shown_what_it_would_be_told(
    furnished: Served, owner: Browser
) -> None:
    granted = furnished.house.grant("Claude", mode="propose")
    page = owner.get(preview_of(granted, QUESTION))
    assert "It would be shown nothing." in page.text
    assert "The owner did not allow this tool to do that." in page.text
    assert "bike" not in page.text


def test_one_that_is_revoked_is_shown_nothing(furnished: Served, owner: Browser) -> None:
    granted = furnished.house.grant("Claude")
    furnished.house.grants().revoke("Claude")
    page = owner.get(preview_of(granted, QUESTION))
    assert "It would be shown nothing." in page.text
    assert "bike" not in page.text


def test_the_preview_speaks_the_tools_language_within_a_page_of_the_owners(furnished: Served) -> None:
    granted = furnished.house.grant("Claude", language="en")
    with furnished.owners("fr") as owner:
        page = owner.get(preview_of(granted, "", QUESTION))
        assert "Ce que Claude verrait" in page.text
        assert "Facts:" in page.text
        assert "leisure" in page.text
