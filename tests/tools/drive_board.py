"""Everything that the board in the browser offers, done once by hand in Chromium, on a desk or on a phone.

.venv/bin/python tests/tools/drive_board.py --pictures FOLDER [--phone] [--only TEXT]

Starts `gtp-engine play --browser` with a home of its own, does one thing after the other by mouse or by touch, and prints for each what the
page showed. A thing that fails is named with the reason, and the exit status is 1. PICTURES gets the page after each. Needs chromium with
its driver, and code that is compiled; takes some minutes.
"""

import argparse
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from board_hand import Hand, started_board
from board_page import choose, is_after, keys, stones, tap_point, touch, turn_wheel, wait, wide
from chromium import PHONE, box_of, click_at, console_of, start_chromium, text_of

RECORD = "(;SZ[9]KM[6.5]RU[japanese]PB[Anna]PW[Ben];B[ee];W[ge]C[A good reply](;B[ce];W[cg];B[gc])(;B[gc];W[ed]))"
CORNER = "(;SZ[9]PL[B]AB[ac][bc][cc][dc][ec][eb][ea]AW[ab][bb][cb][db][da])"
GAME = "(;SZ[9]KM[5.5]PB[Anna]PW[Ben];B[ee];W[ge];B[ce];W[aa];B[gc];W[ai];B[fg];W[ia];B[gg];W[eg])"
PROBLEMS = (
    "(;SZ[9]PL[B]AB[ac][bc][cc][dc][ec][eb][ea]AW[ab][bb][cb][db][da]TR[ab])(;SZ[9]PL[B]AB[ba][bb][ab][ac]AW[ca][cb][bc][cc][ad][bd])"
)
OWNED = "#board .owned-black, #board .owned-white"  # marks of territory
LEFT, UP, RIGHT, DOWN, HOME, END = "\ue012", "\ue013", "\ue014", "\ue015", "\ue011", "\ue010"


def new_game(hand: Hand, **choices: str) -> None:
    """By the dialog."""
    hand.press("#new")
    for name, value in choices.items():
        choose(hand.browser, f"#{name.replace('_', '-')}", value)
    hand.press("#begin")
    hand.until(lambda: stones(hand.browser, "black") + stones(hand.browser, "white") == 0)


# ---------------------------------------------------------------- play


def first_stone(hand: Hand) -> str:
    hand.point("E5")
    hand.until(is_after(hand.browser, 2))
    return f"{hand.text('#name-black')}; {hand.text('#name-white')}; {hand.text('#facts')}"


def ranks_first(hand: Hand) -> str:
    hand.press("#new")
    ranks = hand.browser.execute_script("return [...document.querySelectorAll('#new-rank option')].map((each) => each.text)")
    hand.press("#new-dialog [value=no]")
    return f"{', '.join(ranks[:3])} ... {ranks[-1]}"


def two_people(hand: Hand) -> str:
    new_game(hand, color="both")
    for number, vertex in enumerate(("C3", "G7", "G3"), 1):
        hand.point(vertex)
        hand.until(is_after(hand.browser, number))
    assert (stones(hand.browser, "black"), stones(hand.browser, "white")) == (2, 1)
    return f"{hand.text('#name-black')} and {hand.text('#name-white')}, {hand.text('#turn')}"


def sound(hand: Hand) -> str:
    assert not hand.browser.execute_script("return document.querySelector('#sound').checked"), "it is off at first"
    hand.browser.execute_script(
        "window.knocks = 0; const Old = AudioContext; AudioContext = function () { knocks += 1; return new Old(); }"
    )
    knocks = []
    for number, vertex in enumerate(("C7", "C5", "C4"), 4):
        hand.point(vertex)
        hand.until(is_after(hand.browser, number))
        knocks.append(hand.browser.execute_script("return window.knocks"))
        if vertex in ("C7", "C5"):
            hand.press("#sound")
    assert knocks == [0, 1, 1], knocks
    return "off at first; a knock for a stone when on; none when off again"


def blunder(hand: Hand) -> str:
    new_game(hand, color="black", new_rank="none")
    hand.press("#warns")
    hand.point("A1")
    hand.until(lambda: "Take it back?" in hand.text("#note"))
    note = hand.text("#note")
    hand.press("#undo")
    hand.until(is_after(hand.browser, 0))
    hand.press("#warns")
    return note


