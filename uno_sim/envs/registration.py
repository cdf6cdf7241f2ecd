"""The ids under which `gymnasium.make` and `gymnasium.make_vec` find the environments."""

from __future__ import annotations

from gymnasium.envs import registration

IDS = {"uno_sim/UnoDuo-v0": "duo", "uno_sim/UnoPocket-v0": "pocket"}
"""The rules that each id stands for."""


def register_envs() -> None:
    """Make the environments known to Gymnasium; more than once does no harm."""
    for name, rules in IDS.items():
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="uno_sim.envs.single:UnoEnv",
                vector_entry_point="uno_sim.envs.vector:UnoVectorEnv",
                kwargs={"rules": rules},
            )
