"""Scheduling changes when and where fits run, never what comes out."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import paired_cross_validate
from skstat.evaluation import _schedule
from skstat.evaluation._fold import FoldTask

ESTIMATORS = [GaussianNB(), DecisionTreeClassifier(random_state=0)]


def task(split, index):
    rows = np.arange(3)
    return FoldTask(
        split=split,
        estimator_index=index,
        estimator=None,
        scorer=None,
        train=rows,
        test=rows,
        fit_params={},
        score_params={},
        pairwise=False,
        keep_predictions=False,
    )


TASKS = [task(split, index) for split in range(20) for index in range(3)]


def test_long_tasks_go_first_and_tiny_ones_in_batches():
    batches = list(_schedule._batches(TASKS, {0: 0.001, 1: 2.0}, workers=2))
    assert sorted((t.split, t.estimator_index) for b in batches for t in b) == sorted(
        (t.split, t.estimator_index) for t in TASKS
    )
    # Estimator 2 was not timed: it may be the longest, and nothing waits behind it.
    order = [batch[0].estimator_index for batch in batches]
    assert order[:20] == [2] * 20
    assert order[20:40] == [1] * 20
    sizes = [len(batch) for batch in batches[40:]]
    assert sizes == sorted(sizes, reverse=True)
    assert 1 < len(sizes) < 20


def test_batches_learn_while_they_are_cut():
    seconds = {0: 0.001}
    batches = _schedule._batches(TASKS, seconds, workers=2)
    assert [task.estimator_index for task in next(batches)] == [1]
    seconds[1] = seconds[2] = 0.001
    assert len(next(batches)) > 1


def test_tiny_work_stays_here():
    left = {0: 20, 1: 20, 2: 20}
    assert _schedule._remaining(left, {0: 0.001, 1: 0.003}) == pytest.approx(0.12)
    assert _schedule._remaining(left, {}) == 0
    assert _schedule._worth_probing(np.zeros((100, 10)), 60, 2)
    assert not _schedule._worth_probing(np.zeros((100, 10)), 60, 32)
    assert not _schedule._worth_probing(np.zeros((2_000_000, 1)), 60, 2)


@pytest.mark.parametrize("start_cost", [0.0, 1e9])
def test_results_do_not_depend_on_the_decision(cancer, monkeypatch, start_cost):
    monkeypatch.setattr(_schedule, "start_cost", lambda workers: start_cost)
    run = paired_cross_validate(ESTIMATORS, *cancer, n_jobs=2, random_state=0)
    serial = paired_cross_validate(ESTIMATORS, *cancer, random_state=0)
    np.testing.assert_array_equal(run.scores["accuracy"], serial.scores["accuracy"])


def test_engines_without_generators_are_served(cancer, monkeypatch):
    monkeypatch.setattr(_schedule, "start_cost", lambda workers: 0.0)
    with parallel_config(backend="multiprocessing", n_jobs=2):
        run = paired_cross_validate(ESTIMATORS, *cancer, random_state=0)
    serial = paired_cross_validate(ESTIMATORS, *cancer, random_state=0)
    np.testing.assert_array_equal(run.scores["accuracy"], serial.scores["accuracy"])
