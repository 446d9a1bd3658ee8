"""Attacks on the board in the browser: what a stranger, another user of this machine and a page from elsewhere reach.

.venv/bin/python tests/tools/hostile_board.py [--connections 300]

Starts `gtp-engine play --browser --share` with a home of its own. It is attacked by sockets, by a page of another origin in Chromium
(foreign_page.html), and by the user `nobody` (setpriv), where this is root. Printed are how many attacks of each kind were tried and how
many were let in, and how long the page's own request took afterwards. Exits with 1 if one was let in, or if the game has changed or is no
longer answered. Needs chromium with its driver; takes two minutes.
"""

import argparse
import http.client
import http.server
import json
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from board_hand import started_board
from chromium import start_chromium

LOCAL = "127.0.0.1"
PAGE = Path(__file__).with_name("foreign_page.html")
PATIENCE = 40.0  # seconds until a silent connection must be closed
QUICK = 2.0  # seconds that the page's own request may take beside an attack
CODES = 40


@dataclass(frozen=True)
class Board:
    """A board that is attacked."""

    process: "subprocess.Popen[str]"
    home: Path
    port: int
    secret: str
    shared: str  # the address on the network
    code: str

    @property
    def host(self) -> str:
        """As the page names it."""
        return f"{LOCAL}:{self.port}"


@contextmanager
def attacked() -> Iterator[Board]:
    """A shared board."""
    with started_board("--share", lines=4) as board:
        host, secret = board.url.split("http://")[1].split("/")[:2]
        shared = board.lines[2]
        place = shared.split("http://")[1].split(":")[0]
        yield Board(board.process, board.home, int(host.split(":")[1]), secret, place, shared.rstrip(".\n").split()[-1])


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=300, help="how many at once (default: %(default)s)")
    connections = parser.parse_args().connections
    failures = 0
    with attacked() as board:
        attacks: list[tuple[str, Callable[[Board], tuple[int, int]]]] = [
            ("without the secret, or with another Host", strangers),
            ("broken requests", broken),
            ("paths out of the page", traversals),
            ("hostile bodies with the secret", bodies),
            ("a page of another origin", foreign_page),
            ("another user of this machine", other_user),
            ("many silent connections", lambda board: silent(board, connections)),
            ("more pages than may look", too_many_pages),
            ("wrong codes", wrong_codes),
        ]
        before = record_of(board)
        for name, attack in attacks:
            tried, let_in = attack(board)
            began = time.monotonic()
            is_unchanged = record_of(board) == before
            seconds = time.monotonic() - began
            failures += let_in + (not is_unchanged) + (seconds > QUICK)
            print(
                f"{name}: {tried} tried, {let_in} let in; the game is {'as it was' if is_unchanged else 'CHANGED'}; {seconds:.2f} s",
                flush=True,
            )
    raise SystemExit(failures > 0)


# ---------------------------------------------------------------- by sockets


def raw(board: Board, request: bytes, address: str = LOCAL, patience: float = 10.0) -> bytes:
    """All that is answered to these bytes; empty where the connection is closed without an answer."""
    try:
        with socket.create_connection((address, board.port), patience) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65_536), b""))
    except OSError:
        return b""


def record_of(board: Board) -> str:
    """The game, as the page gets it."""
    connection = http.client.HTTPConnection(board.host, timeout=60)
    connection.request("GET", f"/{board.secret}/game.sgf")
    return connection.getresponse().read().decode()


def counted(answers: list[bytes]) -> tuple[int, int]:
    """(tried, let in): a success is a status of 2xx, and whatever holds nothing of a game or a page is none."""
    return len(answers), sum(answer.startswith((b"HTTP/1.1 2", b"HTTP/1.0 2")) for answer in answers)


def head(board: Board, line: str, *headers: str) -> bytes:
    """A request without a body."""
    return "\r\n".join([line.replace("SECRET", board.secret), *(each.replace("HOST", board.host) for each in headers), "", ""]).encode()


def strangers(board: Board) -> tuple[int, int]:
    """Wrong secrets, wrong hosts, on both addresses."""
    secret, own = board.secret, "Host: HOST"
    wrong = [
        "",
        "x",
        secret[:-1],
        secret + "x",
        secret.swapcase(),
        secret[::-1],
        f"%{ord(secret[0]):02x}{secret[1:]}",
        f"./{secret}",
    ]
    wrong += [secrets.token_urlsafe(12) for _ in range(200)]
    names = ("", "do", "open", "problems", "events", "game.sgf", "main.js")
    requests = [head(board, f"GET /{each}/{name} HTTP/1.1", own) for each in wrong for name in names if (each, name) != ("", "")]
    hosts = (
        "",
        "Host: evil.example",
        f"Host: {LOCAL}",
        f"Host: localhost:{board.port}",
        "Host: HOST.evil.example",
        f"Host: [::1]:{board.port}",
    )
    requests += [head(board, f"GET /SECRET/{name} HTTP/1.1", *filter(None, [host])) for host in hosts for name in names]
    requests += [head(board, f"GET http://evil.example/SECRET/{name} HTTP/1.1", own) for name in names]
    requests += [head(board, f"GET /SECRET/{name} HTTP/1.0") for name in names]
    requests += [
        head(board, f"{method} /SECRET/ HTTP/1.1", own, "Origin: http://evil.example") for method in ("OPTIONS", "TRACE", "PUT", "DELETE")
    ]
    body = b'{"do": "resign"}'
    for each in wrong[:9]:
        requests.append(
            head(board, f"POST /{each}/do HTTP/1.1", own, "Content-Type: application/json", f"Content-Length: {len(body)}") + body
        )
    on_network = [
        head(board, f"GET /{each}/{name} HTTP/1.1", f"Host: {board.shared}:{board.port}") for each in wrong[1:20] for name in names
    ]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda each: raw(board, each), requests))
        answers += pool.map(lambda each: raw(board, each, board.shared), on_network)
    return counted(answers)


