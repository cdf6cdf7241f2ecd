"""What an observer believes in many true situations, under several models, and what is true.

The observer plays `greedy`. A row is one statement about a hidden hand: how likely the observer
takes it to be, and whether it is true. Statements are about the wild draw that it could challenge
(guilt), and, at a turn of its own, about the cards of the next player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from experiments.situations import Tables
from uno_sim import CompiledAgent, Observation, RuleSet, believe
from uno_sim.cards import NO_COLOR, NUM_SYMBOLS
from uno_sim.observation import observe
from uno_sim.random_stream import EPISODES, new_stream, random_unit, seed_key
from uno_sim.rules.challenge import is_guilty
from uno_sim.rules.legal import CHALLENGE, TURN
from uno_sim.state import allocate

GUILT = "guilt"
COLOR = "a card of the active color"
KIND = "a given kind"
STATEMENTS = (GUILT, COLOR, KIND)

CARDS_ALONE = "cards alone"
"""The model by which choices tell nothing."""

MOST_OF_DEAL = 2
"""How many situations of each kind a deal gives at most; long rounds have hundreds of turns."""

Models = Mapping[str, Any]
"""Models of the opponents, by the names that charts give them."""


def statements(
    rules: RuleSet,
    agents: Sequence[CompiledAgent],
    models: Models,
    deals: Any,
    seed: int,
    worlds: int,
    turn_share: float,
) -> Iterator[pd.DataFrame]:
    """Yield a frame for each situation of some deals, which are played once each.

    Situations are the first wild draws of a deal that the first agent could challenge, and turns of
    its own, each with the chance `turn_share`: up to `MOST_OF_DEAL` of both. Columns: `deal`,
    `model`, `about` (one of `STATEMENTS`), `believed`, `true`, `worth` (effective worlds).
    """
    for wanted in (CHALLENGE, TURN):
        tables = Tables.deal(rules, agents, seed, deals, paired=False)
        of_deal = np.asarray(deals)
        left = dict.fromkeys(deals, MOST_OF_DEAL)
        streams = {deal: np.array([seed_key(seed, int(deal), EPISODES)]) for deal in deals}
        while len(waiting := tables.play_to(wanted)):
            tables, of_deal = tables.take(waiting), of_deal[waiting]
            answers = []
            for state, deal in zip(tables.states, of_deal, strict=True):
                observation = observed(state, rules)
                stream = streams[deal]
                is_chosen = wanted == CHALLENGE or random_unit(stream) < turn_share
                if is_chosen and left[deal] > 0:
                    left[deal] -= 1
                    situation_seed = int(stream[0])
                    yield about(state, observation, models, worlds, situation_seed, int(deal))
                answers.append(agents[0].choose(observation, new_stream(0)))
            tables.answer(np.array(answers))


def observed(state: Any, rules: RuleSet) -> Observation:
    """Return what the player who is asked knows."""
    record = allocate(1)[0]
    observe(state, state.current_player, record)
    return Observation(record, rules, int(state.current_player))


def about(
    state: Any, observation: Observation, models: Models, worlds: int, seed: int, deal: int
) -> pd.DataFrame:
    """Return what is believed in one situation under each model, and what is true."""
    frames = []
    asked = observation.record.phase == CHALLENGE
    for name, model in models.items():
        belief = believe(observation, model, worlds, seed)
        if asked:
            guilty = bool(is_guilty(state, observation.rules.record, state.actor))
            told = {GUILT: (np.array([belief.guilt]), np.array([guilty]))}
        else:
            told = about_hand(state, observation, belief)
        for statement, (believed, true) in told.items():
            columns = {"about": statement, "believed": believed, "true": true}
            frames.append(pd.DataFrame(columns).assign(model=name, worth=belief.effective_worlds))
    return pd.concat(frames, ignore_index=True).assign(deal=deal)


def about_hand(state: Any, observation: Observation, belief: Any) -> dict[str, tuple[Any, Any]]:
    """Return the statements about the hand of the next player: believed, and true."""
    player, players = observation.player, observation.num_players
    seat = (player + int(state.direction)) % players
    truth = state.hands[seat] > 0
    unsure = observation.record.deck > 0
    told = {KIND: (belief.chances[seat][unsure], truth[unsure])}
    color = int(state.active_color)
    if color != NO_COLOR:
        kinds = range(color * NUM_SYMBOLS, (color + 1) * NUM_SYMBOLS)
        chance = belief.chance_of_any(seat, kinds)
        told[COLOR] = np.array([chance]), np.array([truth[list(kinds)].any()])
    return told
