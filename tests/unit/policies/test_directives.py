"""Directives: what a payload must be, and that only the owner's key proves one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.directives import PAYLOADS, Verb, check, covered, prove, validated
from policies.errors import DirectiveRefused, InvalidArgument, MissingArgument, UnknownArgument
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
