"""G7 over the console: whatever its pages are asked for, the ledger stays as it is until a curator comes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from cypher.keys import read_key
from policies.terms import EntityId, Level
from service.addresses import addresses_of
from service.console.pages import PAGES
from service.console.sessions import Sessions
from service.console.site import Page
from tests.support.browser_forms import Browser
from tests.support.console import PASSPHRASE, Served, address_of, open_served
from tests.support.memories import memory, registered
from tests.support.service_fixtures import OpenEngine

KEPT_OUT = {"/sign-out", "/settings/browsers/end", "/settings/passphrase"}
"""What would end the session that the others need."""
FIELDS = {
    "alias": "Bettina",
    "answer": "allow",
    "change": "correction",
    "discretion": "on_demand",
    "domains": "leisure",
    "entity": "ent:paul",
    "into": "ent:acme",
    "kind": "fact",
    "level": "S2",
    "name": "Bettina Orth",
    "other": "ent:acme",
    "passkey": "{}",
    "reason": "it was never so",
    "ruling": "keep-new",
    "scope": "private-full",
    "statement": "Louise owns a green bike.",
    "text": "Louise owns a green bike.",
    "type": "person",
    "with": "ent:acme",
}
"""A value for every field that some form has."""

PROBE = """
import json, sys
from pathlib import Path
import service.__main__
from service.console.pages import PAGES
print(json.dumps({"pages": len(PAGES), "modules": sorted(sys.modules)}))
"""


@pytest.fixture
def served(open_engine: OpenEngine) -> Iterator[Served]:
    """A console with a few memories, and nobody who curates."""
    settings, engine = open_engine("arcadedb")
    with open_served(settings, engine) as served:
        served.house.commit(
            registry=[registered("owner", owner=True, level=Level.S0), registered("paul"), registered("acme")]
        )
        served.house.commit(memory("bike", text="Louise owns a red bike", anchors=(EntityId("ent:owner"),)))
        yield served


def test_the_web_process_with_all_its_pages_loads_nothing_that_commits() -> None:
    probe = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True, timeout=120
    )
    told = json.loads(probe.stdout)
    assert told["pages"] == len(PAGES)
    writers = {"cypher.committer", "cypher.commit", "cypher.lease", "cypher.projection", "cypher.rebuild"}
    assert not writers & set(told["modules"])
    assert not [module for module in told["modules"] if module.split(".")[0] == "curator"]


def test_no_page_and_no_form_changes_the_ledger_by_itself(served: Served) -> None:
    house = served.house
    tool = house.grant("desk").grant.id
    proposal = house.inbox.view(limit=1)[0].proposal.id
    before = _ledger(served)

    def path_of(page: Page) -> str:
        subject = "ent:paul" if page.path.startswith("/entities") else "mem:bike"
        return address_of(page, grant=tool, proposal=proposal, id=subject)

    with served.browser() as browser:
        browser.sign_in(PASSPHRASE)
        secret = browser.http.cookies["mnemo"]
        sessions = Sessions(
            house.store.console,
            house.clock,
            addresses_of(house.settings),
            read_key(house.settings.keys_dir, "cursor"),
        )

        def sent(page: Page) -> int:
            path = path_of(page)
            with Browser(served.address) as one:
                one.http.timeout = httpx2.Timeout(60)
                one.http.cookies.update(browser.http.cookies)
                fields = {**FIELDS, "form_token": sessions.form_token(secret, path)}
                return one.http.post(path, data=fields).status_code

        opened = [browser.http.get(path_of(page)).status_code for page in PAGES if page.get is not None]
        forms = [page for page in PAGES if page.post is not None and page.path not in KEPT_OUT]
        with ThreadPoolExecutor(8) as pool:  # each waits for a curator that does not come
            answers = list(pool.map(sent, forms))
    assert 500 not in opened
    assert max(answers) < 500
    assert answers.count(303) >= 8, "most forms were taken"
    assert house.inbox.view(limit=50)[0].proposal.grant is None, "what they asked for waits in the inbox"
    assert _ledger(served) == before


def _ledger(served: Served) -> tuple[object, ...]:
    reader = served.house.reader
    return (
        reader.chain_end(),
        tuple(reader.all_entries()),
        tuple(reader.changed_since(0, 1_000)),
        reader.registry(),
        reader.passkeys(),
    )
