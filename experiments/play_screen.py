"""What a person sees of a game, as plain lines of 80 columns, from an `Observation` alone."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from experiments.play_events import COLOR_WORDS, cards_text, does, seat_name
from uno_sim import Observation, Phase, actions
from uno_sim.actions import ACTION_NAMES
from uno_sim.cards import CARD_NAMES, COLORS, NUM_SYMBOLS, REVERSE, kind_of
from uno_sim.rule_set import RuleSet

WIDTH = 80
LONGEST_NAME = 34
"""Columns for the name of an agent."""


def wrapped(text: str, indent: str = "") -> list[str]:
    """Return a text as lines that fit, the later ones indented; cards are not cut in two."""
    return textwrap.wrap(
        text,
        WIDTH - 1,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def position(observation: Observation, names: Sequence[str]) -> list[str]:
    """Return the table and the player's hand; `names` says by seat who plays there."""
    seen = observation
    lines = [
        f"{seen.rules.name}, round {seen.round_number}: draw pile {seen.draw_size}, "
        f"discards {len(seen.discard_pile)}{_direction(seen)}",
        *_seats(seen, names),
        *wrapped(_top(seen)),
    ]
    marked = [card + "*" if card in playable(seen) else card for card in seen.hand]
    hand = " ".join(marked) or "no cards"
    return [*lines, *wrapped(f"Your hand: {hand}", "           ")]


def playable(observation: Observation) -> set[str]:
    """Return the cards that can be laid or given now; of an owed dump the Reverse alone (D9)."""
    cards = set()
    for action in observation.legal_actions():
        if action < actions.DUMP:
            cards.add(CARD_NAMES[action])
        elif action < actions.LAY_WILD:
            color = (action - actions.DUMP) // NUM_SYMBOLS
            is_open = observation.open_reverse and observation.active_color == COLORS[color]
            first = action - actions.DUMP if is_open else kind_of(color, REVERSE)
            cards.add(CARD_NAMES[first])
        elif action < actions.DRAW:
            cards.add(ACTION_NAMES[action].partition(":")[0])
        elif action >= actions.GIVE:
            cards.add(CARD_NAMES[action - actions.GIVE])
    return cards


def question(observation: Observation) -> str:
    """Return what the player is asked, in words."""
    seen, record = observation, observation.record
    actor = seat_name(int(record.actor), seen.player)
    match seen.phase:
        case Phase.DRAFT:
            left = seen.rules.hand_size - len(seen.hand)
            return (
                f"The draft, {left} to pick: you look at {seen.offered_card}. Keep it, or reject "
                "it and get the next card unseen. The other one is discarded."
            )
        case Phase.CHOOSE_COLOR:
            return f"The start card is {seen.top_card}: name the color."
        case Phase.DRAWN:
            return f"You drew {seen.drawn_card}: lay it, or pass and keep it."
        case Phase.VOLLEY:
            return (
                f"{actor.capitalize()} laid {seen.top_card}: lay a draw card too, or take "
                f"{cards_text(seen.pending)} and lose the turn."
            )
        case Phase.CHALLENGE:
            return _challenge(seen, actor)
        case Phase.GIVE:
            taker = seat_name(_following(seen), seen.player)
            return f"You drew {seen.drawn_card}: give {taker} a card."
        case Phase.UNO:
            return (
                "You have 1 card left: say UNO, or be silent, which costs "
                f"{cards_text(seen.rules.uno_penalty)} if you are caught."
            )
        case Phase.CATCH:
            has = does(int(record.actor), seen.player, "have")
            return f"{has} 1 card left and did not say UNO: catch it, or ignore it."
    if seen.open_reverse and seen.active_color is not None:
        color = COLOR_WORDS[seen.active_color]
        return f"Your turn. The Reverse is open: you may dump all your {color} cards."
    return "Your turn: lay a card, or draw one."


