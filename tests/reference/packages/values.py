"""Numbers of other packages, which the pages in docs/coming_from show beside those of skstat.

``python values.py > values.json`` in an environment that has the packages (README.md).
"""

import json
import sys
import warnings
from contextlib import redirect_stdout
from importlib.metadata import version

import autorank
import baycomp
import matplotlib as mpl
import mlxtend.evaluate as mlxtend
import numpy as np
import pandas as pd
import scikit_posthocs as sp
import scipy.stats
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC
from statsmodels.stats import contingency_tables, multitest, weightstats

# Right answers of two classifiers on 10 000 rows, as in the documentation of mlxtend.
TABLE = [[9945, 25], [15, 15]]
# 1 is a right answer.
RIGHT = {
    "a": [1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1],
    "b": [1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1],
    "c": [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1],
}
# Accuracies on ten folds of 150 rows, or on five times two halves.
A = [0.93, 0.87, 1.00, 0.93, 0.87, 0.93, 0.80, 0.93, 0.87, 0.93]
B = [0.87, 0.87, 0.93, 0.87, 0.87, 0.87, 0.80, 0.87, 0.87, 0.80]
# Demšar (2006, table 6), as in examples/many_datasets.py.
AUC = {
    "C4.5": [
        *(0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661),
        *(0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957),
    ],
    "C4.5+m": [
        *(0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668),
        *(0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978),
    ],
    "C4.5+cf": [
        *(0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609),
        *(0.563, 0.866, 1.000, 0.965, 0.614, 0.9751, 0.946),
    ],
    "C4.5+m+cf": [
        *(0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685),
        *(0.625, 0.875, 1.000, 0.962, 0.669, 0.975, 0.970),
    ],
}


class Given:
    """A model whose scores are given: the functions of mlxtend fit, and get these."""

    def __init__(self, scores):
        self.scores = iter(scores)

    def fit(self, X, y):
        return self


def given():
    """What the functions of mlxtend take: two models, data and a scorer."""
    X, y = np.zeros((150, 1)), np.zeros(150)
    return Given(A), Given(B), X, y


def scorer(model, X, y):
    return next(model.scores)


def searched():
    """Scores of the two best candidates of scikit-learn's example."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    search = GridSearchCV(SVC(random_state=0), grid, scoring="roc_auc", cv=cv).fit(X, y)
    first, second = np.argsort(search.cv_results_["rank_test_score"])[:2]
    scores = np.array([search.cv_results_[f"split{i}_test_score"] for i in range(100)])
    return scores[:, first] - scores[:, second]


def corrected_t(differences, n_train, n_test):
    """The test that scikit-learn's example writes out; one-sided, as there."""
    n = len(differences)
    variance = np.var(differences, ddof=1) * (1 / n + n_test / n_train)
    t = np.mean(differences) / np.sqrt(variance)
    return t, scipy.stats.t.sf(abs(t), n - 1)


TRUTH = [1] * 16
SYSTEMS = [np.array(RIGHT[name]) for name in "abc"]
FRAME = pd.DataFrame(AUC)
BLOCKS = [np.array(AUC[name]) for name in AUC]
FIRST, SECOND = np.array(A), np.array(B)
DIFFERENCES = searched()

