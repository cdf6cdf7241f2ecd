# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     notebook_metadata_filter: -jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # First games
#
# One round played by hand, one challenge, and then a thousand games at once. The first call of the
# rules may compile them, which takes less than a minute and is announced.

# %%
import os

from experiments import charts, measures
from experiments.matches import Match
from uno_sim import UNO_DUO, UNO_POCKET, Game, IllegalActionError, Phase, simulate

NUM_GAMES = int(os.environ.get("UNO_SIM_NOTEBOOK_GAMES", "1000"))

# %% [markdown]
# ## A game by hand
#
# UNO Duo begins with a draft. Cards are texts such as `R7` (red 7), `GS` (green Skip) or `WD` (Wild
# Draw Four). The same seed deals the same cards. A `Game` knows everything, the order of the draw
# pile too.

# %%
game = Game(UNO_DUO, seed=7)
print(game.render())
print("next cards:", game.draw_pile[:5])

# %% [markdown]
# A player knows less. This is what the player knows who picks first: the offered card, the own
# hand, the number of cards that the other one holds.

# %%
print(game.observation(game.current_player))

# %% [markdown]
# A pick keeps the offered card, or rejects it and must then keep the next one. An action is a text
# or its number.

# %%
game.step("reject")
print(game.discard_pile, game.hand_sizes)
print(game.legal_names(), game.legal_actions())

# %% [markdown]
# To keep this short, both now keep whatever they are offered, until each holds seven cards.

# %%
while game.phase == Phase.DRAFT:
    game.step("keep")
print(game.render())

# %% [markdown]
# An illegal action changes nothing, and the error says why it is illegal and what would be legal.

# %%
try:
    game.step("pass")
except IllegalActionError as error:
    print(error)

# %% [markdown]
# A legal one is carried out. Here the player to move lays or does the first thing that is legal.

# %%
print("seat", game.current_player, "does", game.legal_names()[0])
game.step(game.legal_actions()[0])
print(game.render())

# %% [markdown]
# And so on, until somebody is out. What happened last is part of every observation; after the round
# the cards left in hand are scored, and the next round can be dealt.

# %%
while game.phase != Phase.ROUND_OVER:
    game.step(game.legal_actions()[0])
print("\n".join(game.observation(0).events[-5:]))
print("seat", game.round_winner, "is out; points", game.points, "totals", game.scores)
game.next_round()
print(game.render())

# %% [markdown]
# ## A challenge
#
# A game can begin from any position, written as text. Seat 0 may lay the Wild Draw Four, but it
# also holds a red card that could be laid on red: it bluffs.

# %%
game = Game.from_position(
    UNO_DUO,
    """
    hands: R5 B2 B9 WD | G1 G2 Y7
    draw: Y1 Y2 Y3 Y4 Y5 Y6
    discard: R3
    """,
)
game.step("WD:B")
print(game.observation(1))

# %% [markdown]
# Seat 1 sees only that a wild draw was laid, not whether it was a bluff. It challenges, is right,
# and seat 0 draws the four cards.

# %%
game.step("challenge")
print(game.render())

# %% [markdown]
# ## A thousand games
#
# `simulate` plays many games of two agents. Each deal is played twice, once from either seat, so
# that the luck of the deal favors nobody. The result is a row a game, a row a round, and a summary
# with 95% intervals.

# %%
results = simulate(UNO_DUO, ["greedy", "random"], games=NUM_GAMES, seed=1)
results.summary().T

# %%
results.games.head()

# %% [markdown]
# The charts are drawn from tables, which can be written to files as well. Here the rounds are those
# of the games.

# %%
duo = Match.of(games=results)
charts.win_rate_chart(measures.win_rates([duo]))

# %%
charts.final_scores_chart(measures.final_scores([duo]))

# %%
charts.round_points_chart(measures.round_points([duo]))

# %% [markdown]
# Random play is a weak opponent, so a high win rate against it says little. Two equal agents show
# something else: how much it matters where one sits. Then every deal is played once.

# %%
equal = Match.of(games=simulate(UNO_POCKET, ["greedy"] * 4, games=NUM_GAMES, seed=1, paired=False))
charts.win_rate_chart(measures.win_rates([equal]))

# %%
charts.round_length_chart(measures.round_lengths([equal]))

# %% [markdown]
# Any row can be played again as a `Game`: here the longest round.

# %%
longest = results.rounds["turns"].idxmax()
print(results.replay(longest).render())