def clock(hand: Hand) -> str:
    told = []
    for kind in ("10m", "10m+3x30", "5m+5s"):
        new_game(hand, color="black", new_rank="none", time=kind)
        whole = hand.text("#clock-black")
        hand.until(lambda whole=whole: hand.text("#clock-black") != whole)  # type: ignore[misc]
        hand.point("E5")
        hand.until(is_after(hand.browser, 2))
        told.append(f"{kind}: {whole}, after a move each {hand.text('#clock-black')} and {hand.text('#clock-white')}")
    return "; ".join(told)


def human_time(hand: Hand) -> str:
    seconds = []
    for is_paced in (False, True):
        hand.press("#new")
        for name, value in (("new-rank", "12k"), ("time", "none")):
            choose(hand.browser, f"#{name}", value)
        if hand.browser.execute_script("return document.querySelector('#pace').checked") != is_paced:
            hand.press("#pace")
        hand.press("#begin")
        hand.until(is_after(hand.browser, 0))
        began = time.monotonic()
        hand.point("E5")
        hand.until(is_after(hand.browser, 2))
        seconds.append(time.monotonic() - began)
    return f"the answer of a 12k after {seconds[0]:.1f} s, and like a person's after {seconds[1]:.1f} s"


def two_pages(hand: Hand) -> str:
    new_game(hand, color="both", time="none")
    other = start_chromium(scheme="dark")
    try:
        other.get(hand.browser.current_url)
        wait(other, lambda: "to play" in text_of(other, "#turn"))
        hand.point("C3")
        wait(other, is_after(other, 1))
        Hand(other, False).point("G7")
        hand.until(is_after(hand.browser, 2))
        color = other.execute_script("return getComputedStyle(document.body).backgroundColor")
    finally:
        other.quit()
    return f"each shows the move of the other; the other page is dark: {color}"


def territory(hand: Hand) -> str:
    hand.open(GAME, 10)
    keys(hand.browser, END)
    hand.press("#tab-play")
    hand.press("#territory")
    hand.until(lambda: "komi included" in hand.text("#note") and hand.count(OWNED) > 0)
    note, owned = hand.text("#note"), hand.count(OWNED)
    hand.press("#territory")
    hand.until(lambda: hand.count(OWNED) == 0)
    return f"{owned} points are marked, then none. {note}"


def hint(hand: Hand) -> str:
    hand.press("#hint")
    hand.until(lambda: "of the time" in hand.text("#note") and hand.count("#board .candidate") > 0)
    best = hand.text("#note").split()[0]
    column, row = "ABCDEFGHJ".index(best[0]), 9 - int(best[1])
    if hand.is_phone:
        tap_point(hand.browser, column, row)
    else:
        click_at(hand.browser, "#board", (column + 1.15) / 10.3, (row + 1.15) / 10.3, only_moves=True)
    hand.until(lambda: hand.count("#board .number") > 0)
    return f"{hand.text('#note')} Its variation on the board: {hand.count('#board .number')} moves"


# ---------------------------------------------------------------- look back, open, edit


def look_back(hand: Hand) -> str:
    hand.open(RECORD, 5)
    browser = hand.browser
    for key, moves in ((RIGHT, 1), (END, 5), (LEFT, 4), (HOME, 0), (RIGHT, 1), (RIGHT, 2), (RIGHT, 3)):
        keys(browser, key)
        hand.until(is_after(browser, moves))
    keys(browser, DOWN)
    hand.until(lambda: hand.text("#where") == "3 / 4")
    keys(browser, UP)
    hand.until(lambda: hand.text("#where") == "3 / 5")
    browser.execute_script("const slider = document.querySelector('#slider'); slider.value = 1; slider.dispatchEvent(new Event('input'))")
    hand.until(is_after(browser, 1))
    if hand.is_phone:
        box = box_of(browser, "#board")
        middle = box["top"] + box["height"] / 2
        touch(browser, (box["left"] + 200, middle), (box["left"] + 80, middle))
    else:
        turn_wheel(browser, "#board", 120)
    hand.until(is_after(browser, 2))
    dots, last = hand.count("#tree circle"), "swipe" if hand.is_phone else "wheel"
    comment = browser.execute_script("return document.querySelector('#comment').value")
    return f"arrows, Home, End, variations, slider and {last}; the tree has {dots} dots; comment {comment!r}"


def opened(hand: Hand) -> str:
    hand.drop("(;SZ[9];B[aa])")
    hand.until(lambda: hand.text("#where") == "0 / 1")
    with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
        file.write("(;SZ[13];B[aa];W[bb])")
        file.flush()
        hand.browser.find_element("css selector", "#file").send_keys(file.name)
        hand.until(lambda: hand.text("#where") == "0 / 2")
    hand.paste("no record")
    time.sleep(0.5)
    wrong = hand.text("#note")
    hand.open(RECORD, 5)
    return f"dropped, by the button, pasted; of a text that is none: {wrong!r}"


