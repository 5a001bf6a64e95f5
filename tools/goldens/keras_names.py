#!/usr/bin/env python3
"""Makes tests/goldens/keras_names.json: every public object of Keras by introspection, with all of its names, for tools/names_page.py.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py keras_names

An object that has several names counts once, under the name whose module comes first in MODULES. Modules are left out only if Keras
itself calls them legacy (`legacy`, `backend`, which has functions of Keras 2).
"""

import json
import pathlib
import types

import jax
import keras

PATH = pathlib.Path(__file__).resolve().parents[2] / "tests/goldens/keras_names.json"
MODULES = ["layers", "losses", "metrics", "optimizers", "optimizers.schedules", "callbacks", "initializers", "regularizers", "constraints", "activations",
           "ops", "ops.image", "random", "models", "saving", "utils", "config", "tree", "dtype_policies", "mixed_precision", "datasets",
           "distribution", "quantizers", "applications", "export", "distillation", "visualization", "wrappers", "preprocessing", ""]
LEFT_OUT = {"legacy", "backend", "src", "api"}


def collect(module, path, found):
    """Adds id(object) -> (object, names) of `module` and its public modules."""
    for name in sorted(vars(module)):
        value = getattr(module, name)
        if name.startswith("_"):
            continue
        if isinstance(value, types.ModuleType):
            if value.__name__.startswith("keras.") and not LEFT_OUT & set(value.__name__.split(".")):
                collect(value, [*path, name], found)
        elif not getattr(value, "__module__", "keras").startswith("__"):
            found.setdefault(id(value), []).append(".".join([*path, name]))


def rank(name):
    """Orders the names of one object: by module, then classes before functions that are the same object (`Zeros` before `zeros`)."""
    module, _, last = name.rpartition(".")
    if module in MODULES:
        return MODULES.index(module), not last[0].isupper(), name
    outer = module.partition(".")[0]
    return (MODULES.index(outer) if outer in MODULES else len(MODULES)) + 0.5, not last[0].isupper(), name


def main():
    found = {}
    collect(keras, [], found)
    names = {}
    for synonyms in found.values():
        first, *others = sorted(set(synonyms), key=rank)
        names[first] = others
    PATH.write_text(json.dumps({"made_by": f"keras {keras.__version__}, jax {jax.__version__}", "names": dict(sorted(names.items()))}, indent=0) + "\n")
    print(f"{PATH.name}: {len(names)} objects")
