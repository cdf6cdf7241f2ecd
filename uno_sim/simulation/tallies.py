"""What is counted in a round, beside its state, and the columns of rows that come of it.

`step_and_tally` steps a game and counts what was done: one look into a table of phases and actions,
and more only after the few actions that tell more. Cards drawn are not counted one by one. They
follow at the end of the round, since cards come into a hand by the deal, by drawing and by gifts
alone, and leave it by being laid or given away.

Shapes: `[N]` rows, `[P]` players, `[C]` columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.cards import NO_CARD, NUM_COLORS, WILD_DIP, WILD_DRAW
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import RECYCLING
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.rules.challenge import is_guilty
from uno_sim.rules.transition import step
from uno_sim.rules.turn_order import next_player
from uno_sim.state import NUM_EVENTS, Phase

DRAFT = int(Phase.DRAFT)

# Places in a seat's counts. An action counts in one of the first twelve; from `WILD_DRAWS` on it
# tells more, which `tally_more` counts.
(OTHER, LAID, DIPS, FACED, UNO_ASKED) = range(5)
(WILD_DRAWS, ANSWERS, DUMPS, CHALLENGES, MISSED, CATCHES, GIFTS) = range(5, 12)
(BLUFFS, WON, CAUGHT, DUMPED) = range(12, 16)
NUM_PLACES = 16

TALLY_DTYPE = np.dtype(
    [
        ("decisions", np.int64),
        ("answers", np.int32),
        ("answered_turn", np.int32),
        ("volleys", np.int32),
        ("longest_volley", np.int32),
        ("recyclings", np.int32),
        ("start_card", np.int32),
        ("counts", np.int32, (MAX_PLAYERS, NUM_PLACES)),
    ]
)
"""Counters of a round, kept beside its state. `answers` were laid to the draw card of the turn
`answered_turn`. A gift counts for its giver, and against its receiver."""


def _places() -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return the place in which each action counts in each phase, `[phases, actions]`."""
    places = np.full((len(Phase), actions.NUM_ACTIONS), OTHER, np.int8)
    places[:, actions.LAY : actions.DUMP] = LAID
    places[Phase.VOLLEY, actions.LAY : actions.DUMP] = ANSWERS
    places[:, actions.DUMP : actions.LAY_WILD] = DUMPS
    places[:, actions.LAY_WILD : actions.DRAW] = LAID
    for kind, place in ((WILD_DRAW, WILD_DRAWS), (WILD_DIP, DIPS)):
        first = actions.wild_action(kind, 0)
        places[:, first : first + NUM_COLORS] = place
    places[Phase.CHALLENGE, actions.TAKE] = FACED
    places[:, actions.CHALLENGE] = CHALLENGES
    places[:, actions.UNO] = UNO_ASKED
    places[:, actions.SILENT] = MISSED
    places[:, actions.CATCH] = CATCHES
    places[:, actions.GIVE :] = GIFTS
    return places


PLACES = _places()


@compiled
def begin_tally(tally: Any, state: Any, rules: Any) -> None:
    """Set the counters of a round that has just begun."""
    tally.decisions = 0
    tally.counts[: state.num_players] = 0
    tally.answers = 0
    tally.answered_turn = 0
    tally.volleys = 0
    tally.longest_volley = 0
    tally.recyclings = 0
    tally.start_card = state.top_card
    if state.phase == DRAFT:
        # Each pick uses up two cards (D4), and the first of them all is on offer already.
        start = state.draw_size - 2 * rules.hand_size * state.num_players
        if start >= 0:
            tally.start_card = state.draw_pile[start]


@compiled
def step_and_tally(state: Any, rules: Any, action: Any, tally: Any) -> None:
    """Apply a legal action to the state, and count what the asked player did by it."""
    seat = state.current_player
    place = PLACES[state.phase, action]
    first_event = state.num_events
    tally.decisions += 1
    tally.counts[seat, place] += 1
    step(state, rules, action)
    if place >= WILD_DRAWS:
        tally_more(state, rules, seat, place, first_event, tally)
    # The top card alone is left of the discards where they became the draw pile in this step.
    if state.discard_size == 1:
        tally_recycling(state, first_event, tally)
        if tally.start_card == NO_CARD:
            # The draft uses up the whole deck: its first discard will be turned up (D5, D6).
            tally.start_card = state.discard_pile[0]


