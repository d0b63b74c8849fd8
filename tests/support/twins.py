"""Twin ledgers (G1): one history with all that is hidden from a view, and one as if it had never been.

A history is a list of steps, each at a second of its own and with fixed ids, so that what remains of it after
the hidden steps are left out is recorded at the same times and under the same ids. Both twins are then asked
the same calls; a *surface* names the calls, so that whatever answers a view (the package ``reading``, the eight
tools over HTTP) is compared by the same harness.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from policies import access
from policies.decision import RegistryChange
from policies.errors import MnemoError
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Kind,
    Level,
    Memory,
    MemoryId,
    Precision,
    Provenance,
    Relation,
    Version,
    View,
)
from service.reading import PackArguments, PathArguments, ProfileArguments, Reading, RecallArguments
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory, moment, registered

Surface = Mapping[str, Callable[[], object]]
"""Calls by name; each returns what the caller receives, as plain JSON."""

_PEOPLE = {
    "marie": Level.S1,
    "julie": Level.S1,
    "paul durand": Level.S1,
    "paul martin": Level.S1,
    "omar": Level.S3,
}
_OTHERS = {"initech": Level.S0, "lyon": Level.S0, "atlas": Level.S2, "vega": Level.S3}
_SHARED = "tea coffee garden river stone violin market bread winter letter"
_SECRET = "verdict clinic bankruptcy"
_WORDS = [*_SHARED.split(), *_SECRET.split()]
_DOMAINS = ("work", "home", "food", "family", "law", "health")
_NAMES = [*_PEOPLE, *_OTHERS, "paul", "nobody"]
_VALUES = (None, None, 100, 40_000_000)


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a history."""

    second: int
    memory: Memory | None = None
    register: RegistryChange | None = None
    reclassify: tuple[MemoryId, Level | None, Discretion | None] | None = None

    @property
    def about(self) -> MemoryId | None:
        """The memory that it records or reclassifies."""
        return self.memory.id if self.memory else self.reclassify[0] if self.reclassify else None


class Ledger(Protocol):
    """What a history is played on: ``MemoryLedger`` or ``EngineLedger``."""

    def record(self, *memories: Memory, at_second: int | None = None) -> None: ...
    def register(self, *changes: RegistryChange, at_second: int | None = None) -> None: ...
    def reclassify(
        self,
        memory: MemoryId,
        *,
        level: Level | None = None,
        discretion: Discretion | None = None,
        at_second: int | None = None,
    ) -> None: ...


@dataclass(frozen=True)
class History:
    """Steps in order, and what they come to."""

    steps: tuple[Step, ...]
    versions: Mapping[MemoryId, Version] = field(default_factory=dict[MemoryId, Version])
    """As they stand at the end."""

    @property
    def memories(self) -> list[MemoryId]:
        """Every memory it records."""
        return [step.memory.id for step in self.steps if step.memory]

    def without(self, hidden: Callable[[Version], bool], view: View) -> History:
        """The history as if chains that are hidden whole, and entities above the view, had never been."""
        shown = {v.state.chain for v in self.versions.values() if not hidden(v)}
        gone = {memory for memory, version in self.versions.items() if version.state.chain not in shown}
        above = {
            step.register.entity
            for step in self.steps
            if step.register and step.register.level is not None and step.register.level > view.level
        }
        kept = (
            s for s in self.steps if s.about not in gone and not (s.register and s.register.entity in above)
        )
        return History(tuple(kept))


def play(history: History, ledger: Ledger, after_each: Callable[[], object] = lambda: None) -> None:
    """Record a history.

    Args:
        history: what to record.
        ledger: an empty one.
        after_each: done every few steps, such as a read that makes an index follow.
    """
    for number, step in enumerate(history.steps):
        if step.memory:
            ledger.record(step.memory, at_second=step.second)
        elif step.register:
            ledger.register(step.register, at_second=step.second)
        elif step.reclassify:
            one, level, discretion = step.reclassify
            ledger.reclassify(one, level=level, discretion=discretion, at_second=step.second)
        if number % 7 == 0:
            after_each()


def hidden_from(view: View) -> Callable[[Version], bool]:
    """Whether a version is nothing to a view: above it, outside its domains, or of a retracted chain."""
    return lambda version: not access.in_view(version, view)


