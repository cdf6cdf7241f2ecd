"""Decisions: what each action is worth in a position, tried out in imagined worlds."""
