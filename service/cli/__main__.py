"""``python -m service.cli`` is ``mnemo``."""

from service.cli.main import main

main()
