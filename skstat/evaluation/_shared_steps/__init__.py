"""First steps that several pipelines have in common: fitted once per split.

Imports nothing of ``evaluation``.
"""

from skstat.evaluation._shared_steps.chains import FirstSteps, first_steps
from skstat.evaluation._shared_steps.fitted import FittedSteps, OfOnePipeline
