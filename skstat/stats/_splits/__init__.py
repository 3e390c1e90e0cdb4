"""Tests over splits of one data set that are laid out for the test, or know every row."""
