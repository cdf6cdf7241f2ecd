"""The command line pieces that experiments share."""

from pathlib import Path

import pytest

from experiments.command_line import (
    CommandError,
    fill_seats,
    make_casts,
    short_names,
    split_agents,
)

PAIRS = ["greedy,random", "greedy,greedy"]


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("greedy,random", ("greedy", "random")),
        ("greedy", ("greedy",)),
        (" greedy , random ", ("greedy", "random")),
        ("a:x=1,y=2,b", ("a:x=1,y=2", "b")),
        ("a:x=1,b:y=2", ("a:x=1", "b:y=2")),
        ("folder/f.py::a:x=1,f.py::b", ("folder/f.py::a:x=1", "f.py::b")),
    ],
)
def test_agents_are_split_at_commas_but_not_their_parameters(
    text: str, agents: tuple[str, ...]
) -> None:
    assert split_agents(text) == agents


def test_the_last_agent_takes_the_seats_that_are_left() -> None:
    assert fill_seats(("a", "b"), 4) == ("a", "b", "b", "b")
    assert fill_seats(("a",), None) == ("a", "a")
    assert fill_seats(("a", "b", "c"), None) == ("a", "b", "c")


def test_folders_are_left_out_of_names_where_they_are_not_needed() -> None:
    names = short_names(["one/a.py::x", "one/b.py::y:k=1/2", "two/b.py::y", "three/b.py::y"])
    assert list(names.values()) == ["a.py::x", "b.py::y:k=1/2", "two/b.py::y", "three/b.py::y"]


def test_games_that_are_not_for_so_many_players_are_left_out() -> None:
    names = {cast.rules.name for cast in make_casts([], PAIRS, 4, [], 0)}
    assert names == {"UNO Pocket Pizza Pizza"}
    with pytest.raises(CommandError, match="UNO Duo is for 2 players"):
        make_casts(["duo"], PAIRS, 4, [], 0)
    with pytest.raises(CommandError, match="UNO Duo is for 2 players"):
        make_casts(["both"], PAIRS, 4, [], 0)


def test_rules_apply_to_every_game_asked_for() -> None:
    casts = make_casts(["both"], PAIRS, None, ["target=77", "uno_penalty=3"], 0)
    assert len(casts) == 4
    assert {cast.rules.target for cast in casts} == {77}
    assert {cast.rules.uno_penalty for cast in casts} == {3}


def test_one_agent_twice_is_one_agent(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import uno_sim\n"
        "from uno_sim.policies import random_legal_action\n"
        "@uno_sim.policy\n"
        "def bold(observation, rules, params, memory, random):\n"
        "    return random_legal_action(observation, random)\n"
    )
    (cast,) = make_casts(["duo"], [f"{file}::bold"], None, [], 0)
    assert cast.agents[0] is cast.agents[1]
    assert cast.equal
    assert cast.names == ("mine.py::bold",) * 2


def test_a_match_asked_for_twice_is_played_once() -> None:
    assert len(make_casts(["duo"], ["greedy", "greedy,greedy"], None, [], 0)) == 1
