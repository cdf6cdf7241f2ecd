"""The past that an observation remembers: its public side, worked out once for all worlds.

`plan_past` walks back through the ring of public events and undoes them one by one. It lists the
*steps* in that order, the newest first, and for each choice of another player writes the record of
what everybody could see then. What a step does to the hands of a world is in `walk_back`.

The walk ends where the past cannot be told from the record: near the oldest of the 64 remembered
events, at a recycling (C11), at the gift of a dip (P6), and in the draft where a discard of it has
been drawn since (D5).

In the records of the past some of what players remember is not exact: which of several known cards
was drawn is a guess, what a challenge showed is taken for unknown before it, events and draws on a
color further back than the walk goes are blank, and the pools of later epochs and the last gifts
are left as they are. The table itself, phases, piles and hand sizes are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uno_sim import actions
from uno_sim.belief.past_events import (
    first_remembered,
    is_laying,
    last_kind_laid,
    laying_before,
)
from uno_sim.belief.undo import can_undo, draft_discard, undo
from uno_sim.bit_sets import EMPTY, lowest, without_lowest
from uno_sim.cards import (
    DRAW,
    NO_CARD,
    NO_COLOR,
    NUM_COLORS,
    NUM_KINDS,
    WILD_DRAW,
    color_of,
    is_wild,
    kinds_of_symbol,
)
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import FORCED_DRAW, JUST_DRAWN
from uno_sim.observation import copy_known, copy_record
from uno_sim.rule_set import MAX_PLAYERS
from uno_sim.rules.challenge import proof_code, proof_kinds
from uno_sim.rules.effects import VOLLEY
from uno_sim.rules.laying import DRAWN
from uno_sim.rules.playability import playable_kinds
from uno_sim.rules.turn_order import TURN
from uno_sim.state import NO_SEAT, NUM_EVENTS, allocate

NO_RECORD = -1
NO_ROOM = -1
NO_STEP = -1
NO_VERDICT = -1

STEP_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seat", np.int8),
                ("code", np.int16),
                ("cards", np.int16),
                ("known", np.int16),
                # a laying: whether the first card had just been drawn
                ("just_drawn", np.bool_),
                # a laying: the place of its first card on the discard pile
                ("first_card", np.int16),
                # the record of the choice, and of keeping a drawn card
                ("record", np.int16),
                ("kept_record", np.int16),
                # what a rejected card was (D4), and how many picks further back kept the offer
                ("offered", np.int8),
                ("keeps", np.int8),
                # a wild draw: the kinds of which one makes it guilty (C8)
                ("proof", np.uint64),
                # a challenge: whose hand the observer saw then
                ("exposed", np.int8),
                # unknown cards drawn from here back to a dump, less those laid (D9), by color
                ("room", np.int16, (NUM_COLORS,)),
                # earlier choices not to lay a card of the kind
                ("spared", np.uint8, (NUM_KINDS,)),
            ],
            align=True,
        ),
    )
)
"""An event that is undone in the hands: an action of another player, or cards that one drew."""

PAST_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("player", np.int8),
                ("num_steps", np.int16),
                ("num_records", np.int16),
                # the last wild draw of another player: its step, and the verdict on it (-1: none)
                ("wild_draw_step", np.int16),
                ("wild_draw_seat", np.int8),
                ("verdict", np.int8),
                # room for work
                ("undone_from", np.int16, (MAX_PLAYERS, NUM_COLORS)),
                ("room", np.int16, (MAX_PLAYERS, NUM_COLORS)),
                ("spared", np.uint8, (MAX_PLAYERS, NUM_KINDS)),
            ],
            align=True,
        ),
    )
)
"""The steps back of an observation, the newest first."""

MAX_RECORDS = 2 * NUM_EVENTS
"""How many choices may be asked about: an event may hold two, a draw and the keeping."""


def new_past() -> tuple[Any, Any, Any]:
    """Return an empty past: its record, the steps `[64]`, and records of the table `[129]`.

    The last of the records is the one that is walked back.
    """
    past = np.zeros(1, PAST_DTYPE).view(np.recarray)[0]
    steps = np.zeros(NUM_EVENTS, STEP_DTYPE).view(np.recarray)
    return past, steps, allocate(MAX_RECORDS + 1)


@compiled(announce="uno_sim: compiling the belief, once: about 10 s", apart=True)
def plan_past(
    observation: Any, player: Any, rules: Any, depth: Any, past: Any, steps: Any, records: Any
) -> None:
    """Work out the steps back from an observation of `player`, over at most `depth` choices."""
    past.player = player
    past.num_steps = 0
    past.num_records = 0
    past.wild_draw_step = NO_STEP
    past.wild_draw_seat = NO_SEAT
    past.verdict = NO_VERDICT
    past.undone_from[:] = 0
    now = records[MAX_RECORDS]
    # As another seat sees it, whose hand the observation does not hold.
    copy_known(observation, (player + 1) % observation.num_players, now)
    number = 0 + observation.num_events
    if number > 0 and asks_about_drawn(observation, number - 1):
        now.phase = DRAWN
    while number > first_remembered(observation) and past.num_records < depth:
        number -= 1
        if not can_undo(observation, number):
            break
        step_back(observation, rules, number, past, steps, records, now)
    look_ahead(past, steps, records)


@compiled
def asks_about_drawn(observation: Any, number: Any) -> Any:
    """Return whether the last event is a draw, and its player is asked about the card (C3)."""
    event = observation.events[number % NUM_EVENTS]
    drew = event[1] == actions.DRAW and event[2] > 0
    return drew and event[0] == observation.current_player


@compiled(apart=True)
def step_back(
    observation: Any, rules: Any, number: Any, past: Any, steps: Any, records: Any, now: Any
) -> None:
    """Undo one event in the record `now`, and list its step."""
    step = steps[past.num_steps]
    write_step(observation, number, past.player, step)
    is_own = step.seat == past.player
    note_wild_draw(observation, rules, number, past, step, now)
    if step.code == actions.DRAW:
        if now.phase != DRAWN:
            end_draw(past, step, records, now)
        forget_draw(past, records, now, step.seat)
    undo(observation, rules, number, now)
    step.first_card = now.discard_size
    if step.code != FORCED_DRAW and not is_own:
        step.record = keep_record(past, records, now)
    if not is_own or step.exposed != NO_SEAT:
        past.num_steps += 1


@compiled
def write_step(observation: Any, number: Any, player: Any, step: Any) -> None:
    """Write what an event says into a step."""
    event = observation.events[number % NUM_EVENTS]
    step.seat = event[0]
    step.code = event[1]
    step.cards = event[2]
    step.known = event[3] % JUST_DRAWN
    step.just_drawn = is_laying(step.code) and event[3] >= JUST_DRAWN
    step.record = NO_RECORD
    step.kept_record = NO_RECORD
    step.offered = NO_CARD
    step.proof = EMPTY
    step.exposed = NO_SEAT
    if step.code == actions.REJECT:
        step.offered = draft_discard(observation, number)
    if step.code == actions.CHALLENGE:
        offender = observation.events[laying_before(observation, number) % NUM_EVENTS, 0]
        if offender != player and (step.seat == player or observation.num_players == 2):
            step.exposed = offender


@compiled
def keep_record(past: Any, records: Any, now: Any) -> Any:
    """Keep a copy of the table as it was at a choice; return its number."""
    copy_record(records[past.num_records], now)
    past.num_records += 1
    return past.num_records - 1


@compiled
def end_draw(past: Any, step: Any, records: Any, now: Any) -> None:
    """Undo the end of a turn on which a card was drawn: it was kept, or could not be laid (C3)."""
    if now.phase == TURN:
        now.turns -= 1
    now.phase = DRAWN
    now.current_player = step.seat
    now.open_reverse = False
    now.pending = 0
    if step.cards > 0 and step.seat != past.player:
        step.kept_record = keep_record(past, records, now)


@compiled
def forget_draw(past: Any, records: Any, now: Any, seat: Any) -> None:
    """Undo the note that a seat drew on the active color, and mend the notes of later tables."""
    color = now.active_color
    if color == NO_COLOR:
        return
    for number in range(past.undone_from[seat, color], past.num_records):
        if records[number].drew_on[seat, color] == 0:
            records[number].drew_on[seat, color] = now.turns
    past.undone_from[seat, color] = past.num_records
    now.drew_on[seat, color] = 0


@compiled
def note_wild_draw(
    observation: Any, rules: Any, number: Any, past: Any, step: Any, now: Any
) -> None:
    """Note the last wild draw of another player, and the verdict on it (C8)."""
    if past.wild_draw_step != NO_STEP:
        return
    if step.code == actions.CHALLENGE and now.actor != past.player:
        past.verdict = step.cards
    elif (
        is_laying(step.code) and last_kind_laid(step.code) == WILD_DRAW and step.seat != past.player
    ):
        past.wild_draw_step = past.num_steps
        past.wild_draw_seat = step.seat
        step.proof = proof_kinds(proof_code(now, rules))


@compiled
def look_ahead(past: Any, steps: Any, records: Any) -> None:
    """Write into each step what those further back say about the cards that may be drawn there."""
    past.room[:] = NO_ROOM
    past.spared[:] = 0
    keeps = 0
    for number in range(past.num_steps - 1, -1, -1):
        step = steps[number]
        seat = step.seat
        if is_laying(step.code):
            note_room(past, step)
            continue
        is_laid = step.code == actions.DRAW and number > 0 and steps[number - 1].just_drawn
        if step.code in (actions.DRAW, FORCED_DRAW) and not is_laid:
            for color in range(NUM_COLORS):
                if past.room[seat, color] != NO_ROOM:
                    past.room[seat, color] += step.cards - step.known
        step.room[:] = past.room[seat]
        step.spared[:] = past.spared[seat]
        step.keeps = keeps
        if step.code == actions.KEEP:
            keeps += 1
        if step.code == actions.DRAW and step.record != NO_RECORD:
            table = records[step.record]
            spare(past, seat, playable_kinds(table.top_card, table.active_color))
        elif step.code == actions.TAKE and is_volley(records, step):
            spare(past, seat, kinds_of_symbol(DRAW))


@compiled
def note_room(past: Any, step: Any) -> None:
    """After a dump no card of its color is held; later ones were drawn since, if not laid (D9)."""
    kind = last_kind_laid(step.code)
    if is_wild(kind):
        return
    color = color_of(kind)
    if actions.DUMP <= step.code < actions.LAY_WILD:
        past.room[step.seat, color] = 0
    elif past.room[step.seat, color] > 0 and step.known == 0 and not step.just_drawn:
        past.room[step.seat, color] -= 1


@compiled
def is_volley(records: Any, step: Any) -> Any:
    """Return whether a player who took was asked in a volley."""
    return step.record != NO_RECORD and records[step.record].phase == VOLLEY


@compiled
def spare(past: Any, seat: Any, kinds: Any) -> None:
    """Count a choice of a seat not to lay any of these kinds."""
    while kinds != EMPTY:
        past.spared[seat, lowest(kinds)] += 1
        kinds = without_lowest(kinds)
