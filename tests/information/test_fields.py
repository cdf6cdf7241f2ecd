"""Every field of the record declares who may see it, and what is visible is really shown.

`IN_FEATURES` says of each field which blocks of the features hold it, or that none does: whoever
adds a field to the record says so here too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.rules.positions import play, pocket
from uno_sim import Game
from uno_sim.features import BLOCKS, STARTS, encode
from uno_sim.state import FIELDS, STATE_DTYPE, Field, Phase, Visibility, fields_seen_by

IN_FEATURES: dict[str, set[str]] = {
    "scores": {"scores"},
    "turns": {"table", "drew_on"},
    "passes": {"table"},
    "pending": {"table"},
    "round_number": {"game"},
    "discard_size": {"table"},
    "draw_size": {"table"},
    "num_players": {"players"},
    "phase": {"phase"},
    "current_player": {"to_move"},
    "direction": {"table"},
    "first": {"first"},
    "top_card": {"top_card"},
    "active_color": {"active_color"},
    "open_reverse": {"table"},
    "actor": {"actor"},
    "dumped": {"table"},
    "top_before": {"top_before"},
    "color_before": {"color_before"},
    "hand_sizes": {"hand_sizes"},
    "known_size": {"table"},
    "events": {"events"},
    "drew_on": {"drew_on"},
    "shown": {"known_hands"},
    "pool": {"unseen"},
    "held": {"hand"},
    "hands": {"hand", "unseen"},
    "seen": {"known_hands", "unseen"},
    "legal": {"legal"},
    "offered_card": {"own_card", "unseen"},
    "drawn_card": {"own_card"},
    "draw_pile": {"next_cards", "known_pile"},
}
NOT_IN_FEATURES = {
    # only said once the round is over
    *("points", "round_winner", "winner", "blocked", "capped"),
    # in the features by way of other fields
    *("deck", "discard_pile", "num_events", "epoch"),
    # fine points of what is known, left to determinization
    *("slots", "drawn_shown", "event_notes", "judged_apart", "judged_shown", "judged_card"),
    *("num_doubts", "num_ways", "doubts", "way_epochs", "way_weights", "possible_ways"),
    *("next_gift", "gifts", "known_gifts", "traces", "not_from"),
}
OBSERVER = 0


def a_game() -> Game:
    """Return a position of seat 0's turn in which every visible field can be changed."""
    text = """
    hands: R1 R2 WD | B1 B2 B3 | G1 G2 G3
    draw: Y1 Y2 Y3 Y4 Y5 Y6
    discard: G9 G8 R9
    """
    return play(pocket(text, recycle="turn_over"), "draw", "draw", "draw")


def other_value(field: Field, state: Any) -> Any:
    """Return a value of a field with one number changed: one that the observer may see."""
    value = np.array(state[field.name])
    place: Any = ()
    if field.name in ("held", "judged_card"):
        place = OBSERVER
    elif field.name == "hands":
        place = OBSERVER, 0
    elif field.name == "seen":
        place = OBSERVER, 1, 0
    elif field.name == "shown":
        place = 1, 0
    elif field.name == "events":
        place = (state.num_events - 1) % len(value), 0
    elif field.name == "draw_pile":
        place = state.draw_size - 1
    elif field.shape:
        place = (0,) * len(field.shape)
    # Seats, cards and colors stay possible ones.
    value[place] = value[place] ^ 1 if value.dtype != np.bool_ else not value[place]
    if field.name == "direction":
        value[place] = -state.direction
    return value


def knowing_game() -> Game:
    """Return the game with a few more things in its record, so that each field counts."""
    game = a_game()
    state = game.state
    state.known_size = state.draw_size
    state.offered_card = 20
    state.drawn_card = 21
    state.first, state.actor = 0, 0
    state.drew_on[0, 0] = 2
    state.turns = 4
    state.top_before, state.color_before = 8, 0
    state.events[:] = 0
    state.round_winner, state.winner = 0, 0
    state.judged_card[:] = 4
    state.judged_shown, state.drawn_shown = 4, 4
    state.hands[OBSERVER, 0] = 2
    state.held[OBSERVER] |= np.uint64(1)
    return game


@pytest.mark.parametrize("name", [f.name for f in FIELDS if f.visibility != Visibility.HIDDEN])
def test_what_differs_in_a_visible_field_is_seen(name):
    (field,) = (field for field in FIELDS if field.name == name)
    one, other = knowing_game(), knowing_game()
    assert one.current_player == OBSERVER and one.phase == Phase.TURN
    other.state[name] = other_value(field, one.state)
    if name == "num_players":
        other.state[name] = 2
    views = [game.observation(OBSERVER) for game in (one, other)]
    assert views[0].record.tobytes() != views[1].record.tobytes()
    assert views[0].information_state() != views[1].information_state()
    features = [encode(view) for view in views]
    blocks = {
        block.name
        for block in BLOCKS
        if not np.array_equal(*(f[STARTS[block.name] :][: block.size] for f in features))
    }
    if name in IN_FEATURES:
        assert IN_FEATURES[name] <= blocks
    else:
        assert name in NOT_IN_FEATURES


@pytest.mark.parametrize("name", [f.name for f in FIELDS if f.visibility == Visibility.HIDDEN])
def test_what_differs_in_a_hidden_field_is_not_seen(name):
    one, other = knowing_game(), knowing_game()
    other.state[name] = other.state[name] ^ np.uint64(1)
    views = [game.observation(OBSERVER) for game in (one, other)]
    assert views[0].record.tobytes() == views[1].record.tobytes()


@pytest.mark.parametrize("name", [f.name for f in FIELDS if f.visibility == Visibility.OWN])
def test_another_seats_row_of_an_own_field_is_not_seen(name):
    (field,) = (field for field in FIELDS if field.name == name)
    one, other = knowing_game(), knowing_game()
    value = np.array(one.state[name])
    value[1] ^= 1
    value[2] ^= 1
    other.state[field.name] = value
    views = [game.observation(OBSERVER) for game in (one, other)]
    assert views[0].record.tobytes() == views[1].record.tobytes()


def test_every_field_says_whether_the_features_hold_it():
    visible = {field.name for field in FIELDS if field.visibility != Visibility.HIDDEN}
    assert set(IN_FEATURES) | NOT_IN_FEATURES == visible
    assert not set(IN_FEATURES) & NOT_IN_FEATURES


def test_a_field_without_a_visibility_cannot_be_declared():
    with pytest.raises(TypeError, match="visibility"):
        Field(name="secret", dtype=np.int8, shape=(), blank=0, meaning="a secret")


def test_the_record_is_made_from_the_table_alone():
    by_visibility = [
        field.name
        for rare in (False, True)
        for seen in Visibility
        for field in fields_seen_by(seen, rare)
    ]
    assert sorted(STATE_DTYPE.names) == sorted(by_visibility)
    assert len(set(by_visibility)) == len(FIELDS)
    for field in FIELDS:
        assert isinstance(field.visibility, Visibility) and field.meaning
