"""A worker process of the local runner: Beam's own, but quiet; the launcher is told what goes wrong."""

import logging

if __name__ == "__main__":
    # With a handler of its own the root logger is not given one for standard error by the first warning.
    logging.getLogger().addHandler(logging.NullHandler())
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main([])
