"""Ray and Dask as executors of `concurrent.futures`; loaded when one is asked for."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
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
        with ExitStack() as closing:
            with uninterrupted():
                # Processes with one thread each: agents in plain Python hold the interpreter lock.
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                closing.enter_context(cluster)
                closing.push(partial(_kill_dask_workers, cluster))
            client = closing.enter_context(distributed.Client(cluster))
            yield client.get_executor(pure=False)

    return connected()


def _kill_dask_workers(cluster: Any, kind: Any, *_: Any) -> None:
    """After an exception, kill the processes of a local cluster, or they would play on first."""
    if kind is None:
        return
    # Some connections notice their end only when the cluster, at its own, lets the log speak again.
    logging.getLogger("distributed").setLevel(logging.WARNING)
    for nanny in cluster.workers.values():
        nanny.close_gracefully()  # or it would start another worker, and wait for it
        if nanny.pid is not None:
            _kill(nanny.pid)


def _ray(address: str | None, workers: int) -> AbstractContextManager[Executor]:
    import ray

    @contextmanager
    def connected() -> Iterator[Executor]:
        if ray.is_initialized():
            with _RayExecutor(ray) as executor:
                yield executor
            return
        with ExitStack() as closing:
            # A Ctrl-C in the middle of Ray's start can end the process in Ray's own code.
            with uninterrupted():
                if address is not None:
                    ray.init(address=address, log_to_driver=False)
                else:
                    # Without "local" it would be that of RAY_ADDRESS, or one that runs already.
                    ray.init(
                        "local", num_cpus=workers, include_dashboard=False, log_to_driver=False
                    )
                closing.push(partial(_end_ray, ray, address is None))
            yield closing.enter_context(_RayExecutor(ray))

    return connected()


def _end_ray(ray: Any, is_ours: bool, kind: Any, *_: Any) -> None:
    """Leave a cluster, or end one of our own; after an exception at once."""
    if kind is not None and is_ours:
        with suppress(AttributeError):  # it is no public name
            # It is the monitor, which `ray.shutdown` would wait a second for in vain.
            ray._private.worker._global_node.kill_monitor(check_alive=False)
    ray.shutdown()


class _RayExecutor(Executor):
    """Submits functions to Ray as tasks of one core each; after an exception they are ended."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._tasks: dict[Any, Any] = {}
        self._playing: dict[Future[Any], Any] = {}

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future result of a call."""
        if function not in self._tasks:
            self._tasks[function] = self._ray.remote(function)
        result = self._tasks[function].remote(*args, **kwargs)
        future: Future[Any] = result.future()
        # So that nobody can cancel it: Ray's client fails where it sets the result of one that is.
        future.set_running_or_notify_cancel()
        self._playing[future] = result
        future.add_done_callback(self._playing.pop)
        return future

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """End the calls that are not finished, with the processes that play them."""
        for result in list(self._playing.values()):
            self._ray.cancel(result, force=True)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off; processes that are started meanwhile never hear of it.

    A terminal sends it to all of them, and theirs is not to print where they were.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):  # it may have died just now
        os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))
