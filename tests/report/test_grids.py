"""Reports by metric, slice and seed: what a person reads first, nothing of it twice."""

import re
from itertools import pairwise

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


def test_all_of_it_is_in_the_details_and_no_doubt_twice(by_metric):
    full = " ".join(by_metric.details.split())
    assert all(by_metric[metric].conclusion in full for metric in METRICS)
    codes = re.findall(r"(SKS\d+)", full.split("Doubts (")[1])[1:]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("more", [{}, {"third": 0.7}])
def test_facts_of_three_metrics_are_told_once(more):
    report = compared(new=0.8, old=0.79, **more, metric=METRICS, by=None)
    for text in (str(report), report.details):
        # Rows of label and text, without the lines that go on with a row.
        rows = [row for row in re.findall(r"(?m)^(\S[^\n]*?) {2,}(\S.*)$", text)
                if row[0][0].isupper()]  # fmt: skip
        assert len(set(rows)) == len(rows)
    assert str(report).count("paired permutation test") <= 1
    assert str(report).count("McNemar mid-p test") == 1
    assert str(report).count("From the best other:") == bool(more)  # below the last table


def test_details_of_eight_systems_in_five_slices_can_be_read():
    report = compared(**{f"s{i}": 0.85 - 0.03 * i for i in range(8)})
    text = report.details
    assert len(text.splitlines()) <= 120
    # The surest comparisons, with their numbers; the others are counted.
    lines = text.split("In pairs, slice by slice")[1].splitlines()[2:]
    n_shown = next(n for n, line in enumerate(lines) if "more in to_frame()" in line)
    least = sorted(pair.adjusted for _, part in report.each() for pair in part.pairs)[:n_shown]
    assert lines[n_shown].startswith(f"{140 - n_shown} more in to_frame().")
    for line, pvalue in zip(lines, least, strict=False):
        name, first, second, size, *_ = line.split()
        part = report[first, second][name]
        assert number(size) == pytest.approx(part.estimate, abs=6e-4)
        assert part.adjusted_pvalue == pytest.approx(pvalue, abs=1e-12)
    # A page has them all, to be unfolded.
    table = report.to_html().split("<summary>In pairs, slice by slice")[1]
    assert table.split("</tbody>")[0].count("<tr>") == 1 + 140


def test_no_sentence_on_a_slice_where_nothing_differs():
    report = compared(new=0.8, old=0.8)
    assert set(report.verdicts.values()) == {"undecided"}
    assert "No significant difference was found in any slice." in report.conclusion
    assert not any(f"In {name}:" in report.conclusion for name in report)


def test_slices_that_are_equivalent_as_all_rows_are_said_to_be():
    base = np.repeat(RNG.normal(0.7, 0.05, 240)[:, None], 2, axis=1)
    scores = base + RNG.normal(0, 0.01, (240, 2)) + [0.0126, 0.0]
    report = skstat.compare_scores(
        dict(zip(("new", "old"), scores.T, strict=True)), unit="instance", margin=0.03,
        by=np.repeat(["x", "y", "z"], 80), random_state=0,
    )  # fmt: skip
    assert set(report.verdicts.values()) == {"equivalent"}
    assert all(report[name].adjusted_pvalue < 0.05 for name in report)
    assert "new and old are equivalent in every slice." in report.conclusion
    assert "in any slice" not in report.conclusion  # all differ, by less than the margin


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


def test_of_very_many_pairs_the_surest_are_listed():
    table = 0.7 + 0.004 * np.arange(33) + 0.02 * np.random.default_rng(2).normal(size=(40, 33))
    many = skstat.compare_scores({f"s{j}": table[:, j] for j in range(33)}, unit="dataset")
    adjusted = re.findall(r"^s\d+ +s\d+ .*? ([\d.]+)  \S+$", many.details, re.M)
    assert len(adjusted) > 9 and all(a <= b for a, b in pairwise(map(float, adjusted)))
    assert "498 more in to_frame()" in many.details
    assert "28 more in to_frame()" in many.to_html()
