"""The command line as scripts rely on it, beside a living service: answers, exit codes, languages, widths."""

from __future__ import annotations

import json
import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from cypher.cli import ExitCode
from cypher.owner import OwnerSession
from cypher.settings import load_settings
from policies.machine_links import bind
from policies.passkeys import challenge_of
from policies.terms import Outcome, ProposalId
from tests.e2e.conftest import OWNER
from tests.support.asking import answered, connected, http_client, item_ids
from tests.support.authenticator import Authenticator
from tests.support.commands import COMMAND_S_MAX, Done, Mnemo, Serving, environment

ERROR = {"code", "category", "message", "remedy", "field", "retry_after"}
ITEM = {
    *("id", "text", "kind", "provenance", "confidence", "sensitivity", "valid_from", "valid_to"),
    *("recorded_at", "status", "anchors", "domains", "event", "evidence", "why"),
}
UNKNOWN_MEMORY = "mem:" + "a" * 26


def refusal(done: Done) -> dict[str, Any]:
    """The error that a refused command answered with ``--json``; its sentence is on standard error too."""
    error = done.answer["error"]
    assert set(error) == ERROR
    assert error["message"].split()[0] in done.err
    return error


def declare(mnemo: Mnemo, text: str, *options: str) -> str:
    answer = mnemo.answers("declare", text, *options)
    assert answer["outcome"] == "committed"
    return str(answer["memory"])


def propose(mnemo: Mnemo, text: str, *options: str) -> tuple[str, dict[str, Any]]:
    """Propose, curate, and give the proposal with its outcome."""
    receipt = mnemo.answers("remember", text, *options)
    assert set(receipt) == {"proposal", "status", "message", "next_run"}
    assert receipt["status"] == "proposed"
    assert "mnemo gates" in receipt["message"], "the owner reads it, and no assistant"
    assert "mem_gates" not in receipt["message"]
    run = mnemo.answers("curate")
    assert set(run) == {"run", "counts", "outcomes"}
    return receipt["proposal"], outcome_of(mnemo, receipt["proposal"])


def outcome_of(mnemo: Mnemo, proposal: str) -> dict[str, Any]:
    found = mnemo.answers("gates", "--proposal", proposal)["items"]
    assert [item["proposal"] for item in found] == [proposal]
    return found[0]


# init


def test_beginning_again_changes_nothing(mnemo: Mnemo) -> None:
    before = mnemo.answers("status")["entries"]
    answer = mnemo.answers("init", "--owner", OWNER)
    assert (answer["created"], answer["outcome"], answer["owner"]) == (False, "duplicate", OWNER)
    assert (answer["handle"], answer["timezone"], answer["engine"]) == ("zoe", "Europe/Paris", "embedded")
    registered = [one for one in mnemo.answers("entities", "list") if one["owner"]]
    assert [one["name"] for one in registered] == [OWNER]
    assert mnemo.answers("status")["entries"] <= before + 1  # the outcome of the second directive at most


def test_another_owner_is_refused(mnemo: Mnemo) -> None:
    done = mnemo.run("--json", "init", "--owner", "Somebody Else")
    assert done.code in (ExitCode.USAGE, ExitCode.REFUSED)
    assert refusal(done)["code"] == "store.invalid"


def test_what_is_written_is_for_this_account_alone(mnemo: Mnemo, home: Path) -> None:
    for path in (home, *home.rglob("*")):
        mode = path.lstat().st_mode
        if path.name.startswith(("serve-", "entities")) or stat.S_ISLNK(mode):
            continue  # the test's own
        allowed = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(mode) & ~allowed == 0, f"{path}: {stat.S_IMODE(mode):o}"


# entities


