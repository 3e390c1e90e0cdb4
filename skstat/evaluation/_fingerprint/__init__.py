"""Digests of all that a fit depends on: data, parameters, code.

Imports nothing of ``evaluation``.
"""

from skstat.evaluation._fingerprint.fingerprint import (
    Fingerprint,
    examine,
    fingerprint,
    versions,
)
from skstat.evaluation._fingerprint.local_modules import ModuleDigests, local_modules
