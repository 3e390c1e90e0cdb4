"""Are slices judged as they say? ``python -m calibration.slices``.

Twelve slices of 30 to 500 rows. *Alike*: two systems that are equally good in every slice; how
often a report names one, and how often it says that the difference varies. *Unlike*: one is
better by as much in every slice; how often all simultaneous intervals hold the truth, which is
that of two million rows. *A drop*: one of twelve slices of 100 rows loses .15 of its accuracy;
how often it is found, and how often by Holm's method on the tests of the slices by themselves.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from skstat import compare_predictions
from skstat.metrics import as_metric
from skstat.stats import AgreementTable, adjust_pvalues, mcnemar

FILE = Path(__file__).with_suffix(".json")
SIZES = (30, 30, 45, 60, 60, 80, 100, 120, 160, 240, 360, 500)
METRICS = ("accuracy", "neg_log_loss", "f1_macro", "roc_auc")
TIMES = 200
DROPS = 400
MOST = 2_000_000
_RATHER = 0.75  # between the means of the two classes
_NOISE = {"alike": (0.6, 0.6), "unlike": (0.5, 0.9)}


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
    """Draw the truth, and the outputs of two systems."""
    truth = (rng.random(n) < 0.35).astype(int)
    common = 1.5 * truth + 0.6 * rng.normal(size=n)
    shared = np.zeros((2, n))
    if groups is not None:
        of_groups = rng.normal(size=(3, int(groups.max()) + 1))[:, groups]
        common += 0.35 * of_groups[0]
        shared = 0.5 * of_groups[1:]
    scores = [common + shared[k] + _NOISE[kind][k] * rng.normal(size=n) for k in range(2)]
    if metric in ("accuracy", "f1_macro"):
        scores = [(score > _RATHER).astype(int) for score in scores]
    elif metric == "neg_log_loss":
        scores = [1 / (1 + np.exp(-2 * (score - _RATHER))) for score in scores]
    return truth, dict(zip("ab", scores, strict=True))


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
            verbose=False,
        )  # fmt: skip
        limits = [part.confidence_interval() for part in report.reports]
        found["named"] += bool(report.worse_in or report.better_in)
        found["varies"] += bool(report.between.pvalue < 0.05)
        found["missed"] += any(not low <= expected <= high for low, high in limits)
    return found


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
        tables = [_table(right, slices == name) for name in report.slices]
        for name, method in (("holm of mid-p", "midp"), ("holm of exact", "exact")):
            pvalues = [mcnemar(table, method=method).pvalue for table in tables]  # type: ignore[arg-type]
            found[name] += bool(adjust_pvalues(pvalues)[0] < 0.05)
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
    cells: dict[str, Any] = {"a drop": lambda: drops(DROPS)}
    for kind in _NOISE:
        for grouped in (False, True):
            for metric in METRICS:
                name = f"{metric}, {kind}{', groups' * grouped}"
                cells[name] = lambda m=metric, k=kind, g=grouped: count(m, k, g, TIMES)
    for name, ask in cells.items():
        if asked.setting in name:
            known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
            known[name] = ask()
            text = json.dumps(known, indent=1, sort_keys=True)
            FILE.write_text(text + "\n", encoding="utf-8")
            print(name, known[name], flush=True)


if __name__ == "__main__":
    main()
