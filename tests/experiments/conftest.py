"""What the tests of several experiments share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Refuses = Callable[[Any, str, Sequence[str], str], None]


@pytest.fixture
def refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Refuses:
    """Return a check that an experiment refuses arguments in one line, and does nothing.

    It takes the experiment's module, the name of what it plays by, the arguments, and a part of
    the line.
    """

    def check(experiment: Any, plays_by: str, arguments: Sequence[str], said: str) -> None:
        monkeypatch.delattr(experiment, plays_by)
        assert experiment.main([*arguments, "--out", str(tmp_path / "new")]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"{experiment.__name__.rpartition('.')[2]}: error: ")
        assert err.count("\n") == 1
        assert said in err
        assert list(tmp_path.iterdir()) == []

    return check
