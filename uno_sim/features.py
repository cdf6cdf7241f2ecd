"""Features: an observation as a float32 vector of documented layout, for learning agents.

`uno_sim.feature_layout` tells what stands where.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.cards import (
    MAX_CARDS,
    NO_CARD,
    NUM_COLORED_KINDS,
    NUM_COLORS,
    NUM_KINDS,
    NUM_SYMBOLS,
    SKIP,
    WILD_DRAW,
    color_of,
    is_wild,
    symbol_of,
)
from uno_sim.compilation import compiled
from uno_sim.feature_layout import (
    BLOCKS,
    CARD_SIZE,
    COLOR_OF_CODE,
    EVENT_SIZE,
    EVENT_TYPES,
    FEATURES_VERSION,
    LAST_EVENTS,
    NEXT_CARDS,
    NUM_FEATURES,
    STARTS,
    SYMBOL_OF_CODE,
    TYPE_OF_CODE,
    feature_name,
    feature_table,
)
from uno_sim.knowledge.memory import JUST_DRAWN, RECYCLING
from uno_sim.observation import Observation
from uno_sim.rule_set import GIVE_DRAWN, GIVE_OTHER, MAX_PLAYERS
from uno_sim.state import NO_SEAT, NUM_EVENTS

__all__ = [
    "BLOCKS",
    "FEATURES_VERSION",
    "NUM_FEATURES",
    "STARTS",
    "encode",
    "feature_name",
    "feature_table",
    "write_features",
    "write_many_features",
]

_LEGAL = STARTS["legal"]
_PHASE = STARTS["phase"]
_HAND = STARTS["hand"]
_OWN_CARD = STARTS["own_card"]
_TOP_CARD = STARTS["top_card"]
_ACTIVE_COLOR = STARTS["active_color"]
_TOP_BEFORE = STARTS["top_before"]
_COLOR_BEFORE = STARTS["color_before"]
_TO_MOVE = STARTS["to_move"]
_ACTOR = STARTS["actor"]
_FIRST = STARTS["first"]
_TABLE = STARTS["table"]
_HAND_SIZES = STARTS["hand_sizes"]
_UNSEEN = STARTS["unseen"]
_KNOWN_HANDS = STARTS["known_hands"]
_NEXT_CARDS = STARTS["next_cards"]
_KNOWN_PILE = STARTS["known_pile"]
_DREW_ON = STARTS["drew_on"]
_EVENTS = STARTS["events"]
_SCORES = STARTS["scores"]
_GAME = STARTS["game"]
_PLAYERS = STARTS["players"]
_OPTIONS_START = STARTS["options"]
_HALF = np.float32(0.5)
_WORTH_OF_DEPTH = (0.97 ** np.arange(MAX_CARDS) / 2).astype(np.float32)
"""What a card counts by its depth in the pile; sums of them tell the depths."""


def encode(observation: Observation) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the features of an observation, float32 array `[NUM_FEATURES]`."""
    features = np.zeros(NUM_FEATURES, np.float32)
    write_features(observation.record, observation.player, observation.rules.record, features)
    return features


@compiled(announce="uno_sim: compiling the features, once: about 2 s", apart=True)
def write_features(observation: Any, player: Any, rules: Any, features: Any) -> None:
    """Write the features of the observation record of `player`, all of `features` anew.

    `features` is a float32 array `[NUM_FEATURES]`.
    """
    for place in range(NUM_FEATURES):
        features[place] = 0.0
    write_question(observation, player, features)
    write_table(observation, player, features)
    write_known_cards(observation, player, features)
    write_history(observation, player, features)
    write_rules(observation, player, rules, features)


@compiled(announce="uno_sim: compiling the features, once: about 2 s")
def write_many_features(observations: Any, rules: Any, features: Any) -> None:
    """Write the features of many observation records, each of the player who is asked.

    `observations` is `[N]`, `rules` one rule set's record, `features` float32 `[N, NUM_FEATURES]`.
    """
    for number in range(len(observations)):
        observation = observations[number]
        write_features(observation, observation.current_player, rules, features[number])


@compiled
def seat_from(observation: Any, player: Any, seat: Any) -> Any:
    """Return a seat counted from the observer on."""
    steps = np.int64(seat) - player
    return steps if steps >= 0 else steps + observation.num_players