def choices(observation: Observation) -> list[str]:
    """Return the legal actions with their numbers, in columns."""
    cells = [
        f"{number:>3} {name}" for number, name in enumerate(observation.legal_names(), start=1)
    ]
    width = max(map(len, cells)) + 2
    columns = max(1, (WIDTH - 1) // width)
    return [
        "".join(cell.ljust(width) for cell in cells[start : start + columns]).rstrip()
        for start in range(0, len(cells), columns)
    ]


def known(observation: Observation) -> list[str]:
    """Return what the player knows of hidden cards, and which cards may be there."""
    seen = observation
    lines = []
    for seat, (hand, size) in enumerate(zip(seen.known_hands, seen.hand_sizes, strict=True)):
        if seat != seen.player:
            lines += wrapped(f"Seat {seat}: {_with_unknown(hand, size - len(hand))}", "  ")
    pile = [card for card in seen.known_pile if card is not None]
    first = _with_unknown([], seen.draw_size - len(pile))
    then = f", then in this order: {' '.join(pile)}" if pile else ""
    lines += wrapped(f"Draw pile: {first}{then}" if first != "-" else f"Draw pile{then[5:]}", "  ")
    lines += wrapped(f"Discards, the last on top: {' '.join(seen.discard_pile) or '-'}", "  ")
    hidden = [f"{card}({count})" if count > 1 else card for card, count in seen.unseen.items()]
    lines += wrapped(f"The unknown cards are: {' '.join(hidden) or '-'}", "  ")
    return lines


def result(observation: Observation, names: Sequence[str]) -> list[str]:
    """Return how the round ended, with the points of each seat, and the game if it is over."""
    seen = observation
    if seen.round_winner is not None:
        how = f"{seat_name(seen.round_winner, seen.player)} went out."
    elif seen.blocked:
        how = "it is blocked, since all passed and no card is left to draw."
    else:
        how = f"it took more than {seen.rules.max_turns} turns, and does not count."
    lines = wrapped(f"Round {seen.round_number} is over: {how}")
    if seen.hand:
        lines += wrapped(f"You are left with: {' '.join(seen.hand)}", "  ")
    for seat, label in enumerate(_labels(names)):
        lines.append(f"  {label} {seen.points[seat]:>6} points {seen.scores[seat]:>6} in all")
    if seen.phase == Phase.GAME_OVER:
        winner = -1 if seen.winner is None else seen.winner
        lines.append(f"The game is over. {does(winner, seen.player, 'have')} won it.")
    else:
        lines += wrapped(_aim(seen.rules))
    return lines


def _aim(rules: RuleSet) -> str:
    if rules.scorer == "loser":
        return f"Points are bad: whoever has {rules.target} loses."
    return f"Points are good: whoever has {rules.target} first wins."


def _labels(names: Sequence[str]) -> list[str]:
    """Return the seats with their names, all of one width."""
    shown = [
        name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..." for name in names
    ]
    width = max(map(len, shown))
    return [f"seat {seat}  {name:<{width}}" for seat, name in enumerate(shown)]


def _seats(seen: Observation, names: Sequence[str]) -> list[str]:
    lines = []
    following = _following(seen) if seen.num_players > 2 else None
    for seat, label in enumerate(_labels(names)):
        count = seen.hand_sizes[seat]
        size = f"{count:>2} card{' ' if count == 1 else 's'}"
        mark = "  next" if seat == following else ""
        lines.append(f"  {label}  {size}  {seen.scores[seat]:>4} points{mark}")
    return lines


def _following(seen: Observation) -> int | None:
    """Return the seat that follows the one that is asked."""
    if seen.current_player is None:
        return None
    return (seen.current_player + seen.direction) % seen.num_players


def _direction(seen: Observation) -> str:
    if seen.num_players == 2:
        return ""
    return f", direction {'left' if seen.direction > 0 else 'right'}"


def _top(seen: Observation) -> str:
    if seen.top_card is None:
        return "No start card yet."
    color = "none yet" if seen.active_color is None else COLOR_WORDS[seen.active_color]
    opened = ", open" if seen.open_reverse else ""
    return f"Top card: {seen.top_card}{opened}   Color: {color}"


def _challenge(seen: Observation, actor: str) -> str:
    record, rules = seen.record, seen.rules
    top, color = int(record.top_before), int(record.color_before)
    before = "" if top < 0 else f" on {CARD_NAMES[top]}"
    before += "" if color < 0 else f", {COLOR_WORDS[COLORS[color]]}"
    more = seen.pending + rules.failed_challenge_extra
    could = (
        "held a card of that color"
        if rules.challenge_judges == "color"
        else "could have laid another card"
    )
    return (
        f"{actor.capitalize()} laid {seen.top_card}{before}. Take {cards_text(seen.pending)} and "
        f"lose the turn, or challenge: if {actor} {could}, {actor} draws the "
        f"{seen.pending}, if not, you draw {more}."
    )


def _with_unknown(cards: Sequence[str], unknown: int) -> str:
    return " ".join([*cards, *([f"{unknown} unknown"] if unknown > 0 else [])]) or "-"
