"""
Several systems: which differ, which may be the best?
=====================================================

You have three systems or more, and one data set or one test set. There are two questions.
Which pairs differ? The joint distribution of all pairs gives adjusted p-values and simultaneous
intervals. Which may be the best? All that are not significantly worse than another one.
Each section is a rule of the guide (:ref:`choosing-table`), whose id it prints.
"""

# %%
# Five classifiers of wines.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RepeatedStratifiedKFold,
    cross_val_score,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_wine(return_X_y=True)
learners = {
    "discriminant": LinearDiscriminantAnalysis(),
    "naive Bayes": GaussianNB(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
}

# %%
# Estimators on one data set
# --------------------------
#
# Every learner is fitted on the same 30 halves, and every pair is compared by the projection
# t test. The common Friedman test over folds treats them as independent, and finds differences
# between any learners, given enough folds; over splits no test of all at once is valid.
report = skstat.compare_estimators(learners, X, y, scoring="accuracy", random_state=0)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# Those that may be the best are those that the data do not rule out. The one with the highest
# mean is only one of them.
print(report.may_be_best)

# %%
# How far every learner may be from the best of the others. Where the interval lies below 0, the
# learner is ruled out.
report.plot(kind="best")

# %%
# All pairs. The intervals are simultaneous: in 95 % of all cases every one contains the truth.
print(report["discriminant", "tree"].conclusion)
report.plot(kind="intervals")

# %%
# Every pair by its own test
# --------------------------
#
# Holm's method adjusts the p-values of the pairs one by one, and its intervals agree with them.
# ``report.evidence.run`` keeps the fits: another test costs nothing.
by_holm = skstat.compare_scores(report.evidence.run, adjustment="holm")
print(by_holm["discriminant", "tree"].conclusion)
print(f"Rule: {by_holm.choice.situation}")

# %%
# One against the others
# ----------------------
#
# The tree is in use, and was named before the scores were seen: ``control="tree"``. Four
# comparisons are made instead of ten.
control = skstat.compare_scores(report.evidence.run, control="tree")
print(control.conclusion)
print(f"Rule: {control.choice.situation}")

# %%
# Accuracy on one test set
# ------------------------
#
# You have labels of three fitted systems. Cochran's Q asks whether any of them differ, and
# McNemar's test every pair. A chi-squared test of the three error counts is common, but
# ignores that the rows are the same.
X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
fitted = {
    name: learners[name].fit(X_train, y_train)
    for name in ("discriminant", "naive Bayes", "stump")
}
labels = {name: system.predict(X_test) for name, system in fitted.items()}
report = skstat.compare_predictions(y_test, labels, metric="accuracy", random_state=0)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# Area under the ROC curve on one test set
# ----------------------------------------
#
# The same with scores: a Wald test of all areas, with the covariances that DeLong found, and
# DeLong's test of every pair.
chances = {name: system.predict_proba(X_test)[:, 1] for name, system in fitted.items()}
report = skstat.compare_predictions(y_test, chances, metric="roc_auc", random_state=0)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Any other metric on one test set
# --------------------------------
#
# F1, rows in time order or with weights: all systems are scored on the same resamples, which
# give the joint distribution of their scores.
report = skstat.compare_predictions(
    y_test, labels, metric="f1", n_resamples=1999, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Every pair by its own permutation test, adjusted by Holm's method.
report = skstat.compare_predictions(
    y_test, labels, metric="f1", adjustment="holm", n_resamples=1999, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Another mean over rows: the signs of whole rows are flipped, for all systems together.
report = skstat.compare_predictions(y_test, chances, metric="neg_brier_score", random_state=0)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Fewer than 10 groups have too few sign patterns for several pairs. Student's t of the groups
# is used instead: here of six clinics, say.
clinic = np.arange(len(y_test)) % 6
report = skstat.compare_predictions(
    y_test, labels, metric="accuracy", groups=clinic, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# The same of one score per group.
of_clinics = {
    name: [np.mean((labels[name] == y_test)[clinic == number]) for number in range(6)]
    for name in labels
}
table = skstat.stats.ScoreTable(of_clinics, unit="group")
report = skstat.compare_scores(table, scoring="accuracy", random_state=0)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Bare scores on 5x2 halves
# -------------------------
#
# Papers report them. The F test for two systems has no joint distribution for several; the
# corrected t test has.
halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
columns = {
    name: cross_val_score(learners[name], X, y, cv=halves, scoring="accuracy")
    for name in fitted
}
report = skstat.compare_scores(columns, n_repeats=5, scoring="accuracy", random_state=0)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A score per row
# ---------------
#
# You have numbers and no predictions, one per row or group: here the absolute errors of
# three forecasts of how diabetes progresses, negated so that higher is better.
X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
regressors = {"least squares": LinearRegression(), "ridge": Ridge(), "lasso": Lasso()}
errors = {
    name: -np.abs(y_test - regressor.fit(X_train, y_train).predict(X_test))
    for name, regressor in regressors.items()
}
report = skstat.compare_scores(
    errors, unit="instance", scoring="neg_mean_absolute_error", random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A score per seed
# ----------------
#
# The same forecasts, each fitted to its own five random halves of the training rows. The fits
# of two systems are not paired, so that every pair is compared by Welch's t test. If they are
# (seed s draws the same half for all), say ``paired_seeds=True``.
rng = np.random.default_rng(0)


def score_of_half(regressor):
    """Score after training on a random half."""
    rows = rng.permutation(len(y_train))[: len(y_train) // 2]
    return regressor.fit(X_train[rows], y_train[rows]).score(X_test, y_test)


seeds = {
    name: [score_of_half(regressor) for _ in range(5)] for name, regressor in regressors.items()
}
report = skstat.compare_scores(seeds, unit="seed", scoring="r2")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Candidates of a search
# ----------------------
#
# A grid search names the candidate with the best mean score, and that is commonly reported as
# the result. How many others could be as good? Nothing is fitted again: the scores are in the
# search.
X, y = load_breast_cancer(return_X_y=True)
tree = DecisionTreeClassifier(random_state=0)
search = GridSearchCV(tree, {"max_depth": [1, 2, 3, 4, 6, 8]}, cv=10).fit(X, y)
found = skstat.compare_search_candidates(search, random_state=0)
print("chosen:", search.best_params_)
print(found.conclusion)
print(*found.doubts, sep="\n")
print(f"Rule: {found.choice.situation}")

# %%
# Every other depth against the chosen one. If several may be the best, the smallest tree among
# them is a fair choice.
found.plot()

# %%
# In a halving search only the candidates of one round were fitted on equally many rows. The
# last round with two candidates or more is used; ``iteration=`` names another. Candidates that
# left earlier were scored on fewer rows.
halving = HalvingGridSearchCV(
    tree, {"max_depth": [1, 2, 3, 4, 6, 8]}, cv=5, min_resources=142, factor=2, random_state=0
).fit(X, y)
for iteration in range(halving.n_iterations_):
    found = skstat.compare_search_candidates(halving, iteration=iteration, random_state=0)
    print(f"round {iteration}: {halving.n_resources_[iteration]} rows, ", end="")
    print(f"{len(found.names)} candidates; may be the best: {', '.join(found.may_be_best)}")
plt.show()
