"""Per-split scores equal scikit-learn's cross_validate, up to the last digits of a fit."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse
import sklearn
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skstat import paired_cross_validate

CV = ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=3)
LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression())
FOREST = RandomForestClassifier(5, random_state=0)


def assert_same(estimators, X, y, **options):
    how = {"scoring": "accuracy", "cv": CV, **options}
    run = paired_cross_validate(estimators, X, y, **how)
    for name, estimator in zip(run.names, estimators, strict=True):
        expected = ms.cross_validate(estimator, X, y, **how)
        single = {run.metrics[0]: expected.get("test_score")}
        for metric in run.metrics:
            theirs = expected.get(f"test_{metric}", single.get(metric))
            np.testing.assert_allclose(run.column(name, metric), theirs)
    return run


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("scoring", [
    None,
    "roc_auc",
    "neg_log_loss",
    ["accuracy", "f1", "roc_auc"],
    {"acc": "accuracy", "f1": make_scorer(f1_score)},
    make_scorer(f1_score, average="macro"),
    lambda estimator, X, y: float(np.mean(estimator.predict(X) == y)),
    lambda estimator, X, y: {"hits": accuracy_score(y, estimator.predict(X)), "one": 1.0},
])  # fmt: skip
def test_scoring(cancer, scoring):
    assert_same([LOGISTIC, FOREST], *cancer, scoring=scoring)


def test_cv_as_int_and_as_splits(cancer):
    X, y = cancer
    assert_same([LOGISTIC, FOREST], X, y, cv=4)
    assert_same([LOGISTIC, FOREST], X, y, cv=list(CV.split(X, y)))
    masks = [
        (np.isin(np.arange(len(y)), train), np.isin(np.arange(len(y)), test))
        for train, test in CV.split(X, y)
    ]
    scores = (
        paired_cross_validate([FOREST], X, y, cv=cv).scores["accuracy"] for cv in (masks, CV)
    )
    np.testing.assert_array_equal(*scores)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(cancer, library):
    frames = pytest.importorskip(library)
    X, y = cancer
    columns = {f"x{i}": X[:, i] for i in range(4)} | {"word": np.where(X[:, 5] > 0, "a", "b")}
    frame, target = frames.DataFrame(columns), frames.Series(y)
    encoder = make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough")
    estimators = [make_pipeline(encoder, LogisticRegression()), make_pipeline(encoder, FOREST)]
    assert_same(estimators, frame, target)


def test_regression_and_multioutput(cancer):
    X, _ = cancer
    rng = np.random.default_rng(0)
    y = X[:, 0] + rng.normal(size=len(X))
    cv = ms.ShuffleSplit(4, random_state=0)
    regressors = [Ridge(), DecisionTreeRegressor(random_state=0)]
    assert_same(regressors, X, y, scoring=None, cv=cv)
    both = ["r2", "neg_mean_squared_error"]
    assert_same(regressors, X, np.column_stack([y, -2 * y]), scoring=both, cv=cv)


def test_kernels_groups_searches_and_fit_parameters(cancer):
    X, y = cancer
    kernels = [SVC(kernel="precomputed"), SVC(kernel="precomputed", C=0.01)]
    assert_same(kernels, X @ X.T, y)
    assert_same([LOGISTIC, FOREST], X, y, groups=np.arange(len(y)) // 4, cv=ms.GroupKFold(4))
    search = ms.GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    assert_same([search, FOREST], X, y)
    weights = np.random.default_rng(1).uniform(size=len(y))
    assert_same([LogisticRegression(), FOREST], X, y, params={"sample_weight": weights})
    assert_same([LOGISTIC], X, y, params={"logisticregression__sample_weight": weights})


def test_metadata_routing(cancer):
    X, y = cancer
    weigh = {"params": {"sample_weight": np.random.default_rng(1).uniform(size=len(y))}}
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = [
            LogisticRegression().set_fit_request(sample_weight=True),
            DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=False),
        ]
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        run = assert_same(weighted, X, y, scoring=scorer, **weigh)
        plain = make_scorer(f1_score).set_score_request(sample_weight=False)
        assert_same(weighted, X, y, scoring={"a": scorer, "b": plain}, **weigh)
        # A learner that knows no weights stands beside one that asks for them.
        pair = [weighted[0], KNeighborsClassifier()]
        mixed = paired_cross_validate(pair, X, y, scoring=scorer, cv=CV, **weigh)
        groups = {"groups": np.arange(len(y)) // 4}
        grouped = paired_cross_validate([weighted[1]], X, y, cv=ms.GroupKFold(4), params=groups)
        with pytest.raises(Exception, match="sample_weight"):  # which nobody asked for
            paired_cross_validate([LogisticRegression()], X, y, params={"sample_weight": y})
    with_weights = run.scores["accuracy_score"][:, 0]
    np.testing.assert_array_equal(mixed.scores["accuracy_score"][:, 0], with_weights)
    unweighted = ms.cross_validate(weighted[0], X, y, cv=CV)["test_score"]
    assert not np.array_equal(unweighted, with_weights)
    assert not grouped.design.splits_groups


def test_estimators_are_not_touched(cancer):
    X, y = cancer
    shared = np.random.RandomState(0)
    estimators = [
        RandomForestClassifier(3, random_state=shared, warm_start=True),
        DecisionTreeClassifier(random_state=shared),
    ]
    before = shared.get_state()[1].copy()
    originals = [clone(estimator) for estimator in estimators]
    X_before = X.copy()
    first = paired_cross_validate(estimators, X, y, cv=CV)
    again = paired_cross_validate(estimators, X, y, cv=CV)
    np.testing.assert_array_equal(first.scores["accuracy"], again.scores["accuracy"])
    np.testing.assert_array_equal(shared.get_state()[1], before)
    np.testing.assert_array_equal(X, X_before)
    for estimator, original in zip(estimators, originals, strict=True):
        assert not hasattr(estimator, "classes_")
        assert estimator.get_params().keys() == original.get_params().keys()


def test_a_shuffling_splitter_is_consumed_once(cancer):
    X, y = cancer
    splitter = ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=1, random_state=None)
    run = paired_cross_validate({"a": FOREST, "b": clone(FOREST)}, X, y, cv=splitter)
    np.testing.assert_array_equal(run.column("a"), run.column("b"))


def test_containers_and_labels_do_not_matter(cancer):
    frames = [pytest.importorskip(name) for name in ("pandas", "polars")]
    X, y = cancer
    # Sums of other orders, as of sparse matrices, lead Newton's method to the same labels.
    newton = LogisticRegression(solver="newton-cholesky")
    estimators = [newton, DecisionTreeClassifier(random_state=0)]
    expected = paired_cross_validate(estimators, X, y, cv=CV).scores["accuracy"]
    words = np.where(y == 1, "benign", "malign")
    shuffled_index = frames[0].DataFrame(X, index=np.arange(len(y))[::-1])
    for same_X, same_y in (
        (X.tolist(), y.tolist()),
        (np.asfortranarray(X), words),
        (shuffled_index, frames[0].Series(words, index=shuffled_index.index)),
        (frames[0].DataFrame(X), frames[0].Series(words, dtype="category")),
        (frames[1].DataFrame(X), frames[1].Series(y)),
        (scipy.sparse.csr_matrix(X), y),
        (scipy.sparse.csc_array(X), y),
    ):
        run = paired_cross_validate(estimators, same_X, same_y, cv=CV)
        np.testing.assert_array_equal(run.scores["accuracy"], expected)


def test_a_run_is_a_table(cancer):
    two = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    run = paired_cross_validate(two, *cancer, scoring=["accuracy", "f1"], random_state=0)
    table = run.table("f1")
    np.testing.assert_array_equal(table.scores, run.scores["f1"])
    assert table.names == run.names and table.unit == "split"
    pair, sample = table.pair("nb", "tree"), run.sample("nb", "tree", metric="f1")
    assert pair.to_dict() == sample.to_dict()
    assert "15x2-fold cross-validation" in repr(run)
    frame = pytest.importorskip("pandas") and run.to_frame()
    assert frame.shape == (60, 4)
    assert frame.loc[(3, "tree"), "accuracy"] == run.column("tree", "accuracy")[3]
    with pytest.raises(KeyError, match="no estimator 'forest'"):
        run.column("forest", "accuracy")
    for ask in (run.table, partial(run.sample, "nb", "tree")):
        with pytest.raises(ValueError, match="scoring is missing: this run has"):
            ask()


def test_a_cache_of_the_pipelines_fits_their_first_step_once_per_split(
    cancer, tmp_path, monkeypatch
):
    fitted, fit = [], PCA.fit_transform

    def counting(self, X, y=None):
        fitted.append(len(X))
        return fit(self, X, y)

    last = [GaussianNB(), KNeighborsClassifier()]
    alone = [ms.cross_validate(make_pipeline(PCA(2), one), *cancer, cv=CV) for one in last]
    monkeypatch.setattr(PCA, "fit_transform", counting)
    cached = [make_pipeline(PCA(2), one, memory=str(tmp_path)) for one in last]
    run = paired_cross_validate(cached, *cancer, cv=CV, scoring="accuracy")
    assert len(fitted) == CV.get_n_splits()
    expected = np.transpose([one["test_score"] for one in alone])
    np.testing.assert_array_equal(run.scores["accuracy"], expected)
