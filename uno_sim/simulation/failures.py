"""An agent that fails: one error that names the decision, and the game up to there.

An agent fails where it raises, answers with what is no action, or with one that is not legal. The
error travels from any worker to the caller, who alone writes its record to a file.
"""

from __future__ import annotations

import os
import pickle
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from uno_sim.actions import ACTION_NAMES
from uno_sim.explanation import IllegalActionError
from uno_sim.files import write_whole
from uno_sim.game import Game
from uno_sim.policies import Agent, CompiledAgent
from uno_sim.random_stream import AGENTS, DEALS, seed_key, split
from uno_sim.record import GameRecord
from uno_sim.rule_set import RuleSet
from uno_sim.simulation.lockstep import FailedAgentError
from uno_sim.state import Phase
from uno_sim.views import legal_mask

FOLDER = "failures"
"""The folder, inside that of a run, with the games in which agents failed."""


@dataclass(frozen=True)
class Decision:
    """One decision: of a batch's row, with `deal`, an environment, with `episode`, or one game."""

    agent: str
    """The name of the agent that was asked."""
    seat: int
    phase: str
    legal: tuple[str, ...]
    """What it could have answered."""
    seed: int | None
    round: int
    deal: int | None = None
    rotation: int | None = None
    decision: int | None = None
    """The number of the decision in its round, from 1."""
    episode: int | None = None

    @classmethod
    def asked(cls, agent: str, state: Any, seed: int | None, **numbers: int) -> Decision:
        """Return the decision that is asked for in a state."""
        legal = tuple(ACTION_NAMES[each] for each in np.flatnonzero(legal_mask(state.legal)))
        seat, phase = int(state.current_player), Phase(int(state.phase)).name
        return cls(agent, seat, phase, legal, seed, int(state.round_number), **numbers)

    def __str__(self) -> str:
        """Return the numbers that are known, as text."""
        names = ("seed", "deal", "rotation", "episode", "round", "decision")
        numbers = {name: getattr(self, name) for name in names}
        return ", ".join(f"{name} {value}" for name, value in numbers.items() if value is not None)


class AgentError(ValueError):
    """An agent failed at a decision; nothing was done in its game.

    `agent` (its name), `seed`, `deal`, `rotation`, `round`, `decision`, `episode` and `seat` say
    where, None what does not apply; `problem` says what was wrong, and `legal` what would be right.
    `record` is the game up to that decision, which `Game.from_record` replays, and `path` the file
    that holds it, None where there is none. `__cause__` is what the agent raised, if it did, and
    could be sent from the worker.
    """

    def __init__(
        self,
        problem: str,
        where: Decision,
        record: GameRecord,
        path: str | None = None,
        original: BaseException | None = None,
    ) -> None:
        self.problem = problem
        self.where = where
        self.record = record
        self.path = path
        self.original = original
        self.agent, self.seat, self.legal = where.agent, where.seat, where.legal
        self.seed, self.deal, self.rotation = where.seed, where.deal, where.rotation
        self.episode, self.round, self.decision = where.episode, where.round, where.decision
        super().__init__(self._message())

    def save(self, folder: str | os.PathLike[str] | None) -> None:
        """Write the record to a file in a folder, made if need be; the message then names it.

        Without a folder, or where it cannot be written, the file goes to a temporary one. A file
        that is there already, of another record, is kept.
        """
        folders = [folder] if folder is not None else []
        for place in (*folders, None):
            try:
                where = tempfile.mkdtemp(prefix="uno_sim_") if place is None else place
                self.path = str(_written(self.record, Path(where), self._file_stem()))
                break
            except OSError:
                continue
        self.args = (self._message(),)

    def save_as(self, path: str | os.PathLike[str]) -> None:
        """Write the record to this file; the message then names it. Raises `OSError`."""
        self.record.save(path)
        self.path = os.fspath(path)
        self.args = (self._message(),)

    def _message(self) -> str:
        text = f"agent {self.agent!r} {self.problem}: {self.where}; legal: {' '.join(self.legal)}"
        if self.path is not None:
            text += f"; to look at the game up to there: uno_sim.Game.load({self.path!r})"
        return text

    def _file_stem(self) -> str:
        name = "".join(letter if letter.isalnum() else "_" for letter in self.agent)[:60]
        numbers = str(self.where).replace(", ", "-").replace(" ", "")
        return f"{name}-{numbers}"

    def __reduce__(self) -> Any:
        """Send all of it, and what the agent raised as far as it can be sent."""
        own = self.problem, self.where, self.record, self.path
        return _received, (type(self), own, *_packed(self.original))


