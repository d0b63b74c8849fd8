"""Arbitrations: what waits for the owner's ruling, side by side with what it meets, and what each answer does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from starlette.responses import Response

from cypher.inbox import ProposalView
from policies import moments
from policies.bitemporal import AsOf
from policies.directives import Ruling, Verb
from policies.errors import InvalidArgument, PageUnknown
from policies.lifecycle import InboxState
from policies.terms import Entity, EntityId, MemoryId, OutcomeRecord, ProposalId, Provenance
from service.console import telling
from service.console.arbitration import Subject, offers, subject_of
from service.console.filters import domain_label
from service.console.foresight import Foreseen, foreseen_of
from service.console.proposed import ProposalTelling, choices_of, page_of
from service.console.site import Page
from service.console.visit import Visit

PAGE = 30
_LOOKED_FOR_MAX = 50
_OPEN = InboxState.NEEDS_OWNER
_SUGGESTED_MAX = 500


@dataclass(frozen=True, slots=True)
class Choice:
    """An ambiguous name, and whom it may mean."""

    name: str
    entities: tuple[Entity, ...]


def arbitrations(visit: Visit) -> Response:
    """What waits, newest first, all of it or what one subject is.

    Raises:
        InvalidArgument: there is no such subject.
    """
    about = visit.query("about")
    if about and about not in set(Subject):
        raise InvalidArgument(field="about", problem="unknown")
    after = visit.query("after")
    inbox = visit.house.inbox
    found, following = page_of(
        inbox,
        (lambda view: _subject(view) == about) if about else None,
        state=_OPEN,
        after=ProposalId(after) if after else None,
        limit=PAGE,
    )
    told = ProposalTelling(visit)
    return visit.page(
        "arbitrations.html",
        waiting=inbox.count(_OPEN),
        rows=[(told.told(view), _subject(view)) for view in found],
        subjects=list(Subject),
        about=about,
        after=after,
        following=following,
    )


def arbitration(visit: Visit) -> Response:
    """One arbitration; what is settled, or waits for a passkey, has other pages.

    Raises:
        PageUnknown: there is no such proposal.
    """
    view = _view(visit)
    outcome = view.outcome
    if outcome is None or (view.state is not _OPEN and visit.failure is None):
        return visit.to(f"/proposals/{view.proposal.id}")
    subject = _subject(view)
    if subject is Subject.PASSKEY:
        return visit.to(f"/confirm/{view.proposal.id}")
    unseen = _unseen(visit)
    if unseen:
        # Whom a name means is known by now: what is left to say is what holds.
        subject = Subject.CONFLICT
    told = ProposalTelling(visit)
    foreseen = foreseen_of(visit.house, view.proposal)
    against = _against(visit, view, unseen)
    return visit.page(
        "arbitration.html",
        this=told.told(view),
        outcome=outcome,
        subject=subject,
        offers=offers(view, subject) if view.state is _OPEN else (),
        foreseen=foreseen,
        provenance=_provenance(view, foreseen),
        period=_period(visit, foreseen),
        from_date=visit.field("from") or _from_date(visit, foreseen),
        about=[told.registry.entities[one] for one in foreseen.anchors] if foreseen else [],
        labels=_labels(visit, foreseen.domains if foreseen else ()),
        against=against,
        domain_labels={one: _labels(visit, told.memory.domains) for one, told in against.items()},
        choices=_choices(visit, view) if subject is Subject.WHO else [],
        suggested=telling.by_name(told.registry.entities.values())[:_SUGGESTED_MAX]
        if subject is Subject.WHAT
        else [],
        chosen=_anchors(visit),
        is_last=visit.house.inbox.count(_OPEN) <= 1,
    )


def rule(visit: Visit) -> Response:
    """Submit the ruling, and go on to the next arbitration.

    Raises:
        PageUnknown: there is no such proposal.
        Refused: the ruling does not settle it; says why.
        MnemoError: of category ``incorrect``: no ruling, or a date that is none.
    """
    view = _view(visit)
    ruling = visit.field("ruling")
    payload: dict[str, object] = {
        "proposal": view.proposal.id,
        "ruling": ruling or None,
        "anchors": _anchors(visit) or None,
        "from": visit.field("from") or None,
        "seen": visit.fields("seen") or None,
    }
    if ruling in (Ruling.KEEP_OLD, Ruling.REJECT):
        payload |= {"anchors": None, "from": None, "seen": None}
    return visit.direct(Verb.RULE, payload, then=_next(visit, view), done=f"ruled_{ruling.replace('-', '_')}")


def _view(visit: Visit) -> ProposalView:
    found = visit.house.inbox.view(ids=[ProposalId(visit.path("proposal"))], limit=1)
    if not found:
        raise PageUnknown
    return found[0]


def _subject(view: ProposalView) -> Subject:
    return Subject.UNCLEAR if view.outcome is None else subject_of(view.outcome)


def _next(visit: Visit, view: ProposalView) -> str:
    """The arbitration after this one, else the first of all, else the list."""
    inbox = visit.house.inbox
    for after in (view.proposal.id, None):
        found = inbox.view(state=_OPEN, after=after, limit=_LOOKED_FOR_MAX)
        for one in found:
            if one.proposal.id != view.proposal.id and _subject(one) is not Subject.PASSKEY:
                return f"/arbitrations/{one.proposal.id}"
    return "/arbitrations"


def _anchors(visit: Visit) -> list[str]:
    """Whom the names mean, as the form says: one field for each name, or one for a name that is unclear."""
    names = sorted({name for name in visit.form if name.startswith("anchor")})
    return [value.strip() for name in names for value in visit.fields(name)]


def _unseen(visit: Visit) -> Sequence[MemoryId]:
    """What a ruling that was refused would have contradicted without the owner's having seen it."""
    refused = (visit.failure or {}).get("outcome")
    if not isinstance(refused, OutcomeRecord) or refused.reason != "unsettled.conflict":
        return ()
    return [MemoryId(one) for one in cast("list[str]", refused.details.get("conflicts") or [])]


