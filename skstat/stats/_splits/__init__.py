"""Tests over splits of one data set whose fits are laid out for the test."""