def broken(board: Board) -> tuple[int, int]:
    """What is no HTTP, or too much of it, from somebody without the secret."""
    own = f"Host: {board.host}\r\n".encode()
    requests = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500),  # TLS
        b"\x00" * 10_000,
        os.urandom(10_000),
        b"GET /\r\n\r\n",
        b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\n" + own + b"\r\n",
        b"GET / HTTP/9.9\r\n" + own + b"\r\n",
        b"GET /x HTTP/1.1\r\n" + own + b"A: b\r\n" * 5_000 + b"\r\n",
        b"GET /x HTTP/1.1\r\n" + own + b"A: " + b"b" * 1_000_000 + b"\r\n\r\n",
        b"GET /x HTTP/1.1\r\n" + own + b" folded\r\n\r\n",
        b"POST /do HTTP/1.1\r\n" + own + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    ]
    for length in ("-1", "+5", "0x10", "1e9", "9" * 5_000, "99999999999", "\u00b3", "5, 5", " ", "nan"):
        requests.append(b"POST /do HTTP/1.1\r\n" + own + f"Content-Length: {length}\r\n\r\n".encode("latin-1") + b"{}")
    return counted([raw(board, each) for each in requests])


def traversals(board: Board) -> tuple[int, int]:
    """Files that are none of the page's, asked for with the secret."""
    names = [
        "../etc/passwd",
        "../../../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "..\\..\\etc\\passwd",
        "//etc/passwd",
    ]
    names += [
        "/etc/passwd",
        "main.js/../server.py",
        "./main.js",
        "main.js%00.py",
        "main.js?x",
        "MAIN.JS",
        "__init__.py",
        "server.py",
        "static/main.js",
    ]
    names += [
        "file:///etc/passwd",
        ".",
        "..",
        "static",
        "unfinished.sgf",
        "board.html",
        "practice.json",
        "game.sgf/",
        "events/",
        "do",
        "open",
        "%",
    ]
    return counted([raw(board, head(board, f"GET /SECRET/{name} HTTP/1.1", "Host: HOST")) for name in names])


def bodies(board: Board) -> tuple[int, int]:
    """Bodies that a page from elsewhere might send, or that are made to break something: none may be taken."""
    kinds = ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json")
    requests = [(kind, b'{"do": "resign"}', "do") for kind in kinds] + [(kind, b"(;SZ[9];B[aa])", "open") for kind in kinds]
    deep = b'{"do":' + b"[" * 40_000 + b"]" * 40_000 + b"}"
    texts = [
        b"[" * 99_000,
        b'{"a":' * 15_000,
        deep,
        b"[1]",
        b"null",
        b"1e999",
        b"\xff\xfe",
        b'{"do": "__init__"}',
        b'{"do": "do_play"}',
        b'{"do": ["play"]}',
        b"{}",
    ]
    texts += [
        b'{"do": "play", "node": %s, "vertex": "C3"}' % node
        for node in (b"-1", b"1e400", b"NaN", b"9" * 4_000, b'"0"', b"[]", b"{}", b"0.0", b"999")
    ]
    texts += [
        b'{"do": "play", "node": 0, "vertex": %s}' % each
        for each in (b"1", b'"Z99"', b'"A0"', b'"' + b"A" * 50_000 + b'"', b"null", b'"\\u0000"')
    ]
    texts += [b'{"do": "new", "size": %s}' % size for size in (b"0", b"-9", b"1000000", b'"9"', b"NaN", b"true")]
    requests += [("application/json", text, "do") for text in texts]
    requests += [
        ("application/x-go-sgf", text, "open") for text in (b"(;SZ[1000])", b"(" * 100_000, b"(;" * 50_000, b"\x00", b"(;SZ[9]AB[aa:zz])")
    ]
    answers = []
    for kind, text, name in requests:
        headers = [f"Content-Type: {kind}"] if kind else []
        answers.append(
            raw(
                board,
                head(board, f"POST /SECRET/{name} HTTP/1.1", "Host: HOST", *headers, f"Content-Length: {len(text)}", "Connection: close")
                + text,
            )
        )
    refused = [answer if b'"error"' not in answer and b'"note"' not in answer else b"" for answer in answers]
    return counted(refused)


