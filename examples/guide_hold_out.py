"""
Two fitted systems, one test set
================================

Two systems have answered the same rows of a test set. Is one of them better, or did the rows
happen to suit it? The answer is about these two systems, not about the
learners behind them. Nothing is fitted for it, and the metric decides the test. Each section
is a rule of the guide (:ref:`choosing-table`), whose id it prints.
"""

# %%
# The systems. From here on only their answers matter; they could come from a file.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat
from skstat.metrics import cost_sensitive_scorer


def halves(load):
    """Train on half of the rows, test on the others."""
    X, y = load(return_X_y=True)
    stratify = y if len(np.unique(y)) < 10 else None
    return train_test_split(X, y, test_size=0.5, stratify=stratify, random_state=0)


X_train, X_test, y_train, y_test = halves(load_breast_cancer)
systems = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
}
for system in systems.values():
    system.fit(X_train, y_train)
labels = {name: system.predict(X_test) for name, system in systems.items()}
chances = {name: system.predict_proba(X_test)[:, 1] for name, system in systems.items()}

# %%
# Accuracy
# --------
#
# You hold labels, and count right answers. Rows that both get right, or both wrong, do not
# show which is better; McNemar's test uses the others. A common mistake is to compare the two
# accuracies as if they came from two test sets (a z test of two proportions): that ignores
# that the rows are the same, and finds less.
report = skstat.compare_predictions(y_test, labels, metric="accuracy")
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# The four counts behind it: only the two off the diagonal matter.
report.plot()

# %%
# Area under the ROC curve
# ------------------------
#
# You hold scores, and ask how well they rank the two kinds of tumours. DeLong's test allows
# for how the two areas vary together on the same rows. Comparing two separate intervals by eye
# is common, and wrong for the same reason as above.
report = skstat.compare_predictions(y_test, chances, metric="roc_auc")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Area under the ROC curve, few rows of a class
# ---------------------------------------------
#
# The same question on 40 rows of the test set, of which few are malignant. With
# fewer than 15 rows of a class the normal approximation of DeLong's test cannot be trusted,
# and a permutation test takes its place: it swaps the answers of the two systems at random,
# row by row.
few = slice(80, 120)
report = skstat.compare_predictions(
    y_test[few],
    {name: chance[few] for name, chance in chances.items()},
    metric="roc_auc",
    random_state=0,
)
print(f"{np.bincount(y_test[few]).min()} rows of the rarer class")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Costs of errors
# ---------------
#
# Missing a malignant tumour (class 0) costs ten times as much as a false alarm. You compare
# mean costs, with a cost for each kind of error. A few expensive rows decide here: the
# ordinary t test of costs cannot be trusted, the permutation test can.
costs = [[0, 10], [1, 0]]  # rows are the truth, columns the answers
report = skstat.compare_predictions(
    y_test,
    {name: labels[name] for name in ("logistic", "naive Bayes")},
    metric=cost_sensitive_scorer(costs),
    random_state=0,
)
print(report.conclusion)
print(report.test)
print(f"Rule: {skstat.recommend_test('predictions', metric='cost').situation}")

# %%
# A mean over rows
# ----------------
#
# You hold predicted numbers, and the score is the mean of an error of each row: here the
# absolute error of two forecasts of how diabetes progresses. The permutation test needs no
# formula for the metric; its interval contains what it does not reject. Errors are negated, so
# that higher is better, as everywhere.
X_fit, X_new, y_fit, y_new = halves(load_diabetes)
regressors = {
    "ridge": Ridge(),
    "forest": RandomForestRegressor(n_estimators=30, random_state=0),
}
numbers = {name: r.fit(X_fit, y_fit).predict(X_new) for name, r in regressors.items()}
report = skstat.compare_predictions(
    y_new, numbers, metric="neg_mean_absolute_error", n_resamples=1999, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# The interval of the test and, to check it, bootstrap resamples of the same rows.
report.plot()

# %%
# A score per row
# ---------------
#
# You hold no predictions, but a number per row, computed elsewhere: here the absolute error of
# each patient, negated. Say that the unit is the row (``unit="instance"``). With splits or
# data sets as units the same numbers would need another test.
errors = {name: -np.abs(y_new - number) for name, number in numbers.items()}
report = skstat.compare_scores(
    errors, unit="instance", scoring="neg_mean_absolute_error", random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Any other metric
# ----------------
#
# You hold predictions, and a metric that is not a mean over rows: F1, the correlation with the
# truth, a function of yours. It is computed anew for every swap and resample. Such metrics are
# often averaged over pieces of the test set and given a t test; that tests another quantity.


def correlation(truth, answers):
    """Pearson's correlation."""
    return np.corrcoef(truth, answers)[0, 1]


X_fit, X_wine, y_fit, y_wine = halves(load_wine)
wine = {
    "one feature": GaussianNB().fit(X_fit[:, [0]], y_fit).predict(X_wine[:, [0]]),
    "two features": GaussianNB().fit(X_fit[:, :2], y_fit).predict(X_wine[:, :2]),
}
f1 = skstat.compare_predictions(
    y_wine, wine, metric="f1_macro", n_resamples=1999, random_state=0
)
own = skstat.compare_predictions(
    y_new,
    numbers,
    metric=correlation,
    higher_is_better=True,
    n_resamples=1999,
    random_state=0,
)
for report in (f1, own):
    print(report.conclusion)
    print(f"Rule: {report.choice.situation}")

# %%
# Rows with weights
# -----------------
#
# Of the tumours in the test set 37 % are malignant. Where the systems will be used it is one in
# ten. Weights correct the shares, and the accuracy is that of a population with one in ten.
# McNemar's test counts every row once; the permutation test supports weights. Test and interval
# agree; the bootstrap, which rests on other assumptions, disagrees slightly. The test decides,
# and the report says so.
share = np.bincount(y_test) / len(y_test)
weights = np.where(y_test == 0, 0.1 / share[0], 0.9 / share[1])
report = skstat.compare_predictions(
    y_test,
    labels,
    metric="accuracy",
    sample_weight=weights,
    n_resamples=1999,
    random_state=0,
)
print(report.conclusion)
print(*report.doubts, sep="\n")
print(f"Rule: {report.choice.situation}")
plt.show()
