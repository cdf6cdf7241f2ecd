"""People at a table, by script: what they type, and all that they were shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from experiments.play_loop import Person, play
from uno_sim import Game, action_name
from uno_sim.simulation.seated_agents import SeatedAgents


class Script:
    """Types some lines, one after another, and keeps what is shown."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        """Return the next line; it ends the input where there is none."""
        self.shown.append(prompt)
        for line in self.lines:
            self.shown[-1] += line
            return line
        raise EOFError

    def write(self, line: str) -> None:
        self.shown.append(line)

    @property
    def text(self) -> str:
        """All that was shown, with what was typed."""
        return "\n".join(self.shown)


class Chooser(Script):
    """Types the text of what a function chooses, in small letters, and Enter after a round.

    It leaves after so many decisions.
    """

    def __init__(
        self, game: Game, choose: Callable[[Game], int], decisions: int = 1_000_000
    ) -> None:
        super().__init__(())
        self.game = game
        self.choose = choose
        self.decisions = decisions

    def read(self, prompt: str) -> str:
        if prompt == "> ":
            if not self.decisions:
                raise EOFError
            self.decisions -= 1
        line = action_name(self.choose(self.game)).lower() if prompt == "> " else ""
        self.shown.append(prompt + line)
        return line


def sit_down(
    game: Game,
    agents: list[Any],
    script: Script,
    *,
    whole_game: bool = False,
    hints: bool = False,
) -> bool:
    """Let a script play at the one seat without an agent; return whether it came to the end."""
    seat = agents.index(None)
    names = [getattr(agent, "name", agent) or "you" for agent in agents]
    person = Person(seat, names, script.read, script.write, hints, 40)
    return play(game, SeatedAgents(game, agents), person, lambda: None, whole_game)
