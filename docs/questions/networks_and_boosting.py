"""
Is my neural network better than boosting?
==========================================

You have trained a network with three seeds, and a boosted ensemble beside it. Training takes
hours, so there are few runs, and one test set. Which is better, and what can three seeds show?
"""

# %%
# Predictions of every seed, from files
# -------------------------------------
#
# Let every run write its predictions for the same test rows into a file, as it ends. Any
# library can do that; here scikit-learn's network stands for yours. It stops early by rows that
# it keeps back from its own training rows.

import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
folder = Path(tempfile.mkdtemp())


def network(seed):
    net = MLPClassifier((32,), early_stopping=True, max_iter=300, random_state=seed)
    return make_pipeline(StandardScaler(), net)


def boosting(seed):
    return HistGradientBoostingClassifier(
        max_iter=60, max_features=0.3, early_stopping=True, random_state=seed
    )


for name, make in {"network": network, "boosting": boosting}.items():
    for seed in range(3):
        model = make(seed).fit(X_train, y_train)
        np.save(folder / f"{name}-{seed}.npy", model.predict(X_test))

# %%
# A list of runs per system, in place of one:

runs = {
    name: [np.load(path) for path in sorted(folder.glob(f"{name}-*.npy"))]
    for name in ("network", "boosting")
}
report = skstat.compare_predictions(
    y_test, runs, metric="accuracy", seeds="crossed", random_state=0
)
print(report)

# %%
# What three seeds can show
# -------------------------
#
# ``seeds="crossed"`` treats seeds and test rows as random: the conclusion is about networks
# trained with *any* seed. The price is a wide interval. ``"average"`` is about these three
# runs and no others.

display = report.plot()
average = skstat.compare_predictions(
    y_test, runs, metric="accuracy", seeds="average", random_state=0
)
print(average.conclusion)

# %%
# Do not take the best of three seeds, and do not count every row of every seed as a row of its
# own (:ref:`several-seeds`). With ten seeds or more the crossed interval is hardly wider than
# the other.
#
# Early stopping belongs inside the fit
# -------------------------------------
#
# When a model stops by its loss on the *test* rows, its score is too good. Keep the rows for
# stopping back from the training rows. ``early_stopping=True`` does it in scikit-learn.
# LightGBM and XGBoost take the rows by an argument of ``fit``, so that a small class of your
# own splits them off:
#
# .. code-block:: python
#
#    class StoppedBooster(lightgbm.LGBMClassifier):
#        def fit(self, X, y):
#            kept = train_test_split(X, y, test_size=0.2, random_state=0)
#            X_fit, X_stop, y_fit, y_stop = kept
#            stop = lightgbm.early_stopping(20, verbose=False)
#            rows = {"eval_X": X_stop, "eval_y": y_stop}  # LightGBM before 4.7: eval_set
#            return super().fit(X_fit, y_fit, **rows, callbacks=[stop])
#
# Networks of torch and Keras become estimators by skorch and SciKeras, which keep rows back
# themselves (``skorch.dataset.ValidSplit``). All of them then go into
# :func:`skstat.compare_estimators`, with ``memory=`` for runs that take a night
# (:doc:`/long_runs`).
#
# Tuned against tuned
# -------------------
#
# Give both a search of the same size; the comparison repeats it in every training set (nested
# cross-validation):
#
# .. code-block:: python
#
#    searches = {
#        "network": RandomizedSearchCV(network(0), network_settings, n_iter=20),
#        "boosting": RandomizedSearchCV(boosting(0), boosting_settings, n_iter=20),
#    }
#    report = skstat.compare_estimators(searches, X, y, budget=10, n_jobs=-1)
#
# ``budget=`` is the number of times that each search may run. Ten is the fewest, and has less
# power than the default of thirty.
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.results_text())