@compiled
def tally_more(state: Any, rules: Any, seat: Any, place: Any, first_event: Any, tally: Any) -> None:
    """Count what an action told, after its step; its own event is number `first_event`."""
    counts = tally.counts
    told = state.events[first_event % NUM_EVENTS, 2]
    if place == ANSWERS:
        # No turn begins before a volley is over.
        if tally.answered_turn != state.turns:
            tally.answered_turn = state.turns
            tally.answers = 0
            tally.volleys += 1
        tally.answers += 1
        tally.longest_volley = max(tally.longest_volley, tally.answers)
    elif place == DUMPS:
        counts[seat, DUMPED] += told
    elif place == WILD_DRAWS:
        counts[seat, BLUFFS] += 1 if is_guilty(state, rules, seat) else 0
    elif place == CHALLENGES:
        counts[seat, FACED] += 1
        counts[seat, WON] += told
    elif place == MISSED:
        counts[seat, UNO_ASKED] += 1
    elif place == CATCHES:
        counts[state.actor, CAUGHT] += 1
    elif place == GIFTS:
        counts[next_player(state, seat), GIFTS] -= 1


@compiled
def tally_recycling(state: Any, first_event: Any, tally: Any) -> None:
    """Count the recyclings among the events from number `first_event` on (C11)."""
    for number in range(first_event, state.num_events):
        if state.events[number % NUM_EVENTS, 1] == RECYCLING:
            tally.recyclings += 1


@compiled
def cards_left(counts: Any, seat: Any) -> Any:
    """Return how many cards have left a hand, less the gifts that came into it."""
    own = counts[seat]
    laid = own[LAID] + own[DIPS] + own[WILD_DRAWS] + own[ANSWERS] + own[DUMPED]
    return laid + own[GIFTS]


@dataclass(frozen=True)
class Column:
    """A column of `rounds` or `games`; one `by_seat` is as many as there are players."""

    name: str
    dtype: str
    meaning: str
    by_seat: bool = False

    def names(self, num_players: int) -> list[str]:
        """Return the column's names: its own, or one a seat, such as `points_0`, `points_1`."""
        return (
            [f"{self.name}_{seat}" for seat in range(num_players)] if self.by_seat else [self.name]
        )


BY_SEAT = (
    Column(
        "drawn",
        "int16",
        "cards drawn from the draw pile since the deal: on turns, for draw cards, as penalties, by "
        "a dip; a gift is not drawn",
        True,
    ),
    Column("wild_draws", "int16", "wild draws laid (C7)", True),
    Column("bluffs", "int16", "of these, from a guilty hand (C8), challenged or not", True),
    Column(
        "wild_draws_faced",
        "int16",
        "wild draws that the player could challenge (C9); not a start card, nor a last card",
        True,
    ),
    Column("challenges", "int16", "of these, challenged", True),
    Column("challenges_won", "int16", "of the challenges, those that found a guilty hand", True),
    Column("uno_asked", "int16", "UNO calls that were due (C4); 0 where calls are automatic", True),
    Column("uno_missed", "int16", "of these, kept silent", True),
    Column("uno_caught", "int16", "of the player's silences, caught by an opponent", True),
    Column("dumps", "int16", "dumps laid, owed or open (D9)", True),
    Column("dumped", "int16", "cards laid in dumps", True),
)
"""What is counted for each seat."""

_PLACES_BY_SEAT = np.array(
    [WILD_DRAWS, BLUFFS, FACED, CHALLENGES, WON, UNO_ASKED, MISSED, CAUGHT, DUMPS, DUMPED]
)
"""Where they are counted, all but the first."""

OF_THE_ROUND = (
    Column(
        "volleys",
        "int16",
        "colored draw cards laid on a turn that were answered with another (D8)",
    ),
    Column(
        "longest_volley",
        "int16",
        "most cards laid in answer, one upon the other; the first draw card is not one of them",
    ),
    Column("dips", "int16", "Wild Dips laid (P6); not a start card"),
    Column("recyclings", "int16", "times the discards became the draw pile (C11); not the draft's"),
    Column("start_card", "int16", "kind of the card turned up (C13); `card_name` gives its text"),
)
"""What is counted for all seats together; the start card is the last of all columns."""

_ROW = (
    Column("deal", "int64", "number of the deal, from 0"),
    Column("rotation", "int64", "number of the seating, from 0: `Results.seats[rotation]`"),
)
_WINNER = (
    Column("winner", "int64", "seat of the winner, -1 for none"),
    Column("winner_index", "int64", "the winner's place in `agents`, -1 for none"),
    Column("winner_agent", "str", "the winner's name, missing for none"),
)

