"""
Eleven doubts, and what ends them
=================================

Each of these doubts is raised by a few lines and ended by a few others. :doc:`/doubts` has all
of them; ``skstat explain SKS101`` prints one.
"""

# %%
# The examples need scores, and a function that shows which doubts a report has.

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat

rng = np.random.default_rng(0)


def codes(report):
    """Codes of the doubts of a report, the heaviest first."""
    return [doubt.code for doubt in report.doubts] or "no doubts"


# %%
# SKS101: splits tested as independent
# ------------------------------------
#
# Scores of splits with the textbook t test. The default test for splits allows for their
# overlap.

splits = {"new": rng.normal(0.82, 0.02, 30), "old": rng.normal(0.80, 0.02, 30)}
sizes = {"n_train": 400, "n_test": 200}
print("raised:", codes(skstat.compare_scores(splits, **sizes, test="paired_t")))
print("ended: ", codes(skstat.compare_scores(splits, **sizes)))

# %%
# SKS102: a single K-fold
# -----------------------
#
# Ten folds show less than they could. The default splits cost 30 fits of half the size.

X, y = load_breast_cancer(return_X_y=True)
models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
print("raised:", codes(skstat.compare_estimators(models, X, y, cv=10)))
print("ended: ", codes(skstat.compare_estimators(models, X, y, random_state=0)))

# %%
# SKS107: few units
# -----------------
#
# Five seeds find large differences only. More seeds find smaller ones.

seeds = {"new": rng.normal(0.82, 0.01, 40), "old": rng.normal(0.80, 0.01, 40)}
few = {name: scores[:5] for name, scores in seeds.items()}
print("raised:", codes(skstat.compare_scores(few, unit="seed")))
print("ended: ", codes(skstat.compare_scores(seeds, unit="seed")))

# %%
# SKS111: rows may come in groups
# -------------------------------
#
# Ten rows of every user, and a system that suits some users better: neighbouring rows are
# alike. ``groups=`` makes the user the unit.

user = np.repeat(np.arange(60), 10)
truth = rng.integers(0, 2, 600)
of_user = {"new": rng.random(60) < 0.85, "old": rng.random(60) < 0.8}
slips = {name: rng.random(600) < 0.1 for name in of_user}
right = {name: own[user] ^ slips[name] for name, own in of_user.items()}
labels = {name: np.where(ok, truth, 1 - truth) for name, ok in right.items()}
ask = {"metric": "accuracy", "random_state": 0}
print("raised:", codes(skstat.compare_predictions(truth, labels, **ask)))
print("ended: ", codes(skstat.compare_predictions(truth, labels, groups=user, **ask)))

# %%
# SKS139: groups that are not used
# --------------------------------
#
# The same in a table that names the user, but is not told to use it.

log = {name: ok.astype(float) for name, ok in right.items()} | {
    "item": np.arange(600),
    "user": user.astype(str),
}
print("raised:", codes(skstat.compare_scores(log, item="item", systems=["new", "old"])))
grouped = skstat.compare_scores(log, item="item", group="user", systems=["new", "old"])
print("ended: ", codes(grouped))

# %%
# SKS304: about as good as guessing
# ---------------------------------
#
# Nine of ten rows are negative, and 90 % of the answers are right. A metric that guessing
# cannot please says more.

rare = (rng.random(800) < 0.1).astype(int)
dull = {
    "new": np.where(rng.random(800) < 0.01 + 0.12 * rare, 1, 0),
    "old": np.where(rng.random(800) < 0.02, 1, 0),
}
print("raised:", codes(skstat.compare_predictions(rare, dull, **ask)))
ask["metric"] = "balanced_accuracy"
print("ended: ", codes(skstat.compare_predictions(rare, dull, **ask)))

# %%
# SKS217: no pair can be significant
# ----------------------------------
#
# Three models on four data sets: Wilcoxon's test of four differences has no p-value below .125.

table = {f"model {i}": rng.normal(0.8 - 0.05 * i, 0.02, 12) for i in range(3)}
short = {name: scores[:4] for name, scores in table.items()}
print("raised:", codes(skstat.compare_scores(short, unit="dataset")))
print("ended: ", codes(skstat.compare_scores(table, unit="dataset")))

# %%
# SKS126: mean ranks that depend on the other systems
# ---------------------------------------------------
#
# Nemenyi's test of two models changes with a third. The default compares each pair by its own
# scores.

print("raised:", codes(skstat.compare_scores(table, unit="dataset", test="nemenyi")))
print("ended: ", codes(skstat.compare_scores(table, unit="dataset")))

# %%
# SKS201: identical scores
# ------------------------
#
# One file passed twice is the usual reason.

print(
    "raised:",
    codes(skstat.compare_predictions(truth, {"a": labels["new"], "b": labels["new"]}, **ask)),
)
print("ended: ", codes(skstat.compare_predictions(truth, labels, **ask, groups=user)))

# %%
# SKS120: items left out
# ----------------------
#
# Two items have no score of one system. Score them, or find out why they are missing.

holes = dict(log)
holes["old"] = np.where(np.arange(600) < 2, np.nan, log["old"])
some = {"item": "item", "group": "user", "systems": ["new", "old"]}
print("raised:", codes(skstat.compare_scores(holes, **some)))
print("ended: ", codes(skstat.compare_scores(log, **some)))

# %%
# SKS102: few test rows per split
# -------------------------------
#
# Scores of ten rows jump by tenths. The default tests on half of the rows.

tiny = ShuffleSplit(30, test_size=10, random_state=0)
print("raised:", codes(skstat.compare_estimators(models, X, y, cv=tiny)))
print("ended: ", codes(skstat.compare_estimators(models, X, y, random_state=0)))
