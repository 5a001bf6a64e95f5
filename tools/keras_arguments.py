#!/usr/bin/env python3
"""Finds the arguments of Keras's classes and functions that are not here; each needs a row with a reason in tools/keras_arguments.toml.

Part of tools/names_page.py, which writes the reasons into docs/guide/keras_names.md and fails for an argument that is neither here nor in the
table, and for a row of the table that no missing argument fits.

Keras's arguments are tests/goldens/keras_arguments.json, by introspection (tools/goldens/keras_arguments.py). An argument is here if a
constructor or a function of that name, in a header of the same family, has a parameter of that name, or takes an options aggregate with a
member of that name. Required arguments of functions are passed by position: there must be as many parameters. Those of a layer's call are
members of the call's structs.
"""

import json
import pathlib
import re
import sys
import tomllib

TABLE, ARGUMENTS = "tools/keras_arguments.toml", "tests/goldens/keras_arguments.json"
CALL_STRUCTS = ("CallArguments", "AttentionCallOptions", "MultiHeadAttentionInputs")
COMMENT = re.compile(r"(?<!:)//.*")
STRUCT = re.compile(r"\bstruct (\w+)(?: final)?(?: : [^{;]*)? \{(.*?)\n\};", re.DOTALL)
MEMBER = re.compile(r"^\s+[\w:<>,&*() ]+?[\s>&*](\w+)(?: = [^;]*|\{[^;]*\})?;", re.MULTILINE)
USING = re.compile(r"\busing (\w+) = ([\w:]+);")
CLASS = re.compile(r"\bclass (\w+)(?: final)?(?: : [^{;]*)? \{")
CALL = re.compile(r"\b(\w+)\(")
PARAMETER = re.compile(r"(?P<type>.*?[\s>&*])?(?P<name>\w+)$", re.DOTALL)


def balanced(text, start):
    """The text from `start` up to the parenthesis that closes the one before."""
    depth = 1
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return text[start:i]
    return ""


def split_parameters(text):
    """The parameters of a list, without their defaults."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += {"(": 1, "{": 1, "<": 1, ")": -1, "}": -1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += letter
    return [part.partition("=")[0].strip() for part in [*parts, current] if part.strip()]


class Signatures:
    """The parameters of what the headers of each folder declare: {identifier: names of parameters}."""

    def __init__(self, root):
        self.root, self.by_folder, self.members, self.aliases = root, {}, {}, {}
        texts = {header: COMMENT.sub("", header.read_text()) for header in sorted((root / "cornu").rglob("*.h"))}
        for text in texts.values():
            self.aliases |= dict(USING.findall(text))
            for name, body in STRUCT.findall(text):
                self.members.setdefault(name, set()).update(MEMBER.findall("\n" + body + "\n"))
        self.texts = {header: text for header, text in texts.items() if not header.name.endswith("_support.h")}

    def members_of(self, words):
        """The members of the structs among the words of a type."""
        found = set()
        for word in words:
            for _ in range(3):
                word = self.aliases.get(word, word).rpartition("::")[2]
            found |= self.members.get(word, set())
        return found

    def of_text(self, text, found):
        for name, _ in STRUCT.findall(text):
            found.setdefault(name, set()).update(self.members[name])
        for match in CALL.finditer(text):
            names = found.setdefault(match[1], set())
            for parameter in split_parameters(balanced(text, match.end())):
                declared = PARAMETER.match(parameter)
                names.add(declared["name"] if declared else parameter)
                names |= self.members_of(re.findall(r"\w+", declared["type"] or "") if declared else [])

    def of(self, folder):
        if folder not in self.by_folder:
            path, found = self.root / "cornu" / folder, {}
            for header, text in self.texts.items():
                if header == path or path in header.parents:
                    self.of_text(text, found)
                    for alias, name in USING.findall(text):
                        found.setdefault(alias, set()).update(found.get(name.rpartition("::")[2], set()))
            self.by_folder[folder] = found
        return self.by_folder[folder]

    def parameters(self, name, folders):
        return set().union(*(self.of(folder).get(name, set()) for folder in folders))


class Gap:
    """The arguments that are not here: `rows` are (object, argument, reason) of the table, `found` those that no row has."""

    def __init__(self, root):
        table = tomllib.loads((root / TABLE).read_text())
        self.keras = {name: text.split() for name, text in json.loads((root / ARGUMENTS).read_text())["arguments"].items()}
        self.signatures, self.spelled = Signatures(root), table["spelled"]
        self.rows, self.used, self.found = [], set(), []
        for row in table["reason"]:
            for entry in row["arguments"].split():
                pattern, _, arguments = entry.rstrip(")").partition("(")
                self.rows += [(pattern, argument, row["reason"]) for argument in arguments.split(",")]

    def row_of(self, name, argument):
        return next((row for row in self.rows if row[1] == argument and re.fullmatch(re.escape(row[0]).replace(r"\*", ".*"), name)), None)

    def is_here(self, name, argument, ours):
        spelling = self.spelled.get(f"{name}.{argument}")
        if spelling is not None:
            self.used.add(f"{name}.{argument}")
            return set(re.findall(r"\w+", spelling)) & ours
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

    def add_call(self, name):
        ours = set().union(*(self.signatures.members.get(struct, set()) for struct in CALL_STRUCTS))
        self.add(f"{name}.call", ours)

    def wrong(self):
        lines = [f"{name}: Keras's argument {argument} is not here; add it, or a reason to {TABLE}" for name, argument in self.found]
        lines += [f"{TABLE}: no argument that is missing fits {row[0]}({row[1]})" for row in self.rows if row not in self.used]
        return lines + [f"{TABLE}: Keras has no {name}, or it is not here" for name in self.spelled if name not in self.used]

    def section(self):
        """The lines of the guide: reasons and the arguments that have them."""
        by_reason = {}
        for pattern, argument, reason in self.rows:
            by_reason.setdefault(reason, {}).setdefault(pattern, []).append(argument)
        lines = ["## Arguments that are not here", "",
                 f"Every other argument of {len(self.keras)} classes, functions and calls is here under its name, in the options or by position.", ""]
        for reason, objects in by_reason.items():
            lines.append("* " + ", ".join(f"`{name}({', '.join(arguments)})`" for name, arguments in objects.items()) + f": {reason}")
        if self.spelled:
            lines += ["", "Under another name: " + ", ".join(f"`{name}`: `{spelling}`" for name, spelling in self.spelled.items()) + "."]
        return [*lines, ""]