def test_a_file_that_was_imported_is_known(mnemo: Mnemo, home: Path) -> None:
    answer = mnemo.answers("entities", "import", str(home / "entities.jsonl"))
    assert (answer["registered"], answer["known"], answer["refused"]) == (0, 6, 0)
    types = {one["name"]: one["type"] for one in mnemo.answers("entities", "list")}
    assert types["Acme"] == "organisation"


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "[]",
        '{"name": "Nobody"}',
        '{"name": "Nobody", "type": "robot"}',
        '{"name": "N", "type": "person", "x": 1}',
    ],
)
def test_a_malformed_line_is_named_and_nothing_is_imported(mnemo: Mnemo, tmp_path: Path, bad: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"name": "Nobody Yet", "type": "person"}\n\n' + bad + "\n", "utf-8")
    assert (
        "line 3" in refusal(mnemo.ends(ExitCode.USAGE, "--json", "entities", "import", str(file)))["message"]
    )
    assert "ligne 3" in mnemo.ends(ExitCode.USAGE, "--lang", "fr", "entities", "import", str(file)).err
    assert "Nobody Yet" not in {one["name"] for one in mnemo.answers("entities", "list")}


def test_entities_come_from_standard_input_too(mnemo: Mnemo) -> None:
    line = json.dumps({"name": "Projet\u2028Étoile", "type": "project"}, ensure_ascii=False)
    done = mnemo.run("entities", "import", "-", text=line)
    assert done.code in (ExitCode.DONE, ExitCode.REFUSED)  # one line, whatever it holds
    assert "1" in done.out


def test_aliases_and_merges_are_undone(mnemo: Mnemo) -> None:
    for name in ("Hooli", "Hooli SA"):
        mnemo.answers("entities", "add", name, "--type", "organisation")
    mnemo.answers("entities", "alias", "Hooli", "The H")
    assert mnemo.answers("entities", "merge", "Hooli SA", "Hooli")["outcome"] == "committed"
    assert "Hooli SA" not in {one["name"] for one in mnemo.answers("entities", "list")}
    mnemo.answers("entities", "unmerge", "Hooli SA")
    mnemo.answers("entities", "never-merge", "Hooli SA", "Hooli")
    refused = mnemo.ends(ExitCode.REFUSED, "--json", "entities", "merge", "Hooli SA", "Hooli").answer
    assert refused["outcome"] == "rejected"
    aliases = {one["name"]: one["aliases"] for one in mnemo.answers("entities", "list")}
    assert aliases["Hooli"] == ["The H"]
    assert "Hooli SA" in aliases


# the owner's word, and reading


def test_what_is_declared_is_recalled_with_its_history(mnemo: Mnemo) -> None:
    memory = declare(mnemo, "Alice Durand has worked at Globex since 2021.", "--about", "Alice Durand")
    answer = mnemo.answers("recall", "Where does Alice Durand work?")
    assert set(answer) == {"verdict", "best", "items", "notices", "next_cursor"}
    assert memory in [item["id"] for item in answer["items"]]
    item = next(item for item in answer["items"] if item["id"] == memory)
    assert set(item) == ITEM
    assert (item["provenance"], item["confidence"]) == ("attested", 1.0)
    assert mnemo.answers("pack", "Alice Durand", "--about", "Alice Durand")["items"]
    [version] = mnemo.answers("history", memory)
    assert (version["id"], version["by"]) == (memory, None)
    told = mnemo.ends(ExitCode.DONE, "history", memory).out
    assert memory in told
    assert f"by you, {version['proposal']}" in told


def test_a_correction_a_succession_and_a_retraction_leave_the_past_to_be_seen(mnemo: Mnemo) -> None:
    first = declare(mnemo, "Alice Durand lives in Lyon, rue Mercière.", "--about", "Alice Durand")
    second = mnemo.answers("correct", first, "Alice Durand lives in Lyon, rue de la Barre.")["memory"]
    third = mnemo.answers(
        *(
            "correct",
            second,
            "Alice Durand lives in Lyon, quai Perrache.",
            "--succession",
            "--effective",
            "2026-01-01",
        )
    )["memory"]
    chain = mnemo.answers("history", first)
    assert [version["id"] for version in chain][:2] == [first, second]
    assert chain[-1]["id"] == third
    assert chain[0]["superseded_at"] is not None
    assert mnemo.answers("retract", third, "--reason", "she moved back")["outcome"] == "committed"
    assert third not in item_ids(mnemo.answers("recall", "", "--id", first))
    assert len(mnemo.answers("history", first)) == len(chain) + 1


