"""Do strengths say what they hold? ``python -m calibration.strengths``.

*Tables*: systems on data sets, whose scores are normal and independent. How many of the 90 %
intervals of the chance that one wins against another contain it, and, of systems that are all
the same, of how many pairs one is said to be better with a probability of 0.95: by the model as
it was published (every contest counts 1), by the model of :func:`skstat.stats.bradley_terry`,
and by shares of wins.

*Preferences*: five systems on 150 items, whose answers are good or bad for all comparisons of
an item, by a judge that prefers what is shown first. How many of the 95 % intervals of single
pairs, and of the 90 % intervals of the model, contain the truth, that of 200 000 items; how
often all simultaneous intervals do; and, of systems that are all the same, how often any pair
is significant.
"""

import argparse
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from skstat import compare_preferences
from skstat.stats import Preferences, ScoreTable, bradley_terry, strength_table

FILE = Path(__file__).with_suffix(".json")
TABLES = ((5, 6), (5, 30), (10, 30))
# Comparisons of each item: how many pairs, and how many judges of each.
DESIGNS = {"one": (1, 1), "three pairs": (3, 1), "three judges": (1, 3)}
KINDS = ("same", "apart")
TIMES = 60
_SYSTEMS, _ITEMS, _MANY = 5, 150, 200_000
_SPREAD, _SIDE = 1.0, 0.4


def table(k: int, n: int, kind: str, times: int) -> dict[str, Any]:
    """Count intervals that contain the truth, and claims about systems that are the same."""
    means = np.linspace(1, 0, k) if kind == "apart" else np.zeros(k)
    first, second = np.triu_indices(k, 1)
    truth = special.ndtr((means[first] - means[second]) / np.sqrt(2))
    found: dict[str, Any] = {"times": times, "pairs": len(first) * times}
    names = ("published", "model", "shares")
    found |= {name: {"contained": 0, "claimed": 0} for name in names}
    for number in range(times):
        rng = np.random.default_rng([number, k, n, kind == "apart"])
        scores = ScoreTable(means + rng.normal(size=(n, k)), unit="dataset")
        ours = bradley_terry(scores, n_draws=4000, rng=number)
        published = bradley_terry(scores, weight=1, n_draws=4000, rng=number)
        for name, one in zip(names, (published.model, ours.model, ours.shares), strict=True):
            inside = (one.low <= truth) & (truth <= one.high)
            found[name]["contained"] += int(inside.sum())
            sure = np.maximum(one.better, 1 - one.better) > 0.95
            found[name]["claimed"] += int(sure.sum())
    return found


def preferences(
    rng: np.random.Generator, design: str, kind: str, n_items: int = _ITEMS
) -> Preferences:
    """Draw the preferences of judges."""
    n_pairs, n_judges = DESIGNS[design]
    every = np.array(list(combinations(range(_SYSTEMS), 2)))
    taken = np.argsort(rng.random((n_items, len(every))), axis=1)[:, :n_pairs]
    pairs = every[taken].reshape(-1, 2)
    turned = rng.random(len(pairs)) < 0.5
    first, second = np.where(turned, pairs[:, 1], pairs[:, 0]), pairs.sum(axis=1)
    second = second - first
    items = np.repeat(np.arange(n_items), n_pairs)
    strengths = np.linspace(0.6, -0.6, _SYSTEMS) * (kind == "apart")
    quality = strengths + _SPREAD * rng.normal(size=(n_items, _SYSTEMS))
    lead = quality[items, first] - quality[items, second] + _SIDE
    items, first, second, lead = (
        np.repeat(each, n_judges) for each in (items, first, second, lead)
    )
    lead = lead + rng.logistic(size=len(lead))
    outcomes = np.where(np.abs(lead) < 0.2, 0.5, lead > 0)
    names = np.array([f"system {letter}" for letter in "ABCDE"])
    return Preferences(names[first], names[second], outcomes, items=items)


def judged(design: str, kind: str, times: int) -> dict[str, Any]:
    """Count intervals that contain the truth, and wrong claims."""
    many = preferences(np.random.default_rng(99), design, kind, _MANY)
    means = strength_table(many).scores.mean(axis=0).tolist()
    strengths = dict(zip(many.names, means, strict=True))
    if kind == "same":
        strengths = dict.fromkeys(strengths, 0.0)
    names = ("single", "all", "model", "as independent", "any significant", "claimed")
    found: dict[str, Any] = {"times": times, "pairs": times * 10, "weight": 0.0}
    found |= dict.fromkeys(names, 0)
    for number in range(times):
        rng = np.random.default_rng([number, list(DESIGNS).index(design), kind == "apart"])
        sample = preferences(rng, design, kind)
        report: Any = compare_preferences(
            sample, item=None, n_resamples=1999, random_state=number
        )
        alone = bradley_terry(sample, weight=1, n_draws=4000, rng=number)
        found["weight"] += report.strengths.weight
        everyone = True
        for one in report.pairs:
            a, b = one[:2]
            true = strengths[a] - strengths[b]
            own = report[a, b].evidence.outcome.unadjusted
            low, high = own.confidence_interval(0.95)
            found["single"] += int(low <= true <= high)
            everyone = everyone and bool(one.low <= true <= one.high)
            for name, posterior in (("model", report.strengths), ("as independent", alone)):
                pair = posterior.model.pair(a, b)
                low, high = pair.interval
                found[name] += int(low <= special.expit(true) <= high)
            pair = report.strengths.model.pair(a, b)
            found["claimed"] += int(max(pair.better, 1 - pair.better) > 0.95)
        found["all"] += int(everyone)
        found["any significant"] += int(min(report.pairs.column("adjusted")) < 0.05)
    found["weight"] = round(found["weight"] / times, 3)
    return found


def main() -> None:
    """Read the command line, and count."""
    parser = argparse.ArgumentParser(prog="python -m calibration.strengths")
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    parser.add_argument("--times", type=int, default=TIMES)
    asked = parser.parse_args()
    cells: dict[str, Any] = {}
    for kind in KINDS:
        for k, n in TABLES:
            name = f"{k} systems on {n} data sets, {kind}"
            cells[name] = lambda k=k, n=n, x=kind: table(k, n, x, asked.times)
        for design in DESIGNS:
            cells[f"preferences, {design}, {kind}"] = lambda d=design, x=kind: judged(
                d, x, asked.times
            )
    for name, ask in cells.items():
        if asked.setting in name:
            known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
            known[name] = ask()
            text = json.dumps(known, indent=1, sort_keys=True)
            FILE.write_text(text + "\n", encoding="utf-8")
            print(name, known[name], flush=True)


if __name__ == "__main__":
    main()
