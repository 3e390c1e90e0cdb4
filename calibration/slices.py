"""Are slices judged as they say? ``python -m calibration.slices``.

Twelve slices of 30 to 500 rows. *Alike*: two systems that are equally good in every slice; how
often a report names one, and how often it says that the difference varies. *Unlike*: one is
better by as much in every slice; how often all simultaneous intervals hold the truth, which is
that of two million rows. *Three*: three systems that are equally good in every slice. *A drop*:
one of twelve slices of 100 rows loses .15 of its accuracy; how often it is found, and how often
by Holm's method on the tests of the slices by themselves. *Shared*: 4000 rows in slices by
country and by age, of which each row has one; a country of 8 % of the rows loses .15 of its
accuracy, or that and an age. How often all of these are named, and how often others.

*Learners*: two unlike estimators in four slices, by the default splits; how often an
interval (all of them at once) misses the mean difference of as many training rows, and how
often the difference is said to vary between four slices that are made by chance.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_estimators, compare_predictions, make_slices
from skstat.metrics import as_metric
from skstat.stats import AgreementTable, adjust_pvalues, mcnemar

FILE = Path(__file__).with_suffix(".json")
SIZES = (30, 30, 45, 60, 60, 80, 100, 120, 160, 240, 360, 500)
SCORINGS = ("accuracy", "neg_brier_score")
METRICS = ("accuracy", "neg_log_loss", "f1_macro", "roc_auc")
TIMES = 200
MORE_TIMES = 1000  # of three systems, where 200 left open whether the level is kept
DROPS = 400
MOST = 2_000_000
_RATHER = 0.75  # between the means of the two classes
_NOISE = {"alike": (0.6, 0.6), "unlike": (0.5, 0.9), "three": (0.6, 0.6, 0.6)}
# Of learners: rows of a data set, training sets of the truth, and rows that test each.
N_ROWS, _TRAININGS, _TESTED = 400, 2_000, 4_000


def groups_of(rng: np.random.Generator, sizes: Any) -> Any:
    """Groups of one to six rows, each within a slice."""
    found, first = [], 0
    for size in sizes:
        each = rng.integers(1, 7, size=size)
        labels = np.repeat(np.arange(size), each)[:size]
        found.append(first + labels)
        first += int(labels[-1]) + 1
    return np.concatenate(found)


def outputs_of(rng: np.random.Generator, metric: str, kind: str, groups: Any, n: int) -> Any:
    """Draw the truth, and the outputs of the systems."""
    truth = (rng.random(n) < 0.35).astype(int)
    common = 1.5 * truth + 0.6 * rng.normal(size=n)
    noise = _NOISE[kind]
    shared = np.zeros((len(noise), n))
    if groups is not None:
        of_groups = rng.normal(size=(1 + len(noise), int(groups.max()) + 1))[:, groups]
        common += 0.35 * of_groups[0]
        shared = 0.5 * of_groups[1:]
    scores = [
        common + own + size * rng.normal(size=n)
        for own, size in zip(shared, noise, strict=True)
    ]
    if metric in ("accuracy", "f1_macro"):
        scores = [(score > _RATHER).astype(int) for score in scores]
    elif metric == "neg_log_loss":
        scores = [1 / (1 + np.exp(-2 * (score - _RATHER))) for score in scores]
    return truth, dict(zip("abc", scores, strict=False))


def truth_of(metric: str, grouped: bool) -> float:
    """Difference of two unlike systems, by many rows."""
    rng = np.random.default_rng(99)
    groups = np.arange(MOST) // 3 if grouped else None
    truth, outputs = outputs_of(rng, metric, "unlike", groups, MOST)
    score = as_metric(metric)
    return float(score(truth, outputs["a"]) - score(truth, outputs["b"]))


def count(metric: str, kind: str, grouped: bool, times: int) -> dict[str, Any]:
    """Ask as many data sets, and count what was found."""
    slices = np.repeat(np.arange(len(SIZES)).astype(str), SIZES)
    expected = truth_of(metric, grouped) if kind == "unlike" else 0.0
    found = {"times": times, "named": 0, "varies": 0, "missed": 0, "truth": expected}
    for number in range(times):
        rng = np.random.default_rng([number, METRICS.index(metric), grouped, kind == "unlike"])
        groups = groups_of(rng, SIZES) if grouped else None
        truth, outputs = outputs_of(rng, metric, kind, groups, len(slices))
        report: Any = compare_predictions(
            truth, outputs, metric=metric, by=slices, groups=groups, random_state=number,
        )  # fmt: skip
        # As the truth, in the sign of scores: higher is better.
        limits = [
            part.evidence.outcome.confidence_interval() for part in report.reports.values()
        ]
        found["named"] += bool(report.worse_in or report.better_in)
        found["varies"] += any(one.between_p < 0.05 for one in report.pairs)
        found["missed"] += any(not low <= expected <= high for low, high in limits)
    return found


def three(metric: str, grouped: bool, times: int) -> dict[str, Any]:
    """Ask three systems that are equally good in every slice."""
    slices = np.repeat(np.arange(len(SIZES)).astype(str), SIZES)
    found = {"times": times, "named": 0, "varies": 0}
    for number in range(times):
        rng = np.random.default_rng([number, METRICS.index(metric), grouped, 3])
        groups = groups_of(rng, SIZES) if grouped else None
        truth, outputs = outputs_of(rng, metric, "three", groups, len(slices))
        report: Any = compare_predictions(
            truth, outputs, metric=metric, by=slices, groups=groups, random_state=number,
        )  # fmt: skip
        found["named"] += any(
            one.better is not None for part in report.reports.values() for one in part.pairs
        )
        found["varies"] += any(one.between_p < 0.05 for one in report.pairs)
    return found


def rows_of(rng: np.random.Generator, n: int, grouped: bool) -> Any:
    """Draw rows: columns, class, slice, and the group of each."""
    groups = np.arange(n) // 4 if grouped else np.arange(n)
    own = rng.normal(size=(int(groups.max()) + 1, 3))[groups] * (0.7 if grouped else 0.0)
    X = own + rng.normal(size=(n, 3)) * (0.7 if grouped else 1.0)
    where = rng.integers(0, 4, size=int(groups.max()) + 1)[groups]
    signal = np.where(where < 2, X[:, 0] + X[:, 1], np.abs(X[:, 0]) * 2 - 1.6)
    y = (signal + rng.normal(size=n) > 0).astype(int)
    return X, y, where, groups


def learners(scoring: str, grouped: bool, times: int) -> dict[str, Any]:
    """Ask two unlike estimators in four slices, and count intervals that miss the truth.

    In four slices by chance the difference does not vary: that is counted too.
    """
    models = {"lda": LinearDiscriminantAnalysis(), "tree": DecisionTreeClassifier(max_depth=3)}
    rng = np.random.default_rng([7, grouped])
    true = np.zeros((_TRAININGS, 4))
    for number in range(_TRAININGS):
        X, y, _, _ = rows_of(rng, N_ROWS // 2, grouped)
        fitted = [model.fit(X, y) for model in models.values()]
        X, y, where, _ = rows_of(rng, _TESTED, grouped)
        a, b = (_row_scores(model, X, y, scoring) for model in fitted)
        true[number] = [(a - b)[where == k].mean() for k in range(4)]
    truth = true.mean(axis=0)
    found = {"times": times, "missed": 0, "varies": 0, "truth": truth.round(5).tolist()}
    for number in range(times):
        rng = np.random.default_rng([number, 8, grouped])
        X, y, where, groups = rows_of(rng, N_ROWS, grouped)
        report: Any = compare_estimators(
            models, X, y, scoring=scoring, groups=groups if grouped else None,
            by=where.astype(str), random_state=number, verbose=False,
        )  # fmt: skip
        limits = {name: report[name].evidence.outcome.confidence_interval() for name in report}
        found["missed"] += any(
            not low <= truth[int(name)] <= high for name, (low, high) in limits.items()
        )
        by_chance = rng.integers(0, 4, size=len(y))[groups]
        report = compare_estimators(
            models, X, y, scoring=scoring, groups=groups if grouped else None,
            by=by_chance.astype(str), random_state=number, verbose=False,
        )  # fmt: skip
        found["varies"] += any(one.between_p < 0.05 for one in report.pairs)
    return found


def _row_scores(model: Any, X: Any, y: Any, scoring: str) -> Any:
    if scoring == "accuracy":
        return (model.predict(X) == y).astype(float)
    chances = model.predict_proba(X)[np.arange(len(y)), y]
    return -((1 - chances) ** 2)


def drops(times: int) -> dict[str, int]:
    """Count how often a drop in one of twelve slices is found."""
    slices = np.repeat(np.arange(12).astype(str), 100)
    found = {"times": times, "min-p": 0, "holm of mid-p": 0, "holm of exact": 0}
    for number in range(times):
        rng = np.random.default_rng([number, 12])
        falls = slices == "0"
        both = rng.random(len(slices)) < 0.85
        only_old = rng.random(len(slices)) < np.where(falls, 1 / 6, 0.02)
        only_new = ~only_old & (rng.random(len(slices)) < 0.02)
        outputs = {"new": (both | only_new) & ~only_old, "old": (both | only_old) & ~only_new}
        right = {name: value.astype(int) for name, value in outputs.items()}
        ones = np.ones(len(slices), dtype=int)
        report: Any = compare_predictions(
            ones, right, metric="accuracy", by=slices, random_state=number
        )
        found["min-p"] += "0" in report.worse_in
        tables = [_table(right, slices == name) for name in report]
        for name, method in (("holm of mid-p", "midp"), ("holm of exact", "exact")):
            pvalues = [mcnemar(table, method=method).pvalue for table in tables]  # type: ignore[arg-type]
            found[name] += bool(adjust_pvalues(pvalues)[0] < 0.05)
    return found


def shared(broken: tuple[str, ...], times: int) -> dict[str, int]:
    """Count how often the broken ones of slices that share rows are named, and others."""
    found = {"times": times, "named": 0, "others": 0}
    for number in range(times):
        rng = np.random.default_rng([number, len(broken), 4])
        country = rng.choice(["DE", "FR", "IT", "PL"], size=4000, p=[0.4, 0.3, 0.22, 0.08])
        age = rng.integers(18, 80, size=4000)
        slices = make_slices({"country": country, "age": age}, bins={"age": [30, 45, 60]})
        falls = np.isin(np.arange(4000), np.concatenate([slices.rows[name] for name in broken]))
        right = rng.random(4000) < 0.85
        outputs = {
            "new": right & (rng.random(4000) > np.where(falls, 0.2, 0.025)),
            "old": right & (rng.random(4000) > 0.025),
        }
        report: Any = compare_predictions(
            np.ones(4000, dtype=int),
            {name: value.astype(int) for name, value in outputs.items()},
            metric="accuracy", by=slices, random_state=number,
        )  # fmt: skip
        found["named"] += {*broken} <= {*report.worse_in}
        found["others"] += not {*report.worse_in, *report.better_in} <= {*broken}
    return found


def _table(right: dict[str, Any], rows: Any) -> AgreementTable:
    a, b = right["new"][rows] == 1, right["old"][rows] == 1
    return AgreementTable(
        int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())
    )


def main() -> None:
    """Read the command line, and count."""
    parser = argparse.ArgumentParser(prog="python -m calibration.slices")
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    asked = parser.parse_args()
    cells: dict[str, Any] = {
        "a drop": lambda: drops(DROPS),
        "shared, a country": lambda: shared(("country=PL",), TIMES),
        "shared, a country and an age": lambda: shared(("country=PL", "age >= 60"), TIMES),
    }
    for kind in ("alike", "unlike"):
        for grouped in (False, True):
            for metric in METRICS:
                name = f"{metric}, {kind}{', groups' * grouped}"
                cells[name] = lambda m=metric, k=kind, g=grouped: count(m, k, g, TIMES)
    for grouped in (False, True):
        for metric in ("accuracy", "f1_macro"):
            name = f"{metric}, three{', groups' * grouped}"
            times = TIMES if grouped else MORE_TIMES
            cells[name] = lambda m=metric, g=grouped, n=times: three(m, g, n)
        for scoring in SCORINGS:
            name = f"{scoring}, learners{', groups' * grouped}"
            cells[name] = lambda s=scoring, g=grouped: learners(s, g, TIMES)
    for name, ask in cells.items():
        if asked.setting in name:
            known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
            known[name] = ask()
            text = json.dumps(known, indent=1, sort_keys=True)
            FILE.write_text(text + "\n", encoding="utf-8")
            print(name, known[name], flush=True)


if __name__ == "__main__":
    main()
