"""A run that is stopped at any moment goes on in its folder, and ends with the same rows."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from tests.envs.batched_agents import BySeed
from tests.policies import lowest_legal
from uno_sim import UNO_DUO, UNO_POCKET, simulate
from uno_sim.simulation import plan

CAST = ["greedy", "random"]


@pytest.fixture(autouse=True)
def small_units(monkeypatch):
    monkeypatch.setattr(plan, "UNITS", 1)
    monkeypatch.setattr(plan, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(plan, "ROWS_IN_LOCKSTEP", 10)
    monkeypatch.setattr(plan, "BATCHES_IN_A_UNIT", 2)


def same(one, other):
    return one.rounds.equals(other.rounds) and one.games.equals(other.games)


@pytest.mark.parametrize("amount", [{"rounds": 110}, {"games": 44}])
def test_a_folder_changes_no_row(tmp_path, amount):
    alone = simulate(UNO_DUO, CAST, seed=1, **amount)
    for _ in range(2):  # the second time all units are there already
        assert same(simulate(UNO_DUO, CAST, seed=1, out=tmp_path / "run", **amount), alone)
    files = sorted(path.name for path in (tmp_path / "run").iterdir())
    units = -(-sum(amount.values()) // 20)
    assert files == ["manifest.json", *(f"unit-{unit:07d}.rows" for unit in range(units))]


@pytest.mark.parametrize(
    "damage", ["gone", "cut", "changed", "empty", "foreign", "of another unit", "of another run"]
)
def test_a_damaged_unit_is_played_again(tmp_path, damage):
    alone = simulate(UNO_POCKET, CAST, seed=2, rounds=100, out=tmp_path)
    victim = tmp_path / "unit-0000002.rows"
    content = victim.read_bytes()
    other = (tmp_path / "unit-0000003.rows").read_bytes()
    elsewhere = tmp_path / "elsewhere"
    simulate(UNO_POCKET, CAST, seed=3, rounds=100, out=elsewhere)
    if damage == "gone":
        victim.unlink()
    else:
        victim.write_bytes(
            {
                "cut": content[:-40],
                "changed": content[:200] + bytes([content[200] ^ 1]) + content[201:],
                "empty": b"",
                "foreign": other[:64] + content[64:],
                "of another unit": other,
                "of another run": (elsewhere / victim.name).read_bytes(),
            }[damage]
        )
    assert same(simulate(UNO_POCKET, CAST, seed=2, rounds=100, out=tmp_path), alone)
    assert victim.read_bytes() == content


DIFFERENT = {
    "seed": {"seed": 4},
    "rows": {"rounds": 60},
    "unit": {"rounds": None, "games": 40},
    "paired": {"paired": "permutations"},
    "agents": {"agents": ["greedy", lowest_legal]},
    "rules": {"rules": replace(UNO_DUO, uno_penalty=4)},
}


@pytest.mark.parametrize("key", DIFFERENT)
def test_another_run_in_the_same_folder_is_refused_naming_what_differs(tmp_path, key):
    arguments = {"rules": UNO_DUO, "agents": CAST, "seed": 3, "rounds": 40, "out": tmp_path}
    simulate(**arguments)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ValueError, match=f"holds another run: {key}: "):
        simulate(**{**arguments, **DIFFERENT[key]})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_manifest_that_is_none_is_refused(tmp_path):
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(ValueError, match="not a manifest"):
        simulate(UNO_DUO, CAST, rounds=2, out=tmp_path)
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "unit-0000000.rows").write_text("")
    with pytest.raises(ValueError, match="no manifest"):
        simulate(UNO_DUO, CAST, rounds=2, out=tmp_path)


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    alone = simulate(UNO_DUO, CAST, seed=5, rounds=100)
    from uno_sim.simulation import run_folder

    written, write = [], run_folder.write_whole

    def until_full(path, content):
        if len(written) == 4:
            raise OSError(28, "No space left on device", str(path))
        written.append(path)
        write(path, content)

    monkeypatch.setattr(run_folder, "write_whole", until_full)
    with pytest.raises(OSError, match="No space left"):
        simulate(UNO_DUO, CAST, seed=5, rounds=100, out=tmp_path)
    monkeypatch.undo()
    small_again = pytest.MonkeyPatch()
    small_again.setattr(plan, "UNITS", 1)
    small_again.setattr(plan, "ROWS_AT_ONCE", 10)
    small_again.setattr(plan, "BATCHES_IN_A_UNIT", 2)
    try:
        assert same(simulate(UNO_DUO, CAST, seed=5, rounds=100, out=tmp_path), alone)
    finally:
        small_again.undo()


def test_with_workers_and_agents_in_plain_python(tmp_path):
    alone = simulate(UNO_DUO, [BySeed(), "greedy"], seed=6, rounds=40)
    found = simulate(UNO_DUO, [BySeed(), "greedy"], seed=6, rounds=40, out=tmp_path)
    assert same(found, alone)
    alone = simulate(UNO_DUO, CAST, seed=6, rounds=200)
    assert same(simulate(UNO_DUO, CAST, seed=6, rounds=200, workers=2, out=tmp_path / "b"), alone)


SCRIPT = """
import sys
from uno_sim import UNO_DUO, simulate
from uno_sim.simulation import plan
plan.UNITS, plan.ROWS_AT_ONCE, plan.BATCHES_IN_A_UNIT = 1, 200, 1
results = simulate(UNO_DUO, ["random", "random"], rounds=40_000, seed=8, workers=2, out=sys.argv[1])
results.rounds.to_csv(sys.argv[2], index=False)
"""


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(tmp_path):
    source = np.random.default_rng(4)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "run"), str(tmp_path / "rows.csv")]
    kills = 0
    while True:
        process = subprocess.Popen(command)
        try:
            process.wait(1.2 + source.random() if kills < 4 else 120)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            time.sleep(0.01)
    assert process.returncode == 0
    undisturbed = tmp_path / "undisturbed.csv"
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "other"), str(undisturbed)], check=True
    )
    assert (tmp_path / "rows.csv").read_bytes() == undisturbed.read_bytes()
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert (manifest["seed"], manifest["rows"]) == (8, 40_000)


BOT = """
import numpy as np
from uno_sim import views

