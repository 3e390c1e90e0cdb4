"""
Many data sets
==============

You ask whether a learner is better on data sets of some kind, and not on one of them. Then
the data set is the unit: each counts once, however many rows and folds it has. Each section
is a rule of the guide (:ref:`choosing-table`), whose id it prints. :doc:`many_datasets` goes
further with several systems.
"""

# %%
# Two to five data sets
# ---------------------
#
# You have two estimators and four data sets, which come with scikit-learn. With fewer than
# six no p-value of Wilcoxon's test reaches 0.05, whatever the scores are: no claim about data
# sets in general is possible. A common mistake is to test all forty folds instead, which
# counts each data set ten times.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import skstat

estimators = {
    "discriminant": LinearDiscriminantAnalysis(),
    "naive Bayes": make_pipeline(MinMaxScaler(), GaussianNB(var_smoothing=1e-3)),
}
datasets = {
    "breast cancer": load_breast_cancer,
    "digits": load_digits,
    "iris": load_iris,
    "wine": load_wine,
}
report = skstat.compare_over_datasets(
    estimators, datasets, scoring="accuracy", cv=5, random_state=0
)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# You can answer the question for each of the four data sets: on which is the discriminant
# better, and on how many? The count is wrong with a probability of at most 5 %.
pvalues = {}
for name, load in datasets.items():
    X, y = load(return_X_y=True)
    on_one = skstat.compare_estimators(
        estimators, X, y, scoring="accuracy", alternative="greater", random_state=0
    )
    pvalues[name] = on_one.pvalue
    print(f"{name:13} {on_one.estimate:+.3f}  p = {on_one.pvalue:.3f}")
counted = skstat.stats.replicability(list(pvalues.values()), datasets=list(pvalues))
print(f"Better on at least {counted.count} of {len(pvalues)}", end="; ")
print("by name:", ", ".join(counted.rejected))

# %%
# Two systems, six data sets or more
# ----------------------------------
#
# You have scores of two systems on fourteen data sets, from a table in a paper: areas under
# the ROC curve of the decision tree C4.5, and of C4.5 with a tuned number of examples in a
# leaf (Demšar, 2006, table 6). Wilcoxon's test ranks the sizes of the differences, so that no
# single data set decides. A t test over data sets is common, but one extreme data set can
# spoil it. So is counting wins, which ignores the sizes.
auc = {
    "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
             0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957],
    "C4.5+m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
               0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978],
    "C4.5+cf": [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609,
                0.563, 0.866, 1.000, 0.965, 0.614, 0.9751, 0.946],
    "C4.5+m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685,
                  0.625, 0.875, 1.000, 0.962, 0.669, 0.975, 0.970],
}  # fmt: skip
two = {name: auc[name] for name in ("C4.5+m", "C4.5")}
report = skstat.compare_scores(two, unit="dataset", scoring="AUC")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# The fourteen differences.
report.plot()

# %%
# One system and a score known in advance
# ---------------------------------------
#
# An area of 0.75 is required, on data sets of this kind. Wilcoxon's test ranks how far the
# score of each data set lies above or below it.
report = skstat.compare_scores(
    {"C4.5+m": auc["C4.5+m"]}, unit="dataset", constant=0.75, scoring="AUC"
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Several systems against each other
# ----------------------------------
#
# Friedman's test asks whether any of four differ, and Wilcoxon's test every pair, adjusted by
# Holm's method. Nemenyi's test is more common after Friedman's. It compares two systems by
# mean ranks, which depend on the other systems in the table.
report = skstat.compare_scores(auc, unit="dataset", scoring="AUC")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Mean ranks, and bars that join systems without a significant difference.
report.plot()

# %%
# A missing score is None. Every pair is then compared on the data sets that both have scores
# on, and the test of all at once allows for the gaps.
gaps = {name: [None if i == 2 * k else v for i, v in enumerate(column)]
        for k, (name, column) in enumerate(auc.items())}  # fmt: skip
report = skstat.compare_scores(gaps, unit="dataset", scoring="AUC")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Several systems against a control
# ---------------------------------
#
# The question was from the start whether C4.5 can be improved on. Three comparisons are made
# instead of six, so that there are fewer to adjust for. The control must be named before the
# scores are seen: taking the best one as the control is another question.
report = skstat.compare_scores(auc, unit="dataset", scoring="AUC", control="C4.5")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")
# sphinx_gallery_thumbnail_number = 2
plt.show()
