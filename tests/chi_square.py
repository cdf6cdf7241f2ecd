"""Pearson's chi-square test of counts, for samples with fixed seeds."""

from collections.abc import Sequence

CRITICAL = {
    1: 10.828,
    2: 13.816,
    3: 16.266,
    4: 18.467,
    5: 20.515,
    6: 22.458,
    7: 24.322,
    8: 26.124,
    9: 27.877,
    12: 32.909,
    15: 37.697,
    19: 43.820,
    23: 49.728,
    29: 58.301,
    35: 66.619,
    49: 85.351,
}
"""Degrees of freedom -> what a true hypothesis exceeds once in 1,000 samples (from tables)."""


def assert_uniform(counts: Sequence[int]) -> None:
    """Assert that counts may come from equally likely cells."""
    assert_shares(counts, [1] * len(counts))


def assert_shares(counts: Sequence[int], weights: Sequence[float]) -> None:
    """Assert that counts may come from cells with these weights."""
    total, whole = sum(counts), sum(weights)
    expected = [total * weight / whole for weight in weights]
    assert min(expected) >= 5, "too few for the test to mean anything"
    cells = zip(counts, expected, strict=True)
    statistic = sum((count - mean) ** 2 / mean for count, mean in cells)
    critical = CRITICAL[len(counts) - 1]
    assert statistic < critical, f"chi-square {statistic:.1f} is not below {critical}: {counts}"
