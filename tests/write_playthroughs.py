"""Write the stored playthroughs: `python tests/write_playthroughs.py`.

A playthrough is a whole game as text: at every decision the open position, what the next seat
observes where something is hidden from it, and the action taken; at the end of a round its points.
The rules, the agents and the random numbers are all fixed, so the text changes only with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from uno_sim import UNO_DUO, UNO_POCKET, Game, Phase, RuleSet, action_name, make_agent

FOLDER = Path(__file__).parent / "playthroughs"
PLAYTHROUGHS: dict[str, tuple[RuleSet, tuple[str, ...], int]] = {
    "duo_greedy_greedy": (UNO_DUO, ("greedy", "greedy"), 17),
    "duo_random_greedy": (UNO_DUO, ("random", "greedy"), 24),
    "pocket_greedy_random": (UNO_POCKET, ("greedy", "random"), 13),
    "pocket_greedy_random_greedy_greedy": (
        UNO_POCKET,
        ("greedy", "random", "greedy", "greedy"),
        15,
    ),
}
"""A name, the rules, the agents by seat, and the seed."""
HIDING = (Phase.DRAFT, Phase.DRAWN, Phase.GIVE)
"""The phases whose question is about a card that only the asked player knows."""


def playthrough(name: str) -> str:
    """Return the text of one playthrough."""
    rules, agents, seed = PLAYTHROUGHS[name]
    players = ", ".join(f"seat {seat} {agent}" for seat, agent in enumerate(agents))
    return "\n".join([f"{rules.name}, seed {seed}: {players}", *_lines(name)]) + "\n"


def _lines(name: str) -> Iterator[str]:
    rules, agents, seed = PLAYTHROUGHS[name]
    policies = [make_agent(agent) for agent in agents]
    streams = [np.array([seed * 100 + seat], np.uint64) for seat in range(len(agents))]
    game = Game(rules, len(agents), seed=seed)
    while True:
        decision = 0
        while game.current_player is not None:
            seat = game.current_player
            decision += 1
            yield f"\nround {game.round_number}, decision {decision}"
            yield game.render()
            if game.phase in HIDING:
                yield from _seen_by((seat + 1) % len(agents), game)
            action = policies[seat].choose(game.observation(seat), streams[seat])
            yield f"=> {action_name(action)}"
            game.step(action)
        yield f"\nround {game.round_number} is over"
        yield game.render()
        yield f"winner {game.round_winner}, points {game.points}, scores {game.scores}"
        if game.phase == Phase.GAME_OVER:
            yield f"\nthe game is over: winner {game.winner}"
            return
        game.next_round()


def _seen_by(seat: int, game: Game) -> Iterator[str]:
    yield f"    as seat {seat} sees it:"
    for line in str(game.observation(seat)).splitlines():
        yield f"    {line}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in PLAYTHROUGHS:
        file = FOLDER / f"{one}.txt"
        file.write_text(playthrough(one), encoding="utf-8", newline="\n")
        print(f"wrote {file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file}")
