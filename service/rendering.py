"""Structured results as readable text, for assistants and clients that show only text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_WORDS = {
    "en": {
        "from": "from",
        "until": "until",
        "about": "about",
        "said": "said",
        "none": "Nothing.",
        "verdict": "Verdict",
        "best": "best relevance",
        "more": "More: call again with this cursor",
        "no_path": "No path.",
        "memory": "memory",
        "certain": "certain",
        "vague": "vague",
        "unknown": "unknown: the memory holds nothing relevant enough",
    },
    "fr": {
        "from": "depuis",
        "until": "jusqu'à",
        "about": "sur",
        "said": "dit",
        "none": "Rien.",
        "verdict": "Verdict",
        "best": "meilleure pertinence",
        "more": "Suite : rappelez avec ce curseur",
        "no_path": "Aucun chemin.",
        "memory": "souvenir",
        "certain": "certain",
        "vague": "vague",
        "unknown": "inconnu : la mémoire n'a rien d'assez pertinent",
    },
}

Item = Mapping[str, Any]


def word(name: str, language: str) -> str:
    """One of the few words that a text is put together with."""
    return _WORDS[language][name]


def item_line(item: Item, language: str) -> str:
    """One memory on one line: its id, its text, then its qualifications."""
    return f"[{item['id']}] {item['text']} ({' · '.join(item_qualities(item, language))})"


def item_qualities(item: Item, language: str) -> list[str]:
    """The qualifications of a memory, in words."""
    qualities = [item["kind"], f"{item['provenance']} {item['confidence']:g}", item["sensitivity"]]
    for name, end in (("from", item["valid_from"]), ("until", item["valid_to"])):
        if end is not None:
            qualities.append(f"{word(name, language)} {end}")
    qualities.append(item["status"])
    if item["anchors"]:
        names = ", ".join(anchor["name"] for anchor in item["anchors"])
        qualities.append(f"{word('about', language)} {names}")
    return [*qualities, *item["domains"]]


def item_lines(items: Sequence[Item], language: str) -> str:
    """Memories, one a line; a word for none."""
    return "\n".join(item_line(item, language) for item in items) or word("none", language)


def edge_line(edge: Mapping[str, Any]) -> str:
    """One tie between two entities, and the memory that says so."""
    return f"{edge['source']['name']} —{edge['type']}→ {edge['target']['name']} [{edge['memory']}]"


def verdict_line(verdict: str, language: str, best: float | None = None) -> str:
    """What a recall or a pack makes of what it found."""
    line = f"{word('verdict', language)}: {word(verdict, language)}"
    return line if best is None else f"{line} ({word('best', language)} {best:g})"


def page(parts: Iterable[str], next_cursor: str | None, language: str, *, notices: Sequence[str] = ()) -> str:
    """Parts of an answer, what the caller should know of it, and where the next page begins."""
    lines = [part for part in (*parts, *notices) if part]
    if next_cursor is not None:
        lines.append(f"{word('more', language)}: {next_cursor}")
    return "\n".join(lines)
