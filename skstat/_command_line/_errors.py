"""The one kind of error that is the user's to mend."""


class CommandError(Exception):
    """What is wrong with the arguments or files, in one line."""
