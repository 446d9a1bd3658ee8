"""How we start ourselves in a process of our own."""

import sys

# -P: without it Python runs a gtp_engine.py or numpy.py that lies in the current folder, which may be anybody's
OWN_COMMAND = (sys.executable, "-P", "-m", "gtp_engine")
