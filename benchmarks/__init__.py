"""Speed and memory, as ratios to a named alternative in the same run."""
