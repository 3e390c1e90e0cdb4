"""
Several systems, many data sets
===============================

A learner that wins on one data set may lose on the next. You need many data sets to say that
it is better on data sets of some kind, and each counts once. How many? What do tables of
scores in papers show? And what does a critical difference diagram not show?
"""

# %%
# Four data sets come with scikit-learn. They are given as functions, which are called when
# their turn comes. Every estimator is fitted on the same ten folds of each; the mean over
# the folds is one score.
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

systems = {
    "naive Bayes": GaussianNB(),
    "ridge": make_pipeline(StandardScaler(), RidgeClassifier()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
}
datasets = {
    "breast cancer": load_breast_cancer,
    "digits": load_digits,
    "iris": load_iris,
    "wine": load_wine,
}
print("Is any of three classifiers better?\n")
report = skstat.compare_over_datasets(systems, datasets, scoring="accuracy", random_state=0)
print(report.conclusion)

# %%
# Four data sets cannot show a difference between three systems, whatever the scores are: the
# smallest p-value of Wilcoxon's test is 0.125, and three pairs are compared. Forty folds do
# not help, because they are folds of four data sets. Nor do the 45 pairs of digits, as data
# sets of two classes: they are one data set, and would agree with each other.
#
# All scores, and the rank of each system:
report.plot(kind="scores")

# %%
# Fourteen data sets, from a paper. Demšar (2006, table 6) compares the decision tree C4.5 with
# three variants: the minimal number of examples in a leaf was tuned (m), the confidence level
# of pruning (cf), or both. The scores are areas under the ROC curve. (On voting the paper
# prints 0.975 twice, and ranks them 2 and 3; one digit more keeps its ranks.)
rows = {
    "adult (sample)": [0.763, 0.768, 0.771, 0.798],
    "breast cancer": [0.599, 0.591, 0.590, 0.569],
    "breast cancer wisconsin": [0.954, 0.971, 0.968, 0.967],
    "cmc": [0.628, 0.661, 0.654, 0.657],
    "ionosphere": [0.882, 0.888, 0.886, 0.898],
    "iris": [0.936, 0.931, 0.916, 0.931],
    "liver disorders": [0.661, 0.668, 0.609, 0.685],
    "lung cancer": [0.583, 0.583, 0.563, 0.625],
    "lymphography": [0.775, 0.838, 0.866, 0.875],
    "mushroom": [1.000, 1.000, 1.000, 1.000],
    "primary tumor": [0.940, 0.962, 0.965, 0.962],
    "rheum": [0.619, 0.666, 0.614, 0.669],
    "voting": [0.972, 0.981, 0.9751, 0.975],
    "wine": [0.957, 0.978, 0.946, 0.970],
}
columns = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
auc = pd.DataFrame.from_dict(rows, orient="index", columns=columns)

print("\nDo four variants of C4.5 differ?\n")
report = skstat.compare_scores(auc, unit="dataset", scoring="AUC")
print(report)

# %%
# The diagram joins neighbours in mean rank without a significant difference. Every pair was
# compared by its own scores, so the verdicts need not follow the mean ranks: C4.5+m+cf has the
# best one, but only C4.5+m differs significantly from C4.5. Pairs that no bar can show are
# listed below.
diagram = report.plot()
diagram.figure_.savefig("report.png", dpi=100, bbox_inches="tight")

# %%
# The intervals of the pairs, which say by how much.
report.plot(kind="intervals")

# %%
# How often each system wins against each of the others.
report.plot(kind="wins")

# %%
# The paper itself used the tests of Friedman and Nemenyi. Its numbers: chi-squared 9.28,
# F 3.69, and at the level 0.10 a critical difference of 1.12, by which C4.5 differs from
# C4.5+m and from C4.5+m+cf.
table = skstat.stats.ScoreTable(auc, unit="dataset")
for statistic in ("chi2", "f"):
    outcome = skstat.stats.friedman(table, statistic=statistic, ties="uncorrected")
    print(f"{statistic} = {outcome.statistic:.2f}")
nemenyi = skstat.compare_scores(table, scoring="AUC", test="nemenyi", confidence_level=0.9)
print(nemenyi.conclusion)
nemenyi.plot()

# %%
# With one critical difference for all pairs, overlapping intervals mean the same.
nemenyi.plot(kind="intervals")

# %%
# Mean ranks depend on the other systems. Without C4.5+cf, or without C4.5+m, the same two
# systems have other p-values (not adjusted here), while their own scores have not changed.
for left_out in ("C4.5+cf", "C4.5+m"):
    fewer = skstat.stats.ScoreTable(auc.drop(columns=left_out), unit="dataset")
    by_ranks = skstat.stats.nemenyi(fewer)["C4.5", "C4.5+m+cf"]
    by_scores = skstat.stats.pairwise(fewer, skstat.stats.wilcoxon)
    by_scores = by_scores["C4.5", "C4.5+m+cf"]
    print(f"without {left_out:8} Nemenyi {by_ranks.pvalue:.4f}", end="   ")
    print(f"Wilcoxon {by_scores.pvalue:.4f}")

# %%
# If the question from the start is whether tuning is worth anything, C4.5 is the control.
# There are three comparisons instead of six, and the direction was fixed beforehand.
control = skstat.compare_scores(
    auc, unit="dataset", scoring="AUC", control="C4.5", alternative="greater"
)
print(control.conclusion)

# %%
# The table for the paper, and everything on a page for a browser.
print(report.to_latex())
skstat.report.write_page("report.html", report, nemenyi, control, title="Variants of C4.5")
print("Wrote report.html and report.png.")
# sphinx_gallery_thumbnail_number = 4
plt.show()