def test_reclassifying_hides_a_memory_from_lower_scopes_at_once(mnemo: Mnemo) -> None:
    memory = declare(mnemo, "Zoé Martin collects enamel signs.", "--level", "S0")
    query = ("recall", "enamel signs", "--scope", "third-party")
    assert item_ids(mnemo.answers(*query)) == [memory]
    mnemo.answers("reclassify", memory, "--level", "S3")
    hidden = mnemo.ends(ExitCode.NEGATIVE, "--json", *query).answer
    assert (hidden["verdict"], hidden["items"]) == ("unknown", [])
    assert item_ids(mnemo.answers("recall", "enamel signs")) == [memory]


def test_the_owner_is_told_how_what_is_kept_on_request_only_is_found_whether_there_is_any_or_not(
    mnemo: Mnemo,
) -> None:
    declare(mnemo, "Zoé Martin's locker code hides a palindrome.", "--discretion", "on_request_only")
    asked = [
        mnemo.ends(ExitCode.NEGATIVE, "--json", "recall", query).answer
        for query in ("locker palindrome", "the price of tungsten")
    ]
    assert asked[0] == asked[1]
    assert "--about" in asked[0]["notices"][-1]
    assert "Do not guess" in mnemo.run("recall", "locker palindrome", "--scope", "private-full").out


def test_a_path_follows_declared_ties(mnemo: Mnemo) -> None:
    declare(mnemo, "Paul Durand works at Acme.", "--about", "Paul Durand", "--about", "Acme")
    found = mnemo.answers("path", "Paul Durand", "Acme")
    assert found["found"]
    none = mnemo.ends(ExitCode.NEGATIVE, "--json", "path", "Lyon", "Paul Petit").answer
    assert none == {"found": False, "hops": []}


def test_a_profile_is_the_views(mnemo: Mnemo) -> None:
    declare(mnemo, "Zoé Martin banks with a mutual.", "--domain", "finance")
    own = {one["id"] for one in mnemo.answers("profile")["domains"]}
    third = {one["id"] for one in mnemo.answers("profile", "--scope", "third-party")["domains"]}
    assert "finance" in own - third


# proposals


def test_a_proposal_is_curated_and_its_outcome_told(mnemo: Mnemo) -> None:
    _, outcome = propose(mnemo, "Zoé Martin prefers window seats on trains.")
    assert outcome["outcome"] == "committed"
    assert outcome["memory"].startswith("mem:")
    _, again = propose(mnemo, "Zoé Martin prefers window seats on trains.")
    assert (again["outcome"], again["memory"]) == ("duplicate", outcome["memory"])


def test_a_key_makes_a_proposal_once(mnemo: Mnemo) -> None:
    said = ("remember", "The cellar key hangs behind the door.", "--key", "cellar")
    assert mnemo.answers(*said)["proposal"] == mnemo.answers(*said)["proposal"]
    done = mnemo.ends(ExitCode.REFUSED, "--json", "remember", "Another text.", "--key", "cellar")
    assert refusal(done)["code"] == "proposal.key_conflict"


def test_a_dry_run_writes_nothing(mnemo: Mnemo) -> None:
    receipt = mnemo.answers("remember", "The attic window does not close well.")
    run = mnemo.answers("curate", "--dry-run")
    assert receipt["proposal"] in [one["proposal"] for one in run["outcomes"]]
    assert outcome_of(mnemo, receipt["proposal"])["outcome"] is None


def test_an_ambiguous_name_waits_for_a_ruling(mnemo: Mnemo) -> None:
    proposal, outcome = propose(mnemo, "Paul likes chess.")
    assert outcome["outcome"] == "needs_zoe"
    waiting = mnemo.answers("gates", "--view", "arbitrations")["items"]
    assert proposal in [item["proposal"] for item in waiting]
    ruled = mnemo.answers("rule", proposal, "keep-new", "--anchor", "Paul Petit")
    assert ruled["outcome"] == "committed"
    assert item_ids(mnemo.answers("recall", "chess", "--about", "Paul Petit"))
    assert (
        mnemo.ends(ExitCode.REFUSED, "--json", "rule", proposal, "keep-new").answer["outcome"] == "rejected"
    )


