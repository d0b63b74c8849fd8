"""What two hundred connected tools cost: ``python tests/bench/tokens.py [tools] [memories]`` (200 and 2,000).

On the embedded engine and over HTTP, in one run and side by side: an empty page (``/healthz``), which nobody has to
be known for; the check of a token in the process, beside a recall in the process, and an empty tool call beside a
recall over HTTP; a sign-in, a consent page and the page of the connected tools beside the empty page. A sign-in costs
what argon2 is told to cost: it does not depend on the tools. Trust the ratios: milliseconds are the machine's.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from cypher.engine import connect
from policies.parameters import parameters
from policies.terms import Level, View
from service.console.signing import Guesser, Signing
from service.reading import Reading, RecallArguments
from tests.bench.recall import asked, fill, timed
from tests.support.browser_forms import Browser
from tests.support.connecting import called, waiting
from tests.support.console import PASSPHRASE
from tests.support.graphs import make_settings
from tests.support.house import House, open_house, web_server
from tests.support.redis_server import free_port

ROUNDS = 40


def main(arguments: list[str]) -> int:
    """Connect, measure and print."""
    tools, memories = (
        int(arguments[n]) if len(arguments) > n else usual for n, usual in ((0, 200), (1, 2_000))
    )
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        settings = replace(make_settings(Path(folder) / "home"), port=port)
        with connect(settings) as engine, open_house(settings, engine) as house:
            fill(house, memories)
            Signing(house.store, house.clock).choose(PASSPHRASE)
            token = [house.grant(f"tool {number}").token for number in range(tools)][tools // 2]
            print(f"{tools} connected tools, {memories:,} memories")
            in_process(house, token)
            with web_server(house, port) as address:
                over_http(house, address, token)
    return 0


def in_process(house: House, token: str) -> None:
    """A token's check beside a recall."""
    grants, questions, view = house.grants(), asked(), View(level=Level.S1)
    read = Reading(
        house.reader, house.clock, parameters=parameters(), zone=house.settings.zone,
        folder=house.settings.store_dir / "index",
    )  # fmt: skip
    read.recall(view, RecallArguments("anything"))
    recall = timed("a recall in the process", lambda: read.recall(view, RecallArguments(next(questions))))
    check = timed("a token's check", lambda: grants.bearer(token))
    print(f"a token's check = {check / recall:.3f} recalls")
    read.close()
    signing, owner = Signing(house.store, house.clock), Guesser("bench", is_known=True)
    timed(
        "a passphrase's check",
        lambda: (signing.check(PASSPHRASE, owner), signing.forgive(owner)),
        rounds=ROUNDS,
    )


def over_http(house: House, address: str, token: str) -> None:
    """Calls and pages, beside an empty page."""
    questions = asked()

    def each(what: str, work: Callable[[], object]) -> float:
        def later() -> object:
            # The clock is set, and what happens in a minute is counted.
            house.clock.advance(10)
            return work()

        return timed(what, later, rounds=ROUNDS)

    with Browser(address) as stranger, Browser(address) as owner:
        empty = each("an empty page", lambda: stranger.get("/healthz").status)
        recall = each(
            "a recall over HTTP", lambda: called(address, token, "mem_recall", query=next(questions))
        )
        call = each("an empty call over HTTP", lambda: called(address, token, "mem_recall", nonsense=1))
        print(f"an empty call = {call / recall:.2f} recalls")
        owner.sign_in(PASSPHRASE)
        pages = {
            "the page of the connected tools": lambda: owner.get("/tools"),
            "a consent page": lambda: owner.get(waiting(house)),
            "a page of the console (settings)": lambda: owner.get("/settings"),
            "the sign-in form": lambda: stranger.get("/sign-in"),
            "the home page": lambda: owner.get("/"),
            "a sign-in": lambda: sign_in(stranger),
        }
        for what, work in pages.items():
            print(f"{what} = {each(what, work) / empty:.1f} empty pages")


def sign_in(browser: Browser) -> None:
    """Sign in as the owner does, up to where the browser is sent then."""
    browser.http.cookies.clear()
    answer = browser.sent(browser.get("/sign-in"), "/sign-in", passphrase=PASSPHRASE)
    assert answer.status_code == 303, answer.text


if __name__ == "__main__":
    begun = time.perf_counter()
    status = main(sys.argv[1:])
    print(f"measured in {time.perf_counter() - begun:.0f} s")
    raise SystemExit(status)
