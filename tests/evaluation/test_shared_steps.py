"""First steps that pipelines share are fitted once per split, and nothing else changes."""

import gc
import time
import weakref

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import (
    SelectFromModel,
    SelectKBest,
    f_classif,
    mutual_info_classif,
)
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from skstat import EvaluationError, cross_validate_over_datasets, paired_cross_validate
from skstat.evaluation import _plan
from skstat.evaluation._fits import Fits
from skstat.evaluation._running import schedule as _schedule
from skstat.evaluation._running.queue import TaskQueue
from skstat.evaluation._running.work import Work
from skstat.evaluation._shared_steps import FittedSteps, first_steps
from tests.cases import in_one_test

BAYES, CENTROID = GaussianNB(), NearestCentroid()
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
CV = KFold(3, shuffle=True, random_state=0)
HALVES = KFold(2, shuffle=True, random_state=0)


def plain_steps():
    return StandardScaler(), PCA(5, random_state=0), SelectKBest(f_classif, k=3)


class Writing(ClassifierMixin, BaseEstimator):
    """Writes into whatever it is given."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.threshold_ = np.median(X[:, 0])
        X[:] = 0
        return self

    def predict(self, X):
        found = self.classes_[(X[:, 0] > self.threshold_).astype(int)]
        X[:] = 1
        return found


class Halving(TransformerMixin, BaseEstimator):
    """A transformer of the user's."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        X *= 0.5
        return X


def writing_scorer(estimator, X, y):
    found = accuracy_score(y, estimator.predict(X))
    X[:, :] = X[::-1]
    return found + accuracy_score(y, estimator.predict(X))


@pytest.fixture
def counted(monkeypatch):
    """Count the fits of scikit-learn's steps, by class."""
    made = []

    def count(kind):
        fit = kind.fit

        def counting(self, *args, **kwargs):
            made.append(kind.__name__)
            return fit(self, *args, **kwargs)

        monkeypatch.setattr(kind, "fit", counting)

    for kind in (StandardScaler, MinMaxScaler, Nystroem, SelectKBest):
        count(kind)
    return made


@pytest.fixture
def alone(monkeypatch):
    """Run without sharing anything."""

    def run(*args, **options):
        with monkeypatch.context() as patch:
            patch.setattr(_plan, "first_steps", lambda e, **_: [None] * len(e))
            return paired_cross_validate(*args, **options)

    return run


def assert_same(run, other):
    assert run.metrics == other.metrics
    for metric in run.metrics:
        np.testing.assert_array_equal(run.scores[metric], other.scores[metric])
        assert run.contributions.keys() == other.contributions.keys()
        for name, rows in run.contributions.get(metric, {}).items():
            for ours, theirs in zip(rows, other.contributions[metric][name], strict=True):
                np.testing.assert_array_equal(ours, theirs)
    for name, by_split in run.predictions.items():
        for split, found in by_split.items():
            np.testing.assert_array_equal(found, other.predictions[name][split])


PIPELINES = {
    "several steps": [
        make_pipeline(*plain_steps(), BAYES),
        make_pipeline(*plain_steps(), TREE),
        make_pipeline(*plain_steps()[:2], CENTROID),
        make_pipeline(*plain_steps()[:1], MinMaxScaler(), BAYES),
        CENTROID,
    ],
    "nested": [
        make_pipeline(make_pipeline(StandardScaler(), PCA(4, random_state=0)), BAYES),
        make_pipeline(make_pipeline(StandardScaler(), PCA(4, random_state=0)), TREE),
        make_pipeline(make_pipeline(StandardScaler(), PCA(3, random_state=0)), TREE),
        make_pipeline(StandardScaler(), "passthrough", PCA(3, random_state=0), TREE),
    ],
    "the user's": [
        make_pipeline(StandardScaler(), Writing()),
        make_pipeline(StandardScaler(), BAYES),
        make_pipeline(StandardScaler(), Halving(), BAYES),
        make_pipeline(StandardScaler(), PCA(4, copy=False, random_state=0), TREE),
        make_pipeline(StandardScaler(), TREE),
    ],
    "selection, search": [
        make_pipeline(SelectFromModel(DecisionTreeClassifier(random_state=0)), BAYES),
        make_pipeline(SelectFromModel(DecisionTreeClassifier(random_state=0)), TREE),
        make_pipeline(
            SelectFromModel(DecisionTreeClassifier(random_state=0)),
            GridSearchCV(make_pipeline(StandardScaler(), TREE), {}, cv=2),
        ),
    ],
}


