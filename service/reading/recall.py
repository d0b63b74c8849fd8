"""Recall: a question answered with what the view may be served, or memories asked for by id."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from policies import access, bitemporal, ranking
from policies.access import Aim
from policies.bitemporal import AsOf
from policies.errors import MissingArgument, UnknownId
from policies.ranking import Verdict
from policies.terms import Instant, MemoryId, Version
from service.reading.asking import Asking, Found, ask
from service.reading.call import Call, kinds
from service.reading.candidates import Place
from service.reading.items import ASKED_BY_ID, Answer
from service.reading.phrases import say


@dataclass(frozen=True, slots=True)
class RecallArguments:
    """The arguments of a recall, checked for type and length only."""

    query: str = ""
    about: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    valid_at: str | None = None
    known_at: str | None = None
    ids: tuple[str, ...] = ()
    limit: int = 12
    cursor: dict[str, Any] | None = None
    """The ``next_cursor`` of the page before."""


def recall(call: Call, arguments: RecallArguments) -> Answer:
    """Answer a question, or serve memories by id.

    Returns:
        ``{verdict, best, items, notices, next_cursor}``, best first; ``next_cursor`` is plain JSON or None.

    Raises:
        MissingArgument: neither a query nor ids.
        UnknownId: none of the ids may be served.
        ScopeForbids, EntityUnknown, EntityAmbiguous, DomainUnknown: what the view does not have.
        InvalidArgument, InvalidDate, NaiveDateTime: what cannot be.
    """
    now = None if arguments.cursor is None else Instant(arguments.cursor["now"])
    as_of = call.as_of(arguments.valid_at, arguments.known_at, now)
    if arguments.ids:
        return _by_id(call, arguments, as_of)
    if not arguments.query.strip():
        raise MissingArgument(field="query")
    asking = ask(
        call,
        arguments.query,
        as_of,
        about=arguments.about,
        domains=arguments.domains,
        of_kinds=arguments.kinds,
        frozen=arguments.cursor,
    )
    return _answer(asking, arguments)


def _answer(asking: Asking, arguments: RecallArguments) -> Answer:
    call, cursor = asking.call, arguments.cursor
    limit = min(arguments.limit, call.parameters.budget.page_items)
    after = None if cursor is None else _place(cursor["after"])
    found = list(islice(asking.found(after), limit + 1))
    best = _best(found) if cursor is None else float(cursor["best"])
    verdict = ranking.verdict([best], call.parameters.ranking)
    served = asking.fetched(found[:limit]) if verdict is not Verdict.UNKNOWN else []
    shown = call.shown(asking.as_of)
    more = len(found) > limit and bool(served)
    notices = asking.notices()
    if verdict is not Verdict.CERTAIN:
        notices.append(say(f"notice.{verdict.value}", call.view.language))
    return {
        "verdict": verdict.value,
        "best": round(best, 4),
        "items": [shown.item(version, asking.why(one, version)) for one, version in served],
        "notices": notices,
        "next_cursor": {**asking.frozen(), "after": list(found[limit - 1].place), "best": best}
        if more
        else None,
    }


def _by_id(call: Call, arguments: RecallArguments, as_of: AsOf) -> Answer:
    """Serve memories by id, in the order asked for; of a superseded one its successor."""
    asked = list(dict.fromkeys(MemoryId(identifier) for identifier in arguments.ids))
    answers = {one: answer for one in asked if (answer := served_by_id(call, one, as_of)) is not None}
    if not answers:
        raise UnknownId(field="ids")
    wanted = {one: version for one, version in answers.items() if _passes(call, arguments, version, as_of)}
    versions = list({version.memory.id: version for version in wanted.values()}.values())
    offset = 0 if arguments.cursor is None else int(arguments.cursor["offset"])
    end = offset + min(arguments.limit, call.parameters.budget.page_items)
    shown = call.shown(as_of)
    return {
        "verdict": Verdict.CERTAIN.value if versions else Verdict.UNKNOWN.value,
        "best": 1.0 if versions else 0.0,
        "items": [shown.item(version, ASKED_BY_ID) for version in versions[offset:end]],
        "notices": _id_notices(call, asked, answers),
        "next_cursor": {"now": as_of.now, "offset": end} if end < len(versions) else None,
    }


def served_by_id(call: Call, memory: MemoryId, as_of: AsOf) -> Version | None:
    """What an id is answered with: the memory, or of a superseded one its visible successor, or nothing.

    The owner is also shown what is superseded or retracted itself.
    """
    aim = Aim(ids=frozenset({memory}))
    version = call.source.versions([memory]).get(memory)
    if version is None or not access.is_aimed(version, call.view, aim, call.registry, matches=False):
        return None
    if call.view.owner:
        return version if _is_known(version, as_of) else None
    if version.state.superseded_at is None:
        return version if bitemporal.is_served_by_id(version, as_of) else None
    chain = call.source.chain_of(memory)
    if bitemporal.is_withdrawn(version, chain):
        return None
    if bitemporal.is_served_by_id(version, as_of):
        return version
    return bitemporal.successor(chain, memory, as_of, lambda later: access.in_view(later, call.view))


def _is_known(version: Version, as_of: AsOf) -> bool:
    return as_of.known_before is None or version.memory.recorded_at < as_of.known_before


def _passes(call: Call, arguments: RecallArguments, version: Version, as_of: AsOf) -> bool:
    """Whether a memory asked for by id is also what the other arguments say."""
    memory = version.memory
    domains = {call.domain(domain) for domain in arguments.domains}
    of_kinds = set(kinds(arguments.kinds))
    if domains and domains.isdisjoint(memory.domains):
        return False
    if of_kinds and of_kinds.isdisjoint({memory.kind, bitemporal.asserted_kind(memory)}):
        return False
    return as_of.valid_at is None or bitemporal.overlaps(memory, as_of.valid_at)


def _id_notices(call: Call, asked: list[MemoryId], answers: dict[MemoryId, Version]) -> list[str]:
    language = call.view.language
    told = [
        say("notice.superseded", language, old=one, new=version.memory.id)
        for one, version in answers.items()
        if version.memory.id != one
    ]
    missing = [one for one in asked if one not in answers]
    if missing:
        told.append(say("notice.unknown_ids", language, ids=", ".join(missing)))
    return told


def _best(found: list[Found]) -> float:
    return max((one.relevance.score for one in found), default=0.0)


def _place(stored: list[Any]) -> Place:
    band, provenance, confidence, score, since, memory = stored
    return int(band), int(provenance), float(confidence), float(score), int(since), str(memory)
