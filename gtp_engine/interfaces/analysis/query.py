"""Parses a query: the fields of its JSON object -> a Query. Checks everything except the legality of moves, which needs a board."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gtp_engine.engine.config.katago_names import LONGEST, MOST_VISITS, visits_to_ours
from gtp_engine.engine.network.human_profile import HumanProfile
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE, PASS, board_points, from_color_name, from_vertex, is_on_board, point_at, to_vertex
from gtp_engine.go.rule_names import rules_from_json, rules_named
from gtp_engine.go.rules import HandicapBonus, Rules, Scoring
from gtp_engine.interfaces.analysis.overrides import LONGEST_VARIATION, SIDE_TO_MOVE, Overrides, read_overrides
from gtp_engine.interfaces.analysis.protocol import LARGEST, Fields, Refusal, id_of, is_integer

Move = tuple[int, int]  # color, and point or PASS
Avoid = dict[Move, int]  # -> depth up to which the move is avoided

FLAGS = (
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
)
FIELDS = (
    *("id", "moves", "initialStones", "initialPlayer", "rules", "komi", "whiteHandicapBonus", "boardXSize", "boardYSize", "analyzeTurns"),
    *("maxVisits", "rootPolicyTemperature", "rootFpuReductionMax", "analysisPVLen", *FLAGS, "avoidMoves", "allowMoves"),
    *("overrideSettings", "reportDuringSearchEvery", "firstReportDuringSearchAfter", "priority", "priorities"),
)
AREA_KOMI, TERRITORY_KOMI = 7.5, 6.5  # points, if a query has no komi
MOST_KOMI = 400.0
SHORTEST = 0.001  # seconds between reports
DEEPEST = 1_000  # moves: avoiding a move for longer is avoiding it always
COORDINATES = re.compile(r"\(([0-9]{1,2}),([0-9]{1,2})\)")  # column and row, from 0 at the top left


@dataclass(frozen=True)
class ReportOptions:
    """The contents of results, and when to report."""

    perspective: int = SIDE_TO_MOVE  # the side of the numbers: BLACK, WHITE or SIDE_TO_MOVE
    variation_length: int = 15  # moves after the first
    symmetries: int = 1  # the number of symmetries for the network's policy
    flags: frozenset[str] = frozenset()  # of FLAGS
    every: float | None = None  # seconds between reports during the search; None: none
    first: float | None = None  # seconds until the first one, if different
    players: HumanProfile | None = None  # whose moves are reported, too; None: nobody's


@dataclass(frozen=True)
class Query:
    """One query: a game, its turns to analyze, and the settings."""

    id: str
    size: int
    stones: dict[int, int]  # point -> color
    moves: list[Move]
    first_player: int | None  # None: not given
    rules: Rules
    komi: float
    turns: dict[int, int]  # turn (moves made before it) -> priority
    avoid: Avoid
    settings: dict[str, Any]  # those of SearchParams by name, if not the defaults; `playouts` and `seconds` are the limits
    report: ReportOptions
    warnings: list[tuple[str, str]]  # text, field


def read_query(message: Mapping[str, Any], defaults: ReportOptions) -> Query:
    """The query in a message. Raises Refusal for the first invalid field."""
    fields = Fields(message)
    size = read_size(fields)
    moves = read_moves(fields, "moves", size)
    turns = read_turns(fields, len(moves))
    rules, warnings = read_rules(fields)
    overrides = read_overrides(fields.mapping("overrideSettings"))
    warnings += [(text, "overrideSettings") for text in override_warnings(overrides)]
    settings = overrides.settings | read_search_fields(fields)
    report = read_report(fields, defaults, overrides)
    warnings += [("no such field; is it misspelled?", name) for name in message if name not in FIELDS]
    return Query(
        id=id_of(message),
        size=size,
        stones=read_stones(fields, size),
        moves=moves,
        first_player=read_player(message["initialPlayer"], "initialPlayer") if fields.has("initialPlayer") else None,
        rules=rules,
        komi=read_komi(fields, rules),
        turns=turns,
        avoid=read_avoided(fields, size),
        settings=settings,
        report=report,
        warnings=warnings,
    )


def override_warnings(overrides: Overrides) -> list[str]:
    """Warnings about parameters without effect."""
    texts = [f"not supported and ignored: {', '.join(overrides.unsupported)}"] if overrides.unsupported else []
    return [*texts, *([f"unknown parameters: {', '.join(overrides.unknown)}"] if overrides.unknown else [])]


# ---------------------------------------------------------------- the game


def read_size(fields: Fields) -> int:
    """The lines of the board."""
    width, height = (fields.integer(name, MIN_SIZE, MAX_SIZE) for name in ("boardXSize", "boardYSize"))
    if width != height:
        raise Refusal(f"only square boards can be played on, not {width}x{height}", "boardYSize")
    return width


def read_moves(fields: Fields, name: str, size: int, is_required: bool = True) -> list[Move]:
    """A list of [player, vertex] pairs; only `moves` may have passes."""
    if not is_required and not fields.has(name):
        return []
    moves = []
    for pair in fields.items(name):
        if not (isinstance(pair, list) and len(pair) == 2):
            raise Refusal("must be a list of pairs: a player, B or W, and a vertex", name)
        moves.append((read_player(pair[0], name), read_point(pair[1], size, name)))
    if name != "moves" and any(point == PASS for _, point in moves):
        raise Refusal("a pass is no stone", name)
    return moves


def read_stones(fields: Fields, size: int) -> dict[int, int]:
    """The stones before the first move: point -> color."""
    stones: dict[int, int] = {}
    for color, point in read_moves(fields, "initialStones", size, is_required=False):
        if stones.setdefault(point, color) != color:
            raise Refusal(f"two stones of different colors on {to_vertex(point)}", "initialStones")
    return stones


def read_player(value: Any, field: str) -> int:
    """BLACK or WHITE."""
    try:
        return from_color_name(str(value))
    except ValueError as error:
        raise Refusal(f"a player is B or W, not {str(value)[:20]}", field) from error


def read_point(value: Any, size: int, field: str) -> int:
    """A point or PASS, given as a vertex of GTP or as `(column,row)` from 0 at the top left."""
    match = COORDINATES.fullmatch(value) if isinstance(value, str) else None
    try:
        if match is None:
            return from_vertex(str(value), size)
        point = point_at(size - int(match[2]), int(match[1]) + 1)
        if is_on_board(point, size):
            return point
    except ValueError:
        pass
    raise Refusal(f"not a vertex of a {size}x{size} board: {str(value)[:20]}", field)


def read_turns(fields: Fields, last: int) -> dict[int, int]:
    """The turns to analyze with their priorities; by default the last one."""
    priority = fields.integer("priority", -LARGEST, default=0)
    turns = fields.integers("analyzeTurns") if fields.has("analyzeTurns") else [last]
    if not turns:
        raise Refusal("must name one turn at least", "analyzeTurns")
    for turn in turns:
        if not 0 <= turn <= last:
            raise Refusal(f"there is no turn {turn}: the game has {last} moves", "analyzeTurns")
    if not fields.has("priorities"):
        return dict.fromkeys(sorted(turns), priority)
    priorities = fields.integers("priorities")
    if fields.has("priority"):
        raise Refusal("give priority or priorities, not both", "priority")
    if not fields.has("analyzeTurns") or len(priorities) != len(turns):
        raise Refusal("must be a list as long as analyzeTurns", "priorities")
    return dict(sorted(zip(turns, priorities, strict=True)))


def read_rules(fields: Fields) -> tuple[Rules, list[tuple[str, str]]]:
    """The rules, with a warning if they are only the nearest supported ones."""
    value = fields.values.get("rules")
    try:
        if isinstance(value, str):
            rules, is_exact = rules_named(value)
        elif isinstance(value, dict):
            rules, is_exact = rules_from_json(value)
        else:
            raise Refusal("must be the name of rules, as chinese, or an object as kata-get-rules prints it", "rules")
        if fields.has("whiteHandicapBonus"):
            bonus = fields.values["whiteHandicapBonus"]
            rules = replace(rules, handicap_bonus=HandicapBonus(str(bonus)))
    except ValueError as error:
        raise Refusal(str(error), "rules" if not fields.has("whiteHandicapBonus") else rules_field(value)) from error
    return rules, [] if is_exact else [(f"not played here: {value}; searched by {rules.name} rules instead", "rules")]


def rules_field(value: Any) -> str:
    """The field to blame: `rules`, unless they can be read."""
    try:
        rules_named(value) if isinstance(value, str) else rules_from_json(value)
    except ValueError:
        return "rules"
    return "whiteHandicapBonus"


def read_komi(fields: Fields, rules: Rules) -> float:
    """White's komi, in half points."""
    usual = TERRITORY_KOMI if rules.scoring is Scoring.TERRITORY else AREA_KOMI
    komi = fields.number("komi", -MOST_KOMI, MOST_KOMI, usual)
    if komi * 2 != int(komi * 2):
        raise Refusal("must be a whole or half number", "komi")
    return komi


