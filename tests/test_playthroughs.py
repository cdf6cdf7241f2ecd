"""Stored playthroughs of both games: whoever changes one must mean it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.write_playthroughs import FOLDER, PLAYTHROUGHS, playthrough
from uno_sim import UNO_DUO, UNO_POCKET

COMMAND = "python tests/write_playthroughs.py"


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_game_goes_as_it_is_stored(name):
    file = FOLDER / f"{name}.txt"
    stored = file.read_bytes() if file.exists() else b""
    played = playthrough(name).encode()
    if played != stored:
        lines = zip(played.splitlines(), stored.splitlines(), strict=False)
        same = next((i for i, (new, old) in enumerate(lines) if new != old), None)
        place = "its end" if same is None else f"line {same + 1}"
        pytest.fail(
            f"{file.name} differs from {place} on. If that is meant, and every difference follows "
            f"from a rule that changed, write the files anew with `{COMMAND}`."
        )


def test_every_stored_file_is_compared():
    assert {file.name for file in FOLDER.iterdir()} == {f"{name}.txt" for name in PLAYTHROUGHS}
    assert {rules.name for rules, *_ in PLAYTHROUGHS.values()} == {UNO_DUO.name, UNO_POCKET.name}


def test_the_command_writes_the_files(tmp_path):
    # The script writes beside itself, so a copy of it writes there.
    script = Path(__file__).parent / "write_playthroughs.py"
    assert COMMAND.split()[1] == f"{script.parent.name}/{script.name}"
    copy = tmp_path / script.name
    copy.write_bytes(script.read_bytes())
    root = script.parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, str(copy)], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for name in PLAYTHROUGHS:
        written = (tmp_path / "playthroughs" / f"{name}.txt").read_bytes()
        assert written == playthrough(name).encode()
        assert f"playthroughs{os.sep}{name}.txt" in done.stdout


def test_playthroughs_show_every_kind_of_decision():
    text = "".join(playthrough(name) for name in PLAYTHROUGHS)
    for question in "DRAFT CHOOSE_COLOR TURN DRAWN VOLLEY CHALLENGE GIVE UNO CATCH".split():
        assert f"\n{question}" in text, question