def named(pipelines):
    return {str(number): pipeline for number, pipeline in enumerate(pipelines)}


SEVERAL = ["accuracy", "f1_macro"]


@pytest.mark.long(keep=2)
@pytest.mark.parametrize(
    "which, scoring",
    [
        *((which, SEVERAL) for which in PIPELINES),
        ("several steps", None),
        ("nested", make_scorer(accuracy_score)),
        ("several steps", writing_scorer),
        ("the user's", writing_scorer),
    ],
)
def test_scores_are_the_same_to_the_last_bit(cancer, alone, which, scoring):
    options = {"scoring": scoring, "cv": HALVES, "return_predictions": True}
    pipelines = named(PIPELINES[which])
    assert any(first_steps(list(pipelines.values()), scorer_reads=True))
    X, y = (part.copy() for part in cancer)
    expected = alone(pipelines, *cancer, **options)
    assert_same(paired_cross_validate(pipelines, X, y, **options), expected)
    np.testing.assert_array_equal(X, cancer[0])


def test_rows_are_not_written_into_where_a_step_returns_its_input(cancer, alone):
    pipelines = [
        make_pipeline(FunctionTransformer(), last) for last in (Writing(), BAYES, TREE)
    ]
    assert all(first_steps(pipelines, scorer_reads=True))
    for order in (pipelines, pipelines[::-1]):
        run = paired_cross_validate(named(order), *cancer, cv=HALVES)
        expected = alone(named(order), *cancer, cv=HALVES)
        np.testing.assert_array_equal(run.scores["accuracy"], expected.scores["accuracy"])


@pytest.mark.parametrize("workers", [2, 8])
def test_workers_give_the_same(cancer, monkeypatch, workers):
    monkeypatch.setattr(_schedule, "start_cost", lambda workers: -1.0)
    pipelines = named(PIPELINES["several steps"])
    options = {"scoring": "accuracy", "cv": CV}
    expected = paired_cross_validate(pipelines, *cancer, **options)
    with parallel_config(backend="threading", n_jobs=workers):
        assert_same(paired_cross_validate(pipelines, *cancer, **options), expected)


def test_frames_and_texts(alone):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"x": rng.normal(size=80), "word": rng.choice(["a", "b"], 80)})
    y = (frame["x"] + (frame["word"] == "a") + 0.1 * rng.normal(size=80) > 0).to_numpy()

    def first():
        encoder = OneHotEncoder(sparse_output=False)
        columns = make_column_selector(dtype_include="number")
        return make_column_transformer(
            (StandardScaler(), columns), (encoder, ["word"])
        ).set_output(transform="pandas")

    pipelines = [make_pipeline(first(), BAYES), make_pipeline(first(), TREE)]
    assert all(first_steps(pipelines, scorer_reads=True))
    options = {"scoring": "roc_auc", "cv": CV}
    assert_same(
        paired_cross_validate(named(pipelines), frame, y, **options),
        alone(named(pipelines), frame, y, **options),
    )


def test_each_step_is_fitted_once_per_split(cancer, counted):
    paired_cross_validate(named(PIPELINES["several steps"]), *cancer, cv=CV)
    # f_classif is seen to select of the same rows in two pipelines.
    assert {name: counted.count(name) for name in set(counted)} == {
        "StandardScaler": 3,
        "MinMaxScaler": 3,
        "SelectKBest": 3,
    }


def test_first_steps_of_pipelines_that_are_steps(cancer, counted):
    paired_cross_validate(named(PIPELINES["nested"]), *cancer, cv=CV)
    assert counted.count("StandardScaler") == 3


