"""`random`: a uniformly random legal action, for every decision."""

from __future__ import annotations

from typing import Any

from uno_sim.policies import CompiledAgent, policy, random_legal_action


@policy(name="random", observes="legal")
def choose_at_random(observation: Any, rules: Any, params: Any, memory: Any, random: Any) -> Any:
    """Return a uniformly random legal action."""
    return random_legal_action(observation, random)


def random_legal() -> CompiledAgent:
    """Return the agent `random`."""
    return CompiledAgent("random", choose_at_random)
