"""The agent `bluffer` plays as `greedy`, and lays wild draws that it need not lay."""

from typing import Any

import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Game, action_name, make_agent, new_stream, simulate

ALWAYS = make_agent("bluffer:rate=1")
GREEDY = make_agent("greedy")
PILE = "draw: Y1 Y2 Y3 Y4"


def choice_of(agent: Any, hand: str, *more: str) -> str:
    """Return what an agent does in a turn of Duo with this hand on a red 5."""
    lines = [f"hands: {hand} | B1 B2 B3", "discard: R5", *more, PILE]
    game = Game.from_position(UNO_DUO, "\n".join(lines))
    return action_name(agent.choose(game.observation(0), new_stream(1)))


def test_it_bluffs_where_greedy_lays_another_card() -> None:
    assert choice_of(GREEDY, "R1 B2 B3 WD") == "R1"
    assert choice_of(ALWAYS, "R1 B2 B3 WD") == "WD:B"
    assert choice_of(ALWAYS, "RR R1 R2 G7 G8 G9 G1 WD") == "WD:G"
    assert choice_of(ALWAYS, "W B3 WD") == "WD:B"


@pytest.mark.parametrize("hand", ["R1 B2 B3", "B1 B2 WD", "B1 B2", "W G7", "WD"])
def test_it_plays_as_greedy_where_it_cannot_bluff(hand: str) -> None:
    assert choice_of(ALWAYS, hand) == choice_of(GREEDY, hand)


def test_without_a_rate_it_is_greedy() -> None:
    for rules in (UNO_DUO, UNO_POCKET):
        never, greedy = (
            simulate(rules, [agent, "random"], rounds=200).rounds.drop(columns="winner_agent")
            for agent in ("bluffer:rate=0", "greedy")
        )
        assert never.equals(greedy)


def test_it_bluffs_at_its_rate() -> None:
    stream = new_stream(3)
    game = Game.from_position(UNO_DUO, f"hands: R1 B2 B3 WD | B1 B2\ndiscard: R5\n{PILE}")
    observation = game.observation(0)
    agent = make_agent("bluffer:rate=0.3")
    bluffs = sum(action_name(agent.choose(observation, stream)) == "WD:B" for _ in range(1000))
    assert 0.25 < bluffs / 1000 < 0.35


@pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=lambda rules: rules.name)
def test_it_bluffs_in_both_games_where_greedy_never_does(rules: Any) -> None:
    behavior = simulate(rules, ["bluffer", "greedy"], rounds=1000).behavior()
    assert behavior["bluff_rate"][0] > 0.1
    assert behavior["bluff_rate"][1] == 0


@pytest.mark.parametrize("rate", ["2", "-0.1", "often", "true"])
def test_a_rate_that_is_none_is_refused(rate: str) -> None:
    with pytest.raises(ValueError, match="must be a number from 0 to 1"):
        make_agent(f"bluffer:rate={rate}")
