"""Small policies for the tests of batches."""

import numpy as np

from uno_sim import policy
from uno_sim.actions import NUM_ACTIONS
from uno_sim.policies import nth_legal, num_legal
from uno_sim.random_stream import next_word
from uno_sim.state import Phase

DRAFT = int(Phase.DRAFT)


@policy
def lowest_legal(observation, rules, params, memory, random):
    return nth_legal(observation, 0)


@policy
def highest_legal(observation, rules, params, memory, random):
    return nth_legal(observation, num_legal(observation) - 1)


@policy(observes="legal")
def lowest_legal_of_legal_only(observation, rules, params, memory, random):
    return nth_legal(observation, 0)


@policy
def lowest_legal_burning_numbers(observation, rules, params, memory, random):
    for _ in range(3 + observation.hand_sizes[observation.current_player]):
        next_word(random)
    return nth_legal(observation, 0)


@policy
def by_params(observation, rules, params, memory, random):
    """Take the legal action number `params[-1]`, counted round; refuse other lengths."""
    if len(params) != int(params[0]):
        raise ValueError("these are the params of another agent")
    return nth_legal(observation, int(params[len(params) - 1]) % num_legal(observation))


@policy(memory=3)
def by_memory(observation, rules, params, memory, random):
    """Take turns over the legal actions, by a count kept in the memory."""
    memory[0] += 1
    return nth_legal(observation, int(memory[0]) % num_legal(observation))


@policy(memory=2)
def checking_memory(observation, rules, params, memory, random):
    """Raise where the memory is not the seat's own, or not zeroed when a draft begins."""
    seat = observation.current_player
    picks = observation.hand_sizes[seat]
    if len(memory) != 2:
        raise ValueError("the memory has another length")
    if observation.phase == DRAFT and picks == 0:
        if memory[0] != 0 or memory[1] != 0:
            raise ValueError("the memory is not zeroed")
        memory[1] = seat + 1
    if memory[1] != seat + 1:
        raise ValueError("the memory is another seat's")
    if observation.phase == DRAFT:
        if memory[0] != picks:
            raise ValueError("the memory was lost")
        memory[0] += 1
    return nth_legal(observation, 0)


@policy
def seeing_own_hand_only(observation, rules, params, memory, random):
    """Raise where another hand, the draw pile or the deal's stream is not blank."""
    for seat in range(5):
        if seat != observation.current_player and observation.held[seat] != np.uint64(0):
            raise ValueError("another hand is seen")
    if observation.draw_pile[0] != -1 or observation.random[0] != np.uint64(0):
        raise ValueError("the draw pile is seen")
    return nth_legal(observation, num_legal(observation) - 1)


@policy
def illegal_from_turn_three(observation, rules, params, memory, random):
    """Return the number in `params` once three turns have begun, else the lowest legal action."""
    if observation.turns >= 3:
        return int(params[0])
    return nth_legal(observation, 0)


@policy
def lowest_illegal_from_turn_three(observation, rules, params, memory, random):
    """Return an action that is not legal once three turns have begun."""
    if observation.turns >= 3:
        for action in range(NUM_ACTIONS):
            if (observation.legal[action // 64] >> np.uint64(action % 64)) & np.uint64(1) == 0:
                return action
    return nth_legal(observation, 0)


@policy
def giving_up(observation, rules, params, memory, random):
    if observation.turns >= 2:
        raise RuntimeError("this policy gives up")
    return nth_legal(observation, 0)
