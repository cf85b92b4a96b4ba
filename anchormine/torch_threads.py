"""The threads of torch on the CPU: one while a step mines, and after that as many as before."""

import torch

_before: list[int] = []  # while it has one


def take_one_thread() -> None:
    """Gives torch one: the workers are the threads, and sums come out alike on any number of them."""
    if not _before:
        _before.append(torch.get_num_threads())
    torch.set_num_threads(1)


def give_threads_back() -> None:
    """Gives torch the threads that it had: in one run, a training may follow."""
    if _before:
        torch.set_num_threads(_before.pop())
