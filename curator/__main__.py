"""``python -m curator``: see ``curator.worker``."""

import sys

from curator.worker import main

if __name__ == "__main__":
    sys.exit(main())
