"""
Reading a report
================

Every report has a short text and details, and the same lines in the same order. This page goes
through them, with a report that has them all.
"""

# %%
# The design is a single 10-fold cross-validation here, and the tree has a fixed seed, so
# that the report has something to doubt and something to declare.

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat

X, y = load_breast_cancer(return_X_y=True)
report = skstat.compare_estimators(
    {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
    X,
    y,
    scoring="roc_auc",
    cv=10,
)
print(report)

# %%
# Conclusion
# ----------
#
# Which is better, in what, by how much, the interval, and the p-value last.

print(report.conclusion)

# %%
# The bar below it draws the interval on a line with 0, where both are equal. The names at its
# ends say on which side each system is better.
#
# ``report.verdict`` is the same for a program, about the first system: ``"better"``,
# ``"worse"`` or ``"undecided"``. With a margin it may be ``"equivalent"`` or ``"not
# inferior"`` too (:doc:`/equivalence`). ``report.better`` is the name of the better system, or
# None.

print(report.verdict, report.better)

# %%
# The short lines
# ---------------
#
# **Mean roc_auc** has the mean score of each system, and its standard deviation over the splits
# (**sd**). **Test** is the procedure and its direction. **Design** is what was fitted, and how
# often. **Weak** is a doubt: a reason to trust the conclusion less, with its code, and after
# the colon what to do. **More** says where the rest is:

print(report.details)

# %%
# Difference, interval, statistic
# -------------------------------
#
# **Difference** is the score of the first system minus that of the second, in the units of the
# metric. Of a loss a value below 0 favours the first (:doc:`/metrics`).
#
# The **95% interval** holds the differences that the test does not reject. If the question has
# a direction (``alternative="greater"`` or ``"less"``), the interval has one limit, and the
# line says "at least" or "at most".
#
# **Statistic** is what the test computed, with its degrees of freedom (**df**) and the
# p-value. Of several systems the adjusted p-value follows, and the verdict rests on that one.

print(report.estimate, report.confidence_interval())
print(report.confidence_interval(0.99))
print(report.test, report.statistic, report.df, report.pvalue, sep="\n")

# %%
# Effect sizes
# ------------
#
# **Effect sizes** have no unit. Each is an attribute too:

for name, value in report.effect_sizes.items():
    print(f"{name}: {value:.3f}")

# %%
# - ``d_z`` is the mean difference over the standard deviation of the differences;
#   ``Hedges g`` is the same with a correction for few units.
# - ``rank-biserial`` goes from −1 to 1: the rank sum of the units that the first system
#   wins minus that of the units that the second wins, over their sum.
# - ``common-language`` is the share of units on which the first system scores higher, ties
#   counted half.
#
# Of effects **over splits**, ``d_z`` and ``Hedges g`` are inflated: splits share rows, so their
# differences vary less than those of independent data sets would. They also grow with the size
# of the test sets. Report the difference in the metric's own units.

# %%
# Choice of test
# --------------
#
# **Choice of test**, if you named none: which one, why, which alternatives there are, and what
# a better one would need. It is the answer of :func:`skstat.recommend_test`, with its parts as
# attributes.

print(report.choice)

# %%
# Estimand
# --------
#
# **Estimand** is the quantity that is estimated. For splits it is the expected difference
# between the *learners*, trained on data sets of this size: not between two models fitted on
# all rows, and not on other data sets.

print(report.estimand)

# %%
# Null hypothesis
# ---------------
#
# **Null hypothesis** is what is assumed while p is computed. It is not the probability that
# the hypothesis is true (:doc:`/reading_pvalues`).

print(*report.null_hypotheses)

# %%
# Unit
# ----
#
# **Unit** is what one observation is, and how many there are. A difference over splits is
# about learners on one data set, over data sets about data sets in general, over instances
# about two fitted models.

print(report.unit, report.n_units)

# %%
# Assumptions
# -----------
#
# **Assumptions** must hold for the p-value to mean what it says.

print(*report.assumptions, sep="\n")

# %%
# Not covered
# -----------
#
# **Not covered** are sources of chance that the test does not see. With a fixed
# ``random_state`` the result is about the learner *with that seed*.

print(*report.ignored_variance, sep="\n")

# %%
# The whole design
# ----------------
#
# **All of the design** is what the splits are, how many rows train and test, and the splitter.

print(report.design)

# %%
# Doubts
# ------
#
# A doubt is *invalid* (the p-value or the interval does not mean what it says), *weak* (less
# can be concluded than it looks) or a *note*. The page :doc:`/doubts` explains every code, and
# so does ``skstat explain`` on the command line.

for doubt in report.doubts:
    print(doubt.weight, doubt)

# %%
# How p-values are written
# ------------------------
#
# ======================  =========================================
# ``p < 0.001``           below 0.001; never "0.000"
# ``p = 0.0312``          four decimals below 0.1
# ``p = 0.446``           three decimals from 0.1 on
# ``p = 1``               above 0.9995
# ``no p-value``          no valid one exists
# ======================  =========================================
#
# ``report.pvalue`` is the number in full.

# %%
# How conclusions are phrased
# ---------------------------
#
# Six small cases:


def conclude(a, b, **options):
    return skstat.compare_scores({"new": a, "old": b}, **options).conclusion


SEEDS = {"unit": "seed", "paired_seeds": True}


# %%
# A difference was found:

a = [0.81, 0.83, 0.80, 0.84, 0.82, 0.83, 0.81, 0.82, 0.84, 0.80]
b = [0.79, 0.80, 0.79, 0.81, 0.80, 0.80, 0.80, 0.79, 0.81, 0.78]
print(conclude(a, b, **SEEDS))

# %%
# None was found. The sentence never says "equal":

b = [0.82, 0.82, 0.81, 0.82, 0.83, 0.82, 0.82, 0.81, 0.83, 0.81]
print(conclude(a, b, **SEEDS))

# %%
# A question with a direction was not answered with yes:

print(conclude(a, b, alternative="greater", **SEEDS))

# %%
# The test could not have rejected, whatever the scores had been. That is not the same as
# "not significant":

a, b = [0.8, 0.7, 0.9, 0.85, 0.77], [0.7, 0.6, 0.8, 0.7, 0.7]
print(conclude(a, b, unit="dataset"))

# %%
# The scores are the same:

print(conclude([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], **SEEDS))

# %%
# The difference does not vary, so that a t test has nothing to test it against:

print(conclude([0.8, 0.7, 0.9], [0.7, 0.6, 0.8], **SEEDS))

# %%
# :func:`~skstat.compare_estimators` then tests the predictions of one repeat row by row
# instead (:ref:`SKS202 <sks202>`).

# %%
# In a notebook
# -------------
#
# There a report shows itself as a table, the details folded away. So does this one,
# restored from its dictionary:

skstat.report_from_dict(report.to_dict())
