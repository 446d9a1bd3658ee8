"""Names of files that hold escape sequences: none of them reaches the terminal."""

import contextlib
from pathlib import Path

import pytest
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.base.files import visible
from gtp_engine.cli.main import main

EVIL = "a\x1b]0;title\x07\x1b[2J\udcff"  # sets the title, clears the screen; and a byte that is no text


def test_what_cannot_be_printed_is_shown_as_an_escape() -> None:
    assert visible(EVIL) == r"a\x1b]0;title\x07\x1b[2J\udcff"
    assert visible(Path("dir/九路 é\n")) == "dir/九路 é\n"


@pytest.mark.parametrize(
    ("words", "name", "content"),
    [
        (["networks"], f"{EVIL}.bin.gz", "a network"),
        (["networks"], f"{EVIL}.bin.gz", "nonsense"),
        (["networks"], f"{EVIL}.onnx", "nonsense"),
        (["review", "--output", "out"], f"{EVIL}.sgf", "nonsense"),
        (["solve"], f"{EVIL}.sgf", "nonsense"),
        (["frame", "--output", "out"], f"{EVIL}.sgf", "nonsense"),
        (["rank"], f"{EVIL}.sgf", "nonsense"),
        (["regress"], f"{EVIL}.tst", "1 nonsense"),
        (["match"], f"{EVIL}.toml", "nonsense"),
        (["train", "evaluate"], f"{EVIL}.npz", "nonsense"),
        (["config", "show", "--config"], f"{EVIL}.toml", "nonsense"),
    ],
)
def test_no_escape_sequence_in_a_name_reaches_the_terminal(
    words: list[str], name: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if content == "a network":
        Twin(11, (Residual,)).save(tmp_path / "net").rename(tmp_path / name)
    else:
        (tmp_path / name).write_text(content)
    with contextlib.suppress(SystemExit):
        main([*words, name])
    told = "".join(capsys.readouterr())
    assert r"a\x1b]0;title\x07\x1b[2J" in told
    assert "\x1b" not in told and "\x07" not in told
