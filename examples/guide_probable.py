"""
How probable is it that one is better?
======================================

You are asked how probable it is that the new classifier is better, and by more than matters. A
p-value does not answer that. With ``rope=``, the difference that is practically none, every
comparison of means also says it. It is one rule of the guide (:ref:`choosing-table`),
``probable``: the test that the situation has without it, read as probabilities.
:doc:`/probabilities` says what such a number is, and is not.
"""

# %%
# The region is fixed before the scores are seen, by what the systems are for: here nobody
# would change the classifier for less than one percentage point of accuracy.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_breast_cancer(return_X_y=True)
ROPE = 0.01

# %%
# Two classifiers
# ---------------
#
# The last sentence of the conclusion is the same comparison, read as probabilities. It is not
# a second finding: with a flat prior the posterior follows from estimate, standard error and
# degrees of freedom of the test.
report = skstat.compare_estimators(
    {"discriminant": LinearDiscriminantAnalysis(), "naive Bayes": GaussianNB()},
    X,
    y,
    scoring="accuracy",
    rope=ROPE,
    random_state=0,
)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# The posterior is in the report. Its density, with the region as a band: the area on either
# side, and inside, are the three probabilities.
found = report.evidence.posterior
low, high = found.credible_interval(0.999)
at = np.linspace(min(low, -2 * ROPE), max(high, 2 * ROPE), 400)
fig, ax = plt.subplots(layout="constrained")
ax.axvspan(-ROPE, ROPE, alpha=0.16, color="C7", linewidth=0)
ax.plot(at, found.density(at))
ax.set(xlabel="accuracy, discriminant − naive Bayes", yticks=[], ylabel="density")
better, same, worse = found.probabilities
ax.set_title(f"better {better:.3f}, practically the same {same:.3f}, worse {worse:.3f}")

# %%
# What a decision rests on
# ------------------------
#
# ``decision`` names what is probable enough. How much is enough is yours to say, before the
# scores are seen.
print(found.decision(probability=0.95), "at 0.95")
print(found.decision(probability=0.8), "at 0.8")

# %%
# Several classifiers
# -------------------
#
# Every pair has its probabilities, as if it were the only one. They are not adjusted for the
# number of pairs; the verdicts are. A pair that was not named beforehand is judged by these.
several = skstat.compare_estimators(
    {
        "discriminant": LinearDiscriminantAnalysis(),
        "ridge": RidgeClassifier(),
        "naive Bayes": GaussianNB(),
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    },
    X,
    y,
    scoring="accuracy",
    rope=ROPE,
    random_state=0,
)
for pair in several.pairs:
    shown = ", ".join(f"{p:.2f}" for p in (pair.p_better, pair.p_same, pair.p_worse))
    print(pair.first, pair.second, f"better, same, worse: {shown}", pair.verdict, sep=" | ")
print(several.conclusion)
# sphinx_gallery_thumbnail_number = 1
plt.show()
