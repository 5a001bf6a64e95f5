"""Reads cornu/tensor/ops/functions/<group>.toml: one row for each function of keras.ops that Cornu has.

A table has the functions of the header cornu/tensor/ops/<group>.h:

    title = "Reductions"              # the heading in docs/guide/ops.md
    module = "numpy"                  # Keras's module keras.src.ops.numpy; also in a row
    [options]                         # the arguments of each options struct, in Keras's order; defaults are the struct's
    ReduceOptions = "axis keepdims"   # "M=m" for Keras's name and the member's; "dtype?" where null means the default
    [functions]
    sum = {options = "ReduceOptions"}

Columns of a row, all of which may be left out:

    args              arguments before the options ("x" by default): "x" is a tensor, "axis1:int" another type (TYPES), "[xs]" a list of
                      tensors, "*xs" any number of tensors, "weights?" a member of the options that Keras takes by position
    options           the options struct
    class             Keras's class, if it is not the name in CamelCase
    alias             the function that has the class
    config            the arguments of Keras's constructor in its order, if they are not those of args and options; "sparse=false" for one
                      that Cornu does not have
    many              true if the function returns a vector of tensors; "values indices" for a struct with these members
    constant_first    true if a tensor of a graph may come second, after a constant; the default of two tensors without other arguments
    hand              parts that are written by hand: "graph" (the overload for KerasTensor, in graph_functions.h), "operation" (call_<name> in
                      keras/layers/operations), "golden" (call_<name> in ops_golden_test_support.cc)
    none              parts that the function does not have
    keywords          true if the operation takes any further arguments by name
    nameless          true if Keras writes the operation's configuration without its name
    doc               a sentence about the overload for KerasTensor

Goldens of a function that tools/goldens has no cases of are made by these columns:

    range             [low, high] of random inputs
    values            numbers of one more input, in two rows
    dtypes            the dtype of each input ("f32" by default)
    sample            values of arguments that are not tensors
"""

import dataclasses
import pathlib
import re
import tomllib

FOLDER = "cornu/tensor/ops/functions"
GROUPS = ("elementwise", "reduce", "shape", "index", "linalg", "nn", "conv", "attention", "sequence", "arrays", "spectral", "decompositions", "image", "image_geometry")  # in the order of the guide
# The type of an argument: in a declaration, and as a value of its own.
TYPES = {"int": ("std::int64_t", "std::int64_t"), "float": ("double", "double"), "shape": ("const Dims&", "Dims"), "axes": ("const Axes&", "Axes"),
         "ints": ("const IntOrInts&", "IntOrInts"), "dtype": ("DType", "DType"), "text": ("StringViewArgument", "std::string_view")}
PARTS = ("graph", "operation", "golden")
COLUMNS = {"args", "options", "class", "module", "alias", "config", "many", "constant_first", "hand", "none", "doc", "range", "values", "dtypes", "sample", "keywords", "nameless"}
ARGUMENT = re.compile(r"(?P<star>\*)?(?P<open>\[)?(?P<name>\w+)(?::(?P<type>\w+))?(?P<close>\])?(?P<optional>\?)?")
FUNCTION = re.compile(r"^(?:inline )?(?:Tensor|Dims|Moments|TopK|CtcDecoded|Histogram|Unique|LuFactor|SlogDet|Qr|Eigh|std::int64_t|std::vector<Tensor>) (\w+)\(", re.MULTILINE)


class Refused(Exception):
    """A table is not well formed; the text says where and what to do."""


@dataclasses.dataclass
class Argument:
    name: str
    kind: str  # "tensor", "list" (one list), "rest" (any number), "optional" or a key of TYPES
    token: str

    @property
    def is_tensors(self):
        return self.kind in ("tensor", "list", "rest")

    @property
    def is_passed(self):
        """True if the C++ function has this argument besides its options."""
        return self.kind != "optional"


@dataclasses.dataclass
class Field:
    name: str  # Keras's
    member: str
    null_is_default: bool


@dataclasses.dataclass
class Options:
    name: str
    fields: list[Field]