# What each page calls, in the words of the page, and what it stands for here.
NUMBERS = {
    "mlxtend": {
        "mcnemar(table)": lambda: mlxtend.mcnemar(np.array(TABLE))[1],
        "mcnemar(table, corrected=False)": lambda: mlxtend.mcnemar(
            np.array(TABLE), corrected=False
        )[1],
        "mcnemar(table, exact=True)": lambda: mlxtend.mcnemar(np.array(TABLE), exact=True)[1],
        "cochrans_q(y, a, b, c)": lambda: mlxtend.cochrans_q(np.array(TRUTH), *SYSTEMS)[1],
        "combined_ftest_5x2cv(…)": lambda: mlxtend.combined_ftest_5x2cv(
            *given(), scoring=scorer
        )[1],
        "paired_ttest_5x2cv(…)": lambda: mlxtend.paired_ttest_5x2cv(*given(), scoring=scorer)[
            1
        ],
        "permutation_test(a, b, paired=True)": lambda: mlxtend.permutation_test(
            A, B, paired=True
        ),
        "paired_ttest_kfold_cv(…)": lambda: mlxtend.paired_ttest_kfold_cv(
            *given(), cv=10, scoring=scorer
        )[1],
    },
    "autorank": {
        "autorank(auc).pvalue": lambda: ranked(FRAME).pvalue,
        'autorank(auc, force_mode="nonparametric").pvalue': lambda: (
            ranked(FRAME, force_mode="nonparametric").pvalue
        ),
        'autorank(auc, force_mode="nonparametric").cd': lambda: (
            ranked(FRAME, force_mode="nonparametric").cd
        ),
        'autorank(auc).rankdf.meanrank["C4.5"]': lambda: ranked(FRAME).rankdf.meanrank["C4.5"],
        "autorank(pair).pvalue": lambda: ranked(FRAME[["C4.5", "C4.5+m"]]).pvalue,
        'autorank(pair, force_mode="nonparametric").pvalue': lambda: (
            ranked(FRAME[["C4.5", "C4.5+m"]], force_mode="nonparametric").pvalue
        ),
    },
    "scikit_posthocs": {
        "posthoc_nemenyi_friedman(auc)": lambda: pair_of(sp.posthoc_nemenyi_friedman(FRAME)),
        "posthoc_conover_friedman(auc)": lambda: pair_of(sp.posthoc_conover_friedman(FRAME)),
        'posthoc_conover_friedman(auc, p_adjust="holm")': lambda: pair_of(
            sp.posthoc_conover_friedman(FRAME, p_adjust="holm")
        ),
        "posthoc_siegel_friedman(auc)": lambda: pair_of(sp.posthoc_siegel_friedman(FRAME)),
        'posthoc_siegel_friedman(auc, p_adjust="holm")': lambda: pair_of(
            sp.posthoc_siegel_friedman(FRAME, p_adjust="holm")
        ),
        "posthoc_quade(auc)": lambda: pair_of(sp.posthoc_quade(FRAME)),
        "posthoc_dunn(auc)": lambda: pair_of(
            sp.posthoc_dunn(FRAME.melt(), val_col="value", group_col="variable")
        ),
    },
    "baycomp": {
        "two_on_single(a, b)[0]": lambda: baycomp.two_on_single(FIRST, SECOND)[0],
        "two_on_single(a, b, rope=0.02)[0]": lambda: baycomp.two_on_single(
            FIRST, SECOND, rope=0.02
        )[0],
        "two_on_single(a, b, rope=0.02)[1]": lambda: baycomp.two_on_single(
            FIRST, SECOND, rope=0.02
        )[1],
        "two_on_single(a, b, rope=0.02)[2]": lambda: baycomp.two_on_single(
            FIRST, SECOND, rope=0.02
        )[2],
    },
    "scipy_statsmodels": {
        'wilcoxon(old, new, zero_method="pratt")': lambda: (
            scipy.stats.wilcoxon(BLOCKS[0], BLOCKS[1], zero_method="pratt").pvalue
        ),
        "wilcoxon(old, new)": lambda: scipy.stats.wilcoxon(BLOCKS[0], BLOCKS[1]).pvalue,
        "ttest_rel(old, new)": lambda: scipy.stats.ttest_rel(BLOCKS[0], BLOCKS[1]).pvalue,
        "mcnemar(table, exact=True)": lambda: (
            contingency_tables.mcnemar(TABLE, exact=True).pvalue
        ),
        "mcnemar(table, exact=False)": lambda: (
            contingency_tables.mcnemar(TABLE, exact=False).pvalue
        ),
        "cochrans_q(right)": lambda: contingency_tables.cochrans_q(np.array(SYSTEMS).T).pvalue,
        "ttost_paired(old, new, -0.05, 0.05)[0]": lambda: weightstats.ttost_paired(
            BLOCKS[0], BLOCKS[1], -0.05, 0.05
        )[0],
        'multipletests([0.01, 0.02, 0.04], method="holm")[1][1]': lambda: (
            multitest.multipletests([0.01, 0.02, 0.04], method="holm")[1][1]
        ),
    },
    "scikit_learn": {
        "t_stat": lambda: corrected_t(DIFFERENCES, 90, 10)[0],
        "p_val": lambda: corrected_t(DIFFERENCES, 90, 10)[1],
        "t_stat_uncorrected": lambda: corrected_t(DIFFERENCES, 90, 0)[0],
        "p_val_uncorrected": lambda: corrected_t(DIFFERENCES, 90, 0)[1],
    },
}
# What the scripts of R in the folder above print.
FROM_R = {
    "r": {
        "friedman.test(times)": 0.00380504077551136,  # friedman.R
        "pf(F, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)": 0.00217129838760752,
        "ptukey(…, lower.tail = FALSE)": 0.00440982044545224,  # mean_ranks.R
        "wilcox.test(first, second, paired = TRUE)": 0.0390625,  # signed_ranks.R
        "mcnemar.test(both)": 0.0613688291394019,  # agreement_tables.R
        "mcnemar.test(both, correct = FALSE)": 0.0325094446457196,
        "binom.test(11, 14)": 0.057373046875,
    },
    "matlab": {
        "'Test','midp'": 0.03515625,  # agreement_tables.R
        "'Test','exact'": 0.057373046875,
        "'Test','asymptotic'": 0.0325094446457196,
    },
}
PACKAGES = ["autorank", "baycomp", "mlxtend", "scikit-learn", "scikit-posthocs", "scipy"]


def ranked(frame, **options):
    """The result of autorank, which prints what it was told."""
    with redirect_stdout(sys.stderr):
        return autorank.autorank(frame, **options)


def pair_of(matrix):
    """The p-value of C4.5 and C4.5+m+cf."""
    if "C4.5" in matrix.index:
        return matrix.loc["C4.5", "C4.5+m+cf"]
    first, second = (list(AUC).index(name) for name in ("C4.5", "C4.5+m+cf"))
    return matrix.iloc[first, second]


def main():
    warnings.simplefilter("ignore")
    mpl.use("agg")
    found = {
        "versions": {name: version(name) for name in [*PACKAGES, "statsmodels"]},
        "numbers": {
            page: {call: float(value()) for call, value in calls.items()}
            for page, calls in NUMBERS.items()
        }
        | FROM_R,
    }
    json.dump(found, sys.stdout, indent=2, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
