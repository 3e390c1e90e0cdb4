"""One row per comparison, the same columns in every report; and flat numbers for loggers."""

import math
from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris

import skstat
from tests.contract import reports_of
from tests.report.built import ANSWERS, NB, ON_DATASETS, SEEDS, STUMP, TRUTH, TWO

X, y = load_iris(return_X_y=True)
COLUMNS = [
    "first", "second", "n", "difference", "low", "high", "standard_error", "statistic", "df",
    "pvalue", "adjusted_pvalue", "verdict", "test", "estimand", "equivalence_pvalue",
    "p_better", "p_same", "p_worse", "same_verdict", "df_denominator", "better", "first_mean",
    "second_mean", "metric", "direction", "confidence_level", "unit", "doubts", "quantity",
    "margin", "rope",
]  # fmt: skip
TEXTS = {"first", "second", "metric", "direction", "better", "verdict", "unit", "quantity"}
TEXTS |= {"test", "estimand", "doubts"}

predicted = partial(skstat.compare_predictions, TRUTH, metric="accuracy")
over_datasets = partial(skstat.compare_scores, ON_DATASETS, unit="dataset")
by_halves = partial(skstat.five_by_two_cv_test, NB, STUMP, X, y, random_state=0)
REPORTS = {
    "two": by_halves,
    "loss": partial(by_halves, scoring="neg_log_loss", margin=0.1),
    "metrics": partial(by_halves, scoring=["accuracy", "neg_log_loss"]),
    "mcnemar": partial(predicted, TWO),
    "several": partial(predicted, ANSWERS),
    "control": partial(predicted, ANSWERS, control="poor"),
    "constant": lambda: skstat.binomial_test(TRUTH, ANSWERS["good"], constant=0.5),
    "datasets": over_datasets,
    "ranks": partial(over_datasets, post_hoc="nemenyi"),
    "seeds": partial(predicted, SEEDS, seeds="per-seed"),
    "equal": lambda: skstat.compare_scores({"a": [1.0, 2], "b": [1.0, 2]}, unit="seed"),
}


@pytest.fixture(scope="module")
def reports():
    return {name: make() for name, make in REPORTS.items()}


def parts_of(report):
    """Reports of two systems that a report is made of, whatever its kind."""
    if isinstance(report, skstat.Report):
        return reports_of(report)
    return [inner for part in report.reports.values() for inner in parts_of(part)]


def test_frames_have_the_same_columns_of_the_same_types_and_stack(reports):
    pytest.importorskip("pandas")
    for kind, report in reports.items():
        frame = report.to_frame()
        assert list(frame.columns) == COLUMNS, kind
        for column in COLUMNS:
            expected = "O" if column in TEXTS else "i" if column == "n" else "f"
            assert frame[column].dtype.kind == expected, (kind, column)


@pytest.mark.parametrize("kind", REPORTS)
def test_a_row_says_what_the_report_of_its_pair_says(reports, kind):
    pytest.importorskip("pandas")
    rows, parts = reports[kind].to_frame().to_dict("records"), parts_of(reports[kind])
    for row, part in zip(rows, parts, strict=True):
        assert (row["first"], row["second"], row["verdict"]) == (*part.names, part.verdict)
        adjusted = math.nan if part.adjusted_pvalue is None else part.adjusted_pvalue
        told = [part.estimate, part.pvalue, adjusted]
        found = [row[key] for key in ("difference", "pvalue", "adjusted_pvalue")]
        assert found == pytest.approx(told, nan_ok=True)
        assert part.better == (row["better"] if isinstance(row["better"], str) else None)
        assert {doubt.code for doubt in part.doubts} <= set(row["doubts"].split())
        if kind not in ("constant", "ranks", "datasets"):
            apart = row["first_mean"] - row["second_mean"]
            assert apart == pytest.approx(row["difference"], abs=1e-9)


