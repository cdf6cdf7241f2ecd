"""A person at the table: the loop that shows, asks, and lets the agents play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experiments import play_screen as screen
from experiments.play_commands import HELP, RULES, InputError, read_action, read_command
from experiments.play_events import Story
from experiments.play_hint import hint, meaning
from uno_sim import Game, Observation, Phase
from uno_sim.policies import CompiledAgent
from uno_sim.simulation.seated_agents import SeatedAgents

LINE = "-" * (screen.WIDTH - 1)


class LeftError(Exception):
    """The person has left the table."""


@dataclass
class Person:
    """Somebody at a terminal, who sees only what is written by `write`."""

    seat: int
    names: Sequence[str]
    """What is shown of who plays, by seat."""
    read: Callable[[str], str]
    """Shows a prompt and returns a line, as `input`; raises `EOFError` where there is none."""
    write: Callable[[str], None]
    """Shows a line."""
    hints: bool = False
    """Whether a hint is shown at each decision."""
    worlds: int = 1000
    """How many worlds each action of a hint is tried in."""
    model: Mapping[CompiledAgent, float] | None = None
    """What a hint takes the others for; None where their choices tell it nothing."""


def play(
    game: Game, seated: SeatedAgents, person: Person, save: Callable[[], None], whole_game: bool
) -> bool:
    """Play on until the round, or the whole game, is over; return whether it came to that.

    `save` is called after each decision of the person. Raises `AgentError` where an agent fails.
    """
    return _Play(game, seated, person, save, whole_game).run()


class _Play:
    """A game with a person at one of its seats."""

    def __init__(
        self,
        game: Game,
        seated: SeatedAgents,
        person: Person,
        save: Callable[[], None],
        whole_game: bool,
    ) -> None:
        self.game = game
        self.seated = seated
        self.person = person
        self.save = save
        self.whole_game = whole_game
        self.story = told_so_far(game, person.seat)
        self.was_explained = False
        """Whether it was said what the numbers of a hint mean."""

    def run(self) -> bool:
        """Play until it is over, or the person leaves."""
        try:
            while not self._is_over():
                if self.game.phase == Phase.ROUND_OVER:
                    self._begin_round()
                elif self.seated.is_asked():
                    self._step(self.seated.choose())
                else:
                    self._step(self._decide(self.story.seen))
                    self.save()
        except (LeftError, EOFError):
            return False
        return True

    def _is_over(self) -> bool:
        """Return whether nothing is left to play; show the end of a round."""
        phase = self.game.phase
        if phase not in (Phase.ROUND_OVER, Phase.GAME_OVER):
            return False
        self._write([LINE, *self._told(), *screen.result(self.story.seen, self.person.names)])
        self.save()
        return phase == Phase.GAME_OVER or not self.whole_game

    def _begin_round(self) -> None:
        while True:
            line = self.person.read("Press Enter for the next round, or type quit. ")
            command = read_command(line)
            if not line.strip():
                break
            if command in ("hint", "look", "known"):
                self._write(["The round is over."])
            elif command is None:
                self._write([f"{line.strip()!r} is not understood here."])
            else:
                self._obey(command, self.story.seen)
        self.game.next_round()
        self.story = Story(self._observation())

    def _observation(self) -> Observation:
        return self.game.observation(self.person.seat)

    def _step(self, action: int) -> None:
        self.game.step(action)
        self.story.add(self._observation(), action)

    def _decide(self, observation: Observation) -> int:
        """Return what the person does; without asking where only one thing is possible."""
        legal = observation.legal_actions()
        if len(legal) == 1:
            return legal[0]
        self._show(observation)
        while True:
            line = self.person.read("> ")
            command = read_command(line)
            if command is not None:
                self._obey(command, observation)
                continue
            try:
                return read_action(line, observation)
            except InputError as error:
                self._write(screen.wrapped(str(error)))

    def _show(self, observation: Observation) -> None:
        self._write([LINE, *self._told(), *screen.position(observation, self.person.names), ""])
        self._write([*screen.wrapped(screen.question(observation)), *screen.choices(observation)])
        if self.person.hints:
            self._hint(observation)

    def _told(self) -> list[str]:
        told = [line for sentence in self.story.sentences for line in screen.wrapped(sentence)]
        return [*told, ""] if told else []

    def _obey(self, command: str, observation: Observation) -> None:
        if command == "quit":
            raise LeftError
        if command == "save":
            self.save()
            self._write(["Saved."])
        elif command == "look":
            self._show(observation)
        elif command == "known":
            self._write(screen.known(observation))
        elif command == "hint":
            self._hint(observation)
        else:
            self._write((HELP if command == "help" else RULES).splitlines())

    def _hint(self, observation: Observation) -> None:
        person = self.person
        try:
            self._write(hint(observation, person.worlds, self.whole_game, person.model))
        except ValueError as error:
            self._write(screen.wrapped(f"No hint: {error}"))
            return
        if not self.was_explained:
            self._write(meaning(person.worlds, person.model))
            self.was_explained = True

    def _write(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.person.write(line)


def told_so_far(game: Game, seat: int) -> Story:
    """Return what a player has seen since the last own decision in the round of a game."""
    record = game.record
    actions = [action for played in record.rounds for action in played.actions]
    begun = len(actions) - len(record.rounds[-1].actions)
    story = None
    for number, replayed in enumerate(Game.replay(record)):
        if number < begun:
            continue
        observation = replayed.observation(seat)
        if story is None:
            story = Story(observation)
        else:
            story.add(observation, actions[number - 1])
    assert story is not None
    return story
