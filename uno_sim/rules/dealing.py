"""A new round: the deck, the deal, the draft (D2 to D6, P2, P3)."""

from __future__ import annotations

from typing import Any

from uno_sim import actions
from uno_sim.bit_sets import EMPTY
from uno_sim.cards import NO_CARD, NO_COLOR, NUM_KINDS
from uno_sim.compilation import compiled
from uno_sim.knowledge.memory import came_into_hand, clear_knowledge, note_event, turned_up
from uno_sim.random_stream import random_below, shuffle, split
from uno_sim.rule_set import BY_DRAFT
from uno_sim.rules.hands import add_card
from uno_sim.rules.piles import discard, take_into_hand, take_top, take_up, turn_over_discards
from uno_sim.rules.start_card import turn_up_start_card
from uno_sim.rules.turn_order import ask, next_player
from uno_sim.state import NO_SEAT, Phase

DRAFT = int(Phase.DRAFT)


@compiled
def begin_game(state: Any, root: Any, num_players: Any) -> None:
    """Make a blank record a game with no round yet; the first seat is drawn by lot (D3, P3).

    `root` is the key that all the game's deals are split from.
    """
    state.root = root
    state.num_players = num_players
    state.random[0] = split(root, 0)
    state.first = random_below(state.random, num_players)


@compiled
def shuffle_deck(state: Any, rules: Any) -> None:
    """Gather the rule set's deck and shuffle it into the draw pile (D2, P2)."""
    for kind in range(NUM_KINDS):
        state.deck[kind] = rules.deck[kind]
        for _ in range(rules.deck[kind]):
            discard(state, kind)
    shuffle(state.random, state.discard_pile, state.discard_size)
    turn_over_discards(state)


@compiled
def place_deck(state: Any, deck: Any) -> None:
    """Make a given deck the draw pile: an array of kinds, the top card first."""
    for kind in range(NUM_KINDS):
        state.deck[kind] = 0
    for kind in deck:
        state.deck[kind] += 1
        discard(state, kind)
    turn_over_discards(state)


@compiled
def clear_round(state: Any) -> None:
    """Take all cards off the table, give the first seat to the next player, open a new stream.

    The roles pass on every round, whoever won (D3, P3); play begins to the left (P3).
    """
    if state.round_number > 0:
        state.first = (state.first + 1) % state.num_players
    state.round_number += 1
    state.random[0] = split(state.root, state.round_number)
    for player in range(state.num_players):
        state.points[player] = 0
        state.hand_sizes[player] = 0
        state.held[player] = EMPTY
        state.judged_card[player] = NO_CARD
        state.hands[player] = 0
    state.draw_pile[:] = NO_CARD
    state.discard_pile[:] = NO_CARD
    state.draw_size = 0
    state.discard_size = 0
    state.turns = 0
    state.passes = 0
    state.pending = 0
    state.direction = 1
    state.top_card = NO_CARD
    state.active_color = NO_COLOR
    state.top_before = NO_CARD
    state.color_before = NO_COLOR
    state.offered_card = NO_CARD
    state.drawn_card = NO_CARD
    state.open_reverse = False
    state.dumped = False
    state.actor = NO_SEAT
    state.round_winner = NO_SEAT
    state.blocked = False
    state.capped = False


@compiled
def deal(state: Any, rules: Any) -> None:
    """Deal from the draw pile: begin the draft (D4), or deal hands and turn up a card (P3)."""
    clear_knowledge(state)
    if rules.deal == BY_DRAFT:
        offer_card(state, state.first)
        return
    player = state.first
    for _ in range(rules.hand_size * state.num_players):
        player = next_player(state, player)
        take_into_hand(state, player)
    turn_up_start_card(state, rules)


@compiled
def offer_card(state: Any, player: Any) -> None:
    """Let `player` look at the top card of the draw pile (D4)."""
    state.offered_card = take_top(state)
    ask(state, player, DRAFT)


@compiled
def answer_draft(state: Any, rules: Any, action: Any) -> None:
    """Keep the offered card, or reject it and keep the next (D4).

    The other of the two cards is discarded. After the last pick the discards go under the draw
    pile (D5), and the start card is turned up (D6).
    """
    drafter = state.current_player
    offered = state.offered_card
    state.offered_card = NO_CARD
    note_event(state, drafter, action, 0, 0)
    if action == actions.KEEP:
        add_card(state, drafter, offered)
        came_into_hand(state, drafter, offered, False)
        discard(state, take_up(state))
    else:
        turned_up(state, offered)
        discard(state, offered)
        take_into_hand(state, drafter)
    other = next_player(state, drafter)
    if state.hand_sizes[other] < rules.hand_size:
        offer_card(state, other)
    else:
        turn_over_discards(state)
        turn_up_start_card(state, rules)
