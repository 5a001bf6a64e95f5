"""Portable artifacts of programs in StableHLO text, as jaxlib writes them: tests/programs, tests/programs/bytecode.

Usage: make_bytecode_programs.py FOLDER [CASES]   (jax==0.10.2)
Writes NAME-VERSION.mlirbc beside each NAME.mlir of FOLDER, for the versions of VHLO that can express it. CASES is a folder that print_cases (tests/oracles) wrote: from its smallest case of each op the
script first makes FOLDER/every_op.mlir, a module of one function for each.
"""
import pathlib
import re
import sys

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

OLDER_VERSIONS = ("1.0.0", "1.6.0")
LARGEST_CASE = 2500  # bytes


def artifact(text, version):
    with mlir.make_ir_context():
        return stablehlo.serialize_portable_artifact(ir.Module.parse(text), version)


def function_of_case(name, text):
    """The functions of a module under names of their own."""
    symbols = set(re.findall(r"func\.func (?:private )?@([\w.]+)", text))
    for symbol in symbols:
        renamed = name if symbol == "main" else f"{name}.{symbol}"
        text = re.sub(rf"@{re.escape(symbol)}(?![\w.])", f"@{renamed}", text)
    return re.sub(r"^module \{\n|^\}\n", "", text, flags=re.MULTILINE)


def make_every_op(cases):
    smallest = {}
    for line in (cases / "index.txt").read_text().splitlines():
        number, name, _ = line.split("\t")
        if name.endswith("/gradient"):
            continue
        text = (cases / f"{number}.mlir").read_text()
        if len(text) > LARGEST_CASE:
            continue
        ops = re.findall(r"stablehlo\.(?!return)(\w+)|name = \"(cornu\.\w+)\"", text.split("private")[0])
        for op in {a or b for a, b in ops}:
            if op != "composite" and (op not in smallest or len(text) < len(smallest[op])):
                smallest[op] = text
    texts = sorted({text: op for op, text in sorted(smallest.items())}.items(), key=lambda item: item[1])
    return "module {\n" + "".join(function_of_case(op.replace(".", "_"), text) for text, op in texts) + "}\n"


def main(folder, cases=None):
    if cases is not None:
        (folder / "every_op.mlir").write_text(make_every_op(cases))
    for path in sorted(folder.glob("*.mlir")):
        text = path.read_text()
        for version in (*OLDER_VERSIONS, stablehlo.get_current_version()):
            try:
                content = artifact(text, version)
            except ValueError:
                print(f"{path.name} has no form in VHLO {version}")
                continue
            (folder / f"{path.stem}-{version}.mlirbc").write_bytes(content)


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
