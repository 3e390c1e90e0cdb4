"""
Critical difference diagram in Python
=====================================

Several models, many data sets, one score for each: which models differ? Demšar (2006) ranks
the models on every data set, draws their mean ranks on a line, and joins those that do not
differ.
"""

# %%
# The call
# --------
#
# A table with a row per data set and a column per model. These are areas under ROC curves of
# four decision trees, from Demšar (2006, table 6).

import pandas as pd

import skstat

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
report = skstat.compare_scores(auc, unit="dataset", scoring="AUC")
print(report)

# %%
# The diagram. Bars join models without a significant difference:

display = report.plot()

# %%
# Two kinds of diagram
# --------------------
#
# The classical diagram has *one* critical difference: mean ranks that differ by less are
# joined. ``test="nemenyi"`` makes it. Its verdict on two models depends on which others are
# in the table, since those shift the ranks.

classical = skstat.compare_scores(auc, unit="dataset", scoring="AUC", test="nemenyi")
display = classical.plot()

# %%
# The default compares every pair on its own scores (Wilcoxon's signed-rank test, p-values
# adjusted by Holm's method), as Benavoli, Corani and Mangili (2016) advise. Then there is no
# single critical difference, and the best mean rank is not always the clearest winner. Both
# diagrams read alike.
#
# To fit the models too, use :func:`skstat.compare_over_datasets`; to compare each with one
# model only, ``control="ours"``.
#
# Mind the unit
# -------------
#
# A row is a *data set*. Folds or seeds of one data set are not rows: average them first. A long
# frame does that by itself (``repeat="fold"``): :doc:`/scores`.
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.to_latex())
