"""`gtp-engine tune`: what it plays, what it prints, what it refuses."""

import sys
from pathlib import Path

import pytest

from gtp_engine.cli.main import main
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tournament import Tournament, TournamentError
from gtp_engine.tools.tuning.values import result_table, tuning_tournament

NETWORK_PLAYS = "the evaluator is network: name another one with --set evaluator"
pytestmark = pytest.mark.usefixtures("no_settings_of_this_machine")
ENGINE = (sys.executable, "-P", "-m", "gtp_engine", "gtp", "--set", "threads=1")


def tuned(*values: str, parameter: str = "nakade", **limit: float) -> Tournament:
    """A tournament over values of a parameter, with 10 playouts a move when nothing else is said."""
    return tuning_tournament(parameter, values, limit or {"playouts": 10}, {}, {})


def test_a_player_for_each_value() -> None:
    tournament = tuned("0", "0.6", "1")
    assert [player.name for player in tournament.players] == ["nakade 0", "nakade 0.6", "nakade 1"]
    assert tournament.players[0].command == (*ENGINE, "--set", "playouts=10", "--set", "nakade=0")
    assert [player.anchor for player in tournament.players] == [None, 0.0, None]


@pytest.mark.parametrize(
    ("parameter", "values", "limit", "last"),
    [
        ("ladders", ("yes", "off"), {"seconds": 0.5}, ["seconds=0.5", "ladders=true"]),
        ("policy", ("light", "heavy"), {"playouts": 10}, ["playouts=10", "policy=light"]),
        ("seconds", ("0.1", "0.2"), {}, ["threads=1", "seconds=0.1"]),
        ("threads", ("2", "1"), {"playouts": 10}, ["playouts=10", "threads=2"]),
    ],
)
def test_every_kind_of_parameter(parameter: str, values: tuple[str, ...], limit: dict[str, float], last: list[str]) -> None:
    tournament = tuning_tournament(parameter, values, limit, {}, {})
    assert [word for word in tournament.players[0].command if "=" in word][-2:] == last


@pytest.mark.parametrize(
    ("parameter", "values", "common", "size"),
    [
        ("rave_visits", ("0", "1"), {"evaluator": "playouts"}, 9),
        ("rave_visits", ("0", "1"), {}, 5),  # where playouts play
        ("pass_prior", ("0.1", "1"), {}, 9),
        ("playout_share", ("0", "1"), {"evaluator": "mixed"}, 19),
        ("score_weight", ("0", "0.5"), {"evaluator": "playouts"}, 9),
        ("lead_weight", ("0", "0.5"), {}, 9),
        ("prior_capture", ("0", "24"), {}, 9),  # with a network 0 has a meaning of its own
        ("evaluator", ("playouts", "mixed"), {}, 9),
    ],
)
def test_what_has_an_effect_is_tuned(parameter: str, values: tuple[str, ...], common: dict[str, str], size: int) -> None:
    assert len(tuning_tournament(parameter, values, {"playouts": 10}, common, {"size": size}).players) == 2


def test_the_users_own_evaluator_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players read the same settings; what is set for all of them comes first."""
    monkeypatch.setenv("GTP_ENGINE_EVALUATOR", "playouts")
    assert len(tuning_tournament("rave_visits", ("0", "1"), {"playouts": 10}, {}, {"size": 9}).players) == 2
    with pytest.raises(TournamentError, match="on 9x9 the evaluator is mixed"):
        tuning_tournament("rave_visits", ("0", "1"), {"playouts": 10}, {"evaluator": "mixed"}, {"size": 9})


def test_what_all_players_share() -> None:
    tournament = tuning_tournament("nakade", ("0", "1"), {"playouts": 10}, {"ladders": "no", "threads": "2"}, {"size": 13, "games": 8})
    words = tournament.players[1].command
    assert [word for word in words if "=" in word] == ["threads=2", "ladders=false", "playouts=10", "nakade=1"]
    assert (tournament.size, tournament.games) == (13, 8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nakad", "0", "1", "--playouts", "5"], "unknown parameter 'nakad'; did you mean nakade?"),
        (["nakade", "0", "7", "--playouts", "5"], "nakade must be between 0 and 1, not 7; the nearest is 1"),
        (["nakade", "0", "x", "--playouts", "5"], "'x' is not a number"),
        (["ladders", "true", "perhaps", "--playouts", "5"], "ladders must be true or false, not 'perhaps'"),
        (["nakade", "0", "--playouts", "5"], "give two or more values of nakade to compare"),
        (["nakade", "1", "1.0", "--playouts", "5"], "a value of nakade is there twice"),
        (["nakade", "0", "1"], "say how long to think of a move: --playouts N or --seconds T, one of the two"),
        (["nakade", "0", "1", "--playouts", "0"], "say how long to think of a move: --playouts N or --seconds T, one of the two"),
        (["nakade", "0", "1", "--playouts", "5", "--seconds", "1"], "say how long to think of a move"),
        (["nakade", "0", "1", "--playouts", "-5"], "playouts must be between 0"),
        (["playouts", "10", "20", "--playouts", "5"], "playouts is what is tuned: leave out --playouts"),
        (["nakade", "0", "1", "--playouts", "5", "--set", "nakade=1"], "nakade is what is tuned: leave out --set nakade=1"),
        (["nakade", "0", "1", "--playouts", "5", "--set", "x"], "--set takes KEY=VALUE, not 'x'"),
        (["seed", "1", "2", "--playouts", "5"], "seed cannot be tuned: it changes luck, not strength"),
        (["nakade", "0", "1", "--playouts", "5", "--size", "40"], "size must be from 2 to 19, not 40"),
        (
            ["rave_visits", "0", "1", "--playouts", "5"],
            f"rave_visits has an effect without a network only, and on 9x9 {NETWORK_PLAYS}=playouts",
        ),
        (["pass_prior", "0.1", "1", "--playouts", "5", "--size", "5"], "pass_prior has an effect with a network only, and on 5x5 the"),
        (
            ["playout_share", "0", "1", "--playouts", "5", "--set", "evaluator=network"],
            "playout_share has an effect with `mixed` only, and on 9x9 the evaluator is network: name another one with --set evaluator=mix",
        ),
        (["prior_even", "0", "1", "--playouts", "5", "--set", "network=mine.bin.gz"], "prior_even has an effect without a network only"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "results"
    assert main(["tune", *options, "--output", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"gtp-engine tune: {message}") and error.count("\n") == 1
    assert not folder.exists()


def test_the_unknown_parameter_is_told_by_the_library_too() -> None:
    with pytest.raises(TournamentError, match="unknown parameter 'size'"):
        tuned("9", "13", parameter="size")


def test_a_table_before_the_first_game() -> None:
    lines = result_table(Standings(tuned("0.6", "1"), []), "nakade").splitlines()
    assert lines[0] == "| `nakade` | won, lost, drawn | Elo |"
    assert lines[2] == "| 0.6 | 0, 0, 0 | 0, the default |"
    assert lines[3].startswith("| 1 | 0, 0, 0 | +0 [")


@pytest.mark.slow
def test_a_tuning_run_and_its_resumption(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """More simulations win; the second call plays only what the first has left."""
    command = ["tune", "playouts", "1", "200", "--size", "5", "--output", str(tmp_path / "results")]
    assert main([*command, "--games", "2"]) == 0
    capsys.readouterr()
    assert main([*command, "--games", "6"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("6 of 6 games")
    assert "| 200 | " in output.out and "report: " in output.out
    assert "game 3: " in output.err and "game 2: " not in output.err
