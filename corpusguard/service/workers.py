"""The jobs of a run, done in this process or in others, in their order.

A worker may die: killed for want of memory, or by a crash below Python. Every job under way is then
done again, alone, in a new process. The one whose process dies again is unverifiable; the night
goes on.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context, parent_process
from typing import TYPE_CHECKING

from corpusguard import logs
from corpusguard.errors import Unreadable
from corpusguard.layers import Baseline
from corpusguard.service.work import Done, Task, do, unverifiable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator


@dataclass(frozen=True, slots=True)
class Job:
    """One document of one corpus: work to do, or its result where it is known already."""

    corpus: str
    store: str
    """Digest of the whole store, where this run looks at all of it; else empty."""
    key: str = ""
    task: Task | None = None
    done: Done | None = None

    def work(self) -> Task:
        """The work; only for a job that is not done."""
        if self.task is None:
            raise AssertionError("a job has a result or a task")
        return self.task

    def without_rows(self) -> Job:
        """The job when its work is done: results are on their way to disk, rows are not needed."""
        if self.task is None:
            return self
        return replace(
            self, task=replace(self.task, passages=[], rows_by_id={}, baseline=Baseline())
        )


def worked(jobs: Generator[Job], processes: int) -> Iterator[tuple[Job, Done]]:
    """Results in the order of the jobs.

    Args:
        jobs: closed at the end, whatever happens.
        processes: 1: work in this process.
    """
    with closing(jobs):
        if processes == 1:
            for job in jobs:
                yield job, job.done or do(job.work())
            return
        with closing(_Workers(processes)) as workers:
            waiting: deque[tuple[Job, Future[Done] | None]] = deque()
            for job in jobs:
                waiting.append((job, None if job.done else workers.submit(job.work())))
                # Few at a time, so that memory does not grow with the number of documents
                # and each result is on disk soon after it is known.
                while len(waiting) > 2 * processes:
                    yield _finished(workers, *waiting.popleft())
            while waiting:
                yield _finished(workers, *waiting.popleft())


class _Workers:
    """A pool that is replaced when one of its processes has died."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool = self._new(processes)
        self._is_broken = False

    def submit(self, task: Task) -> Future[Done]:
        try:
            return self._pool.submit(do, task)
        except (BrokenProcessPool, OSError, ValueError):
            # The others: a process died while the pool was starting one with pipes closed by then.
            self._replace()
            return self._pool.submit(do, task)

    def result(self, task: Task, future: Future[Done]) -> Done:
        """The result; where a process died under it, from a process of its own."""
        try:
            return future.result()
        except BrokenProcessPool:
            self._is_broken = True
            logs.get_logger().warning("worker died", document=task.document.id)
        with self._new(1) as alone:
            try:
                return alone.submit(do, task).result()
            except BrokenProcessPool:
                error = Unreadable(
                    "the process that read it died twice: most often the system stopped it for "
                    "want of memory (see the kernel log); give the machine more, or lower --jobs"
                )
                return Done(unverifiable(task, error))

    def close(self) -> None:
        if self._is_broken:
            self._kill()
        self._pool.shutdown(cancel_futures=True)

    def _replace(self) -> None:
        self._kill()
        self._pool.shutdown(wait=False)
        self._pool = self._new(self._processes)
        self._is_broken = False

    def _kill(self) -> None:
        """End what a broken pool has left.

        It would wait for ever for a process that it started just as another died, and so would
        this process at its end.
        """
        for process in active_children():
            process.kill()

    def _new(self, processes: int) -> ProcessPoolExecutor:
        # Spawned, not forked: a fork would take open database handles along.
        return ProcessPoolExecutor(
            processes, mp_context=get_context("spawn"), initializer=_leave_with_parent
        )


def _finished(workers: _Workers, job: Job, future: Future[Done] | None) -> tuple[Job, Done]:
    if job.done is not None:
        return job, job.done
    if future is None:
        raise AssertionError("a job is either done or under way")
    return job.without_rows(), workers.result(job.work(), future)


def _leave_with_parent() -> None:
    """End this worker when the run that it works for is gone.

    A run killed with SIGKILL cannot stop its workers, and a worker that waits for work holds both
    ends of the queue itself: it would wait for ever, and keep its memory.
    """
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_leave_after, args=(parent.join,), daemon=True).start()


def _leave_after(join: Callable[[], None]) -> None:
    join()
    os._exit(1)