def or_on_request(view: View) -> Callable[[Version], bool]:
    """Whether a version is nothing to a view that aims at nothing by name."""
    return lambda version: not access.is_topical(version, view)


def history(seed: int, size: int = 60) -> History:
    """A history of every kind of step, at random from a seed."""
    return _Writer(random.Random(seed)).write(size)


def answers(surface: Surface) -> dict[str, str]:
    """What each call of a surface answers, errors included, byte for byte."""
    return {name: _answer(call) for name, call in surface.items()}


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """The calls that two twins answer differently."""
    assert one.keys() == other.keys()
    return [f"{name}: {one[name]} != {other[name]}" for name in one if one[name] != other[name]]


def reading_surface(read: Reading, view: View, asked: History, *, aiming: bool = True) -> Surface:
    """Every read of one view, about everything in a history, hidden or not.

    Args:
        read: answers.
        view: whose.
        asked: the whole history, so that both twins are asked about all of it.
        aiming: whether to aim at what is served on request only, by id or by name.
    """
    calls: dict[str, Callable[[], object]] = {}
    for section in (None, "domains", "entities", "rules", "usage"):
        calls[f"profile {section}"] = lambda s=section: read.profile(view, ProfileArguments("scope", s))
    for topic in (*_WORDS, *_NAMES, f"{_SHARED} {_SECRET}", "what does marie drink in winter"):
        calls[f"pack {topic}"] = lambda t=topic: read.context_pack(view, PackArguments(t))
        calls[f"recall {topic}"] = lambda t=topic: _pages(read, view, query=t)
        calls[f"recall {topic} then"] = lambda t=topic: _pages(read, view, query=t, valid_at="2026-01")
        calls[f"known {topic}"] = lambda t=topic: _pages(read, view, query=t, known_at="2026-01-01T00:10Z")
    for domain in _DOMAINS:
        calls[f"recall in {domain}"] = lambda d=domain: _pages(read, view, query=_SHARED, domains=(d,))
    for kind in Kind:
        calls[f"recall {kind}"] = lambda k=kind: _pages(read, view, query=_SHARED, kinds=(k.value,))
    for source in _NAMES:
        for target in _NAMES:
            calls[f"path {source} {target}"] = lambda s=source, t=target: read.path(view, PathArguments(s, t))
    for letter in "abcdefghijklmnopqrstuvwxyz":
        calls[f"complete {letter}"] = lambda c=letter: read.complete(view, c)
    for name in _NAMES:
        calls[f"entity {name}"] = lambda n=name: read.entity(view, f"ent:{n}")
    if aiming:
        for name in (*_NAMES, *_DOMAINS):
            calls[f"about {name}"] = lambda n=name: _pages(
                read, view, query=f"{_SHARED} {_SECRET}", about=(n,)
            )
        for one in asked.memories:
            calls[f"memory {one}"] = lambda m=one: read.memory(view, m)
            calls[f"ids {one}"] = lambda m=one: _pages(read, view, ids=(m, asked.memories[0]))
    return calls


def _pages(read: Reading, view: View, **arguments: Any) -> list[object]:
    """Every page of a recall, cursors included."""
    found: list[object] = []
    cursor = None
    for _ in range(40):
        answer = read.recall(view, RecallArguments(limit=5, cursor=cursor, **arguments))
        found.append(answer)
        cursor = answer["next_cursor"]
        if cursor is None:
            return found
    raise AssertionError("a recall without end")


def _answer(call: Callable[[], object]) -> str:
    try:
        answer = call()
    except MnemoError as error:
        answer = {"error": error.code, "field": error.field, "details": error.details}
    return json.dumps(answer, sort_keys=False, ensure_ascii=False)


