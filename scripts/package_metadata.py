"""What hatchling asks for when it builds the package: its addresses, and README.md as the package index shows it.

The address of the repository is in the environment variable GTP_ENGINE_REPOSITORY; the workflow that releases sets it. README's links lead
to files of the repository: with an address they become links to these, without one their texts alone are left, and no pictures.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "GTP_ENGINE_REPOSITORY"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)]+)\)")  # of Markdown, to a file of ours
PICTURE = re.compile(r'<img src="(?!https?://)([^"]+)"')


class PackageMetadata(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """See hatchling."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        address = os.environ.get(REPOSITORY, "").rstrip("/")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, address)}
        metadata["urls"] = urls(address)


def urls(address: str) -> dict[str, str]:
    """The project's addresses; none while nobody has said where the repository is."""
    if not address:
        return {}
    pages = {"Documentation": "/tree/main/docs", "Changelog": "/blob/main/CHANGELOG.md", "Issues": "/issues"}
    return {"Homepage": address, **{name: address + path for name, path in pages.items()}}


def readme(text: str, address: str) -> str:
    """README.md with links that work on another site."""
    if not address:
        return LINK.sub(lambda link: "" if link[1] else link[2], re.sub(r"<img [^>]*>\n*", "", text))
    text = PICTURE.sub(rf'<img src="{address}/raw/main/\1"', text)
    return LINK.sub(lambda link: f"{link[1]}[{link[2]}]({address}/{'raw' if link[1] else 'blob'}/main/{link[3]})", text)
