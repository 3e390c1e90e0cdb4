"""
Is one system better than a known score?
========================================

You have one system, and a score that it should beat: what guessing scores, a published
figure, what a contract asks for. A constant is a score that was **known in advance**. A score
that was found on the same rows is not a constant but the score of another system: compare the
two in pairs (:doc:`guide_hold_out`, :doc:`guide_two_estimators`). Each section is a rule of the
guide (:ref:`choosing-table`), whose id it prints.
"""

# %%
# The learner, and a system fitted on half of the rows.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import skstat
from skstat.stats import PairedScores

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
system = GaussianNB().fit(X_train, y_train)
answers = system.predict(X_test)

# %%
# A learner against guessing
# --------------------------
#
# You have an estimator, and ask whether it learns anything. The score of guessing is not known
# beforehand; it is found on the same splits. 63 % of the tumours are benign, so that 0.8 is
# less than it seems: the common comparison with 1/2 is too easy.
report = skstat.compare_to_baseline(GaussianNB(), X, y, scoring="accuracy", random_state=0)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# The same on ten folds of your own. They are not a repeated partition, so that the corrected t
# test takes the variance from their sizes.
report = skstat.compare_to_baseline(GaussianNB(), X, y, scoring="accuracy", cv=10)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A learner against a score known in advance
# ------------------------------------------
#
# You have an estimator, and a number to beat: say that 0.9 was agreed on. The scores of 30
# halves are compared with it by a one-sample t test whose variance is projected on the rows.
# The textbook t test treats 30 halves as 30 samples.
report = skstat.compare_to_baseline(
    GaussianNB(), X, y, strategy=0.9, scoring="accuracy", random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# By how much the splits exceed 0.9, and the interval of the mean.
report.plot()

# %%
# The same with scores that you have, of ten folds. The sizes say how much the folds overlap.
scores = cross_val_score(GaussianNB(), X, y, cv=10, scoring="accuracy")
report = skstat.compare_scores(
    {"naive Bayes": scores},
    n_train=9 * len(y) // 10,
    n_test=len(y) // 10,
    constant=0.9,
    scoring="accuracy",
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Accuracy of a fitted system
# ---------------------------
#
# You have right and wrong answers to one test set. Their number is binomial, and the exact
# test needs no approximation. The common interval, accuracy plus and minus two standard
# errors, is too short near 1; that of Clopper and Pearson is not, and inverts the test.
report = skstat.binomial_test(y_test, answers, constant=0.9, name="naive Bayes")
found = skstat.recommend_test("predictions", n_systems=1, metric="accuracy")
print(report.conclusion)
print(report.test)
print(f"Rule: {found.situation}")

# %%
# Another mean over rows
# ----------------------
#
# The score is a mean over rows that are not just right or wrong: here the squared distance of
# the chance that was given from what happened (the Brier score, negated so that higher is
# better). Always predicting 63 % scores −0.233, which is known from the class shares in
# advance. Pass the score of every row; the rule of the guide is then the next one.
chance = system.predict_proba(X_test)[:, 1]
brier = -((chance - y_test) ** 2)
report = skstat.compare_scores(
    {"naive Bayes": brier}, unit="instance", constant=-0.233, scoring="Brier"
)
print(report.conclusion)
found = skstat.recommend_test("predictions", n_systems=1, metric="neg_brier_score")
print(f"Rule: {found.situation}")

# %%
# Scores of rows, groups or seeds
# -------------------------------
#
# You have one score per unit from elsewhere, and the units are independent. Seeds are a
# case: five forests would be five units. Here the units are the rows above.
print(report.test)
print(f"Rule: {report.choice.situation}")

# %%
# Right or wrong, row by row
# --------------------------
#
# You have no labels, only a 1 or a 0 for every row. The answers are counted, as above: a t test
# of ones and zeros rejects too often where nearly all of them are right.
report = skstat.compare_scores(
    {"naive Bayes": (answers == y_test).astype(float)},
    unit="instance",
    constant=0.9,
    scoring="accuracy",
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Any other score
# ---------------
#
# F1 is not a mean over rows, and there is no test of it against a constant. Compare with the
# answers of a guess, on the same rows. The rule of the guide leads to that comparison, which
# has a rule of its own.
guess = DummyClassifier(strategy="stratified", random_state=0).fit(X_train, y_train)
report = skstat.compare_predictions(
    y_test,
    {"naive Bayes": answers, "guess": guess.predict(X_test)},
    metric="f1",
    n_resamples=1999,
    random_state=0,
)
print(report.conclusion)
found = skstat.recommend_test("predictions", n_systems=1, metric="f1")
print(f"Rule: {found.situation}, then {report.choice.situation}")

# %%
# Rows in groups
# --------------
#
# Each of 60 handwritten digits is photographed ten times, and 0.9 was promised. The binomial
# test would treat 600 pictures as independent. The cluster-robust t test uses the digits as
# units; it is a procedure of :mod:`skstat.stats`, and its outcome has numbers and no
# sentences.
X_digits, y_digits = load_digits(return_X_y=True)
half = len(y_digits) // 2
neighbours = KNeighborsClassifier().fit(X_digits[:half], y_digits[:half])
rng = np.random.default_rng(0)
digit = np.repeat(rng.choice(np.arange(half, len(y_digits)), 60, replace=False), 10)
pictures = np.clip(X_digits[digit] + rng.normal(scale=3, size=(600, 64)), 0, 16)
right = (neighbours.predict(pictures) == y_digits[digit]).astype(float)
outcome = skstat.stats.clustered_t(PairedScores(right, np.full(600, 0.9), groups=digit))
low, high = outcome.confidence_interval()
by_row = skstat.binomial_test(successes=int(right.sum()), n=600, constant=0.9)
print(f"accuracy {right.mean():.3f}, {0.9 + low:.3f} to {0.9 + high:.3f}")
print(f"60 digits:    p = {outcome.pvalue:.2g}")
print(f"600 pictures: p = {by_row.pvalue:.2g}, too small")
found = skstat.recommend_test("predictions", n_systems=1, metric="accuracy", groups=60)
print(f"Rule: {found.situation}")

# %%
# Rows in time order
# ------------------
#
# The digits stand in the order of writing, one person after the other, so that one error may
# follow another. The same system is tested on all of the second half, in that order. The test
# of Diebold and Mariano allows for similar neighbours.
right = (neighbours.predict(X_digits[half:]) == y_digits[half:]).astype(float)
outcome = skstat.stats.diebold_mariano(
    PairedScores(right, np.full(len(right), 0.9), unit="instance", ordered=True)
)
low, high = outcome.confidence_interval()
print(f"accuracy {right.mean():.3f}, {0.9 + low:.3f} to {0.9 + high:.3f}")
print(f"p = {outcome.pvalue:.2g}")
found = skstat.recommend_test("predictions", n_systems=1, metric="accuracy", ordered=True)
print(f"Rule: {found.situation}")

# %%
# The accuracy of every 50 digits in their order, and the score to beat: errors come together.
means = np.convolve(right, np.full(50, 1 / 50), mode="valid")
_, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
ax.plot(np.arange(50, len(right) + 1), means)
ax.axhline(0.9, color="gray", linestyle="--")
ax.set(xlabel="digits so far", ylabel="accuracy of the last 50")
# sphinx_gallery_thumbnail_number = 2
plt.show()
