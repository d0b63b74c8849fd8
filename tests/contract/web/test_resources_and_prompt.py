from __future__ import annotations

from typing import Any, cast

import pytest
from mcp import Client, MCPError
from mcp_types import PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

from tests.support.house import House
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio

ENTITY = ResourceTemplateReference(uri="mnemo://entity/{id}")


async def code_of(client: Client, uri: str) -> tuple[str, Any]:
    with pytest.raises(MCPError) as raised:
        await client.read_resource(uri)
    return raised.value.error.data["error"]["code"], raised.value.error.model_dump()


async def test_templates_are_listed_and_resources_are_the_entities_of_the_view(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant()) as client:
        templates = (await client.list_resource_templates()).resource_templates
        listed = (await client.list_resources()).resources
    assert {template.uri_template for template in templates} == {"mnemo://memory/{id}", "mnemo://entity/{id}"}
    assert {resource.uri for resource in listed} == {
        f"mnemo://entity/ent:{name}" for name in ("owner", "acme", "paul")
    }


async def test_a_memory_and_an_entity_are_read_as_data_and_as_text(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant()) as client:
        read = (await client.read_resource("mnemo://memory/mem%3Abike")).contents
        by_id = (await client.read_resource("mnemo://entity/ent:acme")).contents
        by_alias = (await client.read_resource("mnemo://entity/Acme%20Corp")).contents
    assert [part.mime_type for part in read] == ["application/json", "text/plain"]
    assert "[mem:bike] Louise owns a red bike" in cast("TextResourceContents", read[1]).text
    about = cast("TextResourceContents", by_id[0]).text
    assert "mem:job" in about
    assert "mem:pay" not in about
    assert cast("TextResourceContents", by_alias[0]).text == about


async def test_hidden_unknown_and_malformed_addresses_are_one_and_the_same(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant()) as client:
        told = [
            await code_of(client, uri)
            for uri in (
                "mnemo://memory/mem:clinic",
                "mnemo://memory/mem:nothing",
                "mnemo://entity/doctor",
                "mnemo://entity/ent:doctor",
                "mnemo://entity/nobody",
                "mnemo://page/x",
                "file:///etc/passwd",
            )
        ]
    assert {code for code, _ in told} == {"id.unknown"}
    assert told[0] == told[1]
    assert told[2] == told[4]


async def test_a_grant_that_may_only_propose_reads_no_resource(furnished: House, session: Session) -> None:
    async with session(furnished.grant(mode="propose")) as client:
        assert (await code_of(client, "mnemo://memory/mem:bike"))[0] == "grant.mode"
        with pytest.raises(MCPError):
            await client.list_resources()
        with pytest.raises(MCPError):
            await client.complete(ENTITY, {"name": "id", "value": "a"})


async def test_completion_tells_names_of_the_view_alone(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        visible = await client.complete(ENTITY, {"name": "id", "value": "pa"})
        hidden = await client.complete(ENTITY, {"name": "id", "value": "doc"})
        unknown = await client.complete(ENTITY, {"name": "id", "value": "zzz"})
        language = await client.complete(PromptReference(name="mnemo"), {"name": "lang", "value": "f"})
    assert visible.completion.values == ["paul"]
    assert hidden.completion == unknown.completion
    assert language.completion.values == ["fr"]


async def test_the_prompt_tells_to_consult_propose_cite_and_trust_nothing_else(
    house: House, session: Session
) -> None:
    async with session(house.grant(language="fr")) as client:
        listed = (await client.list_prompts()).prompts
        french = await client.get_prompt("mnemo")
        english = await client.get_prompt("mnemo", {"lang": "en"})
        for arguments in ({"lang": "de"}, {"topic": "x"}):
            with pytest.raises(MCPError):
                await client.get_prompt("mnemo", arguments)
    assert [prompt.name for prompt in listed] == ["mnemo"]
    text = cast("TextContent", english.messages[0].content).text
    for word in ("mem_profile", "mem_recall", "mem_context_pack", "mem_remember", "mem:", "no other memory"):
        assert word in text
    assert "Louis Martin" in text
    assert "Avant de répondre" in cast("TextContent", french.messages[0].content).text
