"""docs/figures/measure_ranks.py, tell_apart.py and rank_plot.py: games between ranks, whose games they look like, and a picture."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures"
sys.path.append(str(FIGURES))

import measure_ranks  # noqa: E402
import rank_games  # noqa: E402
import rank_plot  # noqa: E402
import tell_apart  # noqa: E402

from gtp_engine.base.wilson import wilson_interval  # noqa: E402
from gtp_engine.engine.network.loading import NetworkLoader  # noqa: E402
from gtp_engine.engine.player.evaluators import Evaluators  # noqa: E402
from gtp_engine.engine.player.ranks.table import strength_of  # noqa: E402
from gtp_engine.engine.search.params import SearchParams  # noqa: E402
from gtp_engine.go.game import Game  # noqa: E402
from gtp_engine.go.points import BLACK, PASS, WHITE  # noqa: E402
from gtp_engine.go.rank_names import rank_text, read_rank  # noqa: E402

pytestmark = pytest.mark.usefixtures("jobs_here")


def measured(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, games: int) -> str:
    """What the command prints."""
    monkeypatch.setattr(sys, "argv", ["measure_ranks.py", "--output", str(folder), "--games", str(games), "18k:20k"])
    measure_ranks.main()
    return capsys.readouterr().out


@pytest.mark.slow
def test_games_stay_and_more_are_added(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """And the games can be read by tell_apart.py."""
    assert measured(tmp_path, capsys, monkeypatch, 1).startswith("18k - 20k: ")
    log = tmp_path / "games.log"
    first = log.read_text().splitlines()
    assert " of 2, " in measured(tmp_path, capsys, monkeypatch, 2)
    assert log.read_text().splitlines()[: len(first)] == first
    games = tell_apart.our_games(log)
    assert [each.ranks for each in games] == [(12, 10), (10, 12)]
    ends = tell_apart.ends_of(games)
    assert ends.startswith("2 games, ") and ends.endswith(f"{np.mean([len(each.game.moves) for each in games]):.1f} moves in the mean")
    rows = tell_apart.features_of(games[0], NetworkLoader().ranks_network(SearchParams()))
    assert len(rows) == 2 and all(len(row) == len(tell_apart.FEATURES) for row in rows)
    share = tell_apart.FEATURES.index("share of the likeliest moves")
    assert all(0.0 <= row[share] <= 1.0 and row[0] < 0.0 for row in rows)
    assert games[0].game.moves[0][0] == BLACK and games[0].game.moves[0][1] != PASS


def test_what_a_rank_is_made_of_names_its_games() -> None:
    players = [rank_games.RankedPlayer(rank, strength_of(read_rank(rank))) for rank in ("1d", "3d")]
    pair = measure_ranks.Pair(players[0], players[1])
    assert pair.key(0) != pair.key(1) and pair.names == ("1d", "3d")
    other = measure_ranks.Pair(rank_games.RankedPlayer("1d", strength_of(read_rank("2d"))), players[1])
    assert other.key(0) != pair.key(0)


@pytest.mark.slow
def test_with_handicap_stones_the_first_player_has_black_and_white_begins() -> None:
    setting = rank_games.Setting(9, 4)
    player = rank_games.RankedPlayer("20k", strength_of(read_rank("20k")))
    ours, theirs = (rank_games.Ranked(player, seed, Evaluators(print), setting) for seed in (1, 2))
    rank_games.is_won(ours, theirs, BLACK)
    for each in (ours, theirs):
        assert (each.engine.game.handicap, each.engine.state.komi, each.engine.game.moves[0][0]) == (4, 0.5, WHITE)
    assert measure_ranks.Pair(player, player, setting).key(0) != measure_ranks.Pair(player, player).key(0)


def test_the_slope_is_that_of_the_shares() -> None:
    """56.2 % for one rank and 73.1 % for four are 0.25 a rank."""
    games = 100_000
    distances = {apart: measure_ranks.Found(round(games / (1 + np.exp(-0.25 * apart))), games) for apart in (1, 4, 8)}
    value, error = measure_ranks.slope(distances)
    assert value == pytest.approx(0.25, abs=0.001) and 0.0 < error < 0.01
    assert np.allclose(wilson_interval(42 / 60, 60), (0.575, 0.801), atol=0.001)  # by hand
    assert f"{wilson_interval(0.0, 20)[0]:.0%}" == "0%"


def test_the_classifier_tells_what_differs_and_guesses_where_nothing_does() -> None:
    random, games = np.random.default_rng(1), np.repeat(np.arange(100), 4)
    is_ours = np.tile([1.0, 1.0, 0.0, 0.0], 100)
    noise = random.normal(size=(400, 3))
    assert tell_apart.area_under_curve(tell_apart.opinions(noise, is_ours, games), is_ours) == pytest.approx(0.5, abs=0.1)
    shifted = noise + np.outer(is_ours, [1.0, 0.0, 0.0])
    assert tell_apart.area_under_curve(tell_apart.opinions(shifted, is_ours, games), is_ours) == pytest.approx(0.76, abs=0.05)
    assert tell_apart.area_under_curve(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])) == 0.75


def test_each_game_of_people_is_laid_beside_the_nearest_of_ours_and_none_twice() -> None:
    ours = [tell_apart.Played(Game(9), 5.5, ranks, was_counted=True) for ranks in ((10, 10), (20, 22), (30, 31))]
    people = [tell_apart.Played(Game(9), 5.5, ranks, was_counted=True) for ranks in ((21, 21), (22, 22), (12, 9), (30, 30))]
    pairs = list(tell_apart.pairs_of(ours, people))
    assert [(mine.ranks, other.ranks) for mine, other in pairs] == [((20, 22), (21, 21)), ((30, 31), (22, 22)), ((10, 10), (12, 9))]


def test_the_tables_of_the_ranks_can_be_read() -> None:
    """After a change of them: `.venv/bin/python docs/figures/rank_plot.py docs/ranks.md docs/ranks.svg`."""
    text = (ROOT / "docs" / "ranks.md").read_text(encoding="utf-8")
    ours, theirs = rank_plot.read_ours(text), rank_plot.read_theirs(text)
    assert [rank_text(each.place) for each in ours] == ["15k", "8k", "3k", "1d", "3d"] and len(theirs) == 8
    assert all(each.low < each.won < each.high for each in ours)
    apart, people = rank_plot.read_apart(text)
    assert [each.place for each in apart] == [distance for distance, _ in people] == [1, 2, 4, 8]
    assert all(each.low < each.won < each.high for each in apart)
    assert theirs == sorted(theirs) and [share for _, share in theirs] == sorted(share for _, share in theirs)


def test_a_page_without_the_tables_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("| 8k |\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["rank_plot.py", str(tmp_path / "page.md"), str(tmp_path / "page.svg")])
    with pytest.raises(SystemExit, match="tables of games between ranks"):
        rank_plot.main()
    assert not (tmp_path / "page.svg").exists()


def test_the_same_tables_give_the_same_picture(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "ranks.md").read_text(encoding="utf-8")
    for name in ("a.svg", "b.svg"):
        rank_plot.draw(rank_plot.read_apart(text), (rank_plot.read_ours(text), rank_plot.read_theirs(text)), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
