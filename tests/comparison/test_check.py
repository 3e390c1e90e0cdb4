"""The check of tests: its null hypothesis, p-values of the front door, and its words."""

import json
import math
import time

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_array
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from skstat import check_test
from skstat.report import TestCheck
from tests.cases import refusals
from tests.contract import check_forms

RNG = np.random.default_rng(0)
X = RNG.normal(size=(240, 5))
Y = X @ np.full(5, 0.4) + RNG.normal(size=240)
LABELS = (Y > 0).astype(int)
MSE = "neg_mean_squared_error"
FEW = {"n_experiments": 10, "random_state": 0, "verbose": False}


def test_data_of_any_kind():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcde"), index=np.arange(240)[::-1])
    y = pd.Series(LABELS, index=frame.index)
    weights = pd.Series(np.linspace(1, 2, 240), index=frame.index)
    asked = {"groups": np.arange(240) // 4, "sample_weight": weights, "cv": GroupKFold(5)}
    check = check_test(GaussianNB(), frame, y, scoring="neg_log_loss", **asked, **FEW)
    assert check.unit == "group" and (check.n_samples, check.n_drawn) == (60, 15)
    assert "data sets of 15 groups, drawn from the 60" in check.conclusion
    texts = [f"{['bad', 'good'][label]} {'very' * (i % 3)}" for i, label in enumerate(LABELS)]
    words = make_pipeline(CountVectorizer(), MultinomialNB())
    check = check_test({"words": words}, texts, LABELS, cv=5, **FEW)
    assert check["words"].n_experiments == 10


@pytest.mark.filterwarnings("ignore")
def test_own_splits_and_a_metric_of_ones_own():
    def own(y, said):
        return float(np.max(np.abs(y - said)))

    check = check_test({"ridge": Ridge()}, X, Y, cv=5, **FEW)
    assert [row.test for row in check.rows] == ["corrected K-fold t test"]
    asked = {"test": "auto", "scoring": make_scorer(own, greater_is_better=False), **FEW}
    check = check_test({"a": Ridge(), "b": Ridge(9.0)}, X, Y, **asked)
    assert check["a"].test.startswith("block jackknife") and check["a"].replaced == 0.3


def out_of_time_after(monkeypatch, n_looks, **options):
    """What a check found whose clock stands still until it was looked at so often."""
    looks = iter([0.0] * n_looks)
    monkeypatch.setattr(time, "monotonic", lambda: next(looks, 1e9))
    return check_test(X=X, y=Y, scoring=MSE, time_limit=60, random_state=0, **options)


class Counted(Ridge):
    fits = 0

    def fit(self, X, y):
        Counted.fits += 1
        return super().fit(X, y)


def test_a_time_limit_ends_it_between_two_fits_and_says_so(monkeypatch):
    ridge, Counted.fits = {"ridge": Counted()}, 0
    with monkeypatch.context() as patch:
        # Once before everything, then before every experiment and after every fit.
        check = out_of_time_after(patch, 25, estimator=ridge, test="corrected_t")
    assert check.out_of_time and 0 < Counted.fits <= 25
    assert check["ridge"].n_experiments == 0 and math.isnan(check["ridge"].rate)
    assert check["ridge"].interval == (0, 1) and check["ridge"].verdict == "not clear"
    assert "The time limit ended before the first experiment did, so" in check.conclusion
    assert "The time limit ended the experiments" in str(check) and "nan" not in str(check)
    assert TestCheck.from_dict(json.loads(check.to_json())).to_dict() == check.to_dict()
    check_forms(check)
    pytest.importorskip("matplotlib")
    check.plot()


def test_what_was_found_within_the_time_limit_is_what_is_found_without(monkeypatch):
    learners, Counted.fits = {"ridge": Counted(), "other": Counted(9.0)}, 0
    options = {"estimator": learners, "test": "corrected_t", "replaced": 0.3}
    full = check_test(X=X, y=Y, scoring=MSE, n_experiments=10, random_state=0, **options)
    per_experiment = Counted.fits // 20
    with monkeypatch.context() as patch:
        check = out_of_time_after(patch, 9 * (per_experiment + 2), **options)
    assert check.out_of_time
    for name in learners:  # neither waits until the other has had its turn
        found = check[name].pvalues
        assert 2 <= len(found) <= 6 and found == full[name].pvalues[: len(found)]


test_what_is_refused = refusals([
    ({"n_experiments": 5}, "n_experiments=5 must be a whole number of at least 10"),
    ({"fraction": 0.9}, "fraction=0.9 must be a number above 0, up to 0.5"),
    ({"replaced": 0}, "replaced=0 must be a number above 0, up to 1, or 'auto'"),
    ({"time_limit": -1}, "time_limit=-1 must be a number of seconds above 0"),
    ({"test": []}, "test is empty"),
    ({"cv": [([0, 1], [2, 3])]}, "cv is a list of splits, which fit all rows"),
    ({"scoring": ["r2", MSE]}, "scoring names several metrics; pass one"),
    ({"groups": np.arange(240) // 40}, "groups has 6 groups; .* needs 20 or more"),
    ({"X": X[:40], "y": Y[:40]}, "X has 40 rows; .* needs 60 or more"),
], lambda X=X, y=Y, **options: check_test({"ridge": Ridge()}, X, y, **options))  # fmt: skip


# Data sets drawn from the caller's rows, with cells of other rows

N, P = 200, 4
# Every value tells its row and its column.
CELLS = np.arange(N)[:, None] * 10 + np.arange(P)
PARITY, GROUPS = np.arange(N) % 2, np.arange(N) // 5
LABELLED = {"columns": list("abca"), "index": np.arange(N) + 7}
TABLES = {
    "array": lambda: CELLS,
    "pandas": lambda: pytest.importorskip("pandas").DataFrame(CELLS, **LABELLED),
    "polars": lambda: pytest.importorskip("polars").DataFrame(CELLS, schema=list("abcd")),
    "csr": lambda: csr_array(CELLS),
    "csc": lambda: csc_matrix(CELLS),
    "lists": CELLS.tolist,
}


class Seeing(GaussianNB):
    """It keeps what it is fitted to, and learns nothing."""

    fits = ()

    def fit(self, X, y, sample_weight=None):
        Seeing.fits += ((X, np.asarray(y), sample_weight),)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(X.shape[0], dtype=int)


def seen(X, y=PARITY, **options):
    """The tables, targets and weights of all fits of a check."""
    Seeing.fits = ()
    asked = {"scoring": "accuracy", "test": "corrected_t", "cv": StratifiedKFold(3)}
    check_test(Seeing(), X, y, **asked | {"fraction": 0.5} | options, **FEW)
    return Seeing.fits


def values(table):
    return np.asarray(table.toarray() if hasattr(table, "toarray") else table)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_cell_is_that_of_its_row_or_of_its_column_in_another(kind, share):
    X, moved = TABLES[kind](), []
    for table, y, _ in seen(X, replaced=share):
        cells = values(table)
        assert (cells % 10 == np.arange(P)).all()
        moved.append((cells // 10 % 2 != y[:, None]).mean())
    # Half of the rows have the parity of the row that they stand for.
    assert np.mean(moved) == pytest.approx(share / 2, abs=0.03)


def test_the_kinds_of_columns_and_the_labels_of_rows_stay():
    pd, pl = (pytest.importorskip(name) for name in ("pandas", "polars"))
    letters = list("ab") * (N // 2)
    columns = {"n": np.arange(N), "c": pd.Categorical(letters), "t": ["x", None] * (N // 2)}
    frame = pd.DataFrame(columns, index=np.arange(N)[::-1])
    polars = pl.DataFrame({"c": pl.Series(letters, dtype=pl.Categorical)})
    for found, y, _ in seen(frame, replaced=0.5):
        assert (found.dtypes == frame.dtypes).all()
        assert (PARITY[N - 1 - found.index.to_numpy()] == y).all()
    assert frame["n"].tolist() == list(range(N))
    assert all(found.schema == polars.schema for found, *_ in seen(polars, replaced=0.5))


def test_distances_have_no_cells():
    with pytest.raises(ValueError, match=r"svc takes distances or a kernel of all rows"):
        check_test({"svc": SVC(kernel="precomputed")}, np.eye(80), PARITY[:80], cv=2)


@pytest.mark.parametrize("kind", [{}, {"groups": GROUPS, "cv": GroupKFold(3)}])
def test_rows_come_once_and_with_all_that_belongs_to_them(kind):
    for table, y, weight in seen(
        CELLS, sample_weight=np.arange(N) + 1.0, replaced=0.001, **kind
    ):
        rows = weight.astype(int) - 1
        assert len(set(rows)) == len(rows) and (y == PARITY[rows]).all()
        assert (table[:, 0] // 10 == rows).mean() > 0.9
        assert not kind or set(np.bincount(GROUPS[rows])) <= {0, 5}


def test_a_class_with_too_few_rows_is_named():
    y = (np.arange(N) % 50 == 0).astype(int)
    with pytest.raises(ValueError, match=r"y holds class 1 4 times: data sets of 50"):
        seen(CELLS, y, fraction=0.25)
    assert all(y.sum() >= 2 for _, y, _ in seen(CELLS, np.arange(N) < 20))