@compiled
def mark(features: Any, start: Any, index: Any) -> None:
    """Set one feature of a block to 1; none for a negative index."""
    if index >= 0:
        features[start + np.int64(index)] = 1.0


@compiled
def mark_card(features: Any, start: Any, card: Any) -> None:
    """Set the features of a card to 1, where there is one."""
    kind = np.int64(card)
    if kind == NO_CARD:
        return
    if is_wild(kind):
        features[start + NUM_COLORS + NUM_SYMBOLS + kind - NUM_COLORED_KINDS] = 1.0
    else:
        features[start + color_of(kind)] = 1.0
        features[start + NUM_COLORS + symbol_of(kind)] = 1.0


@compiled
def mark_seat(observation: Any, player: Any, features: Any, start: Any, seat: Any) -> None:
    """Set the feature of a seat to 1, where there is one."""
    if seat != NO_SEAT:
        features[start + seat_from(observation, player, seat)] = 1.0


@compiled
def write_question(observation: Any, player: Any, features: Any) -> None:
    """Write what is asked, and the own cards."""
    for word in range(len(observation.legal)):
        bits = observation.legal[word]
        while bits != EMPTY:
            features[_LEGAL + word * 64 + lowest(bits)] = 1.0
            bits = without_lowest(bits)
    mark(features, _PHASE, observation.phase)
    held = observation.held[player]
    while held != EMPTY:
        kind = lowest(held)
        features[_HAND + kind] = 0.5 * observation.hands[player, kind]
        held = without_lowest(held)
    mark_card(features, _OWN_CARD, observation.offered_card)
    mark_card(features, _OWN_CARD, observation.drawn_card)


@compiled
def write_table(observation: Any, player: Any, features: Any) -> None:
    """Write what lies on the table, whose turn it is, and how many cards there are."""
    mark_card(features, _TOP_CARD, observation.top_card)
    mark(features, _ACTIVE_COLOR, observation.active_color)
    mark_card(features, _TOP_BEFORE, observation.top_before)
    mark(features, _COLOR_BEFORE, observation.color_before)
    mark_seat(observation, player, features, _TO_MOVE, observation.current_player)
    mark_seat(observation, player, features, _ACTOR, observation.actor)
    mark_seat(observation, player, features, _FIRST, observation.first)
    features[_TABLE] = observation.direction
    features[_TABLE + 1] = 1.0 if observation.open_reverse else 0.0
    features[_TABLE + 2] = 1.0 if observation.dumped else 0.0
    features[_TABLE + 3] = observation.pending / 10
    features[_TABLE + 4] = observation.passes / 5
    features[_TABLE + 5] = observation.draw_size / 100
    features[_TABLE + 6] = observation.known_size / 100
    features[_TABLE + 7] = observation.discard_size / 100
    features[_TABLE + 8] = observation.turns / 100
    for seat in range(observation.num_players):
        place = seat_from(observation, player, seat)
        features[_HAND_SIZES + place] = observation.hand_sizes[seat] / 10
        features[_SCORES + place] = observation.scores[seat]


@compiled
def write_known_cards(observation: Any, player: Any, features: Any) -> None:
    """Write what is known of the other hands and of the pile, and what is not known at all."""
    # Numbers as float32 from the start, so that the processor works on many kinds at once.
    for kind in range(NUM_KINDS):
        known = np.float32(observation.hands[player, kind])
        known -= np.float32(observation.shown[player, kind])
        features[_UNSEEN + kind] = -_HALF * known
    for epoch in range(observation.epoch + 1):
        for kind in range(NUM_KINDS):
            features[_UNSEEN + kind] += _HALF * np.float32(observation.pool[epoch, kind])
    if observation.offered_card != NO_CARD:
        features[_UNSEEN + np.int64(observation.offered_card)] -= _HALF
    for step in range(1, observation.num_players):
        seat = (player + step) % observation.num_players
        start = _KNOWN_HANDS + (step - 1) * NUM_KINDS
        for kind in range(NUM_KINDS):
            features[start + kind] = _HALF * np.float32(observation.shown[seat, kind])
        if observation.num_players == 2:
            break  # what one knows of the other, both know
        for kind in range(NUM_KINDS):
            seen = _HALF * np.float32(observation.seen[player, seat, kind])
            features[start + kind] += seen
            features[_UNSEEN + kind] -= seen
    for number in range(min(NEXT_CARDS, observation.draw_size)):
        height = observation.draw_size - 1 - number
        if height < observation.known_size:
            mark_card(features, _NEXT_CARDS + number * CARD_SIZE, observation.draw_pile[height])
    for height in range(observation.known_size):
        depth = observation.draw_size - 1 - height
        kind = int(observation.draw_pile[height])
        features[_KNOWN_PILE + kind] += _WORTH_OF_DEPTH[depth]


