"""The one transaction that adds to the ledger (the commit protocol): all of a decision, or nothing of it.

In order: lock the lease and check its epoch; lock the chain's head; answer with what was committed before,
if it was; recheck what the decision rested on; append the entries; project what they touch; move the inbox
along.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from cypher import records
from cypher.graph import Record, Tx
from cypher.lease import Lease, hold
from cypher.projection import project, project_entities, project_touched
from cypher.reader import fold_registry
from cypher.records import Place, Row
from cypher.statement import statement
from policies import entries
from policies.chain import Head, head_after, link, vouch
from policies.decision import Decision, NamedUnregistered, Settlement
from policies.entries import EntryType, StoredEntry
from policies.errors import DecisionStale, InvariantBroken
from policies.lifecycle import FINAL, InboxState, advance, is_workable
from policies.ports import IdFactory
from policies.projection import Recorded
from policies.registry import Registry, registry_of
from policies.terms import Instant, Outcome, OutcomeRecord, ProposalId

_LOCK_HEAD = statement("lock_chain_head")
_ADVANCE = statement("advance_chain_head")
_APPEND = {
    EntryType.REGISTRY: statement("append_registry_entries"),
    EntryType.MEMORY: statement("append_memories"),
    EntryType.RECLASSIFICATION: statement("append_reclassifications"),
    EntryType.PASSKEY: statement("append_passkey_entries"),
    EntryType.OUTCOME: statement("append_outcomes"),
}
_APPEND_EVIDENCE = statement("append_evidence")
_LINK_SUPERSEDED = statement("link_superseded")
_FIND_HEADS = statement("find_heads")
_FIND_LATER_CHANGE = statement("find_later_change")
_FIND_PLACES = statement("find_places")
_FIND_OPEN_LINES = statement("find_open_lines")
_FIND_COMMITS = statement("find_commits")
_FIND_AWAITING = statement("find_awaiting")
_SETTLE = statement("settle_proposals")
_RECORD_TURNS = statement("record_turns")
_OPEN_REVIEWS = statement("open_reviews")
_CLOSE_REVIEWS = statement("close_reviews")
_ADMIT_CHILDREN = statement("admit_children")
_OUTCOME = statement("read_outcome")


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What became of a decision."""

    outcome: OutcomeRecord
    """Of the decision's own proposal, as the ledger has it."""
    end: Head
    """The last entry of the commit; the outcome's, where it had been committed before."""
    repeated: bool
    """Whether it had been committed before, so that nothing was done."""
    children: tuple[ProposalId, ...] = ()
    """Proposals that were admitted again; none where it is repeated."""


