"""Between records of the graph and the nouns of ``policies``: the only place that knows both.

Absent is absent: a property that would be null is not stored, and comes back as None.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from policies import entries
from policies.bitemporal import asserted_kind
from policies.entries import Entry, EntryType, StoredEntry
from policies.lifecycle import InboxState
from policies.projection import Recorded
from policies.terms import (
    ContraRole,
    Discretion,
    Entity,
    EntityId,
    EntityType,
    GrantId,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    MemoryState,
    Outcome,
    OutcomeRecord,
    Proposal,
    ProposalId,
    Version,
)
from policies.text import dedup_key

OWNER_LANE = "owner"
"""The lane of directives: they have no grant."""

_DRAWING = frozenset({Kind.FACT, Kind.RELATION})
"""The kinds whose relation is drawn between the entities."""
_EVIDENCE = ("words", "speaker", "source")
_SEALED_BESIDE = {
    EntryType.MEMORY: ("text", "event", "tags", "predicate"),
    EntryType.OUTCOME: ("details",),
}

Row = dict[str, Any]
"""The properties of a node, or what becomes them."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two entities that a memory asserts, as projected."""

    source: EntityId
    type: str
    """The predicate."""
    target: EntityId
    memory: MemoryId
    level: Level
    """The memory's effective level, as are the discretion and the domains."""
    discretion: Discretion
    domains: tuple[str, ...]
    valid_from: Instant | None
    valid_to: Instant | None
    """Exclusive; None: not known to end."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a proposal stands in the inbox."""

    id: ProposalId
    state: InboxState
    root: ProposalId
    lane: str
    submitted_at: Instant


# Keys that are compared as text. Digits are padded, so that the order of text is the order of numbers.


def change_key(seq: int, memory: str = "") -> str:
    """The key that followers read states by: the sequence that changed it, then the memory."""
    return f"{seq:016d} {memory}" if memory else f"{seq:016d}"


def place_key(at: int, identifier: str = "") -> str:
    """The key that orders proposals, runs, reviews and calls by time, then id."""
    return f"{at:020d} {identifier}" if identifier else f"{at:020d}"


def lane_of(grant: GrantId | None) -> str:
    """Whose turn a proposal waits for."""
    return grant or OWNER_LANE


# Entries.


def stored_entry(properties: Mapping[str, Any], evidence: Sequence[Mapping[str, Any]] = ()) -> StoredEntry:
    """An entry of the ledger, from its node and the nodes of its evidence."""
    kind = EntryType(properties["type"])
    sealed = {label: properties[label] for label in _SEALED_BESIDE.get(kind, ()) if label in properties}
    for words in evidence:
        sealed |= {label: words[label] for label in _EVIDENCE if label in words}
        if words.get("said_at") is not None:
            sealed["said_at"] = str(words["said_at"])
    return StoredEntry(
        entry=Entry(
            seq=properties["seq"],
            type=kind,
            subject=properties["subject"],
            recorded_at=Instant(properties["recorded_at"]),
            body=properties["body"],
            prev=properties["prev"],
            hash=properties["hash"],
        ),
        salt=properties.get("salt", ""),
        sealed=sealed,
        mac=properties.get("mac", ""),
    )


def entry_row(stored: StoredEntry, commit_key: str) -> Row:
    """What an append statement takes for one entry: its fields and the private content beside them."""
    entry = stored.entry
    row: Row = {
        "seq": entry.seq,
        "type": entry.type.value,
        "subject": entry.subject,
        "recorded_at": entry.recorded_at,
        "body": entry.body,
        "prev": entry.prev,
        "hash": entry.hash,
        "mac": stored.mac,
        "commit_key": commit_key,
        "salt": stored.salt,
    }
    return row | {label: stored.sealed.get(label) for label in _SEALED_BESIDE.get(entry.type, ())}


