"""Agents, one strategy a file. They are found by name through the entry points of the project."""
