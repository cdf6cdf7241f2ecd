"""Whose turn it is: seats, direction, the beginning of a turn (C12)."""

from __future__ import annotations

from typing import Any

from uno_sim.bit_sets import as_index
from uno_sim.compilation import compiled
from uno_sim.rules.scoring import end_capped_round
from uno_sim.state import Phase

TURN = int(Phase.TURN)


@compiled
def next_player(state: Any, player: Any) -> Any:
    """Return the seat that follows `player` in the direction of play."""
    if state.num_players == 2:
        return as_index(1 - player)
    following = player + state.direction
    if following < 0:
        following += state.num_players
    if following >= state.num_players:
        following -= state.num_players
    return as_index(following)


@compiled
def ask(state: Any, player: Any, phase: Any) -> None:
    """Ask `player` for the decision of `phase`."""
    state.current_player = player
    state.phase = phase


@compiled
def begin_turn(state: Any, rules: Any, player: Any) -> None:
    """Begin the turn of `player`; cap the round where it has had its turns (C12)."""
    if state.turns >= rules.max_turns:
        end_capped_round(state, rules)
        return
    state.turns += 1
    ask(state, player, TURN)
