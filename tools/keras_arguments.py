#!/usr/bin/env python3
"""Finds the arguments of Keras's classes and functions that are not here, the defaults of functions that are not Keras's, and arguments that take
fewer kinds of values than Keras's; each needs a row with a reason in tools/keras_arguments.toml.

Part of tools/names_page.py, which writes the reasons into docs/guide/keras_names.md and fails for an argument that is neither here nor in the
table, and for a row of the table that no argument fits.

Keras's arguments are tests/goldens/keras_arguments.json, by introspection (tools/goldens/keras_arguments.py). An argument is here if a
constructor or a function of that name, in a header of the same family, has a parameter of that name, or takes an options aggregate with a
member of that name. Required arguments of functions are passed by position: there must be as many parameters. Those of a layer's call are
members of the call's structs. A default is Keras's if a parameter or member of that name has it; a number, text or list is written as in Keras, "None" as
an empty value. The kinds of Keras's values (numbers, texts, lists, functions) are those that its documentation and defaults tell; the table has the kinds
that each C++ type takes.
"""

import json
import pathlib
import re
import sys
import tomllib
from typing import NamedTuple

TABLE, ARGUMENTS = "tools/keras_arguments.toml", "tests/goldens/keras_arguments.json"
CALL_STRUCTS = ("CallArguments", "AttentionCallOptions", "MultiHeadAttentionInputs")
COMMENT = re.compile(r"(?<!:)//.*")
STRUCT = re.compile(r"\bstruct (\w+)(?: final)?(?: : [^{;]*)? \{(.*?)\n\};", re.DOTALL)
MEMBER = re.compile(r"^\s+([\w:<>,&*() ]+?[\s>&*])(\w+)(?: = ([^;]*)|\{[^;]*\})?;", re.MULTILINE)
USING = re.compile(r"\busing (\w+) = ([\w:]+);")
CLASS = re.compile(r"\bclass (\w+)(?: final)?(?: : [^{;]*)? \{")
CALL = re.compile(r"\b(\w+)\(")
PARAMETER = re.compile(r"(?P<type>.*?[\s>&*])?(?P<name>\w+)$", re.DOTALL)


class Declared(NamedTuple):
    """A parameter or member as it is written; empty texts where there is none."""

    type: str
    default: str


def plain_type(written):
    """A C++ type without qualifiers, namespaces and std::optional: "std::optional<ops::Axes>" is "Axes"."""
    text = re.sub(r"\b(?:const|static|constexpr|inline|explicit)\b|[&*]|\b(?:std|ops|keras|cornu|callbacks|ir|random|data)::", "", written)
    text = re.sub(r"\s+", " ", text).strip()
    while wrapped := re.fullmatch(r"(?:optional|same_as)<(.*)>", text):
        text = wrapped[1].strip()
    return text


def balanced(text, start):
    """The text from `start` up to the parenthesis that closes the one before."""
    depth = 1
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return text[start:i]
    return ""


def split_parameters(text):
    """The parameters of a list, and their defaults or an empty text."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += {"(": 1, "{": 1, "<": 1, ")": -1, "}": -1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += letter
    return [(part.partition("=")[0].strip(), part.partition("=")[2].strip()) for part in [*parts, current] if part.strip()]


def add_declared(found, others):
    """Adds to {name: set of Declared}."""
    for name, declared in others.items():
        found.setdefault(name, set()).update(declared)
    return found


# Keras's None; the last three are the settings that it stands for.
NONE = {"{}", '""', "std::nullopt", "nullptr", "Tensor()", "kUnknown", "current_floatx()", "cornu::detail::default_float()", "cornu::detail::default_data_format()",
        "std::string(cornu::detail::default_data_format())"}
DTYPE = re.compile(r"DType::k([A-Z]+)(\d+)")


def same_default(value, written):
    """True if `written` in C++ is Keras's default."""
    if value is None:
        return written in NONE
    if isinstance(value, list):
        parts = [part for part, _ in split_parameters(written.strip("{}"))]
        return len(parts) == len(value) and all(map(same_default, value, parts))
    if isinstance(value, str) and (dtype := DTYPE.fullmatch(written)):
        return value == {"I": "int", "U": "uint", "F": "float"}.get(dtype[1], "") + dtype[2]
    if isinstance(value, str):
        return re.sub(r"^(?:[\w:]*::)?k(?=[A-Z])|\W|_", "", written).lower() == re.sub(r"\W|_", "", value).lower()
    if isinstance(value, bool):
        return written == str(value).lower()
    try:
        return float(written.strip("{}").rstrip("F")) == value
    except ValueError:
        return False


