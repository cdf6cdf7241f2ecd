"""Agents by name: the installed ones, those of other packages, and a user's own file."""

import os
import re
import subprocess
import sys

import pytest

from agents.greedy import choose_greedily, greedy
from uno_sim import (
    UNO_DUO,
    CompiledAgent,
    IllegalActionError,
    agent_names,
    make_agent,
    simulate,
)

OWN_FILE = '''
"""A user's own agents."""

import numpy as np

from uno_sim import CompiledAgent, policy
from uno_sim.policies import nth_legal


@policy(name="lowest")
def lowest(observation, rules, params, memory, random):
    return nth_legal(observation, 0)


def numbered(number=1, scale=2.0, label="none", sharp=False):
    if number < 0:
        raise ValueError("number must not be negative")
    return CompiledAgent(f"{label}-{sharp}", lowest, np.array([number, scale], np.float32))


ready = numbered(7)


def nothing():
    return 5


value = 3
'''


@pytest.fixture
def own_file(tmp_path):
    file = tmp_path / "my agents.py"
    file.write_text(OWN_FILE, encoding="utf-8")
    return file


def test_the_installed_agents_have_names():
    names = agent_names()
    assert {"greedy", "random"} <= set(names)
    assert names == sorted(set(names))
    for name in ("greedy", "random"):
        assert make_agent(name).name == name


def test_a_name_is_its_agent():
    agent = make_agent("greedy")
    assert isinstance(agent, CompiledAgent)
    assert (agent.name, agent.policy) == ("greedy", choose_greedily)
    assert make_agent("random").policy.observes == "legal"


def test_an_agent_and_a_policy_will_do_as_well():
    agent = greedy()
    assert make_agent(agent) is agent
    made = make_agent(choose_greedily)
    assert (made.name, made.policy, len(made.params)) == ("greedy", choose_greedily, 0)


def test_a_file_gives_a_policy_an_agent_or_what_a_function_returns(own_file):
    assert make_agent(f"{own_file}::lowest").name == "lowest"
    assert make_agent(f"{own_file}::ready").params.tolist() == [7, 2]
    assert make_agent(f"{own_file}::numbered").params.tolist() == [1, 2]
    rows = simulate(UNO_DUO, [f"{own_file}::numbered:number=4", "greedy"], rounds=4).rounds
    assert set(rows["winner_agent"].dropna()) <= {"none-False", "greedy"}


def test_parameters_are_integers_floats_flags_or_texts(own_file):
    agent = make_agent(f"{own_file}::numbered:number=12,scale=-0.5,label=a b,sharp=true")
    assert agent.params.tolist() == [12, -0.5] and agent.name == "a b-True"
    assert make_agent(f"{own_file}::numbered:sharp=False,label=1e3x").name == "1e3x-False"
    assert make_agent(f"{own_file}::numbered:label=nan,sharp=inf").name == "nan-inf"
    assert make_agent(f"{own_file}::numbered:scale=1e3").params.tolist() == [1, 1000]


def test_two_files_of_one_name_are_two_agents(tmp_path):
    agents = []
    for folder, number in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        text = OWN_FILE.replace("ready = numbered(7)", f"ready = numbered({number})")
        (tmp_path / folder / "mine.py").write_text(text, encoding="utf-8")
        agents.append(make_agent(f"{tmp_path / folder / 'mine.py'}::ready"))
    assert [agent.params[0] for agent in agents] == [1, 2]


