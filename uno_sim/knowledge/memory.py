"""What the table can know of hidden cards, and what happened (C10, D5, D7, P6, P8).

Public: the bottom of a turned-over draw pile, and the cards in hands that everybody else knows
(`shown`). Private: what one player alone has seen in another's hand (`seen`). All else is unknown,
and sorted by what is possible:

* A *pool* holds the unknown cards of one *epoch*: 0 from the deal on, one more each time that
  discards are shuffled into a new pile (P8). Whoever drew in an epoch holds a card of its pool.
* `slots[p, e]` is how many unknown cards player p holds from epoch e.
* `not_from[p, e]` is for player p alone: the kinds of which the own hand holds no such card, since
  none was drawn in epoch e, or none was left when it or a later one ended.

For every epoch the cards in its pool are as many as its slots, and, in the current one, the
unknown cards of the pile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim.bit_sets import EMPTY, as_index, bit, lowest, without_lowest
from uno_sim.cards import NO_CARD, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.knowledge.doubts import ANY_CARD, DRAWN_CARD, OTHER_CARD, move_unknown, rule_out
from uno_sim.knowledge.traces import clear_traces, found, looked_at, note_gift
from uno_sim.knowledge.ways import (
    GONE,
    clear_doubts,
    forget_settled,
    is_used,
    keep_ways,
    rename_epochs,
)
from uno_sim.state import MAX_EPOCHS, NO_SEAT, NUM_EVENTS

JUST_DRAWN = 128
"""Flag of a laying: the card was the one just drawn."""
FORCED_DRAW = 131
"""Event: cards drawn by a penalty, a draw card or a dip."""
RECYCLING = 132
"""Event: the discards became the new draw pile (C11)."""
ALL_KNEW = 8
"""Flag of the note on a gift: everybody knew the card."""


@compiled
def note_event(state: Any, seat: Any, code: Any, cards: Any, known: Any) -> None:
    """Add a public event: who, what (an action id or a code above), cards, how many known."""
    event = state.events[state.num_events & (NUM_EVENTS - 1)]
    event[0] = seat
    event[1] = code
    event[2] = cards
    event[3] = known
    state.num_events += 1


@compiled
def annotate_next(state: Any, note: Any) -> None:
    """Write what the next event tells besides: a challenge's `proof_code`, who gets a gift."""
    state.event_notes[state.num_events % NUM_EVENTS] = note


@compiled
def clear_knowledge(state: Any) -> None:
    """Forget all: a new round begins, and nobody knows where any card of the deck is."""
    state.known_size = 0
    state.epoch = 0
    state.num_events = 0
    state.drawn_shown = NO_CARD
    state.judged_apart = False
    state.judged_shown = NO_CARD
    state.events[:] = 0
    state.event_notes[:] = 0
    state.pool[:] = 0
    state.slots[:] = 0
    clear_doubts(state)
    clear_traces(state)
    state.shown[:] = 0
    state.drew_on[:] = 0
    state.not_from[:] = EMPTY
    if state.num_players > 2:
        state.seen[:] = 0
    for kind in range(NUM_KINDS):
        state.pool[0, kind] = state.deck[kind]


@compiled
def top_is_known(state: Any) -> Any:
    """Return whether everybody knows the next card of the draw pile (D5, D7)."""
    return state.draw_size <= state.known_size


@compiled
def turned_up(state: Any, kind: Any) -> None:
    """An unknown card of the draw pile is turned up for all to see (D4, D6)."""
    state.pool[state.epoch, kind] -= 1


@compiled
def came_into_hand(state: Any, player: Any, kind: Any, known: Any) -> None:
    """A card was drawn into a hand; it is `known` where it lay in a known place."""
    # Without a branch: which cards are known is hard to foresee.
    state.shown[player, kind] += 1 if known else 0
    state.slots[player, as_index(state.epoch)] += 0 if known else 1
    if state.epoch > 0 and not known:
        may_hold_from(state, player, kind, state.epoch)


@compiled
def may_hold_from(state: Any, player: Any, kind: Any, epoch: Any) -> None:
    """A player may hold a card of an epoch from now on."""
    state.not_from[player, as_index(epoch)] &= ~bit(kind)