def test_a_stranger_is_refused_until_registered(mnemo: Mnemo) -> None:
    proposal, outcome = propose(mnemo, "Bérénice Valmont plays the cello.")
    assert outcome["outcome"] == "rejected"
    assert mnemo.answers("gates", "--view", "anchor_reviews")["items"]
    mnemo.answers("entities", "add", "Bérénice Valmont", "--type", "person")
    mnemo.answers("curate")
    assert outcome_of(mnemo, proposal)["outcome"] == "rejected"
    assert item_ids(mnemo.answers("recall", "cello", "--about", "Bérénice Valmont"))


def test_a_name_is_dismissed_and_asked_about_no_more(mnemo: Mnemo) -> None:
    propose(mnemo, "Gaspard Lormeau repairs clocks.")
    waiting = mnemo.run("gates", "--view", "anchor_reviews").out
    assert "mnemo entities dismiss 'Gaspard Lormeau'" in waiting
    assert mnemo.answers("entities", "dismiss", "Gaspard Lormeau")["outcome"] == "committed"
    reviews = {one["name"]: one for one in mnemo.answers("gates", "--view", "anchor_reviews")["items"]}
    assert reviews["Gaspard Lormeau"]["closed_at"] is not None
    assert "dismiss 'Gaspard" not in mnemo.run("gates", "--view", "anchor_reviews").out
    again = mnemo.ends(ExitCode.NOT_FOUND, "--json", "entities", "dismiss", "Gaspard Lormeau").answer
    assert again["reason"] == "review.unknown"


# the owner's passkey


def test_a_passkey_confirms_in_the_console_what_a_command_submitted(
    mnemo: Mnemo, serving: Serving, home: Path
) -> None:
    words = ("declare", "Alice Durand was diagnosed with asthma.", "--about", "Alice Durand")
    link = mnemo.answers("owner", "passkey")["url"]
    assert link.startswith(f"{serving.url}/passkey/"), "the port that the service was told alone"
    assert re.search(f"{serving.url}/setup/[^ ]+\n", serving.log.read_text("utf-8"))
    laptop = Authenticator("laptop", origin=serving.url)
    with OwnerSession(load_settings(home)) as session:

        def confirm(waiting: ProposalId) -> Outcome:
            challenge = challenge_of(session.inbox.view(ids=[waiting], limit=1)[0].proposal)
            answer = laptop.get(challenge)
            return session.direct("confirm", {"proposal": waiting, "assertion": answer}).outcome

        bound = bind(link.rpartition("/")[2], laptop.id, laptop.public_key)
        payload: dict[str, object] = {**laptop.enrolment, "link": bound}
        assert session.direct("enrol_passkey", payload).outcome is Outcome.COMMITTED
        assert refusal(mnemo.ends(ExitCode.REFUSED, "--json", "owner", "passkey"))
        told = mnemo.ends(ExitCode.REFUSED, "--json", *words).answer
        assert (told["outcome"], told["reason"], told["memory"]) == ("needs_zoe", "directive.passkey", None)
        assert told["url"] == f"{serving.url}/confirm/{told['proposal']}"
        waiting = mnemo.answers("gates", "--view", "arbitrations")["items"]
        own = next(one for one in waiting if one["proposal"] == told["proposal"])
        assert (own["action"], own["by"], own["url"]) == ("declare", None, told["url"])
        assert mnemo.answers("gates", "--proposal", told["proposal"])["items"] == [own]
        assert told["url"] in mnemo.run("gates", "--view", "arbitrations", COLUMNS="60").out
        assert mnemo.answers("rule", told["proposal"], "reject")["outcome"] == "committed"
        assert told["proposal"] not in json.dumps(mnemo.answers("gates", "--view", "arbitrations"))
        narrow = mnemo.ends(ExitCode.REFUSED, *words, COLUMNS="40").out
        assert re.search(f"^{serving.url}/confirm/prop:[a-z2-7]+$", narrow, re.MULTILINE)
        with mnemo.started("--json", *words, "--wait") as waits:
            assert waits.stderr is not None
            assert waits.stdout is not None
            line = next(line for line in waits.stderr if "/confirm/" in line)
            assert waits.poll() is None
            assert confirm(ProposalId(line.strip().rpartition("/")[2])) is Outcome.COMMITTED
            assert waits.wait(COMMAND_S_MAX) == ExitCode.DONE
            assert json.loads(waits.stdout.read())["outcome"] == "committed"
    again = mnemo.answers("owner", "reset")
    assert again["url"].startswith(f"{serving.url}/setup/")
    assert again["sessions_ended"] == 0
    assert declare(mnemo, "Alice Durand was diagnosed with migraines.", "--about", "Alice Durand")
    assert mnemo.answers("verify")["ok"]


