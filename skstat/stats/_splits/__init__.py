"""Tests over splits of one data set that know what every row contributed.

Builds on samples and outcomes; nothing else of `skstat.stats` is needed but the joint law.
"""
