"""How good one estimator is: ``estimate_performance`` and its methods.

Imports the engine and the guide.
"""

from skstat.comparison._performance.estimate_performance import estimate_performance
