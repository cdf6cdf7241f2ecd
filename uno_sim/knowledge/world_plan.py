"""The plan of an observer's worlds: what they all share, and the sizes of its tables."""

from __future__ import annotations

import numpy as np

from uno_sim.cards import MAX_CARDS, NUM_KINDS
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.state import MAX_EPOCHS, MAX_TRACES, MAX_WAYS

MAX_AGES = 8
"""How many ages the unknown cards of a hand are told apart by; of more the oldest become one.

Dumps alone make five at most: held since before 4, 3, 2, 1 or 0 dumps of different colors.
"""
NO_AGE = -1
MAX_ORIGINS = 2 * MAX_WAYS
"""How many ways to say of which epochs cards are an observer's plan has room for."""
MAX_DIVISIONS = 96
"""How many ways to divide a hand by age are followed; more are left out."""

PLAN_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # origins: which epochs cards in doubt are of, and a running sum of their weights
                ("num_origins", np.int16),
                ("chances", np.float64, (MAX_ORIGINS,)),
                ("origin_ways", np.int16, (MAX_ORIGINS,)),
                # where the cards of the observer's traces are
                ("num_traces", np.int16),
                ("trace_seats", np.int16, (MAX_ORIGINS, MAX_TRACES)),
                ("trace_epochs", np.int16, (MAX_ORIGINS,)),
                ("passed_on", np.int8, (MAX_ORIGINS,)),
                ("used_gifts", np.uint64, (MAX_ORIGINS,)),
                # the unknown cards, epoch after epoch
                ("cards", np.int8, (MAX_ORIGINS, MAX_CARDS)),
                ("starts", np.int16, (MAX_ORIGINS, MAX_EPOCHS + 1)),
                # how many of an epoch each hand holds, and how many there are
                ("unknown", np.int16, (MAX_ORIGINS, MAX_PLAYERS, MAX_EPOCHS)),
                ("pool", np.int16, (MAX_ORIGINS, MAX_EPOCHS, NUM_KINDS)),
                ("sizes", np.int16, (MAX_ORIGINS, MAX_EPOCHS)),
                # whether any hand has ages or marks
                ("is_marked", np.bool_),
                # hands in which a dump or a verdict has left its mark, at the first epoch
                ("num_ages", np.int16, (MAX_PLAYERS,)),
                ("excluded", np.uint64, (MAX_PLAYERS, MAX_AGES)),
                ("num_ways", np.int16, (MAX_PLAYERS,)),
                ("ways", np.int16, (MAX_PLAYERS, MAX_DIVISIONS, MAX_AGES)),
                ("weights", np.float64, (MAX_PLAYERS, MAX_DIVISIONS)),
                # a guilty hand: one of the cards up to an age is of these kinds
                ("proof_age", np.int16, (MAX_PLAYERS,)),
                ("proof", np.uint64, (MAX_PLAYERS,)),
                # after shuffles: kinds that verdicts exclude, the newest verdict first, and how
                # many cards the hand may have got since, of earlier epochs and the current one
                ("num_marks", np.int16, (MAX_PLAYERS,)),
                ("mark_kinds", np.uint64, (MAX_PLAYERS, MAX_AGES)),
                ("mark_drawn", np.int16, (MAX_PLAYERS, MAX_AGES, 2)),
                # room for work
                ("next_ways", np.int16, (MAX_DIVISIONS, MAX_AGES)),
                ("next_weights", np.float64, (MAX_DIVISIONS,)),
                ("left", np.int8, (MAX_CARDS,)),
                ("dealt", np.int16, (MAX_PLAYERS,)),
            ],
            align=True,
        ),
    )
)
"""What all worlds of an observation share: the unknown cards, and where they may be."""
