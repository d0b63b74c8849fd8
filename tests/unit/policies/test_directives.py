"""Directives: what a payload must be, and that only the owner's key proves one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.directives import PAYLOADS, Verb, check, covered, prove, validated
from policies.errors import (
    ArgumentTooDeep,
    ArgumentTooLong,
    DirectiveRefused,
    InvalidArgument,
    MissingArgument,
    MnemoError,
    UnknownArgument,
    UnsafeText,
)
from policies.parameters import parameters
from policies.terms import Instant, Proposal, ProposalId

KEY = b"k" * 32
DRAFT = Proposal(
    id=ProposalId("prop:a"),
    action="alias",
    payload={"entity": "Léa", "alias": "Lili"},
    submitted_at=Instant(1_790_000_000_000_000),
    grant=None,
)
PROVEN = replace(DRAFT, proof=prove(KEY, DRAFT))


def test_a_directive_bears_the_owners_proof() -> None:
    assert check(KEY, PROVEN) is Verb.ALIAS


@pytest.mark.parametrize(
    "changed",
    [
        replace(PROVEN, id=ProposalId("prop:b")),
        replace(PROVEN, action="merge"),
        replace(PROVEN, payload={"entity": "Léa", "alias": "Mallory"}),
        replace(PROVEN, submitted_at=Instant(PROVEN.submitted_at + 1)),
        replace(PROVEN, proof=None),
        replace(PROVEN, proof=""),
        replace(PROVEN, proof="é"),
        replace(PROVEN, proof=prove(b"x" * 32, DRAFT)),
    ],
)
def test_whatever_is_changed_breaks_the_proof(changed: Proposal) -> None:
    with pytest.raises(DirectiveRefused) as refused:
        check(KEY, changed)
    assert refused.value.details["problem"] == "directive.proof"


def test_a_child_bears_the_proof_of_the_first_of_its_line() -> None:
    child = replace(PROVEN, id=ProposalId("prop:c"), root=PROVEN.id, parent=PROVEN.id)
    assert check(KEY, child) is Verb.ALIAS


def test_a_verb_that_does_not_exist_is_refused_even_if_proven() -> None:
    draft = replace(DRAFT, action="remember")
    with pytest.raises(DirectiveRefused) as refused:
        check(KEY, replace(draft, proof=prove(KEY, draft)))
    assert refused.value.details["problem"] == "directive.verb"


def test_a_proven_payload_must_still_be_whole() -> None:
    draft = replace(DRAFT, payload={"entity": "Léa"})
    with pytest.raises(MissingArgument):
        check(KEY, replace(draft, proof=prove(KEY, draft)))


def test_what_is_covered_does_not_depend_on_the_order_of_keys() -> None:
    turned = replace(DRAFT, payload=dict(reversed(DRAFT.payload.items())))
    assert covered(turned) == covered(DRAFT)


def test_absent_arguments_are_left_out() -> None:
    payload = {"name": "Léa", "type": "person", "aliases": None, "level": None, "owner": False}
    assert validated(Verb.REGISTER, payload) == {"name": "Léa", "type": "person", "owner": False}


def test_every_verb_has_its_arguments() -> None:
    assert set(PAYLOADS) == set(Verb)


def test_an_unknown_argument_is_an_error() -> None:
    with pytest.raises(UnknownArgument) as refused:
        validated(Verb.UNMERGE, {"entity": "Léa", "into": "Zoé"})
    assert refused.value.field == "into"


@pytest.mark.parametrize(
    ("verb", "payload", "field"),
    [
        (Verb.REGISTER, {"name": "  ", "type": "person"}, "name"),
        (Verb.REGISTER, {"name": "Léa", "type": "wizard"}, "type"),
        (Verb.REGISTER, {"name": "Léa", "type": "person", "aliases": "Lili"}, "aliases"),
        (Verb.REGISTER, {"name": "Léa", "type": "person", "aliases": [1]}, "aliases"),
        (Verb.REGISTER, {"name": "Léa", "type": "person", "level": "S4"}, "level"),
        (Verb.REGISTER, {"name": "Léa", "type": "person", "level": 1}, "level"),
        (Verb.REGISTER, {"name": "Léa", "type": "person", "owner": "yes"}, "owner"),
        (Verb.DECLARE, {"text": "x", "kind": "retraction"}, "kind"),
        (Verb.DECLARE, {"text": "x", "relation": "Léa knows Zoé"}, "relation"),
        (Verb.DECLARE, {"text": "x", "relation": {"subject": "Léa", "object": "Zoé"}}, "relation"),
        (
            Verb.DECLARE,
            {"text": "x", "relation": {"subject": "Léa", "predicate": "", "object": "Zoé"}},
            "relation",
        ),
        (Verb.RULE, {"proposal": "prop:a", "ruling": "keep"}, "ruling"),
        (Verb.RECLASSIFY, {"memory": "mem:a", "discretion": "secret"}, "discretion"),
        (Verb.CORRECT, {"id": "mem:a", "statement": "x", "change": "deletion"}, "change"),
        (Verb.ENROL_PASSKEY, {"credential": "c", "public_key": b"k", "name": "laptop"}, "public_key"),
        (Verb.CONFIRM, {"proposal": "prop:a", "assertion": "{}"}, "assertion"),
    ],
)
def test_a_value_of_the_wrong_shape_is_named(verb: Verb, payload: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        validated(verb, payload)
    assert refused.value.field == field


def test_a_relation_of_three_names_is_accepted() -> None:
    relation = {"subject": "Léa", "predicate": "knows", "object": "Zoé"}
    assert validated(Verb.DECLARE, {"text": "x", "relation": relation})["relation"] == relation


def test_a_passkeys_answer_is_an_object() -> None:
    payload = {"proposal": "prop:a", "assertion": {"id": "c"}}
    assert validated(Verb.CONFIRM, payload) == payload
    assert validated(Verb.OWNER_RESET, {}) == {}


def test_a_reclassification_must_change_something() -> None:
    with pytest.raises(MissingArgument):
        validated(Verb.RECLASSIFY, {"memory": "mem:a"})
    assert validated(Verb.RECLASSIFY, {"memory": "mem:a", "level": "S3"})


RELATION = {"subject": "Léa", "predicate": "knows", "object": "Zoé"}
LABEL, STATEMENT = parameters().limits.label_characters, parameters().limits.statement_characters


@pytest.mark.parametrize(
    ("verb", "payload", "field"),
    [
        (Verb.REGISTER, {"name": "Lé\x00a", "type": "person"}, "name"),
        (Verb.REGISTER, {"name": "Léa", "type": "person", "aliases": ["Lili", "\u202eilil"]}, "aliases"),
        (Verb.ALIAS, {"entity": "Léa", "alias": "\ud800"}, "alias"),
        (Verb.DECLARE, {"text": "a\u2066b"}, "text"),
        (Verb.DECLARE, {"text": "x", "tags": ["\x00"]}, "tags"),
        (Verb.DECLARE, {"text": "x", "relation": RELATION | {"object": "Zo\u202eé"}}, "relation"),
        (
            Verb.CONFIRM,
            {"proposal": "prop:a", "assertion": {"response": {"signature": "\ud800"}}},
            "assertion",
        ),
        (Verb.CONFIRM, {"proposal": "prop:a", "assertion": {"\ud800": 1}}, "assertion"),
    ],
)
def test_a_character_that_is_refused_is_named(verb: Verb, payload: dict[str, object], field: str) -> None:
    with pytest.raises(UnsafeText) as refused:
        validated(verb, payload)
    assert refused.value.field == field
    assert refused.value.details["character"]


@pytest.mark.parametrize(
    ("verb", "payload", "field", "limit"),
    [
        (Verb.REGISTER, {"name": "x" * 201, "type": "person"}, "name", LABEL),
        (Verb.REGISTER, {"name": "x", "type": "person", "aliases": ["x", "x" * 201]}, "aliases", LABEL),
        (Verb.ALIAS, {"entity": "x", "alias": "x" * 3_000}, "alias", LABEL),
        (Verb.DECLARE, {"text": "x" * 2_001}, "text", STATEMENT),
        (Verb.DECLARE, {"text": "x", "relation": RELATION | {"object": "x" * 201}}, "relation", LABEL),
        (Verb.CORRECT, {"id": "mem:a", "statement": "x" * 2_001}, "statement", STATEMENT),
        (Verb.ENROL_PASSKEY, {"credential": "c", "public_key": "k", "name": "x" * 201}, "name", LABEL),
    ],
)
def test_a_text_beyond_its_limit_is_refused(
    verb: Verb, payload: dict[str, object], field: str, limit: int
) -> None:
    with pytest.raises(ArgumentTooLong) as refused:
        validated(verb, payload)
    assert (refused.value.field, refused.value.details["limit"]) == (field, limit)


def test_texts_as_long_as_they_may_be_are_accepted() -> None:
    validated(Verb.REGISTER, {"name": "x" * LABEL, "type": "person", "aliases": ["é" * LABEL]})
    validated(Verb.DECLARE, {"text": "x" * STATEMENT})
    key = "k" * 703  # of an RSA passkey of 4,096 bits
    validated(Verb.ENROL_PASSKEY, {"credential": "c" * 1_364, "public_key": key, "name": "laptop"})


ODD: list[object] = [2**53, -(2**53), float("nan"), float("inf"), b"bytes", [[2**60]], {"x": 2**53}, {1: 2}]


@pytest.mark.parametrize("odd", ODD)
def test_what_json_cannot_carry_is_refused_wherever_it_stands(odd: object) -> None:
    with pytest.raises(InvalidArgument) as refused:
        validated(Verb.CONFIRM, {"proposal": "prop:a", "assertion": {"id": odd}})
    assert refused.value.field == "assertion"


def test_what_json_carries_is_accepted_wherever_it_stands() -> None:
    kept: list[object] = [2**53 - 1, 0.5, None, True, "c", [1, {"x": "y"}]]
    payload = {"proposal": "prop:a", "assertion": {"kept": kept}}
    assert validated(Verb.CONFIRM, payload) == payload


def test_what_is_nested_too_deeply_is_refused() -> None:
    deep: dict[str, object] = {}
    for _ in range(5_000):
        deep = {"x": deep}
    with pytest.raises(ArgumentTooDeep):
        validated(Verb.CONFIRM, {"proposal": "prop:a", "assertion": deep})


@pytest.mark.parametrize(
    "odd", [{"entity": "\ud800"}, {"alias": 2**60}, {"x\ud800": "\x00"}, {"\ud800": "a"}]
)
def test_a_directive_of_the_inbox_that_cannot_be_read_is_incorrect_and_no_fault(
    odd: dict[str, object],
) -> None:
    """Whoever writes to the graph could otherwise have the curator try it for ever."""
    with pytest.raises(MnemoError) as refused:
        check(KEY, replace(PROVEN, payload=dict(DRAFT.payload) | odd))
    assert refused.value.category == "incorrect", refused.value.code


@pytest.mark.parametrize("name", ["\ud800", "x" * 65, "a b"])
def test_an_argument_of_an_odd_name_is_not_repeated(name: str) -> None:
    with pytest.raises(UnknownArgument) as refused:
        validated(Verb.ALIAS, {name: "x"})
    assert refused.value.field == "…"
