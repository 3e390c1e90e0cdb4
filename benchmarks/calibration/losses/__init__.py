"""Tests over splits, asked of any learner and any metric.

The situations "splits" and "performance" count accuracy. Here every metric is read from the
same fits: ``laws`` draws data on which the null hypothesis holds exactly, ``learners`` gives
probabilities or numbers, ``scores`` what every fold scores and what every row contributes.
"""
