"""Calls of the functions that the other files of this folder have no calls of, made from the columns of cornu/tensor/ops/functions/*.toml."""

import pathlib
import sys

from ops_goldens import REPOSITORY, case, cases, t, v

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from function_tables import read_functions


def inputs(function, shape, dtype=None):
    """A random tensor for each argument that is one. `dtype` replaces f32."""
    low, high = function.row.get("range", (-2, 2))
    given = function.row.get("dtypes", "f32 " * len(function.tensors)).split()
    return [t(shape, dtype if dtype and each == "f32" else each, low, high) for each in given]


def axes(function):
    """The arguments of the calls along axes that a function with these options has."""
    names = {field.name for field in function.fields}
    if "axis" not in names:
        return [{}]
    return [{}, {"axis": 1}, {"axis": -1, "keepdims": True} if "keepdims" in names else {"axis": -1}]


def add():
    made = {each["name"] for each in cases}
    for function in read_functions(REPOSITORY):
        if function.name in made or not function.mechanical("golden"):
            continue
        sample = function.row.get("sample", {})
        for args in axes(function):
            case(function.name, *inputs(function, (3, 4, 2)), **sample, **args, grad=True)
        case(function.name, *inputs(function, (3, 5), "f16"), **sample)
        if "values" in function.row:
            values = function.row["values"]
            case(function.name, v((2, len(values) // 2), values), **sample, **({"axis": -1} if len(axes(function)) > 1 else {}))
