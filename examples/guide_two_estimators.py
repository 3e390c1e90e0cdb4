"""
Two estimators, one data set
============================

You have two learners and one data set, and ask which one is better on data like these. Both
are fitted on the same splits, and the differences of their scores are tested. Splits share
rows, and a test that ignores this finds differences that do not exist. Each section is a rule
of the guide (:ref:`choosing-table`), whose id it prints.
"""

# %%
# The task is to classify tumours, by naive Bayes or by a decision tree.
import matplotlib.pyplot as plt
from scipy.stats import ttest_rel
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_breast_cancer(return_X_y=True)
naive_bayes = GaussianNB()
discriminant = LinearDiscriminantAnalysis()
tree = DecisionTreeClassifier(random_state=0)
short_tree = DecisionTreeClassifier(max_depth=2, random_state=0)
bayes_and_tree = {"naive Bayes": naive_bayes, "tree": tree}

# %%
# The default: 15 halvings
# ------------------------
#
# You have two estimators and can afford 30 fits of each. The rows are halved fifteen times, and
# each half trains once. The test measures the effect of every row in testing and in training,
# so that it suits learners and metrics of most kinds, here the area under the ROC curve. Read
# the conclusion first: which is better, by how much, the interval, and the p-value last.
report = skstat.compare_estimators(bayes_and_tree, X, y, scoring="roc_auc", random_state=0)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# The points are the differences of the splits. Their spread is not the error of the mean:
# the interval is wider than they suggest, because they share training rows.
report.plot()

# %%
# The common mistake is a paired t test of these 30 differences as if they were independent.
# Its p-value is far too small: with equally good learners it rejected in half of all
# simulations, at a nominal 0.05.
textbook = ttest_rel(report.evidence.sample.a, report.evidence.sample.b)
print(f"p = {report.pvalue:.2g}, textbook p = {textbook.pvalue:.2g}")

# %%
# Why the scores are compared in pairs: each point is one split, above the line where naive
# Bayes is better.
_, ax = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
ax.scatter(report.evidence.sample.b, report.evidence.sample.a, alpha=0.7)
ax.axline((0.9, 0.9), slope=1, color="gray", linestyle="--")
ax.set(xlabel="ROC AUC of the tree", ylabel="ROC AUC of naive Bayes", aspect="equal")

# %%
# Learners trained on nine tenths of the rows
# -------------------------------------------
#
# The model that you will use is trained on all rows, and halves are about half as many. With
# ``train_size=0.9`` the scores are those of ten folds, twice; the halves tell their variance
# only. It takes 50 fits, and finds less (:ref:`nine-tenths`). The report also says who gains
# with more rows, and by how much.
report = skstat.compare_estimators(
    bayes_and_tree, X, y, scoring="roc_auc", train_size=0.9, random_state=0
)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# Both sizes, and the change from the one to the other:
report.plot(kind="training sizes")

# %%
# A metric of your own
# --------------------
#
# You have a function of an estimator and test rows, and skstat does not know what every row
# contributes to it: here the error of the predicted share of tumours. Then each pair of eight
# blocks is left out. That test needs only the scores, but finds less.


def share_is_right(estimator, X, y):
    """Minus the distance of the predicted share of class 0 from the true one."""
    return -abs(float((estimator.predict(X) == 0).mean() - (y == 0).mean()))


report = skstat.compare_estimators(bayes_and_tree, X, y, scoring=share_is_right, random_state=0)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Does the answer depend on the partition?
# ----------------------------------------
#
# Other seeds give other splits. ``stability=3`` repeats everything with three more seeds and
# says how many of them agree. It changes neither the p-value nor the interval, and it does not
# allow you to choose a seed.
report = skstat.compare_estimators(
    {"naive Bayes": naive_bayes, "short tree": short_tree},
    X,
    y,
    scoring="accuracy",
    random_state=0,
    stability=3,
)
others = report.stability[report.names]
print(report.conclusion)
print(f"{others.n_same} of {len(others.seeds)} other partitions give the same verdict.")
print("Their estimates:", *(f"{estimate:+.4f}" for estimate in others.estimates))

# %%
# Random splits of your own
# -------------------------
#
# You have a scikit-learn splitter that draws test sets at random. The corrected t test takes
# its variance from the sizes of the splits. With one tenth for testing it was valid in
# simulations for the accuracy of stable learners, which small changes of the data change
# little. For others the report raises a doubt. The learners are those of the last section:
# read the doubt.
splits = StratifiedShuffleSplit(n_splits=30, test_size=0.1, random_state=0)
report = skstat.compare_estimators(
    {"naive Bayes": naive_bayes, "short tree": short_tree}, X, y, scoring="accuracy", cv=splits
)
print(report.conclusion)
print(*report.doubts, sep="\n")
print(f"Rule: {report.choice.situation}")

# %%
# A repeated K-fold
# -----------------
#
# You have folds, repeated with other shuffles, as is common: here three folds, five times. Each
# row is tested once in every repetition, and so the rows' effects can be measured as in
# halves. With five folds or more that is noisy, and the report raises a doubt.
folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=5, random_state=0)
report = skstat.compare_estimators(
    {"naive Bayes": naive_bayes, "discriminant": discriminant},
    X,
    y,
    scoring="accuracy",
    cv=folds,
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Two repetitions are too few for that: the corrected t test takes their place.
folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
report = skstat.compare_estimators(
    {"naive Bayes": naive_bayes, "discriminant": discriminant},
    X,
    y,
    scoring="accuracy",
    cv=folds,
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Every pair of blocks left out
# -----------------------------
#
# You want to assume nothing about the learners, and six blocks are enough for you: the
# splitter of the block jackknife takes their number.
report = skstat.compare_estimators(
    bayes_and_tree,
    X,
    y,
    scoring="accuracy",
    cv=skstat.evaluation.LeaveTwoBlocksOut(6, stratify=True, random_state=0),
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A single K-fold
# ---------------
#
# You have ten folds and no repeats, the splits of most papers, and one of the two is an
# unstable learner: here the nearest neighbour. The corrected test is weak, so that no
# difference found means little. The textbook t test over ten folds rejects too often. Whether a
# test suits your learner can be counted on your own data (:doc:`/gallery/check_a_test`).
neighbour = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=1))
ten_folds = StratifiedKFold(10, shuffle=True, random_state=0)
report = skstat.compare_estimators(
    {"discriminant": discriminant, "nearest neighbour": neighbour},
    X,
    y,
    scoring="accuracy",
    cv=ten_folds,
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A single K-fold, stable learners
# --------------------------------
#
# The same folds, with two learners that are known to be stable. The test is the same. Another
# design does better: the halves above.
report = skstat.compare_estimators(
    {"discriminant": discriminant, "naive Bayes": naive_bayes},
    X,
    y,
    scoring="accuracy",
    cv=ten_folds,
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")
print("Would need:", "; ".join(report.choice.needs))

# %%
# The same difference on every split
# ----------------------------------
#
# One species of iris is separated from the others without an error, on every split. Always
# guessing the larger class is right in two thirds of all cases, on every split. If the
# differences do not vary, a t test has nothing to divide by. The rows of one repeat are tested
# instead, each of which was predicted once.
X_iris, y_iris = load_iris(return_X_y=True)
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
report = skstat.compare_estimators(
    {"naive Bayes": naive_bayes, "guess": DummyClassifier()},
    X_iris,
    y_iris == 0,
    scoring="accuracy",
    cv=folds,
)
print(report.conclusion)
print(report.test)
print(f"Rule: {report.choice.situation}")
# sphinx_gallery_thumbnail_number = 2
plt.show()
