"""Policies that write where they should not, or read what they said they would not."""

import numpy as np

from uno_sim import policy
from uno_sim.cards import NUM_KINDS
from uno_sim.policies import nth_legal, num_legal
from uno_sim.random_stream import random_below
from uno_sim.rules.challenge import is_guilty
from uno_sim.state import Phase

CHALLENGE = int(Phase.CHALLENGE)


@policy
def honest(observation, rules, params, memory, random):
    """Take a random legal action."""
    return nth_legal(observation, random_below(random, num_legal(observation)))


@policy
def writing_into_rules(observation, rules, params, memory, random):
    """Do as `honest` does, after writing into everything of the rules."""
    action = nth_legal(observation, random_below(random, num_legal(observation)))
    rules.target = 1
    rules.max_turns = 1
    rules.hand_size = 1
    rules.draw_penalty = 9
    rules.wild_draw_penalty = 9
    rules.uno_penalty = 9
    rules.recycle = 1 - rules.recycle
    rules.scorer = 1 - rules.scorer
    rules.stack_draws = False
    rules.last_card_draws = False
    for kind in range(NUM_KINDS):
        rules.card_values[kind] = 1000
        rules.deck[kind] = 0
    return action


@policy
def writing_into_observation(observation, rules, params, memory, random):
    """Do as `honest` does, after writing into everything of the observation."""
    action = nth_legal(observation, random_below(random, num_legal(observation)))
    observation.turns = 10**6
    observation.scores[:] = 10**6
    observation.num_players = 5
    observation.draw_size = 1
    observation.hand_sizes[:] = 1
    observation.hands[:] = 1
    observation.held[:] = np.uint64(1)
    observation.discard_pile[:] = 0
    observation.draw_pile[:] = 0
    observation.events[:] = 0
    observation.shown[:] = 1
    observation.slots[:] = 1
    observation.pool[:] = 1
    observation.seen[:] = 1
    observation.random[0] = np.uint64(1)
    for word in range(3):
        observation.legal[word] = ~np.uint64(0)
    observation.phase = CHALLENGE
    observation.current_player = 0
    return action


@policy(observes="own")
def writing_into_own(observation, rules, params, memory, random):
    """Do as `honest` does, after writing into what it says that it does not write into."""
    action = nth_legal(observation, random_below(random, num_legal(observation)))
    observation.turns = 10**6
    observation.scores[:] = 10**6
    observation.hands[:] = 1
    observation.held[:] = np.uint64(1)
    observation.shown[:] = 1
    observation.slots[:] = 1
    observation.judged_card[:] = 1
    observation.phase = CHALLENGE
    observation.current_player = 0
    return action


@policy(observes="own")
def finding_its_own_as_it_was(observation, rules, params, memory, random):
    """Do as `honest` does; raise where a former decision has left its mark in the record."""
    for seat in range(observation.num_players):
        if observation.judged_card[seat] == 1 or observation.scores[seat] > 10**5:
            raise ValueError("the observation was changed")
        if seat != observation.current_player and observation.held[seat] != 0:
            raise ValueError("another's hand can be seen")
    return nth_legal(observation, random_below(random, num_legal(observation)))


@policy(observes="legal")
def writing_into_legal(observation, rules, params, memory, random):
    """Do as `honest` does, after writing into all that it is shown."""
    action = nth_legal(observation, random_below(random, num_legal(observation)))
    for word in range(3):
        observation.legal[word] = np.uint64(0)
    rules.target = 1
    rules.max_turns = 1
    return action


@policy
def finding_all_as_it_was(observation, rules, params, memory, random):
    """Do as `honest` does; raise where a former decision has left its mark in the records."""
    if rules.target != 250 or rules.uno_penalty != 2 or rules.card_values[0] != 0:
        raise ValueError("the rules were changed")
    if observation.turns > 10**5 or observation.scores[0] > 10**5 or observation.pool[0, 0] > 0:
        raise ValueError("the observation was changed")
    return nth_legal(observation, random_below(random, num_legal(observation)))


@policy
def writing_into_params(observation, rules, params, memory, random):
    params[0] = 1
    return nth_legal(observation, 0)


@policy(observes="legal")
def reading_more_than_it_said(observation, rules, params, memory, random):
    if observation.hands[0, 0] > 0:
        return nth_legal(observation, 1)
    return nth_legal(observation, 0)


@policy(observes="legal")
def passing_on_more_than_it_said(observation, rules, params, memory, random):
    if is_guilty(observation, rules, 0):
        return nth_legal(observation, 1)
    return nth_legal(observation, 0)
