"""Plays OpenSpiel's crazy_eights in an environment of its own; started by `benchmarks.peers`.

Reads a line `SEED GAMES LOOP` from stdin, plays that many games for two, answers with a line of
JSON, and so on until stdin ends. LOOP is `python` for a loop over the state's methods, or `bots`
for whole games inside OpenSpiel's own compiled code. Decisions are those of players; what chance
does costs time and is not counted.
"""

import json
import random
import sys
import time

import pyspiel

game = pyspiel.load_game("crazy_eights(players=2)")


def play_by_steps(games, seed):
    """Play games from Python, taking a random legal action."""
    generator = random.Random(seed)
    decisions = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                # A single deck: all outcomes are equally likely.
                outcomes = state.chance_outcomes()
                action, _ = outcomes[int(generator.random() * len(outcomes))]
            else:
                legal = state.legal_actions()
                action = legal[int(generator.random() * len(legal))]
                decisions += 1
            state.apply_action(action)
    return decisions


def play_by_bots(games, seed):
    """Let OpenSpiel's random bots play games; return the states at their ends."""
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(2)]
    states = [game.new_initial_state() for _ in range(games)]
    for number, state in enumerate(states):
        pyspiel.evaluate_bots(state, bots, seed * games + number)
    return states


for line in sys.stdin:
    seed, games, loop = line.split()
    start = time.process_time()
    if loop == "bots":
        states = play_by_bots(int(games), int(seed))
        seconds = time.process_time() - start
        decisions = sum(move.player >= 0 for state in states for move in state.full_history())
    else:
        decisions = play_by_steps(int(games), int(seed))
        seconds = time.process_time() - start
    print(json.dumps({"decisions": decisions, "seconds": seconds}), flush=True)
