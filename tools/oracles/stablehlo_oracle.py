#!/usr/bin/env python3
"""Checks Cornu's StableHLO, text and bytecode, by StableHLO's own readers, verifier and reference interpreter (in the jaxlib wheel).

Runs print_cases (built from tests/oracles), which writes a module, inputs and the expected results of Cornu's reference backend for each
conformance case; parses and verifies each module, reads its portable artifact, which must be the same module, runs it by
stablehlo.eval_module and compares.

The Python that runs this needs jaxlib:
    python3 -m venv .venv && .venv/bin/pip install -r tools/oracles/requirements.txt
    .venv/bin/python tools/oracles/stablehlo_oracle.py build/release/bin/print_cases
Exit code: 0 all agree, 1 something differs, 77 jaxlib is not installed (CTest: skipped).
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Relative to the norm of a result; as conformance_tolerance in cornu/ops/conformance_test_support.cc.
TOLERANCE = {"f64": 1e-10, "f32": 1e-5, "f16": 1e-2, "bf16": 4e-2}

# Cases that the oracle cannot run or decides otherwise, by regular expression on the name, each with its reason.
EXCEPTIONS = [
    (r"(divide|remainder)_open/i32", "integer division by zero and its overflow: the specification leaves them open"),
    (
        r"scatter_(max|min)/.*/gradient",
        "the interpreter's scatter writes into its input, which the gradient reads again",
    ),
    (
        r"convolution_mixed_dimensions/",
        "the interpreter ends its process on strides with spatial dimensions out of order; XLA agrees with Cornu to rounding",
    ),
]

# Cases that are parsed and verified and not run: the interpreter's entry runs no replicas and no custom calls (QR, in svd too).
NOT_RUN = re.compile(r"^(all_gather|all_reduce|all_to_all|collective_broadcast|collective_permute|collective_reduce|decomposition_parts|householder_qr|partition_id|reduce_scatter|"
                     r"replica_id|svd)(_|/|$)")


def read_dtype(type_text):
    return re.search(r"(ui\d+|i\d+|bf16|f\d+)>$", type_text.strip()).group(1)


def bf16_array(np, text):
    """NumPy knows no bf16: read the attribute's text, a blob of bytes, or numbers and bit patterns, one for all elements or one each."""
    value, type_text = text.rsplit(" : ", 1)
    blob = re.search(r'"0x([0-9A-Fa-f]*)"', value)
    if blob:
        return (np.frombuffer(bytes.fromhex(blob.group(1)), np.uint16).astype(np.uint32) << 16).view(np.float32)
    numbers = re.findall(r"0x[0-9A-Fa-f]+|[-+0-9.]+(?:[eE][-+]?[0-9]+)?", value)
    elements = [(np.array([int(n, 16) << 16], np.uint32).view(np.float32)[0] if n.startswith("0x") else np.float32(n)) for n in numbers]
    count = int(np.prod([int(extent) for extent in re.findall(r"(\d+)x", type_text)], dtype=np.int64))
    return np.array(elements * count if len(elements) == 1 else elements, np.float32)


def to_array(np, attribute):
    """Elements of a dense attribute, as a flat array."""
    if "bf16>" in str(attribute.type):
        return bf16_array(np, str(attribute))
    return np.array(list(attribute) if "i1>" in str(attribute.type) else attribute).reshape(-1)


def difference(np, actual, expected, dtype, factor):
    """Empty when they agree, else a sentence."""
    if actual.shape != expected.shape:
        return f"{actual.shape} elements, expected {expected.shape}"
    if dtype not in TOLERANCE:
        wrong = np.flatnonzero(actual != expected)
        return f"element {wrong[0]} is {actual[wrong[0]]}, Cornu says {expected[wrong[0]]}" if wrong.size else ""
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    special = ~(np.isfinite(actual) & np.isfinite(expected))
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    wrong = np.flatnonzero(special & ~same)
    if wrong.size:
        return f"element {wrong[0]} is {actual[wrong[0]]}, Cornu says {expected[wrong[0]]}"
    finite = ~special
    error = np.linalg.norm(actual[finite] - expected[finite])
    norm = max(np.linalg.norm(expected[finite]), 1e-6 * np.sqrt(max(finite.sum(), 1)))
    if error <= TOLERANCE[dtype] * factor * norm:
        return ""
    at = np.argmax(np.where(finite, np.abs(np.where(finite, actual - expected, 0)), -1))
    return f"norm of the difference {error:.3g} of {norm:.3g}; element {at} is {actual[at]}, Cornu says {expected[at]}"


