"""What the threads of numerical libraries do while they wait for one another."""

import os

_VARIABLE = "OMP_WAIT_POLICY"


def let_threads_sleep() -> None:
    """Has threads of OpenMP, which are torch's, sleep and not spin while they wait; a user's choice wins.

    Where another program has one of the cores, a spinning thread takes the time of the one it waits for: a
    small model was trained six times as slowly. The results are the same. The libraries look at the variable
    once, so this comes before they are imported.
    """
    os.environ.setdefault(_VARIABLE, "PASSIVE")