@compiled
def write_history(observation: Any, player: Any, features: Any) -> None:
    """Write who drew on which color how long ago, and the last events."""
    for seat in range(observation.num_players):
        place = _DREW_ON + seat_from(observation, player, seat) * NUM_COLORS
        for color in range(NUM_COLORS):
            turn = observation.drew_on[seat, color]
            if turn > 0:
                features[place + color] = 1.0 / (1 + observation.turns - turn)
    for number in range(min(LAST_EVENTS, observation.num_events)):
        event = observation.events[(observation.num_events - 1 - number) % NUM_EVENTS]
        write_event(observation, player, event, features, _EVENTS + number * EVENT_SIZE)


@compiled
def write_event(observation: Any, player: Any, event: Any, features: Any, start: Any) -> None:
    """Write one event at the index `start`."""
    code = np.int64(event[1])
    if code != RECYCLING:
        mark_seat(observation, player, features, start, np.int64(event[0]))
    types = start + MAX_PLAYERS
    colors = types + len(EVENT_TYPES)
    symbols = colors + NUM_COLORS
    features[types + TYPE_OF_CODE[code]] = 1.0
    mark(features, colors, COLOR_OF_CODE[code])
    mark(features, symbols, SYMBOL_OF_CODE[code])
    numbers = symbols + NUM_SYMBOLS
    scale = np.float32(0.01 if code == RECYCLING else 0.25)
    features[numbers] = scale * np.float32(event[2])
    features[numbers + 1] = scale * np.float32(event[3] % JUST_DRAWN)
    guilty = code == actions.CHALLENGE and event[2] > 0
    features[numbers + 2] = 1.0 if event[3] >= JUST_DRAWN or guilty else 0.0


@compiled
def write_rules(observation: Any, player: Any, rules: Any, features: Any) -> None:
    """Write the game's standing and the options of the rule set that matter."""
    for seat in range(observation.num_players):
        features[_SCORES + seat] /= rules.target
    features[_GAME] = rules.target / 200
    features[_GAME + 1] = observation.round_number / 10
    mark(features, _PLAYERS, observation.num_players - 2)
    start = _OPTIONS_START
    features[start] = rules.deal
    features[start + 1] = rules.hand_size / 7
    features[start + 2] = rules.scorer
    features[start + 3] = rules.draw_penalty / 4
    features[start + 4] = rules.wild_draw_penalty / 4
    features[start + 5] = rules.failed_challenge_extra / 4
    features[start + 6] = rules.uno_penalty / 4
    features[start + 7] = rules.recycle
    features[start + 8] = 1.0 if rules.stack_draws else 0.0
    features[start + 9] = rules.reverse
    features[start + 10] = rules.lone_reverse
    features[start + 11] = 1.0 if rules.reverse_last_opens else 0.0
    features[start + 12] = rules.challenge_judges
    features[start + 13] = 1.0 if rules.same_wild_draw_counts else 0.0
    features[start + 14] = rules.after_won_challenge
    features[start + 15] = 1.0 if rules.last_card_draws else 0.0
    features[start + 16] = rules.start_wild_named_by
    features[start + 17] = 1.0 if rules.dip_gives == GIVE_DRAWN else 0.0
    features[start + 18] = 1.0 if rules.dip_gives == GIVE_OTHER else 0.0
    features[start + 19] = 1.0 - rules.uno_calls
    features[start + 20] = rules.card_values[SKIP] / 50
    features[start + 21] = rules.card_values[WILD_DRAW] / 50
