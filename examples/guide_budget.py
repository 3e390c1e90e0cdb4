"""
How many fits can you afford?
=============================

Training costs time, and the number of fits decides which splits are possible and which test
is valid for them. Say the number, and ``budget=`` of :func:`~skstat.compare_estimators`
chooses both. Each section is a row of the guide (:ref:`choosing-table`), whose id it prints.
"""

# %%
# Nothing is fitted yet: what would be done with 1, 10, 20, 30 and 100 fits per estimator?
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_breast_cancer(return_X_y=True)
estimators = {"naive Bayes": GaussianNB(), "discriminant": LinearDiscriminantAnalysis()}

for budget in (1, 10, 20, 30, 100):
    found = skstat.recommend_test("estimators", budget=budget, stable=estimators)
    print(f"budget={budget}: {found.title}")

# %%
# One fit
# -------
#
# You can fit each estimator once. One fit tells nothing of how much the next training set
# would change, so that :func:`~skstat.compare_estimators` refuses. What can be asked is
# whether these two fitted systems differ, on rows that neither has seen. It is popular to
# take the answer for one about the learners; that takes more fits.
print(skstat.recommend_test("estimators", budget=1).text)
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
# Ten fits
# --------
#
# You can afford 10 to 14 fits. Five times the rows are cut into halves, each half training
# once, and the F test uses all ten differences. The answer is about learners trained on half
# of the rows. The t test over ten folds is more popular for the same price, and rejects too
# often; corrected it is valid, and finds less.
reports = {}
reports["10 fits: 5x2 halves"] = report = skstat.compare_estimators(
    estimators, X, y, scoring="accuracy", budget=10, random_state=0
)
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# Ten fits, and a direction
# -------------------------
#
# You asked before whether the discriminant is *better*, and only that. The F test has no
# direction, so that ten random splits and the corrected t test take its place. The interval
# has one limit: the difference is at least that much. Ten splits hang much on their seed:
# the 30 below find less, in the same data.
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
print(f"Rule: {report.choice.situation}")

# %%
# Fifteen fits or more
# --------------------
#
# You can afford 15 to 29 fits: as many random splits. Both learners are known to be stable,
# so that one tenth of the rows is enough for testing, and the rest trains. For other learners
# one third tests. That 15 splits with one tenth suit every learner is often advised, and was
# measured to be wrong.
reports["20 fits: random splits"] = report = skstat.compare_estimators(
    estimators, X, y, scoring="accuracy", budget=20, random_state=0
)
print(report.conclusion)
print("For stable learners:", report.choice.design)
print("For others:         ", skstat.recommend_test("estimators", budget=20).design)
print(f"Rule: {report.choice.situation}")

# %%
# Thirty fits or more
# -------------------
#
# You can afford 30 to 100 fits: as many random splits with one third for testing, for
# learners of most kinds. The more splits, the less the answer hangs on their seed. They do
# not replace rows: the interval narrows a little, and no further.
reports["30 fits: random splits"] = report = skstat.compare_estimators(
    estimators, X, y, scoring="accuracy", budget=30, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# The same with a tree of depth two, of which it is not known whether it is stable: for such
# learners these splits are the best there are, however many fits you can afford.
short_tree = DecisionTreeClassifier(max_depth=2, random_state=0)
report = skstat.compare_estimators(
    {"naive Bayes": GaussianNB(), "short tree": short_tree},
    X,
    y,
    scoring="accuracy",
    budget=100,
    random_state=0,
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A hundred fits, stable learners
# -------------------------------
#
# You can afford 100 fits, and both learners are known to be stable: ten folds, ten times.
# Nine tenths of the rows train, so that the answer is about learners trained on almost all of
# them, and the seed of the folds hardly matters.
reports["100 fits: 10x10 folds"] = report = skstat.compare_estimators(
    estimators, X, y, scoring="accuracy", budget=100, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# What the fits buy: the 95 % intervals of the same question. The training sets differ in
# size, from a half to nine tenths of the rows, and with them what is estimated.
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
skstat.display.IntervalsDisplay(
    labels=list(reports),
    estimates=[report.estimate for report in reports.values()],
    intervals=[report.confidence_interval() for report in reports.values()],
    confidence_level=0.95,
    name="naive Bayes",
    metrics=["accuracy"] * len(reports),
).plot(ax=ax)

# %%
# Scores of 5x2 halves that exist
# -------------------------------
#
# You have ten scores of each, from scikit-learn's own cross-validation with two folds and
# five repeats. Say how many repeats there are, and the F test is taken. Dietterich's t test
# for the same scores is better known, and depends on which half happened to come first.
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
# The same ten scores, and a question in one direction that was asked before they were seen.
# The corrected t test takes the place of the F test. It is careful here, which it says.
report = skstat.compare_scores(
    scores, n_repeats=5, scoring="accuracy", names=("discriminant", "naive Bayes"),
    alternative="greater",
)  # fmt: skip
print(report.conclusion)
print(*report.choice.cautions)
print(f"Rule: {report.choice.situation}")
plt.show()
