"""Values of actions where a model of the others is given as a belief."""

import numpy as np
import pytest

from uno_sim import (
    UNO_DUO,
    Game,
    IllegalActionError,
    Phase,
    believe,
    evaluate_actions,
    make_agent,
    new_stream,
    policy,
)
from uno_sim.belief.choices import ChoiceBelief
from uno_sim.decisions.values import effective_number
from uno_sim.decisions.weighing import Weighing


def challenged(count):
    """Return games in which a wild draw of greedy may be challenged."""
    games = []
    agent, stream = make_agent("greedy"), new_stream(0)
    for seed in range(100):
        game = Game(UNO_DUO, seed=seed)
        while game.phase < Phase.CHALLENGE or Phase.CHALLENGE < game.phase < Phase.ROUND_OVER:
            game.step(agent.choose(game.observation(game.current_player), stream))
        if game.phase == Phase.CHALLENGE:
            games.append(game)
        if len(games) == count:
            break
    return games


class Fixed(ChoiceBelief):
    """A belief by choices that finds one world in a hundred likely."""

    def log_weights(self, observation, worlds):
        return np.array([0.0, *[-50.0] * (len(worlds) - 1)])


@pytest.mark.parametrize(("worlds", "effective"), [(40, 20), (400, 30), (6000, 120)])
def test_few_worlds_have_not_all_of_the_weight(worlds, effective):
    (game,) = challenged(1)
    weighing = Weighing(Fixed(floor=0.02), game.observation(game.current_player), worlds)
    weighing.add(range(worlds))
    assert [weighing.is_worth_little(batches) for batches in (1, 3, 4)] == [True, True, False]
    weights, power = weighing.weights()
    assert effective_number(weights) == pytest.approx(effective, rel=0.01)
    assert 0 < power < 1


def test_more_worlds_are_drawn_where_few_have_the_weight():
    tables = [
        evaluate_actions(game, worlds=1000, games=False, belief="greedy") for game in challenged(6)
    ]
    drawn = {table["worlds"][0] for table in tables}
    assert {1000, 4000} <= drawn <= {1000, 2000, 3000, 4000}
    for table in tables:
        assert table["effective_worlds"][0] > 29.9
        assert (table["power"] == 1).all() or table["worlds"][0] == 4000
        assert not table.isna().drop(columns=["game", "game_se"]).any(axis=None)


def test_who_knows_greedy_challenges_it_less():
    gains = []
    for game in challenged(4):
        uniform, told, again = (
            evaluate_actions(game, worlds=500, games=False, belief=belief)
            for belief in (None, "greedy", ChoiceBelief("greedy", floor=0.02))
        )
        assert told.equals(again)
        assert told.effective_worlds[0] < 450 < uniform.effective_worlds[0]
        leads = [table.set_index("action").points for table in (uniform, told)]
        gains.append([lead["take"] - lead["challenge"] for lead in leads])
    by_cards, by_model = np.array(gains).T
    assert (by_model > by_cards).all()
    assert (by_model > 0).sum() > (by_cards > 0).sum()


def test_a_belief_that_is_no_model_is_refused():
    (game,) = challenged(1)
    with pytest.raises(ValueError, match=r"belief=7: must be an agent, a mixture .*, a list"):
        evaluate_actions(game, worlds=2, belief=7)
    with pytest.raises(ValueError, match=r"belief=<class .*>: must be an agent"):
        evaluate_actions(game, worlds=2, belief=ChoiceBelief)


@policy
def always_three(observation, rules, params, memory, random):
    """Return an action that is rarely legal."""
    return 3


def test_a_model_that_answers_what_is_not_legal_is_named():
    (game,) = challenged(1)
    message = r"model always_three: .* it returned action 3, which is not legal"
    with pytest.raises(IllegalActionError, match=message):
        evaluate_actions(game, worlds=2, belief=always_three)
    with pytest.raises(IllegalActionError, match=message):
        believe(game.observation(game.current_player), {"greedy": 0.5, always_three: 0.5})
