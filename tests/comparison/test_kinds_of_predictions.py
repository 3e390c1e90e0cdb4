"""Predictions of unusual shapes and types: compared as they are, or refused by name."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import zero_one_loss

import skstat

N = 40
Y = np.random.default_rng(0).integers(0, 3, N)
OTHER = (Y + 1) % 3
LARGE = 2**53


def ask(y_true=Y, metric="accuracy", test="auto", **predictions):
    return skstat.compare_predictions(
        y_true, predictions, metric=metric, test=test, n_resamples=99, n_jobs=1, random_state=0
    )


def boxes(seed, fewest=0, most=4):
    rng = np.random.default_rng(seed)
    return [rng.random((rng.integers(fewest, most), 4)).tolist() for _ in range(N)]


def tokens(seed, most=5):
    rng = np.random.default_rng(seed)
    return [rng.choice(["x", "y"], rng.integers(most - 1, most + 1)).tolist() for _ in range(N)]


def as_many(y_true, y_pred):
    assert all(type(one) is type(other) for one, other in zip(y_true, y_pred, strict=True))
    return float(np.mean([len(t) == len(p) for t, p in zip(y_true, y_pred, strict=True)]))


@pytest.mark.parametrize(
    ("truth", "a", "b"),
    [
        (boxes(0), boxes(1), boxes(2)),
        (boxes(0), boxes(1, 2, 3), boxes(2)),  # one of them would make an array
        (boxes(0, 2, 3), boxes(1, 2, 3), boxes(2)),
        (tokens(0), tokens(1), tokens(2)),
        (
            [np.array(b) for b in boxes(0, 1)],
            *([np.array(b) for b in boxes(i, 1)] for i in (1, 2)),
        ),
    ],
)
@pytest.mark.parametrize("test", ["paired_permutation", "paired_bootstrap"])
def test_lists_of_lists_are_kept_for_functions(truth, a, b, test):
    report = ask(truth, as_many, test, a=a, b=b)
    assert report.estimate == pytest.approx(as_many(truth, a) - as_many(truth, b))
    assert ask(truth, as_many, test, a=a, b=list(a)).pvalue == 1


def test_labels_that_floats_round_are_refused():
    large = Y + LARGE
    for y_true, a in ((large, large.astype(float)), (large.astype(float), large)):
        with pytest.raises(ValueError, match="holds 9007.*: labels are finite, and beyond"):
            ask(y_true, a=a, b=a)
    with pytest.raises(ValueError, match="labels are finite, and beyond"):
        ask(large.astype(np.uint64), "f1_macro", a=large, b=large)
    with pytest.raises(
        ValueError, match=r"predictions\['a'\] has whole numbers beyond 64 bits"
    ):
        ask(a=[2**63, *[-1] * (N - 1)], b=Y)
    assert ask(large, a=large, b=large + 1).estimate == 1
    # Functions get whole numbers as they are, whatever the other system says.
    report = ask(large + 1, lambda t, p: np.mean(t == p), a=large + 1, b=large / 1.0)
    assert report.estimate == 1


@pytest.mark.parametrize("form", [list, np.array])
def test_five_predictions_without_seeds_say_what_to_write(form):
    five = form([Y] * 5)
    with pytest.raises(ValueError, match=r"5 rows but y_true has 40.*seeds='crossed'"):
        ask(a=five, b=five)
    with pytest.raises(ValueError, match="several seeds pass seeds="):
        ask(a=np.transpose(five), b=np.transpose(five))


def test_other_containers():
    assert ask(a=np.ma.array(Y), b=OTHER).estimate == 1
    assert ask(a=sparse.csr_array(Y[:, None]), b=OTHER).estimate == 1
    for odd, message in (
        (np.ma.masked_equal(Y, Y[3]), r"predictions\['a'\]\[\d\] is masked"),
        (set(range(N)), r"predictions\['a'\] is a set, which has no order"),
        (b"0" * N, r"predictions\['a'\] must hold an entry per row, got bytes"),
        (dict(enumerate(Y)), r"predictions\['a'\] is a mapping.*y_true has no labels"),
        ([{"label": 1}] * N, r"predictions\['a'\] holds a dict of 1"),
        (Y.astype("S"), r"predictions\['a'\] holds bytes such as b'"),
        (Y * 1j, r"predictions\['a'\] holds complex128 values"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            ask(a=odd, b=Y)
    with pytest.raises(ValueError, match=r"y_true holds bytes such as b'\d'; decode them"):
        ask(Y.astype("S"), a=Y.astype("S"), b=Y.astype("S"))


# Several labels in a row: the row is the unit, and right if all its labels are.

LABELS = np.random.default_rng(1).integers(0, 2, (N, 5))
WRONG = np.random.default_rng(2).random((3, N, 5)) < np.array([0.1, 0.3, 0.2])[:, None, None]
SEVERAL = dict(zip("abc", np.where(WRONG, 1 - LABELS, LABELS), strict=True))
RIGHT = {
    name: np.array([not wrong.any() for wrong in rows])
    for name, rows in zip("abc", WRONG, strict=True)
}


def test_rows_of_several_labels_in_groups_and_with_losses():
    groups = np.repeat(np.arange(N // 4), 4)
    a, b = SEVERAL["a"], SEVERAL["b"]
    options = {"n_resamples": 99, "random_state": 0}
    own = [RIGHT["a"].astype(float), RIGHT["b"].astype(float)]
    for metric in ("accuracy", zero_one_loss):
        report = skstat.compare_predictions(
            LABELS, {"a": a, "b": b}, metric=metric, groups=groups, **options
        )
        assert report.n_units == N // 4
        assert report.evidence.outcome.estimate == pytest.approx(own[0].mean() - own[1].mean())
    share = skstat.binomial_test(LABELS, a, constant=0.3)
    assert share.estimate == pytest.approx(own[0].mean() - 0.3) and share.n_units == N
