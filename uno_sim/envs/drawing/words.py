"""What a picture of the table says in words: what is asked, and how a round ended."""

from __future__ import annotations

from uno_sim.actions import ACTION_NAMES, DRAW, DUMP, GIVE, LAY_WILD, wild_of
from uno_sim.cards import CARD_NAMES, COLORS
from uno_sim.observation import Observation
from uno_sim.rule_set import RuleSet
from uno_sim.state import Phase

_QUESTIONS = {
    Phase.DRAFT: "keep the offered card, or reject it",
    Phase.CHOOSE_COLOR: "name the color of the start card",
    Phase.TURN: "lay a card or draw",
    Phase.DRAWN: "lay the card just drawn, or keep it",
    Phase.VOLLEY: "answer with a draw card, or take",
    Phase.CHALLENGE: "challenge the wild draw, or take",
    Phase.GIVE: "choose the card to give away",
    Phase.UNO: "say UNO, or stay silent",
    Phase.CATCH: "catch seat {actor}, who kept silent, or not",
}


def seat_name(observation: Observation, seat: int) -> str:
    """Return `Seat 1`, with a note where it is the observer's."""
    return f"Seat {seat} (you)" if seat == observation.player else f"Seat {seat}"


def plural(number: int, word: str) -> str:
    """Return a number of things, such as `1 card`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def question(observation: Observation) -> str:
    """Return who is asked what; nothing when the round is over."""
    if observation.current_player is None:
        return ""
    text = _QUESTIONS[observation.phase]
    if observation.phase == Phase.TURN and observation.open_reverse:
        text = "dump on the open Reverse, lay a card, or draw"
    text = text.format(actor=int(observation.record.actor))
    if observation.pending:
        text += f" {plural(observation.pending, 'card')}"
    return f"{seat_name(observation, observation.current_player)}: {text}"


def result(observation: Observation) -> tuple[str, str]:
    """Return how the round, or the game, ended, and what was scored."""
    if observation.winner is not None:
        title = f"Game over: {seat_name(observation, observation.winner)} wins the game"
    elif observation.round_winner is not None:
        title = f"Round over: {seat_name(observation, observation.round_winner)} goes out"
    elif observation.blocked:
        title = "Round over: blocked, nobody can move"
    else:
        title = f"Round over: stopped after {plural(observation.turns, 'turn')}"
    scored = [
        f"seat {seat} scores {plural(points, 'point')}"
        for seat, points in enumerate(observation.points)
        if points
    ]
    return title, (", ".join(scored) or "nobody scores").capitalize()


def winning_seat(observation: Observation) -> int | None:
    """Return who won the game or, while it goes on, who went out in the round that is over."""
    return observation.round_winner if observation.winner is None else observation.winner


def usable_cards(observation: Observation) -> set[str]:
    """Return the cards that a legal action of the observer names."""
    cards = set()
    for action in observation.legal_actions():
        if action >= GIVE:
            cards.add(CARD_NAMES[action - GIVE])
        elif action < LAY_WILD:
            cards.add(CARD_NAMES[action % DUMP])
        elif action < DRAW:
            cards.add(CARD_NAMES[int(wild_of(action))])
    return cards


def other_actions(observation: Observation) -> list[str]:
    """Return the legal actions that are more than laying or giving a card, as texts."""
    return [
        ACTION_NAMES[action]
        for action in observation.legal_actions()
        if DUMP <= action < LAY_WILD or DRAW <= action < GIVE
    ]


def number_on(card: str, rules: RuleSet) -> int:
    """Return the number that a draw card shows; 0 for all other cards."""
    if card == "WD":
        return rules.wild_draw_penalty
    return rules.draw_penalty if card[0] in COLORS and card[1] == "D" else 0
