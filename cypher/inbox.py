"""The inbox: proposals and directives wait here for the curator, and tell here what became of them.

What the service and the command line may write of the graph, besides the log of calls. Nothing of it is
served as memory. Lists come newest first; ``after``, the last id of a page, gives the next.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from cypher import records
from cypher.graph import Graph, Record, Tx
from cypher.records import Row
from cypher.statement import Statement, statement
from policies import entries
from policies.errors import CommitUncertain, InboxFull, KeyConflict
from policies.lifecycle import InboxState
from policies.parameters import Parameters, parameters
from policies.terms import EntityId, EntityType, GrantId, Instant, OutcomeRecord, Proposal, ProposalId, RunId

_FIND_SUBMISSION = statement("find_submission")
_FIND_EXCESS = statement("find_excess")
_SUBMIT = statement("submit_proposal")
_BY_GRANT = statement("list_by_grant")
_BY_STATE = statement("list_by_state")
_ALL = statement("list_proposals")
_READ = statement("read_proposals")
_ENTRIES = statement("read_entries_at")
_REVIEWS = statement("list_reviews")
_REVIEWS_OF_GRANT = statement("list_reviews_of_grant")
_FIND_REVIEW = statement("find_review")
_FIND_RUN = statement("find_waiting_run")
_REQUEST_RUN = statement("request_run")
_READ_RUN = statement("read_run")
_LEASE = statement("read_lease")
_RUNS = statement("list_runs")
_LINES = statement("list_lines")
_COUNT = statement("count_by_state")
_COUNT_REVIEWS = statement("count_open_reviews")

LAST = "~"
"""Greater than every key of ``records.place_key``."""
NAMINGS_MAX = 10_000
"""Most namings of unregistered people that one grant's reviews are made of."""
RETRY_AFTER_S = 3_600
"""What a tool with too many pending proposals is told to wait: they go when the curator next runs."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal, where it is, and what was last decided about it."""

    proposal: Proposal
    state: InboxState
    outcome: OutcomeRecord | None
    """None while nothing was decided. ``error`` while it waits to be tried again."""
    outcome_seq: int | None = None
    """Sequence of the entry that recorded the last outcome."""


@dataclass(frozen=True, slots=True)
class AnchorReview:
    """A person or organisation that proposals name and the registry does not have."""

    key: str
    name: str
    """As first named (by the grant, where the list is one grant's)."""
    type: EntityType | None
    opened_at: Instant
    """When first named (by the grant)."""
    closed_at: Instant | None
    entity: EntityId | None
    """What answers to the name since. Above a tool's scope, it is to be shown as if it did not exist."""
    proposals: tuple[ProposalId, ...]
    """Those that name it (the grant's), oldest first."""


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of the curator: asked for by a command, or its own."""

    id: RunId
    origin: str
    """``asked`` or ``nightly``."""
    state: str
    """``waiting``, ``running`` or ``finished``."""
    requested_at: Instant
    started_at: Instant | None = None
    finished_at: Instant | None = None
    summary: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the curator tells of it once it is finished."""


@dataclass(frozen=True, slots=True)
class CuratorState:
    """Who curates."""

    holder: str
    """Empty when nobody does."""
    alive_until: Instant
    """It renews this well before; once past, it is dead or cut off."""


