"""ROC, precision-recall and cost curves of two systems.

Imports the engine.
"""

from skstat.comparison._curves.compare_curves import compare_cost_curves, compare_curves
from skstat.comparison._curves.curve_comparison import CurveComparison
