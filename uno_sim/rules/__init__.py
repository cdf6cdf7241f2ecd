"""The rules of both games, compiled, one subject a file, in the order of the rule book.

| file | rules |
|---|---|
| `hands`, `piles` | cards into and out of hands, drawing and recycling: C11, D5, D7, P8 |
| `playability`, `legal` | what may be laid, what is legal: C1, C2, C3, C7, D8, D9, P6 |
| `dealing`, `start_card` | the deck, the deal, the draft, the start card: C13, D2 to D6, P2 to P4 |
| `turn_order`, `turn` | whose turn it is, drawing, passing: C2, C3, C12 |
| `laying`, `dump` | laying cards, a dip and its gift, a dump: C4, D9, D9a, P6 |
| `effects` | what a card does: D8 to D10, P5, P7 |
| `challenge` | answers to draw cards: C8 to C10, D8 |
| `uno_call` | saying UNO, staying silent, catching: C4 |
| `going_out`, `scoring` | the end of a round and of the game: C5, C6, C12, C14, D11, D12, P9, P10 |
| `transition` | `start_round` and `step`, which put all of it together |

Each function changes the state record it is given, in place. Legality is decided in one place
(`legal`); the other functions are called with legal actions only.
"""
