"""Doors of one named test each, slices that are found, cost curves, and curves."""

from collections.abc import Iterator

import numpy as np

import skstat
from skstat.metrics import cost_sensitive_scorer
from tools.net.case import Case, case
from tools.net.cases import data

N = 160


def cases() -> Iterator[Case]:
    """Yield the cases."""
    truth, labels = data.labels(3, N)
    two = (labels["new"], labels["old"])
    sides = ({}, {"alternative": "greater"}, {"alternative": "less", "margin": 0.1})
    for method in (None, "midp", "exact", "chi2", "edwards", "another"):
        for place, side in enumerate(sides):
            options = side if method is None else {"method": method, **side}
            yield case(
                f"mcnemar, {method}, {place}", skstat.mcnemar_test, truth, *two, **options
            )
    yield case("mcnemar, a table", skstat.mcnemar_test, table=[[70, 21], [9, 60]], margin=0.05)
    costs = {"neg_cost": cost_sensitive_scorer([[0, 1], [4, 0]])}
    yield case("mcnemar, costs", skstat.compare_predictions, truth, {"A": two[0], "B": two[1]},
               metric=costs, test="cost", n_resamples=9_999)  # fmt: skip
    for interval in ("clopper-pearson", "wilson", "jeffreys"):
        for alternative in ("two-sided", "greater"):
            yield case(f"binomial, {interval}, {alternative}", skstat.binomial_test, truth,
                       labels["new"], constant=0.75, interval=interval, alternative=alternative,
                       margin=0.05)  # fmt: skip
    yield case("binomial, counted", skstat.binomial_test, constant=0.5, successes=31, n=50)
    for control in (None, "old"):
        for adjustment in ("auto", "holm"):
            name = f"cochran_q, {control}, {adjustment}"
            options = {"control": control, "adjustment": adjustment, "n_resamples": 999}
            yield case(name, skstat.cochran_q_test, truth, labels, **options)
    truth, chances = data.probabilities(3, N)
    two = (chances["new"], chances["old"])
    for place, side in enumerate(sides):
        yield case(f"delong, {place}", skstat.delong_test, truth, *two, **side)
    yield case("delong, groups", skstat.delong_test, truth, *two, groups=data.groups(N))
    yield case("delong, 3", skstat.delong_test, truth, chances)
    yield case("delong, 3, control", skstat.delong_test, truth, chances, control="old")
    yield from _resampled()
    yield from _curves()
    yield from _found()


def _resampled() -> Iterator[Case]:
    made = {
        "f1": data.labels(2, N),
        "roc_auc": data.probabilities(2, N),
        "neg_mean_absolute_error": data.numbers(2, N),
    }
    drawn = {"n_resamples": 999}
    for metric, (truth, predicted) in made.items():
        arguments = (truth, predicted["new"], predicted["old"])
        for pvalue in ("shift", "berg-kirkpatrick", "sign-reversal"):
            yield case(f"bootstrap of {metric}, {pvalue}", skstat.paired_bootstrap_test,
                       *arguments, metric=metric, pvalue=pvalue, **drawn)  # fmt: skip
        for interval in ("basic", "bca"):
            yield case(f"bootstrap of {metric}, {interval}", skstat.paired_bootstrap_test,
                       *arguments, metric=metric, interval=interval, **drawn)  # fmt: skip
        for what, options in {
            "groups": {"groups": data.groups(N)},
            "strata": {"strata": np.arange(N) % 3},
            "margin": {"margin": 0.1, "alternative": "greater"},
        }.items():
            for door in (skstat.paired_bootstrap_test, skstat.paired_permutation_test):
                yield case(f"{door.__name__} of {metric}, {what}", door, *arguments,
                           metric=metric, **options, **drawn)  # fmt: skip
        yield case(f"permutation of {metric}, studentized", skstat.paired_permutation_test,
                   *arguments, metric=metric, studentize=True, **drawn)  # fmt: skip
    truth, predicted = made["neg_mean_absolute_error"]
    yield case("bootstrap of blocks", skstat.paired_bootstrap_test, truth, predicted["new"],
               predicted["old"], metric="neg_mean_absolute_error", order=np.arange(N),
               horizon=8, **drawn)  # fmt: skip


def _curves() -> Iterator[Case]:
    truth, chances = data.probabilities(2, N)
    for kind in ("roc", "precision_recall"):
        yield case(
            f"curves, {kind}", skstat.comparison.compare_curves, truth, chances, kind=kind
        )
    for what, options in {
        "plain": {},
        "costs": {"cost_matrix": [[0, 1], [5, 0]]},
        "groups": {"groups": data.groups(N)},
    }.items():
        yield case(f"cost curves, {what}", skstat.comparison.compare_cost_curves, truth,
                   chances, n_resamples=400, **options)  # fmt: skip


def _found() -> Iterator[Case]:
    truth, labels = data.labels(2, 400)
    X = np.random.default_rng(5).integers(0, 40, (400, 3)).astype(float)
    labels["new"] = np.where(X[:, 1] < 10, 1 - truth, labels["new"])
    options = {"metric": "accuracy", "n_resamples": 999}
    yield case("slices are found", skstat.find_slices, X, truth, labels, **options)
    yield case("slices are found, deep", skstat.find_slices, X, truth, labels, max_depth=3,
               margin=0.1, **options)  # fmt: skip
    by = {"age": X[:, 0], "kind": np.where(X[:, 2] < 20, "a", "b")}
    for what, cut in {"bins": {"bins": 3}, "combined": {"combine": True, "bins": [20]}}.items():

        def sliced(cut=cut):
            slices = skstat.make_slices(by, **cut)
            return skstat.compare_predictions(
                truth, labels, by=slices, random_state=0, **options
            )

        yield case(f"slices are cut, {what}", sliced)
