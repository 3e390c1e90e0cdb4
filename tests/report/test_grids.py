"""Reports by metric, slice and seed: what a person reads first, nothing of it twice."""

import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import skstat

RNG = np.random.default_rng(0)
N = 600
TRUTH = RNG.integers(0, 2, N)
PLACE = np.array(["north", "south", "west", "east", "centre"])[RNG.integers(0, 5, N)]
METRICS = ["accuracy", "f1", "balanced_accuracy"]
MINUS = "\N{MINUS SIGN}"


def compared(*, fails_in="", metric="accuracy", by=PLACE, **skills):
    """Systems that are right so often; the first may fail in one place."""
    systems = {
        name: np.where(RNG.random(N) < skill, TRUTH, 1 - TRUTH)
        for name, skill in skills.items()
    }
    first = next(iter(systems))
    guess = (RNG.random(N) < 0.5).astype(int)
    systems[first] = np.where(fails_in == PLACE, guess, systems[first])
    return skstat.compare_predictions(TRUTH, systems, metric=metric, by=by, random_state=0)


def number(text):
    return float(text.replace(MINUS, "-"))


@pytest.fixture(scope="module")
def by_metric():
    return compared(new=0.9, old=0.78, metric=METRICS, fails_in="west")


def test_two_systems_in_slices_by_three_metrics_fit_a_screen(by_metric):
    lines = str(by_metric).splitlines()
    head, text = " ".join(lines[:6]), " ".join(lines)
    assert len(lines) <= 25 and max(map(len, lines)) <= 88
    # Every size and p-value of every slice is there, once.
    rows = [line for line in lines if line.split(" ")[0] in set(PLACE)]
    assert len(rows) == 5
    for row in rows:
        name, n, cells = row.split(maxsplit=2)
        assert int(n) == np.sum(name == PLACE)
        found = re.findall(rf"([+{MINUS}\d.]+) \(p ([=<]) ([\d.]+)\)", cells)
        for metric, (size, sign, p) in zip(METRICS, found, strict=True):
            part = by_metric[metric][name]
            assert number(size) == pytest.approx(part.estimate, abs=6e-4)
            near = pytest.approx(part.adjusted_pvalue, abs=6e-4)
            assert float(p) == near if sign == "=" else part.adjusted_pvalue < float(p)
    # And the sizes over all rows, with their intervals.
    for metric in METRICS:
        overall = by_metric[metric].overall
        sizes = rf" in {metric}, by ([\d.]+) \(95% interval ([\d.]+) to ([\d.]+)"
        (found,) = re.findall(sizes, head)
        shown = (overall.estimate, *overall.confidence_interval())
        assert list(map(float, found)) == pytest.approx(shown, abs=6e-4)
    assert "in 4 of 5 slices: old is better than new in west; new is better" in text
    assert "not adjusted for the number of metrics" in text


def test_performance_by_several_metrics_is_one_table():
    x = RNG.normal(size=(120, 3))
    y = (x[:, 0] + RNG.normal(size=120) > 0).astype(int)
    scoring = ["accuracy", "neg_log_loss"]
    report = skstat.estimate_performance(LogisticRegression(), x, y, scoring=scoring, cv=5)
    text = str(report)
    assert text.count("Training score: the mean score") == 1
    assert text.count("This estimates the expected score of") == 1
    for metric in report:
        (line,) = [ln for ln in text.splitlines() if re.match(rf"Log\w+ +{metric} ", ln)]
        size = abs(report[metric].estimate)
        assert float(line.split()[2]) == pytest.approx(size, abs=6e-3)
    assert report["neg_log_loss"] is report["log_loss"]
