"""
Are two systems equivalent?
===========================

You want to show that two systems are practically the same: one is cheaper, or easier to
explain, and may replace the other. A test that finds no difference does not show that; there
may be too few data. First say which difference would matter. That is the margin, and every
comparison takes it. It is one rule of the guide (:ref:`choosing-table`), ``same``: two
one-sided tests of the margin, based on the test that the situation has without it.
:doc:`/equivalence` says more.
"""

# %%
# The margin is fixed before the scores are seen, by what the systems are for: here nobody
# would change the classifier for less than two percentage points of accuracy.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_breast_cancer(return_X_y=True)
MARGIN = 0.02
discriminant = LinearDiscriminantAnalysis()

# %%
# Equivalent
# ----------
#
# You have two linear classifiers that look similar. The 90 % interval lies within the margin:
# differences that would matter are excluded in both directions. The common shortcut of calling
# two systems the same because p is above 0.05 rewards small test sets: the fewer the rows, the
# larger p is.
report = skstat.compare_estimators(
    {"discriminant": discriminant, "ridge": RidgeClassifier()},
    X,
    y,
    scoring="accuracy",
    margin=MARGIN,
    random_state=0,
)
print(report)
print(f"\nVerdict: {report.verdict}")
print(f"Rule: {report.choice.situation}")

# %%
# The margin is drawn beside the interval.
report.plot()

# %%
# The other outcomes, from one run
# --------------------------------
#
# Three more classifiers are fitted on the same splits, and each is compared with the
# discriminant.
run = skstat.paired_cross_validate(
    {
        "discriminant": discriminant,
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "tree": DecisionTreeClassifier(random_state=0),
        "naive Bayes": GaussianNB(),
    },
    X,
    y,
    scoring="accuracy",
    random_state=0,
)

# %%
# Better, by more than the margin
# -------------------------------
#
# All of the interval lies beyond the margin: the difference was found, and it matters.
stump = skstat.compare_scores(run, systems=("discriminant", "stump"), margin=MARGIN)
print(stump.conclusion)
print(f"Verdict: {stump.verdict}")
print(f"Rule: {stump.choice.situation}")

# %%
# Better, perhaps by too little to matter
# ---------------------------------------
#
# The interval excludes 0, but contains differences that are smaller than the margin. A small p
# does not make a difference large.
tree = skstat.compare_scores(run, systems=("discriminant", "tree"), margin=MARGIN)
print(tree.conclusion)
print(f"Verdict: {tree.verdict}")

# %%
# Undecided, and not worse
# ------------------------
#
# Neither a difference nor equivalence was shown. Still, the discriminant is not worse by the
# margin or more, which is enough to use it instead. To decide the rest you need more rows, not
# more splits.
bayes = skstat.compare_scores(run, systems=("discriminant", "naive Bayes"), margin=MARGIN)
print(bayes.conclusion)
print(f"Verdict: {bayes.verdict}")
print(f"Not worse by the margin: p = {bayes.pairs[0].noninferior_p:.4f}")

# %%
# The four intervals and the margin, a band. These are the 95 % intervals of the
# differences; equivalence is decided by 90 % intervals, which are a little narrower.
parts = {"ridge": report, "stump": stump, "tree": tree, "naive Bayes": bayes}
skstat.display.IntervalsDisplay(
    labels=[f"against {name}: {part.verdict}" for name, part in parts.items()],
    estimates=[part.estimate for part in parts.values()],
    intervals=[part.confidence_interval() for part in parts.values()],
    confidence_level=0.95,
    favours="discriminant better",
    metrics=["accuracy"] * len(parts),
    margins=[MARGIN] * len(parts),
    verdicts=[part.verdict for part in parts.values()],
).plot()

# %%
# Fitted systems and one test set
# -------------------------------
#
# The same margin with predictions. McNemar's test looks for the difference, and Tango's
# interval is compared with the margin. The two linear classifiers were equivalent as learners;
# 285 rows are too few to show the same of these two fitted systems.
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
labels = {
    name: system.fit(X_train, y_train).predict(X_test)
    for name, system in {"discriminant": discriminant, "ridge": RidgeClassifier()}.items()
}
report = skstat.compare_predictions(y_test, labels, metric="accuracy", margin=MARGIN)
print(report.conclusion)
print(f"Verdict: {report.verdict}")
print(report.choice.reason)
print(f"Rule: {report.choice.situation}")

# %%
# Several systems
# ---------------
#
# Every pair is tested against the margin, and the p-values of equivalence are adjusted for
# their number too.
report = skstat.compare_scores(run, margin=MARGIN)
for pair in report.pairs:
    print(pair.first, pair.second, pair.verdict, sep=" | ")
print(f"Rule: {report.choice.situation}")
# sphinx_gallery_thumbnail_number = 2
plt.show()
