#!/usr/bin/env python3
"""Writes cornu/keras/config/keras_form_rows.inc: what Keras writes into a configuration otherwise than the options have it.

    python3 tools/keras_form_rows.py ROOT            writes the file
    python3 tools/keras_form_rows.py ROOT --check    fails when the file is not as the tables have it

The tables of options (tools/make_options.py) have these columns:

    keras = "unless_default"          of a field: a rule of config/keras_form_support.cc in snake_case, in [fields] for the whole family, in a
                                      row for its classes; {BinaryCrossentropy = "unless_default"} for some classes of a row
    keras_null, keras_false           of a struct: lists of keys that Cornu does not have, for which Keras writes null or false
    keras_build_config = false        of a struct: Keras writes no build_config, since the layer has nothing to build
    keras_class                       of a struct: the class, where it is not the one whose constructor takes the struct
"""

import pathlib
import re
import sys
import textwrap

import classes_page
import make_options

ROWS = "cornu/keras/config/keras_form_rows.inc"
SUPPORT = "cornu/keras/config/keras_form_support.cc"
HEAD = ("// Written by tools/keras_form_rows.py from the columns keras* of cornu/keras/options/*.toml.\n"
        "// A row is module, classes, key, rule; the first row that fits counts.\n")


def classes_by_struct(root, family):
    """{name of a struct: names of the classes whose constructors take it}."""
    classes = {name: [struct.columns["keras_class"]] for name, struct in family.structs.items() if "keras_class" in struct.columns}
    for folder in family.folders:
        for header in sorted((root / folder).rglob("*.h")):
            for names, _, _, options in classes_page.classes_of(header):
                if "keras_class" not in getattr(family.structs.get(options), "columns", {}):
                    classes.setdefault(options, []).extend(names)
    return classes


def rules_of(family, classes):
    """{(key, rule): classes} of a family's rows, in their order, and {key: rule} of its vocabulary."""
    rules, general = {}, {field: row["keras"] for field, row in family.fields.items() if "keras" in row}
    for struct in family.structs.values():
        names = classes.get(struct.name, [])
        for field in struct.fields:
            own = field.keras if isinstance(field.keras, dict) else {name: field.keras for name in names}
            for name, rule in own.items():
                if name not in names:
                    raise make_options.Refused(f"{make_options.TABLES}/{family.name}.toml, {struct.name}: {name} does not take it")
                if rule != general.get(field.name, ""):
                    rules.setdefault((field.name, rule), []).append(name)
        for rule, keys in (("null", struct.columns.get("keras_null", [])), ("false", struct.columns.get("keras_false", []))):
            for key in keys:
                rules.setdefault((key, rule), []).extend(names)
        if not struct.columns.get("keras_build_config", True):
            rules.setdefault(("build_config", "never"), []).extend(names)
    return rules, general


def row(family, classes, key, rule):
    """A row in lines of at most COLUMNS."""
    name = "k" + "".join(word.capitalize() for word in rule.split("_"))
    text = f'{{"keras.{family}", "{classes}", "{key}", Rule::{name}}},'
    if len(text) <= make_options.COLUMNS:
        return text
    words = textwrap.wrap(classes, make_options.COLUMNS - 4, break_long_words=False, break_on_hyphens=False)
    lines = [f' "{line} "' for line in words[:-1]] + [f' "{words[-1]}",']
    return "\n".join([f'{{"keras.{family}",', *lines, f' "{key}", Rule::{name}}},'])


def text_of(root):
    lines = []
    for family in make_options.read_families(root):
        rules, general = rules_of(family, classes_by_struct(root, family))
        lines += [row(family.name, " ".join(classes), key, rule) for (key, rule), classes in rules.items()]
        lines += [row(family.name, "*", key, rule) for key, rule in general.items()]
    return HEAD + "\n".join(lines) + "\n"


def unknown_rules(text, support):
    """The rules of the rows that the enumeration in the source does not have."""
    enumeration = re.search(r"enum class Rule \{(.*?)\};", support, re.DOTALL)[1]
    return sorted(set(re.findall(r"Rule::(\w+)", text)) - set(re.findall(r"^\s*(k\w+)", enumeration, re.MULTILINE)))


def main():
    root = pathlib.Path(next((argument for argument in sys.argv[1:] if argument != "--check"), "."))
    try:
        text = text_of(root)
    except make_options.Refused as refused:
        sys.exit(str(refused))
    if unknown := unknown_rules(text, (root / SUPPORT).read_text(encoding="utf-8")):
        sys.exit(f"{SUPPORT} has no rule {', '.join(unknown)}; correct the column keras in {make_options.TABLES}")
    path = root / ROWS
    if "--check" not in sys.argv:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        sys.exit(f"{ROWS} is not as {make_options.TABLES} has it: python3 tools/keras_form_rows.py .")


if __name__ == "__main__":
    main()
