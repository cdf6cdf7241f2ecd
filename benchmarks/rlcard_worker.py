"""Plays RLCard's UNO in an environment of its own; started by `benchmarks.rlcard_peer`.

Reads a line `SEED GAMES LOOP` from stdin, plays that many games, answers with a line of JSON, and
so on until stdin ends. LOOP is `run` for the environment's own loop with two random agents, or
`step` for a loop over `reset` and `step` that takes any legal action. Imports nothing of this
project.
"""

import json
import sys
import time

import rlcard
from rlcard.agents import RandomAgent


def play_by_steps(env, games, seed):
    """Play games by `reset` and `step`, the legal actions taken in turns."""
    count = seed
    for _ in range(games):
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            count += 7
            state, _ = env.step(legal[count % len(legal)])


for line in sys.stdin:
    seed, games, loop = line.split()
    env = rlcard.make("uno", config={"seed": int(seed)})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    start = time.process_time()
    if loop == "step":
        play_by_steps(env, int(games), int(seed))
    else:
        for _ in range(int(games)):
            env.run(is_training=False)
    seconds = time.process_time() - start
    # The environment counts one time step a decision, over all its games.
    print(json.dumps({"decisions": env.timestep, "seconds": seconds}), flush=True)
