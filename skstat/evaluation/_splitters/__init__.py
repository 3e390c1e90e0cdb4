"""Splitters whose splits are laid out for one test."""