def edited(hand: Hand) -> str:
    browser = hand.browser
    for tool, vertex in (("triangle", "A1"), ("square", "B1"), ("circle", "C1"), ("cross", "D1"), ("label", "E1")):
        hand.press(f"[data-tool={tool}]")
        hand.point(vertex)
        time.sleep(0.3)
    browser.find_element("id", "comment").send_keys("A remark [with] brackets")
    browser.execute_script("document.activeElement.blur()")
    for tool, vertex in (("black-stone", "H2"), ("white-stone", "H3"), ("eraser", "E5")):
        hand.press(f"[data-tool={tool}]")
        hand.point(vertex)
        time.sleep(0.4)
    hand.press("[data-tool=move]")
    saved = urllib.request.urlopen(browser.current_url + "game.sgf").read().decode()
    for text in ("TR[ai]", "SQ[bi]", "CR[ci]", "MA[di]", "LB[ei:A]", "AB[hh]", "AW[hg]", "A remark [with\\] brackets", "C[A good reply]"):
        assert text in saved, (text, saved)
    hand.open(saved, 5)
    return f"stones, marks and a comment are in what is saved ({len(saved)} characters), and come back when that is opened"


# ---------------------------------------------------------------- analyze


def analysis(hand: Hand) -> str:
    hand.open(GAME, 10)
    keys(hand.browser, END)
    hand.press("#tab-study")
    began = time.monotonic()
    hand.press("#analyze")
    hand.until(lambda: "visits" in hand.text("#summary"))
    seconds = time.monotonic() - began
    hand.until(lambda: hand.browser.execute_script("return document.querySelectorAll('#win-graph path, #win-graph polyline').length") > 0)
    time.sleep(3)
    first = hand.text("#candidate-rows button")
    hand.press("[data-tool=avoid]")
    hand.point(first)
    hand.until(lambda: hand.text("#limits") == f"without {first}" and hand.text("#candidate-rows button") not in ("", first))
    without = hand.text("#candidate-rows button")
    hand.press("[data-tool=try]")
    hand.point("A5")
    hand.until(lambda: hand.text("#limits") == "only A5 is tried" and hand.text("#candidate-rows button") == "A5")
    hand.press("#all-moves")
    hand.until(lambda: hand.text("#limits") == "" and hand.text("#candidate-rows button") != "A5")
    summary = hand.text("#summary")
    hand.press("#analyze")
    return f"first numbers after {seconds:.2f} s; {summary}; best {first}, without it {without}; only A5; all again"


def networks(hand: Hand) -> str:
    names = hand.browser.execute_script("return [...document.querySelectorAll('#network option')].map((each) => each.value)")
    other = next(name for name in reversed(names) if name)
    choose(hand.browser, "#network", other)
    hand.press("#analyze")
    hand.until(lambda: "visits" in hand.text("#summary"))
    hand.press("#analyze")
    choose(hand.browser, "#network", "")
    return f"{len(names) - 1} to choose from; {other} analyzes"


def why_not(hand: Hand) -> str:
    hand.press("[data-tool=why]")
    hand.point("A5")
    hand.until(lambda: hand.text("#answer") not in ("", "Looking …"))
    return hand.text("#answer")


def fate(hand: Hand) -> str:
    hand.open(CORNER, 0)
    hand.press("[data-tool=fate]")
    hand.point("C8")
    hand.until(lambda: hand.text("#answer") not in ("", "Looking …"))
    answer, lines = hand.text("#answer"), hand.browser.find_elements("css selector", "#lines button")
    names = [each.text for each in lines]
    hand.press("#lines button")
    hand.until(lambda: hand.count("#board .number") > 0)
    hand.press("[data-tool=move]")
    return f"{answer} {' and '.join(names)}"


# ---------------------------------------------------------------- review, practise


def review(hand: Hand) -> str:
    began = time.monotonic()
    seen = hand.review(GAME, 10)
    verdicts = []
    keys(hand.browser, HOME)
    for _ in range(3):
        hand.press("#next-mistake")
        time.sleep(0.4)
        verdicts.append(hand.text("#verdict").replace("\n", " / "))
    hand.press("#verdict button")
    hand.until(lambda: hand.count("#board .number") > 0)
    seconds = time.monotonic() - began
    return f"{seconds:.0f} s, {len(seen)} steps of its progress; {' | '.join(verdicts)} | {hand.text('#players-summary')}"


