"""Measurements of speed: fixed seeds, the time to compile kept apart, nothing asserted."""
