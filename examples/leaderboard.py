"""
Which ranks of a leaderboard are certain?
=========================================

Twelve language models answer the same 500 questions of a benchmark. Their scores give a
ranking, and another 500 questions would give another one. All pairs are compared at once. From
that follow the ranks that each model may have, the models that may be the best, and the groups
without a significant difference, all with one confidence level.
"""

# %%
# Answers, right or wrong, of models that find the same questions hard. They are drawn here;
# logs of evaluations are read by :func:`skstat.io.read_results`.
import matplotlib.pyplot as plt
import numpy as np

import skstat

rng = np.random.default_rng(7)
topics = np.repeat(["algebra", "code", "history", "logic", "reading"], 100)
ease = rng.normal(0, 1.5, len(topics))
levels = [1.7, 1.65, 1.6, 1.3, 1.1, 1.0, 0.7, 0.6, 0.2, 0.1, -0.3, -0.9]
right = {
    f"model {letter}": rng.random(len(topics)) < 1 / (1 + np.exp(-level - ease))
    for letter, level in zip("ABCDEFGHIJKL", levels, strict=True)
}

# %%
# Each topic is also left out once: a ranking that depends on one topic is not one of the
# benchmark.
report = skstat.rank_systems(
    right, unit="instance", task=topics, scoring="accuracy", random_state=0
)
print(report)

# %%
# At the left the scores, each with its own interval; at the right the ranks that are possible,
# as bars, and how the ranks move in resamples of the questions, as lines.
report.plot()

# %%
# One row per model, for a table of your own.
columns = ["name", "estimate", "rank", "rank_low", "rank_high", "letters", "may_be_best"]
print(report.to_frame()[columns].round(3).to_string(index=False))

# %%
# Which pairs the ranks follow from: the adjusted p-value of each.
report.plot(kind="pvalues")
plt.show()
