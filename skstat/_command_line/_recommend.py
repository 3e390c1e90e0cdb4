"""``skstat recommend``: which test suits a situation."""

from argparse import Namespace

from skstat._command_line._answer import Answer
from skstat._command_line._errors import errors_in_options


def recommend(arguments: Namespace) -> Answer:
    """Ask `skstat.recommend_test`."""
    from skstat import recommend_test

    given = {name: getattr(arguments, name) for name in arguments.taken}
    with errors_in_options():
        found = recommend_test(
            given.pop("holds"), **{name: v for name, v in given.items() if v is not None}
        )
    return Answer(str(getattr(found, f"to_{arguments.form}")()))
