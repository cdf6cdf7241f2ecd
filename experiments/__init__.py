"""Experiments, one question a file, run as `python -m experiments.NAME`; see its `--help`."""
