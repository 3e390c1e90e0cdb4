"""The study of tests over splits for any metric: its fits, its scores, and what it counted."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.feature_selection import SelectKBest
from sklearn.kernel_ridge import KernelRidge as KernelRidgeRegressor
from sklearn.linear_model import Lasso as LassoRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RidgeRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from calibration import nine_tenths
from calibration.losses import SETTINGS
from calibration.losses.designs import HALVES, NINE, RANDOM
from calibration.losses.laws import Classes
from calibration.losses.learners import (
    LDA,
    Boosting,
    KernelRidge,
    Lasso,
    Logistic,
    NaiveBayes,
    Neighbours,
    Ridge,
    Selected,
)
from calibration.losses.limits import LIMITS, reason_for
from calibration.losses.scores import AVERAGE_PRECISION, MATTHEWS, USUAL, score_folds
from calibration.losses.settings import BALANCED, CONSTRUCTED, LINEAR, LOP_SIDED, RARE, Alike
from calibration.nine_tenths import CHANGE
from calibration.readings import COVERAGE, NULL, POWER, TRUTH_ABOVE, TRUTH_BELOW
from calibration.tally import Results
from skstat import estimate_performance
from skstat.metrics import as_metric
from skstat.stats import Predictions

TEN = Classes(name="10 classes", n_classes=10, delta=1.5)


def drawn(law, n=60, number=3):
    setting = Alike(law=law, n=n, learner=NaiveBayes())
    return setting.draw(np.random.SeedSequence(0, spawn_key=(0, number)))


def of_class_1(model, X):
    return model.predict_proba(X)[:, 1]


def every_class(model, X):
    return model.predict_proba(X)


def number(model, X):
    return model.predict(X)


# Ten classes: the smallest variance is a fixed one, not a share of the largest.
# Older versions of LDA give slightly other probabilities; the study ran with the newest.
@pytest.mark.long
@pytest.mark.parametrize(
    "learner, law, estimator, say",
    [
        (Logistic(0.1), BALANCED, LogisticRegression(C=0.1, tol=1e-9), of_class_1),
        (Logistic(1.0), RARE, LogisticRegression(tol=1e-9, max_iter=500), of_class_1),
        (Ridge(1.0), LINEAR, RidgeRegressor(1.0), number),
        (Ridge(1000.0), LINEAR, RidgeRegressor(1000.0), number),
        (Lasso(0.1), LINEAR, LassoRegressor(0.1, tol=1e-10), number),
        (NaiveBayes(), BALANCED, GaussianNB(), of_class_1),
        (NaiveBayes(), TEN, GaussianNB(var_smoothing=1e-3), every_class),
        (LDA(), BALANCED, LinearDiscriminantAnalysis(), of_class_1),
        (Neighbours(1), BALANCED, KNeighborsClassifier(1), of_class_1),
        (Neighbours(5), BALANCED, KNeighborsClassifier(5), of_class_1),
        (Neighbours(25), BALANCED, KNeighborsClassifier(25), of_class_1),
        (
            Selected(),
            BALANCED,
            make_pipeline(SelectKBest(k=1), LinearDiscriminantAnalysis(solver="lsqr")),
            of_class_1,
        ),
    ],
)
def test_fast_fits_give_the_outputs_of_scikit_learn(learner, law, estimator, say):
    fits = drawn(law, n=210)
    X, y, design = fits.rows.first, fits.rows.y, fits.designs[HALVES]
    outputs = learner.outputs(X, y, design.trains)
    for output, train, test in list(zip(outputs, design.trains, design.tests, strict=True))[:4]:
        if law is TEN:
            estimator.set_params(var_smoothing=1e-3 / X[train].var(axis=0).max())
        expected = say(estimator.fit(X[train], y[train]), X[test])
        assert output[test] == pytest.approx(expected, abs=2e-5)
        assert len(np.unique(expected)) > 1


def test_kernel_ridge_is_that_of_scikit_learn_around_the_mean():
    fits = drawn(BALANCED)
    X, y, design = fits.rows.first, fits.rows.y, fits.designs[HALVES]
    train, test = design.trains[0], design.tests[0]
    model = KernelRidgeRegressor(alpha=1.0, kernel="rbf", gamma=1 / (2 * X.shape[1]))
    expected = model.fit(X[train], y[train] - y[train].mean()).predict(X[test])
    found = KernelRidge().outputs(X, y, design.trains[:1])[0, test]
    assert found == pytest.approx(np.clip(expected + y[train].mean(), 0.01, 0.99))


@pytest.mark.parametrize("rounds, rate", [(1, 1.0), (10, 0.3)])
def test_boosting_fits_as_that_of_scikit_learn(rounds, rate):
    """On training rows: a cut lies just above one of them here, not midway to the next."""
    fits = drawn(LINEAR)
    X, y, trains = fits.rows.first, fits.rows.y, fits.designs[HALVES].trains[:2]
    model = GradientBoostingRegressor(n_estimators=rounds, learning_rate=rate, max_depth=1)
    for output, train in zip(Boosting(rounds, rate).outputs(X, y, trains), trains, strict=True):
        assert output[train] == pytest.approx(model.fit(X[train], y[train]).predict(X[train]))


SCORERS = {
    "accuracy": "accuracy",
    "balanced accuracy": "balanced_accuracy",
    "macro F1": "f1_macro",
    "F1": "f1",
    "AUC": "roc_auc",
    AVERAGE_PRECISION: "average_precision",
    MATTHEWS: "matthews_corrcoef",
    "log loss": "neg_log_loss",
    "Brier score": "neg_brier_score",
    "MSE": "neg_mean_squared_error",
    "MAE": "neg_mean_absolute_error",
    "R2": "r2",
}


@pytest.mark.parametrize(
    "law, learner",
    [
        (RARE, Logistic(0.1)),
        (BALANCED, Neighbours(25)),
        (LINEAR, Ridge(1.0)),
        (TEN, NaiveBayes()),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_rows_contribute_is_what_the_metric_says(law, learner):
    fits = drawn(law, n=210)
    y, design = fits.rows.y, fits.designs[HALVES]
    outputs = learner.outputs(fits.rows.first, y, design.trains)
    found = score_folds(y, outputs, design.tests, classes=fits.classes, metrics=list(SCORERS))
    of_two = ("AUC", "F1", AVERAGE_PRECISION)
    assert set(found) == {
        metric
        for metric in SCORERS
        if (metric in ("MSE", "MAE", "R2")) == (law is LINEAR)
        and not (metric in of_two and law is TEN)
    }
    usual = score_folds(y, outputs, design.tests, classes=fits.classes)
    assert list(usual) == [metric for metric in found if metric in USUAL]
    for metric, folds in found.items():
        if law is TEN and metric == "Brier score":  # scikit-learn scales it in some releases
            continue
        known = as_metric(SCORERS[metric], labels=[*set(y)] if metric == "log loss" else None)
        for test in (0, 7):
            inside, output = design.tests[test], outputs[test]
            if known.kind == "labels":
                output = output.argmax(axis=1) if output.ndim == 2 else output > 0.5
                output = output.astype(int)
            both = dict.fromkeys("ab", output[inside])
            kernel = Predictions(y[inside], both, known, draw="rows").kernel
            score, rows = kernel.scores[0], kernel.scores[0] + kernel.influence()[:, 0]
            assert folds.scores[test] == pytest.approx(score)
            assert folds.rows[test, inside] == pytest.approx(rows, rel=1e-6, abs=1e-9)
            assert np.isnan(folds.rows[test, ~inside]).all()


ROOT = Path(__file__).parents[1]
OF_MEAN = ("accuracy", "log loss", "Brier score", "MSE", "MAE")
KEPT = Results("losses", 0).settings
LARGER = Results(nine_tenths.SITUATION, 0).settings


def rates(procedure, design, quantity, kept=KEPT):
    """What was counted by metric and setting: rate, replications."""
    return {
        (on.removesuffix(f", {design}"), name): (row["rate"], row["replications"])
        for name, counted in kept.items()
        for row in counted["rows"]
        for on in (row["on"],)
        if (row["procedure"], row["quantity"]) == (procedure, quantity)
        and on.endswith(f", {design}")
    }


def test_the_default_rejects_and_covers_as_it_should_but_for_known_limits():
    """Up to two Monte Carlo errors beyond 6 % and 92 %."""
    errors = rates("projection_t", HALVES, NULL)
    covered = rates("t_estimate", HALVES, COVERAGE)
    covered |= rates("projection_t", HALVES, COVERAGE)
    most = {key: 0.06 + 2 * (0.06 * 0.94 / n) ** 0.5 for key, (_, n) in errors.items()}
    least = {key: 0.92 - 2 * (0.92 * 0.08 / n) ** 0.5 for key, (_, n) in covered.items()}
    beyond = {key for key, (rate, _) in errors.items() if rate > most[key]}
    beyond |= {key for key, (rate, _) in covered.items() if rate < least[key]}
    assert len(errors) >= 60
    assert {key for key in beyond if reason_for(*key) is None} == set()
    # Every limit that is stated is one.
    assert {reason_for(*key) for key in beyond} == {limit.reason for limit in LIMITS}


@cache
def coverage_said(metric, n, few, grouped):
    """What the report says of such an estimate: on which rows, and the lowest and highest."""
    y = (np.arange(n) < (12 if few else n // 2)).astype(int)
    model = DummyRegressor() if "squared" in metric else DummyClassifier()
    report = estimate_performance(
        model, np.zeros((n, 1)), y, scoring=metric, random_state=0, verbose=False,
        groups=np.arange(n) // 4 if grouped else None,
    )  # fmt: skip
    said = " ".join(report.details.split())
    found = re.search(r"in simulations of .*?, on (.*?), its .* in (\d+) to (\d+) % of", said)
    return found and (found[1], int(found[2]), int(found[3]))


def test_what_reports_say_of_coverage_was_counted():
    """By metric and situation, without what has a doubt of its own."""
    settings = {setting.name: setting for setting in SETTINGS}
    names = dict.fromkeys(["accuracy", "balanced accuracy", "F1", "macro F1"], "accuracy")
    names |= {"AUC": "roc_auc", "log loss": "neg_log_loss", "Brier score": "neg_log_loss"}
    names |= dict.fromkeys(["R2", "MSE", "MAE"], "neg_mean_squared_error")
    found, said = {}, {}
    for (metric, name), (rate, _) in rates("t_estimate", HALVES, COVERAGE).items():
        setting = settings[name]
        # Of metrics that are counted in few settings nothing is said.
        if "C = 0.001" in name or "t noise" in name or metric not in names:
            continue
        few = getattr(setting.law, "share", 0.5) * setting.n < 20 and setting.n >= 70
        grouped = getattr(setting.law, "group_size", 1) > 1
        rows, *ends = coverage_said(names[metric], min(setting.n, 300), few, grouped)
        found.setdefault((names[metric], rows), []).append(100 * rate)
        said[names[metric], rows] = tuple(ends)
    counted = {key: (round(min(own)), round(max(own))) for key, own in found.items()}
    assert counted == said and len(said) == 18


def test_the_default_has_the_power_of_the_corrected_t_where_that_is_valid():
    errors = rates("corrected_t", RANDOM, NULL)
    corrected, own = (
        rates(procedure, design, POWER)
        for procedure, design in (("corrected_t", RANDOM), ("projection_t", HALVES))
    )
    ratios = {
        key: own[key][0] / rate
        for key, (rate, _) in corrected.items()
        if errors[key][0] <= 0.06 and rate >= 0.1
    }
    # Where a learner names one class for whole halves its label metrics say nothing.
    jumps = [key for key in ratios if key[1].startswith("logistic regression C = 0.001,")]
    found = np.array([ratio for key, ratio in ratios.items() if key not in jumps])
    assert len(found) >= 30
    # What is less than 0.9 stands in bold in the documentation.
    assert np.median(found) > 0.85
    # The lowest are ratios of powers that hardly exceed the level.
    assert np.percentile(found, 25) > 0.7
    median = np.median(list(ratios.values()))
    page = " ".join((ROOT / "docs" / "any_metric.rst").read_text(encoding="utf-8").split())
    assert f"median of {len(ratios)} cells the ratio is {median:.2f}" in page


def test_the_pages_state_how_the_sides_of_lop_sided_pairs_err():
    names = {setting.name for setting in LOP_SIDED}
    below, above = (rates("projection_t", HALVES, side) for side in (TRUTH_BELOW, TRUTH_ABOVE))
    assert below.keys() == above.keys() and len(below) > 500
    worse = [max(rate, above[key][0]) for key, (rate, _) in below.items() if key[1] in names]
    covered = rates("projection_t", HALVES, COVERAGE)
    missed = [1 - rate for key, (rate, _) in covered.items() if key[1] in names]
    page = " ".join((ROOT / "docs" / "any_metric.rst").read_text(encoding="utf-8").split())
    many = sum(rate > 0.08 + 1e-9 for rate in worse)
    assert f"in more than 8 % in {many} of these {len(worse)} cells; intervals" in page
    assert f"in more than 7 % in {sum(rate > 0.07 + 1e-9 for rate in missed)} of them." in page
    # A side of an interval errs no more than both together, at a level half as large.
    for key, (rate, _) in below.items():
        if key in covered:
            assert 1 - covered[key][0] <= rate + above[key][0] + 1e-9, key


def test_the_pages_state_how_many_cells_were_within_the_limits():
    """As the README and the guide have it, in cells of learner, metric and size."""
    kept = rates("projection_t", HALVES, NULL)
    errors = [rate for rate, _ in kept.values()]
    missed = {
        key: round(1 - rate, 6)
        for key, (rate, _) in rates("projection_t", HALVES, COVERAGE).items()
    }
    made_up = {
        key: missed.pop(key)
        for key in list(missed)
        for setting in CONSTRUCTED
        if key[1] == setting.name
    }
    lop_sided = {setting.name for setting in LOP_SIDED}
    missed = {key: rate for key, rate in missed.items() if key[1] not in lop_sided}
    within = f"{sum(rate < 0.065 for rate in errors)} of {len(errors)} cells"
    of_pairs = f"{sum(rate <= 0.07 for rate in missed.values())} of {len(missed)} cells"
    assert max(errors) == 0.062
    assert {metric for (metric, _), rate in missed.items() if rate > 0.10} == {"F1"}
    of = {True: [], False: []}
    for (metric, _), rate in missed.items():
        of[metric in OF_MEAN].append(rate <= 0.07)
    means, others = (f"{sum(of[kind])} of {len(of[kind])}" for kind in (True, False))
    guide = (ROOT / "docs" / "choosing.rst").read_text(encoding="utf-8")
    for said in (within, of_pairs, f"{means} for means over rows", f"{others} for other"):
        assert said in " ".join(guide.split())
    page = " ".join((ROOT / "docs" / "any_metric.rst").read_text(encoding="utf-8").split())
    later = [rate for (_, name), (rate, _) in kept.items() if "(" in name]
    of_later = [rate <= 0.07 for (_, name), rate in missed.items() if "(" in name]
    assert f"{sum(rate < 0.065 for rate in later)} of {len(later)} cells" in page
    assert f"{sum(of_later)} of {len(of_later)} of unlike learners" in page
    most = f"{100 * max(made_up.values()):.0f} %"
    assert f"in at most {most} of the data sets in each of the {len(made_up)} cells" in page
    assert within in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def test_the_page_states_what_holds_at_nine_tenths_of_the_rows():
    errors = rates("projection_t", NINE, NULL, LARGER)
    means = {key: rate for key, (rate, _) in errors.items() if key[0] in OF_MEAN}
    others = {key: rate for key, (rate, _) in errors.items() if key[0] not in OF_MEAN}
    page = " ".join((ROOT / "docs" / "any_metric.rst").read_text(encoding="utf-8").split())
    within = sum(rate <= 0.06 for rate in means.values())
    assert f"at 6 % or below ({within} of {len(means)})" in page and within == len(means)
    within, nearly = (sum(r <= limit for r in others.values()) for limit in (0.06, 0.08))
    assert f"at 6 % or below in {within} of {len(others)} cells" in page
    assert f"at 8 % or below in {nearly}. Balanced accuracy" in page
    beyond = {key for key, rate in others.items() if rate > 0.08}
    assert {metric for metric, _ in beyond} == {"balanced accuracy", "F1"}
    assert f"is up to {100 * max(others.values()):.0f} % with few rows of a class" in page
    assert f"These are {len(LARGER)} settings" in page
    corrected = max(rate for rate, _ in rates("corrected_t", NINE, NULL, LARGER).values())
    assert f"rejects up to {100 * corrected:.0f} % of true null hypotheses" in page


def test_the_page_states_how_often_a_change_is_found_where_there_is_none():
    found = rates("projection_t", CHANGE, NULL, LARGER)
    errors = {key: rate for key, (rate, _) in found.items()}
    missed = {
        key: round(1 - rate, 6)
        for key, (rate, _) in rates("projection_t", CHANGE, COVERAGE, LARGER).items()
    }
    page = " ".join((ROOT / "docs" / "any_metric.rst").read_text(encoding="utf-8").split())
    replications = max(n for _, n in found.values())  # fewer where a fold lacks a class
    within, nearly = (sum(r <= limit for r in errors.values()) for limit in (0.06, 0.08))
    most = f"{100 * max(errors.values()):.0f} %"
    assert f"{replications} data sets each, a change was found in 6 % or fewer" in page
    assert f"in {within} of {len(errors)} cells, and in 8 % or fewer in {nearly}" in page
    assert f"at most {most}" in page
    of_pairs = sum(rate <= 0.07 for rate in missed.values())
    assert f"missed its mean in 7 % or fewer in {of_pairs} of {len(missed)} cells" in page
    beyond = {key for key, rate in missed.items() if rate > 0.07}
    assert all("C = 0.001 against" in name for _, name in beyond)
    assert {metric for metric, _ in beyond} == {"accuracy", "macro F1"}
    jumps = ("stump", "best of 10 features", "logistic regression C = 100, balanced, n = 40")
    assert all(name.startswith(jumps) for (_, name), rate in errors.items() if rate > 0.08)
    assert f"up to {100 * max(missed.values()):.0f} % for labels" in page


def test_halves_are_the_default_because_they_have_more_power():
    half, nine = (rates("projection_t", d, POWER, LARGER) for d in (HALVES, NINE))
    ratios = [nine[key][0] / rate for key, (rate, _) in half.items() if rate >= 0.1]
    assert len(ratios) > 150
    assert 0.6 < np.median(ratios) < 0.8  # from 0.8 on nine tenths would be the default