def test_steps_are_transformed_once_per_split(cancer, monkeypatch):
    rows, transform = [], StandardScaler.transform

    def counting(self, X, *args, **kwargs):
        rows.append(len(X))
        return transform(self, X, *args, **kwargs)

    monkeypatch.setattr(StandardScaler, "transform", counting)
    pipelines = [make_pipeline(StandardScaler(), last) for last in (BAYES, TREE)]
    metrics = ["accuracy", "neg_log_loss"]
    paired_cross_validate(named(pipelines), *cancer, cv=CV, scoring=metrics)
    test, train = len(cancer[1]) // 3, 2 * len(cancer[1]) // 3
    assert rows == 3 * [train, test]


OWN = {
    "of the user": lambda: (Halving(),),
    "without a seed": lambda: (Nystroem(n_components=5),),
    "with a generator": lambda: (
        Nystroem(n_components=5, random_state=np.random.RandomState(0)),
    ),
    "in place": lambda: (StandardScaler(copy=False),),
    "a function that draws": lambda: (SelectKBest(mutual_info_classif, k=3),),
    "a function of the user": lambda: (FunctionTransformer(lambda X: X + 1),),
    "a universal function of the user": lambda: (
        FunctionTransformer(np.frompyfunc(abs, 1, 1)),
    ),
    "draws inside": lambda: (SelectFromModel(DecisionTreeClassifier()),),
}


@in_one_test("what", OWN)
def test_what_may_be_different_in_every_fit_is_not_shared(what):
    pipelines = [make_pipeline(*OWN[what](), last) for last in (BAYES, TREE)]
    assert first_steps(pipelines, scorer_reads=True) == [None, None]
    # What stands before it is shared.
    later = [make_pipeline(MinMaxScaler(), *OWN[what](), last) for last in (BAYES, TREE)]
    shared = first_steps(later, scorer_reads=True)
    assert [len(first.steps) for first in shared] == [1, 1]


@in_one_test(
    "step, shared",
    [
        (PCA(3), False),  # it may choose a solver that draws
        (PCA(3, random_state=0), True),
        (PCA(3, random_state=np.int64(0)), True),
        (PCA(3, svd_solver="full"), True),
        (FunctionTransformer(np.log1p), True),
        (SelectKBest(f_classif), True),
        (make_column_transformer((StandardScaler(), [0]), ("passthrough", slice(1, 3))), True),
        (make_column_transformer((StandardScaler(), lambda X: [0])), False),
    ],
)
def test_what_is_known_to_repeat_itself(step, shared):
    found = first_steps([make_pipeline(step, BAYES)] * 2, scorer_reads=True)
    assert [first is not None for first in found] == [shared, shared]


def test_fits_that_are_not_shared(cancer, counted):
    pipelines = [make_pipeline(Nystroem(n_components=5), last) for last in (BAYES, TREE)]
    paired_cross_validate(named(pipelines), *cancer, cv=CV)
    assert counted.count("Nystroem") == 6


class OwnPipeline(Pipeline):
    """May do anything."""


@in_one_test(
    "make",
    [
        lambda last: make_pipeline(StandardScaler(with_mean=last is BAYES), last),
        lambda last: make_pipeline(StandardScaler(), last, verbose=True),
        lambda last: OwnPipeline([("scale", StandardScaler()), ("last", last)]),
        lambda last: make_pipeline(StandardScaler(), last, transform_input=["weights"]),
        lambda last: make_pipeline(last),
        lambda last: last,
    ],
)
def test_pipelines_that_share_nothing(make):
    assert first_steps([make(BAYES), make(TREE)], scorer_reads=True) == [None, None]


def test_a_cache_of_the_pipelines_own_is_used(cancer, counted, tmp_path):
    pipelines = [
        make_pipeline(StandardScaler(), last, memory=str(tmp_path / "cache"))
        for last in (BAYES, TREE)
    ]
    pipelines.append(make_pipeline(StandardScaler(), CENTROID))
    assert first_steps(pipelines, scorer_reads=True) == [None, None, None]
    paired_cross_validate(named(pipelines), *cancer, cv=CV)
    assert counted.count("StandardScaler") == 3 + 3  # the cache's, and the third pipeline's
    assert any((tmp_path / "cache").rglob("output.pkl"))


