"""Rows that are the same as other rows: how many, and what a report says of them."""

from collections import Counter

import numpy as np
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression

from skstat import compare_estimators, estimate_performance
from tests.cases import codes

pd = pytest.importorskip("pandas")


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def repeated(rng, n=200, n_copies=30):
    """Rows of which some stand there again, in any order."""
    X, y = rng.normal(size=(n - n_copies, 4)).round(3), rng.integers(0, 2, n - n_copies)
    X[:3, 1] = np.nan
    again = rng.integers(0, n - n_copies, n_copies)
    order = rng.permutation(n)
    return np.concatenate([X, X[again]])[order], np.concatenate([y, y[again]])[order]


def copies(X, y, guess=None):
    """The number that a report tells, if there are so many that it does."""
    report = estimate_performance(
        DummyClassifier() if guess is None else guess, X, y, method="holdout", random_state=0,
        verbose=False,
    )  # fmt: skip
    texts = [doubt.text for doubt in report.doubts if doubt.code == "SKS145"]
    return int(texts[0].split()[0].replace(",", "")) if texts else 0


def counted(X, y):
    """Rows beyond the first of each kind, by comparing them as text."""
    kinds = Counter((*map(str, row), str(of)) for row, of in zip(X.tolist(), y, strict=True))
    return sum(kinds.values()) - len(kinds)


def test_copies_are_counted_in_every_kind_of_data(rng):
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


def test_rows_that_differ_in_one_bit_are_not_copies(rng):
    X = rng.integers(0, 2, (3000, 1)) * np.ones(60)
    X[np.arange(3000), rng.integers(0, 60, 3000)] += np.arange(3000)
    y = np.arange(3000) % 2
    assert counted(X, y) in (copies(X, y), *range(60))  # less than two per cent are not told
    whole, y = np.arange(200_000, dtype=np.int64)[:, None] + 2**53, np.arange(200_000) > 9
    assert copies(whole, y) == 0
    rounded = whole.astype(float)  # every other one has its own number
    assert copies(rounded, y) == len(rounded) - len(np.unique(rounded)) > 90_000


def of_copies(X, y):
    """The line that the doubt has."""
    return pd.util.hash_pandas_object(pd.DataFrame(X).assign(y=y), index=False)


@pytest.mark.parametrize("n_copies, raised", [(4, False), (5, True), (50, True)])
def test_more_than_two_per_cent_are_doubted_and_groups_are_the_cure(n_copies, raised, rng):
    X, y = repeated(rng, n_copies=n_copies)
    X = np.nan_to_num(X)
    two = {"plain": LogisticRegression(), "guess": DummyClassifier()}
    ask = {"scoring": "neg_brier_score", "random_state": 0}
    report = compare_estimators(two, X, y, **ask)
    assert ("SKS145" in codes(report)) is raised
    one = estimate_performance(two["plain"], X, y, **ask, verbose=False)
    assert ("SKS145" in codes(one)) is raised
    if raised:
        (found,) = (doubt for doubt in report.doubts if doubt.code == "SKS145")
        assert found.text.startswith(f"{n_copies} of 200 rows repeat another row")
        assert found.weight == "weak" and "groups=" in found.action
    groups = of_copies(X, y)
    assert "SKS145" not in codes(compare_estimators(two, X, y, groups=groups, **ask))
