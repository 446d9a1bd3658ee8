"""The board of `gtp-engine play --browser` in a real Chromium: a game by mouse, touch and keyboard, looking back, records."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from board_page import begin, choose, click_point, game_on_9x9, is_after, page_of, press, stones, touch, turn_wheel, wait, warm_engine, wide
from chromium import PHONE, box_of, console_of, start_chromium, text_of

from gtp_engine.cli.show_page import show_page
from gtp_engine.engine.player.blunders import Blunder
from gtp_engine.engine.player.engine import Engine
from gtp_engine.go.points import BLACK
from gtp_engine.interfaces.browser.server import BoardServer
from gtp_engine.tools.review.settings import ReviewSettings

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.client


@pytest.fixture(scope="module")
def engine() -> Engine:
    return warm_engine()


@pytest.fixture
def server(engine: Engine, tmp_path: Path) -> Iterator[BoardServer]:
    with game_on_9x9(engine, tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def browsers() -> Iterator[dict[str, "Chrome"]]:
    """Those that were started: "desk" and "phone"."""
    started: dict[str, Chrome] = {}
    yield started
    for browser in started.values():
        browser.quit()


@pytest.fixture
def browser(server: BoardServer, browsers: dict[str, "Chrome"], request: pytest.FixtureRequest) -> Iterator["Chrome"]:
    """The page; a phone where the test asks for one."""
    with page_of(server, browsers, getattr(request, "param", "desk")) as browser:
        yield browser


def test_the_file_that_a_browser_is_given_leads_to_the_board(
    browser: "Chrome", server: BoardServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "true %s")
    page = show_page(server.url, tmp_path)
    assert page is not None
    browser.get(page.as_uri())
    wait(browser, lambda: browser.current_url == server.url and "to play" in text_of(browser, "#turn"))


@pytest.mark.parametrize("browser", ["desk", "phone"], indirect=True)
def test_a_click_plays_and_the_engine_answers(browser: "Chrome", server: BoardServer) -> None:
    click_point(browser, 2, 6)
    wait(browser, is_after(browser, 2))
    assert (stones(browser, "black"), stones(browser, "white")) == (1, 1)
    assert server.board.play.tip.colors[6 * 9 + 2] == BLACK
    press(browser, "#undo")
    wait(browser, lambda: text_of(browser, "#note") == "Taken back.")
    assert stones(browser, "black") == 0
    assert wide(browser) == 0 and box_of(browser, "#board")["width"] > 300


def test_a_move_by_its_name_and_what_is_wrong_with_another(browser: "Chrome") -> None:
    vertex = browser.find_element("css selector", "#vertex")
    vertex.send_keys("j10\n")
    wait(browser, lambda: text_of(browser, "#note") == "j10 is no point of this board.")
    vertex.send_keys("d4\n")
    wait(browser, is_after(browser, 2))


def test_keys_alone_play_and_look_back(browser: "Chrome") -> None:
    """The board takes the focus, its cursor is announced, Enter plays; away from it the arrows step."""
    from selenium.webdriver.common.keys import Keys

    frame = browser.find_element("css selector", "#board-frame")
    browser.execute_script("arguments[0].focus()", frame)
    assert text_of(browser, "#announcer") == "E5, empty"
    frame.send_keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN)
    assert text_of(browser, "#announcer") == "D4, empty"
    frame.send_keys(Keys.ENTER)
    wait(browser, is_after(browser, 2))
    wait(browser, lambda: text_of(browser, "#announcer").startswith("Move 2, White "))
    browser.execute_script("document.activeElement.blur()")
    body = browser.find_element("css selector", "body")
    for key, moves in ((Keys.ARROW_LEFT, 1), (Keys.HOME, 0), (Keys.ARROW_RIGHT, 1), (Keys.END, 2)):
        body.send_keys(key)
        wait(browser, is_after(browser, moves))
    body.send_keys("n")
    assert browser.find_element("css selector", "#new-dialog").is_displayed()
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not browser.find_element("css selector", "#new-dialog").is_displayed()


@pytest.mark.parametrize("browser", ["phone"], indirect=True)
def test_a_finger_looks_back(browser: "Chrome") -> None:
    click_point(browser, 2, 6)
    wait(browser, is_after(browser, 2))
    board = box_of(browser, "#board")
    middle = board["top"] + board["height"] / 2
    touch(browser, (board["left"] + 60, middle), (board["left"] + 180, middle))
    wait(browser, is_after(browser, 1))
    touch(browser, (board["left"] + 180, middle), (board["left"] + 60, middle))
    wait(browser, is_after(browser, 2))


def test_hint_and_territory_are_on_the_board(browser: "Chrome") -> None:
    press(browser, "#hint")
    wait(browser, lambda: "% of the time" in text_of(browser, "#note"))
    assert browser.find_elements("css selector", "#board .candidate.best")
    press(browser, "#territory")
    click_point(browser, 4, 4)
    wait(browser, is_after(browser, 2))
    wait(browser, lambda: "komi included" in text_of(browser, "#note"))


def test_another_game_against_a_rank_to_its_end(browser: "Chrome", server: BoardServer) -> None:
    choose(browser, "#rank", "12k")
    wait(browser, lambda: text_of(browser, "#note") == "The engine plays at rank 12k.")
    begin(browser, size="13", color="both", handicap="4")
    wait(browser, lambda: stones(browser, "black") == 4)
    assert text_of(browser, "#about") == "13\N{MULTIPLICATION SIGN}13, Chinese rules, komi 0.5, 4 handicap stones"
    assert text_of(browser, "#turn") == "White to play"
    for moves in (1, 2):
        press(browser, "#pass")
        wait(browser, is_after(browser, moves))
    wait(browser, lambda: text_of(browser, "#turn") == "The game is over: Black wins by 164.5 points")  # 169, less komi and the stones
    assert len(browser.find_elements("css selector", "#board .owned-black")) == 165
    assert not browser.find_element("css selector", "#pass").is_enabled()


def test_whoever_watches_the_engine_can_stop_it_and_go_on(browser: "Chrome", server: BoardServer) -> None:
    begin(browser, color="none")
    wait(browser, lambda: stones(browser, "black") + stones(browser, "white") >= 2)
    press(browser, "#pause")
    wait(browser, lambda: text_of(browser, "#pause") == "Go on" and not browser.find_element("css selector", "#interrupt").is_displayed())
    moves = stones(browser, "black") + stones(browser, "white")
    press(browser, "#pause")
    wait(browser, lambda: stones(browser, "black") + stones(browser, "white") > moves)


def test_a_rank_that_is_refused_does_not_stay_chosen(browser: "Chrome", server: BoardServer) -> None:
    server.board.play.opponent.level = None  # as a player of the textbook has
    choose(browser, "#rank", "12k")
    wait(browser, lambda: text_of(browser, "#note") == "This player has no ranks.")
    assert browser.find_element("css selector", "#rank").get_attribute("value") == "none"
    assert ["400 (Bad Request)" in line["message"] for line in console_of(browser)] == [True]


def test_the_last_byo_yomi_period_ends_the_game(browser: "Chrome", server: BoardServer) -> None:
    clock = {"kind": "byoyomi", "main": 0.2, "period": 0.3, "periods": 3}
    new = {"do": "new", "size": 9, "komi": 7.5, "rules": "chinese", "color": "black", "handicap": 0, "rank": "none", "clock": clock}
    server.board.answer(new)
    wait(browser, lambda: text_of(browser, "#turn") == "The game is over: White wins on time")
    assert text_of(browser, "#clock-black") == "0.0"


def test_resigning_and_leaving_a_game_are_asked_twice(browser: "Chrome") -> None:
    press(browser, "#resign")
    press(browser, "#confirm [value=no]")
    assert text_of(browser, "#turn") == "Black to play"
    press(browser, "#resign")
    press(browser, "#confirm-yes")
    wait(browser, lambda: text_of(browser, "#turn") == "The game is over: White wins by resignation")


def test_a_blunder_is_taken_back_by_one_click(browser: "Chrome", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.interfaces.browser.play.find_blunder", lambda engine, point, cancelled: Blunder(12.0, point + 1))
    press(browser, "#warns")
    click_point(browser, 2, 6)
    wait(browser, lambda: text_of(browser, "#note") == "C3 loses about 12 points; D3 is better. Take it back?")
    press(browser, "#undo")
    wait(browser, is_after(browser, 0))


RECORD = "(;SZ[9]KM[6.5]PB[Anna]PW[<img src=x onerror=alert(1)>];B[ee];W[ge](;B[cc]C[Good.])(;B[gc]TR[gc];W[cg]))"


def drop(browser: "Chrome", text: str) -> None:
    """Drop a record on the page."""
    browser.execute_script(
        """const data = new DataTransfer();
        data.items.add(new File([arguments[0]], "game.sgf"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));""",
        text,
    )


def test_a_record_is_opened_looked_at_and_played_on(browser: "Chrome", server: BoardServer) -> None:
    drop(browser, RECORD)
    wait(browser, lambda: text_of(browser, "#name-black") == "Anna")
    assert text_of(browser, "#name-white") == "<img src=x onerror=alert(1)>"  # a stranger's text stays a text
    press(browser, "#last")
    wait(browser, is_after(browser, 3))
    wait(browser, lambda: browser.find_element("css selector", "#comment").get_attribute("value") == "Good.")
    browser.find_element("css selector", "body").send_keys("\ue015")  # arrow down: the other variation
    wait(browser, lambda: bool(browser.find_elements("css selector", "#board .mark")))
    press(browser, "#tools [data-tool=square]")
    click_point(browser, 0, 0)
    wait(browser, lambda: len(browser.find_elements("css selector", "#board .mark")) == 2)
    browser.find_element("css selector", "#comment").send_keys("Mine]\\.")
    press(browser, "#tab-play")
    wait(browser, lambda: "C[Mine\\]\\\\.]" in server.board.record())
    press(browser, "#back")
    press(browser, "#continue")
    wait(browser, is_after(browser, 2))
    click_point(browser, 2, 2)
    wait(browser, is_after(browser, 4))


def test_two_pages_show_the_same_game(browser: "Chrome", server: BoardServer) -> None:
    other = start_chromium(PHONE, touch=True)
    try:
        other.get(server.url)
        wait(other, lambda: "to play" in text_of(other, "#turn"))
        click_point(browser, 4, 4)
        wait(other, is_after(other, 2))
        assert stones(other, "black") == 1
    finally:
        other.quit()


def test_a_long_game_is_stepped_through(browser: "Chrome") -> None:
    from selenium.webdriver.common.keys import Keys

    moves = [f"{chr(97 + i % 19)}{chr(97 + i // 19 * 2 % 19)}" for i in range(190)]
    drop(browser, "(;SZ[19]" + "".join(f";{'BW'[i % 2]}[{move}]" for i, move in enumerate(moves)) + ")")
    wait(browser, lambda: text_of(browser, "#where") == "0 / 190")
    body = browser.find_element("css selector", "body")
    for key, count in ((Keys.END, 190), (Keys.PAGE_UP, 180), (Keys.ARROW_LEFT, 179), (Keys.HOME, 0), (Keys.PAGE_DOWN, 10)):
        body.send_keys(key)
        wait(browser, lambda count=count: stones(browser, "black") + stones(browser, "white") == count)  # type: ignore[misc]
    for pixels, count in (
        (120, 11),
        (100, 12),
        (-120, 11),
        (15, 11),
        (15, 11),
        (15, 12),
    ):  # a notch is a move, and so is a touchpad's bit by bit
        turn_wheel(browser, "#board", pixels)
        wait(browser, is_after(browser, count))


def test_a_program_that_has_ended_is_told(browser: "Chrome", server: BoardServer) -> None:
    server.shutdown()
    server.server_close()
    browser.execute_script("window.fetch = () => Promise.reject(new TypeError('gone'))")  # its connection may be alive still
    press(browser, "#hint")
    wait(browser, lambda: "start gtp-engine play --browser again" in text_of(browser, "#note"))


def test_the_engine_shows_what_it_finds_as_it_finds_it(browser: "Chrome", server: BoardServer) -> None:
    drop(browser, "(;SZ[9];B[ee];W[ge];B[cc])")
    wait(browser, lambda: text_of(browser, "#where") == "0 / 3")
    press(browser, "#analyze")
    wait(browser, lambda: text_of(browser, "#summary").endswith("visits"))
    assert browser.find_elements("css selector", "#board .candidate.best .lead")
    wait(browser, lambda: len(browser.find_elements("css selector", "#lead-graph .curve")) == 1)
    wait(
        browser, lambda: all(node.findings for node in server.board.desk.tree.nodes.values())
    )  # the rest of the game, too: the graph fills in
    best = text_of(browser, "#candidate-rows button")
    press(browser, "[data-tool=avoid]")
    column, row = "ABCDEFGHJ".index(best[0]), 9 - int(best[1])
    click_point(browser, column, row)
    wait(browser, lambda: text_of(browser, "#limits") == f"without {best}")
    wait(browser, lambda: text_of(browser, "#candidate-rows button") not in ("", best))
    press(browser, "#all-moves")
    wait(browser, lambda: text_of(browser, "#limits") == "")
    press(browser, "#analyze")
    wait(browser, lambda: server.board.analysis.wish is None)


def test_a_point_is_asked_about(browser: "Chrome") -> None:
    drop(browser, "(;SZ[9]AB[ab][bb][cb][db][da]AW[ac][bc][cc][dc][ec][eb][ea])")
    wait(browser, lambda: stones(browser, "black") == 5)
    press(browser, "[data-tool=fate]")
    click_point(browser, 1, 1)
    wait(browser, lambda: text_of(browser, "#answer").startswith("Black's chain at B8 is unsettled. If Black plays first at B9, it lives."))
    press(browser, "#lines button")
    wait(browser, lambda: bool(browser.find_elements("css selector", "#board .number")))
    press(browser, "[data-tool=why]")
    click_point(browser, 8, 8)
    wait(browser, lambda: text_of(browser, "#answer").startswith("J1 is about "))


def test_a_game_is_reviewed_on_the_board(browser: "Chrome", server: BoardServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.interfaces.browser.reviewing.usual_settings", lambda params: ReviewSettings(playouts=40, first=8))
    drop(browser, "(;SZ[9];B[ee];W[aa];B[ge];W[ai];B[ce];W[];B[])")
    wait(browser, lambda: text_of(browser, "#where") == "0 / 7")
    press(browser, "#tab-review")
    press(browser, "#begin-review")
    wait(browser, lambda: text_of(browser, "#begin-review") == "Review again")
    assert "points lost per move" in text_of(browser, "#players-summary")
    press(browser, "#next-mistake")
    wait(browser, lambda: text_of(browser, "#verdict").startswith("Move 2: White A9"))
    assert " cost about " in text_of(browser, "#verdict") or "was better by about" in text_of(browser, "#verdict")
    assert browser.find_elements("css selector", "#tree .node.blunder, #tree .node.mistake, #tree .node.inaccuracy")
    press(browser, "#verdict button")
    wait(browser, is_after(browser, 1))
    wait(browser, lambda: bool(browser.find_elements("css selector", "#board .number")))
    better = text_of(browser, "#verdict button").removeprefix("Show ")
    press(browser, "#forward")  # plays the better move on the board, beside the game
    wait(browser, lambda: text_of(browser, "#announcer").startswith(f"Move 2, White {better}"))
    assert text_of(browser, "#verdict").startswith("Move 2: White A9")
    press(browser, "#to-review")
    wait(browser, lambda: not browser.find_element("css selector", "#to-review").is_displayed())
    press(browser, "#verdict button:last-child")
    wait(browser, lambda: bool(browser.find_elements("css selector", "#board .number")))
    press(browser, "#forward")
    wait(browser, is_after(browser, 3))
    press(browser, "#to-review")
    wait(browser, is_after(browser, 2))
    press(browser, "#last")
    wait(browser, lambda: text_of(browser, "#verdict").startswith("Move 7: Black pass"))
    assert "blunder" not in text_of(browser, "#verdict")  # a last pass is none
    assert server.board.desk.tree.line(server.board.desk.tree.root)[-1].judgement["loss"] == 0.0  # type: ignore[index]


PROBLEM = "(;SZ[9]PL[B]AB[ac][bc][cc][dc][ec][eb][ea]AW[ab][bb][cb][db][da]TR[ab])"


@pytest.mark.parametrize("browser", ["desk", "phone"], indirect=True)
def test_problems_are_practised_by_mouse_finger_and_keys(browser: "Chrome", tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    (tmp_path / "mine.sgf").write_text(PROBLEM)
    press(browser, "#tab-practice")
    wait(browser, lambda: text_of(browser, "#exercise-title").endswith("stones.") or text_of(browser, "#exercise-title").endswith("seki."))
    assert "Your rating: 1000" in text_of(browser, "#practice-rating") and text_of(browser, "#exercise-grade")
    choose(browser, "#source", "collection")
    browser.find_element("css selector", "#problems-file").send_keys(str(tmp_path / "mine.sgf"))
    wait(browser, lambda: text_of(browser, "#exercise-title") == "Black to play: kill the marked stones.")
    assert stones(browser, "white") == 5 and text_of(browser, "#exercise-grade") == "1 of 1"
    click_point(browser, 0, 0)
    wait(browser, lambda: text_of(browser, "#exercise-text") == "The marked stones live.")
    wait(browser, lambda: len(browser.find_elements("css selector", "#board .number")) >= 2)  # the refutation
    press(browser, "#exercise-hint")
    wait(browser, lambda: text_of(browser, "#exercise-text") == "One of the marked points is right.")
    frame = browser.find_element("css selector", "#board-frame")
    browser.execute_script("arguments[0].focus()", frame)
    frame.send_keys(*[Keys.ARROW_UP] * 8, *[Keys.ARROW_LEFT] * 8, Keys.ARROW_RIGHT, Keys.ENTER)
    wait(browser, lambda: text_of(browser, "#exercise-text") == "Solved. It will come back later.")
    assert wide(browser) == 0
    press(browser, "#tab-play")
    wait(browser, is_after(browser, 0))  # the game is where it was
    assert stones(browser, "white") == 0


AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
FIND = """const done = arguments[arguments.length - 1];
const line = ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html)}`;
axe.run().then(({ violations }) => done(violations.map(line)));"""


@pytest.mark.parametrize("kind", ["desk", "phone"])
def test_nothing_on_the_page_keeps_people_out(kind: str, server: BoardServer) -> None:
    """As far as axe-core sees it, in the light on a desk, and in the dark on a phone."""
    server.board.open(RECORD.encode())
    judgement = {
        "mistake": "mistake",
        "text": "F5 was better.",
        "loss": 7.0,
        "better": ["F5"],
        "answer": ["C3"],
        "before": 0.6,
        "after": 0.3,
    }
    server.board.desk.tree.nodes[1].judgement = judgement
    server.board.open_problems(PROBLEM.encode())
    browser = start_chromium(PHONE, touch=True, scheme="dark") if kind == "phone" else start_chromium()
    try:
        browser.get(server.url)
        wait(browser, lambda: "to play" in text_of(browser, "#turn"))
        browser.execute_script(AXE.read_text(encoding="utf-8"))
        press(browser, "#forward")
        for tab in ("#tab-play", "#tab-study", "#tab-review", "#tab-practice"):
            press(browser, tab)
            assert browser.execute_async_script(FIND) == []
        for button, dialog in (("#new", "#new-dialog"), ("#help", "#help-dialog")):
            press(browser, button)
            assert browser.execute_async_script(FIND) == []
            press(browser, f"{dialog} [value=no]")
        assert console_of(browser) == []
    finally:
        browser.quit()
