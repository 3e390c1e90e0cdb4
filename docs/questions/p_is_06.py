"""
My p-value is .06: what now?
============================

It is not "nearly significant", and it is not "no difference". Read the interval.
"""

# %%
# What it says
# ------------

import skstat

scores = {
    "new": [0.741, 0.768, 0.752, 0.735, 0.771, 0.745, 0.760, 0.739, 0.757, 0.749],
    "old": [0.733, 0.751, 0.749, 0.741, 0.752, 0.740, 0.744, 0.741, 0.745, 0.738],
}
report = skstat.compare_scores(scores, n_train=900, n_test=100, scoring="accuracy")
print(report)

# %%
# Every difference in the interval is compatible with the data: a small loss, nothing, and a
# gain about twice as large as the one seen. The data do not decide between them.

display = report.plot()

# %%
# What you may do
# ---------------
#
# - *Report it as it is*: the difference, its interval, the p-value. That is a result.
# - *Collect more data*, and test on the new data, or plan the number beforehand. Adding rows or
#   seeds until p falls below .05 makes a false finding likely: with a look after every addition
#   the chance grows far beyond 5 %.
# - *Use a design that sees more*, before looking: more test rows, repeated halves instead of
#   one K-fold, both models on the same splits. ``report.choice`` and the doubts say what would
#   help.
# - *Ask what would matter.* Say which difference is too small to matter to you. The data may
#   well show that the new model is not worse by as much:

margin = skstat.compare_scores(
    scores, n_train=900, n_test=100, scoring="accuracy", margin=0.005
)
print(margin.conclusion)

# %%
# What you may not do
# -------------------
#
# - Try another test, metric, split or seed, and report the one that has p < .05. Each is a
#   further chance to be lucky.
# - Halve the p-value with a one-sided test that was chosen after seeing the sign.
# - Drop the data set, fold or seed that "does not fit".
# - Conclude that the two are equal. That is a claim of its own: :doc:`/equivalence`.
#
# What to write in the paper
# --------------------------

print(report.results_text())
