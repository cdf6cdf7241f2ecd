"""Walking back from the true state gives the true earlier tables and hands."""

import numpy as np
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, actions, make_agent, new_stream
from uno_sim.belief.likelihood import log_likelihood
from uno_sim.belief.models import make_model
from uno_sim.belief.past import new_past, plan_past
from uno_sim.belief.walk_back import new_walk
from uno_sim.knowledge.memory import FORCED_DRAW
from uno_sim.state import FIELDS, Visibility, copy

REMEMBERED = {
    "events",
    "event_notes",
    "drew_on",
    "drawn_shown",
    "known_size",
    *("judged_shown", "shown", "slots", "pool", "next_gift", "gifts"),
    *("num_doubts", "num_ways", "doubts", "way_epochs", "way_weights"),
}
"""What players remember: exact in the past only as far as `uno_sim.belief.past` says."""
TABLE = [
    field.name
    for field in FIELDS
    if field.visibility == Visibility.PUBLIC and field.name not in REMEMBERED
]
GAMES = {
    "duo, greedy": (UNO_DUO, ["greedy", "greedy"]),
    "duo, random": (UNO_DUO, ["random", "random"]),
    "duo, mixed": (UNO_DUO, ["random", "greedy"]),
    "pocket, greedy": (UNO_POCKET, ["greedy", "greedy"]),
    "pocket, random": (UNO_POCKET, ["random", "random"]),
    "pocket, three players": (UNO_POCKET, ["greedy", "random", "greedy"]),
    "pocket, three random players": (UNO_POCKET, ["random", "random", "random"]),
}


def name_of(table):
    """Return what tells a decision of a round from all others."""
    return int(table.num_events), int(table.current_player), int(table.phase)


def walked_rounds(rules, names, rounds, every):
    """Yield the state, the observer, and the true states by name, from time to time."""
    agents = [make_agent(name) for name in names]
    for seed in range(rounds):
        game = Game(rules, len(agents), seed=seed)
        streams = [new_stream(100 * seed + seat) for seat in range(len(agents))]
        truth = {}
        for number in range(300):
            seat = game.current_player
            if seat is None:
                break
            if number % every == every - 1:
                for player in range(len(agents)):
                    yield game, player, truth
            truth[name_of(game.state)] = copy(game.state)
            game.step(agents[seat].choose(game.observation(seat), streams[seat]))


def walk_back(game, player):
    """Return the records of the past, with the hands that a walk in the true state writes."""
    past, steps, records = new_past()
    observation = game.observation(player)
    rules = observation.rules.record
    plan_past(observation.record, player, rules, 1000, past, steps, records)
    model = make_model("greedy", game.num_players, player, 0.03)
    logs = np.zeros(model.shares.shape)
    arguments = (past, steps, records, new_walk(), model.arguments, logs, new_stream(player))
    log_likelihood(game.state, rules, *arguments)
    return past, steps, records


@pytest.mark.parametrize(("rules", "names"), GAMES.values(), ids=GAMES)
def test_the_tables_of_the_past_are_the_true_ones(rules, names):
    compared = 0
    for game, player, truth in walked_rounds(rules, names, rounds=4, every=9):
        past, _, records = walk_back(game, player)
        for record in records[: past.num_records]:
            true = truth.get(name_of(record))
            if true is None:
                # A drawn card that could not be laid is no decision.
                assert record.phase == Phase.DRAWN
                continue
            assert record.current_player != player
            for field in TABLE:
                assert np.array_equal(record[field], true[field]), field
            compared += 1
    assert compared > 80


@pytest.mark.parametrize(("rules", "names"), GAMES.values(), ids=GAMES)
def test_the_hands_of_the_past_are_the_true_ones_but_for_unknown_drawn_cards(rules, names):
    exact = 0
    for game, player, truth in walked_rounds(rules, names, rounds=4, every=9):
        past, steps, records = walk_back(game, player)
        guessed = [0] * len(names)
        laid_next = False
        for step in steps[: past.num_steps]:
            if step.code in (actions.DRAW, FORCED_DRAW) and not laid_next:
                guessed[step.seat] += step.cards
            elif step.code in (actions.KEEP, actions.REJECT):
                guessed[step.seat] += 1
            laid_next = step.just_drawn
            if step.record < 0:
                continue
            true = truth[name_of(records[step.record])]
            walked = records[step.record].hands[step.seat].astype(int)
            assert walked.sum() == true.hand_sizes[step.seat]
            assert np.abs(walked - true.hands[step.seat]).sum() <= 2 * guessed[step.seat]
            exact += guessed[step.seat] == 0
    assert exact > 20


def test_a_past_that_was_not_shuffled_is_remembered_whole():
    compared = 0
    for game, player, truth in walked_rounds(UNO_DUO, ["greedy", "greedy"], rounds=8, every=5):
        state = game.state
        if state.num_events > 64 or state.shown.any():
            continue
        past, _, records = walk_back(game, player)
        decided = [name for name in truth if name[1] != player]
        asked = {name_of(record) for record in records[: past.num_records]}
        assert set(decided) <= asked
        for record in records[: past.num_records]:
            true = truth.get(name_of(record))
            if true is not None:
                for field in {"events", "drew_on", "slots", "pool", "known_size"}:
                    assert np.array_equal(record[field], true[field]), field
                compared += 1
    assert compared > 200
