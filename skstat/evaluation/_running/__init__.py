"""Tasks to workers: queue, schedule, progress.

Imports the tasks (``_fold``) and the store of finished ones.
"""

from skstat.evaluation._running.progress import Progress, Verbose
from skstat.evaluation._running.queue import TaskQueue
from skstat.evaluation._running.schedule import n_workers, run_tasks, start_cost
from skstat.evaluation._running.work import Work
