from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from policies.errors import (
    DomainUnknown,
    GrantChanged,
    GrantNameTaken,
    GrantRefused,
    GrantUnknown,
    InvalidArgument,
)
from policies.terms import GrantId, Instant, Level
from service.grants import CLI_GRANT, Grants, Mode
from service.stores.protocol import Code
from service.stores.sqlite import SqliteStore
from tests.support.clocks import SetClock


def code_of(grant: GrantId) -> Code:
    return Code("c" * 64, grant, "client-a", "http://localhost/cb", "c" * 43, "https://x/mcp", Instant(2**52))


@pytest.mark.parametrize(
    ("scope", "level"),
    [
        ("third-party", Level.S0),
        ("assistant-standard", Level.S1),
        ("work-context", Level.S2),
        ("private-full", Level.S3),
    ],
)
def test_each_scope_stands_for_its_level(grants: Grants, scope: str, level: Level) -> None:
    assert grants.grant("claude", scope).grant.level is level


def test_a_token_has_256_random_bits_and_is_kept_only_as_its_digest(grants: Grants, tmp_path: Path) -> None:
    made = grants.grant("claude", "third-party")
    other = grants.grant("other", "third-party")
    assert made.token != other.token
    assert len(made.token.removeprefix("mnemo_")) == 43  # 32 bytes in base64url
    with sqlite3.connect(tmp_path / "kv.sqlite3") as kept:
        dump = "\n".join(kept.iterdump())
    kept.close()
    assert made.token not in dump
    assert made.token.removeprefix("mnemo_") not in dump
    assert hashlib.sha256(made.token.encode()).hexdigest() in dump


def test_a_token_tells_its_grant_until_it_is_revoked(grants: Grants) -> None:
    made = grants.grant("claude", "third-party")
    assert grants.bearer(made.token) == (made.grant, "urn:mnemo:store:default")
    grants.revoke("claude")
    assert grants.bearer(made.token) is None
    with pytest.raises(GrantRefused):
        grants.current(made.grant.id)


def test_a_grant_without_days_has_no_end_and_one_with_days_ends_then(grants: Grants, clock: SetClock) -> None:
    endless, short = grants.grant("endless", "third-party"), grants.grant("short", "third-party", days=2)
    clock.advance(2 * 86_400 - 1)
    assert grants.bearer(short.token) is not None
    clock.advance(1)
    assert grants.bearer(short.token) is None
    with pytest.raises(GrantRefused):
        grants.named("short")
    clock.advance(3_650 * 86_400)
    assert grants.bearer(endless.token) is not None


def test_unknown_revoked_and_expired_tokens_are_one_answer(grants: Grants, clock: SetClock) -> None:
    expired, revoked = grants.grant("a", "third-party", days=1), grants.grant("b", "third-party")
    grants.revoke("b")
    clock.advance(86_400)
    answers = [grants.bearer(token) for token in (expired.token, revoked.token, "mnemo_" + "x" * 43, "", "é")]
    assert answers == [None] * 5


@pytest.mark.parametrize(
    ("mode", "may_read", "may_propose"),
    [("read", True, False), ("propose", False, True), ("both", True, True)],
)
def test_the_mode_says_what_the_tool_may_do(
    grants: Grants, mode: Mode, may_read: bool, may_propose: bool
) -> None:
    made = grants.grant("claude", "third-party", mode=mode).grant
    assert (made.may_read, made.may_propose) == (may_read, may_propose)


def test_a_grant_is_limited_to_the_domains_that_are_named(grants: Grants) -> None:
    assert grants.grant("a", "private-full", domains=["work", "work", "travel"]).grant.domains == (
        "work",
        "travel",
    )
    assert grants.grant("b", "private-full").grant.domains is None
    with pytest.raises(DomainUnknown):
        grants.grant("c", "private-full", domains=["astrology"])


@pytest.mark.parametrize("name", ["", " x", "cli", "a\nb", "x" * 61, "-x", "a\u202eb"])
def test_a_name_that_cannot_be_told_apart_is_refused(grants: Grants, name: str) -> None:
    with pytest.raises(InvalidArgument):
        grants.grant(name, "third-party")


@pytest.mark.parametrize("name", ["claude", "Claude Code", "élève", "vs-code.2", "me@work", "小王"])
def test_ordinary_names_are_accepted(grants: Grants, name: str) -> None:
    assert grants.grant(name, "third-party").grant.name == name


def test_a_scope_that_does_not_exist_is_refused(grants: Grants) -> None:
    with pytest.raises(InvalidArgument):
        grants.grant("claude", "root")


def test_a_name_is_free_again_once_revoked(grants: Grants) -> None:
    grants.grant("claude", "third-party")
    with pytest.raises(GrantNameTaken):
        grants.grant("claude", "private-full")
    grants.revoke("claude")
    assert grants.grant("claude", "private-full").grant.level is Level.S3
    assert [grant.scope for grant in grants.listed()] == ["private-full"]


def test_revoking_nobody_is_told(grants: Grants) -> None:
    with pytest.raises(GrantUnknown):
        grants.revoke("nobody")
    with pytest.raises(GrantUnknown):
        grants.named("nobody")


def test_the_command_lines_own_grant_is_built_in_and_cannot_be_revoked(grants: Grants) -> None:
    assert grants.named("cli") is CLI_GRANT
    assert grants.current(GrantId("grant:cli")).level is Level.S3
    assert grants.listed() == []
    with pytest.raises(GrantUnknown):
        grants.revoke("cli")


