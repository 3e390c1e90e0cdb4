"""The error of a command that the user can correct."""


class CommandError(Exception):
    """What is wrong with the arguments or files, in one line."""
