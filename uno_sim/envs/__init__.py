"""Adapters of the game to the environments of other libraries."""
