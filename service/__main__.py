"""The web process of ``mnemo serve``: ``python -m service --home H --store S --host A --port P``.

Ends when its standard input closes: the supervisor is gone then, however it went.
"""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
import threading
from pathlib import Path

import uvicorn

from cypher.cli import EXIT_OF, ExitCode
from cypher.console_urls import note_port
from cypher.runtime import RandomIds, SystemClock, configure_logging
from cypher.settings import load_settings
from policies.errors import MnemoError
from service.app import create_app
from service.connections import HEAD_BYTES, PlainHttp
from service.supervisor import STOP_GRACE_S, check_bind

log = logging.getLogger("mnemo.web")

GRACE_S = 5
LEAVE_S = STOP_GRACE_S - 2.0
"""How long an end may take before it is forced: the supervisor would kill us a little later."""
BACKLOG = 128


class Server(uvicorn.Server):
    """Ends within the supervisor's time, whatever still waits for a graph that does not answer.

    A call in flight is tried again for minutes, in a thread that nothing can stop. It was not answered: nothing of it
    is lost.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down, and end the process if that takes too long."""
        bound = threading.Timer(LEAVE_S, _leave)
        bound.daemon = True
        bound.start()
        await super().shutdown(sockets)


def main() -> None:
    """Serve until asked to stop; what cannot be served at all is logged, and told by the exit code."""
    arguments = _parser().parse_args()
    configure_logging()
    try:
        _serve(arguments)
    except MnemoError as error:
        log.error("%s %s", error.code, error.details)  # noqa: TRY400  (an error of ours says it all)
        sys.exit(EXIT_OF[error.category])


def _serve(arguments: argparse.Namespace) -> None:
    settings = load_settings(arguments.home, arguments.store, host=arguments.host, port=arguments.port)
    check_bind(settings)
    listener = _listener(settings.host, settings.port)
    note_port(settings)
    server = Server(
        uvicorn.Config(
            create_app(settings, clock=SystemClock(), ids=RandomIds()),
            http=PlainHttp,
            h11_max_incomplete_event_size=HEAD_BYTES,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_S,
        )
    )
    threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
    server.run(sockets=[listener])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="service")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--store")
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    return parser


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        # The supervisor tells the owner, who asked for this address.
        sys.exit(ExitCode.UNAVAILABLE)
    return listener


def _leave() -> None:
    log.warning("ending, although calls still wait for the graph")
    os._exit(ExitCode.DONE)


def _end_with_input(server: uvicorn.Server) -> None:
    sys.stdin.buffer.read()
    server.should_exit = True


if __name__ == "__main__":
    main()
