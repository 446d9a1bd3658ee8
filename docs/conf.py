"""The site: `scripts/site` builds it from these documents with Sphinx, MyST-NB and furo.

README.md, CONTRIBUTING.md and CHANGELOG.md become pages of it. Links to files that are no pages, such as `../sgf/README.md`, lead to the
repository, where GTP_ENGINE_REPOSITORY says its address; without it their words alone are left.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

os.environ["COURSE"] = str(ROOT / "tests" / "course_solutions")  # the notebooks of the course are shown with their tasks solved

from gtp_engine import __version__  # noqa: E402  # found by the path above

REPOSITORY = os.environ.get("GTP_ENGINE_REPOSITORY", "").rstrip("/")
OUTSIDE = {"start": "README.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}  # pages whose text lies outside of docs/
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?://|#)([^)#\s]+)(#[^)]*)?\)")

project = "gtp_engine"
author = "gtp_engine contributors"
release = version = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinxcontrib.mermaid"]
exclude_patterns = ["figures", "course/tasks", "course/players"]
html_theme = "furo"
html_title = f"gtp_engine {__version__}"
html_show_sphinx = html_show_copyright = False
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
myst_fence_as_directive = ["mermaid"]
nb_execution_mode = "force"
nb_execution_timeout = 300  # seconds for a cell; the first one may compile
nb_execution_raise_on_error = True
suppress_warnings = ["misc.highlighting_failure"]  # a transcript is in no language


def read_page(_app: Any, name: str, source: list[str]) -> None:
    """Sphinx has read the page `name`: replace its text by that of a file outside of docs/, and its links by those of the site."""
    file = ROOT / OUTSIDE[name] if name in OUTSIDE else DOCS / f"{name}.md"
    if not file.exists():
        return  # a notebook
    text = file.read_text(encoding="utf-8")
    place = DOCS if name in OUTSIDE else file.parent
    if name in OUTSIDE:
        text = re.sub(r'(src="|!\[[^\]]*\]\()docs/', r"\1", text)
    source[0] = LINK.sub(lambda link: link_on_site(link, file.parent, place), text)


def link_on_site(link: re.Match[str], folder: Path, place: Path) -> str:
    """A link of a text that was written for `folder`, for a page in `place`. One that leads nowhere is left for Sphinx to complain of."""
    words, target, anchor = link[1], (folder / link[2]).resolve(), link[3] or ""
    if not target.exists():
        return link[0]
    path = target.relative_to(ROOT).as_posix()
    page = next((name for name, file in OUTSIDE.items() if file == path), None)
    if page is not None:
        target = DOCS / f"{page}.md"
    if target.is_dir() or (target.suffix == ".md" and not target.is_relative_to(DOCS)):
        return f"[{words}]({REPOSITORY}/tree/main/{path})" if REPOSITORY else words
    return f"[{words}]({os.path.relpath(target, place)}{anchor})"


def setup(app: Any) -> None:
    """See Sphinx."""
    app.connect("source-read", read_page)
