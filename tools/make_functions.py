#!/usr/bin/env python3
"""Writes what is mechanical about the functions of keras.ops, from the tables cornu/tensor/ops/functions/*.toml.

    python3 tools/make_functions.py ROOT            writes the files that have changed
    python3 tools/make_functions.py ROOT --check    fails when a file is not as the tables have it, or a row has no function

The files: the calls of the functions by arguments that have names (function_calls_support.h), the two tables of those calls, one for the
operations of graphs (operation_rows.cc) and one for the golden file (ops_golden_rows_test_support.cc), and the overloads for KerasTensor.
tools/function_tables.py describes the tables.
"""

import pathlib
import re
import sys
import textwrap

from function_tables import FOLDER, TYPES, Refused, declared, read_groups

OPERATIONS = "cornu/keras/layers/operations"
COLUMNS = 110  # of .clang-format
HEAD = f"// Written by tools/make_functions.py from {FOLDER}/*.toml.\n// clang-format off\n"
OPEN = "namespace cornu::inline v0::{} {{\n"
CLOSE = "}}  // namespace cornu::inline v0::{}\n"


def includes(*paths):
    return "".join(f'#include {path if path[0] == "<" else chr(34) + path + chr(34)}\n' for path in paths)


def header(body, *paths):
    return HEAD + "#pragma once\n\n" + includes(*paths) + "\n" + body


def wrapped(line):
    """A line of C++, broken between tokens if it is longer than COLUMNS."""
    indent = line[:len(line) - len(line.lstrip())] + "    "
    whole = re.sub(r'"[^"]*"', lambda text: text[0].replace(" ", "\0"), line)  # a text is one token
    return "\n".join(textwrap.wrap(whole, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)).replace("\0", " ")


# The calls by names.


def reader(options):
    """The function of a call's options."""
    members = []
    for field in options.fields:
        member = f"&O::{field.member}"
        members += [f'"{field.name}"', f"Call::null_is_default({member})" if field.null_is_default else member]
    return (f"template <typename Call>\n{options.name} {reader_name(options)}(const Call& c) {{\n  using O = {options.name};\n"
            + wrapped(f"  return c.template options<O>({', '.join(members)});") + "\n}\n")


def reader_name(options):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in options.name).lstrip("_")


def call_function(function):
    """The call of a function by arguments that have names."""
    values, position = [], 0
    for argument in function.arguments:
        if argument.kind == "tensor":
            values.append(f"c[{position}]")
        elif argument.is_tensors:
            values.append(f'c.tensors("{argument.name}")')
        elif argument.is_passed:
            values.append(f'c.template get<{TYPES[argument.kind][1]}>("{argument.name}")')
        position += argument.is_tensors
    if function.options:
        values.append(f"{reader_name(function.options)}(c)")
    value = f"ops::{function.name}({', '.join(values)})"
    many = function.row.get("many")
    if isinstance(many, str):
        members = ", ".join(f"result.{member}" for member in many.split())
        body = wrapped(f"  const auto result = {value};")
        return f"template <typename Call> Tensors {function.name}(const Call& c) {{\n{body}\n  return {{{members}}};\n}}\n"
    returned = value if many else f"{{{value}}}"
    line = f"template <typename Call> Tensors {function.name}(const Call& c) {{ return {returned}; }}\n"
    return line if len(line) <= COLUMNS else f"template <typename Call> Tensors {function.name}(const Call& c) {{\n" + wrapped(f"  return {returned};") + "\n}\n"


def options_header(functions):
    options = {function.options.name: function.options for function in functions if function.options}
    body = OPEN.format("ops::calls") + "\n" + "".join(reader(each) for each in options.values()) + "\n" + CLOSE.format("ops::calls")
    doc = "/// Options of functions, read from the arguments of a call (function_calls_support.h).\n"
    return header(doc + body, "cornu/tensor/ops.h", "cornu/tensor/ops/attention.h")