def test_a_file_changed_in_between_is_read_anew(own_file):
    assert make_agent(f"{own_file}::ready").params[0] == 7
    own_file.write_text(OWN_FILE.replace("numbered(7)", "numbered(12345)"), encoding="utf-8")
    assert make_agent(f"{own_file}::ready").params[0] == 12345


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("nobody", "agent 'nobody': unknown; known are "),
        ("Greedy", "agent 'Greedy': unknown; known are "),
        ("", "agent '': unknown; known are "),
        ("nobody:a=1", "agent 'nobody': unknown; known are "),
        ("greedy:", "agent 'greedy:': '' must be key=value"),
        ("greedy:depth", "agent 'greedy:depth': 'depth' must be key=value"),
        ("greedy:2=3", "agent 'greedy:2=3': '2=3' must be key=value"),
        ("bots.py:mine", "'mine' must be key=value; of a file it is bots.py::mine"),
        ("bots.py", "; of a file it is FILE.py::NAME"),
        ("greedy:depth=3", "agent 'greedy:depth=3': greedy() got an unexpected keyword"),
        ("missing.py::mine", "agent 'missing.py::mine': there is no file missing.py"),
        (None, "agent None: must be a name, an agent or a policy"),
        (7, "agent 7: must be a name, an agent or a policy"),
        (greedy, "must be a name, an agent or a policy"),
    ],
    ids=repr,
)
def test_an_agent_that_is_not_there_is_named(agent, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make_agent(agent)


def test_unknown_agents_are_listed_with_those_that_are_known():
    with pytest.raises(ValueError, match=", ".join(agent_names())):
        make_agent("nobody")


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        ("absent", "has no 'absent'"),
        ("nothing", "its factory returned int, no agent"),
        ("lowest:number=1", "it takes no parameters"),
        ("ready:number=1", "it takes no parameters"),
        ("numbered:depth=1", "numbered() got an unexpected keyword argument 'depth'"),
        ("numbered:number=-1", "number must not be negative"),
        ("value", "is 3, no policy, agent or factory"),
    ],
)
def test_what_a_file_does_not_hold_is_named(own_file, ending, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make_agent(f"{own_file}::{ending}")


def test_a_file_that_is_not_python_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(ValueError, match=r"notes\.txt is not a Python file"):
        make_agent(f"{tmp_path / 'notes.txt'}::mine")


def test_the_error_of_a_file_is_named(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.py: ZeroDivisionError: division by zero"):
        make_agent(f"{tmp_path / 'broken.py'}::mine")


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """Install another package that adds agents."""
    (tmp_path / "other_agents_package.py").write_text(
        OWN_FILE + "\n\ndef factory(number=3):\n    return numbered(number, label='added')\n",
        encoding="utf-8",
    )
    info = tmp_path / "other_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other_agents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[uno_sim.agents]\n"
        "added = other_agents_package:factory\n"
        "gone = other_agents_package:removed\n"
        "lost = no_such_package_at_all:factory\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("other_agents_package", None)


@pytest.mark.usefixtures("other_package")
def test_other_packages_add_agents():
    assert {"added", "gone", "lost", "greedy", "random"} <= set(agent_names())
    assert make_agent("added").name == "added-False"
    assert make_agent("added:number=9").params.tolist() == [9, 2]


@pytest.mark.usefixtures("other_package")
@pytest.mark.parametrize(
    ("name", "value"),
    [("gone", "other_agents_package:removed"), ("lost", "no_such_package_at_all:factory")],
)
def test_an_agent_that_cannot_be_loaded_says_what_was_tried(name, value):
    with pytest.raises(ValueError, match=re.escape(f"agent {name!r}: cannot load {value} (")):
        make_agent(name)


SCRIPT = "import uno_sim; uno_sim.make_agent('greedy')"


@pytest.mark.parametrize("is_folder", [True, False], ids=["a folder", "a file"])
def test_another_package_called_agents_is_named(tmp_path, is_folder):
    # A well-known package has the import name `agents` too.
    if is_folder:
        (tmp_path / "agents").mkdir()
        file = tmp_path / "agents" / "__init__.py"
    else:
        file = tmp_path / "agents.py"
    file.write_text("name = 'something else'\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ValueError: agent 'greedy': cannot load agents.greedy:greedy (")
    assert f"Python found the package 'agents' at {file}: if that is another package" in last


def test_an_agent_of_a_file_that_answers_wrongly_is_named(tmp_path):
    file = tmp_path / "wrong.py"
    text = OWN_FILE.replace("return nth_legal(observation, 0)", "return -5")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(IllegalActionError, match="agent 'lowest' returned -5, which is not legal"):
        simulate(UNO_DUO, [f"{file}::lowest", "greedy"], rounds=2)
