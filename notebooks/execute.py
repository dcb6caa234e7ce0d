"""Executes notebooks headless against fresh runs and checks what they leave. `notebooks/execute` calls it.

usage: execute.py OUT ROOM [NOTEBOOK…]

OUT gets NAME.ipynb with its outputs, NAME.html and figures/; ROOM is a scratch folder for runs and kernels. A notebook's metadata
says which figures it leaves: `parlor.figures` always, `parlor.recordedFigures` where the recorded data is at hand.
"""

import json
import os
import shutil
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import matplotlib.image
import nbclient
import nbconvert
import nbformat
import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RECORDED = Path(os.environ.get("PARLOR_RECORDED", ROOT.parent / "shared" / "data"))
#: Finds what hangs. A machine that others load takes minutes for the cells that play.
CELL_SECONDS_MAX = 600
#: A figure has at least so many pixels that are not its background, and so many shades; an SVG so many shapes.
INK_MIN = 0.005
SHADES_MIN = 8
SHAPES_MIN = 10


def stored_output(notebook):
    """Which cells keep what an earlier execution left; there should be none."""
    return [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None)]


def fault_of_png(path):
    pixels = matplotlib.image.imread(path)[..., :3]
    if min(pixels.shape[:2]) < 200:
        return f"is {pixels.shape[1]} × {pixels.shape[0]} pixels"
    ink = (np.abs(pixels - pixels[0, 0]) > 0.1).any(axis=-1).mean()
    shades = len(np.unique((pixels * 255).astype(np.uint8).reshape(-1, 3), axis=0))
    return f"is blank ({ink:.2%} ink, {shades} shades)" if ink < INK_MIN or shades < SHADES_MIN else None


def fault_of_svg(path):
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except xml.etree.ElementTree.ParseError as error:
        return f"is no SVG: {error}"
    shapes = sum(element.tag.rsplit("}", 1)[-1] in ("path", "rect", "circle", "line", "text") for element in root.iter())
    return f"is blank ({shapes} shapes)" if shapes < SHAPES_MIN else None


def check_figures(declared, folder):
    """What is wrong with the figures that a notebook left in a folder of its own."""
    left = {path.name for path in folder.iterdir()} if folder.exists() else set()
    faults = [f"{name}: not declared in the notebook's metadata" for name in sorted(left - set(declared))]
    for name in declared:
        fault = "is missing" if name not in left else (fault_of_svg if name.endswith(".svg") else fault_of_png)(folder / name)
        if fault is not None:
            faults.append(f"{name}: {fault}")
    return faults


def declared_figures(notebook):
    of = notebook.metadata["parlor"]
    return of["figures"] + (of.get("recordedFigures", []) if RECORDED.is_dir() else [])


def add_deno_kernel(room):
    """Tells Jupyter where Deno is; False where there is none."""
    deno = os.environ.get("PARLOR_DENO", "")
    if not deno:
        return False
    folder = room / "jupyter" / "kernels" / "deno"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps({
        "argv": [deno, "jupyter", "--kernel", "--conn", "{connection_file}"], "display_name": "Deno", "language": "typescript",
    }))
    os.environ["JUPYTER_PATH"] = str(room / "jupyter")
    return True


def execute(path, out, room):
    """Executes one notebook and leaves it with its page and figures; returns what is wrong."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    if stored := stored_output(notebook):
        return [f"cells {stored} store outputs: jupyter nbconvert --clear-output --inplace {path.relative_to(ROOT)}"]
    figures = room / "figures" / path.stem
    figures.mkdir(parents=True)
    os.environ["PARLOR_NOTEBOOK_FIGURES"] = str(figures)
    client = nbclient.NotebookClient(notebook, timeout=CELL_SECONDS_MAX, resources={"metadata": {"path": str(HERE)}})
    faults = []
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as error:
        faults.append(str(error))
    except (nbclient.exceptions.CellTimeoutError, nbclient.exceptions.DeadKernelError) as error:
        faults.append(f"{type(error).__name__}: {error}")
    nbformat.write(notebook, out / path.name)
    (out / f"{path.stem}.html").write_text(nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
    if not faults:
        faults = check_figures(declared_figures(notebook), figures)
    shutil.copytree(figures, out / "figures", dirs_exist_ok=True)
    return faults


def main(out, room, names):
    os.environ |= {"PARLOR_NOTEBOOK_RUNS": str(room / "runs"), "JUPYTER_PLATFORM_DIRS": "1"}
    out.mkdir(parents=True, exist_ok=True)
    has_deno = add_deno_kernel(room)
    if not RECORDED.is_dir():
        print(f"no recorded data at {RECORDED}: the cells that need it say SKIPPED", file=sys.stderr)
    failed = 0
    for path in [Path(name).resolve() for name in names] or sorted(HERE.glob("*.ipynb")):
        kernel = nbformat.read(path, as_version=4).metadata["kernelspec"]["name"]
        if kernel == "deno" and not has_deno:
            print(f"SKIPPED {path.name}: there is no deno (PARLOR_DENO=fetch gets it). The notebook was NOT executed.", file=sys.stderr)
            continue
        began = time.monotonic()
        faults = execute(path, out, room)
        failed += bool(faults)
        print(f"{'FAILED' if faults else 'executed'} {path.name} in {time.monotonic() - began:.0f} s")
        for fault in faults:
            print(f"  {fault}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]))
