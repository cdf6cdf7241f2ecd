"""A research toolkit for UNO Duo and UNO Pocket Pizza Pizza.

One compiled engine, complete to the rule book; observations without hidden cards; agents by name;
batches that run agents against each other. Begin with `Game` and `simulate`.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from uno_sim.actions import NUM_ACTIONS, action_name, parse_action
from uno_sim.cards import card_name, parse_card
from uno_sim.compilation import compiled
from uno_sim.envs.registration import register_envs
from uno_sim.explanation import IllegalActionError
from uno_sim.game import Game, determinize
from uno_sim.observation import Observation
from uno_sim.policies import BatchedAgent, CompiledAgent, Policy, policy
from uno_sim.random_stream import new_stream
from uno_sim.record import GameRecord, RecordError, load_record
from uno_sim.registry import agent_names, make_agent
from uno_sim.rule_set import UNO_DUO, UNO_POCKET, RuleSet
from uno_sim.state import Phase
from uno_sim.statistics import mean_interval, wilson_interval

register_envs()

if TYPE_CHECKING:
    from uno_sim.belief.belief import Belief, believe
    from uno_sim.belief.choices import ChoiceBelief
    from uno_sim.decisions.analysis import evaluate_actions
    from uno_sim.simulation.aggregates import Aggregates
    from uno_sim.simulation.batches import simulate
    from uno_sim.simulation.evaluation import evaluate
    from uno_sim.simulation.failures import AgentError
    from uno_sim.simulation.results import Results
    from uno_sim.simulation.seated_agents import SeatedAgents
    from uno_sim.simulation.tournament import Tournament, round_robin
    from uno_sim.simulation.workers import WorkerDiedError

__all__ = [
    "NUM_ACTIONS",
    "UNO_DUO",
    "UNO_POCKET",
    "AgentError",
    "Aggregates",
    "BatchedAgent",
    "Belief",
    "ChoiceBelief",
    "CompiledAgent",
    "Game",
    "GameRecord",
    "IllegalActionError",
    "Observation",
    "Phase",
    "Policy",
    "RecordError",
    "Results",
    "RuleSet",
    "SeatedAgents",
    "Tournament",
    "WorkerDiedError",
    "action_name",
    "agent_names",
    "believe",
    "card_name",
    "compiled",
    "determinize",
    "evaluate",
    "evaluate_actions",
    "load_record",
    "make_agent",
    "mean_interval",
    "new_stream",
    "parse_action",
    "parse_card",
    "policy",
    "round_robin",
    "simulate",
    "wilson_interval",
]

_LOADED_WHEN_USED = {
    "Aggregates": "uno_sim.simulation.aggregates",
    "AgentError": "uno_sim.simulation.failures",
    "Belief": "uno_sim.belief.belief",
    "ChoiceBelief": "uno_sim.belief.choices",
    "Results": "uno_sim.simulation.results",
    "SeatedAgents": "uno_sim.simulation.seated_agents",
    "Tournament": "uno_sim.simulation.tournament",
    "WorkerDiedError": "uno_sim.simulation.workers",
    "believe": "uno_sim.belief.belief",
    "evaluate": "uno_sim.simulation.evaluation",
    "evaluate_actions": "uno_sim.decisions.analysis",
    "round_robin": "uno_sim.simulation.tournament",
    "simulate": "uno_sim.simulation.batches",
}
"""Names whose modules need pandas, which a single game does not."""
_MODULES = ("belief", "decisions", "features", "networks", "simulation")
"""Modules that can be used by their names after `import uno_sim` alone, as the others can."""


def __getattr__(name: str) -> Any:
    """Return the version, a module, or one of its names, which is loaded when it is first used."""
    if name == "__version__":
        return version("uno-sim")
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module 'uno_sim' has no attribute {name!r}")
    return getattr(import_module(_LOADED_WHEN_USED[name]), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
