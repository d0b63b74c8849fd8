"""The ledger's entries: the canonical body of each type, and its way back to the nouns of ``policies.terms``.

A body is RFC 8785 JSON with its ``format`` version. It holds every qualification, and of private content
(a memory's text, event, tags, predicate and evidence; what explains an outcome) only salted commitments.
That content, the *sealed* part, is stored beside the body under the same labels: all that an erasure blanks.
Instants are decimal strings of microseconds: JSON numbers end at 2^53, before the year 2256.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, cast

import rfc8785

from policies.decision import PasskeyChange, PasskeyOp, Reclassification, RegistryChange, RegistryOp, Signed
from policies.errors import InvariantBroken
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Evidence,
    GrantId,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Moment,
    Outcome,
    OutcomeRecord,
    Precision,
    ProposalId,
    Provenance,
    Relation,
)

FORMAT = 1
"""Version of the bodies written by this code."""


class EntryType(StrEnum):
    """What an entry of the ledger records."""

    MEMORY = "memory"
    REGISTRY = "registry"
    RECLASSIFICATION = "reclassification"
    PASSKEY = "passkey"
    OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Entry:
    """One link of the hash chain (see ``policies.chain``). Immutable."""

    seq: int
    """1 for the first; without gaps."""
    type: EntryType
    subject: str
    """The id of the memory, entity, passkey or proposal that it is about."""
    recorded_at: Instant
    """Later than the entry before, by 1 microsecond at least."""
    body: str
    """RFC 8785 canonical JSON."""
    prev: str
    """Hash of the entry before; of the first: ``policies.chain.GENESIS.hash``."""
    hash: str
    """SHA-256, hexadecimal."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry with the private content stored beside it."""

    entry: Entry
    salt: str = ""
    sealed: Mapping[str, str] = field(default_factory=dict[str, str])
    """By label; a label is absent when there is nothing to say."""
    mac: str = ""
    """The curator's, over the entry's hash (``policies.authorship``)."""


def canonical(value: object) -> str:
    """RFC 8785 JSON.

    Raises:
        InvariantBroken: the value is not plain JSON (or holds a lone surrogate, NaN, an integer beyond 2^53).
    """
    try:
        return rfc8785.dumps(cast("Any", value)).decode()
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise InvariantBroken("not canonical JSON") from error


def commitment(label: str, salt: str, value: str) -> str:
    """The salted commitment of one sealed value: SHA-256 over the canonical JSON of label, salt and value."""
    return hashlib.sha256(canonical([label, salt, value]).encode()).hexdigest()


def broken_seals(stored: StoredEntry) -> tuple[str, ...]:
    """The labels whose content is not the one committed to, sorted; empty when all of it is authentic."""
    committed = cast("dict[str, str]", _parsed(stored.entry.body).get("sealed", {}))
    labels = sorted(committed.keys() | stored.sealed.keys())
    return tuple(
        label
        for label in labels
        if label not in stored.sealed
        or commitment(label, stored.salt, stored.sealed[label]) != committed.get(label)
    )


def sealed_memory(memory: Memory) -> dict[str, str]:
    """The private content of a memory by label, all of it text: what is stored beside the body."""
    evidence = memory.evidence
    content = {
        "text": memory.text,
        "event": memory.event,
        "tags": canonical(list(memory.tags)) if memory.tags else None,
        "predicate": memory.relation.predicate if memory.relation else None,
        "words": evidence.words if evidence else None,
        "speaker": evidence.speaker if evidence else None,
        "source": evidence.source if evidence else None,
        "said_at": str(evidence.said_at) if evidence and evidence.said_at is not None else None,
    }
    return {label: value for label, value in content.items() if value is not None}


