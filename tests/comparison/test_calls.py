"""Calls as other packages spell them are refused by what to write here."""

from functools import partial

import numpy as np
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from tests.cases import refusals

X, y = load_iris(return_X_y=True)
NB, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
TRUTH = np.arange(80) % 2
ONE, TWO = np.arange(80) // 2 % 2, np.arange(80) // 4 % 2
SCORES = [0.81, 0.79, 0.84, 0.8], [0.78, 0.77, 0.79, 0.8]
IN_A_MAPPING = r"give {} of all systems in one mapping, \{{'name': ...\}}, and write the others"

test_wrong_calls_say_what_is_taken = refusals([
    *(
        (call, IN_A_MAPPING.format(together))
        for call, together in (
            (lambda: skstat.compare_estimators(NB, STUMP, X, y), "estimators"),
            (lambda: skstat.compare_estimators([NB, STUMP], X, y, 5), "estimators"),
            (lambda: skstat.compare_over_datasets(NB, STUMP, {"a": (X, y)}), "estimators"),
            (lambda: skstat.paired_cross_validate(NB, STUMP, X, y), "estimators"),
            (lambda: skstat.estimate_performance(NB, STUMP, X, y), "estimator"),
            (lambda: skstat.check_test(NB, STUMP, X, y), "estimator"),
            (lambda: skstat.compare_predictions(TRUTH, ONE, TWO, metric="f1"), "predictions"),
            (lambda: skstat.compare_predictions(TRUTH, {"one": ONE}, "f1"), "predictions"),
            (lambda: skstat.cochran_q_test(TRUTH, ONE, TWO, ONE), "predictions"),
            (lambda: skstat.comparison.compare_curves(TRUTH, ONE, TWO), "predictions"),
            (lambda: skstat.compare_scores(*SCORES, unit="seed"), "scores"),
            (lambda: skstat.compare_scores({"a": SCORES[0]}, "seed"), "scores"),
            (lambda: skstat.rank_systems(*SCORES, unit="seed"), "results"),
        )
    ),
    (lambda: skstat.compare_estimators(NB, X, y), "estimators must be a mapping"),
    (lambda: skstat.paired_cv_ttest([NB, STUMP], X, y), "estimator_a is a list; pass one"),
    (lambda: skstat.paired_cv_ttest({"a": NB, "b": STUMP}, X, y), "compare_estimators takes"),
    (lambda: skstat.paired_permutation_test(TRUTH, {"a": ONE}, metric="f1"), "lacks b"),
    (lambda: skstat.delong_test(TRUTH, ONE, TWO, ONE), "takes 3 arguments by position"),
    (lambda: skstat.binomial_test(8, 10, 0.5), "takes 2 arguments by position"),
    (lambda: skstat.binomial_test(8, 10, constant=0.5), "y_true must hold an entry per"),
    (lambda: skstat.compare_predictions(TRUTH, ONE, metric="f1"), "must be a mapping"),
    (lambda: skstat.paired_cv_ttest(NB, STUMP, X, y, random_seed=1), "Use random_state="),
    (lambda: skstat.compare_predictions(TRUTH, {}, metric="f1", verbose=1), "by themselves"),
    (lambda: skstat.plan_comparison("scores", alpha=0.1), "Use confidence_level=, which is 1"),
    (lambda: skstat.five_by_two_cv_test(estimator1=NB, estimator2=STUMP, X=X, y=y),
     r"takes no estimator1=\. Use estimator_a="),
    *(
        (partial(skstat.mcnemar_test, *given), "give y_true, a and b, or a table of counts")
        for given in ((TRUTH, {"a": ONE, "b": TWO}), ([[54, 18], [6, 22]],))
    ),
], error=(TypeError, ValueError))  # fmt: skip
