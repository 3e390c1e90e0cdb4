"""Rival intervals of the study, against their formulas written out, and what was counted."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from calibration.losses.designs import HALVES
from calibration.losses.learners import NaiveBayes
from calibration.losses.settings import BALANCED, Alike
from calibration.readings import NULL
from calibration.rivals import M_BY_TWO, NESTED, ONE, Rivals, m_by_two
from calibration.tally import Results
from skstat.evaluation import NestedKFold


@pytest.mark.parametrize("m, correlation", [(3, 0.5), (15, 0.5), (15, 0.2), (15, 0.0)])
def test_the_variance_of_m_by_two_is_what_its_assumption_makes_it(m, correlation):
    """Exactly, by the covariance matrix of the scores."""
    covariance = np.full((2 * m, 2 * m), correlation)
    for half in range(0, 2 * m, 2):
        covariance[half : half + 2, half : half + 2] = np.eye(2)
    of_mean = covariance.sum() / (2 * m) ** 2
    root = np.linalg.cholesky(covariance + 1e-12 * np.eye(2 * m))
    squares = sum(m_by_two(column).standard_error ** 2 for column in root.T)
    assert of_mean <= 0.5 <= squares + 1e-9
    if correlation == 0.5:
        assert of_mean == pytest.approx(squares) == pytest.approx(0.5)


def test_rivals_are_their_formulas_written_out():
    """Naive Bayes of scikit-learn, one fit after the other, K^2 of them for each repeat."""
    setting = Alike(law=BALANCED, n=60, learner=NaiveBayes())
    rivals = Rivals(setting=setting, folds=4, repeats=2)
    fits, seed = rivals.draw(np.random.SeedSequence(0, spawn_key=(0, 4)))
    found = {on: value for _, on, value in rivals.intervals((fits, seed))}
    y, blocks = fits.rows.y, (fits.rows.first, fits.rows.second)

    def right(train, test):
        """Whether A is right less whether B is."""
        fitted = (GaussianNB().fit(X[train], y[train]) for X in blocks)
        a, b = (fit.predict(X[test]) == y[test] for fit, X in zip(fitted, blocks, strict=True))
        return a.astype(float) - b

    halves = fits.designs[HALVES]
    scores = [right(*both).mean() for both in zip(halves.trains, halves.tests, strict=True)]
    assert found[f"accuracy, {M_BY_TWO}"].estimate == pytest.approx(np.mean(scores))
    assert found[f"accuracy, {M_BY_TWO}"].standard_error == pytest.approx(np.std(scores))

    splits = list(NestedKFold(4, 2, random_state=seed).split(blocks[0]))
    squares, outer, inner = [], [], []
    for start in range(0, len(splits), 10):
        folds = [test for _, test in splits[start : start + 4]]
        for out in folds:
            e_out = right(np.setdiff1d(np.arange(60), out), out)
            e_in = np.concatenate(
                [
                    right(np.setdiff1d(np.arange(60), np.r_[out, own]), own)
                    for own in folds
                    if own is not out
                ]
            )
            squares.append((e_in.mean() - e_out.mean()) ** 2 - e_out.var(ddof=1) / len(out))
            outer.append(e_out)
            inner.append(e_in)
        if start == 0:
            rows = np.concatenate(outer)
            one = found[f"accuracy, {ONE}"]
            assert one.estimate == pytest.approx(rows.mean())
            assert one.standard_error == pytest.approx(rows.std() / np.sqrt(60))
    e_in, e_cv = np.concatenate(inner), np.concatenate(outer)
    naive = e_in.std(ddof=1) / np.sqrt(60)
    wide = np.sqrt(max(np.mean(squares), 0) * 3 / 4)
    nested = found[f"accuracy, {NESTED}"]
    assert nested.standard_error == pytest.approx(np.clip(wide, naive, 2 * naive))
    bias = (1 + 2 / 4) * (e_in.mean() - e_cv.mean())
    assert nested.estimate == pytest.approx(e_in.mean() - bias)


def test_rivals_reject_true_null_hypotheses_of_shrunk_learners_as_the_page_says():
    errors = {
        (rival, metric, name): row["rate"]
        for name, counted in Results("rivals", 0).settings.items()
        for row in counted["rows"]
        for rival, metric in ((row["procedure"], row["on"].split(", ")[0]),)
        if name.startswith(("ridge alpha = 1000", "logistic regression C = 0.001, "))
        and row["quantity"] == NULL
    }

    def span(rival):
        smooth = ("log loss", "Brier score", "MSE", "MAE", "R2")
        found = [
            100 * rate for (one, on, _), rate in errors.items() if one == rival and on in smooth
        ]
        return round(min(found)), round(max(found))

    said = {M_BY_TWO: (21, 51), ONE: (22, 34), NESTED: (20, 30)}
    assert {rival: span(rival) for rival in said} == said
