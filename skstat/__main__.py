"""The command line: ``python -m skstat``, or ``skstat`` where it is installed."""

import os
import sys
from collections.abc import Sequence

from skstat._command_line import CommandError, make_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say; return the exit status."""
    try:
        arguments = make_parser().parse_args(argv)
        if arguments.command == "metrics":
            from skstat._command_line._metrics import list_metrics

            list_metrics()
        else:
            from skstat._command_line._compare import compare

            compare(arguments)
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CommandError as error:
        print(f"skstat: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
