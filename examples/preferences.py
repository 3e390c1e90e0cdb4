"""
Which answers do judges prefer?
===============================

Five language models answer 200 prompts. On each, three judges see the answers of two models
side by side, and say which one is better. A ranking by the share of wins would count what is
shown first as merit, and three judges of two answers as three findings.
"""

# %%
# The votes are drawn here. An answer that is bad is bad for all of its judges, and judges
# prefer what they see at the left.
import matplotlib.pyplot as plt
import numpy as np

import skstat

rng = np.random.default_rng(3)
level = {"atlas": 0.9, "borealis": 0.7, "cirrus": 0.2, "delta": 0.1, "echo": -0.8}
votes = {"prompt": [], "left": [], "right": [], "winner": []}
for prompt in range(200):
    left, right = rng.choice(list(level), 2, replace=False)
    quality = level[left] - level[right] + rng.normal(0, 1.2)
    for _judge in range(3):
        lead = quality + 0.5 + rng.logistic()
        seen = "tie" if abs(lead) < 0.3 else "left" if lead > 0 else "right"
        for column, value in zip(votes, (prompt, left, right, seen), strict=True):
            votes[column].append(value)

# %%
# The prompts are the units of all tests and resamples; the advantage of the left one is a
# parameter of its own.
report = skstat.compare_preferences(
    votes, first="left", second="right", item="prompt", random_state=0
)
print(report)

# %%
# Strengths with intervals, and the ranks that each model may have.
report.plot()
plt.show()

# %%
# How probable it is of each to be the best, by the same model with a prior.
for name, probability in report.strengths.best_probabilities.items():
    print(f"{name:10} {probability:.2f}")

# %%
# With every vote as a prompt of its own, intervals would be too narrow: three judges agree more
# than three prompts would.
as_votes = skstat.compare_preferences(
    votes, first="left", second="right", item=None, random_state=0
)
for found in (report, as_votes):
    low, high = found["atlas", "echo"].confidence_interval()
    print(f"{found.n_units} units: {low:.2f} to {high:.2f}")

# sphinx_gallery_thumbnail_number = 1
