#!/usr/bin/env python3
"""Prints where the options of our layers are not the arguments of Keras's: ones of our own, other defaults. tools/names_page.py finds missing ones.

Needs Keras 3: KERAS_BACKEND=jax python tools/layer_arguments.py. What is known and meant stands in the tables below; anything else makes the exit
code 1."""

import inspect
import pathlib
import re
import sys

import keras

ROOT = pathlib.Path(__file__).resolve().parents[1] / "cornu" / "keras" / "layers"
# What all layers of Keras take besides.
COMMON = {"name", "trainable", "dtype", "input_shape", "activity_regularizer"}
# Options that Keras takes as **kwargs or took once.
OURS = {"bounding_box_format", "quantization_config", "zero_output_for_mask", "implementation", "input_length", "sharding", "min_frequency", "lora_rank", "lora_alpha", "rms_scaling", "vocabulary_size", "oov_method"}

# Options that Keras takes as **kwargs, of its base class.
BY_BASE_CLASS = {
    **{name: {"data_format"} for name in ("AutoContrast", "MaxNumBoundingBoxes", "RandomBrightness", "RandomContrast", "Solarization")}, "AdditiveAttention": {"seed"}, "ReversibleEmbedding": {"weights"},
    **{f"ConvLSTM{n}D": {"unroll"} for n in (1, 2, 3)},
}
# Numbers that stand for Keras's None, since a number is required then.
NUMBERS_FOR_NONE = {("CategoryEncoding", "num_tokens"): "0"}


def options_of_headers():
    """Class: {option: default as it is written}."""
    structs, aliases, classes = {}, {}, {}
    for path in ROOT.rglob("*.h"):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for name, body in re.findall(r"struct (\w+Options) \{(.*?)\n\};", text, re.DOTALL):
            structs[name] = dict(re.findall(r"^\s+[\w:<>, ]+?\s(\w+) =\s+(.*?);", body, re.MULTILINE))
        aliases |= dict(re.findall(r"using (\w+) = (\w+);", text))
        for name, body in re.findall(r"class (\w+) : public \w+ \{\n public:\n(.*?)\n\};", text, re.DOTALL):
            if used := re.findall(r"(\w*Options)\b", body):
                classes[name] = used[0]

    def resolved(name):
        while name in aliases:
            name = aliases[name]
        return name

    known = {name: structs[resolved(options)] for name, options in classes.items() if resolved(options) in structs}
    return known | {alias: known[resolved(alias)] for alias in aliases if resolved(alias) in known}


def same_default(value, written):
    """Lists of equal numbers are one number here; no default, "channels_last" and "auto" are {}."""
    if value is inspect.Parameter.empty or (written == "{}" and value in (None, "auto")) or (value is None and written in ("kUnknown", "DType::kF32")):
        return True
    if isinstance(value, (tuple, list)):
        if written.startswith("{"):
            return [float(item) for item in written.strip("{}").split(",")] == [float(item) for item in value]
        flat = {item for part in value for item in (part if isinstance(part, tuple) else (part,))}
        return len(flat) == 1 and written == str(flat.pop())
    if isinstance(value, bool):
        return written == str(value).lower()
    if isinstance(value, (int, float)):
        try:
            return float(written) == value
        except ValueError:
            return False
    return written.lower() == f'"{value}"'.lower()


def main():
    failures, compared = [], 0
    for name, options in sorted(options_of_headers().items()):
        layer = getattr(keras.layers, name, None)
        if not inspect.isclass(layer):
            continue
        compared += 1
        arguments = {p.name: p.default for p in inspect.signature(layer.__init__).parameters.values() if p.name not in ("self", "args", "kwargs")}
        own = set(options) - set(arguments) - COMMON - OURS - BY_BASE_CLASS.get(name, set())
        failures += [f"{name}: {option} is not Keras's" for option in sorted(own)]
        failures += [f"{name}: {key} is {options[key]}, Keras has {arguments[key]!r}"
                     for key in sorted(set(arguments) & set(options))
                     if NUMBERS_FOR_NONE.get((name, key)) != options[key] and not same_default(arguments[key], options[key])]
    print("\n".join(failures) or f"{compared} layers have the arguments and defaults of Keras {keras.__version__}")
    sys.exit(1 if failures or compared < 60 else 0)


if __name__ == "__main__":
    main()
