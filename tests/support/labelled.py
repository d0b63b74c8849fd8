"""The labelled statements of ``tests/bench/labelled``: their registry, their reading, and how the rules answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from policies.classification import Classification, combine
from policies.decision import RegistryChange, RegistryOp
from policies.gates import GateContext, Verdict, decide_gates
from policies.language.analysis import Analysis, analyse, level_of
from policies.parameters import parameters
from policies.registry import Registry, registry_of
from policies.terms import EntityId, EntityType, Instant, Moment, Outcome, Provenance

FOLDER = Path(__file__).parent.parent / "bench" / "labelled"
ZONE = ZoneInfo("Europe/Paris")
SAID_AT = Instant(int(datetime(2026, 3, 13, 10, tzinfo=ZONE).timestamp()) * 1_000_000)
FIELDS = ("outcome", "reason", "kind", "level", "valid_from", "valid_to", "anchors")
_OUTCOMES = {"C": Outcome.COMMITTED, "R": Outcome.REJECTED, "N": Outcome.NEEDS_OWNER}
_REGISTERED = (
    ("o", "Louis Martin", EntityType.PERSON, ()),
    ("pd", "Paul Durand", EntityType.PERSON, ()),
    ("pm", "Paul Mercier", EntityType.PERSON, ()),
    ("c", "Claire Fontaine", EntityType.PERSON, ()),
    ("i", "Inès Benali", EntityType.PERSON, ()),
    ("l", "李明", EntityType.PERSON, ()),
    ("acme", "Acme", EntityType.ORGANISATION, ()),
    ("hexa", "Hexatech", EntityType.ORGANISATION, ()),
    ("lyon", "Lyon", EntityType.PLACE, ()),
    ("velo", "Brompton", EntityType.OBJECT, ()),
    ("mnemo", "Mnemo", EntityType.PROJECT, ()),
)


def registry() -> Registry:
    """The registry that the labels speak of; ids are ``ent:`` and the label's short name."""
    changes = [
        (
            seq,
            RegistryChange(
                RegistryOp.REGISTER,
                EntityId(f"ent:{short}"),
                name=name,
                type=kind,
                aliases=aliases,
                owner=short == "o",
            ),
        )
        for seq, (short, name, kind, aliases) in enumerate(_REGISTERED, start=1)
    ]
    return registry_of(parameters(), changes)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One statement with what is expected of it, as written in its file."""

    file: str
    statement: str
    words: str | None
    never: bool
    expected: dict[str, str]
    """By field; ``-`` is not scored."""


def labelled(*files: str) -> list[Labelled]:
    """The statements of some files (by stem), in order."""
    return [
        _labelled(file, line)
        for file in files
        for line in (FOLDER / f"{file}.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]


def _labelled(file: str, line: str) -> Labelled:
    *fields, text = line.split("|", 7)
    statement, _, words = text.partition("||")
    expected: dict[str, str] = dict(zip(FIELDS, fields, strict=True))
    never = expected["outcome"].endswith("!")
    outcome = _OUTCOMES.get(expected["outcome"].rstrip("!"))
    expected["outcome"] = "-" if outcome is None else outcome.value
    return Labelled(file, statement, words or None, never, expected)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules (and a classifier, if one was asked) make of a statement."""

    analysis: Analysis
    verdict: Verdict
    told: dict[str, str]
    """By field, in the form of the labels."""


def answer(one: Labelled, known: Registry, classification: Classification | None = None) -> Answer:
    """Analyse and judge one labelled statement, as proposed by a tool."""
    analysis = analyse(one.statement, words=one.words, said_at=SAID_AT, zone=ZONE, registry=known)
    if classification is not None:
        analysis = combine(analysis, classification)
    provenance = Provenance.QUOTED if analysis.quoted else Provenance.REPORTED
    verdict = decide_gates(analysis, GateContext(one.statement, provenance))
    told = {
        "outcome": verdict.outcome.value,
        "reason": "" if verdict.passed else verdict.reason,
        "kind": analysis.kind.value,
        "level": level_of(analysis, known).name,
        "valid_from": _shown(analysis.valid_from),
        "valid_to": _shown(analysis.valid_to, full=True),
        "anchors": ",".join(sorted(anchor.removeprefix("ent:") for anchor in analysis.anchors)),
    }
    return Answer(analysis, verdict, told)


def misses(one: Labelled, given: Answer) -> dict[str, tuple[str, str]]:
    """By scored field that differs: what was expected, what was told."""
    found: dict[str, tuple[str, str]] = {}
    for field, expected in one.expected.items():
        told = given.told[field]
        if expected == "-" or (field not in ("outcome", "reason") and one.expected["outcome"] != "committed"):
            continue
        if field == "anchors":
            wanted = set(filter(None, expected.split(",")))
            optional = {name.rstrip("?") for name in wanted if name.endswith("?")} & set(told.split(","))
            expected = ",".join(sorted({name for name in wanted if not name.endswith("?")} | optional))
        if field == "valid_to" and expected:
            expected = f"{expected}-01-01"[:10] if len(expected) == 4 else f"{expected}-01"[:10]
        same = told.startswith(expected) if field == "reason" and expected else told == expected
        if not same:
            found[field] = (expected, told)
    return found


def _shown(moment: Moment | None, *, full: bool = False) -> str:
    if moment is None:
        return ""
    local = datetime.fromtimestamp(moment.at / 1_000_000, ZONE)
    if full:
        return local.date().isoformat()
    return {"year": f"{local:%Y}", "month": f"{local:%Y-%m}"}.get(moment.precision.value, f"{local:%Y-%m-%d}")