class Inbox:
    """One process's hold on the inbox. May be shared by threads."""

    def __init__(self, graph: Graph, using: Parameters | None = None) -> None:
        """Work on a graph, within the owner's limits (as shipped where None)."""
        self._graph = graph
        self._pending_max = (using or parameters()).limits.pending_per_grant

    def submit(self, proposal: Proposal, *, key: str | None, digest: str) -> ProposalId:
        """Put a proposal into the inbox; once it returns, the proposal is safe on disk.

        Args:
            proposal: a new one. A directive (without grant) has no limit.
            key: the caller's idempotency key: one proposal for each grant, action and key, for ever.
            digest: of what was asked, so that a key used for something else is found out.

        Returns:
            The id of the proposal, or of the one that was submitted under the same key before.

        Raises:
            KeyConflict: the key was used with another digest.
            InboxFull: too many of the grant's proposals are pending.
        """
        lane = records.lane_of(proposal.grant)
        idempotency = None if key is None else f"{lane} {proposal.action} {key}"
        row = records.proposal_row(proposal, idempotency=idempotency, digest=digest)

        def put(tx: Tx) -> ProposalId:
            former = [] if idempotency is None else tx.run(_FIND_SUBMISSION, idempotency=idempotency)
            if former:
                if former[0]["digest"] != digest:
                    raise KeyConflict
                return ProposalId(former[0]["id"])
            if not proposal.is_directive and tx.run(
                _FIND_EXCESS, lane=f"{lane} ", bound=self._pending_max - 1
            ):
                raise InboxFull(limit=self._pending_max, retry_after_s=RETRY_AFTER_S)
            return ProposalId(tx.run(_SUBMIT, id=proposal.id, properties=row, lane=lane)[0]["id"])

        try:
            return self._graph.transaction(put)
        except CommitUncertain:
            # Doing it again finds the proposal if it was kept.
            return self._graph.transaction(put)

    def view(
        self,
        *,
        grant: GrantId | None = None,
        ids: Collection[ProposalId] | None = None,
        state: InboxState | None = None,
        directives: bool = False,
        after: ProposalId | None = None,
        limit: int,
    ) -> list[ProposalView]:
        """Proposals and what became of them, newest first.

        Args:
            grant: only this grant's; None: everybody's, the owner's directives included.
            directives: only the owner's directives.
            ids: only these (at most ``limit``); unknown ones, and others than the grant's, are left out.
            state: only those in this state.
            after: the last id of the page before; an unknown one gives the first page.
            limit: most proposals.
        """
        only = None if state is None else state.value
        before = self._place(after) or LAST
        if ids is not None:
            rows = self._read(sorted(set(ids)))
        elif grant is not None or directives:
            prefix = f"{records.lane_of(grant)} "
            rows = self._rows(_BY_GRANT, prefix=prefix, before=prefix + before, state=only, limit=limit)
        elif only is not None:
            prefix = f"{only} "
            rows = self._rows(_BY_STATE, prefix=prefix, before=prefix + before, limit=limit)
        else:
            rows = self._rows(_ALL, before=before, limit=limit)
        wanted = [row for row in rows if grant in (None, row.get("grant")) and only in (None, row["state"])]
        return self._views(wanted[:limit])

    def line_of(self, proposal: Proposal, *, limit: int) -> list[ProposalView]:
        """A proposal's whole line: the first, then those that were admitted again for it, one after the other."""
        return self.lines_of([proposal.root_id], limit=limit).get(proposal.root_id, [])

    def lines_of(self, roots: Collection[ProposalId], *, limit: int) -> dict[ProposalId, list[ProposalView]]:
        """Several lines by the first proposal of each; ``limit``: most proposals of all together."""
        rows = self._rows(_LINES, roots=list(roots), limit=limit)
        parents = {row["id"]: row.get("parent") for row in rows}

        def generation(row: Row) -> int:
            # A child keeps its parent's place in time.
            parent, before = row.get("parent"), 0
            while parent is not None:
                parent, before = parents.get(parent), before + 1
            return before

        lines: dict[ProposalId, list[ProposalView]] = {}
        for view in self._views(sorted(rows, key=generation)):
            lines.setdefault(view.proposal.root_id, []).append(view)
        return lines

    def count(self, state: InboxState) -> int:
        """How many proposals and directives are in a state."""
        prefix = f"{state.value} "
        return self._graph.read(_COUNT, prefix=prefix, before=prefix + LAST)[0]["proposals"]

    def anchor_reviews(
        self,
        *,
        grant: GrantId | None = None,
        is_open: bool | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[AnchorReview]:
        """The anchor reviews, newest first.

        Args:
            grant: only what this grant's proposals named, as if nobody else had named it; None: all of them.
            is_open: only those that wait for an answer (True) or that have one (False); without ``grant``.
            after: key of the last review of the page before; an unknown one gives the first page.
            limit: most reviews.
        """
        if grant is None:
            place = [] if after is None else self._graph.read(_FIND_REVIEW, key=after)
            before = place[0]["review"]["place"] if place else LAST
            found = self._graph.read(_REVIEWS, before=before, open=is_open, limit=limit)
            return [_review(record["review"], record["named"]) for record in found]
        found = self._graph.read(_REVIEWS_OF_GRANT, lane=f"{grant} ", limit=NAMINGS_MAX)
        reviews = _reviews_of_grant(found)
        keys = [review.key for review in reviews]
        return reviews[keys.index(after) + 1 if after in keys else 0 :][:limit]

    def anchor_review(self, key: str) -> AnchorReview | None:
        """The review of a name, folded; None where nothing named it."""
        found = self._graph.read(_FIND_REVIEW, key=key)
        return _review(found[0]["review"], found[0]["named"]) if found else None

    def open_reviews(self) -> int:
        """How many anchor reviews wait for an answer."""
        return self._graph.read(_COUNT_REVIEWS)[0]["reviews"]

    def request_run(self, run: RunId, at: Instant) -> Run:
        """Ask the curator for a run now, or join one that was asked for and has not begun.

        Args:
            run: id of a new run, used if there is none to join.
            at: now.
        """

        def ask(tx: Tx) -> list[Record]:
            waiting = tx.run(_FIND_RUN, states=["waiting"])
            return waiting or tx.run(_REQUEST_RUN, id=run, place=records.place_key(at, run), at=at)

        return run_of(self._graph.transaction(ask)[0]["run"])

    def run_state(self, run: RunId) -> Run | None:
        """A run as it stands; None for an unknown id."""
        found = self._graph.read(_READ_RUN, id=run)
        return run_of(found[0]["run"]) if found else None

    def runs(self, *, after: RunId | None = None, limit: int) -> list[Run]:
        """The curator's runs, newest first; ``after`` is the last of the page before."""
        found = [] if after is None else self._graph.read(_READ_RUN, id=after)
        before = found[0]["run"]["place"] if found else LAST
        return [run_of(record["run"]) for record in self._graph.read(_RUNS, before=before, limit=limit)]

    def curator(self) -> CuratorState:
        """Who curates, and until when it is sure to be alive. One cheap read."""
        found = self._graph.read(_LEASE)
        if not found:
            return CuratorState("", Instant(0))
        return CuratorState(found[0]["holder"], Instant(found[0]["expires_at"]))

    def _place(self, proposal: ProposalId | None) -> str | None:
        rows = [] if proposal is None else self._read([proposal])
        return rows[0]["place"] if rows else None

    def _read(self, ids: Sequence[ProposalId]) -> list[Row]:
        return self._rows(_READ, ids=ids)

    def _rows(self, listing: Statement, **parameters: object) -> list[Row]:
        return [record["proposal"] for record in self._graph.read(listing, **parameters)]

    def _views(self, rows: Sequence[Row]) -> list[ProposalView]:
        seqs = [row["outcome_seq"] for row in rows if row.get("outcome_seq") is not None]
        recorded = [records.stored_entry(r["entry"]) for r in self._graph.read(_ENTRIES, seqs=seqs)]
        outcomes = {stored.entry.seq: entries.outcome_of(stored) for stored in recorded}
        return [
            ProposalView(
                proposal=records.proposal(row),
                state=InboxState(row["state"]),
                outcome=outcomes.get(row.get("outcome_seq", 0), records.failed_attempt(row)),
                outcome_seq=row.get("outcome_seq"),
            )
            for row in rows
        ]


def run_of(row: Row) -> Run:
    """A run, from its node."""
    return Run(
        id=RunId(row["id"]),
        origin=row["origin"],
        state=row["state"],
        requested_at=Instant(row["requested_at"]),
        started_at=records.instant(row.get("started_at")),
        finished_at=records.instant(row.get("finished_at")),
        summary=json.loads(row.get("summary", "{}")),
    )


def _review(row: Row, named: Sequence[tuple[int, str]]) -> AnchorReview:
    return AnchorReview(
        key=row["key"],
        name=row["name"],
        type=records.entity_type(row.get("type")),
        opened_at=Instant(row["opened_at"]),
        closed_at=records.instant(row.get("closed_at")),
        entity=None if row.get("entity") is None else EntityId(row["entity"]),
        proposals=tuple(
            ProposalId(proposal) for _, proposal in sorted((at, proposal) for at, proposal in named)
        ),
    )


def _reviews_of_grant(namings: Sequence[Record]) -> list[AnchorReview]:
    """The reviews that namings, oldest first, open and join; newest first."""
    opened: dict[str, Row] = {}
    named: dict[str, list[tuple[int, str]]] = {}
    for naming in namings:
        row = naming.data()
        opened.setdefault(row["key"], {**row, "opened_at": row["at"]})
        named.setdefault(row["key"], []).append((row["at"], row["proposal"]))
    newest = sorted(opened.values(), key=lambda row: (row["opened_at"], row["key"]), reverse=True)
    return [_review(row, named[row["key"]]) for row in newest]