def test_a_grant_for_a_client_has_no_token_yet_and_names_the_client(grants: Grants) -> None:
    made = grants.admit(
        "claude", "work-context", client="https://claude.example/client.json", code=code_of, days=2
    )
    assert (made.client, made.level, made.scope) == (
        "https://claude.example/client.json",
        Level.S2,
        "work-context",
    )
    assert grants.current(made.id) == made


def test_a_change_acts_on_the_next_call_and_the_token_stays(grants: Grants) -> None:
    made = grants.grant("claude", "private-full", domains=["work"], language="fr")
    wanted = grants.change(
        made.grant, name="renamed", scope="third-party", domains=None, mode="read", language=None
    )
    assert grants.bearer(made.token) == (wanted, "urn:mnemo:store:default")
    assert (wanted.name, wanted.scope, wanted.level, wanted.domains) == (
        "renamed",
        "third-party",
        Level.S0,
        None,
    )
    assert (wanted.may_read, wanted.may_propose, wanted.language) == (True, False, None)


def test_what_is_not_given_stays_as_it_is(grants: Grants) -> None:
    made = grants.grant(
        "claude", "work-context", domains=["work"], mode="propose", days=1, language="fr"
    ).grant
    assert grants.change(made) == made
    renamed = grants.change(made, name="renamed")
    assert grants.change(renamed, name="claude") == made


def test_a_grant_that_expired_goes_on_with_the_same_token_once_its_end_is_put_off(
    grants: Grants, clock: SetClock
) -> None:
    made = grants.grant("claude", "third-party", days=1)
    clock.advance(2 * 86_400)
    assert grants.bearer(made.token) is None
    later = grants.change(made.grant, expires_at=Instant(clock.now() + 1))
    assert grants.bearer(made.token) is not None
    clock.advance(1)
    assert grants.bearer(made.token) is None
    grants.change(later, expires_at=None)
    assert grants.bearer(made.token) is not None


def test_a_change_to_what_cannot_be_granted_is_refused_and_changes_nothing(
    grants: Grants, clock: SetClock
) -> None:
    made = grants.grant("claude", "third-party").grant
    grants.grant("other", "third-party")
    with pytest.raises(InvalidArgument):
        grants.change(made, name="cli")
    with pytest.raises(InvalidArgument):
        grants.change(made, name="renamed", scope="root")
    with pytest.raises(InvalidArgument):
        grants.change(made, expires_at=clock.now())
    with pytest.raises(DomainUnknown):
        grants.change(made, domains=["astrology"])
    with pytest.raises(GrantNameTaken):
        grants.change(made, name="other")
    assert grants.current(made.id) == made


def test_a_revoked_or_unknown_grant_cannot_be_changed_or_revoked_by_its_id(grants: Grants) -> None:
    made = grants.grant("claude", "third-party").grant
    assert grants.revoke_id(made.id) == made
    for gone in (made, replace(made, id=GrantId("grant:nobody")), CLI_GRANT):
        with pytest.raises(GrantUnknown):
            grants.change(gone, name="renamed")
        with pytest.raises(GrantUnknown):
            grants.revoke_id(gone.id)


def test_a_change_does_not_undo_another_that_came_between(grants: Grants) -> None:
    seen = grants.grant("claude", "private-full").grant
    lowered = grants.change(seen, scope="third-party")
    with pytest.raises(GrantChanged):
        grants.change(seen, name="renamed")
    assert grants.current(seen.id) == lowered
    assert grants.change(lowered, name="renamed").scope == "third-party"


def test_all_grants_end_at_once(grants: Grants) -> None:
    tokens = [grants.grant(name, "third-party").token for name in ("a", "b", "c")]
    grants.revoke("b")
    assert grants.revoke_all() == 2
    assert [grants.bearer(token) for token in tokens] == [None] * 3
    assert grants.listed() == []
    assert grants.named("cli") is CLI_GRANT


def test_a_client_of_oauth_is_admitted_without_a_token(grants: Grants, store: SqliteStore) -> None:
    made = grants.admit(
        "Claude", "work-context", client="client-a", code=code_of, domains=["work"], mode="read", days=1
    )
    assert (made.client, made.level, made.domains) == ("client-a", Level.S2, ("work",))
    assert (made.may_read, made.may_propose) == (True, False)
    assert store.grants.grant(made.id) == made


def test_a_grant_may_take_the_place_and_the_name_of_another(grants: Grants) -> None:
    old, third = grants.grant("Claude", "third-party"), grants.grant("Cursor", "third-party")
    for name in ("Claude", "Cursor"):
        with pytest.raises(GrantNameTaken):
            grants.admit(name, "third-party", client="client-a", code=code_of)
    with pytest.raises(GrantNameTaken):
        grants.admit("Cursor", "third-party", client="client-a", code=code_of, replaces=old.grant.id)
    with pytest.raises(InvalidArgument):
        grants.admit("Claude", "root", client="client-a", code=code_of, replaces=old.grant.id)
    assert grants.bearer(old.token) is not None
    new = grants.admit("Claude", "third-party", client="client-a", code=code_of, replaces=old.grant.id)
    assert grants.bearer(old.token) is None
    assert grants.bearer(third.token) is not None
    assert grants.named("Claude") == new
