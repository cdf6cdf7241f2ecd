"""The Python blocks of the README and of the documentation run as they stand, one after another."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from uno_sim import UNO_DUO, simulate

ROOT = Path(__file__).parent.parent


def test_the_python_blocks_run(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    script = tmp_path / "readme.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "win_rate_low" in run.stdout
    assert (tmp_path / "game.txt").is_file()


def test_the_blocks_about_agents_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    script = tmp_path / "my_agents.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, check=True)
    agents = [f"{script}::points_first", f"{script}::mixed_agent:chance=0.9"]
    results = simulate(UNO_DUO, agents, rounds=100)
    assert [agent.name for agent in results.agents] == ["points_first", "mixed 0.9"]
    assert results.summary()["wins"].iloc[0] > 50


def test_the_blocks_about_environments_run(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    text, _, rllib = text.partition("<!-- not run in the tests")
    assert rllib.count("```python") == 1
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    if not importlib.util.find_spec("sb3_contrib"):
        blocks = [block for block in blocks if "sb3_contrib" not in block]
    script = tmp_path / "environments.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, check=True)


def test_the_blocks_about_beliefs_run(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "belief.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    script = tmp_path / "beliefs.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert "at_least_one" in run.stdout
    assert "posterior" in run.stdout


def test_the_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
