"""
Is my tuned model better than the default?
==========================================

A grid search reports a ``best_score_``. It is the highest of many noisy scores, and so too
high; it does not rule out the default model. The fair comparison fits the whole search inside
every training set.
"""

# %%
# The call
# --------
#
# A search is an estimator like any other. It is tuned anew on the training rows of each split,
# and tested on rows that it has not seen (nested cross-validation). The default goes beside it.

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import skstat

X, y = load_breast_cancer(return_X_y=True)
default = make_pipeline(StandardScaler(), SVC())
grid = {"svc__C": [0.1, 1, 10], "svc__gamma": [0.01, 0.1]}
tuned = GridSearchCV(default, grid, cv=3)
report = skstat.compare_estimators(
    {"tuned": tuned, "default": default}, X, y, scoring="accuracy", random_state=0
)
print(report)

# %%
display = report.plot()

# %%
# How optimistic is ``best_score_``?
# ----------------------------------
#
# The score of the tuned model above is that of rows which took no part in the tuning. Beside it
# the search's own number, on all rows:

search = tuned.fit(X, y)
print(f"best_score_ {search.best_score_:.3f}")
print(f"nested      {report.evidence.sample.a.mean():.3f}")

# %%
# The two are also of training sets of different sizes, so part of the gap is honest.
# :func:`skstat.estimate_performance` gives the score of a search with an interval.
#
# Which candidates may be the best?
# ---------------------------------
#
# The search has kept the scores of all candidates on the same folds. No further fit is needed
# to see how little three folds decide:

print(skstat.compare_search_candidates(search, random_state=0).conclusion)

# %%
# Two tuned models
# ----------------
#
# Compare two searches in the same way. Both must be tuned with about the same effort, or the
# comparison is one of efforts. ``n_jobs=`` and ``memory="folder"`` help where fits are slow.
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.results_text())
