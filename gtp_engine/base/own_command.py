"""The command that starts this program in another process."""

import sys

# -P: otherwise Python would run a gtp_engine.py or numpy.py in the current folder, which may be anybody's
OWN_COMMAND = (sys.executable, "-P", "-m", "gtp_engine")