def evidence_row(stored: StoredEntry) -> Row | None:
    """What ``append_evidence`` takes for a memory's entry; None when it has no words."""
    if "words" not in stored.sealed:
        return None
    said_at = stored.sealed.get("said_at")
    row: Row = {label: stored.sealed[label] for label in _EVIDENCE}
    return row | {"memory": stored.entry.subject, "said_at": None if said_at is None else int(said_at)}


def recorded(properties: Mapping[str, Any], evidence: Sequence[Mapping[str, Any]] = ()) -> Recorded:
    """A memory and its sequence, from its node and the nodes of its evidence."""
    stored = stored_entry(properties, evidence)
    return Recorded(entries.memory_of(stored), stored.entry.seq)


# States.


def state_row(recorded: Recorded, state: MemoryState, ends: tuple[EntityId, EntityId] | None) -> Row:
    """The properties of a memory's state: what it is, and what is looked up by it. Without nulls.

    Args:
        recorded: the memory.
        state: what its chain makes of it.
        ends: the canonical entities between which its relation is drawn, if one is.
    """
    memory = recorded.memory
    row: Row = {
        "memory": memory.id,
        "seq": recorded.seq,
        "recorded_at": memory.recorded_at,
        "kind": memory.kind.value,
        "asserts": asserted_kind(memory).value,
        "provenance": memory.provenance.value,
        "relates": relates(memory) or None,
        "chain": state.chain,
        "head": state.head,
        "position": state.position,
        "believed": is_asserted(memory, state),
        "superseded_at": state.superseded_at,
        "ended_by": state.ended_by.value if state.ended_by else None,
        "level": int(state.level),
        "discretion": state.discretion.value,
        "on_request": memory.id if state.discretion is Discretion.ON_REQUEST_ONLY else None,
        "anchors": list(state.anchors),
        "domains": list(memory.domains),
        "dedup_key": dedup_key(memory.text, state.anchors, memory.domains),
        "valid_from": memory.valid_from.at if memory.valid_from else None,
        "valid_to": memory.valid_to.at if memory.valid_to else None,
        "erased": state.erased,
        "changed_seq": state.changed_seq,
        "change": change_key(state.changed_seq, memory.id),
    }
    if ends is not None and memory.relation is not None:
        row |= {"source": ends[0], "target": ends[1], "predicate": memory.relation.predicate}
    return {name: value for name, value in row.items() if value is not None}


def relates(memory: Memory) -> bool:
    """Whether it asserts a relation of the kind that is drawn between entities while it is believed."""
    return memory.relation is not None and asserted_kind(memory) in _DRAWING


def is_asserted(memory: Memory, state: MemoryState) -> bool:
    """Whether the memory is believed today and asserts something."""
    return state.superseded_at is None and memory.kind is not Kind.RETRACTION and not state.erased


def entity_row(entity: Entity) -> Row:
    """The properties of a projected entity, without nulls."""
    row: Row = {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type.value,
        "level": int(entity.level),
        "aliases": list(entity.aliases),
        "owner": entity.owner,
        "merged_into": entity.merged_into,
        "never_merge": list(entity.never_merge),
        "registered_seq": entity.registered_seq,
    }
    return {name: value for name, value in row.items() if value is not None}


def memory_state(properties: Mapping[str, Any]) -> MemoryState:
    """The state of a memory, from its node."""
    superseded_at, ended_by = properties.get("superseded_at"), properties.get("ended_by")
    return MemoryState(
        memory=MemoryId(properties["memory"]),
        chain=MemoryId(properties["chain"]),
        head=MemoryId(properties["head"]),
        position=properties["position"],
        superseded_at=None if superseded_at is None else Instant(superseded_at),
        ended_by=None if ended_by is None else ContraRole(ended_by),
        level=Level(properties["level"]),
        discretion=Discretion(properties["discretion"]),
        anchors=tuple(EntityId(anchor) for anchor in properties["anchors"]),
        erased=properties["erased"],
        changed_seq=properties["changed_seq"],
    )


def version(record: Mapping[str, Any]) -> Version:
    """A memory with its state, from a record of ``entry``, ``evidence`` and ``state``."""
    return Version(recorded(record["entry"], record["evidence"]).memory, memory_state(record["state"]))


