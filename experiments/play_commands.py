"""What a person types: an action, by number or by text, or a command."""

from __future__ import annotations

import re

from uno_sim import Observation, Phase, actions
from uno_sim.actions import ACTION_NAMES
from uno_sim.explanation import phases_of, why_illegal

COMMANDS = {
    "help": "this text; or ?",
    "look": "show the table again",
    "known": "all that you know of hidden cards, and the discards",
    "hint": "what each of your actions is worth, as far as you can know",
    "rules": "where the rules are",
    "save": "write the game to its file (done after each of your decisions too)",
    "quit": "save, and leave; so do q, Ctrl-D and Ctrl-C",
}
_SHORT = {"?": "help", "q": "quit", "exit": "quit", "h": "help"}

HELP = f"""\
Type the number of an action, or its text; small letters will do.
  Cards    R7 a color and a number: Red, Yellow, Green, Blue
           RS Skip, RR Reverse, RD draw card; W Wild, WD Wild Draw, WP Wild Dip
           A * marks the cards of your hand that you can lay, or give, now.
  Actions  r7      lay the card
           w:b     lay the wild, and name blue
           r>r5    lay a Reverse and all other cards of its color, R5 the last;
                   only the last one acts; no Reverse is needed on an open one
           draw, pass (keep the card just drawn), keep and reject (the draft),
           take and challenge (a draw card), uno and silent, catch and ignore,
           color:r (the color of a start card), give:r7 (by a dip)
Commands:
{chr(10).join(f"  {name:<8} {what}" for name, what in COMMANDS.items())}"""

RULES = "The rules are in docs/rules.md; numbers such as C3 or D9 are its rule ids."

_ACTIONS = {name.lower(): action for action, name in enumerate(ACTION_NAMES)}
_LONGEST = 100
"""How many characters of a line are looked at; no action has as many."""
_PREFIXES = {Phase.GIVE: "give:", Phase.CHOOSE_COLOR: "color:"}
"""What may be left out, since nothing else is asked."""


class InputError(ValueError):
    """What was typed is neither a command nor a legal action; the text says what would do."""


def read_command(line: str) -> str | None:
    """Return the command that a line names; None where it is none.

    >>> read_command(" HELP "), read_command("q"), read_command("r7")
    ('help', 'quit', None)
    """
    word = line.strip().lower()
    word = _SHORT.get(word, word)
    return word if word in COMMANDS else None


def read_action(line: str, observation: Observation) -> int:
    """Return the legal action that a line names, by its number from 1 or its text.

    Raises `InputError` where it names none.
    """
    legal = observation.legal_actions()
    typed = line.strip()[:_LONGEST]
    text = re.sub(r"\s*([:>])\s*", r"\1", typed.lower())
    wanted = f"type a number from 1 to {len(legal)}, the text of an action, or help"
    if not text:
        raise InputError(f"Please {wanted}.")
    if text.isdecimal():
        if not 1 <= int(text) <= len(legal):
            raise InputError(f"There is no action {text}: {wanted}.")
        return legal[int(text) - 1]
    prefixed = _PREFIXES.get(observation.phase, "") + text
    action = _ACTIONS.get(prefixed, _ACTIONS.get(text))
    if action in legal:
        return action
    if action is not None:
        name = ACTION_NAMES[action]
        is_card_in_volley = observation.phase == Phase.VOLLEY and action < actions.DRAW
        if observation.phase not in phases_of(action) and not is_card_in_volley:
            raise InputError(f"{name} does not answer what you are asked now: {wanted}.")
        why = why_illegal(observation.record, observation.rules, action)
        raise InputError(f"{name} is not possible now: {why}.")
    if text in ("w", "wd", "wp"):
        if text.upper() not in observation.hand:
            raise InputError(f"You hold no {text.upper()}: {wanted}.")
        colors = ", ".join(f"{text}:{color}" for color in "ryg")
        raise InputError(f"Name a color with {text.upper()}: {colors} or {text}:b.")
    raise InputError(f"{typed!r} is no action: {wanted}.")
