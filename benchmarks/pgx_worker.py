"""Plays card games of pgx in an environment of its own; started by `benchmarks.peers`.

Reads a line `SEED STEPS GAME` from stdin, plays that many steps of a batch of games, answers with a
line of JSON, and so on until stdin ends. Steps and the choice of actions are one compiled loop on
one core; a game that ends begins anew. The first line of a game compiles it.
"""

import json
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

GAMES_AT_ONCE = {"leduc_holdem": 16384, "sparrow_mahjong": 1024}
"""The sizes at which they are fastest on a core, of 1,024 and 16,384."""


def make_loop(name):
    """Return compiled functions that start a batch of games, and play steps of it."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play_step(_, carried):
        state, key = carried
        key, choice, chance = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits, axis=1)
        return step(state, actions, jax.random.split(chance, len(actions))), key

    def play(state, key, steps):
        return jax.lax.fori_loop(0, steps, play_step, (state, key))

    return jax.jit(jax.vmap(env.init)), jax.jit(play)


loops = {}
for line in sys.stdin:
    seed, steps, name = line.split()
    if name not in loops:
        loops[name] = make_loop(name)
    start_games, play = loops[name]
    key, chance = jax.random.split(jax.random.key(int(seed)))
    state = jax.block_until_ready(start_games(jax.random.split(chance, GAMES_AT_ONCE[name])))
    start = time.process_time()
    jax.block_until_ready(play(state, key, int(steps)))
    seconds = time.process_time() - start
    decisions = int(steps) * GAMES_AT_ONCE[name]
    print(json.dumps({"decisions": decisions, "seconds": seconds}), flush=True)