def edge(record: Mapping[str, Any]) -> Edge:
    """A relation, from a record of ``list_edges``."""
    return Edge(
        source=EntityId(record["source"]),
        type=record["type"],
        target=EntityId(record["target"]),
        memory=MemoryId(record["memory"]),
        level=Level(record["level"]),
        discretion=Discretion(record["discretion"]),
        domains=tuple(record["domains"]),
        valid_from=instant(record["valid_from"]),
        valid_to=instant(record["valid_to"]),
    )


# Proposals.


def proposal_keys(identifier: str, state: InboxState, lane: str, submitted_at: int) -> Row:
    """The keys that a proposal is listed by. ``queue`` is there only while it is to be decided."""
    place = place_key(submitted_at, identifier)
    waits = state in (InboxState.PENDING, InboxState.RETRYING)
    return {
        "place": place,
        "by_grant": f"{lane} {place}",
        "by_state": f"{state.value} {place}",
        "queue": f"{lane} {place}" if waits else None,
    }


def proposal_row(proposal: Proposal, *, idempotency: str | None, digest: str) -> Row:
    """Everything about a new proposal but its id."""
    domains = proposal.grant_domains
    row: Row = {
        "action": proposal.action,
        "payload": json.dumps(proposal.payload, ensure_ascii=False),
        "submitted_at": proposal.submitted_at,
        "grant": proposal.grant,
        "grant_name": proposal.grant_name,
        "grant_level": int(proposal.grant_level),
        "grant_domains": None if domains is None else list(domains),
        "language": proposal.language,
        "root": proposal.root_id,
        "parent": proposal.parent,
        "attempts": proposal.attempts,
        "proof": proposal.proof,
        "idempotency": idempotency,
        "digest": digest,
        "state": InboxState.PENDING.value,
        "not_before": 0,
    }
    keys = proposal_keys(proposal.id, InboxState.PENDING, lane_of(proposal.grant), proposal.submitted_at)
    return {name: value for name, value in (row | keys).items() if value is not None}


def proposal(properties: Mapping[str, Any]) -> Proposal:
    """A proposal, from its node."""
    grant, domains, parent = (properties.get(name) for name in ("grant", "grant_domains", "parent"))
    root = properties["root"]
    return Proposal(
        id=ProposalId(properties["id"]),
        action=properties["action"],
        payload=cast("dict[str, object]", json.loads(properties["payload"])),
        submitted_at=Instant(properties["submitted_at"]),
        grant=None if grant is None else GrantId(grant),
        grant_name=properties["grant_name"],
        grant_level=Level(properties["grant_level"]),
        grant_domains=None if domains is None else tuple(domains),
        language=properties["language"],
        root=None if root == properties["id"] else ProposalId(root),
        parent=None if parent is None else ProposalId(parent),
        attempts=properties["attempts"],
        proof=properties.get("proof"),
    )


def place(record: Mapping[str, Any]) -> Place:
    """Where a proposal stands, from a record of ``find_places``."""
    return Place(
        id=ProposalId(record["id"]),
        state=InboxState(record["state"]),
        root=ProposalId(record["root"]),
        lane=lane_of(record["grant"]),
        submitted_at=Instant(record["submitted_at"]),
    )


def failed_attempt(properties: Mapping[str, Any]) -> OutcomeRecord | None:
    """The open outcome of a proposal that is to be tried again: it stands in the inbox, not in the ledger."""
    if properties["state"] != InboxState.RETRYING.value:
        return None
    return OutcomeRecord(
        proposal=ProposalId(properties["id"]),
        outcome=Outcome.ERROR,
        reason=properties["reason"],
        decided_at=Instant(properties["decided_at"]),
    )


def entity_type(value: str | None) -> EntityType | None:
    """The type of an entity, where it is known."""
    return None if value is None else EntityType(value)


def instant(value: int | None) -> Instant | None:
    """An instant, where there is one."""
    return None if value is None else Instant(value)