class Bot:
    name = "bot"
    def __init__(self, last=False):
        self.last = last
    def act(self, observations, seeds):
        masks = [views.legal_mask(observation["legal"]) for observation in observations]
        return np.array([np.flatnonzero(mask)[-1 if self.last else 0] for mask in masks])

def bot(last=False):
    return Bot(last)
"""


def test_a_batched_agent_that_was_changed_is_another_one(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    cast = [f"{file}::bot", "random"]
    kept = simulate(UNO_DUO, cast, rounds=20, out=tmp_path / "run")
    assert same(simulate(UNO_DUO, cast, rounds=20, out=tmp_path / "run"), kept)
    with pytest.raises(ValueError, match="holds another run: agents: bot not the same"):
        simulate(UNO_DUO, [f"{file}::bot:last=true", "random"], rounds=20, out=tmp_path / "run")
    file.write_text(BOT.replace("-1 if", "1 if"))
    with pytest.raises(ValueError, match="holds another run: agents: bot not the same"):
        simulate(UNO_DUO, cast, rounds=20, out=tmp_path / "run")


def test_a_version_says_that_a_batched_agent_is_the_same(tmp_path):
    file = tmp_path / "bot.py"
    named = BOT.replace('name = "bot"', 'name, version = "bot", 1')
    file.write_text(named)
    cast = [f"{file}::bot", "random"]
    kept = simulate(UNO_DUO, cast, rounds=20, out=tmp_path / "run")
    file.write_text(named.replace("import numpy", "# A remark.\nimport numpy"))
    assert same(simulate(UNO_DUO, cast, rounds=20, out=tmp_path / "run"), kept)
