"""Values of actions where a model of the others is given as a belief."""

import numpy as np
import pytest

from uno_sim import UNO_DUO, Game, Phase, evaluate_actions, make_agent, new_stream
from uno_sim.belief.choices import ChoiceBelief


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


def test_few_worlds_have_not_all_of_the_weight():
    logs = np.array([0.0, *[-50.0] * 99])
    weights = np.exp(ChoiceBelief(floor=0.1).temper(logs))
    assert weights.sum() ** 2 / np.square(weights).sum() == pytest.approx(10, rel=0.01)


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
    with pytest.raises(ValueError, match="must be a name, an agent or a policy"):
        evaluate_actions(game, worlds=2, belief=7)
