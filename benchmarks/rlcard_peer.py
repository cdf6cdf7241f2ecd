"""RLCard beside us: its own game of UNO."""

from __future__ import annotations

from benchmarks.contenders import Sample
from benchmarks.peer_process import PeerProcess

PACKAGES = ("rlcard==1.2.0", "numpy==2.4.6", "termcolor==3.3.0")
NAME = "RLCard 1.2.0 uno, two RandomAgent, env.run"
STEP_NAME = "RLCard 1.2.0 uno, env.reset and env.step"


class RLCard(PeerProcess):
    """A running process that plays RLCard's UNO on demand; a context manager."""

    def __init__(self) -> None:
        """Install RLCard where it is not yet, and start it; see `PeerProcess`."""
        super().__init__("rlcard", PACKAGES)

    def measure(self, seed: int, amount: int, loop: str = "run") -> Sample:
        """Play `amount` games; `loop` is `run`, or `step` for a loop over `reset` and `step`."""
        return super().measure(seed, amount, loop)