def calls_header(functions):
    with_calls = [function for function in functions if function.mechanical("operation") or function.mechanical("golden")]
    body = OPEN.format("ops::calls") + "\nusing Tensors = std::vector<Tensor>;\n\n"
    body += "".join(call_function(each) for each in with_calls)
    doc = ("/// Calls of functions by the names of their arguments in Keras. `Call` finds arguments: c[i] is the i-th tensor,\n"
           "/// c.tensors(name) a list, c.get<T>(name) another argument, c.options<O>(name, member, ...) an options aggregate.\n")
    return header(doc + body + "\n" + CLOSE.format("ops::calls"), "<cstdint>", "<string_view>", "<vector>", "cornu/tensor/function_options_support.h",
                  "cornu/tensor/gradient_tape.h", "cornu/tensor/ops.h", "cornu/tensor/ops/attention.h")


def adapters(functions, part, argument):
    """The declarations of the calls that are written by hand."""
    return "".join(f"std::vector<Tensor> call_{function.name}(const {argument}& c);\n" for function in functions if function.by_hand(part))


def target(function, part, call):
    return f"&call_{function.name}" if function.by_hand(part) else f"&ops::calls::{function.name}<{call}>"


def operation_adapters(functions):
    body = OPEN.format("keras::layers") + "\n/// Calls that are not made by ops::calls, in the file of their group.\n"
    return header(body + adapters(functions, "operation", "OperationCall") + "std::vector<Tensor> call_with_mask(const OperationCall& c);\n\n" + CLOSE.format("keras::layers"), "<vector>",
                  f"{OPERATIONS}/operation_call_support.h")


def operation_rows(functions):
    lines = [wrapped(f'      {{"{function.class_name}", "{function.module}", "{function.parameters}", {target(function, "operation", "OperationCall")}{", false" if function.row.get("nameless") else ""}}},')
             for function in functions if function.has("operation") and "alias" not in function.row]
    own = ('      {"Array", "numpy", "x", &ops::calls::convert_to_tensor<OperationCall>},\n'
           '      // No function of keras.ops: a mask in a graph.\n      {"WithMask", "core", "x mask", &call_with_mask},\n')
    return (HEAD + includes(f"{OPERATIONS}/operation_adapters_support.h", "cornu/tensor/function_calls_support.h") + "\n" + OPEN.format("keras::layers")
            + "\nstd::vector<OperationRow> operation_rows() {\n  return {\n" + "\n".join(lines) + "\n" + own + "  };\n}\n\n" + CLOSE.format("keras::layers"))


def golden_rows(functions):
    lines = [wrapped(f'      {{"{function.name}", {target(function, "golden", "Call")}}},') for function in functions if function.has("golden")]
    return (HEAD + includes("cornu/tensor/function_calls_support.h", "cornu/tensor/ops_golden_test_support.h") + "\n" + OPEN.format("ops_golden")
            + "\n// Calls that are not made by ops::calls, in ops_golden_test_support.cc.\n" + adapters(functions, "golden", "Call")
            + "\nstd::vector<Row> rows() {\n  return {\n" + "\n".join(lines) + "\n  };\n}\n\n" + CLOSE.format("ops_golden"))


# The overloads for KerasTensor.


def parameter(argument, position, first_is_constant):
    if argument.kind == "tensor":
        graph = 1 if first_is_constant else 0
        kind = "Tensor" if position < graph else "keras::KerasTensor" if position == graph else "keras::OperationArgument"
        return f"const {kind}& {argument.name}"
    return f"const keras::KerasTensors& {argument.name}" if argument.is_tensors else f"{TYPES[argument.kind][0]} {argument.name}"


def signature(function, first_is_constant, default):
    position, parameters = 0, []
    for argument in function.arguments:
        parameters.append(parameter(argument, position, first_is_constant))
        position += argument.kind == "tensor"
    if function.options:
        parameters.append(f"const {function.options.name}& options{default}")
    returned = "std::vector<keras::KerasTensor>" if function.row.get("many") else "keras::KerasTensor"
    return f"{returned} {function.name}({', '.join(parameters)})"


