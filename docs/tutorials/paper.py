"""
From a question to the paper
============================

A reviewer asks: "Is your model significantly better than the baseline?" This page goes from
that question to the paragraph, the table and the figure that answer it.
"""

# %%
# The question
# ------------
#
# "Our pipeline has a lower log loss than naive Bayes on data like these." One metric decides,
# and it is named before the scores are seen.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

X, y = load_breast_cancer(return_X_y=True)
ours = make_pipeline(StandardScaler(), LogisticRegression())
baseline = GaussianNB()

# %%
# Which test, before anything is fitted:

print(skstat.recommend_test("estimators", n_systems=2, metric="neg_log_loss", n=len(y)))

# %%
# The comparison
# --------------
#
# ``memory="folder"`` would keep the fits, for the day on which the reviewer asks for a third
# model.

report = skstat.paired_cv_ttest(
    ("ours", ours), ("baseline", baseline), X, y, scoring="neg_log_loss", random_state=0
)
print(report)

# %%
# The conclusion is about learners trained on half of the rows, on data from the same
# population, not about other data sets (:doc:`/datasets`).

print(report.estimand)
print(*report.ignored_variance, sep="\n")

# %%
# The methods paragraph
# ---------------------

print(report.methods_text())

# %%
# The works that it cites, for the bibliography:

print(report.to_bibtex().split("\n\n")[0])

# %%
# The results
# -----------
#
# Mean scores with their standard deviations, then the difference with its interval, and the
# p-value last:

print(report.results_text())

# %%
# With numbers as the American Psychological Association writes them:

print(report.results_text(style="apa"))

# %%
# One table of models by metrics
# ------------------------------
#
# The table has a confidence interval of every score alone, as
# :func:`skstat.estimate_performance` computes it, and the difference to a reference, with its
# p-value:

both = skstat.paired_cv_ttest(
    ("ours", ours),
    ("baseline", baseline),
    X,
    y,
    scoring=["neg_log_loss", "accuracy"],
    random_state=0,
)
table = both.summary_table()
print(table)

# %%
# The note below the table says how its numbers were computed, and goes into the paper with it.
# Stars mark what the report calls significant; a p-value that is not valid has none.
# ``table.to_markdown()``, ``table.to_html()`` and ``table.to_frame()`` have the same numbers.

print(table.to_latex(caption="Ours against the baseline.", label="tab:ours"))

# %%
# The comparison alone, as a LaTeX table; the lines that start with ``%`` are for you:

print(report.to_latex(caption="Ours against the baseline.", label="tab:pair"))

# %%
# The figure fits into one column; ``report.plot(width="column").figure_.savefig("ours.pdf")``
# writes it.

display = report.plot(width="column")

# %%
# What a reviewer may ask next
# ----------------------------
#
# - *Is it significant in accuracy too?* ``both["accuracy"]`` is the report.
# - *You compared five models.* ``compare_estimators`` with all of them: intervals that hold
#   together and adjusted p-values.
# - *Is the difference large enough to matter?* Say which one would, ``margin=0.01``:
#   :doc:`/equivalence`. - Others are on :doc:`/reviewers`.
#
# Keep the report with the paper: ``report.to_json()`` holds every number, and
# :func:`skstat.report_from_dict` reads it.
