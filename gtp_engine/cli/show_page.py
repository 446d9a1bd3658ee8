"""Opens one of our pages in the user's browser without revealing its address to other users of the machine.

Everybody on the machine can read a browser's command line. So the browser gets a file that only the user can read, which redirects to the
page.
"""

import html
import os
import sys
import webbrowser
from pathlib import Path

from gtp_engine.base.files import PRIVATE_FILE, private_folder, write_file

FILE_NAME = "board.html"
PAGE = """<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>gtp_engine</title>
<a href="{address}">The board</a>
"""


def show_page(address: str, folder: Path) -> Path | None:
    """Open a graphical browser, if there is one; a text browser would use the terminal.

    Returns the file in `folder` that redirects to the page, which the caller must delete; None if no browser was opened.
    """
    if not (sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return None
    page = folder / FILE_NAME
    try:
        private_folder(folder)
        write_file(page, PAGE.format(address=html.escape(address)).encode(), PRIVATE_FILE)
    except OSError:
        return None  # the address is printed, too
    webbrowser.open(page.as_uri())
    return page
