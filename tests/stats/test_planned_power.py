"""Designs that were planned for a power of 0.8 have it: simulations that share no code."""

import math

import numpy as np
import pytest
from scipy import stats as law

from skstat.stats import (
    AnswersPlanner,
    GroupsPlanner,
    MarginPlanner,
    McNemarPlanner,
    PairedTPlanner,
    PilotPlanner,
    RowsPlanner,
    SeedsPlanner,
    SignPlanner,
    SplitsPlanner,
    WilcoxonPlanner,
)
from skstat.stats._planning import upper_limit

RUNS = 10_000


def t_pvalues(d, factor=1.0):
    """Two-sided p-values of t tests along the last axis; `factor` of the standard error."""
    n = d.shape[-1]
    error = d.std(axis=-1, ddof=1) * math.sqrt(factor / n)
    return 2 * law.t.sf(np.abs(d.mean(axis=-1) / error), n - 1)


def mcnemar(psi, delta, method):
    def run(rng, plan, n):
        shares = [(psi + delta) / 2, (psi - delta) / 2, 1 - psi]
        b, c, _ = rng.multinomial(n, shares, RUNS).T
        p = 2 * law.binom.cdf(np.minimum(b, c), b + c, 0.5)
        if method == "midp":
            p = p - law.binom.pmf(np.minimum(b, c), b + c, 0.5)
        return (p <= 0.05) & (b > c)

    return McNemarPlanner(discordant=psi, method=method), delta, run


def normal(planner, delta, pvalues):
    def run(rng, plan, n):
        return pvalues(rng.normal(delta, plan.sd, (RUNS, n))) <= 0.05

    return planner, delta, run


def sign_pvalues(d):
    wins, n = (d > 0).sum(axis=1), d.shape[1]
    return 2 * law.binom.cdf(np.minimum(wins, n - wins), n, 0.5)


def groups(rng, plan, n):
    between = rng.normal(0, plan.sd * math.sqrt(plan.icc), (RUNS, n, 1))
    within = rng.normal(0, plan.sd * math.sqrt(1 - plan.icc), (RUNS, n, int(plan.group_size)))
    return t_pvalues((0.1 + between + within).mean(axis=2)) <= 0.05


def answers(rng, plan, n):
    items = rng.normal(0.1, plan.sd_items, (RUNS, n))
    noise = rng.normal(0, plan.sd_answers, (RUNS, n, plan.n_answers)).mean(axis=2)
    return t_pvalues(items + noise) <= 0.05


def seeds(rng, plan, n, runs=2000):
    """Two-way mean squares by hand, seeds nested in systems."""
    rows = rng.normal(0, plan.sd_rows, (runs, 1, plan.n_rows))
    d, terms, variance = rows + 0.1, [], 0.0
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


def splits(delta):
    def run(rng, plan, n):
        rho = plan.ratio / (1 + plan.ratio)
        shared = rng.normal(0, plan.sd * math.sqrt(rho), (RUNS, 1))
        own = rng.normal(0, plan.sd * math.sqrt(1 - rho), (RUNS, n))
        # The planner's sd is that of the splits that are seen, from which rho is left out.
        d = delta + (shared + own) / math.sqrt(1 - rho)
        return t_pvalues(d, 1 + n * plan.ratio) <= 0.05

    return run


def within(delta, margin, *, both):
    def run(rng, plan, n):
        psi = plan.of.discordant
        shares = [(psi + delta) / 2, (psi - delta) / 2, 1 - psi]
        b, c, _ = rng.multinomial(n, shares, RUNS).T
        d = (b - c) / n
        beyond = law.norm.isf(0.05) * np.sqrt(((b + c) / n - d**2) / n)
        shown = d - beyond > -margin
        return shown & (d + beyond < margin) if both else shown

    return run


def of_pilot(rng, plan, n):
    return t_pvalues(rng.normal(0.1, 0.5, (RUNS, n))) <= 0.05


SETTINGS = {
    "mid-p": mcnemar(0.07, 0.025, "midp"),
    "exact": mcnemar(0.4, 0.12, "exact"),
    "t": normal(PairedTPlanner(sd=1.0), 0.65, t_pvalues),
    "rows": normal(RowsPlanner(sd=0.7), 0.06, t_pvalues),
    "sign": normal(SignPlanner(sd=1.0), 0.65, sign_pvalues),
    "Wilcoxon": normal(
        WilcoxonPlanner(sd=1.0, seed=99), 0.65, lambda d: law.wilcoxon(d, axis=1).pvalue
    ),
    "groups": (GroupsPlanner(sd=0.4, icc=0.2, group_size=6), 0.1, groups),
    "answers": (AnswersPlanner(sd_items=0.3, sd_answers=0.6, n_answers=3), 0.1, answers),
    "seeds": (
        SeedsPlanner(sd_rows=0.3, sd_seeds=0.08, sd_rest=0.4, n_rows=150),
        0.1,
        seeds,
    ),
    "nine tenths": (SplitsPlanner(sd=1.0, ratio=1 / 9), 1.05, splits(1.05)),
    "halves": (SplitsPlanner(sd=1.0, ratio=1.0), 3.0, splits(3.0)),
    "equivalence": (
        MarginPlanner(of=McNemarPlanner(discordant=0.15), margin=0.04),
        0.01,
        within(0.01, 0.04, both=True),
    ),
    "gate": (
        MarginPlanner(of=McNemarPlanner(discordant=0.25), margin=0.04, one_sided=True),
        0.0,
        within(0.0, 0.04, both=False),
    ),
    "pilot": (PilotPlanner(falls=0.05, n_pilot=100), 0.1, of_pilot),
}


@pytest.mark.long(keep=3)
@pytest.mark.parametrize("name", SETTINGS)
def test_planned_designs_have_the_power_that_was_asked_for(name):
    plan, delta, run = SETTINGS[name]
    n = plan.size(delta, 0.8).stable
    found = np.mean(run(np.random.default_rng(8), plan, n))
    assert found == pytest.approx(plan.power(n, delta), abs=0.02)
    assert found > 0.77


def test_plans_from_an_upper_limit_reach_their_power_in_four_of_five_cases():
    rng, m, delta = np.random.default_rng(9), 50, 0.3
    true, reached = PairedTPlanner(sd=1.0), {None: [], 0.8: []}
    for sd in np.sqrt(rng.chisquare(m - 1, 150) / (m - 1)):
        for limit, found in reached.items():
            used = sd if limit is None else upper_limit(sd, m - 1, limit)
            n = PairedTPlanner(sd=used).size(delta).stable
            found.append(true.power(n, delta) >= 0.8)
    assert np.mean(reached[0.8]) == pytest.approx(0.8, abs=0.08)
    assert 0.4 < np.mean(reached[None]) < 0.6