# assistants


def test_a_granted_token_works_until_it_is_revoked(mnemo: Mnemo, serving: Serving) -> None:
    memory = declare(mnemo, "Zoé Martin's bicycle is a green tandem.")
    granted = mnemo.answers("grant", "desk", "--scope", "work-context", "--mode", "read", "--days", "7")
    assert set(granted) == {"grant", "name", "scope", "token"}
    assert refusal(mnemo.ends(ExitCode.REFUSED, "--json", "grant", "desk", "--scope", "work-context"))

    async def ask() -> dict[str, Any]:
        async with connected(serving.url, granted["token"]) as client:
            return await answered(client, "mem_recall", query="green tandem")

    assert memory in item_ids(anyio.run(ask))
    listed = next(one for one in mnemo.answers("tools") if one["name"] == "desk")
    assert (listed["scope"], listed["mode"]) == ("work-context", "read")
    assert granted["token"] not in json.dumps(mnemo.answers("tools"))
    served = mnemo.answers("log", "--as", "desk")
    assert memory in served[0]["served"]
    assert "tandem" not in json.dumps(served)
    assert mnemo.answers("revoke", "desk")["revoked"]

    async def status() -> int:
        async with http_client(serving.url, granted["token"]) as http:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            return (await http.post("", json=body)).status_code

    assert anyio.run(status) == 401
    assert refusal(mnemo.ends(ExitCode.NOT_FOUND, "--json", "revoke", "desk"))["code"] == "grant.unknown"


