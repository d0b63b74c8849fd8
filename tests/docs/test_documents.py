"""The documents say what the code does: settings, words, guarantees; their links lead somewhere."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import pytest

import policies.directives
import policies.lifecycle
import policies.ranking
import policies.terms
from cypher import settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(path for path in (ROOT / "tests").rglob("*.md") if "node_modules" not in path.parts),
]
CODE_OF_FILE = re.compile(r"`((?:policies|cypher|curator|service|tests|docs|deploy)/[\w./-]+)`")


def sources() -> dict[str, object]:
    """The fields that the environment may set, with their defaults."""
    fields = settings._Sources.model_fields  # pyright: ignore[reportPrivateUsage]
    return {name: field.default for name, field in fields.items()}


def test_every_setting_is_listed_with_its_default() -> None:
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `MNEMO_([A-Z_]+)` \| (.+?) \|", text, re.MULTILINE))
    assert {name.lower() for name in listed} == {*sources(), "home", "store"}
    for name, default in sources().items():
        if default is None:
            continue
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        assert listed[name.upper()] == f"`{shown}`", name


@pytest.mark.parametrize(
    "words",
    [
        policies.terms.Kind,
        policies.terms.Provenance,
        policies.terms.Discretion,
        policies.terms.Outcome,
        policies.terms.Level,
        policies.terms.ContraRole,
        policies.terms.EntityType,
        policies.directives.Verb,
        policies.directives.Ruling,
        policies.lifecycle.InboxState,
        policies.ranking.Verdict,
        policies.terms.Status,
        policies.terms.Precision,
    ],
    ids=lambda words: words.__name__,
)
def test_the_glossary_has_every_word(words: type[Enum]) -> None:
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8").lower()
    for word in words:
        shown = word.name if isinstance(word.value, int) else str(word.value)
        shown = "needs_<handle>" if shown == "needs_owner" else shown.replace("_", " ")
        assert re.search(
            rf"\b{re.escape(shown.lower())}", text.replace("_", " ").replace("needs <", "needs_<")
        ), shown


def sections() -> dict[int, str]:
    text = (ROOT / "docs" / "guarantees.md").read_text("utf-8")
    parts = re.split(r"^## G(\d+)\. ", text, flags=re.MULTILINE)[1:]
    return {int(number): body for number, body in zip(parts[::2], parts[1::2], strict=True)}


def test_every_guarantee_is_told_how_it_is_kept_attacked_and_where_it_ends() -> None:
    assert list(sections()) == list(range(1, 17))
    for number, body in sections().items():
        parts = re.split(r"\*\*(Kept by|Attacked by|Ends where)\.\*\*", body)
        assert parts[1::2] == ["Kept by", "Attacked by", "Ends where"], number
        assert CODE_OF_FILE.search(parts[2]) or "cypher/" in parts[2], number
        assert [path for path in CODE_OF_FILE.findall(parts[4]) if path.startswith("tests/")], number


def test_every_test_of_a_guarantee_is_told_under_it_and_every_promise_is_in_the_readme() -> None:
    for path in (ROOT / "tests" / "guarantees").glob("test_*.py"):
        named = re.match(r"test_g(\d+)_", path.name)
        assert named, f"{path.name} does not say which guarantee it attacks"
        assert f"`tests/guarantees/{path.name}`" in sections()[int(named.group(1))], path.name
    readme = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^\| G(\d+) \|", readme, re.MULTILINE) == [str(number) for number in range(1, 17)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_and_every_path_leads_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if not target.startswith(("https://", "#")):
            assert (document.parent / target.split("#")[0]).exists(), target
    for path in CODE_OF_FILE.findall(text):
        assert (ROOT / path).exists(), path


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    for path in sorted(folder.glob("0*.md")):
        number, title = re.match(r"# (\d{4})\. (.+)\n", path.read_text("utf-8")).groups()  # pyright: ignore[reportOptionalMemberAccess]
        assert path.name.startswith(f"{number}-")
        assert f"- [{number}]({path.name}): {title}\n" in index
