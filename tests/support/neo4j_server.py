"""A real Neo4j for tests: from Maven Central's jars and a Java of this machine, else from a Docker image.

The jars are kept in ``~/.cache/mnemo-tests``; the server's home is thrown away.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import neo4j
from filelock import FileLock
from neo4j.exceptions import DriverError, Neo4jError

from cypher.engine.driver import open_driver
from cypher.keeper.home import engine_package
from tests.support.redis_server import free_port

PASSWORD = "only-for-tests"
START_S_MAX = 120.0
_POM = Path(__file__).parent / "neo4j" / "pom.xml"


@dataclass(frozen=True, slots=True)
class Release:
    """A Neo4j release that we promise to work with."""

    version: str
    main_class: str
    java_min: int
    java_max: int


RELEASES = {
    "neo4j-5": Release("5.26.0", "org.neo4j.server.CommunityEntryPoint", 17, 21),
    "neo4j-current": Release("2026.09.0", "org.neo4j.server.Neo4jCommunity", 21, 99),
}


class CannotRun(Exception):
    """This machine cannot run the release; the message says why, in a sentence."""


@contextmanager
def running_neo4j(release: Release, directory: Path) -> Generator[str]:
    """A server for as long as the context lasts; gives its ``bolt://`` address.

    Raises:
        CannotRun: neither jars and a Java nor a Docker engine are to be had.
    """
    java = find_java(release)
    if java is not None and shutil.which("mvn") is not None:
        with _running_jars(release, java, directory) as url:
            yield url
    elif _docker_answers():
        with _running_container(release) as url:
            yield url
    else:
        raise CannotRun(
            f"Neo4j {release.version} was not tested: it needs Maven and Java {release.java_min}"
            f"{f' to {release.java_max}' if release.java_max < 99 else ' or later'}, or a Docker engine"
        )


def find_java(release: Release) -> Path | None:
    """The newest Java of this machine that the release runs on, the embedded engine's own included."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if (found := shutil.which("java")) is not None:
        homes.append(Path(found).resolve().parents[1])
    homes += [*sorted(Path("/usr/lib/jvm").glob("*")), engine_package() / "jre"]
    versions = {home: version for home in homes if (version := _java_version(home)) is not None}
    fitting = [home for home, v in versions.items() if release.java_min <= v <= release.java_max]
    # 5.26 is proved on Java 17, its oldest; the current release on the newest.
    choose = min if release.java_max < 99 else max
    return choose(fitting, key=lambda home: versions[home]) / "bin" / "java" if fitting else None


def _java_version(home: Path) -> int | None:
    try:
        release = (home / "release").read_text("utf-8")
    except OSError:
        return None
    match = re.search(r'JAVA_VERSION="(\d+)', release)
    return int(match.group(1)) if match and (home / "bin" / "java").exists() else None


def _jars(release: Release) -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mnemo-tests"
    cache.mkdir(parents=True, exist_ok=True)
    jars = cache / f"neo4j-{release.version}"
    with FileLock(cache / f"neo4j-{release.version}.lock"):
        if not jars.exists():
            draft = cache / f"neo4j-{release.version}.part"
            command = ["mvn", "-B", "-q", "-f", str(_POM), "dependency:copy-dependencies"]
            command += [f"-Dneo4j.version={release.version}", f"-DoutputDirectory={draft}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise CannotRun(f"Neo4j {release.version} was not tested: Maven could not bring its jars")
            draft.rename(jars)
    return jars


@contextmanager
def _running_jars(release: Release, java: Path, directory: Path) -> Generator[str]:
    port = free_port()
    (directory / "conf").mkdir()
    (directory / "conf" / "neo4j.conf").write_text(
        f"server.bolt.listen_address=127.0.0.1:{port}\n"
        "server.default_listen_address=127.0.0.1\n"
        "server.http.enabled=false\nserver.https.enabled=false\n"
        "server.memory.pagecache.size=64m\n"
        "dbms.usage_report.enabled=false\n"
        # Tests that give a wrong password must not lock the others out.
        "dbms.security.auth_max_failed_attempts=0\n",
        "utf-8",
    )
    opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.nio", "sun.nio.ch", "java.lang")]
    command = [str(java), "-Xmx512m", "-XX:+UseSerialGC", *opened, "-cp", f"{_jars(release)}/*"]
    command += [release.main_class, f"--home-dir={directory}", f"--config-dir={directory / 'conf'}"]
    with (directory / "output.log").open("wb") as output:
        server = subprocess.Popen(command, cwd=directory, stdout=output, stderr=output)
    try:
        url = f"bolt://127.0.0.1:{port}"
        _set_password(url, server)
        yield url
    finally:
        server.kill()  # its home is thrown away, and a clean stop takes ten seconds
        server.wait()


def _set_password(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until it answers, and give the first account its password."""
    deadline = time.monotonic() + START_S_MAX
    while time.monotonic() < deadline and server.poll() is None:
        with open_driver(url, ("neo4j", "neo4j"), retry_s_max=0) as driver:
            try:
                driver.execute_query(
                    neo4j.Query("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password"),
                    password=PASSWORD,
                    database_="system",
                )
            except (DriverError, Neo4jError):
                time.sleep(0.3)
            else:
                return
    raise RuntimeError("Neo4j did not start")


def _docker_answers() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0


@contextmanager
def _running_container(release: Release) -> Generator[str]:
    from testcontainers.core.container import DockerContainer  # only where a Docker engine answers

    container = DockerContainer(f"neo4j:{release.version}").with_exposed_ports(7687)
    container.with_env("NEO4J_AUTH", f"neo4j/{PASSWORD}")
    with container:
        url = f"bolt://{container.get_container_host_ip()}:{container.get_exposed_port(7687)}"
        deadline = time.monotonic() + START_S_MAX
        while time.monotonic() < deadline:
            with open_driver(url, ("neo4j", PASSWORD), retry_s_max=0) as driver:
                try:
                    driver.verify_connectivity()  # pyright: ignore[reportUnknownMemberType]
                except (DriverError, Neo4jError):
                    time.sleep(0.5)
                else:
                    break
        yield url
