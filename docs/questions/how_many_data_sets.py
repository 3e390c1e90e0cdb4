"""
How many data sets do I need?
=============================

To show that one model is better than another *on data like these*, the data set is the unit.
Ten folds of one data set are one data set. So how many?
"""

# %%
# The least
# ---------
#
# With few data sets no result can be significant, whatever the scores are. Wilcoxon's
# signed-rank test, the default, has a smallest p-value, that of a model which wins everywhere:

import numpy as np

from skstat.stats import PairedScores, wilcoxon

for n in range(4, 9):
    wins = np.linspace(0.01, 0.02, n)
    outcome = wilcoxon(PairedScores(wins, np.zeros(n), unit="dataset"))
    print(n, "data sets: smallest p =", outcome.smallest_pvalue)

# %%
# Six data sets are the least for one comparison at the level 0.05. Of several models each pair
# has a share of that level only: with five models and Holm's method the first of ten pairs is
# judged at 0.005, which takes nine data sets (2/2⁹ is 0.004).
#
# A report says so instead of "not significant":

import skstat

few = {"new": [0.81, 0.74, 0.92, 0.67], "old": [0.78, 0.70, 0.90, 0.61]}
print(skstat.compare_scores(few, unit="dataset").conclusion)

# %%
# Enough for a difference that matters
# ------------------------------------
#
# Beyond that it depends on two numbers: the mean difference that would *matter* to you, and how
# much the differences vary from data set to data set. Say both:

plan = skstat.plan_comparison("scores", unit="dataset", difference=0.02, sd=0.03)
print(plan)

# %%
# If you have a few data sets already, the plan takes from them how much the differences vary,
# by an upper limit, but not the difference that they show.

new = [0.821, 0.704, 0.933, 0.694, 0.818, 0.709, 0.927, 0.698]
old = [0.800, 0.700, 0.900, 0.700, 0.800, 0.700, 0.900, 0.700]
report = skstat.compare_scores({"new": new, "old": old}, unit="dataset")
print(report.conclusion)
print(report.plan(difference=0.02).conclusion)

# %%
# :doc:`/planning` has the plans for test sets, splits and seeds.
#
# What does not help
# ------------------
#
# - More folds, repeats or seeds per data set make each score less noisy. They do not make more
#   data sets.
# - Ten versions of one data set (samples of it, other targets of the same rows) are not ten
#   data sets.
# - Choosing the data sets on which the new model does well.
#
# What to write in the paper
# --------------------------
#
# How the data sets were chosen, how many there are, and that they are the unit. The methods
# text says the rest:

more = {"new": [0.81, 0.74, 0.92, 0.67, 0.88, 0.79, 0.95, 0.71]}
more["old"] = [0.78, 0.75, 0.90, 0.61, 0.86, 0.77, 0.94, 0.66]
print(skstat.compare_scores(more, unit="dataset", scoring="accuracy").methods_text())
