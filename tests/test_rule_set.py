"""Rule sets: the presets, their variants, and what is refused with which message."""

import copy
import dataclasses
import pickle
import re
from dataclasses import FrozenInstanceError, fields, replace
from types import MappingProxyType

import numpy as np
import pytest

from uno_sim import UNO_DUO, UNO_POCKET, Game, RuleSet, load_record, simulate
from uno_sim.cards import CARD_NAMES
from uno_sim.rule_set import OPTION_VALUES, with_option

PRESETS = pytest.mark.parametrize("rules", [UNO_DUO, UNO_POCKET], ids=["duo", "pocket"])
FIELDS = [field.name for field in dataclasses.fields(RuleSet)]
FLAGS = ["stack_draws", "reverse_last_opens", "same_wild_draw_counts", "last_card_draws"]
LEAST = {
    "hand_size": 1,
    "min_players": 2,
    "max_players": 2,
    "target": 1,
    "draw_penalty": 0,
    "wild_draw_penalty": 0,
    "failed_challenge_extra": 0,
    "uno_penalty": 0,
    "max_turns": 1,
}
"""Every field that is a number, with its least value."""


def refuse(message: str, rules: RuleSet = UNO_DUO, **options) -> None:
    """Assert that the options are refused with this message, alone or on a copy."""
    with pytest.raises(ValueError) as refusal:
        replace(rules, **options)
    assert str(refusal.value) == message
    fields = {name: getattr(rules, name) for name in FIELDS}
    with pytest.raises(ValueError, match=re.escape(message)):
        RuleSet(**{**fields, **options})


def test_every_field_is_a_name_a_deck_a_flag_a_number_or_an_option():
    assert {*FLAGS, *LEAST, *OPTION_VALUES, "name", "deck", "card_values"} == set(FIELDS)


@PRESETS
def test_presets_are_immutable(rules):
    before = {name: getattr(rules, name) for name in FIELDS}
    for name in FIELDS:
        with pytest.raises(FrozenInstanceError):
            setattr(rules, name, before[name])
        with pytest.raises(FrozenInstanceError):
            delattr(rules, name)
    with pytest.raises(TypeError):
        rules.deck[0] = 9
    assert {name: getattr(rules, name) for name in FIELDS} == before


@PRESETS
def test_a_record_is_read_only(rules):
    # Else one assignment would change the game for all others. (A copy has a record of its own.)
    record = copy.copy(rules).record
    with pytest.raises(ValueError, match="read-only"):
        record["target"] = 1
    with pytest.raises(ValueError, match="read-only"):
        record["deck"][0] = 1


@PRESETS
def test_a_record_holds_every_number_and_flag(rules):
    for field in [*LEAST, *FLAGS]:
        if field not in ("min_players", "max_players"):
            assert rules.record[field] == getattr(rules, field)
    assert rules.record["deck"].tolist() == list(rules.deck)
    assert rules.record["card_values"].tolist() == list(rules.card_values)
    for option, values in OPTION_VALUES.items():
        assert values[rules.record[option]] == getattr(rules, option)


@PRESETS
@pytest.mark.parametrize("option", OPTION_VALUES)
def test_each_value_of_an_option_has_its_own_place_in_the_record(rules, option):
    places = {
        int(replace(rules, max_players=2, **{option: value}).record[option])
        for value in OPTION_VALUES[option]
    }
    assert len(places) == len(OPTION_VALUES[option])


@pytest.mark.parametrize("option", OPTION_VALUES)
@pytest.mark.parametrize("value", ["", "DEAL", "other!", None, 0, True, ("deal",), ["deal"]])
def test_an_option_is_one_of_its_values(option, value):
    choices = " or ".join(map(repr, OPTION_VALUES[option]))
    refuse(f"{option}={value!r}: must be {choices}", **{option: value})


@pytest.mark.parametrize("field", FLAGS)
@pytest.mark.parametrize("value", [0, 1, "true", None, 1.0])
def test_a_flag_is_true_or_false(field, value):
    refuse(f"{field}={value!r}: must be True or False", **{field: value})


@pytest.mark.parametrize("field", LEAST)
@pytest.mark.parametrize("value", [-1, 1.5, "3", None, True, float("nan"), -(2**70)])
def test_a_number_is_an_integer_of_a_least_value(field, value):
    refuse(f"{field}={value!r}: must be an integer of at least {LEAST[field]}", **{field: value})


