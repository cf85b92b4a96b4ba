"""What keeps the fixed costs of a step small, and changes nothing else."""

from __future__ import annotations

import gc
import pickle

from apache_beam.options.pipeline_options import DirectOptions, StandardOptions

from anchormine.pipelines.garbage import kept_objects
from anchormine.pipelines.runners import pipeline_options


def test_garbage_is_looked_for_seldom_but_is() -> None:
    with kept_objects():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_threshold()[0] == 50_000
    assert gc.get_freeze_count() > 0


def test_garbage_is_looked_for_again_after_an_error() -> None:
    try:
        with kept_objects():
            raise ModuleNotFoundError
    except ModuleNotFoundError:
        pass
    assert gc.isenabled()


def test_a_view_of_options_is_made_once_and_shares_their_values() -> None:
    options = pipeline_options(["--job_name=x"], 3)
    view = options.view_as(DirectOptions)
    assert view is options.view_as(DirectOptions)
    view.direct_num_workers = 5
    assert options.get_all_options()["direct_num_workers"] == 5
    assert options.view_as(StandardOptions).get_all_options()["direct_num_workers"] == 5


def test_options_are_pickled_without_their_views() -> None:
    options = pipeline_options(["--streaming"], 3)
    options.view_as(DirectOptions)
    copy = pickle.loads(pickle.dumps(options))
    assert "_views" not in vars(copy)
    assert copy.get_all_options() == options.get_all_options()