class Commit:
    """One decision being committed, in one transaction. Made anew if the transaction is run again."""

    def __init__(self, tx: Tx, machine_key: bytes, decision: Decision, ids: IdFactory, now: Instant) -> None:
        self._tx = tx
        self._machine_key = machine_key
        self._decision = decision
        self._ids = ids
        self._now = now
        self._parts: Counter[str] = Counter()

    def run(self, lease: Lease, known: Registry) -> CommitResult:
        """Do it. Raises as ``cypher.committer.Committer.commit``."""
        tx, decision = self._tx, self._decision
        hold(tx, lease)
        end = tx.run(_LOCK_HEAD)[0]
        places = self._places()
        if former := self._former(places[decision.proposal]):
            return former
        self._recheck(end, places)
        before = known if known.seq >= end["registry_seq"] else fold_registry(known, tx.run)
        head, stored = self._append(Head(end["seq"], end["hash"], Instant(end["recorded_at"])))
        after, whole = self._project(before, stored)
        outcomes = {
            record.proposal: (record, one.entry.seq)
            for one in stored
            if one.entry.type is EntryType.OUTCOME and (record := entries.outcome_of(one))
        }
        children = self._move_inbox(places, outcomes)
        tx.run(
            _ADVANCE,
            seq=head.seq,
            hash=head.hash,
            recorded_at=head.recorded_at,
            registry_seq=after.seq,
            passkey_seq=_last_passkey(stored) or end["passkey_seq"],
            projected_seq=after.seq if whole else end["projected_seq"],
        )
        return CommitResult(outcomes[decision.proposal][0], head, repeated=False, children=children)

    def _places(self) -> dict[ProposalId, Place]:
        """Where the proposals that the decision settles stand.

        Raises:
            InvariantBroken: one is not in the inbox, or the decision does not settle its own.
        """
        ids = sorted({one.proposal for one in self._decision.settlements})
        places = {place.id: place for place in map(records.place, self._tx.run(_FIND_PLACES, ids=ids))}
        if len(places) != len(self._decision.settlements) or self._decision.proposal not in places:
            raise InvariantBroken(
                "a decision settles what is not in the inbox, twice, or not its own proposal"
            )
        return places

    def _former(self, place: Place) -> CommitResult | None:
        if is_workable(place.state):
            return None
        stored = records.stored_entry(self._tx.run(_OUTCOME, proposal=place.id)[0]["entry"])
        return CommitResult(entries.outcome_of(stored), head_after(stored.entry), repeated=True)

    def _recheck(self, end: Record, places: dict[ProposalId, Place]) -> None:
        """Raises DecisionStale unless all that the decision rested on still holds."""
        rests_on = self._decision.rests_on
        if any(place.state is InboxState.SETTLED for place in places.values()):
            raise DecisionStale("a proposal it settles was settled")
        if end["registry_seq"] != rests_on.registry_seq:
            raise DecisionStale("the registry changed")
        if end["passkey_seq"] != rests_on.passkey_seq:
            raise DecisionStale("the owner's passkeys changed")
        if rests_on.heads:
            targets = sorted({target for target, _ in rests_on.heads})
            heads = {r["memory"]: r["head"] for r in self._tx.run(_FIND_HEADS, memories=targets)}
            if any(heads.get(target) != head for target, head in rests_on.heads):
                raise DecisionStale("a target was superseded")
        if (rests_on.anchors or rests_on.dedup_keys) and end["seq"] > rests_on.watermark:
            later = self._tx.run(
                _FIND_LATER_CHANGE,
                after=records.change_key(rests_on.watermark + 1),
                anchors=list(rests_on.anchors),
                keys=list(rests_on.dedup_keys),
            )
            if later:
                raise DecisionStale("something near it was recorded")

    def _append(self, head: Head) -> tuple[Head, list[StoredEntry]]:
        """Append what the decision records after ``head``; the new head, and what was appended."""
        stored: list[StoredEntry] = []
        rows: dict[EntryType, list[Row]] = {}
        for draft in self._drafts():
            salt = self._ids.salt() if draft.sealed else ""
            entry = link(head, draft.type, draft.subject, draft.body(salt), self._now)
            head = head_after(entry)
            stored.append(vouch(self._machine_key, entry, salt, draft.sealed))
            rows.setdefault(draft.type, []).append(records.entry_row(stored[-1], draft.key))
        for kind, entries_of_kind in rows.items():
            self._tx.run(_APPEND[kind], entries=entries_of_kind)
        if evidence := [row for one in stored if (row := records.evidence_row(one))]:
            self._tx.run(_APPEND_EVIDENCE, evidence=evidence)
        if links := [
            {"memory": memory.id, "target": memory.supersedes}
            for memory in self._decision.memories
            if memory.supersedes is not None
        ]:
            self._tx.run(_LINK_SUPERSEDED, links=links)
        return head, stored

    def _drafts(self) -> Iterator[_Draft]:
        """What is to be appended, in order: a memory comes after the entities that it is anchored on."""
        decision = self._decision
        for passkey in decision.passkeys:
            body = partial(_unsealed, entries.passkey_body(passkey))
            yield _Draft(EntryType.PASSKEY, passkey.credential, {}, body, self._key(decision.root, "passkey"))
        for change in decision.registry:
            body = partial(_unsealed, entries.registry_body(change))
            yield _Draft(EntryType.REGISTRY, change.entity, {}, body, self._key(decision.root, "registry"))
        for memory in decision.memories:
            body = partial(entries.memory_body, memory)
            key = self._key(memory.root, "memory")
            yield _Draft(EntryType.MEMORY, memory.id, entries.sealed_memory(memory), body, key)
        for ruling in decision.reclassifications:
            body = partial(_unsealed, entries.reclassification_body(ruling))
            key = self._key(decision.root, "reclassification")
            yield _Draft(EntryType.RECLASSIFICATION, ruling.memory, {}, body, key)
        for settlement in decision.settlements:
            record = self._record(settlement)
            # Final outcomes share a key: a proposal has one of them.
            part = "outcome" if record.outcome in FINAL else record.outcome.value
            body = partial(entries.outcome_body, record)
            key = f"{record.proposal} {part}"
            yield _Draft(EntryType.OUTCOME, record.proposal, entries.sealed_outcome(record), body, key)

    def _key(self, root: ProposalId, part: str) -> str:
        """The commit key of the next such part of a root's commit."""
        self._parts[f"{root} {part}"] += 1
        return f"{root} {part} {self._parts[f'{root} {part}']}"

    def _record(self, settlement: Settlement) -> OutcomeRecord:
        if settlement.outcome is Outcome.ERROR:
            raise InvariantBroken("an error is postponed, not committed")
        return OutcomeRecord(
            proposal=settlement.proposal,
            outcome=settlement.outcome,
            reason=settlement.reason,
            decided_at=self._now,
            memories=settlement.memories,
            level=settlement.level,
            details=settlement.details,
        )

    def _project(self, before: Registry, stored: Sequence[StoredEntry]) -> tuple[Registry, bool]:
        """Project what the appended entries touch; the registry as it stands then, and whether that was all.

        Where registry entries touch more memories than one transaction bears, the rest is the committer's.
        """
        changes = [
            (one.entry.seq, entries.registry_of(one.entry))
            for one in stored
            if one.entry.type is EntryType.REGISTRY
        ]
        after = registry_of(before.parameters, changes, after=before)
        if changes:
            project_entities(self._tx, before, after)
        fresh = [
            Recorded(entries.memory_of(one), one.entry.seq)
            for one in stored
            if one.entry.type is EntryType.MEMORY
        ]
        ruled = {ruling.memory for ruling in self._decision.reclassifications}
        if fresh or ruled:
            project(self._tx, fresh=fresh, ruled=ruled, registry=after)
        return after, not changes or project_touched(self._tx, after, since=before.seq) is None

    def _move_inbox(
        self, places: Mapping[ProposalId, Place], outcomes: Mapping[ProposalId, tuple[OutcomeRecord, int]]
    ) -> tuple[ProposalId, ...]:
        """Settle what was decided, open and close anchor reviews; the children that were admitted."""
        settled = [
            _settled(places[proposal], record, seq) for proposal, (record, seq) in sorted(outcomes.items())
        ]
        self._tx.run(_SETTLE, settled=settled)
        lanes = sorted({place.lane for place in places.values()})
        self._tx.run(_RECORD_TURNS, lanes=lanes, seq=outcomes[self._decision.proposal][1])
        if named := [self._naming(one) for one in self._decision.unregistered]:
            self._tx.run(_OPEN_REVIEWS, named=named)
        if closed := [
            {"key": one.key, "entity": one.entity, "at": self._now} for one in self._decision.closes
        ]:
            self._tx.run(_CLOSE_REVIEWS, closed=closed)
        return self._admit_children()

    def _naming(self, named: NamedUnregistered) -> Row:
        return {
            "key": named.key,
            "place": records.place_key(self._now, named.key),
            "name": named.name,
            "type": None if named.type is None else named.type.value,
            "at": self._now,
            "proposal": self._decision.proposal,
        }

    def _admit_children(self) -> tuple[ProposalId, ...]:
        """Admit again what waited for this: once for each line that is neither open nor committed."""
        waiting = set(self._decision.children)
        answered = [one for one in self._decision.closes if one.entity is not None]
        if closed := [{"key": one.key, "level": int(one.level)} for one in answered]:
            waiting |= {ProposalId(record["id"]) for record in self._tx.run(_FIND_AWAITING, closed=closed)}
        if not waiting:
            return ()
        found = self._tx.run(_FIND_PLACES, ids=sorted(waiting))
        parents = {place.root: place for place in map(records.place, reversed(found))}
        lines = sorted(parents)
        taken = {record["root"] for record in self._tx.run(_FIND_OPEN_LINES, roots=lines)}
        first_keys = [f"{root} memory 1" for root in lines]
        taken |= {record["root"] for record in self._tx.run(_FIND_COMMITS, keys=first_keys)}
        children = [_child(parents[root], self._decision.proposal) for root in lines if root not in taken]
        if children:
            self._tx.run(_ADMIT_CHILDREN, children=children)
        return tuple(ProposalId(child["id"]) for child in children)


