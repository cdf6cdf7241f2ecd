"""RuleSet: everything that varies between the games, and the two presets.

The options and the rules they belong to are listed in docs/rules.md. Compiled code gets a rule set
as one read-only NumPy record (`RuleSet.record`), in which an option with named values holds the
value's position in `OPTION_VALUES`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from uno_sim.cards import (
    COLORS,
    MAX_CARDS,
    NUM_COLORED_KINDS,
    NUM_KINDS,
    parse_card,
)
from uno_sim.kind_numbers import LARGEST, KindCounts, is_integer, kind_counts, kinds_text

MAX_PLAYERS = 5
MAX_ROUNDS = 10_000
"""After how many rounds a game is given up: rules that score nothing would never end it."""

OPTION_VALUES: dict[str, tuple[str, ...]] = {
    "deal": ("deal", "draft"),
    "scorer": ("winner", "loser"),
    "recycle": ("turn_over", "shuffle"),
    "reverse": ("direction", "dump"),
    "lone_reverse": ("plain", "again"),
    "challenge_judges": ("playable", "color"),
    "after_won_challenge": ("victim", "offender"),
    "start_wild_named_by": ("before", "starter"),
    "dip_gives": ("any", "drawn", "other"),
    "uno_calls": ("explicit", "automatic"),
}
"""The values of each option that has named values; the record holds the position in the tuple."""

BY_DRAFT = OPTION_VALUES["deal"].index("draft")
LOSER_SCORES = OPTION_VALUES["scorer"].index("loser")
SHUFFLED = OPTION_VALUES["recycle"].index("shuffle")
DUMPS = OPTION_VALUES["reverse"].index("dump")
AGAIN = OPTION_VALUES["lone_reverse"].index("again")
COLOR_ONLY = OPTION_VALUES["challenge_judges"].index("color")
OFFENDER_MOVES = OPTION_VALUES["after_won_challenge"].index("offender")
STARTER_NAMES = OPTION_VALUES["start_wild_named_by"].index("starter")
GIVE_DRAWN = OPTION_VALUES["dip_gives"].index("drawn")
GIVE_OTHER = OPTION_VALUES["dip_gives"].index("other")
EXPLICIT_CALLS = OPTION_VALUES["uno_calls"].index("explicit")


@dataclass(frozen=True, repr=False)
class RuleSet:
    """The options of a game. `dataclasses.replace(UNO_DUO, target=500)` makes a variant.

    Raises `ValueError`, naming the fields, where a value or a combination has no meaning.
    """

    name: str
    deck: KindCounts
    """How many cards of each kind (D2, P2); kept as a tuple of 55 counts."""
    card_values: KindCounts
    """What a card in hand scores (D11, P9); kept as a tuple of 55 numbers."""
    deal: str
    """`draft` (D4; two players) or `deal` (P3)."""
    hand_size: int
    min_players: int
    max_players: int
    target: int
    """The total that ends the game (C14)."""
    scorer: str
    """`loser`: who did not go out scores the own hand, lowest total wins (D11);
    `winner`: who went out scores the others' hands, highest total wins (P9)."""
    draw_penalty: int
    """Cards that a colored draw card makes the victim draw (D8, P5)."""
    wild_draw_penalty: int
    """Cards that a wild draw makes the victim draw (D10, P7)."""
    recycle: str
    """`turn_over` (D7) or `shuffle` (P8)."""
    stack_draws: bool
    """Whether a draw card may be answered with another: the volley (D8)."""
    reverse: str
    """`dump` (D9) or `direction` (P5)."""
    lone_reverse: str
    """A single Reverse with two players: `plain` (the other moves), or its player moves `again`."""
    reverse_last_opens: bool = True
    """Whether a Reverse that lies last in a dump is open for the next player (D9)."""
    failed_challenge_extra: int = 2
    """Cards that a failed challenge adds (C9)."""
    uno_penalty: int = 2
    """Cards that a caught silence costs (C4)."""
    challenge_judges: str = "playable"
    """A hand is guilty by any `playable` card, or only by one of the active `color` (C8)."""
    same_wild_draw_counts: bool = False
    """Whether another copy of the wild draw counts as playable in a challenge (C8)."""
    after_won_challenge: str = "victim"
    """Who moves after a successful challenge: `victim` or `offender` (C9)."""
    last_card_draws: bool = True
    """Whether a draw card laid as the last card still makes the next player draw (C6)."""
    start_wild_named_by: str = "before"
    """Who names the color of a start wild: the one `before` the starter, or the `starter` (C13)."""
    dip_gives: str = "any"
    """What a dip may give: `any` card, the `drawn` card, or any `other` card (P6)."""
    uno_calls: str = "explicit"
    """`explicit` decisions, or `automatic`: always said, nothing asked (C4)."""
    max_turns: int = 10_000
    """The turns after which a round is capped (C12)."""

    def __new__(cls, *values: Any, **fields: Any) -> RuleSet:
        """Refuse fields that there are not, before the dataclass does with a `TypeError`."""
        known = [field.name for field in dataclasses.fields(cls)]
        for field in fields:
            if field not in known:
                raise ValueError(f"{field}: no option; the options are {', '.join(known)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ValueError(f"name={self.name!r}: must be a text")
        object.__setattr__(self, "deck", kind_counts("deck", self.deck))
        object.__setattr__(self, "card_values", kind_counts("card_values", self.card_values))
        for field, values in OPTION_VALUES.items():
            if getattr(self, field) not in values:
                choices = " or ".join(map(repr, values))
                raise ValueError(f"{field}={getattr(self, field)!r}: must be {choices}")
        for field in _FLAGS:
            if not isinstance(getattr(self, field), bool | np.bool_):
                raise ValueError(f"{field}={getattr(self, field)!r}: must be True or False")
            object.__setattr__(self, field, bool(getattr(self, field)))
        for field, (least, most) in _RANGES.items():
            number = getattr(self, field)
            if not is_integer(number) or number < least:
                raise ValueError(f"{field}={number!r}: must be an integer of at least {least}")
            if number > most:
                raise ValueError(f"{field}={number}: must be at most {most:,}")
            object.__setattr__(self, field, int(number))
        if self.min_players > self.max_players:
            raise ValueError(
                f"min_players={self.min_players}, max_players={self.max_players}: must ascend"
            )
        if self.deal == "draft" and self.max_players != 2:
            raise ValueError(
                f"deal='draft', max_players={self.max_players}: a draft is for two players"
            )
        if self.num_cards > MAX_CARDS:
            raise ValueError(f"deck: {self.num_cards} cards, at most {MAX_CARDS} are possible")
        self.check_deal(self.num_cards, self.min_players)

    @property
    def num_cards(self) -> int:
        """How many cards the deck has."""
        return sum(self.deck)

    def cards_needed(self, num_players: int) -> int:
        """Return how many cards a deal takes, the start card included (D4, D6, P3)."""
        if self.deal == "draft":
            return 2 * self.hand_size * num_players
        return self.hand_size * num_players + 1

    def check_players(self, num_players: int) -> None:
        """Raise `ValueError` where this game is not for so many players (D1, P1)."""
        if not is_integer(num_players) or not (self.min_players <= num_players <= self.max_players):
            many = f"{self.min_players} to {self.max_players}"
            if self.min_players == self.max_players:
                many = str(self.min_players)
            raise ValueError(f"num_players={num_players!r}: {self.name} is for {many} players")

    def check_deal(self, num_cards: int, num_players: int) -> None:
        """Raise `ValueError` where so few cards are too few to deal."""
        needed = self.cards_needed(num_players)
        if num_cards < needed:
            raise ValueError(
                f"deck: {num_cards} cards, but dealing hands (hand_size={self.hand_size}) "
                f"to {num_players} players takes {needed}"
            )

    @cached_property
    def record(self) -> Any:
        """The read-only NumPy record that compiled code gets."""
        records = np.zeros(1, RULES_DTYPE).view(np.recarray)
        for field in RULES_DTYPE.names or ():
            value = getattr(self, field)
            if field in OPTION_VALUES:
                value = OPTION_VALUES[field].index(value)
            records[field] = value
        records.flags.writeable = False
        return records[0]

    def __str__(self) -> str:
        """Return the name and all options, a line each; cards as `kind_numbers.kinds_text`."""
        options = self._texts()
        name = options.pop("name")
        return "\n".join([name, *(f"  {field:24}{text}" for field, text in options.items())])

    def __repr__(self) -> str:
        """Return the name, and what differs from the preset of this name."""
        mine, texts = self._texts(), {}
        for preset in (UNO_DUO, UNO_POCKET):
            if preset.name == self.name:
                texts = preset._texts()
        changed = [f"{field}={mine[field]}" for field, text in texts.items() if mine[field] != text]
        return f"<RuleSet {', '.join([self.name, *changed])}>"

    def _texts(self) -> dict[str, str]:
        values = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        return {
            name: kinds_text(value) if isinstance(value, tuple) else str(value)
            for name, value in values
        }

    def __getstate__(self) -> dict[str, Any]:
        """Leave the derived record out of pickles and copies."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def check_rule_set(rules: Any) -> None:
    """Raise `ValueError` where `rules` is no rule set."""
    if not isinstance(rules, RuleSet):
        raise ValueError(f"rules={rules!r}: must be a RuleSet, such as UNO_DUO or UNO_POCKET")


def new_rules_record() -> Any:
    """Return an empty record of a rule set."""
    return np.zeros(1, RULES_DTYPE).view(np.recarray)[0]


def with_option(rules: RuleSet, text: str) -> RuleSet:
    """Return `rules` with one option set from a text `FIELD=VALUE`.

    For `deck` and `card_values` the value is a list such as `W:4,WP:2`, which changes these kinds
    and leaves the others.

    >>> with_option(UNO_DUO, "target=500").target
    500

    Raises `ValueError` where the field is unknown or the value does not fit.
    """
    field, equals, value = text.partition("=")
    known = [f.name for f in dataclasses.fields(rules)]
    if not equals or field not in known:
        raise ValueError(f"rule {text!r}: must be FIELD=VALUE with a field of {', '.join(known)}")
    old = getattr(rules, field)
    new: Any = value
    if isinstance(old, bool):
        flags = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if value.lower() not in flags:
            raise ValueError(f"rule {text!r}: {field} must be true or false")
        new = flags[value.lower()]
    elif isinstance(old, int):
        try:
            new = int(value.replace("_", ""))
        except ValueError:
            raise ValueError(f"rule {text!r}: {field} must be an integer") from None
    elif isinstance(old, tuple):
        counts = list(old)
        for item in value.split(","):
            card, _, number = item.strip().partition(":")
            try:
                counts[parse_card(card)] = int(number)
            except ValueError as error:
                raise ValueError(
                    f"rule {text!r}: {field} must be a list such as W:4,WP:2 ({error})"
                ) from None
        new = tuple(counts)
    return dataclasses.replace(rules, **{field: new})


_FLAGS = ("stack_draws", "reverse_last_opens", "same_wild_draw_counts", "last_card_draws")

_RANGES = {
    "hand_size": (1, MAX_CARDS),
    "min_players": (2, MAX_PLAYERS),
    "max_players": (2, MAX_PLAYERS),
    "target": (1, 1000 * LARGEST),
    "draw_penalty": (0, LARGEST),
    "wild_draw_penalty": (0, LARGEST),
    "failed_challenge_extra": (0, LARGEST),
    "uno_penalty": (0, LARGEST),
    "max_turns": (1, 1000 * LARGEST),
}
"""The least and the greatest value of each number; sums of them stay within 32 bits."""

RULES_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("card_values", np.int32, (NUM_KINDS,)),
                ("target", np.int32),
                ("max_turns", np.int32),
                ("hand_size", np.int32),
                ("draw_penalty", np.int32),
                ("wild_draw_penalty", np.int32),
                ("failed_challenge_extra", np.int32),
                ("uno_penalty", np.int32),
                ("deck", np.uint8, (NUM_KINDS,)),
                *((option, np.int8) for option in OPTION_VALUES),
                *((flag, np.bool_) for flag in _FLAGS),
            ],
            align=True,
        ),
    )
)


def _each_color(counts: Mapping[str, int]) -> dict[str, int]:
    """Return a mapping of texts where a symbol stands for its card in each color."""
    return {color + symbol: number for color in COLORS for symbol, number in counts.items()}


_NUMBERS = {str(number): number for number in range(10)}

UNO_DUO = RuleSet(
    name="UNO Duo",
    deck={
        **_each_color({"0": 1, **{symbol: 2 for symbol in "123456789SRD"}}),
        "W": 8,
        "WD": 4,
    },
    card_values={
        **_each_color({**_NUMBERS, "S": 10, "R": 10, "D": 10}),
        "W": 15,
        "WD": 20,
        "WP": 15,
    },
    deal="draft",
    hand_size=7,
    min_players=2,
    max_players=2,
    target=200,
    scorer="loser",
    draw_penalty=2,
    wild_draw_penalty=4,
    recycle="turn_over",
    stack_draws=True,
    reverse="dump",
    lone_reverse="plain",
)
"""UNO Duo (D1 to D12)."""

UNO_POCKET = RuleSet(
    name="UNO Pocket Pizza Pizza",
    deck={**_each_color({symbol: 1 for symbol in "123456789SRD"}), "W": 2, "WD": 1, "WP": 1},
    card_values={
        **_each_color({**_NUMBERS, "S": 20, "R": 20, "D": 20}),
        "W": 50,
        "WD": 50,
        "WP": 50,
    },
    deal="deal",
    hand_size=5,
    min_players=2,
    max_players=5,
    target=250,
    scorer="winner",
    draw_penalty=1,
    wild_draw_penalty=2,
    recycle="shuffle",
    stack_draws=False,
    reverse="direction",
    lone_reverse="again",
)
"""UNO Pocket Pizza Pizza (P1 to P10)."""

assert NUM_COLORED_KINDS == len(COLORS) * 13
