"""The memory as a picture, with the same content as a list, and the data that the picture is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import JSONResponse, Response

from policies.errors import InvalidArgument, MnemoError
from policies.terms import Entity, EntityType, Level
from service.console.filters import chosen, chosen_domain, chosen_level, domains, names
from service.console.picture import Asked, Picture, as_graph, picture
from service.console.reasons import told_failure
from service.console.site import Page
from service.console.timeline import Timeline, timeline
from service.console.visit import Visit

RELATIONS = "relations"


@dataclass(frozen=True, slots=True)
class Question:
    """What the request asks for."""

    asked: Asked
    moment: Timeline
    typed: str
    """The entity in the middle, as it was typed."""
    candidates: tuple[Entity, ...]
    """What that may mean."""

    @property
    def is_clear(self) -> bool:
        """Whether it is known around whom."""
        return not self.typed or len(self.candidates) == 1

    @property
    def parameters(self) -> dict[str, str]:
        """The query that asks for the same, its middle aside."""
        asked = self.asked
        given = {
            "type": asked.type or "",
            "domain": asked.domain,
            "up_to": "" if asked.up_to is Level.S3 else asked.up_to.name,
            "show": RELATIONS if asked.relations_only else "",
            "private": "1" if asked.private else "",
            **self.moment.query,
        }
        return {name: value for name, value in given.items() if value}


def graph(visit: Visit) -> Response:
    """The page."""
    question: Question | None = None
    found: Picture | None = None
    failure = visit.failure
    try:
        question = _question(visit)
        if question.is_clear:
            found = picture(visit, question.asked, question.moment.as_of)
    except MnemoError as error:
        if error.category != "incorrect":
            raise
        failure = told_failure(error, visit.t)
    registry = visit.house.reader.registry()
    asked = question.asked if question else Asked()
    centre = registry.entities.get(asked.focus) if asked.focus else None
    parameters = question.parameters if question else {}
    return visit.page(
        "graph.html",
        200 if failure is None else 400,
        failure=failure,
        asked=asked,
        centre=centre,
        typed=centre.name if centre else question.typed if question else "",
        focus=centre.id if centre else "",
        candidates=question.candidates if question and not question.is_clear else (),
        moment=question.moment if question else None,
        found=found,
        names_of={shown.entity.id: shown.entity.name for shown in found.entities} if found else {},
        elsewhere=urlencode(parameters),
        source=urlencode({**parameters, **({"focus": centre.id} if centre else {})}),
        is_plain=not parameters and centre is None,
        names=names(registry),
        domains=domains(visit),
        types=list(EntityType),
        levels=list(Level),
    )


def graph_json(visit: Visit) -> Response:
    """What the picture is drawn from.

    Raises:
        InvalidArgument, DomainUnknown, InvalidDate: what the page would tell.
    """
    question = _question(visit)
    if not question.is_clear:
        raise InvalidArgument(field="focus", problem="unknown")
    found = picture(visit, question.asked, question.moment.as_of)
    return JSONResponse(
        as_graph(found),
        headers={
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _question(visit: Visit) -> Question:
    """What a request asks for.

    Raises:
        InvalidArgument: a value that the form does not offer.
        DomainUnknown: a domain that the owner does not have.
        InvalidDate: a moment that is none.
    """
    house = visit.house
    typed, up_to = visit.query("focus").strip(), chosen_level(visit, "up_to")
    candidates = house.reader.registry().named(typed) if typed else ()
    return Question(
        asked=Asked(
            focus=candidates[0].id if len(candidates) == 1 else None,
            type=chosen(visit, "type", EntityType),
            domain=chosen_domain(visit),
            up_to=Level.S3 if up_to is None else up_to,
            relations_only=visit.query("show") == RELATIONS,
            private=bool(visit.query("private")),
        ),
        moment=timeline(visit, house.browsing.extent(house.reader.head().seq)),
        typed=typed,
        candidates=candidates,
    )


PAGES = (Page("/graph", get=graph), Page("/graph.json", get=graph_json))