@pytest.mark.parametrize("field", LEAST)
@pytest.mark.parametrize("value", [2**31, 2**70])
def test_a_number_is_small_enough_for_sums_of_it(field, value):
    with pytest.raises(ValueError, match=rf"^{field}={value}: must be at most [\d,]+$"):
        replace(UNO_POCKET, **{field: value})


@pytest.mark.parametrize("field", [field for field, least in LEAST.items() if least])
def test_a_number_below_its_least_value_is_refused(field):
    low = LEAST[field] - 1
    refuse(f"{field}={low!r}: must be an integer of at least {low + 1}", **{field: low})


@pytest.mark.parametrize("field", [field for field in LEAST if not field.endswith("players")])
def test_a_number_may_have_its_least_value(field):
    rules = replace(UNO_POCKET, **{field: LEAST[field]})
    assert getattr(rules, field) == LEAST[field] == rules.record[field]


@pytest.mark.parametrize(("least", "most"), [(3, 2), (5, 4)])
def test_the_numbers_of_players_ascend(least, most):
    message = f"min_players={least}, max_players={most}: must ascend"
    refuse(message, UNO_POCKET, min_players=least, max_players=most)


def test_the_players_are_at_most_five():
    refuse("max_players=6: must be at most 5", UNO_POCKET, max_players=6)


def test_a_draft_is_for_two_players():
    message = "deal='draft', max_players={}: a draft is for two players"
    refuse(message.format(3), UNO_DUO, max_players=3)
    refuse(message.format(5), UNO_POCKET, deal="draft")


@pytest.mark.parametrize("field", ["deck", "card_values"])
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1] * 54, "54 numbers, must be 55, one a card kind"),
        ([1] * 56, "56 numbers, must be 55, one a card kind"),
        ([], "0 numbers, must be 55, one a card kind"),
        ([*[1] * 54, -1], "-1 for WP, must be an integer of at least 0"),
        ([1.5, *[1] * 54], "1.5 for R0, must be an integer of at least 0"),
        ([True, *[1] * 54], "True for R0, must be an integer of at least 0"),
        ({"R3": 2**31}, f"{2**31} for R3, must be at most 1,000,000"),
        ({"G5": -2}, "-2 for G5, must be an integer of at least 0"),
        ({"G5": "2"}, "'2' for G5, must be an integer of at least 0"),
        ({"G5": None}, "None for G5, must be an integer of at least 0"),
    ],
    ids=repr,
)
def test_counts_are_55_integers(field, counts, message):
    refuse(f"{field}: {message}", **{field: counts})


@pytest.mark.parametrize("field", ["deck", "card_values"])
@pytest.mark.parametrize("card", ["X1", "", "r1", "R10", "W:R", 55, -1, 1.5, None, True, ("R1",)])
def test_counts_are_given_by_card_or_kind(field, card):
    with pytest.raises(ValueError, match=rf"^{field}: (?!\d+ cards)"):
        replace(UNO_DUO, **{field: {"R1": 40, card: 1}})


@pytest.mark.parametrize("field", ["deck", "card_values"])
@pytest.mark.parametrize("value", [5, None, 1.5, object, "R1"])
def test_counts_are_a_sequence_or_a_mapping(field, value):
    with pytest.raises(ValueError, match=f"^{field}: "):
        replace(UNO_DUO, **{field: value})


@pytest.mark.parametrize("name", [5, None, b"Duo", ("Duo",)])
def test_a_name_is_a_text(name):
    refuse(f"name={name!r}: must be a text", name=name)


def test_a_deck_is_not_too_large():
    refuse("deck: 129 cards, at most 128 are possible", deck={"R1": 129})
    refuse("deck: 300 cards, at most 128 are possible", deck={"W": 300})
    assert replace(UNO_DUO, deck={"R1": 128}).num_cards == 128


@pytest.mark.parametrize(
    ("rules", "options", "cards", "players", "needed"),
    [
        (UNO_DUO, {"deck": {"R1": 27}}, 27, 2, 28),
        (UNO_DUO, {"hand_size": 29}, 112, 2, 116),
        (UNO_DUO, {"deck": {}}, 0, 2, 28),
        (UNO_POCKET, {"deck": {"R1": 10}}, 10, 2, 11),
        (UNO_POCKET, {"min_players": 4, "hand_size": 13}, 52, 4, 53),
    ],
)
def test_a_deck_is_enough_for_the_fewest_players(rules, options, cards, players, needed):
    size = options.get("hand_size", rules.hand_size)
    refuse(
        f"deck: {cards} cards, but dealing hands (hand_size={size}) "
        f"to {players} players takes {needed}",
        rules,
        **options,
    )


