"""How often each doubt is raised where nothing is wrong.

``python -m calibration.false_alarms`` asks the doors of skstat by default calls: rows or data
sets are independent (or it is said how they are not), there are enough of them, learners are
stable. It takes some minutes, and writes ``calibration/results/false_alarms/counts.json``.
``--examples`` names the doubts in what the scripts of ``examples/`` find, where each is to be
judged by hand.
"""

import argparse
import contextlib
import io
import json
import os
import runpy
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import skstat
from skstat.report._terms import WEIGHTS

ROOT = Path(__file__).parents[1]
MEASURED = Path(__file__).with_name("results") / "false_alarms" / "counts.json"
Draw = Callable[[np.random.Generator], Any]
SITUATIONS: dict[str, Draw] = {}
PAIR = {"strong": LogisticRegression(C=0.3), "weak": LogisticRegression(C=3.0)}
THREE = {**PAIR, "bayes": GaussianNB()}
NUMBERS = {"ridge": Ridge(alpha=3.0), "ordinary": LinearRegression()}


def situation(name: str, *, replications: int = 40) -> Callable[[Draw], Draw]:
    """Count a function from a generator to a report among the situations."""

    def keep(draw: Draw) -> Draw:
        draw.replications = replications  # type: ignore[attr-defined]
        SITUATIONS[name] = draw
        return draw

    return keep


