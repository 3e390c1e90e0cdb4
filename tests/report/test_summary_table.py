"""The table of systems by metrics: what it says is what the report and single systems say."""

import math
from itertools import groupby
from operator import itemgetter

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

import skstat
from tests.contract import changed
from tests.report.built import ANSWERS, NB, SEEDS, STUMP, TRUTH, TWO

X, y = load_iris(return_X_y=True)
X, y = X[50:], y[50:]
RNG = np.random.default_rng(0)
MARGINS = {name: TRUTH + RNG.normal(size=150) * size for name, size in (("a", 0.5), ("b", 1.0))}
TABLE = RNG.normal(size=(14, 3)) + np.array([0.0, 0.2, 2.0])
TABLE = dict(zip("abc", TABLE.T, strict=True))
METRICS = ["accuracy", "neg_log_loss"]
KFOLD = KFold(5, shuffle=True, random_state=0)
THREE = {"nb": NB, "stump": STUMP, "deep": DecisionTreeClassifier(random_state=0)}
KIND = RNG.choice(list("ABC"), 150)


def estimators(names="nb stump deep", **options):
    named = {name: THREE[name] for name in names.split()}
    return skstat.compare_estimators(named, X, y, random_state=0, **options)


def predictions(answers=ANSWERS, metric="accuracy", **options):
    return skstat.compare_predictions(TRUTH, answers, metric=metric, random_state=0, **options)


REPORTS = {
    "estimators": lambda: estimators(scoring=METRICS),
    "nine tenths": lambda: estimators(train_size=0.9),
    "two estimators": lambda: estimators("nb stump"),
    "one partition": lambda: estimators("nb stump", cv=KFOLD),
    "known score": lambda: skstat.compare_to_baseline(NB, X, y, strategy=0.8, random_state=0),
    "performance": lambda: skstat.estimate_performance(
        {"nb": NB, "stump": STUMP}, X, y, scoring=METRICS, random_state=0
    ),
    "predictions": lambda: predictions(metric=["accuracy", "zero_one_loss", "f1"]),
    "areas": lambda: predictions(MARGINS, ["roc_auc", "r2"]),
    "control": lambda: predictions(control="poor"),
    "constant": lambda: skstat.binomial_test(TRUTH, ANSWERS["good"], constant=0.5),
    "crossed": lambda: predictions(SEEDS, seeds="crossed"),
    "per seed": lambda: predictions(SEEDS, seeds="per-seed"),
    "scores": lambda: skstat.compare_scores(TABLE, n_train=60, n_test=30),
    "datasets": lambda: skstat.compare_scores(TABLE, unit="dataset"),
    "mean ranks": lambda: skstat.compare_scores(TABLE, unit="dataset", test="nemenyi"),
    "losses": lambda: skstat.compare_scores(TABLE, unit="dataset", higher_is_better=False),
    "leaderboard": lambda: skstat.rank_systems(TABLE, unit="instance", random_state=0),
    "one-sided": lambda: skstat.compare_scores(
        TABLE, unit="dataset", control="a", alternative="greater"
    ),
}


@pytest.fixture(scope="module")
def reports():
    return {name: make() for name, make in REPORTS.items()}


def parts_of(report):
    """One report per metric or seed."""
    return [report] if isinstance(report, skstat.Report) else list(report.reports.values())


def metrics_of(table):
    """The rows of each metric."""
    return [list(rows) for _, rows in groupby(table.rows, key=itemgetter("metric"))]


def decisive(row):
    """The adjusted p-value, where there is one."""
    return row["pvalue"] if math.isnan(row["adjusted_pvalue"]) else row["adjusted_pvalue"]


@pytest.mark.parametrize("kind", [kind for kind in REPORTS if kind != "performance"])
def test_differences_and_pvalues_are_those_of_the_pairs(reports, kind):
    report = reports[kind]
    table, parts = report.summary_table(), parts_of(report)
    for rows, part in zip(metrics_of(table), parts, strict=True):
        for row in rows:
            name, reference = row["system"], row["reference"]
            if name == reference:
                assert math.isnan(row["difference"]) and row["better"] is None
                continue
            pair = part if kind == "per seed" else part[name, reference]
            sign = -1 if kind == "per seed" and name == "poor" else 1
            assert row["difference"] == pytest.approx(sign * pair.estimate)
            ends = sorted(sign * end for end in pair.confidence_interval())
            known = [math.nan if math.isinf(end) else end for end in ends]
            limits = [row["difference_low"], row["difference_high"]]
            assert limits == pytest.approx(known, nan_ok=True)
            adjusted = math.nan if pair.adjusted_pvalue is None else pair.adjusted_pvalue
            ps = [row["pvalue"], row["adjusted_pvalue"]]
            assert ps == pytest.approx([pair.pvalue, adjusted], nan_ok=True)
            assert row["better"] == pair.better or kind == "per seed"
            assert bool(row["stars"]) == (decisive(row) < 0.05)


