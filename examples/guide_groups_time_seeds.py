"""
Groups, time and seeds
======================

Rows that belong together, rows that follow each other, systems that were trained with
several seeds: in each case there are fewer observations than numbers, and a test that treats
the numbers as independent finds too much. Each section is a rule of the guide
(:ref:`choosing-table`), whose id it prints.
"""

# %%
# The handwritten digits of scikit-learn stand in the order in which they were written, by one
# person after the other. The systems learn from the first half and are tested on the second,
# which other people wrote.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import ExtraTreeClassifier

import skstat
from skstat.stats import ScoreTable

X, y = load_digits(return_X_y=True)
n_train = len(y) // 2
X_train, y_train, X_test, y_test = X[:n_train], y[:n_train], X[n_train:], y[n_train:]
systems = {
    "forest": RandomForestClassifier(n_estimators=30, random_state=0).fit(X_train, y_train),
    "neighbours": KNeighborsClassifier().fit(X_train, y_train),
}
labels = {name: system.predict(X_test) for name, system in systems.items()}

# %%
# Groups: thirty or more
# ----------------------
#
# Your rows come in groups: the sentences of a document, the pictures of a patient. Here each of
# 60 test digits is seen ten times, with other noise each time. The cluster-robust t test
# treats the digits, not the pictures, as independent. A common mistake is to test the rows and
# ignore the groups; that p-value stands below, and is too small.
rng = np.random.default_rng(0)
digit = np.repeat(rng.choice(len(y_test), 60, replace=False), 10)
pictures = np.clip(X_test[digit] + rng.normal(scale=3, size=(600, X.shape[1])), 0, 16)
seen = {name: system.predict(pictures) for name, system in systems.items()}
report = skstat.compare_predictions(y_test[digit], seen, metric="accuracy", groups=digit)
by_row = skstat.compare_predictions(y_test[digit], seen, metric="accuracy")
print(report)
print(f"\n{report.n_units} digits:    p = {report.pvalue:.1g}")
print(f"{by_row.n_units} pictures: p = {by_row.pvalue:.1g}")
print(f"Rule: {report.choice.situation}")

# %%
# The differences of the groups.
report.plot()

