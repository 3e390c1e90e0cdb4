"""Losses are shown as losses: under their own name, positive, in every form of a report."""

import re

import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error

import skstat
from tests.contract import check_report
from tests.report.built import MINUS, over_datasets, stands

pytest.importorskip("pandas")


def predicted(names="AB", **options):
    """A report on predictions, of which A are the best, and the errors of the systems."""
    drawn = np.random.default_rng(3)
    y = drawn.uniform(1.0, 9.0, 60)
    sizes = drawn.choice([-0.4, 0.4], (4, 60)) * drawn.uniform(0.5, 1.5, (4, 60))
    outputs = {name: y + (k + 1) * sizes[k] for k, name in enumerate(names)}
    errors = {name: mean_absolute_error(y, own) for name, own in outputs.items()}
    how = {"metric": "neg_mean_absolute_error", "random_state": 0}
    return skstat.compare_predictions(y, outputs, **how, **options), errors


def check_shown(report, losses):
    """Hold every form of a report to the losses of its systems, and the signs to each other."""
    assert report.lower
    check_report(report)
    pairs = len(losses) == 2
    forms = {name: getattr(report, f"to_{name}")() for name in ("html", "markdown", "latex")}
    forms |= {"text": report.details, "repr": repr(report)}
    forms |= {} if pairs else {"pairs": report.to_latex("pairs")}
    for name, text in forms.items():
        text = text.replace("\\", "")
        assert "neg_" not in text and "negated" not in text, name
        assert not any(stands(text, -loss, 3) for loss in losses.values()), name
        # These tables have differences, or the scores on data sets.
        if name != "pairs" and not (name == "latex" and (pairs or report.unit == "dataset")):
            assert all(stands(text, loss) for loss in losses.values()), name
    logged = report.metrics()
    for row in report.to_frame().to_dict("records"):
        first, second, difference = row["first"], row["second"], row["difference"]
        assert row["metric"] == report.metric.removeprefix("neg_")
        assert row["direction"] == "lower"
        means = [row["first_mean"], row["second_mean"]]
        assert means == pytest.approx([losses[first], losses[second]])
        if row["quantity"] == "difference":
            assert difference == pytest.approx(losses[first] - losses[second])
        assert not row["low"] > difference and not row["high"] < difference
        # Lower is better, and t has the sign of its difference.
        better = {"better": first, "worse": second}.get(row["verdict"])
        assert better is None or (better == first) == (difference < 0)
        if row["test"].endswith("t test"):
            assert row["statistic"] * difference > 0
        pair = report if pairs else report[first, second]
        assert (pair.estimate, pair.better) == (difference, better)
        assert pair.to_dict()["pairs"]["estimate"] == [difference]
        ends = pair.confidence_interval()
        for end, shown in zip(ends, (row["low"], row["high"]), strict=True):
            assert np.isinf(end) or end == pytest.approx(shown)
        assert difference in logged.values()


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("margin", [None, 0.05])
def test_the_interval_has_the_sign_of_its_difference(alternative, margin):
    report, errors = predicted(test="sign_flip", alternative=alternative, margin=margin)
    check_shown(report, errors)
    text = " ".join(report.details.split())
    ends = [end for end in report.confidence_interval() if np.isfinite(end)]
    assert all(stands(text, value) for value in (*ends, errors["A"] - errors["B"]))
    assert len(ends) == (2 if alternative == "two-sided" else 1)
    assert ("one-sided (A < B)" in text) == (alternative == "greater")
    assert ("one-sided (A > B)" in text) == (alternative == "less")
    assert ("one-sided 95% interval" in text) == (alternative != "two-sided")
    bound = {"greater": f"at most {MINUS}", "less": "at least "}
    assert bound.get(alternative, "") in text
    assert "\N{LEFTWARDS ARROW} A better" in report.to_html()
    # On the left, where the lower values are.
    assert re.search("A better [^A-Z]+ B better", str(report))


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("control", [None, "A"])
@pytest.mark.parametrize("post_hoc", ["paired_t", "wilcoxon", "sign"])
@pytest.mark.parametrize("turned", [False, True])
def test_losses_over_data_sets(control, post_hoc, turned):
    losses = np.random.default_rng(3).uniform(0.2, 0.4, (12, 3)) + np.array([0, 0.1, 0.2])
    named = dict(zip("ABC", (1 - 2 * turned) * losses.T, strict=True))
    given = {"scoring": "neg_log_loss" if turned else "log_loss"}
    given |= {} if turned else {"higher_is_better": False}
    report = over_datasets(named, control=control, test=post_hoc, **given)
    check_shown(report, dict(zip("ABC", losses.mean(axis=0), strict=True)))
    assert all(stands(report.to_latex(), loss) for loss in losses.ravel())
    best = report.conclusion.split("lowest")[0] if control is None else "A"
    ranks = report.systems.column("mean_rank")
    assert "A" in best and report.systems["A"].mean_rank == min(ranks)
