"""Plays RLCard's UNO in an environment of its own; started by `benchmarks.rlcard_peer`.

Reads a line `SEED GAMES` from stdin, plays that many games, answers with a line of JSON, and so
on until stdin ends. Imports nothing of this project.
"""

import json
import sys
import time

import rlcard
from rlcard.agents import RandomAgent

for line in sys.stdin:
    seed, games = map(int, line.split())
    env = rlcard.make("uno", config={"seed": seed})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    start = time.process_time()
    for _ in range(games):
        env.run(is_training=False)
    seconds = time.process_time() - start
    # The environment counts one time step a decision, over all its games.
    print(json.dumps({"decisions": env.timestep, "seconds": seconds}), flush=True)