def test_a_token_of_one_store_is_worth_nothing_at_another(mnemo: Mnemo, serving: Serving, home: Path) -> None:
    """And each store has its own memory, registry and keys."""
    made = mnemo.answers("store", "new", "work", "--owner", "Zoé Martin", "--handle", "zm")
    assert made["created"]
    other = Mnemo(home, "work")
    token = other.answers("grant", "desk-of-work", "--scope", "private-full")["token"]

    async def status() -> int:
        async with http_client(serving.url, token) as http:
            return (await http.post("", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).status_code

    assert anyio.run(status) == 401
    assert [one["name"] for one in other.answers("entities", "list")] == [OWNER]
    stores = {one["store"]: one["active"] for one in mnemo.answers("store", "list")}
    assert stores == {"default": True, "work": False}
    mnemo.answers("store", "use", "work")
    assert mnemo.answers("status")["store"] == "work"
    assert mnemo.ends(ExitCode.DONE, "--json", "status", MNEMO_STORE="default").answer["store"] == "default"
    mnemo.answers("store", "use", "default")
    keys = [(home / "stores" / name / "keys" / "owner.key").read_bytes() for name in ("default", "work")]
    assert keys[0] != keys[1]


def test_stdio_serves_a_named_grant(mnemo: Mnemo) -> None:
    memory = declare(mnemo, "Zoé Martin's kettle whistles in F sharp.")
    mnemo.answers("grant", "desktop", "--scope", "assistant-standard")
    words = mnemo.command("mcp", "--as", "desktop")

    async def ask() -> tuple[int, dict[str, Any]]:
        command = StdioServerParameters(command=words[0], args=words[1:], env=environment())
        async with Client(command) as client:
            return len((await client.list_tools()).tools), await answered(
                client, "mem_recall", query="kettle F sharp"
            )

    tools, answer = anyio.run(ask)
    assert tools == 8
    assert memory in item_ids(answer)
    assert mnemo.ends(ExitCode.NOT_FOUND, "mcp", "--as", "nobody").out == ""


# looking after it


def test_status_and_verify_tell_the_ledger(mnemo: Mnemo) -> None:
    status = mnemo.answers("status")
    assert (status["owner"], status["engine"], status["curator"]) == (OWNER, "embedded", True)
    verified = mnemo.answers("verify")
    assert set(verified) == {"ok", "size", "root", "first_bad", "reason"}
    assert verified["ok"]
    assert verified["size"] >= status["entries"] > 0


def test_a_rebuild_beside_the_living_service_changes_no_answer(mnemo: Mnemo) -> None:
    declare(mnemo, "Zoé Martin keeps bees on the roof.")
    before = mnemo.answers("recall", "bees on the roof")
    assert mnemo.answers("rebuild")["ok"]
    assert mnemo.answers("recall", "bees on the roof") == before


def test_the_doctor_finds_what_others_can_read(mnemo: Mnemo, home: Path) -> None:
    assert mnemo.answers("doctor")["ok"]
    key = home / "stores" / "default" / "keys" / "owner.key"
    key.chmod(0o644)
    try:
        found = mnemo.ends(ExitCode.NEGATIVE, "--json", "doctor").answer
        assert [one["ok"] for one in found["checks"]].count(False) == 1
        assert "owner.key" in next(one["problem"] for one in found["checks"] if not one["ok"])
        assert "owner.key" in mnemo.ends(ExitCode.NEGATIVE, "--lang", "fr", "doctor").out.replace("\n", "")
    finally:
        key.chmod(0o600)


def test_the_doctor_finds_a_missing_key(mnemo: Mnemo, home: Path) -> None:
    keys = home / "stores" / "default" / "keys"
    keys.rename(keys.with_name("elsewhere"))
    try:
        found = mnemo.ends(ExitCode.NEGATIVE, "--json", "doctor").answer
        assert not found["checks"][0]["ok"]
    finally:
        keys.with_name("elsewhere").rename(keys)


# exit codes and manners


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (ExitCode.DONE, ["--help"]),
        (ExitCode.DONE, ["--version"]),
        (ExitCode.NEGATIVE, ["recall", "the price of tungsten in Ulaanbaatar"]),
        (ExitCode.USAGE, ["nonsense"]),
        (ExitCode.USAGE, ["recall", "x", "--limit", "many"]),
        (ExitCode.USAGE, ["recall", "x", "--limit", "99"]),
        (ExitCode.USAGE, ["recall", "x", "--valid-at", "2026-02-30"]),
        (ExitCode.USAGE, ["recall", "x", "--scope", "everything"]),
        (ExitCode.USAGE, ["remember", "…"]),
        (ExitCode.USAGE, ["declare", "Something.", "--kind", "closure"]),
        (ExitCode.USAGE, ["declare", "Something.", "--from", "2026-01-01T10:00:00"]),
        (ExitCode.USAGE, ["declare", "Something.", "--from", "2026-05", "--to", "2026-01"]),
        (ExitCode.USAGE, ["declare", "Something.", "--domain", "nowhere"]),
        (ExitCode.USAGE, ["declare", "Something \u202e else."]),
        (ExitCode.USAGE, ["rule", "prop:x", "keep"]),
        (ExitCode.USAGE, ["correct", UNKNOWN_MEMORY, "Something.", "--effective", "2026-01-01"]),
        (ExitCode.USAGE, ["serve", "--port", "0"]),
        (ExitCode.USAGE, ["serve", "--host", "0.0.0.0"]),
        (ExitCode.USAGE, ["init"]),
        (ExitCode.USAGE, ["init", "--owner", "X", "--store", "no spaces"]),
        (ExitCode.USAGE, ["init", "--owner", OWNER, "--graph", "http://localhost:7687"]),
        (ExitCode.USAGE, ["init", "--owner", OWNER, "--graph", "bolt://neo4j:secret@localhost:7687"]),
        (ExitCode.USAGE, ["status", "--lang", "de"]),
        (ExitCode.NOT_FOUND, ["history", UNKNOWN_MEMORY]),
        (ExitCode.NOT_FOUND, ["history", "[/bold]"]),
        (ExitCode.NOT_FOUND, ["recall", "", "--id", UNKNOWN_MEMORY]),
        (ExitCode.NOT_FOUND, ["recall", "x", "--about", "Nobody Whatever"]),
        (ExitCode.NOT_FOUND, ["revoke", "[/red]"]),
        (ExitCode.NOT_FOUND, ["log", "--as", "nobody"]),
        (ExitCode.NOT_FOUND, ["retract", UNKNOWN_MEMORY]),
        (ExitCode.NOT_FOUND, ["gates", "--proposal", "prop:" + "a" * 26]),
        (ExitCode.NOT_FOUND, ["entities", "dismiss", "Nobody Whatever"]),
        (ExitCode.REFUSED, ["recall", "x", "--known-at", "2026-01-01", "--scope", "third-party"]),
    ],
)
def test_exit_codes(mnemo: Mnemo, code: ExitCode, words: list[str]) -> None:
    mnemo.ends(code, *words)


