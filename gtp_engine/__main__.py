"""`python -m gtp_engine`: the same as the command `gtp-engine`."""

import sys

from gtp_engine.cli.main import main

sys.exit(main())
