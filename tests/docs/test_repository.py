"""What is in the repository, and what is built from it."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("policies", "cypher", "curator", "service")
LOCKS = ("requirements.lock", "requirements-dev.lock")


def tracked() -> list[Path]:
    """Every file of the repository; without git, every file that is not a tool's."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        return [
            ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()
        ]
    hidden = (".venv", "__pycache__", ".git", "build", "dist", "node_modules")
    return [path for path in ROOT.rglob("*") if path.is_file() and not set(hidden) & set(path.parts)]


def texts() -> dict[str, str]:
    return {
        str(path.relative_to(ROOT)): path.read_text("utf-8")
        for path in tracked()
        if path != Path(__file__) and path.suffix not in (".png", ".ico", ".woff2")
    }


def test_no_file_names_a_package_index_or_a_path_of_one_machine() -> None:
    """Whoever builds chooses the index; nothing depends on where the project lies."""
    host = re.compile(
        r"pypi\.org|pythonhosted|--index-url|--extra-index|repo\d?\.maven|registry\.npmjs", re.IGNORECASE
    )
    path = re.compile(r"(?<![\w.~$}/-])/(?:work|home|root|Users|private)/\w")
    for name, text in texts().items():
        assert not host.search(text), name
        assert not path.search(text), name


def test_no_file_refers_to_a_document_that_is_not_here() -> None:
    names = {path.name for path in tracked()} | {"SKILL.md"}  # which assistants read, in their own folders
    for name, text in texts().items():
        for named in re.findall(r"\b([A-Z][A-Z-]{3,})\b(?=\.md\b| §| pins\b)", text):
            assert f"{named}.md" in names, f"{name}: {named}"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_pins_every_distribution_with_hashes(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in "".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    entries = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).strip())
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==[\w.!+]+", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def test_what_runs_in_tests_is_what_is_served() -> None:
    """The two locks pin the same versions."""
    pins = [
        dict(
            re.findall(
                r"^([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==(\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE
            )
        )
        for name in LOCKS
    ]
    assert pins[0].items() <= pins[1].items()


def test_no_other_distribution_provides_our_names() -> None:
    found = packages_distributions()
    for name in PACKAGES:
        assert set(found.get(name, ["mnemo"])) == {"mnemo"}, name


@pytest.mark.slow
def test_the_wheel_has_every_file_that_the_code_reads(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    ours = {str(path.relative_to(ROOT)) for path in tracked() if path.relative_to(ROOT).parts[0] in PACKAGES}
    assert ours <= names, sorted(ours - names)[:9]
    beside = {name.split("/")[0] for name in names if ".dist-info/" in name}
    assert {name.split("/")[0] for name in names} == {*PACKAGES, *beside}


def test_every_kind_of_data_file_is_where_the_wheel_test_looks() -> None:
    kinds = {path.suffix for path in tracked() if path.relative_to(ROOT).parts[0] in PACKAGES}
    assert {".py", ".cypher", ".sql", ".toml", ".jsonl", ".md"} <= kinds