# ---------------------------------------------------------------- the search


def read_search_fields(fields: Fields) -> dict[str, Any]:
    """The fields that set parameters of the search, by our names."""
    settings: dict[str, Any] = {}
    if fields.has("maxVisits"):
        settings["playouts"] = visits_to_ours(fields.integer("maxVisits", 1, MOST_VISITS))
    if fields.has("rootPolicyTemperature"):
        settings["root_temperature"] = fields.number("rootPolicyTemperature", 0.01, 100.0)
    if fields.has("rootFpuReductionMax"):
        settings["root_untried_reduction"] = fields.number("rootFpuReductionMax", 0.0, 2.0) / 2  # ours is for a win rate from 0 to 1
    return settings


def read_avoided(fields: Fields, size: int) -> Avoid:
    """The moves that `avoidMoves` or `allowMoves` excludes from the search."""
    if fields.has("avoidMoves") and fields.has("allowMoves"):
        raise Refusal("give avoidMoves or allowMoves, not both", "allowMoves")
    name = "allowMoves" if fields.has("allowMoves") else "avoidMoves"
    avoid: Avoid = {}
    players = []
    for entry in fields.items(name) if fields.has(name) else []:
        player, points, depth = read_restriction(entry, size, name)
        players.append(player)
        for point in {*board_points(size), PASS} - points if name == "allowMoves" else points:
            avoid[player, point] = max(avoid.get((player, point), 0), depth)
    if name == "allowMoves" and len(players) > len(set(players)):
        raise Refusal("may be given once for each player", name)
    return avoid


