"""Undoing public events in a record of the table, one by one, the newest first.

The record holds what everybody can see; hands are none of it. `can_undo` tells where the past
cannot be told from what is remembered; all else is called with events that can be undone.
"""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.belief.past_events import (
    NO_EVENT,
    code_of,
    color_before,
    ends_call,
    first_remembered,
    is_draw_card,
    is_laying,
    is_open_before,
    last_kind_laid,
    laying_before,
    passes_before,
    pending_before,
    volley_start,
    was_caught,
)
from uno_sim.cards import NO_CARD, NO_COLOR, NUM_KINDS, REVERSE, WILD_DRAW, is_wild, symbol_of
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import FORCED_DRAW, JUST_DRAWN, RECYCLING
from uno_sim.rule_set import DUMPS, EXPLICIT_CALLS
from uno_sim.rules.dealing import DRAFT
from uno_sim.rules.effects import CHALLENGE, VOLLEY
from uno_sim.rules.laying import DRAWN
from uno_sim.rules.start_card import CHOOSE_COLOR
from uno_sim.rules.turn_order import TURN
from uno_sim.rules.uno_call import CATCH, UNO
from uno_sim.state import NO_SEAT, NUM_EVENTS


@compiled
def can_undo(observation: Any, number: Any) -> Any:
    """Return whether the table before an event can be told from what is remembered."""
    code = code_of(observation, number)
    if code in (RECYCLING, actions.GIVE):
        return False
    if code in (actions.KEEP, actions.REJECT):
        return draft_discard(observation, number) != NO_CARD
    if code == FORCED_DRAW or actions.NAME_COLOR <= code < actions.GIVE:
        return True
    if first_remembered(observation) > 0 and is_blurred(observation, number):
        return False
    if code == actions.DRAW and number > 0:
        # Where the discards were recycled for it, the piles were others.
        return code_of(observation, number - 1) != RECYCLING
    return True


@compiled
def is_blurred(observation: Any, number: Any) -> Any:
    """Return whether forgotten events matter for the table before one: a volley, the top cards."""
    former = laying_before(observation, number)
    if former == NO_EVENT or laying_before(observation, former) == NO_EVENT:
        return True
    return volley_start(observation, number) == NO_EVENT


@compiled(apart=True)
def undo(observation: Any, rules: Any, number: Any, now: Any) -> None:
    """Make the table after an event the one before it, where its player was asked.

    Cards drawn by force, which nobody was asked about, are laid back only.
    """
    event = observation.events[number % NUM_EVENTS]
    seat = event[0]
    code = code_of(observation, number)
    forget_event(now)
    if code == FORCED_DRAW:
        lay_back(now, seat, event[2], event[3])
        return
    if code in (actions.KEEP, actions.REJECT):
        undo_pick(observation, number, now)
        return
    if now.phase == TURN:
        now.turns -= 1
    now.open_reverse = False
    now.pending = 0
    now.judged_apart = False
    if is_laying(code):
        undo_laying(observation, rules, number, now)
    elif code == actions.DRAW:
        lay_back(now, seat, event[2], event[3])
        now.phase = TURN
        now.open_reverse = is_open_before(observation, rules, number, now.top_card)
        now.passes = passes_before(observation, number)
    elif code >= actions.NAME_COLOR:
        now.phase = CHOOSE_COLOR
        now.active_color = NO_COLOR
    elif code >= actions.UNO:
        undo_call(observation, rules, number, now)
    else:
        undo_answer(observation, rules, number, now)
    now.current_player = seat


@compiled
def forget_event(now: Any) -> None:
    """Take the newest event off the ring."""
    now.num_events -= 1
    now.events[now.num_events % NUM_EVENTS] = 0
    now.event_notes[now.num_events % NUM_EVENTS] = 0


@compiled
def lay_back(now: Any, seat: Any, cards: Any, known: Any) -> None:
    """Put drawn cards back on the pile; of those that all knew the lowest shown ones."""
    now.hand_sizes[seat] -= cards
    for number in range(cards):
        kind = NO_CARD
        if number < known:
            for shown in range(NUM_KINDS):
                if now.shown[seat, shown] > 0:
                    kind = shown
                    now.shown[seat, shown] -= 1
                    break
        now.draw_pile[now.draw_size] = kind
        now.draw_size += 1
        if kind != NO_CARD:
            now.known_size = now.draw_size
        elif now.slots[seat, now.epoch] > 0:
            now.slots[seat, now.epoch] -= 1
    now.drawn_shown = NO_CARD


