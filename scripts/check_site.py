"""Checks a built site: `python check_site.py FOLDER`. Every link and picture must lead to a file of the site, and to a place that it has.

Prints how many pages and links there are. Exit status: 0 all is well, 1 a link leads nowhere, or there is no page.
Standard library only; addresses of other sites are not asked for.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page leads to, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """See HTMLParser."""
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value or "")
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken_links(folder: Path) -> tuple[int, int, list[str]]:
    """The number of pages and of links, and a line for each link that leads nowhere."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    count, broken = 0, []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.is_file() or (place and target in pages and place not in pages[target].places):
                broken.append(f"{path.relative_to(folder)}: {link}")
    return len(pages), count, broken


def main() -> int:
    """Check the folder of the command line."""
    pages, links, broken = broken_links(Path(sys.argv[1]).resolve())
    print(f"{pages} pages, {links} links, {len(broken)} broken")
    for line in broken:
        print(line)
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
