"""The other riichi engines on the same wins: each is handed its own input, made beforehand, and answers han and fu.

An answer is (han, fu), "yakuman", or None for a hand without a yaku.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np

from mjsettle.tiles import NAMES, format_tiles
from tests.benchmarks.riichi import PlainWin, next_kind

OPTIONS: Final[dict[str, Any]] = {"double_wind_pair_fu": 4, "pao": []}
Answer = tuple[int, int] | str | None
Scorer = tuple[Callable[[], Any], Callable[[], list[Answer]]]


def ids(win: PlainWin) -> tuple[list[int], int, list[list[int]]]:
    """The tiles as numbers 0-135, the copies of a kind from the last down: of fives, copy 0 is the red one."""
    used = [0] * 34

    def take(kind: int) -> int:
        used[kind] += 1
        return 4 * kind + 4 - used[kind]

    concealed = [take(kind) for kind in win.concealed]
    tile = take(win.win)
    return concealed, tile, [[take(kind) for kind in tiles] for _, tiles in win.melds]


def wire(win: PlainWin, number: int) -> dict[str, Any]:
    """The win as a round; the winner sits in seat 0."""
    melds = [
        {"kind": kind, "tiles": format_tiles(tiles)} | ({} if kind == "concealed_kong" else {"from": 3})
        for kind, tiles in win.melds
    ]
    event: dict[str, Any] = {"type": "win", "seat": 0, "tile": NAMES[win.win]}
    if not win.self_draw:
        event["from"] = 1
    return {
        "id": f"peer/{number}",
        "rule": "riichi",
        "options": OPTIONS,
        "dealer": -win.seat_wind % 4,
        "round_wind": NAMES[27 + win.round_wind],
        "dora": [NAMES[win.dora]],
        "ura_dora": [NAMES[win.ura]],
        "players": [
            {"hand": format_tiles(win.concealed), "melds": melds, "flags": ["riichi"] if win.riichi else []},
            {},
            {},
            {},
        ],
        "events": [event],
    }


def mahjong_calls(wins: Sequence[PlainWin]) -> list[Callable[[], Any]]:
    """For each win a call of the package `mahjong`."""
    calculator = import_module("mahjong.hand_calculating.hand").HandCalculator
    config = import_module("mahjong.hand_calculating.hand_config")
    meld = import_module("mahjong.meld").Meld
    kinds = {"chow": (meld.CHI, True), "pung": (meld.PON, True), "kong": (meld.KAN, True)}
    kinds["concealed_kong"] = (meld.KAN, False)
    rules = config.OptionalRules(has_open_tanyao=True, has_aka_dora=False)
    found: list[Callable[[], Any]] = []
    for win in wins:
        concealed, tile, sets = ids(win)
        melds = [
            meld(kinds[kind][0], sorted(tiles), opened=kinds[kind][1])
            for (kind, _), tiles in zip(win.melds, sets, strict=True)
        ]
        situation = config.HandConfig(
            is_tsumo=win.self_draw,
            is_riichi=win.riichi,
            player_wind=27 + win.seat_wind,
            round_wind=27 + win.round_wind,
            options=rules,
        )
        found.append(
            partial(
                calculator.estimate_hand_value,
                sorted([*concealed, tile, *(each for own in sets for each in own)]),
                tile,
                melds,
                [4 * win.dora + 1],
                situation,
                ura_dora_indicators=[4 * win.ura + 1] if win.riichi else [],
            )
        )
    return found


def _mahjong(wins: Sequence[PlainWin]) -> Scorer:
    calls = mahjong_calls(wins)

    def answer(found: Any) -> Answer:
        if found.error is not None:
            return None
        return "yakuman" if any(yaku.is_yakuman for yaku in found.yaku) else (found.han, found.fu)

    return lambda: [call() for call in calls], lambda: [answer(call()) for call in calls]


def _riichienv(wins: Sequence[PlainWin]) -> Scorer:
    # The Rust module itself: its Python wrapper converts every argument once more.
    env = import_module("riichienv._riichienv")
    types = env.MeldType
    kinds = {"chow": types.Chi, "pung": types.Pon, "kong": types.Daiminkan, "concealed_kong": types.Ankan}
    winds = [env.Wind.East, env.Wind.South, env.Wind.West, env.Wind.North]
    prepared = []
    for win in wins:
        concealed, tile, sets = ids(win)
        melds = [
            env.Meld(kinds[kind], sorted(tiles), kind != "concealed_kong")
            for (kind, _), tiles in zip(win.melds, sets, strict=True)
        ]
        situation = env.Conditions(
            tsumo=win.self_draw, riichi=win.riichi, player_wind=winds[win.seat_wind], round_wind=winds[win.round_wind]
        )
        prepared.append(
            (
                sorted([*concealed, tile]),
                melds,
                tile,
                [4 * win.dora + 1],
                [4 * win.ura + 1] if win.riichi else [],
                situation,
            )
        )
    evaluator = env.HandEvaluator

    def score() -> list[Any]:
        return [
            evaluator(tiles, melds).calc(tile, dora, ura, situation)
            for tiles, melds, tile, dora, ura, situation in prepared
        ]

    def answer(found: Any) -> Answer:
        if not found.is_win:
            return None
        return "yakuman" if found.yakuman else (found.han, found.fu)

    return score, lambda: [answer(found) for found in score()]


def _mahjax(wins: Sequence[PlainWin]) -> Scorer:
    jax = import_module("jax")
    jnp = import_module("jax.numpy")
    yaku = import_module("mahjax.no_red_mahjong.yaku").Yaku
    meld = import_module("mahjax.no_red_mahjong.meld")
    action = import_module("mahjax.no_red_mahjong.action").Action
    hands = np.zeros((len(wins), 34), np.int8)
    melds = np.full((len(wins), 4), int(meld.EMPTY_MELD), np.uint16)
    dora = np.zeros((len(wins), 2, 34), np.int8)
    codes = {"chow": action.CHI_L, "pung": action.PON, "kong": action.OPEN_KAN}
    for at, win in enumerate(wins):
        np.add.at(hands[at], list(win.concealed), 1)
        for place, (kind, tiles) in enumerate(win.melds):
            code = 34 + tiles[0] if kind == "concealed_kong" else codes[kind]
            source = 0 if kind == "concealed_kong" else 3
            melds[at, place] = source << 13 | tiles[0] << 7 | code
        dora[at, 0, next_kind(win.dora)] += 1
        dora[at, 1, next_kind(win.ura)] += 1
    columns = [
        hands,
        melds,
        np.array([len(win.melds) for win in wins], np.int8),
        np.array([win.win for win in wins], np.int8),
        np.array([win.riichi for win in wins]),
        np.array([not win.self_draw for win in wins]),
        np.array([win.round_wind for win in wins], np.int8),
        np.array([win.seat_wind for win in wins], np.int8),
        dora,
    ]
    prepared = [jnp.asarray(column) for column in columns]

    def one(*each: Any) -> Any:
        found, fan, fu = yaku.judge(*each)
        return found, fan, fu, yaku.score(fan, fu)

    judge = jax.jit(jax.vmap(one))

    def score() -> Any:
        return jax.block_until_ready(judge(*prepared))

    def answers() -> list[Answer]:
        found, fan, fu = (np.asarray(part) for part in score()[:3])
        plain: list[bool] = np.any(found[:, : yaku.BigThreeDragons], axis=1).tolist()
        return [
            "yakuman" if not points else (int(han), int(points)) if some else None
            for han, points, some in zip(fan.tolist(), fu.tolist(), plain, strict=True)
        ]

    return score, answers


SCORERS: Final[dict[str, Callable[[Sequence[PlainWin]], Scorer]]] = {
    "mahjong": _mahjong,
    "riichienv": _riichienv,
    "mahjax": _mahjax,
}


def thirteen(wins: Sequence[PlainWin]) -> tuple[np.ndarray[Any, Any], list[list[int]]]:
    """The thirteen concealed tiles of the wins without melds: counts (N, 34), and numbers 0-135."""
    some = [win for win in wins if not win.melds]
    counts = np.zeros((len(some), 34), np.uint8)
    for at, win in enumerate(some):
        np.add.at(counts[at], list(win.concealed), 1)
    return counts, [sorted(ids(win)[0]) for win in some]


def hand_peers(tiles: Sequence[list[int]], notes: list[str]) -> dict[str, Callable[[], Any]]:
    """riichienv's waits and shanten of thirteen tiles."""
    try:
        env = import_module("riichienv._riichienv")
    except ImportError as error:
        notes.append(f"riichienv's waits and shanten are left out: {error}")
        return {}
    evaluator, shanten = env.HandEvaluator, env.calculate_shanten
    return {
        "waits": lambda: [evaluator(hand).get_waits() for hand in tiles],
        "shanten": lambda: [shanten(hand) for hand in tiles],
    }