@compiled
def undo_laying(observation: Any, rules: Any, number: Any, now: Any) -> None:
    """Take the cards of a laying back into the hand (C4, D9)."""
    event = observation.events[number % NUM_EVENTS]
    seat = event[0]
    if now.hand_sizes[seat] != 1 or rules.uno_calls != EXPLICIT_CALLS:
        turn_back(now, rules)
    just_drawn = event[3] >= JUST_DRAWN
    known = event[3] % JUST_DRAWN
    for _ in range(event[2]):
        now.discard_size -= 1
        kind = now.discard_pile[now.discard_size]
        now.discard_pile[now.discard_size] = NO_CARD
        now.hand_sizes[seat] += 1
        if known > 0:
            now.shown[seat, kind] += 1
            known -= 1
        else:
            now.slots[seat, now.epoch] += 1
            now.pool[now.epoch, kind] += 1
    now.top_card = now.discard_pile[now.discard_size - 1]
    now.active_color = color_before(observation, number, now.top_card)
    former = laying_before(observation, number)
    if former == NO_EVENT:
        now.actor = observation.first
        now.dumped = False
        now.top_before = NO_CARD
        now.color_before = NO_COLOR
    else:
        write_former(observation, former, now)
    now.pending = pending_before(observation, rules, number)
    now.open_reverse = is_open_before(observation, rules, number, now.top_card)
    now.passes = passes_before(observation, number)
    now.phase = TURN
    if just_drawn:
        now.phase = DRAWN
        now.open_reverse = False
        now.passes = 0
    elif now.pending > 0:
        now.phase = VOLLEY


@compiled
def write_former(observation: Any, former: Any, now: Any) -> None:
    """Write who laid the top card, event `former`, and on what (C8)."""
    event = observation.events[former % NUM_EVENTS]
    code = code_of(observation, former)
    now.actor = event[0]
    now.dumped = actions.DUMP <= code < actions.LAY_WILD
    under = now.discard_size - event[2] - 1
    earlier = laying_before(observation, former)
    if earlier != NO_EVENT:
        now.top_before = last_kind_laid(code_of(observation, earlier))
    else:
        now.top_before = now.discard_pile[under] if under >= 0 else NO_CARD
    now.color_before = color_before(observation, former, now.top_before)


@compiled
def turn_back(now: Any, rules: Any) -> None:
    """Undo the change of direction by a Reverse that has acted (P5)."""
    kind = now.top_card
    if rules.reverse != DUMPS and not is_wild(kind) and symbol_of(kind) == REVERSE:
        now.direction = -now.direction


@compiled
def undo_call(observation: Any, rules: Any, number: Any, now: Any) -> None:
    """Undo an answer about UNO: its player is asked, the card has not acted yet (C4)."""
    code = code_of(observation, number)
    if ends_call(observation, number):
        turn_back(now, rules)
    now.phase = UNO if code in (actions.UNO, actions.SILENT) else CATCH
    now.pending = pending_before(observation, rules, number)
    if now.pending > 0 and is_draw_card(now.top_card):
        now.pending -= rules.draw_penalty


@compiled
def undo_answer(observation: Any, rules: Any, number: Any, now: Any) -> None:
    """Undo an answer to a draw card (D8, C9); what a challenge has shown is unknown again."""
    if now.top_card == WILD_DRAW:
        now.phase = CHALLENGE
        now.pending = rules.wild_draw_penalty
        now.judged_apart = was_caught(observation, number)
    else:
        now.phase = VOLLEY
        now.pending = pending_before(observation, rules, number)
    if code_of(observation, number) == actions.CHALLENGE and now.num_players == 2:
        offender = now.actor
        for kind in range(NUM_KINDS):
            now.pool[now.epoch, kind] += now.shown[offender, kind]
            now.slots[offender, now.epoch] += now.shown[offender, kind]
            now.shown[offender, kind] = 0


@compiled
def draft_discard(observation: Any, pick: Any) -> Any:
    """Return which card a pick discarded, `NO_CARD` where that is forgotten (D4, D5)."""
    if observation.phase == DRAFT:
        return 0 + observation.discard_pile[pick]
    picks = 0
    first = first_remembered(observation)
    if first > pick:
        return NO_CARD
    while code_of(observation, picks) in (actions.KEEP, actions.REJECT):
        picks += 1
    place = picks - 1 - pick
    return observation.draw_pile[place] if place < observation.known_size else NO_CARD


@compiled
def undo_pick(observation: Any, pick: Any, now: Any) -> None:
    """Make the table that of a pick of the draft (D4)."""
    drafter = 0 + observation.events[pick % NUM_EVENTS, 0]
    now.hand_sizes[:] = 0
    now.slots[:] = 0
    now.shown[:] = 0
    now.drew_on[:] = 0
    now.draw_pile[:] = NO_CARD
    now.discard_pile[:] = NO_CARD
    now.known_size = 0
    size = 0
    for kind in range(NUM_KINDS):
        size += now.deck[kind]
        now.pool[0, kind] = now.deck[kind]
    for earlier in range(pick):
        seat = observation.events[earlier % NUM_EVENTS, 0]
        kind = draft_discard(observation, earlier)
        now.hand_sizes[seat] += 1
        now.slots[seat, 0] += 1
        now.discard_pile[earlier] = kind
        now.pool[0, kind] -= 1
    now.discard_size = pick
    now.draw_size = size - 2 * pick - 1
    now.drawn_shown = NO_CARD
    now.top_card = NO_CARD
    now.active_color = NO_COLOR
    now.top_before = NO_CARD
    now.color_before = NO_COLOR
    now.actor = NO_SEAT
    now.dumped = False
    now.open_reverse = False
    now.judged_apart = False
    now.direction = 1
    now.turns = 0
    now.passes = 0
    now.pending = 0
    now.phase = DRAFT
    now.current_player = drafter
