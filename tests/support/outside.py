"""Suites and clients of others: what ``tests/outside/package-lock.json`` names, installed once on a machine.

They run on the Node among the locked packages, whatever the machine's own is: that one only brings ``npm``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from tests.support.components import absent

FOLDER = Path(__file__).parents[1] / "outside"
PACKAGES = FOLDER / "node_modules"
INSTALL_S_MAX = 280.0
RUN_S_MAX = 240.0


@functools.cache
def packages() -> Path:
    """The folder of the installed packages. The first who asks installs them; who asks meanwhile waits."""
    name = hashlib.sha256(str(FOLDER).encode()).hexdigest()[:16]
    with FileLock(Path(tempfile.gettempdir()) / f"mnemo-outside-{name}.lock"):
        if not _is_installed():
            _install()
    return PACKAGES


def command(program: str, *arguments: str) -> list[str]:
    """What starts a program of the packages."""
    nodes = sorted(packages().glob("node-linux-*/bin/node"))
    if not nodes:
        absent("node", "tests/outside locks no Node for this kind of machine")
    return [str(nodes[0]), str(packages() / ".bin" / program), *arguments]


def ran(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the packages to its end."""
    return subprocess.run(
        command(program, *arguments),
        cwd=cwd,
        env=_environment(cwd),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


@contextmanager
def running(program: str, *arguments: str, cwd: Path, **variables: str) -> Generator[subprocess.Popen[str]]:
    """A program of the packages for as long as the context lasts, with pipes to talk to it; errors go to its output."""
    started = subprocess.Popen(
        command(program, *arguments),
        cwd=cwd,
        env=_environment(cwd) | variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def _environment(folder: Path) -> dict[str, str]:
    """What a program of the packages is told: a home of its own, and no path on which a browser could be."""
    return {"HOME": str(folder), "PATH": str(folder)}


def checks(folder: Path) -> dict[str, str]:
    """What the conformance suite wrote that it found, by check; the worst where one is made more than once."""
    found: dict[str, str] = {}
    for file in folder.rglob("checks.json"):
        for one in json.loads(file.read_text("utf-8")):
            if found.get(one["id"]) != "FAILURE":
                found[one["id"]] = one["status"]
    return found


def _is_installed() -> bool:
    """Whether what is there is what the lock says; npm notes what it installed in a lock file of its own."""
    noted = PACKAGES / ".package-lock.json"
    if not noted.is_file():
        return False
    locked, found = _packages(FOLDER / "package-lock.json"), _packages(noted)
    return all(
        path in found and found[path]["version"] == package["version"]
        for path, package in locked.items()
        if path and (path in found or not package.get("optional"))
    )


def _packages(lock: Path) -> dict[str, Any]:
    return json.loads(lock.read_text("utf-8"))["packages"]


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None:
        absent("node", "there is no npm on this machine")
    # No script of a package is run: none of them needs it.
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=INSTALL_S_MAX,
        check=False,
    )
    if done.returncode:
        absent("node", f"npm ci failed in tests/outside: {done.stdout.strip()[-300:]}")
