"""What the owner may ask of the ledger: verbs, their payloads, and the proof that it was the owner.

The command line and the console write directives into the inbox; the curator alone carries them out, after it
has checked here that the payload is whole and the proof is right. The proof is a MAC over the directive's
canonical bytes by a key that only the home holds: whoever can write to the graph cannot make one. ``owner_reset``
bears one by the ``machine`` key, which the web process never reads. What is weighty (``policies.weighty``) waits, once
there is a passkey, until a ``confirm`` brings a passkey's signature of the same bytes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from policies.entries import canonical
from policies.errors import DirectiveRefused, InvalidArgument, MissingArgument, UnknownArgument
from policies.terms import Discretion, EntityType, Kind, Level, Proposal


class Verb(StrEnum):
    """What a directive does. Tools propose ``correct`` and ``retract`` too; the owner's are attested."""

    REGISTER = "register"
    ALIAS = "alias"
    MERGE = "merge"
    UNMERGE = "unmerge"
    NEVER_MERGE = "never_merge"
    DISMISS = "dismiss"
    DECLARE = "declare"
    RULE = "rule"
    RECLASSIFY = "reclassify"
    CORRECT = "correct"
    RETRACT = "retract"
    ENROL_PASSKEY = "enrol_passkey"
    WITHDRAW_PASSKEY = "withdraw_passkey"
    OWNER_RESET = "owner_reset"
    CONFIRM = "confirm"


class Ruling(StrEnum):
    """How the owner settles an arbitration."""

    KEEP_OLD = "keep-old"
    KEEP_NEW = "keep-new"
    KEEP_BOTH = "keep-both"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class _Field:
    """One argument of a verb: whether it must be there, and what its value must satisfy."""

    accepts: Callable[[object], bool]
    problem: str
    required: bool = False


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(_text(item) for item in cast("list[object]", value))


def _member(*allowed: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in allowed


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _relation(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    parts = cast("dict[str, object]", value)
    return set(parts) == {"subject", "predicate", "object"} and all(map(_text, parts.values()))


_TEXT = _Field(_text, "must be a text that is not empty")
_NEEDED = _Field(_text, "must be a text that is not empty", required=True)
_LIST = _Field(_texts, "must be a list of texts")
_LEVEL = _Field(_member(*(level.name for level in Level)), "must be S0, S1, S2 or S3")
_DISCRETION = _Field(_member(*Discretion), "must be open, on_demand or on_request_only")
_ASSERTED_KINDS = tuple(kind for kind in Kind if kind not in (Kind.RETRACTION, Kind.CLOSURE))

PAYLOADS: Mapping[Verb, Mapping[str, _Field]] = {
    Verb.REGISTER: {
        "name": _NEEDED,
        "type": _Field(_member(*EntityType), "must be one of " + ", ".join(EntityType), required=True),
        "aliases": _LIST,
        "level": _LEVEL,
        "owner": _Field(_flag, "must be true or false"),
    },
    Verb.ALIAS: {"entity": _NEEDED, "alias": _NEEDED},
    Verb.MERGE: {"entity": _NEEDED, "into": _NEEDED},
    Verb.UNMERGE: {"entity": _NEEDED},
    Verb.NEVER_MERGE: {"entity": _NEEDED, "other": _NEEDED},
    Verb.DISMISS: {"name": _NEEDED},
    Verb.DECLARE: {
        "text": _NEEDED,
        "kind": _Field(_member(*_ASSERTED_KINDS), "must be one of " + ", ".join(_ASSERTED_KINDS)),
        "anchors": _LIST,
        "domains": _LIST,
        "level": _LEVEL,
        "discretion": _DISCRETION,
        "valid_from": _TEXT,
        "valid_to": _TEXT,
        "event": _TEXT,
        "relation": _Field(_relation, "must give subject, predicate and object"),
        "tags": _LIST,
    },
    Verb.RULE: {
        "proposal": _NEEDED,
        "ruling": _Field(_member(*Ruling), "must be one of " + ", ".join(Ruling), required=True),
        "anchors": _LIST,
        "from": _TEXT,
        "seen": _LIST,
    },
    Verb.RECLASSIFY: {"memory": _NEEDED, "level": _LEVEL, "discretion": _DISCRETION},
    Verb.CORRECT: {
        "id": _NEEDED,
        "statement": _NEEDED,
        "change": _Field(_member("correction", "succession"), "must be correction or succession"),
        "effective": _TEXT,
    },
    Verb.RETRACT: {"id": _NEEDED, "reason": _TEXT},
    Verb.ENROL_PASSKEY: {"credential": _NEEDED, "public_key": _NEEDED, "name": _NEEDED, "link": _TEXT},
    Verb.WITHDRAW_PASSKEY: {"credential": _NEEDED},
    Verb.OWNER_RESET: {},
    Verb.CONFIRM: {
        "proposal": _NEEDED,
        "assertion": _Field(_object, "must be the passkey's answer, as JSON", required=True),
    },
}


def validated(verb: Verb, payload: Mapping[str, object]) -> dict[str, object]:
    """The payload of a directive without its absent (None) arguments.

    Raises:
        UnknownArgument: the verb has no such argument.
        MissingArgument: a required one is absent.
        InvalidArgument: a value has the wrong shape; ``details['problem']`` says which it must have.
    """
    fields = PAYLOADS[verb]
    given = {name: value for name, value in payload.items() if value is not None}
    for name in given:
        if name not in fields:
            raise UnknownArgument(field=name)
    for name, rule in fields.items():
        if name not in given:
            if rule.required:
                raise MissingArgument(field=name)
        elif not rule.accepts(given[name]):
            raise InvalidArgument(field=name, problem=rule.problem)
    if verb is Verb.RECLASSIFY and not {"level", "discretion"} & given.keys():
        raise MissingArgument(field="level")
    return given


def covered(proposal: Proposal) -> bytes:
    """The bytes that a directive's proof covers: id, verb, payload and instant, as RFC 8785 JSON.

    The id is that of the first of its line: a child, admitted by the curator, bears the same proof.

    Raises:
        InvariantBroken: the payload is not plain JSON.
    """
    return canonical(
        {
            "id": proposal.root_id,
            "action": proposal.action,
            "payload": proposal.payload,
            "submitted_at": str(proposal.submitted_at),
        }
    ).encode()


def prove(key: bytes, proposal: Proposal) -> str:
    """The proof to submit with a directive: HMAC-SHA256 over its canonical bytes, in hexadecimal.

    Args:
        key: ``owner``, for ``owner_reset`` ``machine``.
        proposal: the directive, without its proof.
    """
    return hmac.new(key, covered(proposal), hashlib.sha256).hexdigest()


def check(key: bytes, proposal: Proposal) -> Verb:
    """The verb of a directive that bears the owner's proof, by this key, and a whole payload.

    Raises:
        DirectiveRefused: no proof, a wrong one, or a verb that does not exist.
        MnemoError: of category ``incorrect``: the payload is not whole (see ``validated``).
    """
    given = (proposal.proof or "").encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(prove(key, proposal).encode(), given):
        raise DirectiveRefused(problem="directive.proof")
    if proposal.action not in {verb.value for verb in Verb}:
        raise DirectiveRefused(problem="directive.verb")
    verb = Verb(proposal.action)
    validated(verb, proposal.payload)
    return verb
