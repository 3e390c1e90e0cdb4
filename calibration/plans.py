"""Do designs that were planned for a power have it? ``python -m calibration.plans``.

Designs are planned for a power of 0.8, and the test is simulated by code that shares nothing
with the plan: counts from multinomial laws, t tests of normal units, mean squares by hand. The
default test over splits is asked itself (:func:`skstat.stats.projection_t`), on rows whose
difference has a part of their own and a part that changes with the training half.
"""

import argparse
import json
import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import stats as law

from skstat.evaluation import RepeatedHalves
from skstat.stats import (
    PairedScores,
    Plan,
    plan_answers,
    plan_from,
    plan_groups,
    plan_mcnemar,
    plan_projection,
    plan_rows,
    plan_seeds,
    plan_splits,
    plan_units,
    projection_t,
)

FILE = Path(__file__).with_suffix(".json")
RUNS, HALVED_RUNS = 10_000, 2000

Run = Callable[[Any, Any, int], Any]


def t_pvalues(d: Any, factor: float = 1.0) -> Any:
    """Two-sided p-values of t tests along the last axis; `factor` of the standard error."""
    n = d.shape[-1]
    error = d.std(axis=-1, ddof=1) * math.sqrt(factor / n)
    return 2 * law.t.sf(np.abs(d.mean(axis=-1) / error), n - 1)


def mcnemar(psi: float, delta: float, method: Any) -> tuple[Plan, float, Run]:
    """Counts of rows on which exactly one system is right."""

    def run(rng: Any, plan: Any, n: int) -> Any:
        shares = [(psi + delta) / 2, (psi - delta) / 2, 1 - psi]
        b, c, _ = rng.multinomial(n, shares, RUNS).T
        p = 2 * law.binom.cdf(np.minimum(b, c), b + c, 0.5)
        if method == "midp":
            p = p - law.binom.pmf(np.minimum(b, c), b + c, 0.5)
        return (p <= 0.05) & (b > c)

    return plan_mcnemar(psi, method=method), delta, run


def normal(
    planner: Plan, delta: float, pvalues: Callable[[Any], Any]
) -> tuple[Plan, float, Run]:
    """Normal units."""

    def run(rng: Any, plan: Any, n: int) -> Any:
        return pvalues(rng.normal(delta, plan.sd, (RUNS, n))) <= 0.05

    return planner, delta, run


def sign_pvalues(d: Any) -> Any:
    """Two-sided p-values of sign tests."""
    wins, n = (d > 0).sum(axis=1), d.shape[1]
    return 2 * law.binom.cdf(np.minimum(wins, n - wins), n, 0.5)


def groups(rng: Any, plan: Any, n: int) -> Any:
    """Means of groups that have a part in common."""
    between = rng.normal(0, plan.sd * math.sqrt(plan.icc), (RUNS, n, 1))
    within = rng.normal(0, plan.sd * math.sqrt(1 - plan.icc), (RUNS, n, int(plan.group_size)))
    return t_pvalues((0.1 + between + within).mean(axis=2)) <= 0.05


def answers(rng: Any, plan: Any, n: int) -> Any:
    """Means of items with several answers."""
    items = rng.normal(0.1, plan.sd_items, (RUNS, n))
    noise = rng.normal(0, plan.sd_answers, (RUNS, n, plan.n_answers)).mean(axis=2)
    return t_pvalues(items + noise) <= 0.05


def seeds(rng: Any, plan: Any, n: int, runs: int = 2000) -> Any:
    """Two-way mean squares by hand, seeds nested in systems."""
    rows = rng.normal(0, plan.sd_rows, (runs, 1, plan.n_rows))
    terms: list[tuple[Any, int]] = []
    d, variance = rows + 0.1, 0.0
    for sign in (1, -1):
        own = rng.normal(0, plan.sd_seeds / math.sqrt(2), (runs, n, 1))
        rest = rng.normal(0, plan.sd_rest / math.sqrt(2), (runs, n, plan.n_rows))
        table = own + rest
        d = d + sign * table.mean(axis=1, keepdims=True)
        of_seeds, of_rows = table.mean(axis=2, keepdims=True), table.mean(axis=1, keepdims=True)
        left = table - of_seeds - of_rows + table.mean(axis=(1, 2), keepdims=True)
        df = (n - 1) * (plan.n_rows - 1)
        noise = (left**2).sum(axis=(1, 2)) / df / (n * plan.n_rows)
        between = np.maximum(of_seeds.var(axis=1, ddof=1)[:, 0] / n, noise)
        terms += [(between, n - 1), (noise, df)]
        variance = variance + between - noise
    of_d = d[:, 0].var(axis=1, ddof=1) / plan.n_rows
    terms.append((of_d, plan.n_rows - 1))
    variance = variance + of_d
    df = variance**2 / sum(part**2 / free for part, free in terms)
    statistic = d[:, 0].mean(axis=1) / np.sqrt(variance)
    return 2 * law.t.sf(np.abs(statistic), df) <= 0.05


def splits(delta: float) -> Run:
    """Splits that are correlated as the corrected t test assumes."""

    def run(rng: Any, plan: Any, n: int) -> Any:
        rho = plan.ratio / (1 + plan.ratio)
        shared = rng.normal(0, plan.sd * math.sqrt(rho), (RUNS, 1))
        own = rng.normal(0, plan.sd * math.sqrt(1 - rho), (RUNS, n))
        # The planner's sd is that of the splits that are seen, from which rho is left out.
        d = delta + (shared + own) / math.sqrt(1 - rho)
        return t_pvalues(d, 1 + n * plan.ratio) <= 0.05

    return run


