"""Plans, what is recommended, and what is explained."""

from collections.abc import Iterator
from functools import partial

import skstat
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.fits import TWO, X, Y
from tools.net.cases.scores import UNITS

_ROWS = {"holds": "scores", "unit": "instance", "sd": 0.4}
_RIGHT = {"holds": "predictions", "metric": "accuracy"}
PLANS = {
    "rows": {**_ROWS, "difference": 0.05},
    "rows, power": {**_ROWS, "difference": 0.05, "n": 300},
    "rows, difference": {**_ROWS, "n": 300, "power": 0.9},
    "rows, width": {**_ROWS, "half_width": 0.02},
    "rows, margin": {**_ROWS, "margin": 0.05},
    "rows, less": {**_ROWS, "difference": -0.05, "alternative": "less"},
    "groups": {
        "holds": "scores", "unit": "group", "sd": 0.4, "difference": 0.05, "group_size": 5,
        "icc": 0.2,
    },
    "seeds": {"holds": "scores", "unit": "seed", "sd": 0.02, "difference": 0.02},
    "seeds, paired": {
        "holds": "scores", "unit": "seed", "sd": 0.02, "difference": 0.02, "paired_seeds": True,
    },
    "splits": {
        "holds": "scores", "unit": "split", "sd": 0.03, "difference": 0.02, "cv": 0.1,
    },
    "data sets": {"holds": "scores", "unit": "dataset", "sd": 0.03, "difference": 0.02},
    "data sets, five systems": {
        "holds": "scores", "unit": "dataset", "sd": 0.03, "difference": 0.02, "n_systems": 5,
    },
    "accuracy": {**_RIGHT, "difference": 0.03, "discordant": 0.2},
    "accuracy, rates": {**_RIGHT, "error_rates": (0.1, 0.13), "n": 800},
    "accuracy, slices": {
        **_RIGHT, "difference": 0.05, "discordant": 0.2, "confidence_level": 1 - 0.05 / 4,
    },
    "answers": {
        "holds": "scores", "unit": "instance", "sd_answers": 0.4, "difference": 0.04,
        "n_repeats": 4,
    },
    "estimators": {"holds": "estimators", "metric": "accuracy", "difference": 0.03, "sd": 0.4},
}  # fmt: skip
SITUATIONS = {
    "estimators": {"holds": "estimators"},
    "three estimators": {"holds": "estimators", "n_systems": 3, "control": True},
    "estimators, budget": {"holds": "estimators", "budget": 10},
    "estimators, nine tenths": {"holds": "estimators", "train_size": 0.9},
    "estimators, an area": {"holds": "estimators", "metric": "roc_auc"},
    "estimators, data sets": {"holds": "estimators", "unit": "dataset", "n": 20},
    "estimators, rope": {"holds": "estimators", "rope": 0.01},
    "estimators, groups": {"holds": "estimators", "groups": 12},
    "predictions": {"holds": "predictions", "metric": "accuracy", "n": 100},
    "predictions, groups": {"holds": "predictions", "metric": "accuracy", "groups": 30},
    "predictions, an area": {"holds": "predictions", "metric": "roc_auc", "margin": 0.02},
    "predictions, a mean": {"holds": "predictions", "metric": "neg_mean_absolute_error"},
    "predictions, in order": {
        "holds": "predictions", "metric": "neg_mean_absolute_error", "ordered": True,
    },
    "predictions, seeds": {"holds": "predictions", "metric": "accuracy", "seeds": "crossed"},
    "predictions, several": {"holds": "predictions", "metric": "f1", "n_systems": 4},
    "scores of rows": {"holds": "scores", "unit": "instance"},
    "scores of splits": {"holds": "scores", "unit": "split", "n": 10},
    "scores of seeds": {"holds": "scores", "unit": "seed", "paired_seeds": True},
    "scores of data sets": {"holds": "scores", "unit": "dataset", "n_systems": 4},
    "a constant": {"holds": "scores", "unit": "dataset", "constant": 0.8},
    "something else": {"holds": "models"},
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for what, asked in PLANS.items():
        yield case(f"plan, {what}", skstat.plan_comparison, **asked)
    for what, asked in SITUATIONS.items():
        yield case(f"recommend, {what}", skstat.recommend_test, **asked)
    yield from _of_reports()


def _of_reports() -> Iterator[Case]:
    def planned(ask, **asked):
        return ask().plan(**asked)

    for unit in ("splits", "rows", "groups", "seeds", "paired seeds", "data sets"):
        n, design = UNITS[unit]

        def ask(k=2, n=n, design=design, **options):
            return skstat.compare_scores(data.scores(k, n), random_state=0, **design, **options)

        yield case(f"report on {unit}, size", planned, ask, difference=0.01)
        yield case(f"report on {unit}, power", planned, ask, difference=0.01, n=50)
        yield case(f"report on {unit}, width", planned, ask, half_width=0.01)
        yield case(f"report on {unit}, margin", planned, lambda ask=ask: ask(margin=0.02))
        yield case(f"report on {unit}, 3", planned, lambda ask=ask: ask(k=3), difference=0.01)

    def of_fits(**options):
        return skstat.compare_estimators(TWO, X, Y, random_state=0, verbose=False, **options)

    def of_labels(**options):
        truth, labels = data.labels(2, 160)
        return skstat.compare_predictions(truth, labels, random_state=0, **options)

    yield case("report on fits", planned, of_fits, difference=0.05)
    yield case("report on fits, a loss", planned, lambda: of_fits(scoring="neg_log_loss"),
               difference=0.05)  # fmt: skip
    for metric in ("accuracy", "f1"):
        ask = partial(of_labels, metric=metric)
        yield case(f"report on {metric}", planned, ask, difference=0.05)
    yield case("report on slices", planned, lambda: of_labels(
        metric="accuracy", by=[0, 1] * 80), difference=0.1)  # fmt: skip

    def performance():
        return skstat.estimate_performance(TWO["new"], X, Y, random_state=0, verbose=False)

    yield case("report on performance", planned, performance, half_width=0.05)
