"""The notebooks run from beginning to end, and their assertions hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
# These take long in a build for tests.
LONG = {"papers"}


def test_there_are_notebooks_and_they_hold_no_outputs() -> None:
    import nbformat

    assert len(NOTEBOOKS) == 6
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), f"{path.name} has outputs"


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=[pytest.mark.long] if p.stem in LONG else []) for p in NOTEBOOKS],
    ids=lambda path: path.stem,
)
def test_notebooks_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "python")]))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    book = nbformat.read(path, as_version=4)
    NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not [output for output in shown if output.output_type == "error"]
    folder = os.environ.get("ISOTROPE_NOTEBOOKS")
    if folder:
        nbformat.write(book, Path(folder) / path.name)
