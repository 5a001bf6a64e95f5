#!/usr/bin/env python3
"""Writes the options structs and their CORNU_FIELDS into the headers, from the tables cornu/MODULE/options/*.toml.

    python3 tools/make_options.py ROOT            writes the headers that have changed
    python3 tools/make_options.py ROOT --check    fails when a header is not as the tables have it, or a struct has no row

A table describes one family:

    folders = ["cornu/keras/losses"]  # the structs are in the headers of these folders and of those below them
    plain = false                     # true: without CORNU_FIELDS, for options that no configuration holds; also in a struct's row
    internal = ["StepOptions"]        # structs in these headers that no user writes; they are written by hand and have no row
    [fields]                          # the vocabulary, by name: the C++ type, the default (if there is one) and the documentation
    delta = {type = "double", default = "1.0", doc = "..."}
    [mixins]                          # lists of fields that many structs have
    loss = ["reduction", "name", "dtype"]
    [structs.HuberOptions]            # a struct: its fields in order, "@loss" for a mixin
    fields = ["delta", "@loss"]
    delta = {doc = "..."}             # for this struct: another type, default ("" for none) or documentation

Columns whose names begin with "keras" are described in tools/keras_form_rows.py.

A struct is found by its name, or by a key such as "mnist::LoadDataOptions" if several namespaces have one of that name; its place in a header and
the comment above it are the header's. Structs that have CORNU_FIELDS or whose names end in Options need a row. Headers `*_support.h` are not for
users and may have structs without a row. Structs inside of classes are written by hand.
"""

import dataclasses
import pathlib
import re
import sys
import textwrap
import tomllib

