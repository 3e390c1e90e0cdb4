"""Estimators that write into the rows they get change nothing of the caller's data."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold

from skstat import compare_over_datasets, estimate_performance, paired_cross_validate
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(40, 3)).round(3)
y = np.arange(40) % 2


class Writing(ClassifierMixin, BaseEstimator):
    """It doubles what it can reach, and says whether it saw a row that was doubled before."""

    def fit(self, X, y):
        self._write(X)
        return self

    def predict(self, X):
        return np.full(len(X) if isinstance(X, list) else X.shape[0], self._write(X))

    def _write(self, X):
        if sparse.issparse(X):
            seen, X.data[:] = np.any(X.data > 50), 100
        elif hasattr(X, "iloc"):
            seen = self._rows(X["o"]) if "o" in X else bool((X.iloc[:, 0] > 50).any())
            X.iloc[:, 0] = 100.0
        else:
            seen = self._rows(X)
        return int(seen)

    def _rows(self, rows):
        seen = any(self._first(row) > 50 for row in rows)
        for row in rows:
            row["a" if isinstance(row, dict) else 0] = 100.0
        return seen

    @staticmethod
    def _first(row):
        return row["a"] if isinstance(row, dict) else row[0]


def frame_of(objects):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(TABLE, columns=list("abc"))
    if objects:
        frame["o"] = TABLE.tolist()
    return frame


def objects_of(rows):
    found = np.empty(len(rows), dtype=object)
    for place, row in enumerate(rows):
        found[place] = row
    return found


KINDS = {
    "array": lambda: TABLE.copy(),
    "read-only array": lambda: np.lib.stride_tricks.as_strided(TABLE.copy(), writeable=False),
    "lists": lambda: TABLE.tolist(),
    "lists of lists": lambda: [[[value] for value in row] for row in TABLE.tolist()],
    "dicts": lambda: [dict(zip("abc", row, strict=True)) for row in TABLE.tolist()],
    "list of arrays": lambda: list(TABLE.copy()),
    "objects": lambda: objects_of(TABLE.tolist()),
    "frame": lambda: frame_of(False),
    "frame of lists": lambda: frame_of(True),
    "sparse": lambda: sparse.csr_array(TABLE),
}
FLAT = [kind for kind in KINDS if kind != "lists of lists"]


@pytest.mark.parametrize(
    ("door", "kind"),
    [("whole", "lists"), *((door, kind) for door in ("splits", "datasets") for kind in FLAT)],
)
def test_nothing_is_written_into_the_callers_data(door, kind):
    X = KINDS[kind]()
    before = pickle.dumps(X)
    if door == "splits":
        run = paired_cross_validate({"a": Writing(), "b": Writing()}, X, y, cv=KFold(4))
        scores = run.scores["accuracy"]
    elif door == "whole":
        estimate_performance(Writing(), X, y, method="bootstrap632", random_state=0, cv=None)
        scores = np.full(1, 0.5)
    else:
        report = compare_over_datasets(
            {"a": Writing(), "b": Writing()}, {"one": (X, y), "two": (X, y)}, cv=KFold(4)
        )
        scores = np.r_[report.evidence.sample.a, report.evidence.sample.b]
    assert (scores == 0.5).all()  # it never saw a row that was written into
    assert pickle.dumps(X) == before


class Noting(Writing):
    """It keeps what it was fitted to."""

    def fit(self, X, y):
        Noting.seen = copy.deepcopy(X)
        return self


@in_one_test("kind", FLAT)
def test_rows_are_those_of_the_data_and_nobody_elses(kind):
    X, rows = KINDS[kind](), np.array([5, 3, 3, 16])
    before = copy.deepcopy(X)
    paired_cross_validate([Noting()], X, y, cv=[(rows, [0, 1])])
    taken = Noting.seen
    assert type(taken) is type(X)
    if hasattr(taken, "toarray"):
        np.testing.assert_array_equal(taken.toarray(), TABLE[rows])
        return
    cells = [frame.to_numpy() if hasattr(frame, "iloc") else frame for frame in (taken, before)]
    for place, row in enumerate(rows):
        assert str(cells[0][place]) == str(cells[1][row])
