"""Proposals and directives as pages tell them: who, what, when, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from cypher.inbox import Inbox, ProposalView
from policies.directives import Verb
from policies.lifecycle import InboxState
from policies.reasons import NEEDS_PASSKEY
from policies.registry import Registry
from policies.terms import GrantId, Instant, MemoryId, Outcome, Proposal, ProposalId
from service.console.foresight import passed_moment
from service.console.reasons import told_reason
from service.console.strings import Strings
from service.console.visit import Visit
from service.grants import CLI_GRANT

SCANNED_MAX = 1_000
"""How many proposals one page is looked for among; the next page goes on from there."""
_EXCERPT_CHARACTERS = 280
UNREGISTERED = "name.unregistered"
"""The reason of what waits until a name is registered."""
NAMED_SINCE = "named_since"
"""How that stands once the name is: what it became is told by the proposal that took its place."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """One proposal or directive."""

    view: ProposalView
    by: str
    """What the owner calls the assistant; empty for the owner's own."""
    text: str
    """What it says, in words."""
    excerpt: str
    """The same, shortened for a list."""
    outcome: str
    """A key of ``terms.outcome``."""
    standing: str
    """The same as a badge tells it: what is refused for want of a name waits for it until it is registered."""
    reason: str
    """The sentence that tells why; empty while nothing is decided."""
    path: str
    """The page where it is settled, or told of."""
    said: str
    """When it was said, in words; empty where that was not told."""

    @property
    def proposal(self) -> Proposal:
        """The proposal itself."""
        return self.view.proposal

    @property
    def says_text(self) -> bool:
        """Whether it holds a text to be kept, and so has a level that means something."""
        return self.proposal.action in _SAYING

    @property
    def id(self) -> ProposalId:
        """Its id."""
        return self.view.proposal.id

    @property
    def decided_at(self) -> Instant | None:
        """When that was decided."""
        return self.view.outcome.decided_at if self.view.outcome else None

    @property
    def memories(self) -> tuple[MemoryId, ...]:
        """What it became, or repeats."""
        return self.view.outcome.memories if self.view.outcome else ()

    @property
    def words(self) -> str:
        """The owner's own words that came along; empty without any."""
        return str(self.proposal.payload.get("words") or "")