class IllegalAnswerError(AgentError, IllegalActionError):
    """An agent answered with an action that is not legal."""


def agent_error(failure: FailedAgentError, where: Decision, record: GameRecord) -> AgentError:
    """Return the error that tells of a failure."""
    kind = IllegalAnswerError if failure.is_illegal else AgentError
    return kind(failure.problem, where, record, original=failure.__cause__)


def _written(record: GameRecord, folder: Path, stem: str) -> Path:
    """Write a record to a file of a folder that is not there yet, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    content = record.to_text().encode()
    number = 1
    while True:
        path = folder / (f"{stem}.txt" if number == 1 else f"{stem}-{number}.txt")
        if not path.exists():
            write_whole(path, content)
        if path.read_bytes() == content:
            return path
        number += 1


def _packed(original: BaseException | None) -> tuple[bytes, str]:
    """Return an exception as bytes, none where it cannot be sent, and its traceback as text."""
    if original is None:
        return b"", ""
    told = "".join(traceback.format_exception(original))
    try:
        return pickle.dumps(original), told
    except Exception:
        return b"", told


def _received(kind: type[AgentError], own: tuple[Any, ...], packed: bytes, told: str) -> AgentError:
    """Return an error that was sent."""
    error = kind(*own)
    try:
        error.original = pickle.loads(packed) if packed else None
    except Exception:
        error.original = None
    if told:
        (error if error.original is None else error.original).add_note(f"In the worker:\n{told}")
    return error


def begin_seats(
    agents: Sequence[Agent | None], seed: int, deal: int, rotation: int, round_number: int
) -> tuple[list[Any], list[Any]]:
    """Return the random stream and the memory of each seat at the start of a batch's round."""
    root = np.uint64(split(seed_key(seed, deal, AGENTS), rotation))
    key = np.uint64(split(root, round_number))
    streams = [np.array([split(key, seat)], np.uint64) for seat in range(len(agents))]
    memories = [a.new_memory() if isinstance(a, CompiledAgent) else None for a in agents]
    return streams, memories


def record_up_to(
    rules: RuleSet, agents: Sequence[Agent], where: Decision, state: Any, answers: Iterator[int]
) -> GameRecord:
    """Return the record of a batch's game up to a decision, at which it is in `state`.

    `agents` are by seat. `answers` are those that its batched agents gave before, in order;
    compiled ones are asked again. Where that does not lead to `state`, the record begins there.
    """
    try:
        game = _play_up_to(rules, agents, where, answers)
        if np.asarray(game.state).tobytes() == np.asarray(state).tobytes():
            return game.record
    except Exception:
        # Only code that is not the same twice comes here; its state is known all the same.
        pass
    return Game.from_state(rules, state).record


def _play_up_to(
    rules: RuleSet, agents: Sequence[Agent], where: Decision, answers: Iterator[int]
) -> Game:
    assert where.seed is not None and where.deal is not None and where.rotation is not None
    game = Game.from_root(rules, len(agents), int(seed_key(where.seed, where.deal, DEALS)))
    while True:
        place = where.seed, where.deal, where.rotation, game.round_number
        streams, memories = begin_seats(agents, *place)
        decision = 1
        while game.current_player is not None:
            if (game.round_number, decision) == (where.round, where.decision):
                return game
            seat = game.current_player
            agent = agents[seat]
            if isinstance(agent, CompiledAgent):
                action = agent.choose(game.observation(seat), streams[seat], memories[seat])
            else:
                action = next(answers)
            game.step(action)
            decision += 1
        game.next_round()
