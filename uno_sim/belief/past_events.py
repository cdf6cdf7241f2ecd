"""What the remembered events tell of the table before one of them (C1, C8, C12, D8, D9).

All functions read the ring of public events of an observation; an event is named by its number
(`knowledge.memory`).
"""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.cards import DRAW, NO_CARD, NO_COLOR, REVERSE, color_of, is_wild, symbol_of
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import FORCED_DRAW, RECYCLING
from uno_sim.rule_set import DUMPS
from uno_sim.state import NUM_EVENTS

NO_EVENT = -1


@compiled
def first_remembered(observation: Any) -> Any:
    """Return the number of the oldest event in the ring."""
    return max(0, observation.num_events - NUM_EVENTS)


@compiled
def code_of(observation: Any, number: Any) -> Any:
    """Return the code of an event: an action, or a code of `knowledge.memory`."""
    return 0 + observation.events[number % NUM_EVENTS, 1]


@compiled
def is_laying(code: Any) -> Any:
    """Return whether a code is that of laying cards."""
    return code < actions.DRAW


@compiled
def last_kind_laid(code: Any) -> Any:
    """Return the kind that a laying leaves on top."""
    if code < actions.DUMP:
        return code - actions.LAY
    if code < actions.LAY_WILD:
        return code - actions.DUMP
    return actions.wild_of(code)


@compiled
def color_laid(code: Any) -> Any:
    """Return the color in force after a laying."""
    return actions.color_named(code) if code >= actions.LAY_WILD else color_of(last_kind_laid(code))


@compiled
def is_draw_card(kind: Any) -> Any:
    """Return whether a kind is a colored draw card."""
    return not is_wild(kind) and symbol_of(kind) == DRAW


@compiled
def laying_before(observation: Any, number: Any) -> Any:
    """Return the number of the last laying before an event, `NO_EVENT` where none is remembered."""
    first = first_remembered(observation)
    while number > first:
        number -= 1
        if is_laying(code_of(observation, number)):
            return number
    return NO_EVENT


@compiled
def deed_before(observation: Any, number: Any) -> Any:
    """Return the number of the last event before one that is no call, catch, penalty or recycling.

    `NO_EVENT` where none is remembered.
    """
    first = first_remembered(observation)
    while number > first:
        number -= 1
        code = code_of(observation, number)
        if code in (FORCED_DRAW, RECYCLING) or actions.UNO <= code <= actions.IGNORE:
            continue
        return number
    return NO_EVENT


@compiled
def volley_start(observation: Any, number: Any) -> Any:
    """Return the last deed before an event that is no draw card; `NO_EVENT` if none is known."""
    deed = deed_before(observation, number)
    while deed != NO_EVENT and lays_draw_card(code_of(observation, deed)):
        deed = deed_before(observation, deed)
    return deed


@compiled
def pending_before(observation: Any, rules: Any, number: Any) -> Any:
    """Return how many cards the volley before an event has come to, 0 for none (D8)."""
    pending = 0
    if not rules.stack_draws:
        return pending
    deed = deed_before(observation, number)
    while deed != NO_EVENT and lays_draw_card(code_of(observation, deed)):
        pending += rules.draw_penalty
        deed = deed_before(observation, deed)
    return pending


@compiled
def lays_draw_card(code: Any) -> Any:
    """Return whether a code is that of laying a colored draw card on top."""
    return is_laying(code) and is_draw_card(last_kind_laid(code))


@compiled
def is_open_before(observation: Any, rules: Any, number: Any, top_card: Any) -> Any:
    """Return whether a Reverse lay open when a turn began that an event ended (D6, D9)."""
    if rules.reverse != DUMPS or is_wild(top_card) or symbol_of(top_card) != REVERSE:
        return False
    deed = deed_before(observation, number)
    if deed == NO_EVENT:
        return True
    code = code_of(observation, deed)
    if code in (actions.KEEP, actions.REJECT):
        return True
    return actions.DUMP <= code < actions.LAY_WILD and rules.reverse_last_opens


@compiled
def passes_before(observation: Any, number: Any) -> Any:
    """Return how many turns in a row had brought no card before an event (C12)."""
    passes = 0
    deed = deed_before(observation, number)
    while deed != NO_EVENT:
        event = observation.events[deed % NUM_EVENTS]
        if event[1] != actions.DRAW or event[2] > 0:
            break
        passes += 1
        deed = deed_before(observation, deed)
    return passes


@compiled
def color_before(observation: Any, number: Any, top_card: Any) -> Any:
    """Return the color in force before an event with `top_card` on top; `NO_COLOR` if unknown."""
    first = first_remembered(observation)
    while number > first:
        number -= 1
        code = code_of(observation, number)
        if is_laying(code):
            return color_laid(code)
        if actions.NAME_COLOR <= code < actions.GIVE:
            return code - actions.NAME_COLOR
    if top_card == NO_CARD or is_wild(top_card):
        return NO_COLOR
    return color_of(top_card)


@compiled
def was_caught(observation: Any, number: Any) -> Any:
    """Return whether a silence was caught between the last laying and an event (C4)."""
    caught = False
    for later in range(laying_before(observation, number) + 1, number):
        caught |= code_of(observation, later) == actions.CATCH
    return caught


@compiled
def ends_call(observation: Any, number: Any) -> Any:
    """Return whether the card acts after an event of the UNO call (C4).

    That is so after a call, a catch, and when the last opponent lets a silence pass.
    """
    code = code_of(observation, number)
    if code != actions.IGNORE:
        return code in (actions.UNO, actions.CATCH)
    asked = 0
    first = first_remembered(observation)
    while number >= first and code_of(observation, number) == actions.IGNORE:
        asked += 1
        number -= 1
    return asked == observation.num_players - 1
