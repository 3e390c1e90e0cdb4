"""How often each system wins, by strengths and by shares of wins, as a table."""

from itertools import combinations
from typing import Any

from skstat._names import shown_name
from skstat.report._contents.grid import Grid
from skstat.report._words import PROBABLE, best_text
from skstat.stats._outcomes import unit_word

_Pair = dict[str, Any]

_MOST = 30
_KINDS = {"model": "model", "shares": "share"}
_LETTERS = {"first": "1st", "second": "2nd", "even": "even", "undecided": "\N{EN DASH}"}


def best_columns(report: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Return the probabilities to be the best, for the ranking; none without strengths."""
    found = report["strengths"]
    if found is None:
        return []
    place = {name: number for number, name in enumerate(found["names"])}
    order = [place[row["name"]] for row in report["ranking"]]
    return [
        (title, [best_text(found[kind]["best"][place], found[kind]) for place in order])
        for title, kind in (("P(best)", "model"), ("by wins", "shares"))
        if found[kind] is not None
    ]


def best_note(report: dict[str, Any]) -> list[str]:
    """Say what the probabilities to be the best are."""
    if report["strengths"] is None:
        return []
    note = "P(best): probability to be the strongest, by a Bradley-Terry model"
    if report["strengths"]["shares"] is None:
        return [f"{note}."]
    return [f"{note}; by wins: to have the largest share of wins, without a model."]


def strengths_grid(report: dict[str, Any]) -> Grid | None:
    """Return how often each system wins against each other; None where that was not asked."""
    found = report["strengths"]
    if found is None:
        return None
    names = found["names"]
    order = sorted(range(len(names)), key=lambda place: -found["strengths"][place])
    pairs = [_oriented(found, *pair) for pair in combinations(order, 2)]
    left = len(pairs) - _MOST
    shown = pairs[:_MOST]
    unit = unit_word(report["unit"])
    note = f"{left} more pairs in to_dict()['strengths']. " if left > 0 else ""
    kinds = _kinds(found)
    note += (
        "Wins: of the first and the second, ties counted half. Model: chance that the first "
        f"wins on another {unit}, by strengths, and limits that it is between with a "
        "probability of 90%."
    )
    if "shares" in kinds:
        note += (
            " Share: the same by the wins of the pair alone; a strength also rests on those "
            "against the other systems, so that the two may differ."
        )
    note += (
        " P: that the chance is above one half. Stronger: P of the model "
        f"{PROBABLE:g} or more; even: the chance is 0.45 to 0.55 with as much. Not adjusted "
        "for the number of pairs."
    )
    header = ["first", "second", "wins"]
    for kind in kinds:
        header += [_KINDS[kind], "90%", "P"]
    return Grid(
        f"Chances to win on another {unit}",
        [*header, "stronger"],
        [_row(pair, kinds) for pair in shown],
        n_names=2,
        words=len(header),
        note=note,
        is_detail=True,
        letters=[_LETTERS[_decision(pair)] for pair in shown],
    )


def _kinds(found: dict[str, Any]) -> list[str]:
    """Return by what the chances are known."""
    return [kind for kind in _KINDS if found[kind] is not None]


def _oriented(found: dict[str, Any], i: int, j: int) -> _Pair:
    """Return what is known of a pair, with its first system in the place i."""
    low, high, k = min(i, j), max(i, j), len(found["names"])
    place = low * k - low * (low + 1) // 2 + high - low - 1
    won, met = found["wins"][place], found["met"][place]
    pair: _Pair = {
        "names": [shown_name(found["names"][end]) for end in (i, j)],
        "wins": (won, met - won) if i < j else (met - won, won),
    }
    for kind in _kinds(found):
        one = {
            key: found[kind][key][place] for key in ("mean", "low", "high", "better", "even")
        }
        if i > j:
            turned = {"mean": "mean", "low": "high", "high": "low", "better": "better"}
            one |= {key: 1 - found[kind][of][place] for key, of in turned.items()}
        pair[kind] = one | {"effective_size": found[kind]["effective_size"]}
    return pair


def _row(pair: _Pair, kinds: list[str]) -> list[str]:
    cells = [*pair["names"], f"{pair['wins'][0]:g} : {pair['wins'][1]:g}"]
    for kind in kinds:
        one = pair[kind]
        cells += [
            f"{one['mean']:.2f}",
            f"{one['low']:.2f}\N{EN DASH}{one['high']:.2f}",
            best_text(one["better"], one),
        ]
    decision = _decision(pair)
    return [
        *cells,
        dict(zip(("first", "second"), pair["names"], strict=True)).get(decision, decision),
    ]


def _decision(pair: _Pair) -> str:
    """Name what has a probability of 0.95 by strengths: even comes first."""
    one = pair["model"]
    found = {"even": one["even"], "first": one["better"], "second": 1 - one["better"]}
    return next((name for name, share in found.items() if share >= PROBABLE), "undecided")
