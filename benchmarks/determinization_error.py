"""How far determinizations are from the exact posterior, on tiny decks, by enumeration.

For each case many short games are played at random; at every few decisions an observer's worlds are
enumerated, and sampled. Printed is the total variation distance (half the sum of the differences of
the shares) over what sampling alone would give, and how many sampled worlds cannot be at all.

A second table is of whole Pocket decks: how many worlds contradict a verdict that was heard.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchmarks.report import table
from tests.posterior import Belief
from tests.world_samples import cells_of, compare, sample_worlds, some_lively_action
from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet, determinize

MOST_CELLS = 400
"""Positions with more cells than this are left out."""
MOST_WORLDS = 3000
"""A game is followed no further once this many worlds are possible."""


@dataclass
class Case:
    """A tiny deck and who plays with it."""

    rules: RuleSet
    num_players: int
    deck: str


@dataclass
class Error:
    """What was measured in one case."""

    positions: int = 0
    distances: list[float] = field(default_factory=list)
    impossible: int = 0
    worlds: int = 0

    @property
    def mean(self) -> float:
        """Return the mean distance of a position."""
        return sum(self.distances) / len(self.distances)

    @property
    def share_impossible(self) -> float:
        """Return the share of the worlds that cannot be."""
        return self.impossible / self.worlds


def _dealt(rules: RuleSet, size: int, recycle: str | None = None) -> RuleSet:
    return replace(
        rules, deal="deal", hand_size=size, max_players=3, recycle=recycle or rules.recycle
    )


CASES = {
    "Duo, dealt, different cards": Case(_dealt(UNO_DUO, 4), 2, "R1 R2 RR RS G2 GR G3 W Y1 YR Y2"),
    "Duo, dealt, equal cards": Case(_dealt(UNO_DUO, 4), 2, "R1 R1 RR RR G2 GR G2 GR Y1 YR Y1"),
    "Duo, drafted": Case(replace(UNO_DUO, hand_size=2), 2, "R1 R2 RR RS G2 GR G3 W WD"),
    "Duo, volleys and challenges": Case(_dealt(UNO_DUO, 2), 2, "R1 R2 RR RD GD GR G1 WD W"),
    "Pocket, two players, different cards": Case(
        _dealt(UNO_POCKET, 2), 2, "R1 R2 RR G2 GS G1 WP WD RD"
    ),
    "Pocket, three players, different cards": Case(
        _dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD GS W"
    ),
    "two equal Wilds, shuffled apart": Case(_dealt(UNO_POCKET, 2), 2, "R1 R2 R3 G2 G1 W W RD GS"),
    "many equal cards, shuffled apart": Case(_dealt(UNO_POCKET, 2), 2, "R1 R1 R2 G2 G2 G1 W W WD"),
    "all cards twice, shuffled apart": Case(
        _dealt(UNO_POCKET, 3), 2, "R1 R1 R5 R5 G5 G5 G1 G1 Y5 Y5"
    ),
    "gifts of others, shuffled apart": Case(
        replace(_dealt(UNO_POCKET, 3), dip_gives="other"), 2, "R1 R2 G2 W W W W WP WP"
    ),
    "a verdict that a third player heard": Case(
        _dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD GS WD"
    ),
    "unseen gifts, three players": Case(_dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD WP"),
    "many unseen gifts, three players": Case(
        _dealt(UNO_POCKET, 2), 3, "R1 R2 R3 G2 G3 G1 RD GS WP WP B1"
    ),
    "dumps, three players": Case(_dealt(UNO_DUO, 3), 3, "R1 R2 RR G2 GR G3 Y1 YR Y2 YS B1 W"),
    "dumps, and shuffles": Case(
        _dealt(UNO_DUO, 3, recycle="shuffle"), 2, "R1 R2 RR G2 GR G3 W GS Y1"
    ),
}
"""Tiny decks on which determinizations are exact, and others."""
EXACT = list(CASES)[:6]


def measure(case: Case, games: int, samples: int, seed: int = 0) -> Error:
    """Play a case at random and measure at every few decisions."""
    error = Error()
    for number in range(games):
        source = random.Random(f"{seed} {number}")
        deck = case.deck.split()
        source.shuffle(deck)
        first = source.randrange(case.num_players)
        game = Game.from_deck(case.rules, deck, case.num_players, first=first, seed=number)
        belief = Belief(game, source.randrange(case.num_players), deck)
        for decision in range(60):
            if len(belief.worlds) > MOST_WORLDS:
                break
            belief.step(some_lively_action(game, source))
            if game.current_player is None:
                break
            if source.random() < 0.3:
                add_position(error, belief, samples, 100 * number + decision)
    return error


def add_position(error: Error, belief: Belief, samples: int, seed: int) -> None:
    """Measure one position, if it has few enough cells."""
    exact = belief.cells()
    if len(exact) > MOST_CELLS:
        return
    observation = belief.game.observation(belief.observer)
    counts = cells_of(observation, sample_worlds(observation, samples, seed))
    found = compare(counts, exact)
    # The mean distance of a sample of this size from its own distribution (normal approximation).
    noise = sum(max(0.0, share * (1 - share)) ** 0.5 for share in exact.values())
    error.positions += 1
    error.distances.append(max(0.0, found.distance - 0.4 * noise / samples**0.5))
    error.impossible += sum(found.impossible.values())
    error.worlds += samples


@dataclass
class Verdict:
    """What all players have heard of a hand, and what has become of the hand since."""

    offender: int
    challenger: int
    guilty: bool
    top: str
    color: str
    taken: int = 0
    """Cards that came into the hand since."""
    proofs: int = 0
    """Cards that left it since, and would have proved guilt."""
    shuffled: bool = False
    """Whether discards were shuffled since, or before."""

    def proves(self, card: str) -> bool:
        """Return whether a card proves guilt in Pocket (C8)."""
        if card[0] == "W":
            return card != "WD"
        return card[0] == self.color or (self.top[0] != "W" and card[1] == self.top[1])

    def follow(self, before: list[str], laid: list[str], after: list[str]) -> None:
        """Note what a step did to the hand."""
        kept = Counter(before) - Counter(laid)
        given = kept - Counter(after)
        self.taken += (Counter(after) - kept).total()
        self.proofs += sum(self.proves(card) for card in [*laid, *given.elements()])

    def contradicts(self, hand: list[str]) -> bool:
        """Return whether a hand surely cannot be what has become of the one that was judged."""
        proofs = self.proofs + sum(self.proves(card) for card in hand)
        return proofs == 0 if self.guilty else proofs > self.taken


def count_contradictions(num_players: int, rounds: int, samples: int) -> dict[str, Counter[str]]:
    """Play Pocket at random; return how many worlds there were, and contradicted a verdict.

    Looked at are the worlds of all who heard a verdict and did not see the hand, right after it
    and after every fifth action up to the 25th.
    """
    counts: dict[str, Counter[str]] = {}
    for number in range(rounds):
        source = random.Random(number)
        game = Game(UNO_POCKET, num_players, seed=number)
        heard: list[tuple[int, Verdict]] = []
        before: tuple[str, str] = ("", "")
        for step in range(400):
            seat = game.current_player
            if seat is None:
                break
            hands, actor = [list(hand) for hand in game.hands], int(game.state.actor)
            action = some_lively_action(game, source)
            laid = [action.split(":")[0]] if action[0] in "RYGBW" else []
            if laid:
                before = (game.top_card or "", game.active_color or "")
            apart = bool(game.state.judged_apart)
            game.step(action)
            for _, verdict in heard:
                own = laid if seat == verdict.offender else []
                verdict.follow(hands[verdict.offender], own, game.hands[verdict.offender])
                verdict.shuffled |= game.state.epoch > 0
            if action == "challenge" and not apart:
                guilty = game.observation(seat).events
                told = any("(guilty)" in text for text in guilty[-3:] if "challenge" in text)
                new = Verdict(actor, seat, told, *before, shuffled=game.state.epoch > 0)
                new.taken = len(game.hands[actor]) - len(hands[actor])
                heard.append((step, new))
            if game.current_player is not None:
                look_back(counts, game, heard, step, samples)
    return counts


def look_back(
    counts: dict[str, Counter[str]],
    game: Game,
    heard: list[tuple[int, Verdict]],
    step: int,
    samples: int,
) -> None:
    """Add the worlds of one position for every verdict that is due to be looked at."""
    for told, verdict in heard:
        if step - told not in range(0, 26, 5):
            continue
        name = "guilty" if verdict.guilty else "innocent"
        name += ", after a shuffle" if verdict.shuffled else ""
        count = counts.setdefault(name, Counter())
        for observer in range(len(game.hands)):
            if observer in (verdict.offender, verdict.challenger):
                continue
            observation = game.observation(observer)
            worlds = [determinize(observation, seed) for seed in range(samples)]
            count["worlds"] += samples
            count["contradicted"] += sum(
                verdict.contradicts(world.hands[verdict.offender]) for world in worlds
            )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="games of each case (default 60)")
    parser.add_argument("--samples", type=int, default=2000, help="worlds of each position")
    parser.add_argument("--rounds", type=int, default=60, help="rounds with whole decks")
    options = parser.parse_args(arguments)
    rows: list[list[str]] = []
    for name, case in CASES.items():
        error = measure(case, options.games, options.samples)
        rows.append(
            [
                name,
                str(error.positions),
                f"{error.mean:.4f}",
                f"{max(error.distances):.3f}",
                f"{error.share_impossible:.2%}",
            ]
        )
    columns = ["positions", "mean distance", "largest", "impossible worlds"]
    print(table("case", columns, rows))
    rows = []
    for num_players in (3, 4):
        counts = count_contradictions(num_players, options.rounds, 20)
        for name, count in sorted(counts.items()):
            share = count["contradicted"] / count["worlds"]
            rows.append([f"{num_players} players, {name}", str(count["worlds"]), f"{share:.2%}"])
    print(table("verdict heard", ["worlds", "contradict it"], rows))


if __name__ == "__main__":
    main()