def _classes(rng: np.random.Generator, n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    return make_classification(n, 10, flip_y=0.2, random_state=int(rng.integers(2**31)))


def _labels(rng: np.random.Generator, y: np.ndarray, right: float = 0.8) -> np.ndarray:
    """Predicted labels, each right with one probability."""
    wrong = (y + rng.integers(1, y.max() + 1, len(y))) % (y.max() + 1)
    return np.where(rng.random(len(y)) < right, y, wrong)


def _scores(rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
    """Probabilities of the second class."""
    return 1 / (1 + np.exp(-(2.0 * y - 1 + rng.normal(size=len(y)))))


@situation("estimators, 300 rows", replications=30)
def _two(rng: np.random.Generator) -> Any:
    return skstat.compare_estimators(PAIR, *_classes(rng), random_state=0)


@situation("estimators, 300 rows, log loss", replications=30)
def _log_loss(rng: np.random.Generator) -> Any:
    return skstat.compare_estimators(
        PAIR, *_classes(rng), scoring="neg_log_loss", random_state=0
    )


@situation("estimators, 300 rows, roc_auc, budget of 20 fits", replications=30)
def _budget(rng: np.random.Generator) -> Any:
    return skstat.compare_estimators(
        PAIR, *_classes(rng), scoring="roc_auc", budget=20, random_state=0
    )


@situation("regressors, 300 rows", replications=30)
def _regressors(rng: np.random.Generator) -> Any:
    X, y = make_regression(300, 10, noise=20.0, random_state=int(rng.integers(2**31)))
    return skstat.compare_estimators(NUMBERS, X, y, random_state=0)


@situation("estimators, 40 groups of 10 rows", replications=30)
def _grouped(rng: np.random.Generator) -> Any:
    X, y = _classes(rng, 400)
    groups = rng.permutation(np.repeat(np.arange(40), 10))
    return skstat.compare_estimators(PAIR, X, y, groups=groups, random_state=0)


@situation("three estimators, 300 rows", replications=20)
def _three(rng: np.random.Generator) -> Any:
    return skstat.compare_estimators(THREE, *_classes(rng), random_state=0)


@situation("estimators, 300 rows, two metrics", replications=20)
def _two_metrics(rng: np.random.Generator) -> Any:
    return skstat.compare_estimators(
        PAIR, *_classes(rng), scoring=["accuracy", "roc_auc"], random_state=0
    )


@situation("an estimator and a baseline, 300 rows", replications=20)
def _baseline(rng: np.random.Generator) -> Any:
    return skstat.compare_to_baseline(PAIR["strong"], *_classes(rng), random_state=0)


@situation("performance, 300 rows", replications=20)
def _performance(rng: np.random.Generator) -> Any:
    return skstat.estimate_performance(PAIR["strong"], *_classes(rng), random_state=0)


def _predicted(
    metric: str, n: int, *, systems: int = 2, classes: int = 2, **options: Any
) -> Draw:
    def draw(rng: np.random.Generator) -> Any:
        y = rng.integers(0, classes, n)
        if options.get("sorted"):
            y = np.sort(y)
        make = _scores if metric in ("roc_auc", "log_loss") else _labels
        outputs = {f"system {i + 1}": make(rng, y) for i in range(systems)}
        return skstat.compare_predictions(y, outputs, metric=metric, random_state=0)

    return draw


for _n in (50, 200, 500):
    for _metric in ("accuracy", "f1_macro", "roc_auc", "log_loss"):
        situation(f"predictions, {_n} rows, {_metric}")(_predicted(_metric, _n))
situation("predictions, 500 rows, three systems, accuracy")(
    _predicted("accuracy", 500, systems=3)
)
situation("predictions, 500 rows, three systems, f1_macro")(
    _predicted("f1_macro", 500, systems=3, classes=3)
)
situation("predictions, 300 rows sorted by class, accuracy")(
    _predicted("accuracy", 300, sorted=True)
)


@situation("predictions, 300 rows sorted by class, whose classes are unlike, accuracy")
def _sorted_unlike(rng: np.random.Generator) -> Any:
    y = np.sort(rng.integers(0, 2, 300))
    # One system knows the first class, the other one the second.
    cautious = np.where(y == 0, _labels(rng, y, 0.95), _labels(rng, y, 0.6))
    bold = np.where(y == 1, _labels(rng, y, 0.95), _labels(rng, y, 0.6))
    return skstat.compare_predictions(
        y, {"cautious": cautious, "bold": bold}, metric="accuracy", random_state=0
    )


def _regressed(metric: str, n: int) -> Draw:
    def draw(rng: np.random.Generator) -> Any:
        y = rng.normal(size=n)
        outputs = {name: y + 0.5 * rng.normal(size=n) for name in ("first", "second")}
        return skstat.compare_predictions(y, outputs, metric=metric, random_state=0)

    return draw


for _n in (50, 200):
    for _metric in ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error"):
        situation(f"predictions, {_n} rows, {_metric}")(_regressed(_metric, _n))


@situation("predictions, 40 groups of 8 rows, accuracy")
def _test_groups(rng: np.random.Generator) -> Any:
    y, groups = rng.integers(0, 2, 320), np.repeat(np.arange(40), 8)
    outputs = {name: _labels(rng, y) for name in ("first", "second")}
    return skstat.compare_predictions(
        y, outputs, metric="accuracy", groups=groups, random_state=0
    )


def _forecast(metric: str, phi: float) -> Draw:
    def draw(rng: np.random.Generator) -> Any:
        noise = rng.normal(size=(3, 400))
        for step in range(1, 400):
            noise[:, step] += phi * noise[:, step - 1]
        y = noise[0, 100:]
        outputs = {"first": y + noise[1, 100:], "second": y + noise[2, 100:]}
        return skstat.compare_predictions(
            y, outputs, metric=metric, order=np.arange(300), random_state=0
        )

    return draw


for _phi in (0.0, 0.3):
    for _metric in ("neg_mean_absolute_error", "r2"):
        situation(f"forecasts, 300 steps, errors correlated by {_phi}, {_metric}")(
            _forecast(_metric, _phi)
        )


def _bare(shape: tuple[int, ...], **options: Any) -> Draw:
    def draw(rng: np.random.Generator) -> Any:
        shared = rng.normal(0.8, 0.03, shape[:-1])[..., None]
        return skstat.compare_scores(shared + rng.normal(0, 0.02, shape), **options)

    return draw


_THIRD = {"unit": "split", "n_train": 200, "n_test": 100}
situation("scores of 30 splits of one third")(_bare((30, 2), **_THIRD))
situation("scores of 30 splits of one third, accuracy")(
    _bare((30, 2), **_THIRD, scoring="accuracy")
)
situation("scores of 10 x 10 folds, accuracy")(
    _bare((100, 2), unit="split", n_train=270, n_test=30, n_repeats=10, scoring="accuracy")
)
situation("scores of 300 rows")(_bare((300, 2), unit="instance"))
situation("scores of 20 seeds")(_bare((20, 2), unit="seed"))
situation("scores of 20 seeds, four systems")(_bare((20, 4), unit="seed"))
situation("scores of 30 data sets")(_bare((30, 2), unit="dataset"))
situation("scores of 30 data sets, five systems")(_bare((30, 5), unit="dataset"))


situation("scores of 30 splits of one third, roc_auc")(
    _bare((30, 2), **_THIRD, scoring="roc_auc")
)


@situation("corrected t test of estimators, 300 rows", replications=30)
def _corrected(rng: np.random.Generator) -> Any:
    return skstat.paired_cv_ttest(PAIR["strong"], PAIR["weak"], *_classes(rng), random_state=0)


@situation("5x2cv F test of estimators, 300 rows", replications=30)
def _five_by_two(rng: np.random.Generator) -> Any:
    return skstat.five_by_two_cv_test(
        PAIR["strong"], PAIR["weak"], *_classes(rng), random_state=0
    )


@situation("nearest neighbours and naive Bayes, 300 rows", replications=20)
def _neighbours(rng: np.random.Generator) -> Any:
    learners = {"neighbours": KNeighborsClassifier(), "bayes": GaussianNB()}
    return skstat.compare_estimators(learners, *_classes(rng), random_state=0)


@situation("estimators, 400 rows, a tenth positive, f1", replications=20)
def _rare_positives(rng: np.random.Generator) -> Any:
    X, y = make_classification(400, 10, weights=[0.9], random_state=int(rng.integers(2**31)))
    return skstat.compare_estimators(PAIR, X, y, scoring="f1", random_state=0)


@situation("performance of nearest neighbours, 300 rows, roc_auc", replications=20)
def _performance_auc(rng: np.random.Generator) -> Any:
    return skstat.estimate_performance(
        KNeighborsClassifier(), *_classes(rng), scoring="roc_auc", random_state=0
    )


@situation("predictions of 5 seeds, 300 rows, accuracy")
def _seeds(rng: np.random.Generator) -> Any:
    y = rng.integers(0, 2, 300)
    outputs = {name: [_labels(rng, y) for _ in range(5)] for name in ("first", "second")}
    return skstat.compare_predictions(
        y, outputs, metric="accuracy", seeds="crossed", random_state=0
    )


@situation("named tests of predictions, 300 rows")
def _named(rng: np.random.Generator) -> Any:
    y = rng.integers(0, 2, 300)
    outputs = {name: _labels(rng, y) for name in ("first", "second")}
    asked: dict[str, Any] = {"metric": "f1", "random_state": 0}
    return _Several(
        skstat.mcnemar_test(y, *outputs.values()),
        skstat.paired_permutation_test(y, *outputs.values(), **asked),
        skstat.paired_bootstrap_test(y, *outputs.values(), **asked),
        skstat.delong_test(y, _scores(rng, y), _scores(rng, y)),
    )


@situation("Friedman and Nemenyi on 30 data sets, five systems")
def _nemenyi(rng: np.random.Generator) -> Any:
    table = rng.normal(0.8, 0.03, (30, 1)) + rng.normal(0, 0.02, (30, 5))
    return skstat.compare_scores(table, unit="dataset", test="nemenyi")


class _Several:
    """The doubts of several reports."""

    def __init__(self, *reports: Any) -> None:
        self.doubts = [doubt for report in reports for doubt in report.doubts]


def counted(scale: float = 1.0, only: str = "") -> dict[str, dict[str, Any]]:
    """Count in how many reports of each situation each doubt was raised, and of which weight.

    Parameters
    ----------
    scale : float
        Factor of the number of reports of each situation.
    only : str
        Only situations whose name has this in it.
    """
    found = {}
    for name, draw in SITUATIONS.items():
        if only not in name:
            continue
        n = max(1, round(scale * draw.replications))  # type: ignore[attr-defined]
        raised: Counter[str] = Counter()
        heaviest: Counter[str] = Counter()
        for number in range(n):
            stream = np.random.SeedSequence(crc32(name.encode()), spawn_key=(number,))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                report = draw(np.random.default_rng(stream))
            raised.update({doubt.code for doubt in report.doubts})
            weights = {doubt.weight for doubt in report.doubts}
            heaviest[min(weights, key=WEIGHTS.index, default="none")] += 1
        found[name] = {
            "reports": n,
            "doubts": dict(sorted(raised.items())),
            "heaviest": dict(sorted(heaviest.items())),
        }
    return found


def of_examples() -> Iterator[tuple[str, str, Any]]:
    """Walk the reports that the scripts of ``examples`` leave behind, with their names."""
    folder = ROOT / "examples"
    here = Path.cwd()
    for script in sorted(folder.glob("*.py")):
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                left = runpy.run_path(str(script))
        finally:
            os.chdir(here)
        for name, value in left.items():
            if hasattr(value, "doubts") and not isinstance(value, type):
                yield script.name, name, value


def table(found: dict[str, dict[str, Any]]) -> str:
    """Write one line per doubt: how often, and where most."""
    total = sum(each["reports"] for each in found.values())
    codes = sorted({code for each in found.values() for code in each["doubts"]})
    lines = [f"{total} reports in {len(found)} situations where nothing is wrong"]
    for weight in (*WEIGHTS, "none"):
        n = sum(each["heaviest"].get(weight, 0) for each in found.values())
        lines.append(f"heaviest doubt {weight}: {100 * n / total:.1f} %")
    for code in codes:
        raised = {name: each["doubts"].get(code, 0) for name, each in found.items()}
        most = max(raised, key=lambda name: raised[name] / found[name]["reports"])
        share = raised[most] / found[most]["reports"]
        everywhere = sum(raised.values()) / total
        lines.append(f"{code} {100 * everywhere:5.1f} %, most {100 * share:3.0f} %: {most}")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, and count."""
    parser = argparse.ArgumentParser(prog="python -m calibration.false_alarms")
    parser.add_argument("--scale", type=float, default=1.0, help="factor of all numbers")
    parser.add_argument("--only", default="", help="only situations with this in their name")
    parser.add_argument("--examples", action="store_true", help="the examples instead")
    parser.add_argument("--write", type=Path, default=MEASURED, help="where counts are kept")
    asked = parser.parse_args()
    if asked.examples:
        for script, name, report in of_examples():
            raised = {f"{doubt.code} ({doubt.weight})" for doubt in report.doubts}
            print(script, name, *sorted(raised))
        return
    found = counted(asked.scale, asked.only)
    print(table(found))
    if not asked.only:
        asked.write.parent.mkdir(exist_ok=True)
        asked.write.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
