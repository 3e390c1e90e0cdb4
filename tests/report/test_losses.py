"""Losses are shown as losses: under their own name, positive, in every form of a report."""

import json
import re

import numpy as np
import pytest
from sklearn import metrics
from sklearn.linear_model import LinearRegression, Ridge

import skstat
from skstat.report import report_from_dict
from skstat.stats import ScoreTable
from tests.contract import check_report

MINUS = "\N{MINUS SIGN}"


def rng():
    return np.random.default_rng(3)


def regression(n=60):
    """Targets, and outputs of systems of growing error: A is the best."""
    drawn = rng()
    y = drawn.uniform(1.0, 9.0, n)
    outputs = {
        name: y + 0.4 * (place + 1) * drawn.choice([-1.0, 1.0], n) * drawn.uniform(0.5, 1.5, n)
        for place, name in enumerate("ABCD")
    }
    return y, outputs


def probabilities(n=80):
    drawn = rng()
    y = drawn.integers(0, 2, n)
    sure = [0.9, 0.8, 0.7, 0.6]
    outputs = {
        name: np.clip(np.where(y, p, 1 - p) + drawn.normal(0, 0.05, n), 0.02, 0.98)
        for name, p in zip("ABCD", sure, strict=True)
    }
    return y, outputs


LOSSES = {
    "neg_mean_absolute_error": (metrics.mean_absolute_error, regression),
    "neg_root_mean_squared_error": (metrics.root_mean_squared_error, regression),
    "neg_log_loss": (metrics.log_loss, probabilities),
    "neg_brier_score": (metrics.brier_score_loss, probabilities),
}


def forms_of(report):
    """Every form that is read, by its name."""
    forms = {
        "text": report.details,
        "repr": repr(report),
        "html": report.to_html(),
        "markdown": report.to_markdown().replace("\\", ""),
        "latex": report.to_latex().replace("\\", ""),
    }
    if isinstance(report, skstat.Report) and report.ranked:
        forms["latex of pairs"] = report.to_latex("pairs").replace("\\", "")
    return forms


def written(text, value, decimals=1):
    """Whether a number stands in a text, to as many digits as are written there."""
    found = re.findall(rf"{MINUS}?\d+\.\d{{{decimals},}}", text.replace("$-$", MINUS))
    return any(
        abs(float(number.replace(MINUS, "-")) - value)
        <= 0.51 * 10 ** -len(number.partition(".")[2])
        for number in found
    )


def check_shown(report, losses):
    """Hold every form of a report to the losses of its systems."""
    assert report.lower
    check_report(report)
    before = report.to_dict()
    for name, text in forms_of(report).items():
        assert "neg_" not in text and "negated" not in text, name
        assert report.metric.removeprefix("neg_") in text or name == "latex", name
        for loss in losses.values():
            assert not written(text, -loss, 3), f"{name} shows {-loss}"
            if name != "latex of pairs" and not (name == "latex" and len(losses) == 2):
                assert written(text, loss), f"{name} does not show {loss}"
    # What is kept comes back as it was.
    restored = report_from_dict(json.loads(report.to_json()))
    assert restored.to_dict() == before == report.to_dict()
    assert restored.details == report.details


def differences_in(report):
    pytest.importorskip("pandas")
    frame = report.to_frame()
    assert not frame["metric"].str.startswith("neg_").any()
    return frame


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("metric", LOSSES)
@pytest.mark.parametrize("k", [2, 4])
def test_losses_of_predictions(metric, k):
    function, draw = LOSSES[metric]
    y, outputs = draw()
    outputs = dict(list(outputs.items())[:k])
    losses = {name: float(function(y, output)) for name, output in outputs.items()}
    report = skstat.compare_predictions(y, outputs, metric=metric, random_state=0)
    check_shown(report, losses)
    frame = differences_in(report)
    for _, row in frame.iterrows():
        assert row["difference"] == pytest.approx(losses[row["first"]] - losses[row["second"]])
        assert row["low"] <= row["difference"] <= row["high"]
        assert row["difference"] < 0 and row["verdict"] in ("better", "undecided")


def test_a_loss_that_is_called_on_every_resample():
    y, outputs = regression(12)
    two = {name: outputs[name] for name in "AB"}
    report = skstat.compare_predictions(
        y, two, metric="neg_max_error", n_resamples=99, random_state=0
    )
    check_shown(report, {name: metrics.max_error(y, output) for name, output in two.items()})


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("margin", [None, 0.05])
def test_the_interval_has_the_sign_of_its_difference(alternative, margin):
    y, outputs = regression()
    report = skstat.compare_predictions(
        y,
        {name: outputs[name] for name in "AB"},
        metric="neg_mean_absolute_error",
        test="sign_flip",
        alternative=alternative,
        margin=margin,
        random_state=0,
    )
    errors = {name: float(np.abs(outputs[name] - y).mean()) for name in "AB"}
    check_shown(report, errors)
    difference = errors["A"] - errors["B"]
    assert written(report.details, difference)
    low, high = report.confidence_interval()
    for end in (low, high):
        if np.isfinite(end):
            assert written(report.details, end)
    text = " ".join(report.details.split())
    assert ("one-sided (A < B)" in text) == (alternative == "greater")
    assert ("one-sided 95% interval" in text) == (alternative != "two-sided")
    words = {"greater": "at most", "less": "at least"}
    if alternative in words:
        assert f"{words[alternative]} {MINUS if alternative == 'greater' else ''}" in text
    drawn = report.to_html()
    assert "\N{LEFTWARDS ARROW} A better" in drawn


