"""The command line: ``python -m skstat``, or ``skstat`` where it is installed."""

import os
import sys
import traceback
from collections.abc import Sequence

from skstat._command_line import Answer, CommandError, parse
from skstat._names import no_command, one_line


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, and return the exit status."""
    answer = Answer()
    try:
        try:
            arguments = parse(argv)
            answer = arguments.run(arguments)
            _print(answer.text)
        finally:  # errors of buffered output must be caught, too
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (CommandError, OSError) as error:
        message = f"cannot write: {error.strerror}." if isinstance(error, OSError) else error
        _log(f"error: {message}")
        return 2
    except Exception:  # exit status 1 is for a gate that failed
        if sys.stderr is not None:
            print(no_command(traceback.format_exc()), end="", file=sys.stderr)
        _log("error: this is a fault in skstat, not in the arguments; please report it")
        return 2
    except KeyboardInterrupt:
        _log("interrupted")
        return 130
    _log(answer.log)
    return answer.status


def _print(text: str) -> None:
    """Print a text; characters that the terminal's encoding lacks become question marks."""
    if text and sys.stdout is not None:
        encoding = sys.stdout.encoding or "utf-8"
        print(text.encode(encoding, "replace").decode(encoding), flush=True)


def _log(line: str) -> None:
    """Write one line to standard error, which may be closed."""
    if line and sys.stderr is not None:
        print(no_command(f"skstat: {one_line(line)}"), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