def _against(visit: Visit, view: ProposalView, unseen: Sequence[MemoryId]) -> Mapping[MemoryId, telling.Told]:
    """What the proposal meets: what it contradicts, what it would change, and what it was found to contradict."""
    details = view.outcome.details if view.outcome else {}
    named = [details.get("target"), view.proposal.payload.get("id")]
    ids = [str(one) for one in (*cast("list[str]", details.get("conflicts") or []), *named, *unseen) if one]
    versions = visit.house.reader.versions([MemoryId(one) for one in ids])
    # What it names may have been superseded since: what stands in its place is what a ruling changes.
    heads = visit.house.reader.versions([version.state.head for version in versions.values()])
    told = telling.Telling(visit, AsOf(visit.house.clock.now()))
    return {one: told.told(version) for one, version in {**versions, **heads}.items()}


def _choices(visit: Visit, view: ProposalView) -> list[Choice]:
    registry = visit.house.reader.registry()
    return [
        Choice(name, tuple(entity for one in ids if (entity := registry.entity(EntityId(one))) is not None))
        for name, ids in choices_of(view).items()
    ]


def _provenance(view: ProposalView, foreseen: Foreseen | None) -> Provenance:
    if view.proposal.is_directive:
        return Provenance.ATTESTED
    return Provenance.QUOTED if foreseen and foreseen.is_quoted else Provenance.REPORTED


def _period(visit: Visit, foreseen: Foreseen | None) -> str:
    if foreseen is None:
        return ""
    return telling.when_true(foreseen.kind, foreseen.valid_from, foreseen.valid_to, visit.t)


def _from_date(visit: Visit, foreseen: Foreseen | None) -> str:
    """The date from which the new is true, where the proposal tells it."""
    if foreseen is None or foreseen.valid_from is None:
        return ""
    return moments.show_start(foreseen.valid_from, visit.house.settings.zone)


def _labels(visit: Visit, domains: Sequence[str]) -> list[str]:
    return [domain_label(visit, one) for one in domains]


PAGES = (
    Page("/arbitrations", get=arbitrations),
    Page("/arbitrations/{proposal}", get=arbitration, post=rule, keeps=True),
)
