"""Cards as texts, and the random stream of a game, for the reference model."""

COLORS = "RYGB"
SYMBOLS = "0123456789SRD"  # Skip, Reverse and Draw after the numbers
CARDS = [color + symbol for color in COLORS for symbol in SYMBOLS] + ["W", "WD", "WP"]
KIND = {card: kind for kind, card in enumerate(CARDS)}


def is_wild(card: str) -> bool:
    return card[0] == "W"


def is_colored_draw(card: str) -> bool:
    return card[1:] == "D" and not is_wild(card)


def matches(card: str, top: str, color: str) -> bool:
    """Wild, or of the active color, or of the number or symbol on top; a wild has none (C1)."""
    if is_wild(card) or card[0] == color:
        return True
    return not is_wild(top) and card[1] == top[1]


def distinct(cards: list[str]) -> list[str]:
    """Each text once, in the order given."""
    return list(dict.fromkeys(cards))


def next_word(stream: int) -> tuple[int, int]:
    """The next state of the stream and the 64 bits it yields (SplitMix64)."""
    stream = (stream + 0x9E3779B97F4A7C15) % 2**64
    word = ((stream ^ (stream >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
    return stream, word ^ (word >> 31)


def below(number: int, stream: int) -> tuple[int, int]:
    """The next state and a fair integer below `number`.

    The upper 32 bits are scaled by a product; the few that would favor some integers are redrawn.
    """
    unfair = 2**32 % number
    while True:
        stream, word = next_word(stream)
        product = (word >> 32) * number
        if product % 2**32 >= unfair:
            return stream, product >> 32


def shuffle(cards: list[str], stream: int) -> int:
    """Shuffle in place, from the end to the front; returns the next state of the stream."""
    for i in range(len(cards) - 1, 0, -1):
        stream, j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return stream
