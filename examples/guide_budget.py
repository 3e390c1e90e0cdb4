"""
How many fits can you afford?
=============================

Training costs time, and the number of fits decides which splits are possible and which test
is valid for them. Say the number, and ``budget=`` of :func:`~skstat.compare_estimators`
chooses both. Each section is a rule of the guide (:ref:`choosing-table`), whose id it prints.
"""

# %%
# Nothing is fitted yet: what would be done with 1, 10, 20, 30 and 100 fits per estimator?
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB

import skstat

X, y = load_breast_cancer(return_X_y=True)
estimators = {"naive Bayes": GaussianNB(), "discriminant": LinearDiscriminantAnalysis()}

for budget in (1, 10, 20, 30, 100):
    found = skstat.recommend_test("estimators", budget=budget)
    kind = found.design["kind"] if found.design else "one test set"
    print(f"budget={budget}: {found.title}, {kind}")

# %%
# One fit
# -------
#
# You can fit each estimator once. One fit says nothing about how much the next training set
# would change, so that :func:`~skstat.compare_estimators` refuses. You can test whether these
# two fitted systems differ, on rows that neither has seen. The answer is often mistaken for
# one about the learners; that takes more fits.
print(skstat.recommend_test("estimators", budget=1).to_text())
try:
    skstat.compare_estimators(estimators, X, y, budget=1)
except ValueError as error:
    print(f"\n{error}")

# %%
# So fit once, and compare the predictions.
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
predictions = {
    name: estimator.fit(X_train, y_train).predict(X_test)
    for name, estimator in estimators.items()
}
report = skstat.compare_predictions(y_test, predictions, metric="accuracy")
print(report.conclusion)
print(f"Rule: {skstat.recommend_test('estimators', budget=1).situation}")

# %%
# Ten fits or more
# ----------------
#
# You can afford ten fits or more. The rows are halved, half as many times, and each half trains
# once. The answer is about learners trained on half of the rows. The t test over ten folds is
# more common for the same price, and rejects too often; the 5x2cv F test does so for metrics
# other than accuracy.
reports = {}
reports["10 fits"] = report = skstat.compare_estimators(
    estimators, X, y, scoring="accuracy", budget=10, random_state=0
)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# A direction that was fixed beforehand: the interval has one limit.
report = skstat.compare_estimators(
    {"discriminant": estimators["discriminant"], "naive Bayes": estimators["naive Bayes"]},
    X,
    y,
    scoring="accuracy",
    budget=10,
    alternative="greater",
    random_state=0,
)
print(report.conclusion)

# %%
# More fits make the answer less dependent on their seed, and the standard error more precise.
# They do not replace rows. It does not matter whether the learners are known to be stable:
# their instability is measured.
for budget in (20, 30, 46):
    reports[f"{budget} fits"] = report = skstat.compare_estimators(
        estimators, X, y, scoring="accuracy", budget=budget, random_state=0
    )
    print(f"{report.test}: {report.conclusion}")


# %%
# A metric of your own
# --------------------
#
# If skstat does not know what every row contributes to your function, the comparison leaves
# out pairs of blocks; fifteen fits are enough for six blocks.
def share_is_right(estimator, X, y):
    """Minus the distance of the predicted share of class 0 from the true one."""
    return -abs(float((estimator.predict(X) == 0).mean() - (y == 0).mean()))


report = skstat.compare_estimators(
    estimators, X, y, scoring=share_is_right, budget=15, random_state=0
)
print(report.conclusion)
print(report.test)
print(f"Rule: {report.choice.situation}")

# %%
# What the fits buy: the 95 % intervals of the same question.
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
skstat.display.IntervalsDisplay(
    labels=list(reports),
    estimates=[report.estimate for report in reports.values()],
    intervals=[report.confidence_interval() for report in reports.values()],
    confidence_level=0.95,
    favours="naive Bayes better",
    metrics=["accuracy"] * len(reports),
).plot(ax=ax)

# %%
# Scores of 5x2 halves that you have
# ----------------------------------
#
# You have ten scores of each, from scikit-learn's own cross-validation with two folds and
# five repeats. Say how many repeats there are, and the F test is used. Dietterich's t test for
# the same scores is better known, but depends on which half happened to come first.
halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
scores = {
    name: cross_val_score(estimator, X, y, cv=halves, scoring="accuracy")
    for name, estimator in estimators.items()
}
report = skstat.compare_scores(scores, n_repeats=5, scoring="accuracy")
print(report.conclusion)
print(report.test)
print(f"Rule: {report.choice.situation}")

# %%
# Scores of 5x2 halves, and a direction
# -------------------------------------
#
# The same ten scores, and a direction that was fixed before they were seen. The corrected t
# test takes the place of the F test. It is conservative here, and says so. It is better to
# pass the estimators, as above: then the rows can be used.
report = skstat.compare_scores(
    scores, n_repeats=5, scoring="accuracy", systems=("discriminant", "naive Bayes"),
    alternative="greater",
)  # fmt: skip
print(report.conclusion)
print(*report.choice.cautions)
print(f"Rule: {report.choice.situation}")
plt.show()