@pytest.mark.long
def test_losses_of_estimators():
    drawn = rng()
    X = drawn.normal(size=(80, 3))
    y = 5 + X @ [1.0, 0.5, 0.2] + drawn.normal(0, 0.3, 80)
    models = {"ols": LinearRegression(), "ridge": Ridge(50), "flat": Ridge(1e6)}
    scoring = "neg_mean_absolute_error"
    for named in (models, dict(list(models.items())[:2])):
        report = skstat.compare_estimators(named, X, y, scoring=scoring, random_state=0)
        means = (
            {name: -float(report.evidence.run.column(name, scoring).mean()) for name in named}
            if (getattr(report, "run", None) is not None)
            else {
                name: part["mean"]
                for name, part in zip(report.names, report.to_dict()["scores"], strict=True)
            }
        )
        check_shown(report, means)


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("control", [None, "A"])
@pytest.mark.parametrize("post_hoc", [None, "wilcoxon", "paired_t", "sign"])
@pytest.mark.parametrize("given", ["scores", "losses"])
def test_losses_over_data_sets(control, post_hoc, given):
    losses = rng().uniform(0.2, 0.4, (12, 3)) + np.array([0, 0.1, 0.2])
    table = ScoreTable(
        losses if given == "losses" else -losses,
        systems=list("ABC"),
        unit="dataset",
        higher_is_better=given == "scores",
    )
    options = {} if post_hoc is None else {"post_hoc": post_hoc}
    report = skstat.compare_scores(table, scoring="neg_log_loss", control=control, **options)
    means = dict(zip("ABC", losses.mean(axis=0), strict=True))
    forms = forms_of(report)
    check_report(report)
    for name, text in forms.items():
        assert "neg_" not in text and "negated" not in text, name
        assert not any(written(text, -loss) for loss in means.values()), name
    assert all(written(forms["text"], loss) for loss in means.values())
    assert all(written(forms["latex"], loss) for loss in losses.ravel())
    if report.evidence.pairwise.outcomes[0].scale == "score":
        for _, row in differences_in(report).iterrows():
            assert row["difference"] * (means[row["first"]] - means[row["second"]]) > 0


class TestPlots:
    @pytest.fixture(autouse=True)
    def _matplotlib(self, close_figures):
        pytest.importorskip("matplotlib")

    @pytest.mark.long(keep=1)
    @pytest.mark.parametrize("metric", LOSSES)
    def test_of_two(self, metric):
        function, draw = LOSSES[metric]
        y, outputs = draw()
        two = {name: outputs[name] for name in "AB"}
        report = skstat.compare_predictions(y, two, metric=metric, random_state=0)
        display = report.plot()
        difference = function(y, outputs["A"]) - function(y, outputs["B"])
        assert display.estimate == pytest.approx(difference)
        assert display.interval[0] <= difference <= display.interval[1]
        assert "neg_" not in display.ax_.get_xlabel()
        assert "lower is better" in display.ax_.get_xlabel()
        assert display.ax_.get_title("left") == "\N{LEFTWARDS ARROW} A better"
        assert display.ax_.get_title("right") == "B better \N{RIGHTWARDS ARROW}"

    @pytest.mark.parametrize("kind", [None, "intervals"])
    def test_of_four(self, kind):
        y, outputs = regression()
        report = skstat.compare_predictions(
            y, outputs, metric="neg_mean_absolute_error", random_state=0
        )
        display = report.plot(kind=kind)
        assert "neg_" not in display.ax_.get_xlabel()
        assert "lower is better" in display.ax_.get_xlabel()
        assert display.ax_.get_title("left").startswith("\N{LEFTWARDS ARROW} ")
        assert display.ax_.get_title("right").startswith(("worse", "second better"))
        assert display.estimates[0] < 0

    def test_of_a_table(self):
        losses = rng().uniform(0.2, 0.4, (12, 3)) + np.array([0, 0.1, 0.2])
        table = ScoreTable(-losses, systems=list("ABC"), unit="dataset")
        report = skstat.compare_scores(table, scoring="neg_log_loss")
        scores = report.plot(kind="scores", color_by="score")
        assert np.array_equal(np.sort(scores.values, axis=1), np.sort(losses, axis=1))
        assert scores.dark == "low" and "neg_" not in scores.ax_.get_xlabel()
        assert "neg_" not in report.plot(kind="wins").ax_.get_xlabel()
