"""What the modules of this folder share: how arrays are stored, where files go."""

import json
import pathlib

import jax
import keras
import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = REPOSITORY / "tests" / "goldens"


def array(x):
    x = np.asarray(x)
    if x.dtype.kind == "f":
        data = [float(f"{v:.9g}") for v in x.astype(np.float32).ravel()]
    else:
        data = [int(v) for v in x.ravel()]
    return {"shape": list(x.shape), "data": data}


def scalar(x):
    return float(f"{float(x):.9g}")


def write(name, content):
    content = {"made_by": f"keras {keras.__version__}, jax {jax.__version__}", **content}
    path = OUTPUT / f"{name}.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{path.relative_to(REPOSITORY)}: {path.stat().st_size} bytes")
