"""The command line: ``python -m skstat``, or ``skstat`` where it is installed."""

import os
import sys
from collections.abc import Sequence

from skstat._command_line import CommandError, make_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say; return the exit status."""
    try:
        try:
            _run_command(argv)
        finally:  # what is still in the buffer is part of the work
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (CommandError, OSError) as error:
        message = f"cannot write: {error.strerror}." if isinstance(error, OSError) else error
        print(f"skstat: error: {' '.join(str(message).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("skstat: interrupted", file=sys.stderr)
        return 130
    return 0


def _run_command(argv: Sequence[str] | None) -> None:
    arguments = make_parser().parse_args(argv)
    if arguments.command == "metrics":
        from skstat._command_line._metrics import list_metrics

        list_metrics()
    elif arguments.command == "explain":
        from skstat._command_line._explain import explain

        explain(arguments)
    else:
        from skstat._command_line._compare import compare

        compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
