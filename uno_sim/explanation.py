"""Why an action is illegal, in words. The rules decide what is legal; this only explains it."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.actions import ACTION_NAMES, NUM_ACTIONS
from uno_sim.cards import (
    CARD_NAMES,
    COLORS,
    NUM_COLORED_KINDS,
    NUM_SYMBOLS,
    REVERSE,
    kind_of,
)
from uno_sim.rule_set import RuleSet
from uno_sim.rules.playability import is_playable
from uno_sim.state import Phase


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; nothing was changed."""


_PHASES_OF_ACTION = {
    actions.PASS: (Phase.DRAWN,),
    actions.DRAW: (Phase.TURN,),
    actions.KEEP: (Phase.DRAFT,),
    actions.REJECT: (Phase.DRAFT,),
    actions.TAKE: (Phase.VOLLEY, Phase.CHALLENGE),
    actions.CHALLENGE: (Phase.CHALLENGE,),
    actions.UNO: (Phase.UNO,),
    actions.SILENT: (Phase.UNO,),
    actions.CATCH: (Phase.CATCH,),
    actions.IGNORE: (Phase.CATCH,),
}


def phases_of(action: int) -> tuple[Phase, ...]:
    """Return the phases in which an action can answer the question at all."""
    if action < actions.DRAW:
        if action < NUM_COLORED_KINDS and action % NUM_SYMBOLS == NUM_SYMBOLS - 1:
            return (Phase.TURN, Phase.DRAWN, Phase.VOLLEY)
        return (Phase.TURN, Phase.DRAWN)
    if action >= actions.GIVE:
        return (Phase.GIVE,)
    if action >= actions.NAME_COLOR:
        return (Phase.CHOOSE_COLOR,)
    return _PHASES_OF_ACTION[action]


def explain_illegal(state: Any, rules: RuleSet, action: int, legal: list[str]) -> str:
    """Return a sentence that names the action, the phase, the reason, and what is legal."""
    phase = Phase(int(state.phase))
    if not 0 <= action < NUM_ACTIONS:
        return f"action {action}: an action is an integer from 0 to {NUM_ACTIONS - 1}"
    name = ACTION_NAMES[action]
    if not legal:
        return f"{name} is not legal: the round is over ({phase.name})"
    reason = why_illegal(state, rules, action)
    return (
        f"{name} is not legal for seat {int(state.current_player)} in {phase.name}: {reason}; "
        f"legal: {' '.join(legal)}"
    )


def why_illegal(state: Any, rules: RuleSet, action: int) -> str:
    """Return why an action is not legal now, for the player who is asked.

    `state` may be what that player observes.
    """
    phase = Phase(int(state.phase))
    if phase not in phases_of(action):
        if phase == Phase.VOLLEY and action < actions.DRAW:
            return "only a draw card answers a draw card (D8)"
        where = " or ".join(possible.name for possible in phases_of(action))
        return f"it answers {where}, not {phase.name}"
    if action >= actions.GIVE:
        kind = action - actions.GIVE
    elif action >= actions.LAY_WILD:
        kind = int(actions.wild_of(action))
    elif action >= actions.DUMP:
        kind = action - actions.DUMP
    else:
        kind = action
    card = CARD_NAMES[kind]
    if state.hands[state.current_player][kind] == 0:
        return f"no {card} is held"
    if action >= actions.GIVE:
        return "the rule set does not let a dip give this card (P6)"
    if actions.DUMP <= action < actions.LAY_WILD:
        return _dump_reason(state, rules, kind)
    if phase == Phase.DRAWN and kind != state.drawn_card:
        return f"only the card just drawn, {CARD_NAMES[state.drawn_card]}, may be laid (C3)"
    if not is_playable(state, kind):
        color = int(state.active_color)
        active = f" and the active color {COLORS[color]}" if color >= 0 else ""
        return f"{card} does not match the top card {CARD_NAMES[state.top_card]}{active} (C1)"
    return "the rules do not allow it here"


def _dump_reason(state: Any, rules: RuleSet, last: int) -> str:
    if rules.reverse != "dump":
        return f"{rules.name} has no dumps (D9)"
    color = last // NUM_SYMBOLS
    reverse = kind_of(color, REVERSE)
    if state.phase == Phase.DRAWN and state.drawn_card != reverse:
        return "only a Reverse just drawn may start a dump here (C3, D9)"
    hand = state.hands[state.current_player]
    others = int(sum(hand[color * NUM_SYMBOLS :][:NUM_SYMBOLS])) - int(hand[reverse])
    if last == reverse and others > 0 and is_playable(state, reverse):
        return "the Reverse that goes first cannot be the last card too (D9)"
    return (
        f"a dump needs a playable Reverse of color {COLORS[color]} with another card of it, "
        "or an open Reverse of that color (D9)"
    )
