"""The command that a shell starts."""

from importlib.metadata import entry_points

main = entry_points(group="console_scripts", name="skstat")["skstat"].load()
