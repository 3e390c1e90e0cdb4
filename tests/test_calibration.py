"""A small study of error rates, by the same code as ``python -m calibration``."""

import json
from dataclasses import replace
from functools import partial
from importlib import import_module

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.dummy import DummyClassifier
from threadpoolctl import threadpool_limits

from calibration import learners
from calibration.__main__ import SITUATIONS
from calibration.bands import band_of, judge
from calibration.designs import FIVE_BY_TWO, TEN_BY_TEN, THIRD, make_designs
from calibration.laws import Gauss
from calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from calibration.splits import SETTINGS, Splits
from calibration.study import count, run
from calibration.tally import Results
from skstat import paired_cross_validate

BY_MEANS = (learners.NaiveBayes(), learners.Centroids(), learners.Discriminant())
LEARNERS = (*BY_MEANS, learners.Neighbour(), learners.STUMP, learners.TREE)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.name)
def test_fast_fits_are_those_of_scikit_learn(learner):
    """Scores of all splits, bootstraps too, by skstat's own engine."""
    law = Gauss(n_features=12, delta=0.5)
    rng = np.random.default_rng(5)
    y, (noise,) = law.draw(rng, 90, 1)
    X = law.at(noise, y)
    designs = make_designs(y, rng)
    right = Splits(learner=learner, n=90, law=law, better=0.5).right(X, y, designs)
    start = 0
    for design in designs.values():
        models = right[start : start + len(design.splits)]
        start += len(design.splits)
        ours = [row[test].mean() for row, (_, test) in zip(models, design.splits, strict=True)]
        few = design.splits if design.n_repeats != 10 else design.splits[:10]
        both = {"a": learner.estimator(), "b": DummyClassifier()}
        with threadpool_limits(1):  # threads that wait for each other take seconds here
            run = paired_cross_validate(both, X, y, cv=list(few))
        theirs, n_test = run.column("a"), run.design.row_sizes[1]
        if learner is learners.TREE:  # which of several equally good cuts it takes is its own
            assert np.mean(theirs == ours[: len(few)]) > 0.9
            assert np.all(np.abs(theirs - ours[: len(few)]) * n_test < 4)
        else:
            assert theirs.tolist() == ours[: len(few)]


def test_true_errors_in_closed_form_are_those_on_many_rows():
    law = Gauss(n_features=3, delta=0.8)
    rng = np.random.default_rng(0)
    y, (noise,) = law.draw(rng, 60, 1)
    weights = make_designs(y, rng)[THIRD].weights[:4]
    models = learners.Centroids().fit(law.at(noise, y), y, weights)
    exact = learners.true_errors(models, law, rng)
    # The same rules, as if they were not linear.
    curved = learners.Quadratic(np.zeros(3), np.zeros((4, 3)), models.coef, models.intercept)
    drawn = learners.true_errors(curved, law, rng)
    assert len(set(exact)) == 4
    assert drawn == pytest.approx(exact, abs=0.015)


@pytest.mark.long
def test_rates_of_tests_on_splits():
    """Naive Bayes on 300 rows: the bands of the full study, widened by Monte Carlo error."""
    setting = SETTINGS[0]
    assert setting.name == "naive Bayes, n = 300"
    tally = count(replace(setting, power_replications=0), 1, 0, 100)
    banded = 0
    for (procedure, options, on, quantity), (total, of, undefined) in tally.sums.items():
        assert (of, undefined) == (100, 0)
        band = band_of("splits", setting.name, procedure, options, on, quantity)
        if band is not None:
            banded += 1
            assert judge(total / of, of, band, errors=3) in ("in", "near"), (procedure, on)
    assert banded == 12
    for design in (THIRD, TEN_BY_TEN):
        assert tally.rate(Reading("paired_t", "", design, NULL)) >= 0.45
        assert tally.rate(Reading("corrected_t", "", design, NULL)) < 0.08
    assert tally.rate(Reading("five_by_two_f", "", FIVE_BY_TWO, NULL)) < 0.1


@pytest.mark.long
@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_is_kept_can_be_counted_again(situation, monkeypatch):
    monkeypatch.setattr("calibration.performance.N_TRUTH", 5)  # exact truths take minutes
    settings = {s.name: s for s in import_module(f"calibration.{situation}").SETTINGS}
    results = Results(situation, 0)
    assert len(results.settings) >= 2
    for number, name in enumerate(results.settings):
        kept = results.of(name, settings[name].parameters())
        assert kept.replications >= min(600, settings[name].replications)
        if number % 20 == 0:
            assert kept.sums.keys() <= count(settings[name], 0, 0, 1).sums.keys()


class Coin:
    """A setting whose rates are known."""

    situation, name, replications, power_replications = "coins", "one coin", 30, 5

    def __init__(self, share=0.25):
        self.share = share

    def parameters(self):
        return {"share": self.share}

    def replicate(self, stream, *, power):
        draw = np.random.default_rng(stream).random()
        found = Readings()
        found.note("toss", draw, rng=3, side="head")
        found[Reading("toss", "", "", COVERAGE)] = float(draw < self.share)
        found[Reading("lost", "", "", NULL)] = np.nan
        if power:
            found[Reading("toss", "", "", POWER)] = 1.0
        return found


def test_a_study_is_the_same_in_parts_and_in_parallel(tmp_path):
    def read(name):
        return (tmp_path / name / "coins.json").read_text()

    go = partial(run, seed=7, say=lambda line: None)
    go(Coin(), Results("coins", 7, tmp_path / "whole"))
    for replications in (7, 7, 30):
        go(Coin(), Results("coins", 7, tmp_path / "parts"), replications=replications)
    assert read("parts") == read("whole")
    with parallel_config("threading"):
        go(Coin(), Results("coins", 7, tmp_path / "jobs"), jobs=2)
    assert read("jobs") == read("whole")
    rows = json.loads(read("whole"))["settings"]["one coin"]["rows"]
    counts = [(row["quantity"], row["replications"], row.get("undefined")) for row in rows]
    assert counts == [
        (NULL, 30, 30), (COVERAGE, 30, None), (POWER, 5, None), (NULL, 30, None)
    ]  # fmt: skip
    # Other parameters: nothing of the old counts is kept.
    results = Results("coins", 7, tmp_path / "whole")
    go(Coin(0.75), results, replications=10)
    assert results.settings["one coin"]["replications"] == 10
    assert Results("coins", 8, tmp_path / "whole").settings == {}


def test_a_band_judges_within_monte_carlo_error():
    assert judge(0.04, 1000, (0.03, 0.05)) == "in"
    assert judge(0.055, 1000, (0.03, 0.05)) == "near"
    assert judge(0.09, 1000, (0.03, 0.05)) == "above"
    assert judge(0.001, 1000, (0.03, 0.05)) == "below"