def signatures(function, default):
    return [signature(function, first, default) for first in ([False, True] if function.constant_first else [False])]


def declarations(functions):
    lines = []
    for function in functions:
        if "doc" in function.row:
            lines += textwrap.wrap(function.row["doc"], COLUMNS, initial_indent="/// ", subsequent_indent="/// ")
        lines += [wrapped(each + ";") for each in signatures(function, " = {}")]
    return "\n".join(lines) + "\n"


def overload(function, text):
    """The definition of an overload."""
    members = {field.name: f"options.{field.member}" for field in function.fields}
    entries = [f'{{"{name}", {"Config()" if constant == "null" else constant or members.get(name, name)}}}' for name, constant in function.config]
    names = [argument.name for argument in function.tensors]
    tensors = f"{{{', '.join(names)}}}" if function.tensors[0].kind == "tensor" else f"all_of({names[0]})"
    arguments = [f'"{function.class_name}"', tensors] + ([f"{{{', '.join(entries)}}}"] if entries else [])
    called = "call_many" if function.row.get("many") else "call"
    result = f"return {called}({', '.join(arguments)});"
    line = f"{text} {{ {result} }}\n"
    return line if len(line) <= COLUMNS else wrapped(f"{text} {{") + "\n" + wrapped(f"  {result}") + "\n}\n"


def overload_files(name, doc, functions, *paths):
    """{path: text} of a header with overloads and its source."""
    definitions = "".join(overload(function, text) for function in functions for text in signatures(function, ""))
    source = f"{OPERATIONS}/{name}.cc"
    return {f"{OPERATIONS}/{name}.h": header(doc + OPEN.format("ops") + "\n" + declarations(functions) + "\n" + CLOSE.format("ops"), *paths),
            source: HEAD + includes(f"{OPERATIONS}/{name}.h", f"{OPERATIONS}/graph_call_support.h") + "\n" + OPEN.format("ops") + "using namespace graph;\n\n"
            + definitions + "\n" + CLOSE.format("ops")}


def graph_files(functions):
    made = [function for function in functions if function.mechanical("graph")]
    simple = overload_files("tensor_functions", "/// Functions of keras.ops on tensors of functional models; each adds the operation of its name to the graph.\n",
                            [function for function in made if function.takes_only_tensors], f"{OPERATIONS}/operations.h")
    others = overload_files("option_functions", "/// Functions of keras.ops with options, for tensors of functional models.\n",
                            [function for function in made if not function.takes_only_tensors], "<cstdint>", "<vector>",
                            "cornu/base/string_argument.h", f"{OPERATIONS}/operations.h", "cornu/tensor/ops.h")
    return {**simple, **others}


def files(functions):
    return {"cornu/tensor/function_calls_support.h": calls_header(functions),
            "cornu/tensor/function_options_support.h": options_header(functions),
            "cornu/tensor/ops_golden_rows_test_support.cc": golden_rows(functions),
            f"{OPERATIONS}/operation_adapters_support.h": operation_adapters(functions),
            f"{OPERATIONS}/operation_rows.cc": operation_rows(functions), **graph_files(functions)}


def undeclared(root, groups):
    """The rows whose function is not in the header of the group."""
    return [f"{FOLDER}/{group}.toml: cornu/tensor/ops/{group}.h does not declare {function.name}; add the declaration, or remove the row"
            for group, (_, functions) in groups.items() for function in functions
            if function.has("golden") and function.name not in declared(root, group)]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = pathlib.Path(arguments[0] if arguments else ".")
    try:
        groups = read_groups(root)
        wrong = undeclared(root, groups)
        texts = files([function for _, functions in groups.values() for function in functions])
    except Refused as refused:
        print(refused)
        return 1
    stale = [path for path, text in texts.items() if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        wrong += [f"{path} is not as {FOLDER} has it: python3 tools/make_functions.py ." for path in stale]
    elif not wrong:
        for path in stale:
            (root / path).write_text(texts[path], encoding="utf-8")
            print(f"written: {path}")
    print("\n".join(wrong) or "functions: fine")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
