"""Access to a board that is shared on the local network: the right code redirects to the secret address.

A code has 40 bits. Wrong ones are answered one after the other, each after a second, and after MOST_WRONG of them no code is accepted.
"""

import hmac
import secrets
import socket
import time
from threading import Lock
from urllib.parse import parse_qs

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 characters, none of which looks like another
LENGTH = 8
MOST_WRONG = 30
PAUSE = 1.0  # seconds
LONGEST = 200  # bytes of a form
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Go with gtp_engine</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Go with gtp_engine</h1><p role="status">{text}</p>
<form method="post" action="/"><label>The code that <code>gtp-engine play --browser --share</code> has printed<br>
<input name="code" autocomplete="off" autocapitalize="characters" autofocus></label> <button>Enter</button></form></main></body></html>
"""


class Door:
    """Checks the code of one start. For any thread."""

    def __init__(self) -> None:
        self._code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        self._lock = Lock()
        self._wrong = 0

    @property
    def code(self) -> str:
        """The code as displayed, in two halves."""
        return f"{self._code[: LENGTH // 2]}-{self._code[LENGTH // 2 :]}"

    def opens(self, form: bytes) -> bool:
        """True if the code in this form is right."""
        typed = parse_qs(form.decode("ascii", "replace")).get("code", [""])[0]
        plain = "".join(character for character in typed.upper() if character in ALPHABET)
        with self._lock:
            if self._wrong >= MOST_WRONG:
                return False
            if hmac.compare_digest(plain, self._code):
                return True
            self._wrong += 1
            time.sleep(PAUSE)
            return False

    def page(self, text: str = "") -> bytes:
        """The page with the form for the code."""
        shut = "Too many wrong codes: start gtp-engine play again." if self._wrong >= MOST_WRONG else text
        return PAGE.format(text=shut).encode()


def local_address() -> str:
    """The address of this machine on its network, "" without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples: the system only looks up the sending address
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
        return address