@dataclasses.dataclass
class Function:
    name: str
    group: str
    row: dict
    arguments: list[Argument]
    options: Options | None
    module: str

    def has(self, part):
        return part not in self.row.get("none", "").split()

    def by_hand(self, part):
        return self.has(part) and part in self.row.get("hand", "").split()

    def mechanical(self, part):
        return self.has(part) and not self.by_hand(part)

    @property
    def class_name(self):
        return self.row.get("class") or camel_case(self.row.get("alias", self.name))

    @property
    def parameters(self):
        """The parameters of Keras's call as OperationRow has them."""
        tokens = [argument.token for argument in self.arguments if argument.is_tensors or argument.kind == "optional"]
        return " ".join(tokens + ["**"] * self.row.get("keywords", False))

    @property
    def tensors(self):
        return [argument for argument in self.arguments if argument.is_tensors]

    @property
    def plain(self):
        """The arguments that are not tensors."""
        return [argument for argument in self.arguments if argument.kind in TYPES]

    @property
    def fields(self):
        return self.options.fields if self.options else []

    @property
    def takes_only_tensors(self):
        return not self.plain and not self.options and all(argument.kind == "tensor" for argument in self.arguments)

    @property
    def constant_first(self):
        return self.row.get("constant_first", self.takes_only_tensors and len(self.arguments) == 2)

    @property
    def config(self):
        """(Keras's name, a constant or None) of each argument of Keras's constructor."""
        default = " ".join([argument.name for argument in self.plain] + [field.name for field in self.fields])
        return [(name, constant or None) for name, _, constant in (each.partition("=") for each in self.row.get("config", default).split())]


def camel_case(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def argument_of(token, place):
    match = ARGUMENT.fullmatch(token)
    kind = match and ("rest" if match["star"] else "list" if match["open"] else "optional" if match["optional"] else match["type"] or "tensor")
    if not match or bool(match["open"]) != bool(match["close"]) or kind not in {"tensor", "list", "rest", "optional", *TYPES}:
        raise Refused(f'{place}: the argument "{token}" is none; the forms are x, n:int ({", ".join(TYPES)}), [xs], *xs, weights?')
    return Argument(match["name"], kind, token)


def options_of(name, text):
    fields = []
    for token in text.split():
        keras, _, member = token.removesuffix("?").partition("=")
        fields.append(Field(keras, member or keras, token.endswith("?")))
    return Options(name, fields)


def check_row(function, place):
    """Refuses what the tools would pass over."""
    row = function.row
    if unknown := set(row) - COLUMNS:
        raise Refused(f"{place}: there is no column {', '.join(sorted(unknown))}; the columns are {', '.join(sorted(COLUMNS))}")
    if unknown := set(f"{row.get('hand', '')} {row.get('none', '')}".split()) - set(PARTS):
        raise Refused(f"{place}: there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(PARTS)}")
    if function.mechanical("graph"):
        known = {argument.name for argument in function.plain} | {field.name for field in function.fields}
        if any(argument.kind == "optional" for argument in function.arguments):
            raise Refused(f'{place}: the overload of a function with optional tensors is written by hand; add hand = "graph"')
        if unknown := [name for name, constant in function.config if constant is None and name not in known]:
            raise Refused(f"{place}: config has {', '.join(unknown)}, which is neither in args nor in options")


def read_groups(root):
    """{group: (title, functions)}, and the options structs by name."""
    tables = {}
    for group in GROUPS:
        try:
            tables[group] = tomllib.loads((root / FOLDER / f"{group}.toml").read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise Refused(f"{FOLDER}/{group}.toml: {error}") from error
    options = {name: options_of(name, text) for table in tables.values() for name, text in table["options"].items()}
    groups, used, seen = {}, set(), set()
    for group, table in tables.items():
        functions = []
        for name, row in table["functions"].items():
            place = f"{FOLDER}/{group}.toml, {name}"
            if "options" in row and row["options"] not in options:
                raise Refused(f"{place}: [options] has no {row['options']}; add it")
            if name in seen:
                raise Refused(f"{place}: the function has two rows; remove one")
            seen.add(name)
            used.add(row.get("options"))
            arguments = [argument_of(token, place) for token in row.get("args", "x").split()]
            functions.append(Function(name, group, row, arguments, options.get(row.get("options")), row.get("module", table.get("module", "numpy"))))
            check_row(functions[-1], place)
        groups[group] = (table["title"], functions)
    if unused := set(options) - used:
        raise Refused(f"{FOLDER}: no function has {', '.join(sorted(unused))}; remove it from [options]")
    return groups


def read_functions(root):
    return [function for _, functions in read_groups(pathlib.Path(root)).values() for function in functions]


def declared(root, group):
    """The functions that the header of a group declares."""
    return set(FUNCTION.findall((pathlib.Path(root) / f"cornu/tensor/ops/{group}.h").read_text(encoding="utf-8")))
