"""
Sizing a test set before labelling
==================================

Labels cost money, and a test set that is too small cannot show what you want to know. How many
rows are enough to see that a new classifier is two percentage points better? Nothing is fitted
here; :func:`~skstat.plan_comparison` needs no data. :doc:`/planning` says more.
"""

# %%
# First what matters: a gain below two points would not be worth a release. Then what is
# known of the two systems: they are wrong on 12 % and 10 % of the rows, or thereabouts.
import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import binomtest

import skstat

plan = skstat.plan_comparison(
    "predictions", metric="accuracy", difference=0.02, error_rates=(0.12, 0.10)
)
print(plan)

# %%
# That is for systems whose errors have nothing to do with each other. Two versions of one
# system are mostly wrong on the same rows. What decides is the share of rows on which exactly
# one of them is right: a few hundred labels are enough to see how large it is.
rng = np.random.default_rng(0)
labelled = 200
one_right = int(rng.binomial(labelled, 0.06))
print(f"exactly one is right on {one_right} of {labelled} rows")

# %%
# The share in so few rows is an estimate. Plan with an upper limit of it, and not with what
# these rows say of the difference itself, which is mostly luck.
share = binomtest(one_right, labelled).proportion_ci(0.6).high  # upper 80 % limit
print(f"at most {share:.3f}, probably")
plan = skstat.plan_comparison(
    "predictions", metric="accuracy", difference=0.02, discordant=share
)
print(plan.conclusion)

# %%
# If the budget is 800 labels, the question is what these can show.
affordable = skstat.plan_comparison("predictions", metric="accuracy", n=800, discordant=share)
print(affordable.conclusion)

# %%
# The power against the number of rows, for three differences.
plan.plot(differences=(0.01, 0.02, 0.03), sizes=range(100, 3001, 50))

# %%
# To replace a system by a cheaper one, it need not be better: it must not be worse by more than
# a margin. A gate that passes a cheap system of the same accuracy in 95 % of cases:
gate = skstat.plan_comparison(
    "predictions", metric="accuracy", margin=0.02, alternative="greater", power=0.95,
    discordant=share,
)  # fmt: skip
print(gate)

# %%
# Questions for a gate that does not flip
# ---------------------------------------
#
# An agent is asked 200 questions by every pull request, four times each. Run again on other
# questions, how often does the gate say something else, if nothing has changed? In
# ``2 * power * (1 - power)`` of cases: one in twenty takes a power of 0.9743.
share, answers = 1 / 3, 1 / 2  # standard deviations over questions, and of answers to one
gate = skstat.plan_comparison(
    "predictions", n=200, margin=0.05, alternative="greater", sd=share, sd_answers=answers,
    n_repeats=4,
)  # fmt: skip
print(f"two runs disagree in {100 * gate.planner.flips(200):.0f} % of cases")
steady = skstat.plan_comparison(
    "predictions", margin=0.05, alternative="greater", sd=share, sd_answers=answers,
    n_repeats=4, power=0.9743,
)  # fmt: skip
print(steady.conclusion)

# %%
# Seeds
# -----
#
# Networks differ from seed to seed. More seeds help until the rows of the test set decide: the
# dashed line is the difference that no number of seeds can show.
planner = skstat.stats.plan_seeds(sd_rows=0.3, sd_seeds=0.01, sd_rest=0.3, n_rows=2000)
seeds = skstat.report.ComparisonPlan.of(planner, difference=0.025)
print(seeds.conclusion)
seeds.plot(kind="difference", sizes=range(2, 21))
plt.show()
