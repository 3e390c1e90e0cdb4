"""The rows of the caller: nothing is written into them, and copies among them are counted."""

import copy
import pickle
from collections import Counter

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

import skstat
from tests.cases import codes, doubt_of, in_one_test

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
PAIR = {"a": Writing(), "b": Writing()}
FLAT = [kind for kind in KINDS if kind != "lists of lists"]


@pytest.mark.parametrize(
    ("door", "kind"),
    [("whole", "lists"), *((door, kind) for door in ("splits", "datasets") for kind in FLAT)],
)
def test_nothing_is_written_into_the_callers_data(door, kind):
    X = KINDS[kind]()
    before = pickle.dumps(X)
    if door == "splits":
        run = skstat.paired_cross_validate(PAIR, X, y, cv=KFold(4))
        scores = run.scores["accuracy"]
    elif door == "whole":
        skstat.estimate_performance(Writing(), X, y, method="bootstrap632", random_state=0)
        scores = np.full(1, 0.5)
    else:
        twice = {"one": (X, y), "two": (X, y)}
        report = skstat.compare_over_datasets(PAIR, twice, cv=KFold(4))
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
    skstat.paired_cross_validate([Noting()], X, y, cv=[(rows, [0, 1])])
    taken = Noting.seen
    assert type(taken) is type(X)
    if hasattr(taken, "toarray"):
        np.testing.assert_array_equal(taken.toarray(), TABLE[rows])
        return
    cells = [frame.to_numpy() if hasattr(frame, "iloc") else frame for frame in (taken, before)]
    for place, row in enumerate(rows):
        assert str(cells[0][place]) == str(cells[1][row])


# Rows that are the same as other rows


def repeated(rng, n=200, n_copies=30):
    """Rows of which some stand there again, in any order."""
    X, y = rng.normal(size=(n - n_copies, 4)).round(3), rng.integers(0, 2, n - n_copies)
    X[:3, 1] = np.nan
    again = rng.integers(0, n - n_copies, n_copies)
    order = rng.permutation(n)
    return np.concatenate([X, X[again]])[order], np.concatenate([y, y[again]])[order]


GUESS = DummyClassifier()


def copies(X, y, guess=GUESS):
    """The number that a report tells, if there are so many that it does."""
    asked = {"method": "holdout", "random_state": 0, "verbose": False}
    report = skstat.estimate_performance(guess, X, y, **asked)
    texts = [doubt.text for doubt in report.doubts if doubt.code == "SKS145"]
    return int(texts[0].split()[0].replace(",", "")) if texts else 0


def counted(X, y):
    """Rows beyond the first of each kind, by comparing them as text."""
    kinds = Counter((*map(str, row), str(of)) for row, of in zip(X.tolist(), y, strict=True))
    return sum(kinds.values()) - len(kinds)


def test_copies_are_counted_in_every_kind_of_data():
    pd, rng = pytest.importorskip("pandas"), np.random.default_rng(0)
    X, y = repeated(rng)
    n = counted(X, y)
    assert n == 30
    assert copies(X, y) == n
    assert copies(np.asfortranarray(X), y.astype(str)) == n
    assert copies(X.astype(np.float32).astype(np.longdouble), y) == n
    assert copies(X.tolist(), y.tolist()) == n
    frame = pd.DataFrame(X, columns=list("abcd"))
    assert copies(frame, y) == copies(frame, pd.Series(y, name="y")) == n
    mixed = frame.assign(text=frame["a"].map("case {}".format), kind=pd.Categorical(frame["b"]))
    assert copies(mixed, y) == n
    texts = ["case " + " ".join(map(str, row)) for row in X.tolist()]
    assert copies(texts, y) == copies(np.array(texts), y) == n
    assert copies(np.array(texts, dtype=object)[:, None], y) == n
    plain = np.nan_to_num(X) * (rng.random(4) < 0.7)
    plain[:, 0] = X[:, 0]
    for kind in (sparse.csr_array, sparse.coo_array, sparse.csc_matrix):
        assert copies(kind(plain), y) == counted(plain, y) >= n
    images = rng.random((50, 3, 4, 2))
    two = np.arange(50) % 2
    assert copies(np.concatenate([images, images[:7]]), np.r_[two, two[:7]]) == 7
    # A row with another target is another row, and -0.0 is 0.0.
    assert copies(X, np.arange(len(y)), DummyRegressor()) == 0
    zeros = np.array([[0.0, 1.5], [-0.0, 1.5], [0.0, 2.5], *((n, n) for n in range(3, 20))])
    assert copies(zeros, np.arange(20) > 9) == 1
    # Yes or no is the same in many rows by chance.
    assert copies(np.arange(90)[:, None] % 2, np.arange(90) % 2) == 0


def test_rows_that_differ_in_one_bit_are_not_copies():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (3000, 1)) * np.ones(60)
    X[np.arange(3000), rng.integers(0, 60, 3000)] += np.arange(3000)
    y = np.arange(3000) % 2
    assert counted(X, y) in (copies(X, y), *range(60))  # less than two per cent are not told
    whole, y = np.arange(200_000, dtype=np.int64)[:, None] + 2**53, np.arange(200_000) > 9
    assert copies(whole, y) == 0
    rounded = whole.astype(float)  # every other one has its own number
    assert copies(rounded, y) == len(rounded) - len(np.unique(rounded)) > 90_000


@pytest.mark.parametrize("n_copies, raised", [(4, False), (5, True), (50, True)])
def test_more_than_two_per_cent_are_doubted_and_groups_are_the_cure(n_copies, raised):
    pd = pytest.importorskip("pandas")
    X, y = repeated(np.random.default_rng(0), n_copies=n_copies)
    X = np.nan_to_num(X)
    two = {"plain": LogisticRegression(), "guess": GUESS}
    ask = {"scoring": "neg_brier_score", "random_state": 0}
    report = skstat.compare_estimators(two, X, y, **ask)
    assert ("SKS145" in codes(report)) is raised
    one = skstat.estimate_performance(two["plain"], X, y, **ask, verbose=False)
    assert ("SKS145" in codes(one)) is raised
    if raised:
        found = doubt_of(report, "SKS145")
        assert found.text.startswith(f"{n_copies} of 200 rows repeat another row")
        assert found.weight == "weak" and "groups=" in found.action
    # The line that the doubt has.
    groups = pd.util.hash_pandas_object(pd.DataFrame(X).assign(y=y), index=False)
    assert "SKS145" not in codes(skstat.compare_estimators(two, X, y, groups=groups, **ask))