def memory_body(memory: Memory, salt: str) -> str:
    """The body of a memory's entry. Its id is the entry's ``subject``, its ``recorded_at`` the entry's."""
    relation = memory.relation
    return canonical(
        {
            "format": FORMAT,
            "sealed": _commitments(sealed_memory(memory), salt),
            "language": memory.language,
            "kind": memory.kind,
            "provenance": memory.provenance,
            "confidence": memory.confidence,
            "level": memory.level.name,
            "discretion": memory.discretion,
            "root": memory.root,
            "parameters": memory.parameters,
            "salience_declared": memory.salience_declared,
            "valid_from": _moment_json(memory.valid_from),
            "valid_to": _moment_json(memory.valid_to),
            "anchors": list(memory.anchors),
            "domains": list(memory.domains),
            "relation": {"subject": relation.subject, "object": relation.object} if relation else None,
            "restates": memory.restates,
            "supersedes": memory.supersedes,
            "contra": memory.contra,
            "ruled": memory.ruled,
            "proposed_by": memory.proposed_by,
        }
    )


def memory_of(stored: StoredEntry) -> Memory:
    """The memory that an entry records.

    Raises:
        InvariantBroken: it is not a memory's entry, or of a format this code does not know.
    """
    entry, sealed = stored.entry, stored.sealed
    body = _body(entry, EntryType.MEMORY)
    relation = body["relation"]
    return Memory(
        id=MemoryId(entry.subject),
        text=sealed["text"],
        language=body["language"],
        kind=Kind(body["kind"]),
        provenance=Provenance(body["provenance"]),
        confidence=float(body["confidence"]),
        level=Level[body["level"]],
        discretion=Discretion(body["discretion"]),
        recorded_at=entry.recorded_at,
        root=ProposalId(body["root"]),
        parameters=body["parameters"],
        salience_declared=body["salience_declared"],
        valid_from=_moment(body["valid_from"]),
        valid_to=_moment(body["valid_to"]),
        event=sealed.get("event"),
        anchors=tuple(EntityId(anchor) for anchor in body["anchors"]),
        domains=tuple(body["domains"]),
        tags=tuple(json.loads(sealed.get("tags", "[]"))),
        relation=Relation(
            subject=EntityId(relation["subject"]),
            predicate=sealed["predicate"],
            object=EntityId(relation["object"]),
        )
        if relation
        else None,
        restates=Kind(body["restates"]) if body["restates"] else None,
        supersedes=MemoryId(body["supersedes"]) if body["supersedes"] else None,
        contra=ContraRole(body["contra"]) if body["contra"] else None,
        ruled=body["ruled"],
        proposed_by=GrantId(body["proposed_by"]) if body["proposed_by"] else None,
        evidence=_evidence(sealed),
    )


def registry_body(change: RegistryChange) -> str:
    """The body of a registry entry; its subject is ``change.entity``."""
    return canonical(
        {
            "format": FORMAT,
            "op": change.op,
            "name": change.name,
            "type": change.type,
            "level": change.level.name if change.level is not None else None,
            "aliases": list(change.aliases),
            "owner": change.owner,
            "other": change.other,
        }
    )


def registry_of(entry: Entry) -> RegistryChange:
    """The change of the registry that an entry records.

    Raises:
        InvariantBroken: it is not a registry entry, or of a format this code does not know.
    """
    body = _body(entry, EntryType.REGISTRY)
    return RegistryChange(
        op=RegistryOp(body["op"]),
        entity=EntityId(entry.subject),
        name=body["name"],
        type=EntityType(body["type"]) if body["type"] else None,
        level=Level[body["level"]] if body["level"] else None,
        aliases=tuple(body["aliases"]),
        owner=body["owner"],
        other=EntityId(body["other"]) if body["other"] else None,
    )


def reclassification_body(change: Reclassification) -> str:
    """The body of a reclassification; its subject is ``change.memory``."""
    return canonical(
        {
            "format": FORMAT,
            "level": change.level.name if change.level is not None else None,
            "discretion": change.discretion,
        }
    )


def reclassification_of(entry: Entry) -> Reclassification:
    """The reclassification that an entry records.

    Raises:
        InvariantBroken: it is not one, or of a format this code does not know.
    """
    body = _body(entry, EntryType.RECLASSIFICATION)
    return Reclassification(
        memory=MemoryId(entry.subject),
        level=Level[body["level"]] if body["level"] else None,
        discretion=Discretion(body["discretion"]) if body["discretion"] else None,
    )


