"""
Are my two language models different?
=====================================

Two models, or two prompts, answered the same questions. One has 74 % right and the other 71
%. Is that more than luck? Compare them question by question: both meet the same hard
questions, so that the difference is far more certain than either score.
"""

# %%
# The call
# --------
#
# A table with a row per answer. Each model answers each question three times, and questions
# belong to topics.

import numpy as np
import pandas as pd

import skstat

rng = np.random.default_rng(0)
n_topics, per_topic, k = 20, 10, 3
topic = np.repeat(np.arange(n_topics), per_topic)
hard = rng.normal(0, 1, n_topics)[topic] + rng.normal(0, 1, n_topics * per_topic)
rows = [
    {"model": model, "question": q, "topic": topic[q], "sample": sample, "correct": right}
    for model, skill in (("new", 1.15), ("old", 0.95))
    for q in range(n_topics * per_topic)
    for sample, right in enumerate(rng.random(k) < 1 / (1 + np.exp(hard[q] - skill)))
]
log = pd.DataFrame(rows)
report = skstat.compare_scores(
    log,
    system="model",
    item="question",
    repeat="sample",
    group="topic",
    score="correct",
    scoring="accuracy",
    random_state=0,
)
print(report)

# %%
# - ``item=`` pairs the answers by question.
# - ``repeat=`` averages the samples of one question, which are not further questions.
# - ``group=`` makes topics the units, because questions of one topic succeed and fail together.
#   Without it the interval is too short.

display = report.plot()

# %%
# Where the uncertainty comes from
# --------------------------------
#
# The design says how much of the variance lies between topics, between questions and between
# the samples of a question, and so whether more samples or more questions would help:

for part, variance in report.design["variance"].items():
    print(f"{part:38}{variance:.4f}")

# %%
# From logs
# ---------
#
# The logs of Inspect, lm-evaluation-harness, HELM, promptfoo and SWE-bench are read as they
# are:
#
# .. code-block:: python
#
#    results = skstat.io.read_results({"old": "old.eval", "new": "new.eval"})
#    skstat.compare_scores(results, group="topic")
#
# As a gate of a pull request: ``skstat compare old.eval new.eval --fail-if worse``
# (:doc:`/prompt_change`). For many models, :func:`skstat.rank_systems` gives a leaderboard with
# the ranks that each may have (:doc:`/leaderboards`).
#
# What to write in the paper
# --------------------------

print(report.methods_text())
print(report.results_text())
