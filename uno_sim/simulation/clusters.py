"""Ray and Dask as executors of `concurrent.futures`; loaded when one is asked for."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

CLUSTERS = ("ray", "dask")
"""The clusters that are known; each is an extra of the project."""

DEATHS = (
    *("TerminatedWorkerError", "WorkerCrashedError", "NodeDiedError", "OutOfMemoryError"),
    "KilledWorker",
)
"""The errors by which they, and loky, tell that a worker's process has ended."""


def cluster_executor(executor: str, workers: int) -> AbstractContextManager[Executor]:
    """Return the executor of a name, on a local cluster, or of an address.

    Raises `ValueError` where the extra is not installed.
    """
    try:
        if executor == "dask" or executor.startswith(("tcp://", "tls://")):
            return _dask(None if executor == "dask" else executor, workers)
        return _ray(None if executor == "ray" else executor, workers)
    except ImportError as error:
        name = "dask" if executor == "dask" or executor.startswith("t") else "ray"
        raise ValueError(f"executor={executor!r}: needs the extra `{name}` ({error})") from None


def _dask(address: str | None, workers: int) -> AbstractContextManager[Executor]:
    import distributed

    @contextmanager
    def connected() -> Iterator[Executor]:
        if address is not None:
            with distributed.Client(address) as client:
                yield client.get_executor(pure=False)
            return
        # Processes with one thread each: agents in plain Python hold the interpreter lock.
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        with cluster, distributed.Client(cluster) as client:
            try:
                yield client.get_executor(pure=False)
            except BaseException:
                _kill_dask_workers(cluster)
                raise

    return connected()


def _kill_dask_workers(cluster: Any) -> None:
    """Kill the worker processes of a local cluster, which would finish what they play first."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):  # it may have died just now
                os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _ray(address: str | None, workers: int) -> AbstractContextManager[Executor]:
    import ray

    @contextmanager
    def connected() -> Iterator[Executor]:
        started = not ray.is_initialized()
        if started and address is not None:
            ray.init(address=address, log_to_driver=False)
        elif started:
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        try:
            yield _RayExecutor(ray)
        finally:
            if started:
                ray.shutdown()

    return connected()


class _RayExecutor(Executor):
    """Submits functions to Ray as tasks of one core each."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._tasks: dict[Any, Any] = {}

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future result of a call."""
        if function not in self._tasks:
            self._tasks[function] = self._ray.remote(function)
        future: Future[Any] = self._tasks[function].remote(*args, **kwargs).future()
        return future