class Signatures:
    """The parameters of what the headers of each folder declare: {identifier: {name: set of Declared}}."""

    def __init__(self, root):
        self.root, self.by_folder, self.members, self.aliases = root, {}, {}, {}  # members: {struct: {module: {name: set of Declared}}}
        texts = {header: COMMENT.sub("", header.read_text()) for header in sorted((root / "cornu").rglob("*.h"))}
        for header, text in texts.items():
            self.aliases |= dict(USING.findall(text))
            for name, body in STRUCT.findall(text):
                add_declared(self.members.setdefault(name, {}).setdefault(self.module_of(header), {}), {member: {Declared(type, written)} for type, member, written in MEMBER.findall("\n" + body + "\n")})
        self.texts = {header: text for header, text in texts.items() if not header.name.endswith("_support.h")}

    def module_of(self, header):
        return header.relative_to(self.root / "cornu").parts[0]

    def members_of(self, words, module=""):
        """The members of the structs among the words of a type; those of `module` if it has a struct of that name."""
        found = {}
        for word in words:
            for _ in range(3):
                word = self.aliases.get(word, word).rpartition("::")[2]
            by_module = self.members.get(word, {})
            for members in [by_module[module]] if module in by_module else by_module.values():
                add_declared(found, members)
        return found

    def of_text(self, text, found, module):
        for name, _ in STRUCT.findall(text):
            add_declared(found.setdefault(name, {}), self.members[name][module])
        for match in CALL.finditer(text):
            names = found.setdefault(match[1], {})
            for parameter, default in split_parameters(balanced(text, match.end())):
                declared = PARAMETER.match(parameter)
                add_declared(names, {declared["name"] if declared else parameter: {Declared((declared["type"] or "") if declared else "", default)}})
                add_declared(names, self.members_of(re.findall(r"\w+", declared["type"] or "") if declared else [], module))

    def of(self, folder):
        if folder not in self.by_folder:
            path, found = self.root / "cornu" / folder, {}
            for header, text in self.texts.items():
                if header == path or path in header.parents:
                    self.of_text(text, found, self.module_of(header))
                    for alias, name in USING.findall(text):
                        add_declared(found.setdefault(alias, {}), found.get(name.rpartition("::")[2], {}))
            self.by_folder[folder] = found
        return self.by_folder[folder]

    def parameters(self, name, folders):
        found = {}
        for folder in folders:
            add_declared(found, self.of(folder).get(name, {}))
        return found


def rows_of(reasons):
    """(object, argument, reason) of a table, whose rows are "OBJECT(ARGUMENT,...) ..." and a reason."""
    rows = []
    for row in reasons:
        for entry in row["arguments"].split():
            pattern, _, arguments = entry.rstrip(")").partition("(")
            rows += [(pattern, argument, row["reason"]) for argument in arguments.split(",")]
    return rows


