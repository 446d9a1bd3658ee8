"""What a backend keeps compiled: once for each size of the board, for all threads, and not for ever."""

import threading
import time

import pytest

from gtp_engine.engine.network.compiled_sizes import MOST_KEPT, CompiledSizes


def test_each_size_is_compiled_once_and_few_are_kept() -> None:
    compiled: list[tuple[int, ...]] = []

    def compile_for(*sizes: int) -> int:
        compiled.append(sizes)
        return sum(sizes)

    kept = CompiledSizes(compile_for)
    assert [kept.get(9, 1), kept.get(19, 1), kept.get(9, 1)] == [10, 20, 10]
    assert compiled == [(9, 1), (19, 1)] and len(compiled) == MOST_KEPT
    assert [kept.get(13, 1), kept.get(13, 1), kept.get(9, 1)] == [14, 14, 10]
    assert compiled[MOST_KEPT:] == [(13, 1), (9, 1)]


def test_threads_that_want_the_same_wait_for_one_of_them() -> None:
    compiled: list[int] = []
    others_are_there = threading.Barrier(3)

    def compile_for(size: int) -> int:
        compiled.append(size)
        time.sleep(0.05)  # long enough for the others to come
        return size

    def want() -> None:
        others_are_there.wait()
        kept.get(9)

    kept = CompiledSizes(compile_for)
    threads = [threading.Thread(target=want) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiled == [9]


def test_what_cannot_be_compiled_is_tried_again() -> None:
    tries: list[int] = []

    def compile_for(size: int) -> int:
        tries.append(size)
        if len(tries) == 1:
            raise ValueError("not now")
        return size

    kept = CompiledSizes(compile_for)
    with pytest.raises(ValueError, match="not now"):
        kept.get(9)
    assert kept.get(9) == 9
