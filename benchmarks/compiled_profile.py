"""Where the time goes inside the compiled simulator: a sampling profile by Linux `perf`.

Compiles all anew, which takes most of a minute, names the compiled functions for `perf` in its map
file, lets `perf` watch while rounds are played, and prints its report. Small functions are part of
those that call them. Needs the programs `perf` and `nm`.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

GAMES = {"duo": "UNO_DUO", "pocket": "UNO_POCKET"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Compile, play under `perf`, and print the report."""
    options = parse(arguments)
    with tempfile.TemporaryDirectory(prefix="uno-sim-profile-") as folder:
        # Where functions lie is only known of those that this process compiles itself.
        os.environ["NUMBA_CACHE_DIR"] = folder
        data = str(Path(folder) / "perf.data")
        play_watched(options.game, options.agent, options.seconds, data)
        report = ["perf", "report", "--input", data, "--stdio", "--no-children"]
        report += ["--sort", "symbol", "--percent-limit", "0.5"]
        listing = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    lines = [line.rstrip() for line in listing.splitlines()]
    print("\n".join(line for line in lines if line and not line.startswith("#")))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compiled_profile",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=GAMES, default="duo")
    parser.add_argument("--agent", default="greedy", help="plays both seats (greedy)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to play (10)")
    return parser.parse_args(arguments)


def play_watched(game: str, agent_name: str, seconds: float, data: str) -> None:
    """Play rounds for some seconds while `perf` writes its samples to the file `data`."""
    import uno_sim
    from uno_sim.code_apart import functions_apart
    from uno_sim.simulation.driver import advance, start_rounds

    rules = getattr(uno_sim, GAMES[game])
    agent = uno_sim.make_agent(agent_name)
    uno_sim.simulate(rules, [agent, agent], rounds=2)
    names = Path(f"/tmp/perf-{os.getpid()}.map")
    functions = (start_rounds, advance, agent.policy.function, *functions_apart())
    names.write_text("".join(name_lines(*functions)))
    command = ["perf", "record", "--quiet", "--output", data, "--pid", str(os.getpid())]
    watcher = subprocess.Popen([*command, "--event", "cpu-clock:u"])
    end, seed = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        uno_sim.simulate(rules, [agent, agent], rounds=10_000, seed=seed)
        seed += 1
    watcher.send_signal(signal.SIGINT)
    watcher.wait()


def name_lines(*functions: Any) -> Iterator[str]:
    """Yield a line `ADDRESS SIZE NAME` for each part of compiled functions and of their callees."""
    seen: set[Any] = set()
    for function in functions:
        for compiled in function.overloads.values():
            yield from _library_lines(compiled.library, seen)


def _library_lines(library: Any, seen: set[Any]) -> Iterator[str]:
    if library in seen:
        return
    seen.add(library)
    if not library._object_caching_enabled:  # Numba's own runtime
        return
    for linked in library._linking_libraries:
        yield from _library_lines(linked, seen)
    parts = _parts(library)
    for name, (start, _) in parts.items():
        if readable(name).endswith(f".{library.name}"):
            base = library.get_pointer_to_function(name) - start
            break
    else:
        return
    for name, (start, size) in parts.items():
        yield f"{base + start:x} {size:x} {readable(name)}\n"


def _parts(library: Any) -> dict[str, tuple[int, int]]:
    """Return place and size of each function in a library's machine code."""
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(library._get_compiled_object())
        file.flush()
        command = ["nm", "--print-size", file.name]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    fields = [line.split() for line in listing.splitlines()]
    return {
        field[3]: (int(field[0], 16), int(field[1], 16))
        for field in fields
        if len(field) == 4 and field[2] in "TtWw"
    }


def readable(mangled: str) -> str:
    """Return `module.function` of a mangled name."""
    if not mangled.startswith("_ZN"):
        return mangled
    rest, parts = mangled[3:], []
    while found := re.match(r"\d+", rest):
        end = found.end() + int(found[0])
        parts.append(rest[found.end() : end])
        rest = rest[end:]
    return ".".join(parts)


if __name__ == "__main__":
    main()