def test_an_address_that_is_taken_is_unavailable(mnemo: Mnemo, serving: Serving) -> None:
    done = mnemo.ends(ExitCode.UNAVAILABLE, "serve", "--port", str(serving.port))
    assert str(serving.port) in done.err


def test_a_graph_that_does_not_answer_is_unavailable(tmp_path: Path) -> None:
    mnemo = Mnemo(tmp_path / "home")
    words = ("--json", "init", "--owner", "X", "--graph", "bolt://127.0.0.1:9")
    assert refusal(mnemo.ends(ExitCode.UNAVAILABLE, *words))["code"] == "ledger.unavailable"


def test_a_store_that_does_not_exist_is_told(mnemo: Mnemo) -> None:
    done = mnemo.ends(ExitCode.USAGE, "--json", "--store", "elsewhere", "status")
    assert refusal(done)["code"] == "store.invalid"


def test_common_options_stand_anywhere(mnemo: Mnemo) -> None:
    for words in (["status", "--json"], ["--json", "status"], ["status", "--lang=fr", "--json"]):
        assert mnemo.ends(ExitCode.DONE, *words).answer["owner"] == OWNER


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["init", "--owner", OWNER],
        ["entities", "list"],
        ["tools"],
        ["status"],
        ["doctor"],
        ["log"],
        ["profile"],
        ["recall", "Alice Durand"],
        ["pack", "Alice Durand"],
        ["gates"],
        ["gates", "--view", "arbitrations"],
        ["curate"],
        ["verify"],
        ["store", "list"],
    ],
    ids=" ".join,
)
def test_every_answer_can_be_read_on_a_narrow_terminal(mnemo: Mnemo, words: list[str]) -> None:
    """In French, whose sentences are the longer ones."""
    done = mnemo.run("--lang", "fr", *words, COLUMNS="40")
    assert done.code in (ExitCode.DONE, ExitCode.NEGATIVE)
    assert done.out.strip()
    assert not re.search(r"\[/?(bold|red|green|dim|yellow)\b", done.out + done.err)
    for found in re.findall(r"\b(?:mem|prop|ent):[a-z2-7]+", done.out):
        assert len(found.partition(":")[2]) == 26, "an id that is broken cannot be copied"


def test_a_reader_that_leaves_and_a_disk_that_is_full_leave_no_trace_of_the_stack(mnemo: Mnemo) -> None:
    for options in ([], ["--json"]):
        with mnemo.started(*options, "log", "--limit", "1000") as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.wait(COMMAND_S_MAX) == ExitCode.NEGATIVE
            assert process.stderr.read() == ""
    full = Path("/dev/full")
    if full.exists():
        with full.open("w") as out:
            done = subprocess.run(
                mnemo.command("log"),
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                env=environment(),
                check=False,
            )
        assert done.returncode == ExitCode.UNAVAILABLE
        assert "Traceback" not in done.stderr


def test_words_are_in_the_persons_language(mnemo: Mnemo) -> None:
    assert "Le grand livre est intact" in mnemo.run("verify", LC_ALL="fr_FR.UTF-8").out
    assert "The ledger is intact" in mnemo.run("verify", LC_ALL="de_DE.UTF-8").out
    assert "Le grand livre est intact" in mnemo.run("--lang", "fr", "verify", LC_ALL="en_US.UTF-8").out


def test_text_is_shown_as_it_was_given(mnemo: Mnemo) -> None:
    text = "Zoé Martin's log reads :bug: [bold]twice[/bold] a day."
    memory = declare(mnemo, text)
    assert text in mnemo.run("history", memory, COLUMNS="200").out
    assert ":bug:" in mnemo.run("recall", "", "--id", memory, COLUMNS="200").out