def passkey_body(change: PasskeyChange) -> str:
    """The body of a passkey entry; its subject is ``change.credential``."""
    return canonical(
        {
            "format": FORMAT,
            "op": change.op,
            "public_key": change.public_key,
            "name": change.name,
            "rp_id": change.rp_id,
            "link": change.link,
            "count": change.count,
            "proposal": change.proposal,
            "signed": None if change.signed is None else asdict(change.signed),
        }
    )


def passkey_of(entry: Entry) -> PasskeyChange:
    """The change of the owner's passkeys that an entry records.

    Raises:
        InvariantBroken: it is not a passkey entry, or of a format this code does not know.
    """
    body = _body(entry, EntryType.PASSKEY)
    return PasskeyChange(
        op=PasskeyOp(body["op"]),
        credential=entry.subject,
        public_key=body["public_key"],
        name=body["name"],
        rp_id=body["rp_id"],
        link=body["link"],
        count=body["count"],
        proposal=ProposalId(body["proposal"]) if body["proposal"] else None,
        signed=Signed(**body["signed"]) if body["signed"] else None,
    )


def sealed_outcome(record: OutcomeRecord) -> dict[str, str]:
    """The private content of an outcome: its details, which may name people or quote."""
    return {"details": canonical(record.details)} if record.details else {}


def outcome_body(record: OutcomeRecord, salt: str) -> str:
    """The body of an outcome; its subject is the proposal."""
    return canonical(
        {
            "format": FORMAT,
            "sealed": _commitments(sealed_outcome(record), salt),
            "outcome": record.outcome,
            "reason": record.reason,
            "decided_at": str(record.decided_at),
            "memories": list(record.memories),
            "level": record.level.name,
        }
    )


def outcome_of(stored: StoredEntry) -> OutcomeRecord:
    """The outcome that an entry records.

    Raises:
        InvariantBroken: it is not an outcome, or of a format this code does not know.
    """
    body = _body(stored.entry, EntryType.OUTCOME)
    return OutcomeRecord(
        proposal=ProposalId(stored.entry.subject),
        outcome=Outcome(body["outcome"]),
        reason=body["reason"],
        decided_at=Instant(int(body["decided_at"])),
        memories=tuple(MemoryId(memory) for memory in body["memories"]),
        level=Level[body["level"]],
        details=json.loads(stored.sealed.get("details", "{}")),
    )


def _commitments(sealed: Mapping[str, str], salt: str) -> dict[str, str]:
    return {label: commitment(label, salt, value) for label, value in sealed.items()}


def _parsed(body: str) -> dict[str, Any]:
    try:
        parsed = json.loads(body)
    except ValueError as error:
        raise InvariantBroken("the body of an entry is not JSON") from error
    if not isinstance(parsed, dict):
        raise InvariantBroken("the body of an entry is not an object")
    return cast("dict[str, Any]", parsed)


def _body(entry: Entry, wanted: EntryType) -> dict[str, Any]:
    if entry.type is not wanted:
        raise InvariantBroken(f"entry {entry.seq} is of type {entry.type}, not {wanted}")
    body = _parsed(entry.body)
    if body.get("format") != FORMAT:
        raise InvariantBroken(f"entry {entry.seq} has an unknown format")
    return body


def _moment_json(moment: Moment | None) -> dict[str, str] | None:
    return None if moment is None else {"at": str(moment.at), "precision": moment.precision}


def _moment(value: Mapping[str, str] | None) -> Moment | None:
    return None if value is None else Moment(Instant(int(value["at"])), Precision(value["precision"]))


def _evidence(sealed: Mapping[str, str]) -> Evidence | None:
    if "words" not in sealed:
        return None
    said_at = sealed.get("said_at")
    return Evidence(
        words=sealed["words"],
        speaker=sealed["speaker"],
        source=sealed["source"],
        said_at=None if said_at is None else Instant(int(said_at)),
    )