@pytest.mark.parametrize(
    ("rules", "options", "num_players"),
    [(UNO_DUO, {"deck": {"R1": 28}}, 2), (UNO_POCKET, {"deck": {"R1": 26}}, 5)],
)
def test_a_deck_that_is_just_enough_will_do(rules, options, num_players):
    game = Game(replace(rules, **options), num_players)
    while game.phase.name == "DRAFT":
        game.step("keep")
    assert game.top_card == "R1"


@pytest.mark.parametrize("num_players", [1, 6, 0, -1, True, 2.0, "2", None], ids=repr)
def test_a_game_has_as_many_players_as_the_rules_allow(num_players):
    message = f"num_players={num_players!r}: UNO Pocket Pizza Pizza is for 2 to 5 players"
    with pytest.raises(ValueError, match=re.escape(message)):
        Game(UNO_POCKET, num_players)


def test_a_deck_is_given_as_a_mapping_of_texts_or_kinds_or_as_numbers():
    by_text = replace(UNO_DUO, deck={"R0": 20, "W": 10})
    by_kind = replace(UNO_DUO, deck={0: 20, 52: 10})
    mixed = replace(UNO_DUO, deck=MappingProxyType({np.int64(0): 20, "W": np.int8(10)}))
    by_number = replace(UNO_DUO, deck=[20, *[0] * 51, 10, 0, 0])
    by_array = replace(UNO_DUO, deck=np.array([20, *[0] * 51, 10, 0, 0]))
    for rules in (by_text, by_kind, mixed, by_number, by_array):
        assert rules == by_text and hash(rules) == hash(by_text)
        assert rules.deck == (20, *[0] * 51, 10, 0, 0) and rules.num_cards == 30
        assert all(type(count) is int for count in rules.deck)


def test_the_given_mapping_is_not_kept():
    deck = {"R0": 40}
    rules = replace(UNO_DUO, deck=deck)
    deck["R0"] = 1
    assert rules.num_cards == 40


def test_values_are_given_as_a_mapping():
    rules = replace(UNO_DUO, card_values={"R1": 7, "WD": 50})
    values = dict(zip(CARD_NAMES, rules.card_values, strict=True))
    assert values == {**dict.fromkeys(CARD_NAMES, 0), "R1": 7, "WD": 50}


@PRESETS
def test_replace_changes_one_field_and_leaves_the_preset(rules):
    variant = replace(rules, target=77)
    assert (variant.target, variant.record.target) == (77, 77)
    assert rules.target != 77 and rules.record.target == rules.target
    assert replace(variant, target=rules.target) == rules
    assert variant != rules and variant.name == rules.name


@PRESETS
@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda rules: pickle.loads(pickle.dumps(rules))],
    ids=["copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("used", [True, False])
def test_a_copy_is_equal_and_plays_alike(rules, copied, used):
    rules = replace(rules, target=60)
    if used:
        assert rules.record.target == 60
    again = copied(rules)
    assert again == rules and hash(again) == hash(rules) and again is not rules
    assert again.record.tobytes() == rules.record.tobytes()
    rows = [simulate(one, ["greedy", "random"], games=4).rounds for one in (rules, again)]
    assert rows[0].equals(rows[1])
    with pytest.raises(FrozenInstanceError):
        again.target = 5


def test_numpy_numbers_and_flags_will_do(tmp_path):
    options = {"target": np.int64(90), "stack_draws": np.bool_(False), "max_turns": np.uint8(50)}
    rules = replace(UNO_DUO, **options)
    assert rules == replace(UNO_DUO, target=90, stack_draws=False, max_turns=50)
    game = Game(rules, num_players=np.int64(2))
    game.step("keep")
    game.save(tmp_path / "game.txt")
    assert load_record(tmp_path / "game.txt").rules == rules


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("target=500", "target", 500),
        ("max_turns=2_000", "max_turns", 2000),
        ("uno_penalty=0", "uno_penalty", 0),
        ("deal=deal", "deal", "deal"),
        ("uno_calls=automatic", "uno_calls", "automatic"),
        ("name=My own UNO = fun", "name", "My own UNO = fun"),
        *[(f"stack_draws={word}", "stack_draws", True) for word in ("true", "yes", "1", "True")],
        *[(f"stack_draws={word}", "stack_draws", False) for word in ("false", "no", "0", "NO")],
    ],
)
def test_an_option_is_set_from_text(text, field, value):
    rules = with_option(UNO_DUO, text)
    assert getattr(rules, field) == value and type(getattr(rules, field)) is type(value)
    assert replace(rules, **{field: getattr(UNO_DUO, field)}) == UNO_DUO