def within(delta: float, margin: float, *, both: bool) -> Run:
    """Intervals of the difference of two accuracies within a margin."""

    def run(rng: Any, plan: Any, n: int) -> Any:
        psi = plan.discordant
        shares = [(psi + delta) / 2, (psi - delta) / 2, 1 - psi]
        b, c, _ = rng.multinomial(n, shares, RUNS).T
        d = (b - c) / n
        beyond = law.norm.isf(0.05) * np.sqrt(((b + c) / n - d**2) / n)
        shown = d - beyond > -margin
        return shown & (d + beyond < margin) if both else shown

    return run


def of_pilot(rng: Any, plan: Any, n: int) -> Any:
    """Units as they varied in a pilot."""
    return t_pvalues(rng.normal(0.1, 0.5, (RUNS, n))) <= 0.05


def folds_of(cv: RepeatedHalves, n: int) -> Any:
    """Fold that tests each row, in every repetition."""
    folds = np.zeros((cv.n_repeats, n), dtype=int)
    for k, (_, test) in enumerate(cv.split(np.zeros((n, 1)))):
        folds[k // 2, test] = k % 2
    return folds


def halves(delta: float) -> Run:
    """The default test over splits itself."""

    def run(rng: Any, plan: Any, n: int) -> Any:
        found = np.zeros(HALVED_RUNS, dtype=bool)
        for k in range(HALVED_RUNS):
            seed = int(rng.integers(2**31))
            cv = RepeatedHalves(plan.n_repeats, balanced=True, random_state=seed)
            folds = folds_of(cv, n)
            own = rng.normal(delta, plan.sd * math.sqrt(1 - plan.instability), n)
            a = own + rng.normal(0, plan.sd * math.sqrt(plan.instability), folds.shape)
            sample = PairedScores.from_row_scores(a, np.zeros_like(a), folds)
            found[k] = projection_t(sample).pvalue <= 0.05
        return found

    return run


STEADY = plan_projection(sd=0.5)
CHANGING = plan_projection(sd=0.5, instability=0.7)
SETTINGS: dict[str, tuple[Plan, float, Run]] = {
    "mid-p": mcnemar(0.07, 0.025, "midp"),
    "exact": mcnemar(0.4, 0.12, "exact"),
    "t": normal(plan_units(sd=1.0), 0.65, t_pvalues),
    "rows": normal(plan_rows(sd=0.7), 0.06, t_pvalues),
    "sign": normal(plan_units(sd=1.0, test="sign"), 0.65, sign_pvalues),
    "Wilcoxon": normal(
        plan_units(sd=1.0, seed=99, test="wilcoxon"),
        0.65,
        lambda d: law.wilcoxon(d, axis=1).pvalue,
    ),
    "groups": (plan_groups(sd=0.4, icc=0.2, group_size=6), 0.1, groups),
    "answers": (plan_answers(sd_items=0.3, sd_answers=0.6, n_answers=3), 0.1, answers),
    "seeds": (
        plan_seeds(sd_rows=0.3, sd_seeds=0.08, sd_rest=0.4, n_rows=150),
        0.1,
        seeds,
    ),
    "corrected t, nine tenths": (plan_splits(sd=1.0, ratio=1 / 9), 1.05, splits(1.05)),
    "corrected t, halves": (plan_splits(sd=1.0, ratio=1.0), 3.0, splits(3.0)),
    "equivalence": (
        plan_mcnemar(0.15).within(0.04),
        0.01,
        within(0.01, 0.04, both=True),
    ),
    "gate": (
        plan_mcnemar(0.25, one_sided=True).within(0.04),
        0.0,
        within(0.0, 0.04, both=False),
    ),
    "default, few rows": (STEADY, 0.15, halves(0.15)),
    "default, many rows": (STEADY, 0.06, halves(0.06)),
    "default, changing, few rows": (CHANGING, 0.15, halves(0.15)),
    "default, changing, many rows": (CHANGING, 0.06, halves(0.06)),
    "default, 8 repetitions": (CHANGING.assuming(n_repeats=8), 0.1, halves(0.1)),
    "pilot": (plan_from(0.05, n=100), 0.1, of_pilot),
}


def ask(name: str) -> dict[str, Any]:
    """Plan a setting for a power of 0.8, and count how often its test rejects."""
    plan, delta, run = SETTINGS[name]
    size = plan.size(delta, 0.8)
    assert size is not None
    assumed = SimpleNamespace(**plan.assumed)
    rejected = run(np.random.default_rng(8), assumed, size.stable)
    return {
        "n": size.stable,
        "unit": plan.unit,
        "planned": round(plan.power(size.stable, delta), 4),
        "rejected": int(np.sum(rejected)),
        "times": len(rejected),
    }


def main() -> None:
    """Read the command line, and count."""
    parser = argparse.ArgumentParser(prog="python -m calibration.plans")
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    asked = parser.parse_args()
    for name in SETTINGS:
        if asked.setting in name:
            known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
            known[name] = ask(name)
            text = json.dumps(known, indent=1, sort_keys=True)
            FILE.write_text(text + "\n", encoding="utf-8")
            print(name, known[name], flush=True)


if __name__ == "__main__":
    main()