def check_artifact(ir, stablehlo, text, path):
    """Empty when the portable artifact is the module of the text. The oracle writes and reads the text's module too, which drops attributes of default values."""
    version = "1.7.0"
    try:
        read = ir.Module.parse(stablehlo.deserialize_portable_artifact_str(path.read_bytes()))
        read.operation.verify()
    except Exception as error:  # MLIRError
        return f"its bytecode cannot be read: {error}\n{text}"
    expected = stablehlo.deserialize_portable_artifact_str(stablehlo.serialize_portable_artifact_str(text, version))
    expected = ir.Module.parse(expected)
    return "" if str(read) == str(expected) else f"its bytecode is another module:\n{read}\nexpected:\n{expected}"


def check_case(ir, stablehlo, np, folder, number, factor, is_run):
    """Empty when the oracle agrees, else what it says."""
    text = (folder / f"{number}.mlir").read_text()
    try:
        module = ir.Module.parse(text)
        module.operation.verify()
    except Exception as error:  # MLIRError
        return f"does not parse or verify: {error}\n{text}"
    said = check_artifact(ir, stablehlo, text, folder / f"{number}.mlirbc")
    if said or not is_run:
        return said
    lines = (folder / f"{number}.inputs").read_text().splitlines()
    arguments = [ir.Attribute.parse(line) for line in lines]
    try:
        results = stablehlo.eval_module(module, arguments)
    except Exception as error:
        return f"does not run: {error}\n{text}"
    expected = (folder / f"{number}.expected").read_text().splitlines()
    if len(results) != len(expected):
        return f"{len(results)} results, expected {len(expected)}"
    for i, (result, line) in enumerate(zip(results, expected)):
        type_text = line.rsplit(" : ", 1)[1]
        if str(result.type) != type_text:
            return f"result {i} is {result.type}, expected {type_text}"
        said = difference(np, to_array(np, result), to_array(np, ir.Attribute.parse(line)), read_dtype(type_text), factor)
        if said:
            return f"result {i}: {said}\n{text if len(text) < 3000 else ''}"
    return ""


def check_guarded(job, *arguments):
    """Runs a case in a forked child: the interpreter ends its process on ops that it cannot do."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            said = job(*arguments)
        except Exception as error:
            said = f"the oracle failed: {type(error).__name__}: {error}"
        with os.fdopen(writer, "w") as pipe:
            pipe.write(said)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else f"the interpreter ended with status {status}: {said}"


def oracle(folder, only):
    import numpy as np
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import stablehlo

    counts = collections.Counter()
    with ir.Context() as context, ir.Location.unknown():
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        stablehlo.register_dialect(context)
        for line in (folder / "index.txt").read_text().splitlines():
            number, name, factor = line.split("\t")
            if only and not re.search(only, name):
                continue
            reason = next((why for pattern, why in EXCEPTIONS if re.search(pattern, name)), None)
            if reason is not None:
                counts["excepted"] += 1
                print(f"EXCEPTED {name}: {reason}")
                continue
            said = check_guarded(check_case, ir, stablehlo, np, folder, number, float(factor), not NOT_RUN.match(name))
            counts["wrong" if said else "agreed"] += 1
            if said:
                print(f"WRONG {name}: {said}")
    print(f"agreed {counts['agreed']}, wrong {counts['wrong']}, excepted {counts['excepted']}")
    return 1 if counts["wrong"] or not counts["agreed"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("print_cases", help="the program print_cases")
    parser.add_argument("--only", default="", help="regular expression: oracle the cases whose name it finds")
    parser.add_argument("--keep", help="write the modules to this directory and keep them")
    options = parser.parse_args()
    try:
        import jaxlib  # noqa: F401
    except ImportError:
        print("skipped: jaxlib is not installed; see --help")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        subprocess.run([options.print_cases, str(folder)], check=True)
        return oracle(folder, options.only)


if __name__ == "__main__":
    sys.exit(main())
