"""A pair is a family of one: in company it has the numbers that it has alone."""

import pickle

import numpy as np
import pytest

import skstat
from tests.contract import check_report

RNG = np.random.default_rng(5)
SMOOTH = 0.8 + 0.03 * RNG.standard_normal((30, 1)) + 0.02 * RNG.standard_normal((30, 5))
BETTER = SMOOTH + np.linspace(0, 0.2, 5)
COARSE = RNG.integers(5, 8, (30, 4)) / 10
SKEWED = SMOOTH[:, :1] + np.arange(5) / 100
SKEWED[3, 4] -= 0.5
# A copy, a constant difference, a constant; and rows that differ by these for a while only.
ODD = np.column_stack([COARSE[:, :2], COARSE[:, 0], COARSE[:, 0] + 0.25, np.full(30, 0.7)])
ROWS = ODD + np.r_[np.zeros((20, 5)), 0.1 * RNG.standard_normal((10, 5))]
# Ranked with their zeros some pairs differ; by the interval, which knows no zeros, they do not.
ZEROS = np.zeros((20, 4))
ZEROS[:9, 1], ZEROS[:8, 2], ZEROS[11:, 3] = RNG.random(9), RNG.random(8), -RNG.random(9)
RIGHT = (RNG.random((60, 4)) < 0.7).astype(float)
EVEN, UNEVEN = np.arange(30) // 3, np.sort(RNG.integers(0, 9, 30))

SPLITS = {"n_train": 90, "n_test": 10, "test": "corrected_t"}
FOLDS = {"n_repeats": 1, "test": "corrected_t"}
SEEDS = {"unit": "seed", "paired_seeds": True, "test": "paired_t"}
ITEMS = {"unit": "instance", "test": "sign_flip"}
SETS = {"unit": "dataset"}
LESS, GREATER = {"alternative": "less"}, {"alternative": "greater"}
CASES = {
    "smooth": (SMOOTH, {**SPLITS, "margin": 0.01}, {"SKS103"}),
    "greater": (SMOOTH[:10], FOLDS | GREATER, {"SKS102"}),
    "skewed": (SKEWED, SPLITS, {"SKS203"}),
    "control": (SKEWED, {**SPLITS, "control": "s1", "confidence_level": 0.8}, set()),
    "odd": (ODD, SPLITS, {"SKS201", "SKS202"}),
    "odd, margin": (ODD, {**FOLDS, "margin": 0.2} | LESS, {"SKS202"}),
    "same": (np.full((10, 3), 0.7), FOLDS, {"SKS201"}),
    "seeds": (BETTER, SEEDS, set()),
    "rows": (ROWS, {**ITEMS, "margin": 0.1}, set()),
    "few rows": (ODD[:7], ITEMS | GREATER, {"SKS201"}),
    "right and wrong": (RIGHT, {**ITEMS, "control": "s1"}, set()),
    "groups": (SKEWED, {**ITEMS, "unit": "group"} | LESS, set()),
    "rows in groups": (
        SMOOTH, {"unit": "instance", "group": EVEN, "test": "clustered_t"}, set(),
    ),
    "rows in odd groups": (
        SKEWED, {"unit": "instance", "group": UNEVEN, "margin": 0.1, "test": "clustered_t"},
        {"SKS107"},
    ),
    "data sets": (BETTER, SETS, set()),
    "data sets, less": (SKEWED, SETS | LESS, {"SKS203"}),
    "data sets, odd": (ODD[:14], {**SETS, "margin": 0.02}, {"SKS201"}),
    "data sets, zeros": (ZEROS, {**SETS, "adjustment": "bonferroni"}, {"SKS206"}),
    "data sets, signs": (ZEROS, {**SETS, "test": "sign"}, set()),
    "data sets, means": (SKEWED, {**SETS, "test": "paired_t"} | GREATER, {"SKS203"}),
    "data sets, few": (BETTER[:4], SETS, {"SKS217"}),
}  # fmt: skip
OF_FAMILIES = ("control", "adjustment")


def given(scores, names=None):
    named = {f"s{number}": column for number, column in enumerate(scores.T)}
    return named if names is None else {name: named[name] for name in names}


@pytest.mark.long(keep=11)
@pytest.mark.parametrize("scores, options, codes", CASES.values(), ids=CASES)
def test_in_company_a_pair_has_the_numbers_that_it_has_alone(scores, options, codes):
    report = skstat.compare_scores(given(scores), random_state=0, **options)
    check_report(report)
    assert pickle.loads(pickle.dumps(report)).to_json() == report.to_json()
    assert codes <= {doubt.code for doubt in report.doubts}
    of_one = {key: value for key, value in options.items() if key not in OF_FAMILIES}
    for pair in report.pairs:
        alone = skstat.compare_scores(given(scores, pair[:2]), random_state=0, **of_one)
        (found,) = alone.pairs
        assert (pair.estimate, pair.n) == (pytest.approx(found.estimate), found.n)
        # Of few rows all sign patterns are counted, of a family's some are drawn.
        drawn = 0.02 if options.get("test") == "sign_flip" else 1e-12
        assert pair.pvalue == pytest.approx(found.pvalue, abs=drawn, nan_ok=True), pair[:2]