ROUND_COLUMNS = (
    *_ROW,
    Column("round", "int64", "number of the round in its game, from 1"),
    Column("first", "int64", "seat of the first drafter, or of the dealer (D3, P3)"),
    Column("starter", "int64", "the seat after it, due to move first (C13)"),
    *_WINNER,
    Column("points", "int32", "points scored in the round (D11, P9)", True),
    Column("decisions", "int64", "decisions of all players"),
    Column("turns", "int64", "turns begun (C12)"),
    Column("blocked", "bool", "whether the round was blocked (C12)"),
    Column("capped", "bool", "whether it was capped (C12)"),
    *BY_SEAT,
    *OF_THE_ROUND,
)
"""The columns of `rounds`, in their order."""

_OVER_ROUNDS = {"longest_volley": "the largest of the rounds"}

GAME_COLUMNS = (
    *_ROW,
    *_WINNER,
    Column("score", "int32", "final total (C14)", True),
    Column("rounds", "int64", "rounds played"),
    Column("decisions", "int64", "decisions of all players"),
    *(
        Column(
            column.name,
            "int32",
            _OVER_ROUNDS.get(column.name, "the sum of the rounds"),
            column.by_seat,
        )
        for column in (*BY_SEAT, *OF_THE_ROUND)
        if column.name != "start_card"
    ),
)
"""The columns of `games`, in their order."""


@cache
def counted_names(num_players: int) -> tuple[str, ...]:
    """Return the names of the columns that `write_counts` writes, in their order."""
    columns = (*BY_SEAT, *OF_THE_ROUND)
    return tuple(name for column in columns for name in column.names(num_players))


@compiled(apart=True)
def write_counts(
    rows: Any, tallies: Any, states: Any, rules: Any, num_players: Any, numbers: Any
) -> Any:
    """Write what was counted in some rounds that are over; return the largest number.

    `rows` are places in `tallies` and `states`. The columns of `numbers`, int32 `[N, C]`, are
    `BY_SEAT` and `OF_THE_ROUND`.
    """
    largest = 0
    for i in range(len(rows)):
        tally, hand_sizes = tallies[rows[i]], states[rows[i]].hand_sizes
        counts = tally.counts
        dips = 0
        for seat in range(num_players):
            drawn = hand_sizes[seat] + cards_left(counts, seat) - rules.hand_size
            largest = max(largest, drawn)
            numbers[i, seat] = drawn
            dips += counts[seat, DIPS]
        column = num_players
        for place in _PLACES_BY_SEAT:
            for seat in range(num_players):
                number = counts[seat, place]
                largest = max(largest, number)
                numbers[i, column] = number
                column += 1
        numbers[i, column] = tally.volleys
        numbers[i, column + 1] = tally.longest_volley
        numbers[i, column + 2] = dips
        numbers[i, column + 3] = tally.recyclings
        numbers[i, column + 4] = tally.start_card
        largest = max(largest, tally.volleys, tally.longest_volley, dips, tally.recyclings)
    return largest


@compiled
def add_counts(rows: Any, numbers: Any, totals: Any) -> None:
    """Add the numbers of some rounds, `[N, C]`, to those of their games, int32 `[games, C]`.

    `rows` are the games. Of the longest volleys the largest is kept; start cards are left out.
    """
    start_card = numbers.shape[1] - 1
    longest = start_card - 3
    for i in range(len(rows)):
        total = totals[rows[i]]
        longest_volley = max(total[longest], numbers[i, longest])
        for column in range(start_card):
            total[column] += numbers[i, column]
        total[longest] = longest_volley


def counts_of(rows: Any, tallies: Any, states: Any, rules: Any, num_players: int) -> Any:
    """Return what was counted in some rounds that are over, `[N, C]`.

    It is int16, and int32 where a number is too large for that, as in rounds without end.
    """
    numbers = np.empty((len(rows), len(counted_names(num_players))), np.int32)
    largest = write_counts(rows, tallies, states, rules, num_players, numbers)
    return numbers if largest > np.iinfo(np.int16).max else numbers.astype(np.int16)


def as_columns(numbers: Any, num_players: int) -> dict[str, Any]:
    """Return counts `[N, C]` as columns by name; those of games have no start card."""
    names = counted_names(num_players)[: numbers.shape[1]]
    return dict(zip(names, np.ascontiguousarray(numbers.T), strict=True))