def test_only_a_reference_that_was_compared_is_taken(reports):
    with pytest.raises(ValueError, match="control='new' was not compared .*: use one of"):
        reports["scores"].summary_table(control="new")
    with pytest.raises(ValueError, match=r"use one of \['poor'\]"):
        reports["control"].summary_table(control="good")
    with pytest.raises(ValueError, match="compares no systems"):
        skstat.estimate_performance(NB, X, y).summary_table(control="GaussianNB")


def test_stars_follow_the_level_of_the_report(reports):
    for level in (0.9, 0.95, 0.99):
        table = changed(reports["datasets"], confidence_level=level).summary_table()
        alpha = 1 - level
        stars = f"* p < {alpha:.2g}, ** p < {alpha / 5:.2g}, *** p < {alpha / 50:.2g}."
        assert stars in table.notes
        for row in table.rows:
            if row["system"] != row["reference"]:
                n = sum(decisive(row) < alpha / share for share in (1, 5, 50))
                assert row["stars"] == "*" * n
                assert (n > 0) == (row["better"] is not None)


def test_what_is_not_valid_has_no_stars_and_no_intervals_of_its_own():
    table = predictions(SEEDS, seeds="pooled").summary_table()
    good, poor = table.rows
    assert good["pvalue"] < 0.001 and good["stars"] == ""
    assert math.isnan(good["low"]) and math.isnan(poor["low"])
    assert "SKS117" in table.notes[0] and "p < 0.05" not in str(table)


def noted(report):
    return " ".join(report.summary_table().notes)


def test_what_must_be_drawn_is_kept_once_somebody_asked():
    report = predictions(TWO, "f1")
    early = skstat.report_from_dict(report.to_dict())
    assert report.to_dict()["evidence"]["own_scores"] is None
    assert "they need the rows, which a stored report does not hold" in noted(early)
    table = str(report.summary_table())
    kept = report.to_dict()["evidence"]["own_scores"]
    assert set(kept) == set(TWO) and "9999 bootstrap" in kept["good"][2]
    kept = skstat.report_from_dict(report.to_dict())
    assert str(kept.summary_table()) == table


def sliced(*names, **options):
    answers = {name: ANSWERS[name] for name in names or ANSWERS}
    return predictions(answers, by={"kind": KIND}, n_resamples=999, **options)


@pytest.mark.parametrize(
    ("names", "control"), [(("good", "poor"), None), ((), None), ((), "fair")]
)
def test_every_slice_has_all_systems_and_one_note(names, control):
    report = sliced(*names, control=control)
    parts = metrics_of(report.summary_table())
    titles = ["accuracy", *(f"accuracy, kind={value}" for value in "ABC")]
    assert [rows[0]["metric"] for rows in parts] == titles
    for found, value in zip(parts, " ABC", strict=True):
        rows = value == KIND if value.strip() else np.ones(150, dtype=bool)
        score = {name: (ANSWERS[name] == TRUTH)[rows].mean() for name in report.overall.names}
        assert {row["system"]: row["score"] for row in found} == pytest.approx(score)
        for row in found:
            if row["system"] != row["reference"]:
                apart = score[row["system"]] - score[row["reference"]]
                assert row["difference"] == pytest.approx(apart) and 0 <= row["pvalue"] <= 1
        assert control is None or {row["reference"] for row in found} == {control}
    if control is None:
        asked = report.summary_table(control="poor").rows
        assert {row["reference"] for row in asked} == {"poor"}
    note, two = noted(report), bool(names)
    n, what = (3, "slices") if two else (report.n_comparisons, "pairs in slices")
    assert f"adjusted by the min-P method for {n} {what}" in note and "not adjusted" not in note
    assert report.results_text().count("Cochran's Q") == note.count("Cochran's Q") == 1
    if names:  # metrics are still not adjusted for each other
        both = sliced(*names, metric=["accuracy", "f1"])
        assert "not adjusted for the number of metrics" in noted(both)