def silent(board: Board, count: int) -> tuple[int, int]:
    """Connections that begin a request and never end it, while the page goes on; all must be closed in the end."""
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection((LOCAL, board.port), 10)) for _ in range(count)]
        for number, connection in enumerate(opened):
            connection.sendall(
                (b"GET /", b"", b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Le", f"POST /x HTTP/1.1\r\nHost: {board.host}\r\n".encode())[
                    number % 4
                ]
            )
        began = time.monotonic()
        record_of(board)
        print(f"  beside {count} silent connections the page's request took {time.monotonic() - began:.2f} s", flush=True)
        answers = []
        for connection in opened:
            connection.settimeout(max(began + PATIENCE - time.monotonic(), 0.1))
            try:
                answers.append(connection.recv(10))
            except ConnectionError:
                answers.append(b"")
            except TimeoutError:
                answers.append(b"HTTP/1.1 2")  # still open: that counts as let in
        return counted(answers)


def too_many_pages(board: Board) -> tuple[int, int]:
    """Streams of events by somebody with the secret: the 25th is refused, and the page's requests go on."""
    with ExitStack() as stack:
        answers = []
        for _ in range(40):
            connection = stack.enter_context(socket.create_connection((LOCAL, board.port), 10))
            connection.sendall(head(board, "GET /SECRET/events HTTP/1.1", "Host: HOST"))
            answers.append(connection.recv(20))
        record_of(board)
    return len(answers), max(sum(b" 200" in answer for answer in answers) - 24, 0)


def wrong_codes(board: Board) -> tuple[int, int]:
    """Codes at the door, eight at a time, and the right one after too many wrong ones. Until then nothing but the form is shown."""

    def knock(code: str) -> bytes:
        body = f"code={code}"
        lines = [f"Host: {board.shared}:{board.port}", "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return raw(board, head(board, "POST / HTTP/1.1", *lines, "Connection: close") + body.encode(), board.shared, 120.0)

    tried = [secrets.token_hex(4).upper() for _ in range(CODES - 4)] + ["", board.secret, board.code[:-1], "%00" * 40]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(knock, tried))
    answers.append(knock(board.code))
    form = raw(board, head(board, "GET / HTTP/1.1", f"Host: {board.shared}:{board.port}", "Connection: close"), board.shared)
    is_told = board.secret.encode() in form or board.code.encode() in form
    return len(answers) + 1, sum(b"Location:" in answer or b" 403 " not in answer[:20] for answer in answers) + is_told


# ---------------------------------------------------------------- by a page of another origin


def foreign_page(board: Board) -> tuple[int, int]:
    """A page that even knows the secret address can neither read the board nor play; by a name that leads here neither."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = PAGE.read_text().replace("AT", json.dumps(f"http://{board.host}/{board.secret}/"), 1).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = http.server.ThreadingHTTPServer((LOCAL, 0), Page)
    Thread(target=server.serve_forever, daemon=True).start()
    browser = start_chromium()
    try:
        browser.get(f"http://{LOCAL}:{server.server_address[1]}/")
        browser.set_script_timeout(120)
        told = browser.execute_async_script(
            "const done = arguments[0]; all().then(done, (error) => done({ tried: [], reached: [String(error)] }));"
        )
        if told["reached"]:
            print(f"  reached: {told['reached']}")
        return len(told["tried"]), len(told["reached"])
    finally:
        browser.quit()
        server.shutdown()


# ---------------------------------------------------------------- by another user


def other_user(board: Board) -> tuple[int, int]:
    """What `nobody` may read of the board's files and process, and whether the secret stands there. Only root can try."""
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        print("  not tried: this needs root and setpriv")
        return 0, 0
    pid, home = board.process.pid, board.home
    wanted = [
        f"cat /proc/{pid}/{name}" for name in ("cmdline", "environ", "maps", "mem", "stack", "syscall", "auxv", "fd/*", "task/*/comm")
    ]
    wanted += [f"ls -l /proc/{pid}/fd", "ps axeww", "cat /proc/net/tcp", "cat /proc/net/unix"]
    wanted += [f"grep -r . {home}", f"find {home} -type f -exec cat {{}} +", f"grep -rs {board.secret} /tmp /var/tmp /dev/shm /run"]
    wanted += [f"touch {home}/written", f"find {home} -type d -exec touch {{}}/written ';'", f"kill -9 {pid}"]
    wanted += [f'/usr/bin/python3 -c "import ctypes; print(ctypes.CDLL(None).ptrace(16, {pid}, 0, 0))"']
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c"]
    let_in = 0
    for command in wanted:
        done = subprocess.run([*as_nobody, command], capture_output=True, text=True, errors="replace")
        is_in = board.secret in done.stdout or board.code in done.stdout or any(home.rglob("written")) or board.process.poll() is not None
        if is_in or ("ptrace" in command and done.stdout.strip() != "-1"):
            print(f"  let in: {command}")
            let_in += 1
    return len(wanted), let_in


if __name__ == "__main__":
    main()
