"""What the documentation calls `uno_sim.MODULE.NAME` is there after `import uno_sim` alone."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import uno_sim

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = "features|networks|rule_set|decisions|simulation"
NAMES = {
    name
    for page in PAGES
    for name in re.findall(rf"`uno_sim\.((?:{MODULES})\.\w+)", page.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("name", sorted({name.split(".")[0] for name in NAMES}))
def test_a_module_can_be_used_by_its_name(name):
    run = subprocess.run(
        [sys.executable, "-c", f"import uno_sim; print(uno_sim.{name}.__name__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == f"uno_sim.{name}"


def test_the_documentation_names_functions_of_modules():
    assert {"features.encode", "networks.flatten"} <= NAMES


def test_the_version_is_that_of_the_installed_package():
    assert uno_sim.__version__ == version("uno-sim")
