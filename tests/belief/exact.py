"""What an observer should believe of an opponent whose policy is known, by dealing every deck."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from uno_sim import CompiledAgent, Game, Phase, RuleSet, new_stream
from uno_sim.actions import KEEP, REJECT
from uno_sim.cards import NUM_KINDS, parse_card

Script = list[tuple[int, int]]
"""Who did what, as all saw it: passes are left out."""


def play(game: Game, agents: list[CompiledAgent], decisions: int) -> Script:
    """Play a game on for some decisions at most, and return its script."""
    script = []
    streams = [new_stream(seat) for seat in range(game.num_players)]
    for _ in range(decisions):
        seat = game.current_player
        if seat is None:
            break
        action = agents[seat].choose(game.observation(seat), streams[seat])
        if game.phase != Phase.DRAWN or action in game.legal_actions()[:-1]:
            script.append((seat, action))
        game.step(action)
    return script


def weigh_deck(game: Game, script: Script, agent: CompiledAgent, player: int, slip: float) -> float:
    """Play the script with another deck; return how likely the others' choices are with it."""
    weight = 1.0
    place = 0
    while place < len(script) or game.phase == Phase.DRAWN:
        seat = game.current_player
        if place < len(script) and script[place][0] == seat:
            action = script[place][1]
            place += 1
        elif game.phase == Phase.DRAWN:
            action = game.legal_actions()[-1]
        else:
            return 0.0
        legal = game.legal_actions()
        if action not in legal:
            return 0.0
        if seat != player and len(legal) > 1:
            chosen = agent.choose(game.observation(seat), new_stream(0))
            weight *= (1 - slip) * (chosen == action) + slip / len(legal)
        game.step(action)
    return weight


def decks_like(rules: RuleSet, deck: list[str], script: Script, player: int) -> Iterator[list[str]]:
    """Yield all orders of a deck that deal the same to a player of two, and start alike.

    Other orders of what the player sees would only give the same worlds again.
    """
    if rules.deal == "draft":
        picks = [(seat, action) for seat, action in script if action in (KEEP, REJECT)]
        kept = [2 * pick + (action == REJECT) for pick, (_, action) in enumerate(picks)]
        hidden = [place for (seat, _), place in zip(picks, kept, strict=True) if seat != player]
        start = 4 * rules.hand_size
    else:
        start = 2 * rules.hand_size
        hidden = list(range(player, start, 2))
    others = [*hidden, *range(start + 1, len(deck))]
    for order in set(permutations([deck[place] for place in others])):
        other = list(deck)
        for place, card in zip(others, order, strict=True):
            other[place] = card
        yield other


def exact_chances(
    rules: RuleSet,
    deck: list[str],
    script: Script,
    agent: CompiledAgent,
    player: int,
    slip: float,
) -> np.ndarray:
    """Return the probability that each hand holds each kind, `[P, K]`, over all decks."""
    truth = replayed(rules, deck, script)
    seen = truth.observation(player).information_state()
    total = 0.0
    chances = np.zeros((truth.num_players, NUM_KINDS))
    for other in decks_like(rules, deck, script, player):
        game = Game.from_deck(rules, other, truth.num_players)
        weight = weigh_deck(game, script, agent, player, slip)
        if weight > 0 and game.observation(player).information_state() == seen:
            total += weight
            for seat, hand in enumerate(game.hands):
                chances[seat, [parse_card(card) for card in set(hand)]] += weight
    return chances / total


def replayed(rules: RuleSet, deck: list[str], script: Script) -> Game:
    """Return the game after the script."""
    game = Game.from_deck(rules, deck)
    for seat, action in script:
        if game.current_player != seat:
            game.step(game.legal_actions()[-1])
        game.step(action)
    if game.phase == Phase.DRAWN:
        game.step(game.legal_actions()[-1])
    return game
