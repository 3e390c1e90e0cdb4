"""
McNemar's test in Python
========================

Two classifiers, one test set, and the question whether one of them is right more often. Only
rows on which exactly one of the two is right say anything about it. McNemar's test counts
them.
"""

# %%
# The call
# --------

import numpy as np

import skstat

rng = np.random.default_rng(0)
y = rng.integers(0, 2, 300)
old = np.where(rng.random(300) < 0.80, y, 1 - y)
new = np.where(rng.random(300) < 0.86, y, 1 - y)
report = skstat.mcnemar_test(y, ("new", new), ("old", old))
print(report)

# %%
# The difference of the two accuracies stands beside the p-value, with an interval (Tango's,
# which suits paired shares).

display = report.plot()

# %%
# From counts
# -----------
#
# The four counts are enough. Rows are the first system, right and wrong, columns the second:

right_new, right_old = new == y, old == y
table = [
    [sum(right_new & right_old), sum(right_new & ~right_old)],
    [sum(~right_new & right_old), sum(~right_new & ~right_old)],
]
counted = skstat.mcnemar_test(table=table, names=("new", "old"))
print(counted.pvalue == report.pvalue)

# %%
# Which version?
# --------------
#
# The default is the mid-p test: the exact binomial test, which counts the observed table half.
# Its level is close to the one you choose, and it finds more than the exact test. ``"edwards"``
# is the chi-squared form with continuity correction, which many packages compute; it has no
# advantage.

for method in ("midp", "exact", "edwards"):
    found = skstat.mcnemar_test(table=table, names=("new", "old"), method=method)
    print(f"{method}: p = {found.pvalue:.5f}")

# %%
# What it does not answer
# -----------------------
#
# - It is about these two *fitted* models. Another training set may turn the order. For the
#   learners use :func:`skstat.compare_estimators`.
# - Rows must be independent. If several belong to one patient, document or user, pass
#   ``groups=`` to :func:`skstat.compare_predictions`.
# - It is about accuracy. For F1, AUC or any other metric use
#   :func:`skstat.compare_predictions`.
# - More than two systems: :func:`skstat.cochran_q_test`, or ``compare_predictions`` for all
#   pairs.
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.results_text())