def test_weights_for_a_step_are_not_lost(cancer, counted, alone):
    X, y = cancer
    weights = np.random.default_rng(0).uniform(size=len(y))
    pipelines = named(
        Pipeline([("scale", StandardScaler()), ("last", last)]) for last in (BAYES, TREE)
    )
    for params, n_fits in (
        ({"scale__sample_weight": weights}, 6),
        ({"last__sample_weight": weights}, 3),
    ):
        counted.clear()
        options = {"params": params, "cv": CV}
        run = paired_cross_validate(pipelines, X, y, **options)
        assert counted.count("StandardScaler") == n_fits
        assert_same(run, alone(pipelines, X, y, **options))
    with sklearn.config_context(enable_metadata_routing=True):
        asking = StandardScaler().set_fit_request(sample_weight=True)
        pipelines = named(make_pipeline(asking, last) for last in (CENTROID, CENTROID))
        counted.clear()
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        params = {"sample_weight": weights}
        paired_cross_validate(pipelines, X, y, params=params, scoring=scorer, cv=CV)
    assert counted.count("StandardScaler") == 6


def test_times_are_those_of_a_pipeline_alone(cancer, monkeypatch):
    for method, seconds in (("fit", 0.02), ("transform", 0.01)):
        do = getattr(StandardScaler, method)

        def slow(self, *args, do=do, seconds=seconds, **kwargs):
            time.sleep(seconds)
            return do(self, *args, **kwargs)

        monkeypatch.setattr(StandardScaler, method, slow)
    records, run_fold = [], _schedule.run_fold

    def noting(*args):
        records.append(run_fold(*args))
        return records[-1]

    monkeypatch.setattr(_schedule, "run_fold", noting)
    pipelines = [
        make_pipeline(make_pipeline(StandardScaler(), MinMaxScaler()), last)
        for last in (BAYES, TREE, CENTROID)
    ]
    run = paired_cross_validate(named(pipelines), *cancer, cv=CV)
    assert (run.fit_times >= 0.03).all() and (run.score_times >= 0.01).all()
    spared = np.array([record.spared for record in records]).reshape(3, 3)
    assert (spared[:, 0] == 0).all() and (spared[:, 1:] >= 0.04).all()
    for record in records:  # nothing is counted twice
        assert record.spared <= record.fit_time + record.score_time


def test_kept_fits(cancer, tmp_path, fits, alone):
    options = {"cv": CV, "scoring": "accuracy"}
    pipelines = named(PIPELINES["several steps"])
    first = dict(list(pipelines.items())[:2])
    for chosen, expected in ((first, 6), (pipelines, 9), (pipelines, 0)):
        fits.clear()
        run = paired_cross_validate(chosen, *cancer, memory=tmp_path, **options)
        assert len(fits) == expected
        assert_same(run, alone(chosen, *cancer, **options))


@pytest.mark.usefixtures("checks_of_scikit_learns_arguments")
def test_over_data_sets_and_after_a_failure(cancer):
    X, y = cancer
    pipelines = {
        "bayes": make_pipeline(PCA(20, random_state=0), BAYES),
        "tree": make_pipeline(PCA(20, random_state=0), TREE),
        "fails": make_pipeline(PCA(20, random_state=0), SelectKBest(k=-1), BAYES),
        "centroid": CENTROID,
    }
    datasets = {"wide": (X, y), "narrow": (X[:, :10], y)}
    run = cross_validate_over_datasets(pipelines, datasets, cv=CV, error_score="collect")
    assert [(failure.dataset, failure.estimator) for failure in run.failures] == [
        ("wide", "fails"),
        *(("narrow", name) for name in ("bayes", "tree", "fails")),
    ]
    single = paired_cross_validate([pipelines["tree"]], X, y, cv=CV)
    np.testing.assert_array_equal(
        run.datasets["wide"].scores["accuracy"][:, 1], single.scores["accuracy"][:, 0]
    )
    with pytest.raises(EvaluationError, match="bayes could not be fitted on split 0: ValueErr"):
        paired_cross_validate(pipelines, X[:, :10], y, cv=CV)


