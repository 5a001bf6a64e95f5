#!/usr/bin/env python3
"""Makes tests/goldens/ops.json: what keras.ops gives for a table of calls, which cornu/tensor/ops_golden_test.cc walks.

Needs Keras 3 and JAX, on the CPU:

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/ops_goldens.py

Inputs are not stored: element i of the input with seed s is made from splitmix64(s * 2**32 + i) here and in the test. JAX has no 64-bit
types by default, so Keras narrows them; the 64-bit rules are tested in C++ alone.
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import jax
import keras
import ml_dtypes
import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SHORT = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "i8": "int8", "i16": "int16", "i32": "int32", "u8": "uint8",
         "u16": "uint16", "u32": "uint32", "b": "bool", "c64": "complex64"}
AS_TUPLE = ("axis", "size", "sigma", "range", "output_size", "kernel_size", "dilation", "padding", "stride", "shape", "axes", "pad_width", "pool_size", "strides", "dilation_rate", "output_padding")
RANGE = (-2, 2)  # of random inputs that say nothing else

cases = []
num_inputs = 0


def splitmix64(x):
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def dtype_of(name):
    return ml_dtypes.bfloat16 if name == "bfloat16" else np.dtype(name)


def t(shape, dtype="f32", low=-2, high=2):
    """A random input."""
    global num_inputs
    num_inputs += 1
    spec = {"dtype": SHORT[dtype], "shape": list(shape), "seed": num_inputs}
    return spec if (low, high) == RANGE else {**spec, "low": low, "high": high}


def v(shape, values, dtype="f32"):
    """An input of given values."""
    return {"dtype": SHORT[dtype], "shape": list(shape), "values": [encoded(x) for x in values]}


def encoded(x):
    x = float(x)
    if np.isnan(x):
        return "nan"
    if np.isinf(x):
        return "inf" if x > 0 else "-inf"
    return int(x) if x == int(x) and abs(x) < 2**53 and not (x == 0 and np.signbit(x)) else x


def made(spec):
    if not isinstance(spec, dict):
        return spec  # a Python number
    shape, dtype = spec["shape"], spec["dtype"]
    if dtype == "complex64":  # elements in pairs
        parts = np.asarray(made({**spec, "shape": [*shape, 2], "dtype": "float32"}))
        return keras.ops.convert_to_tensor(parts.view(np.complex64).reshape(shape))
    if "values" in spec:
        return keras.ops.convert_to_tensor(np.array([float(x) for x in spec["values"]], np.float64).reshape(shape).astype(dtype_of(dtype)))
    count = int(np.prod(shape, dtype=np.int64))
    with np.errstate(over="ignore"):
        bits = splitmix64(np.uint64(spec["seed"]) * np.uint64(2**32) + np.arange(count, dtype=np.uint64))
    uniform = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    low, high = spec.get("low", RANGE[0]), spec.get("high", RANGE[1])
    if dtype == "bool":
        values = uniform < 0.5
    elif "int" in dtype:
        values = np.floor(low + (high - low + 1) * uniform)
    else:
        values = low + (high - low) * uniform
    return keras.ops.convert_to_tensor(values.reshape(shape).astype(dtype_of(dtype)))


def number(x, dtype):
    x = float(x)
    if np.isnan(x) or np.isinf(x):
        return encoded(x)
    if "float" not in dtype:
        return int(x)
    return float(f"{x:.{7 if dtype == 'float32' else 4}g}")


def result(x):
    x = np.int32(x) if isinstance(x, int) else np.asarray(x)  # shape, size and ndim give Python's integers
    dtype, shape = str(x.dtype), list(x.shape)
    if dtype == "complex64":  # elements in pairs
        return {**result(np.stack([x.real, x.imag], -1)), "dtype": dtype, "shape": shape}
    return {"dtype": dtype, "shape": shape, "values": [number(e, dtype) for e in x.astype(np.float64).ravel()]}


def case(name, *inputs, join=False, grad=False, function=None, **args):
    """One call. `join`: the inputs are one list; `grad`: the test checks the gradient by central differences."""
    function = function or getattr(keras.ops, name, None) or getattr(keras.ops.image, name)
    tensors = [made(spec) for spec in inputs]
    called = {k: tuple(a) if isinstance(a, list) and k in AS_TUPLE else a for k, a in args.items()}
    try:
        out = function(tensors, **called) if join else function(*tensors, **called)
    except Exception as error:
        raise SystemExit(f"{name}({', '.join(str(i) for i in inputs)}, {args}): {error}") from error
    outputs = list(out) if isinstance(out, (list, tuple)) else [out]
    row = {"name": name, "inputs": [spec if isinstance(spec, dict) else {"weak": spec} for spec in inputs]}
    if args:
        row["args"] = {k: encoded(a) if isinstance(a, float) and np.isinf(a) else a for k, a in args.items()}
    if grad:
        row["grad"] = True
    row["outputs"] = [result(o) for o in outputs]
    cases.append(row)


def main():
    import importlib
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    for area in ("elementwise", "reduce", "shape", "index", "linalg", "nn", "conv", "attention", "arrays", "spectral", "table",
                 "complex_numbers"):
        importlib.import_module(f"ops_cases.{area}").add()
    content = {"made_by": f"keras {keras.__version__}, jax {jax.__version__}",
               "names": sorted(n for n in dir(keras.ops) if not n.startswith("_") and callable(getattr(keras.ops, n)))}
    path = REPOSITORY / "tests" / "goldens" / "ops.json"
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in cases)
    path.write_text(json.dumps(content, separators=(",", ":"))[:-1] + ',"cases":[\n' + lines + "\n]}\n")
    print(f"{path.relative_to(REPOSITORY)}: {len(cases)} calls of {len({c['name'] for c in cases})} functions, {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.modules["ops_goldens"] = sys.modules["__main__"]
    main()
