"""What the tests of several experiments share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Refuses = Callable[[Any, str | None, Sequence[str], str], None]


@pytest.fixture
def refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Refuses:
    """Return a check that an experiment refuses arguments in one line, and does nothing.

    It takes the experiment's module, the name of what it plays by (None where only playing shows
    that the arguments do not fit), the arguments, and a part of the line. Before it there may be
    lines that tell of compiling.
    """

    def check(experiment: Any, plays_by: str | None, arguments: Sequence[str], said: str) -> None:
        if plays_by is not None:
            monkeypatch.delattr(experiment, plays_by)
        assert experiment.main([*arguments, "--out", str(tmp_path / "new")]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        *told, line = err.splitlines()
        assert line.startswith(f"{experiment.__name__.rpartition('.')[2]}: error: ")
        assert said in line
        assert all("compiling" in other for other in told)
        assert list(tmp_path.iterdir()) == []

    return check