def own_mistakes(hand: Hand) -> str:
    hand.press("#tab-practice")
    choose(hand.browser, "#source", "mistakes")
    hand.until(lambda: hand.text("#exercise-title") != "")
    return f"{hand.text('#exercise-title')} {hand.text('#practice-due')}"


def problem(hand: Hand) -> str:
    choose(hand.browser, "#source", "problems")
    hand.until(lambda: "stones" in hand.text("#exercise-title") and hand.text("#exercise-grade") != "")
    title = f"{hand.text('#exercise-title')} {hand.text('#exercise-grade')}"
    hand.press("#exercise-hint")
    hand.until(lambda: hand.text("#exercise-text") != "")
    told = [hand.text("#exercise-text")]
    hand.press("#exercise-solution")
    hand.until(lambda: hand.count("#board .number") > 0)
    told += [hand.text("#exercise-text"), f"moves on the board: {hand.count('#board .number')}", hand.text("#practice-rating")]
    began, before = time.monotonic(), hand.browser.execute_script("return document.querySelector('#board').innerHTML")
    hand.press("#exercise-next")
    hand.until(lambda: hand.browser.execute_script("return document.querySelector('#board').innerHTML") != before)
    return f"{title}: {'; '.join(told)}; the next after {time.monotonic() - began:.2f} s"


def collection(hand: Hand) -> str:
    choose(hand.browser, "#source", "collection")
    with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
        file.write(PROBLEMS)
        file.flush()
        hand.browser.find_element("css selector", "#problems-file").send_keys(file.name)
        hand.until(lambda: hand.text("#exercise-grade") == "1 of 2")
    title = hand.text("#exercise-title")
    hand.point("A9")
    hand.until(lambda: hand.count("#board .number") > 0 or hand.text("#exercise-text") == "Solved.")
    wrong = f"{hand.text('#exercise-text')} ({hand.count('#board .number')} moves of the refutation on the board)"
    hand.point("B9")
    hand.until(lambda: hand.text("#exercise-text").startswith("Solved"))
    solved = hand.text("#exercise-text")
    hand.press("#exercise-next")
    hand.until(lambda: hand.text("#exercise-grade") == "2 of 2" and hand.text("#exercise-text") not in ("", "Looking for a proof …"))
    return f"{title} A9: {wrong} B9: {solved} Of a group that is dead either way: {hand.text('#exercise-text')}"


def progress(hand: Hand) -> str:
    for column in "abcdef":  # six games, so that intervals are shown
        hand.review(GAME.replace("W[ai]", f"W[{column}i]"), 10)
    hand.press("#tab-practice")
    hand.until(lambda: hand.text("#exercise-title") != "" or hand.text("#exercise-grade") != "")  # what moves the box down
    hand.press("#progress-box summary")
    hand.until(lambda: hand.text("#progress-text").startswith("6 games reviewed"))
    rows = [row.text.replace("\n", " ") for row in hand.browser.find_elements("css selector", "#progress-table tr")]
    assert len(rows) > 2, rows
    return f"{hand.text('#progress-text')}: {' / '.join(rows)}"


THINGS: tuple[Callable[[Hand], str], ...] = (
    *(first_stone, ranks_first, two_people, sound, blunder, clock, human_time, two_pages),
    *(territory, hint, look_back, opened, edited, analysis, networks, why_not, fate),
    *(review, own_mistakes, problem, collection, progress),
)


def main() -> None:
    """Do everything, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this in its name")
    args = parser.parse_args()
    args.pictures.mkdir(parents=True, exist_ok=True)
    failed = 0
    with started_board() as board:
        browser = start_chromium(PHONE, touch=True, scheme="dark") if args.phone else start_chromium()
        browser.get(board.url)
        hand = Hand(browser, args.phone)
        hand.until(lambda: "to play" in hand.text("#turn") and "getting ready" not in hand.text("#note"))
        for number, thing in enumerate(THINGS, 1):
            if args.only not in thing.__name__:
                continue
            try:
                print(f"{thing.__name__}: {thing(hand)}", flush=True)
            except Exception as error:  # whatever went wrong, the other things are tried
                failed += 1
                print(f"{thing.__name__}: FAILED: {type(error).__name__} {error}"[:600], flush=True)
            browser.save_screenshot(str(args.pictures / f"{number:02}-{thing.__name__}.png"))
            if wide(browser):
                failed += 1
                print(f"  the page is {wide(browser)} pixels too wide")
        print(f"console: {console_of(browser)}")
        browser.quit()
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
