"""Where ``mnemo`` starts: until there are words to say it in, Ctrl-C ends it without any."""

from __future__ import annotations

import signal


def start() -> None:
    """Load the command, for which half a second may go by, and run it."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # else whoever started us wants it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from service.cli.main import main

    signal.signal(signal.SIGINT, usual)
    main()
