"""
Corrected resampled t test in Python
====================================

You have fitted two models on the same cross-validation splits, and want a p-value. The usual
paired t test is wrong there: splits of one data set share training rows, so that their scores
are not independent. Nadeau and Bengio (2003) correct its variance for the overlap.
"""

# %%
# The call
# --------
#
# Scores that you have already need the sizes of the splits, from which the correction follows.
# ``n_repeats=`` says how often the whole K-fold was repeated, if it was one.

import skstat

scores = {
    "forest": [0.912, 0.930, 0.886, 0.921, 0.903, 0.939, 0.894, 0.912, 0.921, 0.930],
    "linear": [0.903, 0.921, 0.877, 0.930, 0.886, 0.921, 0.886, 0.903, 0.912, 0.912],
}
report = skstat.compare_scores(scores, n_train=455, n_test=114, scoring="accuracy")
print(report)

# %%
# With :func:`sklearn.model_selection.cross_validate`, ``return_indices=True`` keeps the sizes,
# and the results go in as they are: ``compare_scores({"forest": ..., "linear": ...})``.

display = report.plot()

# %%
# The uncorrected test on the same scores, by name. Its interval is far too short, and the
# report says that its p-value is not valid:

textbook = skstat.compare_scores(scores, n_train=455, n_test=114, test="paired_t")
for one in (textbook, report):
    low, high = one.confidence_interval()
    print(f"{one.test}: {low:+.4f} to {high:+.4f}")
print(textbook.doubts[0])

# %%
# The formula
# -----------
#
# The variance of the mean of J differences, each with n1 training and n2 test rows, is
# estimated by s² (1/J + n2/n1) instead of s²/J. The p-value is that of Student's t with J − 1
# degrees of freedom:

import numpy as np
from scipy import stats

d = np.subtract(scores["forest"], scores["linear"])
t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / len(d) + 114 / 455))
print(np.isclose(report.pvalue, 2 * stats.t.sf(abs(t), len(d) - 1)))

# %%
# If you can fit again
# --------------------
#
# The correction holds for accuracy mostly, and fails for log loss, Brier score or mean errors
# of regularised models (:doc:`/any_metric`). :func:`skstat.compare_estimators` fits on splits
# whose variance can be measured, and is the better choice where you still hold the models:
#
# .. code-block:: python
#
#    skstat.compare_estimators({"forest": forest, "linear": linear}, X, y, n_jobs=-1)
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.results_text())
