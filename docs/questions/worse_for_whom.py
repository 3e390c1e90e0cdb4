"""
Which customers got a worse model?
==================================

A model is replaced, and its score hardly moves. For which customers is it worse, and is that
more than chance among so many kinds of customers?
"""

# %%
# The call
# --------
#
# The predictions of both for the same customers, and columns that say who these are. Here the
# customers are drawn by a generator. Since a change of the pipeline the incomes of one
# country arrive in another currency.

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

rng = np.random.default_rng(0)
n = 3000
customers = pd.DataFrame(
    {
        "income": rng.lognormal(8, 0.5, n).round(),
        "age": rng.integers(18, 80, n),
        "visits": rng.poisson(4, n),
        "country": rng.choice(["DE", "FR", "IT", "PL"], n, p=[0.4, 0.3, 0.22, 0.08]),
    }
)
numbers = ["income", "age", "visits"]
signal = np.log(customers["income"]) - 8 + (customers["visits"] - 4) / 3
bought = (signal + rng.normal(size=n) > 0).astype(int)
before, now = customers[:1500], customers[1500:]
model = make_pipeline(StandardScaler(), LogisticRegression())
model.fit(before[numbers], bought[:1500])

polish = now["country"] == "PL"
broken = now.assign(income=now["income"] * np.where(polish, 4.3, 1.0))
chances = {
    "new": model.predict_proba(broken[numbers])[:, 1],
    "old": model.predict_proba(now[numbers])[:, 1],
}
slices = skstat.make_slices(now[["country", "age"]], bins={"age": [30, 45, 60]})
report = skstat.compare_predictions(
    bought[1500:], chances, metric="neg_log_loss", by=slices, random_state=0
)
print(report)

# %%
# Strokes are differences drawn towards the common mean. Of a slice that stands out by chance
# little would be left.

display = report.plot()

# %%
# How to read it
# --------------
#
# p-values are adjusted for all slices (:doc:`/slices`). Customers of every age live in Poland,
# so that the new model is worse at some ages too. Asked again without the Polish customers it
# is not: these slices are called *shared* in the table, and ``report.worse_in`` names the
# country alone.

print(report.worse_in)
print(report.pairs[0].explained_by)

# %%
# ``report["country=PL"]`` is the report on one slice, and a data frame has a row for each:

columns = ["slice", "n_rows", "difference", "adjusted_pvalue", "verdict"]
print(report.to_frame()[columns].to_string(index=False))

# %%
# A release that must not hurt anybody
# ------------------------------------
#
# "No significant difference" shows nothing. With a margin the report says whether the new
# model was shown not to be worse by it in any slice:

careful = skstat.compare_predictions(
    bought[1500:],
    chances,
    metric="neg_log_loss",
    by=now["country"],
    margin=0.1,
    random_state=0,
)
print(careful.not_worse_anywhere)

# %%
# Before a column is dropped
# --------------------------
#
# The visits are to be dropped from the model: whom would that hurt? That is a question about
# learners. ``compare_estimators`` answers it in the same slices, by the fits that it makes
# anyway, for metrics that are means over rows.


def of(*columns):
    """Fit some of the columns."""
    from sklearn.compose import make_column_transformer

    return make_pipeline(
        make_column_transformer((StandardScaler(), list(columns))), LogisticRegression()
    )


dropped = skstat.compare_estimators(
    {"without": of("income", "age"), "with": of(*numbers)},
    before,
    bought[:1500],
    scoring="neg_log_loss",
    by=before["country"],
    random_state=0,
)
print(dropped.conclusion)

# %%
# Three models at once
# --------------------
#
# All pairs in all slices are adjusted together. The report says which models may be the best
# in every slice, and its plot has the scores.

fewer = of("income", "age").fit(before, bought[:1500])
chances["without visits"] = fewer.predict_proba(now)[:, 1]
several = skstat.compare_predictions(
    bought[1500:], chances, metric="neg_log_loss", by=now["country"], random_state=0
)
print(several.conclusion)
display = several.plot()

# %%
# Which slices, if nobody knows?
# ------------------------------
#
# ``skstat.find_slices`` proposes slices on one half of the rows and tests them on the other.
# On the command line the same questions are ``skstat compare old.csv new.csv --by country
# --fail-if worse-anywhere``, whose exit status stops a release (:doc:`/prompt_change`).