class ProposalTelling:
    """Tells the proposals of one page."""

    def __init__(self, visit: Visit) -> None:
        """Tell in the visitor's language."""
        self._visit = visit
        self.t: Strings = visit.t

    def told(self, view: ProposalView) -> Proposed:
        """One proposal."""
        proposal, outcome = view.proposal, view.outcome
        text = self._text(proposal)
        return Proposed(
            view=view,
            by="" if proposal.grant is None else self.tool(proposal.grant) or proposal.grant_name,
            text=text,
            excerpt=text if len(text) <= _EXCERPT_CHARACTERS else f"{text[:_EXCERPT_CHARACTERS].rstrip()}…",
            outcome="pending" if outcome is None else outcome.outcome.value,
            standing=self._standing(view),
            reason=self._reason(view),
            path=path_of(view),
            said=self._said(proposal),
        )

    def tool(self, grant: GrantId) -> str:
        """What the owner called an assistant, or calls it; empty for one that is forgotten."""
        return self.tools.get(grant, "")

    @cached_property
    def registry(self) -> Registry:
        """The registry, as of the page."""
        return self._visit.house.reader.registry()

    @cached_property
    def tools(self) -> Mapping[GrantId, str]:
        """Every assistant that there ever was, by what the owner called it."""
        return {CLI_GRANT.id: CLI_GRANT.name} | {one.id: one.name for one in self._visit.house.grants.ever()}

    def _standing(self, view: ProposalView) -> str:
        outcome = view.outcome
        if outcome is None:
            return "pending"
        if outcome.outcome is not Outcome.REJECTED or outcome.reason != UNREGISTERED:
            return outcome.outcome.value
        names = cast("list[str]", outcome.details.get("names") or [])
        return NAMED_SINCE if names and all(map(self.registry.named, names)) else "needs_name"

    def _reason(self, view: ProposalView) -> str:
        outcome = view.outcome
        if outcome is None:
            return ""
        if outcome.outcome is Outcome.COMMITTED:
            did = f"reasons.did.{view.proposal.action}"
            if self.t.has(did):
                return self.t(did)
            if not outcome.memories:
                return told_reason("directive.done", self.t)
        if self._standing(view) == NAMED_SINCE:
            return told_reason(f"{UNREGISTERED}.then", self.t, outcome.details)
        reason = "conflict.same" if outcome.details.get("same") else outcome.reason
        return told_reason(reason, self.t, outcome.details)

    def _text(self, proposal: Proposal) -> str:
        payload = proposal.payload
        told = _TEXTS.get(proposal.action)
        if told is not None:
            return next((str(payload[name]) for name in told if payload.get(name)), "")
        if proposal.action == Verb.RULE:
            return self.t(f"proposals.ruled.{payload.get('ruling')}")
        if proposal.action == Verb.RETRACT:
            return self._taken_back(MemoryId(str(payload.get("id"))))
        names = (str(payload[name]) for name in _NAMES if payload.get(name))
        return " → ".join(self._named(name) for name in names)

    def _taken_back(self, memory: MemoryId) -> str:
        found = self._visit.house.reader.versions([memory]).get(memory)
        return self.t("proposals.retracts", text=found.memory.text) if found else ""

    def _said(self, proposal: Proposal) -> str:
        """When it was said, as precisely as it was passed."""
        given = proposal.payload.get("said_at")
        if not given:
            return ""
        moment = passed_moment(str(given), self._visit.house, ends=False)
        return str(given) if moment is None else self.t.moment(moment)

    def _named(self, name: str) -> str:
        """An entity by its name, where its id was given."""
        found = self.registry.named(name) if name.startswith("ent:") else ()
        return found[0].name if found else name


_TEXTS: Mapping[str, tuple[str, ...]] = {
    "remember": ("statement", "transcript"),
    Verb.CORRECT: ("statement",),
    Verb.DECLARE: ("text",),
}
"""By action: the argument that says it."""
_SAYING = frozenset({"remember", Verb.CORRECT, Verb.DECLARE})
_NAMES = ("name", "entity", "alias", "into", "other", "memory")


def path_of(view: ProposalView) -> str:
    """The page where the owner settles a proposal, or that tells of it."""
    proposal, outcome = view.proposal, view.outcome
    if view.state is not InboxState.NEEDS_OWNER or outcome is None:
        return f"/proposals/{proposal.id}"
    return f"/{'confirm' if outcome.reason == NEEDS_PASSKEY else 'arbitrations'}/{proposal.id}"


def page_of(
    inbox: Inbox,
    wanted: Callable[[ProposalView], bool] | None = None,
    *,
    grant: GrantId | None = None,
    directives: bool = False,
    state: InboxState | None = None,
    after: ProposalId | None = None,
    limit: int,
) -> tuple[list[ProposalView], ProposalId | None]:
    """A page of the proposals that are wanted, newest first, and the last that was looked at if there may be more.

    Args:
        inbox: to look in.
        wanted: which of them to keep; None: all.
        grant: see ``Inbox.view``, as for the following.
        directives: only the owner's.
        state: only those in this state.
        after: what the page before gave.
        limit: most of a page.
    """
    kept: list[ProposalView] = []
    scanned = 0
    while scanned < SCANNED_MAX:
        found = inbox.view(grant=grant, directives=directives, state=state, after=after, limit=limit + 1)
        for view in found:
            if len(kept) == limit:
                return kept, after
            after = view.proposal.id
            scanned += 1
            if wanted is None or wanted(view):
                kept.append(view)
        if len(found) <= limit:
            return kept, None
    return kept, after


def choices_of(view: ProposalView) -> dict[str, list[str]]:
    """By ambiguous name of a proposal: the ids of the entities that it may mean."""
    details = view.outcome.details if view.outcome else {}
    return cast("dict[str, list[str]]", details.get("choices") or {})
