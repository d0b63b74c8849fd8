"""A relay between the driver and an engine that cuts the connection when the client says a Bolt message."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""A whole Bolt message: a chunk of two bytes, a structure without fields tagged 0x12, the end of the message."""
ENDED_S_MAX = 5.0
"""How long what a client that has gone said last may take to be delivered."""


@contextmanager
def relay(port: int, *, cut_at: bytes, times: int, deliver: bool) -> Generator[int]:
    """Relay a port of its own to ``port``, and cut the connection at the first ``times`` messages ``cut_at``.

    Args:
        port: where the engine listens.
        cut_at: bytes of the client's that cut.
        times: how often.
        deliver: whether the engine still receives them, before the client has its answer.

    Yields:
        The port to connect to.
    """
    left = threading.Semaphore(times)
    ends: list[socket.socket] = []
    from_client: list[threading.Thread] = []
    to_client: list[threading.Thread] = []

    def forward(source: socket.socket, target: socket.socket, *, watch: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if watch and cut_at in data and left.acquire(blocking=False):
                    source.shutdown(socket.SHUT_RDWR)
                    if deliver:
                        target.sendall(data)  # and it stays open: a reset could overtake the message
                        return
                    break
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                engine = socket.create_connection(("127.0.0.1", port))
                ends.extend((client, engine))
                for threads, source, target in ((from_client, client, engine), (to_client, engine, client)):
                    watch = {"watch": source is client}
                    thread = threading.Thread(
                        target=forward, args=(source, target), kwargs=watch, daemon=True
                    )
                    threads.append(thread)
                    thread.start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)
        accepting.join()
    # The client has gone: what it said last is delivered before anything is closed.
    for thread in from_client:
        thread.join(ENDED_S_MAX)
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)  # closing alone leaves it open while a thread reads from it
    for thread in to_client:
        thread.join(ENDED_S_MAX)
    for end in ends:
        end.close()
