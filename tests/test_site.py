"""The check of the built site's links; CI builds the site itself by scripts/site."""

import subprocess
import sys
from pathlib import Path


def check(folder: Path, repository: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [sys.executable, repository / "scripts" / "check_site.py", folder]
    return subprocess.run(command, capture_output=True, text=True)


def test_links_that_lead_nowhere_are_told(tmp_path: Path, repository: Path) -> None:
    """A missing page, a missing place on a page that is there, a missing picture; other sites are not asked."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="sub/b.html#here">1</a> <a href="sub/b.html#there">2</a> <a href="https://example.org/">3</a>'
    )
    (tmp_path / "sub" / "b.html").write_text(
        '<p id="here"><a href="../gone.html">4</a> <img src="a.png"> <a href="#here">5</a> <a href="../">6</a>'
    )
    process = check(tmp_path, repository)
    lines = process.stdout.splitlines()
    assert process.returncode == 1
    assert lines[0] == "2 pages, 6 links, 4 broken"
    assert lines[1:] == ["index.html: sub/b.html#there", "sub/b.html: ../gone.html", "sub/b.html: a.png", "sub/b.html: ../"]


def test_a_site_without_pages_is_no_site(tmp_path: Path, repository: Path) -> None:
    assert check(tmp_path, repository).returncode == 1


def test_every_page_is_in_the_contents(repository: Path) -> None:
    """Also those that were added since; Sphinx would complain, but only in CI."""
    docs = repository / "docs"
    contents = (docs / "index.md").read_text(encoding="utf-8")
    pages = {path.relative_to(docs).with_suffix("").as_posix() for path in [*docs.rglob("*.md"), *docs.rglob("*.ipynb")]} - {"index"}
    assert {page for page in pages if page not in contents.split() and not page.startswith("lab/")} == set()


def test_no_page_is_long_without_headings(repository: Path) -> None:
    """A section takes two screens at most, where a screen is 60 lines of 100 characters; diagrams and lists of changes aside."""
    long = []
    for page in (repository / "docs").rglob("*.md"):
        length, inside_diagram = 0, False
        for line in page.read_text(encoding="utf-8").splitlines():
            inside_diagram = line == "```mermaid" or (inside_diagram and line != "```")
            length = 0 if line.startswith("#") else length + (not inside_diagram) * max(1, -(-len(line) // 100))
            if length == 120:
                long.append(f"{page.name}: {line[:60]}")
    assert long == []