def test_counts_are_set_from_text_and_the_others_stay():
    rules = with_option(UNO_POCKET, "deck=W:4, WP:0,R1:2")
    expected = dict(zip(CARD_NAMES, UNO_POCKET.deck, strict=True)) | {"W": 4, "WP": 0, "R1": 2}
    assert rules == replace(UNO_POCKET, deck=expected)
    values = with_option(UNO_POCKET, "card_values=WD:75").card_values
    assert values[53] == 75 and values[:53] == UNO_POCKET.card_values[:53]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("target", "rule 'target': must be FIELD=VALUE with a field of name, deck, "),
        ("", "rule '': must be FIELD=VALUE with a field of "),
        ("goal=5", "rule 'goal=5': must be FIELD=VALUE with a field of "),
        (" target=5", "rule ' target=5': must be FIELD=VALUE with a field of "),
        ("target=many", "rule 'target=many': target must be an integer"),
        ("target=", "rule 'target=': target must be an integer"),
        ("target=1.5", "rule 'target=1.5': target must be an integer"),
        ("target=0", "target=0: must be an integer of at least 1"),
        ("stack_draws=perhaps", "rule 'stack_draws=perhaps': stack_draws must be true or false"),
        ("stack_draws=", "rule 'stack_draws=': stack_draws must be true or false"),
        ("deal=thrown", "deal='thrown': must be 'deal' or 'draft'"),
        ("deck=", "rule 'deck=': deck must be a list such as W:4,WP:2 ("),
        ("deck=W", "rule 'deck=W': deck must be a list such as W:4,WP:2 (invalid literal"),
        ("deck=X:4", "rule 'deck=X:4': deck must be a list such as W:4,WP:2 (card 'X'"),
        ("deck=W:many", "rule 'deck=W:many': deck must be a list such as W:4,WP:2 ("),
        ("deck=W:-4", "deck: -4 for W, must be an integer of at least 0"),
        ("deck=W:400", "at most 128 are possible"),
    ],
    ids=repr,
)
def test_a_text_that_does_not_fit_is_named(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        with_option(UNO_DUO, text)


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_can_be_set_from_text(field):
    value = getattr(UNO_POCKET, field)
    if field in ("deck", "card_values"):
        counts = zip(CARD_NAMES, value, strict=True)
        value = ",".join(f"{card}:{count}" for card, count in counts)
    assert with_option(UNO_POCKET, f"{field}={value}") == UNO_POCKET


def test_a_rule_set_is_told_by_name_and_what_differs_from_the_preset():
    assert repr(UNO_DUO) == "<RuleSet UNO Duo>"
    changed = replace(UNO_POCKET, target=500, challenge_judges="color", deck={"R1": 30, "W": 2})
    assert repr(changed) == (
        "<RuleSet UNO Pocket Pizza Pizza, deck=R1:30 W:2, target=500, challenge_judges=color>"
    )
    assert repr(replace(UNO_DUO, name="mine")) == "<RuleSet mine>"


def test_a_rule_set_prints_all_its_options():
    lines = str(UNO_DUO).splitlines()
    assert lines[0] == "UNO Duo"
    assert [line.split()[0] for line in lines[1:]] == [
        field.name for field in fields(UNO_DUO) if field.name != "name"
    ]
    deck = "each color 0:1 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2 S:2 R:2 D:2; W:8 WD:4"
    assert f"  deck{' ' * 20}{deck}" in lines
    assert f"  stack_draws{' ' * 13}True" in lines
    assert max(map(len, str(replace(UNO_POCKET, deck={"R0": 26})).splitlines())) < 120
