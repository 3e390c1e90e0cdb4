"""What a command has to say."""

from typing import NamedTuple


class Answer(NamedTuple):
    """What is printed, and what the shell is told.

    Attributes
    ----------
    text : str
        For standard output.
    status : int
        Exit status.
    log : str
        One line for standard error, which stands in a log when the output goes elsewhere.
    """

    text: str = ""
    status: int = 0
    log: str = ""
