"""Makes tests/goldens/keras_arguments.json: the arguments of Keras's public classes, functions and layers' calls, for tools/keras_arguments.py.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py keras_arguments

The objects are those of keras_names.json. A function has its required arguments first, then "|" and the optional ones; a class has all of its
constructor's; "NAME.call" those of a layer's call() after the input. *args and **kwargs are left out. "defaults" has the defaults of the functions'
optional arguments, as JSON.
"""

import inspect
import json
import pathlib

import jax
import keras

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests/goldens"


def parameters(function):
    return [p for p in inspect.signature(function).parameters.values() if p.name != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def find(name):
    value = keras
    for part in name.split("."):
        value = getattr(value, part)
    return value


def main():
    found, defaults = {}, {}
    for name in json.loads((FOLDER / "keras_names.json").read_text())["names"]:
        value = find(name)
        if inspect.isclass(value):
            found[name] = [p.name for p in parameters(value.__init__)]
            if issubclass(value, keras.layers.Layer) and value is not keras.layers.Layer and (call := [p.name for p in parameters(value.call)[1:]]):
                found[f"{name}.call"] = call
        elif callable(value):
            given = parameters(value)
            found[name] = [p.name for p in given if p.default is p.empty] + ["|"] + [p.name for p in given if p.default is not p.empty]
            defaults[name] = {p.name: p.default for p in given if p.default is not p.empty}
    found = {name: " ".join(arguments) for name, arguments in found.items() if arguments not in ([], ["|"])}
    path = FOLDER / "keras_arguments.json"
    path.write_text(json.dumps({"made_by": f"keras {keras.__version__}, jax {jax.__version__}", "arguments": found,
                                "defaults": {name: json.dumps(each) for name, each in defaults.items() if each}}, indent=0) + "\n")
    print(f"{path.name}: {len(found)} objects")