TABLES = "cornu/keras/options"  # of the classes in a configuration; other modules have folders of the same name
FOLDERS = "cornu/*/options"
COLUMNS_OF_STRUCTS = {"plain", "keras_class", "keras_null", "keras_false", "keras_build_config"}
COLUMNS = 110  # of .clang-format
STRUCT = re.compile(r"^struct (\w+) \{(?:  // options/.*)?\n(?:.*\n)*?\};\n(?:CORNU_FIELDS\(\1\b[^)]*\)\n)?", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace (\w+) \{$", re.MULTILINE)
NEEDS_ROW = re.compile(r"^(?:CORNU_FIELDS\(|struct (?=\w*Options \{))(\w+)", re.MULTILINE)


class Refused(Exception):
    """A table is not well formed; the text says where and what to do."""


@dataclasses.dataclass
class Field:
    name: str
    type: str
    doc: str
    default: str = ""
    keras: str | dict = ""  # tools/keras_form_rows.py

    def lines(self):
        value = f" = {self.default}" if self.default else ""
        return [*comment(self.doc), f"  {self.type} {self.name}{value};"]


@dataclasses.dataclass
class Struct:
    name: str
    fields: list[Field]
    family: str
    columns: dict  # the columns of COLUMNS_OF_STRUCTS that the row has

    def text(self):
        """The struct and its CORNU_FIELDS as they are in the header."""
        name = self.name.rpartition("::")[2]
        lines = [f"struct {name} {{  // options/{self.family}.toml"]
        for field in self.fields:
            lines += field.lines()
        lines.append("};")
        if not self.columns.get("plain", False):
            lines.append(macro(name, [field.name for field in self.fields]))
        return "\n".join(lines) + "\n"


@dataclasses.dataclass
class Family:
    name: str
    table: str  # its path
    folders: list[str]
    internal: list[str]
    fields: dict[str, dict]  # the vocabulary
    structs: dict[str, Struct]


def comment(text):
    return textwrap.wrap(text, COLUMNS, initial_indent="  /// ", subsequent_indent="  /// ", break_long_words=False, break_on_hyphens=False)


def macro(struct, names):
    """`CORNU_FIELDS(struct, names...)` in lines as clang-format breaks them."""
    return textwrap.fill(f"CORNU_FIELDS({', '.join([struct, *names])})", COLUMNS, subsequent_indent=" " * len("CORNU_FIELDS("), break_long_words=False)


def field_names(entries, mixins, place):
    names = []
    for entry in entries:
        if not entry.startswith("@"):
            names.append(entry)
        elif entry[1:] in mixins:
            names += mixins[entry[1:]]
        else:
            raise Refused(f'{place}: there is no mixin "{entry[1:]}"; it has {", ".join(mixins)}')
    return names


def struct_of(name, row, table, family, path):
    """The struct of a row. Refuses a name twice, fields that the vocabulary does not have, overrides of others, and fields without documentation."""
    place = f"{path}, {name}"
    names = field_names(row["fields"], table.get("mixins", {}), place)
    if len(set(names)) < len(names):
        raise Refused(f"{place}: a field is listed twice: {', '.join(sorted(n for n in set(names) if names.count(n) > 1))}")
    if other := set(row) - set(names) - COLUMNS_OF_STRUCTS - {"fields"}:
        raise Refused(f"{place}: {', '.join(sorted(other))} is not among its fields")
    fields = []
    for field in names:
        if field not in table["fields"]:
            raise Refused(f"{place}: [fields] has no {field}; add it")
        try:
            fields.append(Field(name=field, **(table["fields"][field] | row.get(field, {}))))
        except TypeError as error:
            raise Refused(f"{place}: {field} has type, default, doc and keras, of which type and doc are required ({error})") from error
    if missing := [field.name for field in fields if not field.doc]:
        raise Refused(f"{place}: write a sentence as doc of {', '.join(missing)}")
    return Struct(name, fields, family, {column: row.get(column, table.get(column)) for column in COLUMNS_OF_STRUCTS if column in row or column in table})


def read_family(family_name, text, folder=TABLES):
    """The family of a table's text."""
    path = f"{folder}/{family_name}.toml"
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{path}: {error}") from error
    structs = {name: struct_of(name, row, table, family_name, path) for name, row in table["structs"].items()}
    family = Family(family_name, path, table["folders"], table.get("internal", []), table["fields"], structs)
    used = {field.name for struct in family.structs.values() for field in struct.fields}
    if unused := set(table["fields"]) - used:
        raise Refused(f"{path}: no struct has the field {', '.join(sorted(unused))}; remove it from [fields]")
    return family


def read_families(root, folder=TABLES):
    """The families of the tables in a folder, or in all that fit a pattern."""
    return [read_family(path.stem, path.read_text(encoding="utf-8"), path.parent.relative_to(root).as_posix())
            for path in sorted(root.glob(f"{folder}/*.toml"))]


def key_of(match, structs):
    """The key of a struct's row: its name, or namespace::name if a namespace in the header that begins with `namespace name {` has a row."""
    around = [name for name in NAMESPACE.findall(match.string, 0, match.start()) if f"}}  // namespace {name}\n" not in match.string[:match.start()]]
    return next((f"{name}::{match[1]}" for name in around if f"{name}::{match[1]}" in structs), match[1])


def rewritten(text, family, found):
    """The header with the structs of the family written again; adds their keys to `found`."""
    def replace(match):
        key = key_of(match, family.structs)
        if key not in family.structs:
            return match[0]
        found.append(key)
        return family.structs[key].text()

    return STRUCT.sub(replace, text)


def rewrite_headers(root, family, texts):
    """Writes the structs of a family into `texts`, {header: text}, which has those that other families changed. Returns what is wrong."""
    found = []
    for header in sorted(header for folder in family.folders for header in (root / folder).rglob("*.h")):
        text = texts.get(header) or header.read_text(encoding="utf-8")
        texts[header] = rewritten(text, family, found)
    wrong = [f"{family.table}: no header of {', '.join(family.folders)} has the struct {name}; add it to one, without fields"
             for name in family.structs if name not in found]
    return wrong + [f"{', '.join(family.folders)}: two structs are called {name}; rename one" for name in sorted(set(found)) if found.count(name) > 1]


def without_rows(root, families, texts):
    """Structs that need a row and are in no table, by header; and names of `internal` that no header has."""
    wrong, seen = [], set()
    for header, text in texts.items():
        around = [family for family in families if any(header.is_relative_to(root / folder) for folder in family.folders)]
        rows = {name.rpartition("::")[2] for family in around for name in [*family.structs, *family.internal]}
        names = dict.fromkeys(NEEDS_ROW.findall(text))
        seen.update((family.table, name) for family in around for name in names)
        if not header.name.endswith("_support.h"):
            wrong += [f"{header.relative_to(root)}: {name} has no row in {around[-1].table}; add one" for name in names if name not in rows]
    return wrong + [f"{family.table}: no header has the internal struct {name}; remove it" for family in families for name in family.internal
                    if (family.table, name) not in seen]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = pathlib.Path(arguments[0] if arguments else ".")
    wrong, texts = [], {}
    try:
        families = read_families(root, FOLDERS)
        for family in families:
            wrong += rewrite_headers(root, family, texts)
        wrong += without_rows(root, families, texts)
    except Refused as refused:
        wrong.append(str(refused))
    stale = {header: text for header, text in texts.items() if header.read_text(encoding="utf-8") != text}
    if "--check" in sys.argv:
        wrong += [f"{header.relative_to(root)} is not as its table in {FOLDERS} has it: python3 tools/make_options.py ." for header in stale]
    elif not wrong:
        for header, text in stale.items():
            header.write_text(text, encoding="utf-8")
            print(f"written: {header.relative_to(root)}")
    print("\n".join(wrong) or "options: fine")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
