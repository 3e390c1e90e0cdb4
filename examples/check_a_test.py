"""
Does the test hold for my learner?
==================================

You have a learner, a metric and data, and are told that one test is valid and another is not.
You need not believe it: :func:`skstat.check_test` makes true null hypotheses of your own rows,
and counts how often tests reject them.
"""

# %%
# Ridge regression with a strong penalty
# --------------------------------------
#
# The diabetes data have 442 rows. A ridge regression with a strong penalty hardly leaves the
# mean; its errors are where the corrected t test fails, in whatever paper it is used.
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge

import skstat

X, y = load_diabetes(return_X_y=True)
X = X * np.sqrt(len(X))  # features of variance 1
MSE = "neg_mean_squared_error"
check = skstat.check_test(
    {"ridge, 1000": Ridge(alpha=1000.0)}, X, y, scoring=MSE, random_state=0
)
print(check)

# %%
# The picture shows the same for every level. A test that holds stays near the diagonal or
# below it: at a level of 0.05 it rejects at most 5 % of hypotheses that are true.
check.plot()

# %%
# How it works
# ------------
#
# For each experiment 110 of the rows are drawn, and two copies of the learner compared on them.
# Every copy sees the rows with three cells in ten replaced by the value of the same column in
# a random row, others for each copy. Both lose as much, so they are equally good: whoever finds
# a difference is wrong. After 50 experiments a test gets no more as soon as its interval lies
# above 0.05, or below 0.10. These intervals may be looked at any time.
#
# A weak penalty, and power
# -------------------------
#
# With a weak penalty the corrected t test is valid too. So it is the learner and the metric
# that decide, and there is no need to know which: ask. ``power=True`` also compares with a
# third copy that has half as many replaced cells, and is better: how often is that found, and
# how large is the difference?
check = skstat.check_test(
    {"ridge, 1": Ridge(alpha=1.0)},
    X,
    y,
    scoring=MSE,
    power=True,
    n_experiments=10,
    random_state=0,
)
print(check)

# %%
# More experiments would make the intervals shorter: 10 are here to build this page fast.
#
# What to write in the paper
# --------------------------
print(check.methods_text())
