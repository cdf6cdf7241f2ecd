"""One game in plain Python: the compiled rules with texts, checks, records and a picture."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from uno_sim import state as states
from uno_sim.actions import NUM_ACTIONS, parse_action
from uno_sim.cards import CARD_NAMES, MAX_CARDS, card_kind
from uno_sim.determinization import fill_world, new_plan, plan_worlds
from uno_sim.explanation import IllegalActionError, explain_illegal
from uno_sim.observation import Observation
from uno_sim.position import parse_position
from uno_sim.random_stream import DEALS, WORLDS, seed_key
from uno_sim.record import (
    GameRecord,
    RecordError,
    RoundRecord,
    load_record,
    state_from_text,
    state_to_text,
)
from uno_sim.rule_set import RULES_DTYPE, RuleSet, check_rule_set
from uno_sim.rules.dealing import begin_game, clear_round, place_deck, shuffle_deck
from uno_sim.rules.transition import begin_round
from uno_sim.single_calls import observe_one, one_record, step_one, write_actions
from uno_sim.state import BLANK_BYTES, STATE_DTYPE, Phase
from uno_sim.views import PHASES, PublicView, hand_text

Card = str | int
"""A card is given by its text or its kind."""


class Game(PublicView):
    """One game, with full information; what one player knows is `observation(player)`.

    `state` is the NumPy record. The same rules, players and seed give the same game.

    >>> from uno_sim import UNO_DUO
    >>> game = Game(UNO_DUO, seed=7)
    >>> game.phase.name, game.step("keep")
    ('DRAFT', None)
    """

    def __init__(self, rules: RuleSet, num_players: int = 2, seed: int = 0) -> None:
        """Deal the first round.

        Raises `ValueError` where the players do not fit the rules or the deck is too small.
        """
        self._begin(rules, num_players, int(seed_key(seed, 0, DEALS)))
        self._start_round(None)

    @classmethod
    def from_deck(
        cls,
        rules: RuleSet,
        deck: Sequence[Card],
        num_players: int = 2,
        first: int = 0,
        seed: int = 0,
    ) -> Game:
        """Return a game whose first round is dealt from `deck`, the top card first.

        `first` is the first drafter or the dealer. Raises `ValueError` where a card is not one of
        the game's, the deck is too small or too large, or there is no such seat.
        """
        game = cls._without_round(rules, num_players, int(seed_key(seed, 0, DEALS)))
        game._set_first(first)
        game._start_round(game._deck_kinds(deck))
        return game

    @classmethod
    def from_position(cls, rules: RuleSet, text: str, seed: int = 0) -> Game:
        """Return a game in the middle of a round, from a text (see `uno_sim.position`).

        Raises `ValueError` where the text does not fit.
        """
        check_rule_set(rules)
        hands = parse_position(rules, text).num_players
        game = cls._without_round(rules, int(hands), int(seed_key(seed, 0, DEALS)))
        game._start_position(text, int(game.state.random[0]))
        return game

    @classmethod
    def from_root(cls, rules: RuleSet, num_players: int, root: int) -> Game:
        """Return a game whose deals are split from the key `root`, as those of a batch are."""
        game = cls._without_round(rules, num_players, root)
        game._start_round(None)
        return game

    @classmethod
    def from_state(cls, rules: RuleSet, state: Any) -> Game:
        """Return a game that goes on from a copy of a state's record."""
        game = cls._without_round(rules, int(state.num_players), int(state.root))
        game._start_state(state)
        return game

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Return the game that `save` wrote, replayed to the same state.

        Raises `ValueError` where the file is no whole record of this version or holds an illegal
        action; the message names it.
        """
        record = load_record(path)
        try:
            return cls.from_record(record)
        except RecordError as error:
            raise RecordError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def from_record(cls, record: GameRecord) -> Game:
        """Return the game of a record, replayed; see `load` for the errors."""
        *_, game = cls.replay(record)
        return game

    @classmethod
    def replay(cls, record: GameRecord) -> Iterator[Game]:
        """Yield the one game of a record before each of its actions, and at the end."""
        if not record.rounds:
            raise RecordError("the record has no round")
        try:
            game = cls._without_round(record.rules, record.num_players, record.root)
        except ValueError as error:
            raise RecordError(f"players: {error}") from None
        for number, played in enumerate(record.rounds, start=1):
            try:
                game._replay_start(played)
            except ValueError as error:
                raise RecordError(f"round {number}: {error}") from None
            for count, action in enumerate(played.actions, start=1):
                yield game
                try:
                    game.step(action)
                except IllegalActionError as error:
                    raise RecordError(f"round {number}, action {count}: {error}") from None
        yield game

    @property
    def state(self) -> Any:
        """The NumPy record of everything (`uno_sim.state.FIELDS`); change nothing in it."""
        return self._record

    @property
    def phase(self) -> Phase:
        """What the current player is asked; read in each loop, so taken from the array."""
        return PHASES[self._states["phase"][0]]

    @property
    def record(self) -> GameRecord:
        """A copy of the game's record: rules, decks and actions so far."""
        return self._log.copy()

    @property
    def hands(self) -> list[list[str]]:
        """The cards of each seat, ascending by kind."""
        return [self._hand(player) for player in range(self.num_players)]

    @property
    def draw_pile(self) -> list[str]:
        """The draw pile, the next to be drawn first."""
        return [CARD_NAMES[kind] for kind in self.state["draw_pile"][: self.draw_size][::-1]]

    @property
    def offered_card(self) -> str | None:
        """The card that is looked at in the draft (D4); it is in no pile."""
        return self._card(self.state["offered_card"])

    @property
    def drawn_card(self) -> str | None:
        """The card just drawn, in DRAWN (C3) and in GIVE (P6)."""
        return self._card(self.state["drawn_card"])

    def step(self, action: int | str) -> None:
        """Apply the action of the current player, an id or a text.

        Raises `IllegalActionError` (a `ValueError`), which says why, where the action is not
        legal, and `ValueError` where the text names no action; nothing is changed then.
        """
        number = parse_action(action) if isinstance(action, str) else _action_id(action)
        if not 0 <= number < NUM_ACTIONS or not step_one(self._states, self._rules, number):
            legal = self.legal_names()
            raise IllegalActionError(explain_illegal(self.state, self.rules, number, legal))
        self._log.rounds[-1].actions.append(number)

    def legal_actions(self) -> list[int]:
        """Return the legal actions, ascending; empty when the round is over."""
        count = write_actions(self._states, self._actions)
        actions: list[int] = self._actions[:count].tolist()
        return actions

    def next_round(self, deck: Sequence[Card] | None = None) -> None:
        """Deal the next round, shuffled, or from `deck` with the top card first.

        Raises `ValueError` where the round is not over, or the game is.
        """
        if self.phase != Phase.ROUND_OVER:
            raise ValueError(f"next_round: the phase is {self.phase.name}, not ROUND_OVER")
        self._start_round(None if deck is None else self._deck_kinds(deck))

    def observation(self, player: int) -> Observation:
        """Return what `player` knows. Raises `ValueError` where there is no such seat."""
        self._check_seat("player", player)
        observations = one_record(BLANK_BYTES.tobytes(), STATE_DTYPE)
        observe_one(self._states, player, observations)
        return Observation(observations.view(np.recarray)[0], self.rules, player)

    def clone(self) -> Game:
        """Return an independent copy."""
        game = type(self).__new__(type(self))
        game.__setstate__((self.rules, self._log.copy(), self.state.tobytes()))
        return game

    __copy__ = clone

    def __getstate__(self) -> tuple[RuleSet, GameRecord, bytes]:
        """Return what a pickle or a copy is made of."""
        return self.rules, self._log, self.state.tobytes()

    def __setstate__(self, parts: tuple[RuleSet, GameRecord, bytes]) -> None:
        """Become what a pickle or a copy was made of."""
        self._use_rules(parts[0])
        self._log = parts[1]
        self._use_state(parts[2])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game's record to a file, whole or not at all."""
        self._log.save(path)

    def render(self) -> str:
        """Return the position, all hands open, as lines of text."""
        hands = [hand_text(hand) for hand in self.hands]
        return self._table(hands, self.offered_card, self.drawn_card)

    def __str__(self) -> str:
        """Return the same as `render`."""
        return self.render()

    def __repr__(self) -> str:
        """Return a short name: the game, the round, the phase."""
        return f"<Game of {self.rules.name}, round {self.round_number}, {self.phase.name}>"

    @classmethod
    def _without_round(cls, rules: RuleSet, num_players: int, root: int) -> Game:
        game = cls.__new__(cls)
        game._begin(rules, num_players, root)
        return game

    def _begin(self, rules: RuleSet, num_players: int, root: int) -> None:
        check_rule_set(rules)
        rules.check_players(num_players)
        self._use_rules(rules)
        self._use_state(BLANK_BYTES.tobytes())
        begin_game(self.state, np.uint64(root), num_players)
        self._log = GameRecord(rules, num_players, root, [])

    def _use_rules(self, rules: RuleSet) -> None:
        """Play by `rules`."""
        self.rules = rules
        self._rules = one_record(rules.record.tobytes(), RULES_DTYPE)
        self._actions = np.zeros(NUM_ACTIONS, np.int64)

    def _use_state(self, content: bytes) -> None:
        """Go on from the state with these bytes."""
        self._states = one_record(content, STATE_DTYPE)
        self._record = self._states.view(np.recarray)[0]

    def _start_round(self, deck: tuple[int, ...] | None, stream: int | None = None) -> None:
        if deck is None:
            self.rules.check_deal(self.rules.num_cards, self.num_players)
        clear_round(self.state)
        if stream is not None:
            self.state.random[0] = stream
        if deck is None:
            shuffle_deck(self.state, self.rules.record)
            deck = tuple(int(kind) for kind in self.state["draw_pile"][: self.draw_size][::-1])
        else:
            place_deck(self.state, np.array(deck, np.int8))
        played = RoundRecord(self.first, int(self.state.random[0]), deck)
        begin_round(self.state, self.rules.record)
        self._log.rounds.append(played)

    def _replay_start(self, played: RoundRecord) -> None:
        if played.position or played.state:
            if self._log.rounds:
                raise RecordError("only the first round can begin from a position or a state")
            if played.state:
                self._start_state(state_from_text(played.state, self.rules))
            else:
                self._start_position(played.position, played.stream)
            return
        if self._log.rounds and self.phase != Phase.ROUND_OVER:
            raise RecordError(f"the round before is not over (phase {self.phase.name})")
        if not self._log.rounds:
            self._set_first(played.first)
        deck = self._deck_kinds(played.deck)
        self._start_round(deck, played.stream)
        if self.first != played.first:
            raise RecordError(f"first {played.first}, but it is the round of seat {self.first}")

    def _start_position(self, text: str, stream: int) -> None:
        state = parse_position(self.rules, text)
        if state.num_players != self.num_players:
            raise RecordError(f"{int(state.num_players)} hands for {self.num_players} players")
        state.root = self._record.root
        state.random[0] = stream
        self._use_state(state.tobytes())
        lines = "".join(line + "\n" for line in text.splitlines())
        self._log.rounds.append(RoundRecord(self.first, stream, position=lines))

    def _start_state(self, state: Any) -> None:
        if state.num_players != self.num_players:
            raise RecordError(f"state of {int(state.num_players)} players, not {self.num_players}")
        self._use_state(state.tobytes())
        stream, text = int(state.random[0]), state_to_text(state, self.rules)
        self._log.rounds.append(RoundRecord(self.first, stream, state=text))

    def _set_first(self, first: int) -> None:
        self._check_seat("first", first)
        self._record.first = first

    def _check_seat(self, name: str, seat: int) -> None:
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.num_players:
            raise ValueError(f"{name}={seat!r}: must be a seat from 0 to {self.num_players - 1}")

    def _deck_kinds(self, deck: Sequence[Card]) -> tuple[int, ...]:
        """Return a checked deck as kinds."""
        kinds = []
        for card in deck:
            kind = card_kind(card)
            if self.rules.deck[kind] == 0:
                raise ValueError(f"deck: {self.rules.name} has no card {CARD_NAMES[kind]}")
            kinds.append(kind)
        self.rules.check_deal(len(kinds), self.num_players)
        if len(kinds) > MAX_CARDS:
            raise ValueError(f"deck: {len(kinds)} cards, at most {MAX_CARDS} are possible")
        return tuple(kinds)


def _action_id(action: int) -> int:
    if isinstance(action, bool) or not isinstance(action, int | np.integer):
        raise IllegalActionError(f"action {action!r}: must be an integer or a text")
    return int(action)


def determinize(observation: Observation, seed: int = 0) -> Game:
    """Return a game that the observer cannot tell from the truth; see `uno_sim.determinization`.

    The same observation and seed give the same game. Raises `ValueError` where the seed is not an
    integer from 0 to 2^64 - 1.
    """
    if not isinstance(observation, Observation):
        raise ValueError(f"observation {observation!r}: must be what `Game.observation` returns")
    random = np.array([seed_key(seed, 0, WORLDS)], np.uint64)
    world = states.allocate(1)[0]
    plan = new_plan()
    plan_worlds(observation.record, observation.player, plan)
    fill_world(
        observation.record, observation.player, observation.rules.record, plan, world, random
    )
    return Game.from_state(observation.rules, world)
