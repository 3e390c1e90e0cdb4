"""Data sets drawn from the caller's rows, with cells of other rows, as a check has them."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_array
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from skstat import check_test

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
N, P = 200, 4
# Every value tells its row and its column.
CELLS = np.arange(N)[:, None] * 10 + np.arange(P)
Y, GROUPS = np.arange(N) % 2, np.arange(N) // 5
TABLES = {
    "array": CELLS,
    "pandas": pd.DataFrame(CELLS, columns=list("abca"), index=np.arange(N) + 7),
    "polars": pl.DataFrame(CELLS, schema=list("abcd")),
    "csr": csr_array(CELLS),
    "csc": csc_matrix(CELLS),
    "lists": CELLS.tolist(),
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


def seen(X, y=Y, **options):
    """The tables, targets and weights of all fits of a check."""
    Seeing.fits = ()
    check_test(
        Seeing(), X, y, scoring="accuracy", test="corrected_t", n_experiments=10,
        random_state=0, verbose=False, **{"cv": StratifiedKFold(3), "fraction": 0.5} | options,
    )  # fmt: skip
    return Seeing.fits


def values(table):
    return np.asarray(table.toarray() if hasattr(table, "toarray") else table)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_cell_is_that_of_its_row_or_of_its_column_in_another(kind, share):
    X, moved = TABLES[kind], []
    for table, y, _ in seen(X, replaced=share):
        cells = values(table)
        assert (cells % 10 == np.arange(P)).all()
        moved.append((cells // 10 % 2 != y[:, None]).mean())
    # Half of the rows have the parity of the row that they stand for.
    assert np.mean(moved) == pytest.approx(share / 2, abs=0.03)


def test_the_kinds_of_columns_and_the_labels_of_rows_stay():
    frame = pd.DataFrame(
        {
            "n": np.arange(N),
            "c": pd.Categorical(list("ab") * (N // 2)),
            "t": ["x", None] * (N // 2),
        },
        index=np.arange(N)[::-1],
    )
    polars = pl.DataFrame({"c": pl.Series(list("ab") * (N // 2), dtype=pl.Categorical)})
    for found, y, _ in seen(frame, replaced=0.5):
        assert (found.dtypes == frame.dtypes).all()
        assert (Y[N - 1 - found.index.to_numpy()] == y).all()
    assert frame["n"].tolist() == list(range(N))
    assert all(found.schema == polars.schema for found, *_ in seen(polars, replaced=0.5))


def test_distances_have_no_cells():
    with pytest.raises(ValueError, match=r"svc takes distances or a kernel of all rows"):
        check_test({"svc": SVC(kernel="precomputed")}, np.eye(80), Y[:80], cv=2)


@pytest.mark.parametrize("kind", [{}, {"groups": GROUPS, "cv": GroupKFold(3)}])
def test_rows_come_once_and_with_all_that_belongs_to_them(kind):
    for table, y, weight in seen(
        CELLS, sample_weight=np.arange(N) + 1.0, replaced=0.001, **kind
    ):
        rows = weight.astype(int) - 1
        assert len(set(rows)) == len(rows) and (y == Y[rows]).all()
        assert (table[:, 0] // 10 == rows).mean() > 0.9
        assert not kind or set(np.bincount(GROUPS[rows])) <= {0, 5}


def test_a_class_with_too_few_rows_is_named():
    y = (np.arange(N) % 50 == 0).astype(int)
    with pytest.raises(ValueError, match=r"y holds class 1 4 times: data sets of 50"):
        seen(CELLS, y, fraction=0.25)
    assert all(y.sum() >= 2 for _, y, _ in seen(CELLS, np.arange(N) < 20))