class _Writer:
    """Writes a history: a registry, then memories and contra-entries of every kind."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._ledger = MemoryLedger()
        self._steps: list[Step] = []
        self._heads: list[Memory] = []

    def write(self, size: int) -> History:
        for change in self._registry():
            self._add(Step(self._second(), register=change))
        for number in range(size):
            self._add(self._step(number))
        return History(tuple(self._steps), {v.memory.id: v for v in self._ledger.changed_since(0, 10_000)})

    def _add(self, step: Step) -> None:
        self._steps.append(step)
        play(History((step,)), self._ledger)

    def _second(self) -> int:
        return 10 * (len(self._steps) + 1)

    def _registry(self) -> Iterator[RegistryChange]:
        yield registered("owner", owner=True, level=Level.S0)
        for name, level in _PEOPLE.items():
            yield registered(name, level=level, aliases=(f"{name} the elder",))
        for name, level in _OTHERS.items():
            yield registered(name, EntityType.ORGANISATION, level=level)

    def _step(self, number: int) -> Step:
        draw = self._rng.random()
        second = self._second()
        if self._heads and draw < 0.1:
            chosen = self._rng.choice(self._heads)
            level, discretion = self._rng.choice(
                [(Level.S3, None), (Level.S2, None), (None, self._discretion())]
            )
            return Step(second, reclassify=(chosen.id, level, discretion))
        if self._heads and draw < 0.4:
            return Step(second, memory=self._contra(number))
        made = self._memory(number)
        self._heads.append(made)
        return Step(second, memory=made)

    def _contra(self, number: int) -> Memory:
        target = self._heads.pop(self._rng.randrange(len(self._heads)))
        role = self._rng.choice(list(ContraRole))
        if role is ContraRole.SUCCESSION and target.kind is not Kind.CLOSURE:
            role = ContraRole.CLOSURE
        given: dict[str, Any] = {"supersedes": target.id, "contra": role}
        given["level"] = max(target.level, self._rng.choice([Level.S0, Level.S1, Level.S3]))
        if role is ContraRole.RETRACTION:
            given["kind"] = Kind.RETRACTION
        if role is ContraRole.CLOSURE:
            given |= {"kind": Kind.CLOSURE, "restates": Kind.FACT, "valid_from": None}
            given["valid_to"] = moment(self._rng.choice([50, 40_000_000]))
        made = self._memory(number, **given)
        if role is not ContraRole.RETRACTION:
            self._heads.append(made)
        return made

    def _memory(self, number: int, **given: Any) -> Memory:
        rng = self._rng
        anchors = tuple(sorted(f"ent:{name}" for name in rng.sample([*_PEOPLE, *_OTHERS], rng.randint(0, 2))))
        whole: dict[str, Any] = {
            "text": " ".join(rng.choices(_WORDS, k=rng.randint(1, 8))),
            "kind": rng.choice([Kind.FACT, Kind.FACT, Kind.PREFERENCE, Kind.EVENT, Kind.RULE, Kind.RELATION]),
            "level": rng.choice([Level.S0, Level.S0, Level.S1, Level.S1, Level.S2, Level.S3]),
            "provenance": rng.choice(list(Provenance)),
            "confidence": rng.choice([0.3, 0.5]),
            "discretion": self._discretion(),
            "anchors": anchors,
            "domains": tuple(sorted(rng.sample(_DOMAINS, rng.randint(0, 2)))),
            "event": rng.choice([None, None, "feast"]),
            "ruled": rng.random() < 0.5,
            "valid_from": None if (start := rng.choice(_VALUES)) is None else moment(start, Precision.DAY),
            "valid_to": None if (end := rng.choice(_VALUES)) is None else moment(end + 86_400, Precision.DAY),
        }
        if len(anchors) == 2 and rng.random() < 0.8:
            ends = [EntityId(anchor) for anchor in rng.sample(anchors, 2)]
            whole["relation"] = Relation(ends[0], rng.choice(["knows", "works_for"]), ends[1])
        return memory(f"m{number:03}", **(whole | given))

    def _discretion(self) -> Discretion:
        return self._rng.choice(
            [Discretion.OPEN, Discretion.OPEN, Discretion.ON_DEMAND, Discretion.ON_REQUEST_ONLY]
        )


def views() -> Iterable[tuple[str, View]]:
    """The views that twins are compared for: every scope, and grants limited to some domains."""
    for level in Level:
        yield f"S{int(level)}", View(level=level, history=level is Level.S3)
    yield "S2 at work", View(level=Level.S2, domains=frozenset({"work", "food"}))
    yield "S3 at home", View(level=Level.S3, domains=frozenset({"home"}), history=True, language="fr")