def test_what_nobody_needs_any_more_is_let_go(cancer, monkeypatch):
    X, y = cancer
    pipelines = [make_pipeline(StandardScaler(), last) for last in (BAYES, TREE)]
    outputs, alive, fit_transform = [], [], StandardScaler.fit_transform

    def noting(self, *args, **kwargs):
        output = fit_transform(self, *args, **kwargs)
        outputs.append(weakref.ref(output))
        return output

    monkeypatch.setattr(StandardScaler, "fit_transform", noting)
    gc.collect()
    gc.disable()
    try:
        paired_cross_validate(
            named(pipelines),
            X,
            y,
            cv=CV,
            verbose=lambda *_: alive.append(sum(ref() is not None for ref in outputs)),
        )
    finally:
        gc.enable()
    assert len(outputs) == 3
    assert alive[-6:] == [1, 0, 1, 0, 1, 0]


# -- What goes to which worker


def tasks_of(pipelines, cancer, cv=CV):
    X, y = cancer
    plan = _plan.make_plan(Fits(named=named(pipelines), X=X, y=y), scoring=None, cv=cv)
    return plan.tasks


def sent(tasks, workers):
    queue = TaskQueue([Work(0, np.zeros((240, 30)), None, tasks)])
    return [
        [(task.split, task.estimator_index) for task in batch]
        for _, batch in queue.batches(workers, share=False)
    ]


def test_pipelines_that_share_go_to_the_same_worker(cancer):
    tasks = tasks_of(
        [
            make_pipeline(StandardScaler(), BAYES),
            TREE,
            make_pipeline(StandardScaler(), TREE),
            make_pipeline(MinMaxScaler(), BAYES),
            make_pipeline(StandardScaler(), CENTROID),
        ],
        cancer,
    )
    batches = sent(tasks, 2)
    for split in range(3):
        assert [(split, 0), (split, 2), (split, 4)] in batches
    assert sorted(task for batch in batches for task in batch) == [
        (split, i) for split in range(3) for i in range(5)
    ]


def test_they_are_taken_apart_so_that_no_worker_is_idle(cancer):
    pipelines = [make_pipeline(StandardScaler(), BAYES) for _ in range(8)]
    batches = sent(tasks_of(pipelines, cancer), 8)
    assert len(batches) >= 8 and max(map(len, batches)) <= 3
    # The last split of all is divided too.
    assert list(map(len, sent(tasks_of(pipelines, cancer), 2))) == [8, 8, 4, 4]


def test_one_estimator_of_those_that_share_is_dropped(cancer):
    pipelines = [make_pipeline(StandardScaler(), last) for last in (BAYES, TREE, CENTROID)]
    queue = TaskQueue([Work(0, np.zeros((240, 30)), None, tasks_of(pipelines, cancer))])
    assert queue.drop(0, 1) == 3 and queue.drop(0, 1) == 0
    left = [task for _, batch in queue.batches(2, share=False) for task in batch]
    assert {task.estimator_index for task in left} == {0, 2} and len(left) == 6


def test_rows_of_another_split_are_never_taken(cancer):
    X, y = cancer
    (first,) = {first_steps([make_pipeline(StandardScaler(), BAYES)] * 2, scorer_reads=True)[0]}
    fitted = FittedSteps()
    found = []
    for rows in (np.arange(100), np.arange(100), np.arange(50, 150)):
        pipeline = make_pipeline(StandardScaler(), BAYES)
        with fitted.of(first, 0, rows, np.arange(3)) as own:
            own.fit(pipeline, X[rows], (y[rows],), {})
        assert pipeline.memory is None
        np.testing.assert_array_equal(pipeline[0].mean_, StandardScaler().fit(X[rows]).mean_)
        found.append(own.take_spared() > 0)
    # The same rows as other objects, which another fit took before.
    assert found == [False, True, False]