@compiled(inlined=True)
def left_hand(state: Any, player: Any, kind: Any) -> Any:
    """A card left a hand in the open; of equal cards a known one goes first.

    Returns whether everybody knew it.
    """
    if state.epoch == 0 and state.num_players == 2:
        # Without a branch, as in `came_into_hand`.
        known = 1 if state.shown[player, kind] > 0 else 0
        state.shown[player, kind] -= known
        state.slots[player, 0] -= 1 - known
        state.pool[0, kind] -= 1 - known
        return known == 1
    if state.shown[player, kind] > 0:
        state.shown[player, kind] -= 1
        return True
    unknown_left_hand(state, player, kind)
    return False


@compiled
def unknown_left_hand(state: Any, player: Any, kind: Any) -> None:
    """A card that not everybody knew left a hand in the open; some may have seen it there."""
    if state.num_players > 2:
        for observer in range(state.num_players):
            if state.seen[observer, player, kind] > 0:
                rule_out(state, observer, player)
                state.seen[observer, player, kind] -= 1
            elif observer != player:
                found(state, observer, player, kind)
    leave_slot(state, player, kind, ANY_CARD)


@compiled(inlined=True)
def drawn_card_left(state: Any, player: Any, kind: Any) -> Any:
    """The card just drawn was laid: not an equal one, so what was known stays known (C3).

    Returns whether everybody knew it.
    """
    if state.drawn_shown != NO_CARD:
        state.shown[player, kind] -= 1
        return True
    leave_slot(state, player, kind, DRAWN_CARD)
    return False


@compiled
def leave_slot(state: Any, player: Any, kind: Any, which: Any) -> None:
    """An unknown card of a hand became known: take it out of its pool, and free its slot."""
    if state.epoch == 0:
        state.slots[player, 0] -= 1
        state.pool[0, kind] -= 1
    elif not move_unknown(state, player, NO_SEAT, kind, which, NO_CARD):
        correct_epochs(state, player, kind)


@compiled(apart=True)
def correct_epochs(state: Any, player: Any, kind: Any) -> None:
    """No way allows that this hand held the card, since some ways were left out: mend the first.

    A slot of another hand changes its epoch; where there is none, a card changes its pool.
    """
    keep_ways(state, 1)
    forget_settled(state)
    origin = 0
    while state.pool[origin, kind] == 0:
        origin += 1
    held_from = state.epoch
    while state.slots[player, held_from] == 0:
        held_from -= 1
    state.pool[origin, kind] -= 1
    state.slots[player, held_from] -= 1
    for other in range(state.num_players):
        if state.slots[other, origin] > 0:
            state.slots[other, origin] -= 1
            state.slots[other, held_from] += 1
            return
    moved = 0
    while state.pool[held_from, moved] == 0:
        moved += 1
    state.pool[held_from, moved] -= 1
    state.pool[origin, moved] += 1


@compiled
def saw_hand(state: Any, challenger: Any, offender: Any) -> None:
    """The challenger alone is shown the offender's hand (C10)."""
    if state.num_players > 2:
        looked_at(state, challenger, offender)
        for kind in range(NUM_KINDS):
            hidden = state.hands[offender, kind] - state.shown[offender, kind]
            state.seen[challenger, offender, kind] = hidden
        rule_out(state, challenger, offender)
        return
    kinds = state.held[offender]
    while kinds != EMPTY:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        for _ in range(state.hands[offender, kind] - state.shown[offender, kind]):
            leave_slot(state, offender, kind, ANY_CARD)
            state.shown[offender, kind] += 1


@compiled
def gave_card(state: Any, giver: Any, receiver: Any, kind: Any, which: Any) -> None:
    """A dip's gift passed between two players, unseen by the others (P6).

    `which` is the rule set's `dip_gives`: whether it is the drawn card, another, or any.
    """
    all_knew = which == DRAWN_CARD and state.drawn_shown != NO_CARD
    annotate_next(state, receiver + (ALL_KNEW if all_knew else 0))
    if state.num_players == 2:
        if which == DRAWN_CARD:
            drawn_card_left(state, giver, kind)
        elif state.shown[giver, kind] > 0:
            state.shown[giver, kind] -= 1
        else:
            leave_slot(state, giver, kind, which)
        state.shown[receiver, kind] += 1
    elif all_knew:
        state.shown[giver, kind] -= 1
        state.shown[receiver, kind] += 1
    else:
        gave_unseen(state, giver, receiver, kind, which)


