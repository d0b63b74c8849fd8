"""``python -m service.cli`` is ``mnemo``."""

from service.cli.start import start

start()
