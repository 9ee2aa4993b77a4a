"""`python -m spectastic`."""

from __future__ import annotations

import sys

from spectastic.cli import main

if __name__ == "__main__":  # a worker process imports this module under another name
    sys.exit(main())