def test_pairs_are_logged_by_their_names_but_an_only_one(reports):
    report = reports["mcnemar"]
    logged = report.metrics()
    assert logged["accuracy/difference"] == pytest.approx(report.estimate)
    assert logged["accuracy/good"] > logged["accuracy/poor"]
    assert (logged["accuracy/low"], logged["accuracy/high"]) == report.confidence_interval()
    assert logged["accuracy/pvalue"] == report.pvalue
    assert "accuracy/adjusted_pvalue" not in logged
    logged, pair = reports["several"].metrics(), reports["several"]["good", "poor"]
    assert logged["accuracy/good-poor/difference"] == pytest.approx(pair.estimate)
    assert logged["accuracy/good-poor/adjusted_pvalue"] == pytest.approx(pair.adjusted_pvalue)
    assert sum(name.endswith("/pvalue") for name in reports["seeds"].metrics()) == 3
    assert {"accuracy/difference", "log_loss/difference"} <= set(reports["metrics"].metrics())


def test_names_that_loggers_refuse_are_made_to_fit_and_kept_apart():
    scores = {"a:b": [0.8, 0.7, 0.9], "a/b": [0.6, 0.7, 0.5], "é/ü": [0.5] * 3, "..": [0.4] * 3}
    logged = skstat.compare_scores(scores, unit="seed", paired_seeds=True).metrics()
    assert logged["score/a_b"] == pytest.approx(0.8)
    assert logged["score/a_b 2"] == pytest.approx(0.6)
    assert {"score/___", "score/__"} <= set(logged)


@pytest.mark.parametrize("n_systems", [2, 3])
def test_numbers_of_slices_stand_beside_those_of_all_rows(n_systems):
    rng = np.random.default_rng(0)
    truth, kind = rng.integers(0, 2, 400), rng.choice(["E", "W"], 400)
    right = {f"m{i}": rng.random(400) < 0.9 - 0.2 * i * (kind == "E") for i in range(n_systems)}
    answers = {name: np.where(hits, truth, 1 - truth) for name, hits in right.items()}
    both = skstat.compare_predictions(
        truth, answers, metric=["accuracy", "f1"], by={"seg": kind}, random_state=0
    )
    for report in (both["accuracy"], both):
        logged = report.metrics()
        for name, hits in right.items():
            assert logged[f"accuracy/{name}"] == pytest.approx(hits.mean())
            for value in "EW":
                share = pytest.approx(hits[kind == value].mean())
                assert logged[f"accuracy/seg_{value}/{name}"] == share
                assert logged[f"accuracy/seg={value}/{name}"] == share
    with pytest.raises(KeyError):
        logged["accuracy/seg=X/m0"]


@pytest.mark.parametrize("n_systems", [2, 3])
def test_frames_of_losses_have_one_sign(n_systems):
    pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    losses = {
        name: rng.normal(2 + 0.3 * k, 0.2, 12) for k, name in enumerate("abc"[:n_systems])
    }
    options = {"test": "paired_t"} if n_systems == 2 else {"post_hoc": "paired_t"}
    report = skstat.compare_scores(losses, unit="dataset", scoring="rmse", **options)
    frame, logged = report.to_frame(), report.metrics()
    for row in frame.itertuples():
        first, second = losses[row.first], losses[row.second]
        t = stats.ttest_rel(first, second).statistic
        told = (first.mean() - second.mean(), t, row.low, row.high)
        assert row.low < row.difference < row.high and row.direction == "lower"
        pair = f"{row.first}-{row.second}/" * (n_systems > 2)
        names = ("difference", "statistic", "low", "high")
        assert [logged[f"rmse/{pair}{name}"] for name in names] == pytest.approx(told)
        assert [getattr(row, name) for name in names] == pytest.approx(told)
        found = report if n_systems == 2 else report[row.first, row.second]
        assert (found.estimate, found.statistic, *found.confidence_interval()) == pytest.approx(
            told
        )
        state = {name: column[0] for name, column in found.to_dict()["pairs"].items()}
        known = [state[name] for name in ("estimate", "statistic", "low", "high")]
        assert known == pytest.approx(told)
        assert found.systems[0].mean == pytest.approx(first.mean())
