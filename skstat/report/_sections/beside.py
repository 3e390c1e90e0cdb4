"""Tables beside the ranking: how ranks move in resamples, and chances to win."""

from collections.abc import Mapping
from itertools import combinations

from skstat._names import shown_name
from skstat.report._blocks import Cells
from skstat.report._model import Report
from skstat.report._words import PROBABLE, drawn_text, percent, ranks_text, share_text
from skstat.stats import BradleyTerryPosterior
from skstat.stats._outcomes import unit_word

_MOST = 30  # pairs
_LETTERS = {"first": "1st", "second": "2nd", "even": "even", "undecided": "\N{EN DASH}"}


def rank_stability_table(r: Report) -> Cells | None:
    """Return how the ranks move in resamples, and without one part; None if not asked."""
    found = r.rank_stability
    if found is None:
        return None
    columns = [
        ("", [shown_name(name) for name in r.names]),
        ("rank", [f"{s.rank:g}" for s in r.systems]),
        ("first in", [_share(s.first_share) for s in r.systems]),
        (
            f"middle {percent(r.confidence_level)}",
            [ranks_text(s.resampled_low, s.resampled_high) for s in r.systems],
        ),
    ]
    if found.parts:
        without = [ranks_text(s.without_low, s.without_high) for s in r.systems]
        columns.append((f"without one {r.part_word}", without))
    return Cells(
        f"Ranks in {found.n_resamples} resamples of the {unit_word(found.unit)}s",
        [title for title, _ in columns],
        [list(row) for row in zip(*(cells for _, cells in columns), strict=True)],
        note="They say how firmly these scores fix the order. A share of resamples is not the "
        "chance to be the best. A first place that systems share counts for each of them.",
    )


def _share(share: float) -> str:
    """Write a share of resamples in little room."""
    return share_text(share).replace("less than ", "< ").replace("more than ", "> ")


def strengths_table(r: Report) -> Cells | None:
    """Return how often each system wins against each other; None where that was not asked."""
    found = r.strengths
    if found is None:
        return None
    pairs = list(combinations(found.order, 2))
    left, unit = len(pairs) - _MOST, unit_word(r.unit)
    note = f"{left} more pairs in to_dict()['strengths']. " if left > 0 else ""
    note += (
        "Wins: of the first and the second, ties counted half. Model: chance that the first "
        f"wins on another {unit}, by strengths, and limits that it is between with a "
        "probability of 90%."
    )
    header = ["first", "second", "wins", "model", "90%", "P"]
    if found.shares is not None:
        header += ["share", "90%", "P"]
        note += (
            " Share: the same by the wins of the pair alone; a strength also rests on those "
            "against the other systems, so that the two may differ."
        )
    note += (
        f" P: that the chance is above one half. Stronger: P of the model {PROBABLE:g} or "
        "more; even: the chance is 0.45 to 0.55 with as much. Not adjusted for the number of "
        "pairs."
    )
    places = {pair: place for place, pair in enumerate(found.pairs)}
    shown = [_pair(found, places, *pair) for pair in pairs[:_MOST]]
    return Cells(
        f"Chances to win on another {unit}",
        [*header, "stronger"],
        [cells for cells, _ in shown],
        n_names=2,
        words=len(header),
        note=note,
        letters=[_LETTERS[decision] for _, decision in shown],
    )


def _pair(
    found: BradleyTerryPosterior, places: Mapping[tuple[str, str], int], a: str, b: str
) -> tuple[list[str], str]:
    """Return the cells of a pair, and which of both is stronger."""
    place = places.get((a, b), places.get((b, a), 0))
    won, met = found.wins[place], found.met[place]
    wins = (won, met - won) if (a, b) in places else (met - won, won)
    names = {"first": shown_name(a), "second": shown_name(b)}
    cells = [*names.values(), f"{wins[0]:g} : {wins[1]:g}"]
    for one in (found.model, found.shares):
        if one is not None:
            chance = one.pair(a, b)
            limits = "\N{EN DASH}".join(f"{end:.2f}" for end in chance.interval)
            better = drawn_text(chance.better, int(one.effective_size))
            cells += [f"{chance.mean:.2f}", limits, better]
    model = found.model.pair(a, b)
    # Even comes first.
    kinds = {"even": model.even, "first": model.better, "second": 1 - model.better}
    decision = next((name for name, share in kinds.items() if share >= PROBABLE), "undecided")
    return [*cells, names.get(decision, decision)], decision
