"""Agents as compiled code finds them: how each is called, its address, its numbers.

Shapes: `[A]` agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_sim.compilation import JIT_DISABLED
from uno_sim.policies import Agent, CompiledAgent
from uno_sim.policy_calls import function_table
from uno_sim.speed_hints import for_call

OBSERVES_ALL, OBSERVES_OWN, OBSERVES_LEGAL, IS_BATCHED = range(4)
"""What a compiled agent observes; or that an agent is asked in batches, outside compiled code."""
_CALLS = {"everything": OBSERVES_ALL, "own": OBSERVES_OWN, "legal": OBSERVES_LEGAL}

AGENT_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("call", np.int8),
                ("params_start", np.int64),
                ("params_size", np.int64),
                ("memory_size", np.int64),
            ],
            align=True,
        ),
    )
)
"""How an agent is called: what it observes, where its numbers are, how much memory it has."""


class AgentTable:
    """Agents as the arrays that the driver reads; made once for many calls."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = list(agents)
        self.rows = np.zeros(len(agents), AGENT_DTYPE).view(np.recarray)
        compiled_agents = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        addresses = iter(function_table([agent.policy for agent in compiled_agents]))
        functions: list[Any] = []
        params = [np.zeros(0, np.float32)]
        place = 0
        for row, agent in zip(self.rows, agents, strict=True):
            if not isinstance(agent, CompiledAgent):
                row.call = IS_BATCHED
                functions.append(0)
                continue
            row.call = _CALLS[agent.policy.observes]
            row.params_start = place
            row.params_size = len(agent.params)
            row.memory_size = agent.policy.memory_size
            place += len(agent.params)
            functions.append(next(addresses))
            params.append(agent.params)
        self.functions = functions if JIT_DISABLED else np.array(functions, np.uint64)
        self.params = np.concatenate(params)
        self.params.flags.writeable = False
        self.memory_room = int(self.rows.memory_size.max(initial=0))
        """How much memory a seat needs, whoever sits there."""
        self.has_batched = bool(np.any(self.rows.call == IS_BATCHED))
        """Whether there are agents that are asked in batches."""
        self.arguments = for_call(self.rows), self.functions, self.params
        """The arrays that a compiled call takes: rows, functions, params."""
