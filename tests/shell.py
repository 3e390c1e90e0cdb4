"""The command that a shell starts."""

from importlib.metadata import entry_points

main = entry_points(group="console_scripts", name="skstat")["skstat"].load()


def run(capsys, line, command="compare"):
    """Return the exit status, what is printed, and the line for the log."""
    status = main([command, *(line if isinstance(line, list) else line.split())])
    captured = capsys.readouterr()
    assert captured.err.count("\n") <= 1
    return status, captured.out, captured.err.removeprefix("skstat: ").strip()


def error_of(capsys, line, command="compare"):
    """Return the one line of an error, with nothing else printed."""
    status, out, err = run(capsys, line, command)
    assert (status, out) == (2, "") and err.startswith("error: ")
    return err.removeprefix("error: ")
