"""Scheduling changes when and where fits run, never what comes out."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import paired_cross_validate
from skstat.evaluation._fold import FoldRecord, FoldTask
from skstat.evaluation._running import schedule as _schedule
from skstat.evaluation._running.queue import TaskQueue
from skstat.evaluation._running.work import Work

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
DATA = np.zeros((100, 10))


def work(dataset=0, tasks=TASKS, X=DATA):
    return Work(dataset, X, None, [replace(task, dataset=dataset) for task in tasks])


def finish(queue, index, seconds, dataset=0):
    queue.finish(FoldRecord(dataset=dataset, split=0, estimator_index=index, fit_time=seconds))


def drain(queue, workers=2):
    return [tasks for _, tasks in queue.batches(workers, share=False)]


def test_long_tasks_go_first_and_tiny_ones_in_batches():
    queue = TaskQueue([work()])
    finish(queue, 0, 0.001)
    finish(queue, 1, 2.0)
    batches = drain(queue)
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
    queue = TaskQueue([work()])
    finish(queue, 0, 0.001)
    batches = queue.batches(2, share=False)
    assert [task.estimator_index for task in next(batches)[1]] == [1]
    finish(queue, 1, 0.001)
    finish(queue, 2, 0.001)
    assert len(next(batches)[1]) > 1


def test_larger_data_sets_go_first_by_the_times_on_others():
    small, large = work(0), work(1, X=np.zeros((1000, 10)))
    queue = TaskQueue([small, large])
    for index in range(3):
        finish(queue, index, 0.1)
    first = drain(queue)[0][0]
    assert first.dataset == 1


def test_data_sets_are_opened_when_few_tasks_wait_and_closed_after_the_last():
    opened = []

    def later():
        for dataset in range(1, 4):
            opened.append(dataset)
            yield work(dataset, TASKS[:6])

    first = work(0, TASKS[:6])
    queue = TaskQueue([first], later(), n_later=3)
    assert queue.n_tasks == 24
    batches = queue.batches(2, share=False)
    _, tasks = next(batches)
    assert opened == []
    for _ in range(2):
        tasks += next(batches)[1]
    assert opened == []
    tasks += next(batches)[1]
    assert opened == [1]
    for record in tasks:
        assert first.X is not None or record.dataset
        finish(queue, record.estimator_index, 1e-3, dataset=record.dataset)
    rest = [task for _, batch in batches for task in batch]
    for record in rest:
        finish(queue, record.estimator_index, 1e-3, dataset=record.dataset)
    assert first.X is None
    assert len(tasks) + len(rest) == 24 and opened == [1, 2, 3]


def test_a_dropped_estimator_counts_as_done():
    first = work(0, TASKS[:6])
    queue = TaskQueue([first])
    assert queue.drop(0, 1) == 2
    left = [task for batch in drain(queue) for task in batch]
    assert {task.estimator_index for task in left} == {0, 2}
    for record in left:
        finish(queue, record.estimator_index, 1e-3)
    assert first.X is None


def test_an_error_while_loading_ends_the_queue():
    def later():
        raise OSError("no such file")
        yield

    with pytest.raises(OSError):
        drain(TaskQueue([], later(), n_later=1))
    # Engines would lose it in their threads, and wait.
    queue = TaskQueue([], later(), n_later=1)
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(drain, queue).result() == []
    assert isinstance(queue.error, OSError)


def test_a_data_set_that_comes_after_the_end_is_let_go():
    loading, ended = Event(), Event()
    last = work(1)

    def later():
        loading.set()
        ended.wait()
        yield last

    queue = TaskQueue([], later(), n_later=1)
    with ThreadPoolExecutor(1) as thread:
        batches = thread.submit(drain, queue)
        loading.wait()
        queue.close()
        ended.set()
        assert batches.result() == []
    assert last.X is None


@pytest.mark.long
def test_estimators_are_dropped_while_batches_are_cut():
    works = [work(dataset, TASKS[:6]) for dataset in range(1000)]
    queue = TaskQueue(works[:500], works[500:], n_later=500)
    for index in range(3):
        finish(queue, index, 1.0)
    with ThreadPoolExecutor(1) as thread:
        cut = thread.submit(lambda: sum(map(len, drain(queue))))
        dropped = sum(queue.drop(dataset, 1) for dataset in range(500))
        assert cut.result() == 6_000 - dropped


def test_large_data_are_mapped_and_the_file_goes_with_the_last_task():
    X = np.random.default_rng(0).normal(size=(500, 300))
    large = work(0, TASKS[:3], X=X)
    large.share()
    assert isinstance(large.X, np.memmap) and not large.X.flags.writeable
    np.testing.assert_array_equal(large.X, X)
    file = Path(large.X.filename)
    assert file.exists()
    large.close()
    assert not file.exists()
    small = work(0, TASKS[:3])
    small.share()
    assert small.X is DATA


def test_time_that_is_left():
    queue = TaskQueue([work()])
    assert queue.remaining() == 0
    finish(queue, 0, 0.001)
    finish(queue, 1, 0.003)
    assert queue.remaining() == pytest.approx(0.12)
    assert not queue.is_timed
    finish(queue, 0, 0.001)
    finish(queue, 1, 0.003)
    assert queue.is_timed


def test_the_time_that_is_shown_is_that_of_usual_fits_and_not_of_the_shortest():
    queue = TaskQueue([work()])
    for seconds in (9.0, 1.0, 3.0, 2.0):  # the first imports
        finish(queue, 0, seconds)
    # 20 fits of 2 seconds, and 40 of the other estimator, which count as the shortest known.
    assert queue.remaining() == pytest.approx(60.0)
    assert queue.time_left(2) == pytest.approx((20 * 2.0 + 40 * 1.0) / 2)


def test_work_here_is_for_many_tasks_on_small_data():
    queue = TaskQueue([work(X=np.zeros((2_000_000, 1)))])
    assert queue.next_here(largest=1_000_000) is None
    _, first = queue.next_here()
    assert (first.split, first.estimator_index) == (0, 0)


@pytest.mark.long(keep=1)
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