def fits(pattern, name):
    """True if a name is that of a row, which may have a star."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name) is not None


def listed_by_reason(rows):
    """Lines of the guide, one a reason."""
    by_reason = {}
    for pattern, argument, reason in rows:
        by_reason.setdefault(reason, {}).setdefault(pattern, []).append(argument)
    return ["* " + ", ".join(f"`{name}({', '.join(arguments)})`" for name, arguments in objects.items()) + f": {reason}"
            for reason, objects in by_reason.items()]


class Gap:
    """The arguments that are not here: `rows` are (object, argument, reason) of the table, `found` those that no row has. `default_rows` and
    `other_defaults` are those of other defaults, `kind_rows` and `fewer_kinds` those that take fewer kinds of values."""

    def __init__(self, root):
        table = tomllib.loads((root / TABLE).read_text())
        golden = json.loads((root / ARGUMENTS).read_text())
        self.keras = {name: text.split() for name, text in golden["arguments"].items()}
        self.defaults = {name: json.loads(text) for name, text in golden["defaults"].items()}
        self.kinds = {name: {argument: set(kinds.split()) for argument, kinds in json.loads(text).items()} for name, text in golden["kinds"].items()}
        self.kinds_of_types = {type: set(kinds.split()) for type, kinds in table["kinds"].items()}
        self.signatures, self.spelled = Signatures(root), table["spelled"]
        self.used, self.found, self.other_defaults, self.fewer_kinds, self.unknown_types = set(), [], [], [], {}
        self.rows, self.default_rows, self.kind_rows = rows_of(table["reason"]), rows_of(table["default"]), rows_of(table.get("kind", []))

    def row_of(self, name, argument):
        return next((row for row in self.rows if row[1] == argument and fits(row[0], name)), None)

    def is_here(self, name, argument, ours):
        spelling = self.spelled.get(f"{name}.{argument}")
        if spelling is not None:
            self.used.add(f"{name}.{argument}")
            return set(re.findall(r"\w+", spelling)) & ours.keys()
        return argument in ours

    def add(self, name, ours):
        """Compares an object of Keras with the names of the parameters of ours."""
        arguments = self.keras.get(name, [])
        if "|" in arguments:  # a function
            required = arguments.index("|")
            arguments = (arguments[:required] if len(ours) < required else []) + arguments[required + 1:]
        for argument in arguments:
            if self.is_here(name, argument, ours):
                continue
            row = self.row_of(name, argument)
            self.used.add(row)
            if row is None:
                self.found.append((name, argument))
        self.add_defaults(name, ours)
        self.add_kinds(name, ours)

    def declared(self, name, argument, ours):
        return ours.get(self.spelled.get(f"{name}.{argument}", argument), set())

    def add_defaults(self, name, ours):
        for argument, value in self.defaults.get(name, {}).items():
            written = {each.default for each in self.declared(name, argument, ours)} - {""}
            if not written or any(same_default(value, each) for each in written):
                continue
            row = next((row for row in self.default_rows if row[1] == argument and fits(row[0], name)), None)
            self.used.add(row)
            if row is None:
                self.other_defaults.append((name, argument, value, " or ".join(sorted(written))))

    def add_kinds(self, name, ours):
        for argument, kinds in self.kinds.get(name, {}).items():
            types = {plain_type(each.type) for each in self.declared(name, argument, ours)} - {""}
            for type in types - self.kinds_of_types.keys():
                self.unknown_types[type] = f"{name}({argument})"
            missing = kinds - set().union(*(self.kinds_of_types.get(type, kinds) for type in types)) if types else set()
            if not missing:
                continue
            row = next((row for row in self.kind_rows if row[1] == argument and fits(row[0], name)), None)
            self.used.add(row)
            if row is None:
                self.fewer_kinds.append((name, argument, " ".join(sorted(missing)), " or ".join(sorted(types))))

    def add_call(self, name):
        self.add(f"{name}.call", self.signatures.members_of(CALL_STRUCTS))

    def wrong(self):
        lines = [f"{name}: Keras's argument {argument} is not here; add it, or a reason to {TABLE}" for name, argument in self.found]
        lines += [f"{name}: the default of {argument} is {written} here, and {value} in Keras; change it, or add a reason to {TABLE}"
                  for name, argument, value, written in self.other_defaults]
        lines += [f"{name}: Keras's {argument} may also be of the kinds: {missing}; {types} here takes none: change it, or add a reason to {TABLE}"
                  for name, argument, missing, types in self.fewer_kinds]
        lines += [f"{TABLE}: [kinds] has no type {type}, that of {argument}" for type, argument in self.unknown_types.items()]
        lines += [f"{TABLE}: no argument of fewer kinds fits {row[0]}({row[1]})" for row in self.kind_rows if row not in self.used]
        lines += [f"{TABLE}: no argument that is missing fits {row[0]}({row[1]})" for row in self.rows if row not in self.used]
        lines += [f"{TABLE}: no other default fits {row[0]}({row[1]})" for row in self.default_rows if row not in self.used]
        return lines + [f"{TABLE}: Keras has no {name}, or it is not here" for name in self.spelled if name not in self.used]

    def section(self):
        """The lines of the guide: reasons and the arguments that have them."""
        lines = ["## Arguments that are not here", "",
                 f"Every other argument of {len(self.keras)} classes, functions and calls is here under its name, in the options or by position.", ""]
        lines += listed_by_reason(self.rows)
        if self.spelled:
            lines += ["", "Under another name: " + ", ".join(f"`{name}`: `{spelling}`" for name, spelling in self.spelled.items()) + "."]
        lines += ["", "Every default of a function is Keras's, except:", "", *listed_by_reason(self.default_rows)]
        lines += ["", "Arguments take numbers, texts, lists and functions where Keras's do, as far as its documentation tells, except:", "", *listed_by_reason(self.kind_rows)]
        return [*lines, ""]
