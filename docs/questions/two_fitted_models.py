"""
Compare two fitted models on a test set
=======================================

Both models are fitted. The test set was used for nothing else. Which model is better, in the
metric that you care about, and could the difference be luck?
"""

# %%
# The call
# --------
#
# Predictions are enough: labels, probabilities or numbers, as the metric needs them.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
linear = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
bayes = GaussianNB().fit(X_train, y_train)
report = skstat.compare_predictions(
    y_test,
    {"linear": linear.predict(X_test), "bayes": bayes.predict(X_test)},
    metric="f1",
    random_state=0,
)
print(report)

# %%
# The test permutes the outputs of the two models row by row, and the interval inverts it. It
# takes any metric of scikit-learn, and functions of your own.

display = report.plot()

# %%
# Other metrics
# -------------
#
# Each metric has the test that suits it: McNemar's for accuracy, DeLong's for areas under ROC
# curves. Probabilities serve those that need them:

chances = {"linear": linear.predict_proba(X_test), "bayes": bayes.predict_proba(X_test)}
for metric in ("roc_auc", "neg_log_loss"):
    one = skstat.compare_predictions(y_test, chances, metric=metric, random_state=0)
    print(f"{one.test}:\n  {one.conclusion}")

# %%
# Rows that belong together
# -------------------------
#
# If several rows are of one patient, document or day, they are not independent, and the p-value
# is too small. ``groups=`` makes the patient the unit, ``order=`` is for rows in time. Where
# neighbouring rows are alike the report says so (:ref:`SKS111 <sks111>`).
#
# These models, or these learners?
# --------------------------------
#
# The conclusion is about the two *fitted* models. Fitted on other rows, the order may turn.
# "Which learner should I use" is another question, for :func:`skstat.compare_estimators`. And
# if you chose between many models by this test set, its scores are optimistic for the one that
# you chose.
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.results_text())
