"""How often every procedure rejects when there is nothing to find, and when there is.

``python -m calibration`` simulates data on which the null hypothesis holds exactly, asks
skstat's own functions, and counts. The counts are kept in ``calibration/results``, from which
the documentation makes its tables.

- ``laws`` draws data, ``learners`` fits many splits at once, ``designs`` makes the splits.
- One module per situation (``splits``, ``test_set``, ...) offers ``SETTINGS``.
- ``study`` repeats a setting and adds up; ``results`` keeps what was counted.
"""
