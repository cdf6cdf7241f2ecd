"""Agents by name: `greedy`, `name:key=value,...`, or `file.py::name` for a user's own.

Packages add agents through the entry-point group `uno_sim.agents`: a name, and a factory that
takes the agent's keyword parameters and returns it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from uno_sim.policies import Agent, BatchedAgent, CompiledAgent, Policy

GROUP = "uno_sim.agents"

AgentLike = str | Agent | Policy
"""Wherever an agent is wanted, a name, an agent or a policy will do."""


def agent_names() -> list[str]:
    """Return the names of all agents that are installed, in alphabetical order."""
    return sorted(_entries(tuple(sys.path)))


def make_agent(agent: AgentLike) -> Agent:
    """Return the agent of a name, a policy, or an agent as it is.

    A name may carry parameters, `name:key=value,...`; `file.py::name` takes what a Python file
    calls `name`: a policy, an agent (compiled or batched), or a function that returns one.

    Raises `ValueError` where there is no such agent or parameter.
    """
    if _is_agent(agent):
        return agent  # type: ignore[return-value]
    if isinstance(agent, Policy):
        return CompiledAgent(agent.name, agent)
    if not isinstance(agent, str):
        raise ValueError(f"agent {agent!r}: must be a name, an agent or a policy")
    source, parameters = _split(agent)
    if "::" in source:
        found = _from_file(agent, *source.rsplit("::", 1))
    else:
        found = _from_entry_point(source)
    if isinstance(found, Policy) or _is_agent(found):
        if parameters:
            raise ValueError(f"agent {agent!r}: it takes no parameters")
        return make_agent(found)
    if not callable(found):
        raise ValueError(
            f"agent {agent!r}: is {found!r}, no policy, agent or factory{_missing(found)}"
        )
    try:
        made = found(**parameters)
    except TypeError as error:
        raise ValueError(f"agent {agent!r}: {error}{_undecorated(found)}") from None
    if not isinstance(made, Policy) and not _is_agent(made):
        raise ValueError(
            f"agent {agent!r}: its factory returned {type(made).__name__}, no agent{_missing(made)}"
        )
    return make_agent(made)


def _is_agent(value: Any) -> bool:
    """Return whether something is an agent; a class, which would make one, is not."""
    if isinstance(value, type):
        return False
    if isinstance(value, CompiledAgent):
        return True
    return isinstance(value, BatchedAgent) and isinstance(value.name, str)


def _missing(value: Any) -> str:
    """Say what an object that can act lacks to be an agent."""
    named = isinstance(getattr(value, "name", None), str)
    return "" if named or not hasattr(value, "act") else "; it has `act`, but no text `name`"


def _undecorated(value: Any) -> str:
    """Say what a function with a policy's arguments lacks to be one."""
    try:
        arguments = list(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return ""
    is_policy = arguments[:2] == ["observation", "rules"]
    return "; as a policy it needs @uno_sim.policy above it" if is_policy else ""


def _split(text: str) -> tuple[str, dict[str, Any]]:
    """Split `name:key=value,...` into the name and the parameters."""
    start = text.rfind("::")
    colon = text.find(":", start + 2 if start >= 0 else 0)
    if colon < 0:
        return text, {}
    parameters = {}
    for item in text[colon + 1 :].split(","):
        key, equals, value = item.partition("=")
        if not equals or not key.isidentifier():
            file, name = text[:colon], text[colon + 1 :]
            meant = f"; of a file it is {file}::{name}" if file.endswith(".py") else ""
            raise ValueError(f"agent {text!r}: {item!r} must be key=value{meant}")
        parameters[key] = _value(value)
    return text[:colon], parameters


def _value(text: str) -> Any:
    if not any(letter.isdigit() for letter in text):
        return {"true": True, "false": False}.get(text.lower(), text)  # `nan` is no number
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _from_entry_point(name: str) -> Callable[..., Any]:
    entries = _entries(tuple(sys.path))
    if name not in entries:
        known = ", ".join(sorted(entries)) or "none: install the project with pip"
        meant = "; of a file it is FILE.py::NAME" if name.endswith(".py") else ""
        raise ValueError(f"agent {name!r}: unknown; known are {known}{meant}")
    return _load(entries[name])


@cache
def _entries(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the entry of each agent that packages on the path name; to look takes milliseconds."""
    # Of two packages with an agent of the same name the first on the path counts.
    return {entry.name: entry for entry in reversed([*entry_points(group=GROUP)])}


def _load(entry: EntryPoint) -> Callable[..., Any]:
    try:
        factory: Callable[..., Any] = entry.load()
    except (ImportError, AttributeError) as error:
        package = sys.modules.get(entry.module.partition(".")[0])
        place = getattr(package, "__file__", None) or "unknown"
        raise ValueError(
            f"agent {entry.name!r}: cannot load {entry.value} ({error}); Python found the package "
            f"{entry.module.partition('.')[0]!r} at {place}: if that is another package of the "
            "same name, run from another folder or uninstall it"
        ) from error
    return factory


def _from_file(agent: str, path: str, name: str) -> Any:
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"agent {agent!r}: there is no file {path}")
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    module_name = f"uno_sim_file_{file.stem}_{digest}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"agent {agent!r}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"agent {agent!r}: {path}: {type(error).__name__}: {error}") from error
    if not hasattr(module, name):
        raise ValueError(f"agent {agent!r}: {path} has no {name!r}")
    return getattr(module, name)