def read_restriction(entry: Any, size: int, field: str) -> tuple[int, set[int], int]:
    """Player, points and depth of one entry of avoidMoves or allowMoves."""
    if not isinstance(entry, dict) or not isinstance(entry.get("moves"), list) or not is_integer(entry.get("untilDepth")):
        raise Refusal("must be a list of objects with player, moves (a list) and untilDepth (a whole number)", field)
    if entry["untilDepth"] < 1:
        raise Refusal("untilDepth must be 1 or more", field)
    points = {read_point(vertex, size, field) for vertex in entry["moves"]}
    return read_player(entry.get("player"), field), points, min(entry["untilDepth"], DEEPEST)


# ---------------------------------------------------------------- the result


def read_report(fields: Fields, defaults: ReportOptions, overrides: Overrides) -> ReportOptions:
    """The report options."""
    report = ReportOptions(
        perspective=defaults.perspective if overrides.perspective is None else overrides.perspective,
        variation_length=overrides.variation_length or defaults.variation_length,
        symmetries=overrides.symmetries or defaults.symmetries,
        players=overrides.players if overrides.names_players else defaults.players,
        flags=frozenset(name for name in FLAGS if fields.boolean(name)),
    )
    if fields.has("analysisPVLen"):
        report = replace(report, variation_length=fields.integer("analysisPVLen", 1, LONGEST_VARIATION))
    if fields.has("reportDuringSearchEvery"):
        report = replace(report, every=fields.number("reportDuringSearchEvery", SHORTEST, 1e6))
    if fields.has("firstReportDuringSearchAfter"):
        report = replace(report, first=fields.number("firstReportDuringSearchAfter", SHORTEST, 1e6))
    if report.first is not None and report.every is None:
        report = replace(report, every=LONGEST)
    return report