@compiled(apart=True)
def gave_unseen(state: Any, giver: Any, receiver: Any, kind: Any, which: Any) -> None:
    """A gift that only two of several players know: the others become less sure.

    What they have seen in the giver's hand they keep in mind as traces.
    """
    if which != DRAWN_CARD:
        if state.seen[receiver, giver, kind] > 0:
            rule_out(state, receiver, giver)
            state.seen[receiver, giver, kind] -= 1
        else:
            found(state, receiver, giver, kind)
        for epoch in range(state.epoch + 1):
            may_hold_from(state, receiver, kind, epoch)
        kept = state.drawn_shown if which == OTHER_CARD else NO_CARD
        forget_shown(state, giver, receiver, kind, kept)
        if kept != NO_CARD:
            which = ANY_CARD  # the drawn card is known, and none of the unknown ones
        for observer in range(state.num_players):
            if observer not in (giver, receiver):
                rule_out(state, observer, giver)
        note_gift(state, giver, receiver)
    state.seen[giver, receiver, kind] += 1
    move_unknown(state, giver, receiver, NO_CARD, which, kind)


@compiled
def forget_shown(state: Any, giver: Any, receiver: Any, kind: Any, kept: Any) -> None:
    """What all knew to be in a hand was seen there, and one card of it may be given away now.

    `kept` is a known card that cannot be, or `NO_CARD`.
    """
    for other in range(NUM_KINDS):
        if state.shown[giver, other] > (1 if other == kept else 0):
            state.shown[giver, other] -= 1
            state.slots[giver, state.epoch] += 1
            state.pool[state.epoch, other] += 1
            may_hold_from(state, giver, other, state.epoch)
            for observer in range(state.num_players):
                if observer != giver and (observer != receiver or other != kind):
                    state.seen[observer, giver, other] += 1


@compiled(apart=True)
def shuffled_discards(state: Any) -> None:
    """A new epoch begins: the draw pile now holds the shuffled discards, in unknown order (P8)."""
    state.known_size = 0
    names = np.full(MAX_EPOCHS, GONE)
    kept = 0
    for epoch in range(state.epoch + 1):
        if is_used(state, epoch):
            names[epoch] = kept
            kept += 1
    rename_epochs(state, names)
    for epoch in range(state.epoch + 1):
        if names[epoch] != GONE:
            move_epoch(state, epoch, names[epoch])
    note_held(state, kept)
    if kept == MAX_EPOCHS:
        merge_oldest_epochs(state)
        kept -= 1
    state.epoch = kept
    for player in range(state.num_players):
        state.slots[player, kept] = 0
        state.not_from[player, kept] = ~EMPTY
    for kind in range(NUM_KINDS):
        state.pool[kept, kind] = 0
    for place in range(state.draw_size):
        state.pool[kept, state.draw_pile[place]] += 1
    for epoch in range(kept + 1, MAX_EPOCHS):
        for player in range(state.num_players):
            state.slots[player, epoch] = 0
            state.not_from[player, epoch] = EMPTY
        for kind in range(NUM_KINDS):
            state.pool[epoch, kind] = 0


@compiled
def note_held(state: Any, epochs: Any) -> None:
    """Note for each player which kinds are not in the hand while so many epochs are over."""
    for player in range(state.num_players):
        kinds = EMPTY
        for kind in range(NUM_KINDS):
            if state.hands[player, kind] > state.shown[player, kind]:
                kinds |= bit(kind)
        for epoch in range(epochs):
            state.not_from[player, epoch] |= ~kinds


@compiled
def move_epoch(state: Any, source: Any, target: Any) -> None:
    """Give an epoch a lower number."""
    for player in range(state.num_players):
        state.slots[player, target] = state.slots[player, source]
        state.not_from[player, target] = state.not_from[player, source]
    for kind in range(NUM_KINDS):
        state.pool[target, kind] = state.pool[source, kind]


@compiled
def merge_oldest_epochs(state: Any) -> None:
    """Make room: the two oldest epochs become one."""
    rename_epochs(state, np.maximum(np.arange(MAX_EPOCHS) - 1, 0))
    for player in range(state.num_players):
        state.slots[player, 0] += state.slots[player, 1]
        state.not_from[player, 0] &= state.not_from[player, 1]
    for kind in range(NUM_KINDS):
        state.pool[0, kind] += state.pool[1, kind]
    for epoch in range(2, MAX_EPOCHS):
        move_epoch(state, epoch, epoch - 1)
