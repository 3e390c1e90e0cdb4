"""What is probable, drawn: laws cut at the region, the simplex with its corners, shrinkage."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

pytest.importorskip("matplotlib.pyplot")

import skstat
from skstat.display import PosteriorDisplay, SimplexDisplay
from skstat.stats import DatasetSplits, PairedScores, hierarchical_posterior
from tests.contract import changed
from tests.report.built import ANSWERS, TRUTH

AT = np.linspace(-3, 5, 161)
NORMAL = np.exp(-((AT - 1) ** 2) / 2) / np.sqrt(2 * np.pi)
RNG = np.random.default_rng(0)
PAIR = {name: ANSWERS[name] for name in ("good", "fair")}
OVER = {"a": RNG.normal(0.8, 0.05, 15), "b": RNG.normal(0.78, 0.05, 15)}


def law(**changes):
    facts = {
        "differences": AT,
        "density": NORMAL,
        "rope": 0.5,
        "probabilities": ("0.067", "0.242", "0.691"),
        "interval": (-0.96, 2.96),
        "confidence_level": 0.95,
        "names": ("tree", "$bayes$"),
    }
    return PosteriorDisplay(**(facts | changes)).plot()


def area(part):
    corners = part.get_paths()[0].vertices
    x, y = corners.T
    return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2


def test_a_loss_is_better_below():
    left = law(higher_is_better=False).areas_[0].get_facecolor()[0]
    assert tuple(left) == tuple(law().areas_[-1].get_facecolor()[0])


def test_probabilities_of_test_sets_are_areas():
    report = skstat.compare_predictions(TRUTH, PAIR, metric="f1", rope=0.02, random_state=0)
    display = report.plot(kind="law", width="column")
    found = report.evidence.posterior.probabilities
    areas = [area(part) for part in display.areas_]
    assert_allclose(areas, (found.worse, found.same, found.better), atol=0.012)
    assert display.figure_.get_figwidth() == 3.3


def test_the_hierarchical_model_shows_its_data_sets():
    samples = {
        f"d{i}": PairedScores(0.8 + RNG.normal(0.02, 0.03, 10), [0.8] * 10, n_repeats=1)
        for i in range(8)
    }
    asked = {"n_chains": 8, "n_draws": 600, "rng": 0}
    found = hierarchical_posterior(DatasetSplits(samples), 0.01, **asked)
    report = skstat.compare_scores(OVER, unit="dataset", rope=0.01, random_state=0)
    report = changed(report, posteriors=[found])
    display = report.plot(kind="posterior")
    order = np.argsort(-found.raw)
    assert_allclose(display.marks, found.raw[order])
    assert_allclose(np.mean(display.intervals, axis=1), found.shrunken[order])
    simplex = report.plot(kind="simplex")
    assert isinstance(simplex, SimplexDisplay)
    assert_allclose(simplex.chances.mean(axis=0), found.probabilities, atol=0.02)
    restored = skstat.report_from_dict(report.to_dict())
    restored.plot(kind="posterior")
    with pytest.raises(ValueError, match="has no chains.*rng="):
        restored.plot(kind="simplex")


def test_what_there_is_not():
    plain = skstat.compare_scores(OVER, unit="dataset")
    report = skstat.compare_predictions(TRUTH, PAIR, metric="accuracy", rope=0.02)
    for found, kind, message in (
        (plain, "posterior", "no probabilities to draw: ask with rope="),
        (report, "simplex", "needs chances over data sets"),
        (report, "shrinkage", "needs a model of many data sets"),
        (report, "bars", "'bars' is unknown"),
    ):
        with pytest.raises(ValueError, match=message):
            found.plot(kind=kind)
