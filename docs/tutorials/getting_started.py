"""
Getting started
===============

On the breast cancer data, which of three models is better, and how sure can we be?
"""

# %%
# Two models, one data set
# ------------------------
#
# 569 rows, 30 measurements of cells, two classes. Scaling is part of the model, so that
# nothing is learnt from test rows.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

X, y = load_breast_cancer(return_X_y=True)
logistic = make_pipeline(StandardScaler(), LogisticRegression())
bayes = GaussianNB()

# %%
# :func:`skstat.paired_cv_ttest` takes the two estimators and the data. Both are fitted
# and scored on the same 30 halves of the rows, and the differences are tested. A pair of a
# name and an estimator gives a label; without it the label is the class name.
# ``random_state`` seeds the splits.

report = skstat.paired_cv_ttest(
    ("logistic regression", logistic),
    ("naive Bayes", bayes),
    X,
    y,
    scoring="accuracy",
    random_state=0,
)
print(report)

# %%
# What it says
# ------------
#
# The first sentence is the conclusion: which is better, by how much, the interval of all
# differences that fit the data, and the p-value last. The bar below draws the interval, and
# 0, where both are equal. Then come four lines:
#
# - **Mean accuracy**: the mean of each model's scores. The standard deviations (**sd**) say
#   how much scores vary from split to split. They are not error bars of the means.
# - **Test**: the procedure, and whether the question had a direction.
# - **Design**: how often each model was fitted, and on how many rows.
# - **More**: where the rest is.
#
# If something weakens the conclusion, it stands here too, with what to do about it.

print(report.details)

# %%
# The details have every number, and what was tested: the quantity that is estimated
# (**Estimand**), the hypothesis that the p-value assumes (**Null hypothesis**), what one
# observation is (**Unit**), the **Assumptions**, and the sources of chance that the test does
# not cover (**Not covered**). :doc:`/gallery/tutorials/reading_a_report` explains every line.
#
# All of it is there as attributes too.

print(report.estimate)
print(report.confidence_interval())
print(report.pvalue)
print(report.verdict)
print(report.doubts)

# %%
# The figure shows every split as a dot, and the estimate with its interval below. If the
# interval does not reach zero, the difference is significant.

display = report.plot()

# %%
# ``report.to_html("report.html")`` writes a page, ``to_markdown()`` and ``to_latex()``
# give tables for a text, and ``to_frame()`` a pandas DataFrame. ``to_dict()`` and
# ``to_json()`` hold everything; :func:`skstat.report_from_dict` restores a report.

# %%
# Several metrics
# ---------------
#
# A list of metrics costs no more fits. The result has one report per metric.

several = skstat.paired_cv_ttest(
    ("logistic regression", logistic),
    ("naive Bayes", bayes),
    X,
    y,
    scoring=["accuracy", "f1", "roc_auc"],
    random_state=0,
)
print(several["roc_auc"].conclusion)
display = several.plot()

# %%
# The p-values are not adjusted for the number of metrics. Reasons to trust a result less are
# doubts. A doubt has a code, a weight and an action; ``skstat explain SKS212`` and
# :doc:`/doubts` say more.

for doubt in several["accuracy"].doubts:
    print(doubt.weight, doubt)

# %%
# One run, several tests
# ----------------------
#
# :func:`skstat.paired_cross_validate` makes the fits; :func:`skstat.compare_scores` runs as
# many tests on them as you like.

neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier())
run = skstat.paired_cross_validate(
    {
        "logistic regression": logistic,
        "naive Bayes": bayes,
        "nearest neighbours": neighbours,
    },
    X,
    y,
    scoring="accuracy",
    random_state=0,
)
print(run)

# %%
# All three at once. Intervals are simultaneous, and p-values are adjusted for the number of
# pairs.

print(skstat.compare_scores(run))

# %%
# A model that **may be best** is one that no comparison rules out.
#
# Two of them at a time:

names = ("logistic regression", "nearest neighbours")
print(skstat.compare_scores(run, systems=names).conclusion)

# %%
# This p-value is of one comparison, and smaller than the adjusted one. It is the right one only
# if these two were chosen before the scores were seen.

# %%
# ``test=`` names another procedure. The textbook paired t test on the same scores:

textbook = skstat.compare_scores(run, systems=names, test="paired_t")
print(textbook)

# %%
# Its p-value is far smaller, and wrong: the 30 splits share training rows (:ref:`SKS101
# <sks101>`, :doc:`/choosing`).

# %%
# Better than guessing?
# ---------------------
#
# :func:`skstat.compare_to_baseline` compares one estimator with a dummy on the same splits, or
# with a number that was known beforehand. The question has a direction, so the interval has
# one limit.

baseline = skstat.compare_to_baseline(
    ("naive Bayes", bayes),
    X,
    y,
    strategy=["most_frequent", 0.93],
    scoring="accuracy",
    random_state=0,
)
print(baseline.conclusion)

# %%
# Naive Bayes is better than always naming the larger class. It was not shown to be
# better than 0.93.

# %%
# Scores computed elsewhere
# -------------------------
#
# Ten folds and ten data sets look alike, and need different tests. So ``unit`` has to be said.
# Here a row is a data set:

scores = {
    "ours": [0.81, 0.74, 0.92, 0.67, 0.88, 0.79, 0.95, 0.71],
    "theirs": [0.78, 0.75, 0.90, 0.61, 0.86, 0.77, 0.94, 0.66],
}
report = skstat.compare_scores(scores, unit="dataset")
print(report)

# %%
# ``report.choice`` says why this test was chosen, and which others there are:

print(report.choice)

# %%
# For splits of one data set give their sizes instead: they show how much the splits overlap,
# and ``unit`` is then known.

splits = {
    "tree": [0.72, 0.70, 0.75, 0.71, 0.73, 0.69, 0.74, 0.72, 0.70, 0.71],
    "naive Bayes": [0.75, 0.74, 0.76, 0.75, 0.77, 0.73, 0.75, 0.74, 0.75, 0.73],
}
print(skstat.compare_scores(splits, n_train=600, n_test=300).conclusion)

# %%
# Where to go next
# ----------------
#
# - :doc:`/choosing`: which test for which situation.
# - :doc:`/predictions`: systems that are fitted already, compared on one test set.
# - :doc:`/gallery/tutorials/reading_a_report`: every line of a report.
# - :doc:`/gallery/tutorials/paper`: from a question to the sentence in a paper.
# - :doc:`/doubts`: what each code means and what to do.
# - :doc:`/api`: all functions.