# %%
# Groups: fewer than thirty, or another metric
# --------------------------------------------
#
# Neighbours among the digits are mostly of one hand. Who wrote which is not kept; 12 stretches
# of 75 rows stand in for the writers. These are too few groups for a t test, and F1 is not a
# mean over rows. The permutation test swaps the answers of whole groups. At least six groups
# are needed, however many rows there are.
few_groups = np.arange(len(y_test)) // 75
report = skstat.compare_predictions(
    y_test, labels, metric="f1_macro", groups=few_groups, n_resamples=1999, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A score per group
# -----------------
#
# You hold one score per group and no rows. Groups are independent, so that the signs of their
# differences may be flipped. Every group counts once, however many rows it has.
per_group = {
    name: [np.mean((answers == y_test[digit])[digit == one]) for one in np.unique(digit)]
    for name, answers in seen.items()
}
report = skstat.compare_scores(per_group, unit="group", scoring="accuracy", random_state=0)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A score per row, in groups
# --------------------------
#
# You hold one score per row, from a log or another program, and know the group of every row.
# Thirty groups or more have the cluster-robust t test, as above. Several samples of one row and
# other columns of a long frame are on the page on scores (:ref:`items-groups-samples`).
per_row = {name: (answers == y_test[digit]).astype(float) for name, answers in seen.items()}
report = skstat.compare_scores(per_row, unit="instance", group=digit, scoring="accuracy")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Fewer groups have the permutation test that flips the signs of whole groups.
writer_rows = {name: (answers == y_test).astype(float) for name, answers in labels.items()}
report = skstat.compare_scores(
    writer_rows, unit="instance", group=few_groups, scoring="accuracy", random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Three systems or more are judged by one joint distribution: the signs of whole groups are
# flipped for all of them together, or with fewer than ten groups a multivariate t is drawn.
third = GaussianNB().fit(X_train, y_train).predict(X_test)
writer_rows["naive Bayes"] = (third == y_test).astype(float)
for groups in (few_groups, np.arange(len(y_test)) // 112):
    report = skstat.compare_scores(
        writer_rows, unit="instance", group=groups, scoring="accuracy", random_state=0
    )
    print(report.conclusion)
    print(f"Rule: {report.choice.situation}")

# %%
# Rows in time order, a mean over rows
# ------------------------------------
#
# Your rows follow each other, as forecasts do, and an error makes the next one more likely.
# ``order=`` says so. The test of Diebold and Mariano allows for similar neighbours. Tests of
# shuffled rows, McNemar's among them, do not.
order = np.arange(len(y_test))
report = skstat.compare_predictions(y_test, labels, metric="accuracy", order=order)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Rows in time order, any other metric
# ------------------------------------
#
# F1 is not a mean over rows. The bootstrap draws whole blocks of neighbours, so that what
# belongs together stays together. How long they are follows from the number of rows.
report = skstat.compare_predictions(
    y_test, labels, metric="f1_macro", order=order, n_resamples=1999, random_state=0
)
print(report.conclusion)
print(f"Blocks of {report.evidence.sample.block_length} rows")
print(f"Rule: {report.choice.situation}")

# %%
# A score per row, in time order
# ------------------------------
#
# You hold one score per row, from elsewhere, and know that rows follow each other: here the
# predicted probability of the true digit. Say ``ordered=True``.
rows = np.arange(len(y_test))
given = {name: s.predict_proba(X_test)[rows, y_test] for name, s in systems.items()}
in_order = ScoreTable(given, unit="instance", ordered=True)
report = skstat.compare_scores(in_order, scoring="probability")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Estimators and rows in time order
# ---------------------------------
#
# You hold estimators, and nothing is fitted yet. Random splits would train on tomorrow to
# predict yesterday. The advice is to train once on the first stretch, forecast the last one
# and compare the forecasts, as was done above; the answer is about the systems fitted there.
print(skstat.recommend_test("estimators", ordered=True).to_text())
print(f"Rule: {skstat.recommend_test('estimators', ordered=True).situation}")

# %%
# Training sets that grow
# -----------------------
#
# Walking forward, five times, is common and looks like cross-validation. No correction is
# known for training sets that grow: the corrected t test is a rough guide, and says so.
estimators = {"naive Bayes": GaussianNB(), "neighbours": KNeighborsClassifier()}
report = skstat.compare_estimators(
    estimators, X, y, scoring="accuracy", cv=TimeSeriesSplit(5), random_state=0
)
print(report.conclusion)
print(*report.doubts, sep="\n")
print(f"Rule: {report.choice.situation}")

# %%
# Several seeds: seeds and rows both random
# -----------------------------------------
#
# Each system was trained with five seeds. The seed makes a difference, and so do the rows of
# the test set. ``seeds="crossed"`` treats both as random: the answer is about the systems with
# any seed, on rows like these. Showing only the best seed of each is common, and compares
# luck.
several = {
    "one tree": ExtraTreeClassifier,
    "3 trees": lambda random_state: ExtraTreesClassifier(3, random_state=random_state),
    "4 trees": lambda random_state: ExtraTreesClassifier(4, random_state=random_state),
}
seeded = {
    name: [make(random_state=seed).fit(X_train, y_train).predict(X_test) for seed in range(5)]
    for name, make in several.items()
}
two = {name: seeded[name] for name in ("4 trees", "3 trees")}
report = skstat.compare_predictions(y_test, two, metric="accuracy", seeds="crossed")
print(report)
print(f"\nRule: {report.choice.situation}")

# %%
# The accuracy of every seed: seeds of one system differ too.
_, ax = plt.subplots(figsize=(5, 3.5), layout="constrained")
for place, predicted in enumerate(seeded.values()):
    accuracies = [np.mean(labels == y_test) for labels in predicted]
    ax.scatter([place] * len(accuracies), accuracies, s=60, alpha=0.6)
ax.set_xticks(range(len(seeded)), labels=list(seeded))
ax.set(ylabel="accuracy", xlim=(-0.5, len(seeded) - 0.5))

# %%
# Several seeds, and groups
# -------------------------
#
# Rows come in groups as well. Seeds and groups are drawn together by a bootstrap, which works
# for any metric.
report = skstat.compare_predictions(
    y_test,
    two,
    metric="accuracy",
    seeds="crossed",
    groups=few_groups,
    n_resamples=1999,
    random_state=0,
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Several seeds, averaged
# -----------------------
#
# You will use these five models, and no others. ``seeds="average"`` averages the score of each
# row over seeds, and treats only the rows as random. It says nothing about a sixth seed.
report = skstat.compare_predictions(y_test, two, metric="accuracy", seeds="average")
print(report.conclusion)
print(*report.ignored_variance, sep="\n")
print(f"Rule: {report.choice.situation}")

# %%
# Several seeds, averaged, any other metric
# -----------------------------------------
#
# The same with a metric that is not a mean over rows: rows are drawn again, and the metric of
# every seed is averaged.
report = skstat.compare_predictions(
    y_test, two, metric="f1_macro", seeds="average", n_resamples=1999, random_state=0
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# One score per seed: the test set held fixed
# -------------------------------------------
#
# The t test of five scores against five is common, and ``seeds="means"`` does the same. Note
# what it says: that there would be a difference with other seeds on *these* rows. It says
# nothing about other rows. Its interval is hardly narrower here than that of the crossed
# seeds, because these seeds differ more than the rows do. With few rows it would be.
report = skstat.compare_predictions(y_test, two, metric="accuracy", seeds="means")
print(report.conclusion)
print(*report.ignored_variance, sep="\n")
print(f"Rule: {report.choice.situation}")

# %%
# One score per seed, any other metric
# ------------------------------------
#
# For F1 the seeds must belong together in pairs, as where seed s fixes the order of the data
# for both systems: ``paired_seeds=True``. The paired t test has one difference per seed.
report = skstat.compare_predictions(
    y_test, two, metric="f1_macro", seeds="means", paired_seeds=True
)
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# A score per seed, from elsewhere
# --------------------------------
#
# You hold only the scores, one per seed. Seed number 1 of one system has nothing to do with
# seed number 1 of the other, so that the order of the seeds has no meaning, and Welch's t test
# compares the means. The test set is held fixed. With the predictions of every seed you could
# ask about rows too.
scores = {
    name: [accuracy_score(y_test, answers) for answers in runs] for name, runs in two.items()
}
report = skstat.compare_scores(scores, unit="seed", scoring="accuracy")
print(report.conclusion)
print("Would need:", *report.choice.needs)
print(f"Rule: {report.choice.situation}")

# %%
# Where seed s controls the same in both systems (the order of the data, the split), say so:
# ``paired_seeds=True`` takes the paired t test.
report = skstat.compare_scores(scores, unit="seed", paired_seeds=True, scoring="accuracy")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# Several seeds of several systems
# --------------------------------
#
# Three systems, five seeds of each: every pair is compared by its own predictions, and
# p-values are adjusted by Holm's method.
report = skstat.compare_predictions(y_test, seeded, metric="accuracy", seeds="crossed")
print(report.conclusion)
print(f"Rule: {report.choice.situation}")

# %%
# The intervals of the pairs.
report.plot()
# sphinx_gallery_thumbnail_number = 2
plt.show()
