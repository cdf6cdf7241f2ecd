"""Batches: the driver that plays games on, and what it is used for."""