@dataclass(frozen=True, slots=True)
class _Draft:
    """An entry that has no place in the chain yet."""

    type: EntryType
    subject: str
    sealed: Mapping[str, str]
    body: Callable[[str], str]
    """Takes the salt."""
    key: str
    """Unique among commits."""


def _unsealed(body: str, _salt: str) -> str:
    return body


def _last_passkey(stored: Sequence[StoredEntry]) -> int | None:
    """Sequence of the last passkey entry among these."""
    seqs = (one.entry.seq for one in stored if one.entry.type is EntryType.PASSKEY)
    return max(seqs, default=None)


def _settled(place: Place, record: OutcomeRecord, seq: int) -> Row:
    state = advance(place.state, record.outcome)
    keys = records.proposal_keys(place.id, state, place.lane, place.submitted_at)
    return {
        "id": place.id,
        "state": state.value,
        "by_state": keys["by_state"],
        "outcome_seq": seq,
        "decided_at": record.decided_at,
    }


def _child(parent: Place, cause: ProposalId) -> Row:
    # Made of what it comes from, so that the same decision, committed again, makes the same child.
    digest = hashlib.sha256(f"{parent.id} admitted by {cause}".encode()).digest()
    child = "prop:" + base64.b32encode(digest[:16]).decode("ascii").rstrip("=").lower()
    keys = records.proposal_keys(child, InboxState.PENDING, parent.lane, parent.submitted_at)
    return {"id": child, "parent": parent.id, **keys}
