#!/usr/bin/env python3
"""Writes docs/guide/keras_names.md: each public object of Keras, with its spelling here, the reason why it is not here, or as missing.

    python3 tools/names_page.py ROOT            writes the page
    python3 tools/names_page.py ROOT --check    fails when the page is not what would be written, README.md has other numbers, or a row of
                                                tools/keras_names.toml is wrong

Keras's objects are tests/goldens/keras_names.json, by introspection (tools/goldens/keras_names.py). An object is here if a header declares one of
its names with the same modules as namespaces, "applications.vgg16.preprocess_input" as cornu::keras::applications::vgg16::preprocess_input or without
`keras`, if tools/keras_names.toml has another spelling, whose path is declared below one of SCOPES, or if docs/guide/ops.md names its place in the
language (tools/ops_page.py).
"""

import json
import pathlib
import re
import sys
import tomllib

from declared_paths import declared_paths
from keras_arguments import Gap, add_declared
from ops_page import ELSEWHERE

PAGE, TABLE, NAMES = "docs/guide/keras_names.md", "tools/keras_names.toml", "tests/goldens/keras_names.json"
# The headers that have the arguments of each module of Keras; of other modules those of ALL.
FOLDERS = {"layers": ["keras/layers", "keras/layer"], "losses": ["keras/losses"], "metrics": ["keras/metrics", "keras/losses"], "optimizers": ["keras/optimizers"],
           "callbacks": ["keras/callbacks"], "initializers": ["keras/initializers"], "regularizers": ["keras/regularizers"], "constraints": ["keras/constraints"],
           "activations": ["keras/activations"], "ops": ["tensor/ops", "tensor/control_flow.h", "tensor/custom_gradient.h", "tensor/transformations.h"], "ops.image": ["tensor/ops"], "random": ["tensor"], "tree": ["tensor/tree.h"],
           "config": ["keras/config/global_settings.h", "keras/base/dtype_policy.h"], "datasets": ["keras/datasets"], "utils.bounding_boxes": ["keras/utils/bounding_boxes.h"],
           "applications": ["keras/applications"], "quantizers": ["keras/quantizers"], "export": ["keras/export"], "visualization": ["keras/visualization"],
           "distillation": ["keras/distillation"], "distribution": ["keras/distribution"]}
ALL = ["keras", "tensor", "data", "distribute"]
HEADINGS = {"": "keras"}
SCOPES = ["cornu::", "cornu::keras::", ""]


class Declarations:
    """The paths that the headers below the folders of ALL declare."""

    def __init__(self, root):
        headers = [path for folder in ALL for path in sorted((root / "cornu" / folder).rglob("*.h")) if not path.name.endswith("_support.h")]
        headers.append(root / "cmake/version.h.in")
        self.paths = set().union(*(declared_paths(path.read_text()) for path in headers))

    def has(self, spelling):
        """Whether a path is declared, without the arguments of templates: "saving::deserialize<Layer>"."""
        return any(scope + spelling.partition("<")[0] in self.paths for scope in SCOPES)

    def has_name(self, name):
        """Whether a name of Keras is declared; its functions of images are among those of `ops`."""
        return self.has(name.replace("ops.image.", "ops.").replace(".", "::"))


def module_of(name):
    return name.rpartition(".")[0]


def folders_of(name):
    module = module_of(name)
    return FOLDERS.get(module) or FOLDERS.get(module.partition(".")[0]) or ALL


def read_table(root):
    """({name: spelling here}, {name: reason}) of tools/keras_names.toml."""
    table = tomllib.loads((root / TABLE).read_text())
    reasons = {name: row["reason"] for row in table["reason"] for name in row["names"].split()}
    return table["elsewhere"], reasons


def state_of(name, others, declarations, elsewhere, reasons):
    """("here", spelling or ""), ("reason", text) or ("missing", "")."""
    if name in reasons:
        return "reason", reasons[name]
    if name in elsewhere:
        return "here", elsewhere[name]
    last = name.rpartition(".")[2]
    if module_of(name) == "ops" and last in ELSEWHERE:
        return "here", ELSEWHERE[last].strip("`").replace("`", "")
    if any(declarations.has_name(each) for each in [name, *others]):
        return "here", ""
    return "missing", ""


def listed(names):
    return ", ".join(f"`{name}`" for name in names)


def section(module, rows):
    """The lines of one module: `rows` are (name, state, text)."""
    here = [row for row in rows if row[1] == "here"]
    lines = [f"## {HEADINGS.get(module, module)} ({len(here)} of {len(rows)})", ""]
    last = lambda row: row[0].rpartition(".")[2]
    if same := [last(row) for row in here if not row[2]]:
        lines += [f"Under the same name: {listed(same)}.", ""]
    if other := [row for row in here if row[2]]:
        lines += ["Under another name: " + "; ".join(f"`{last(row)}`: `{row[2]}`" for row in other) + ".", ""]
    by_reason = {}
    for row in rows:
        if row[1] == "reason":
            by_reason.setdefault(row[2], []).append(last(row))
    lines += [f"Not here, {listed(names)}: {reason}" for reason, names in by_reason.items()]
    lines += [""] if by_reason else []
    if missing := [last(row) for row in rows if row[1] == "missing"]:
        lines += [f"Missing: {listed(missing)}.", ""]
    return lines


def argument_gap(root, names, rows):
    """The arguments of Keras's objects that are here."""
    gap = Gap(root)
    for name, state, spelling in rows:
        if state != "here":
            continue
        ours = {}
        for each in [name, *names[name]]:
            add_declared(ours, gap.signatures.parameters(each.rpartition(".")[2], folders_of(each)))
        for word in re.findall(r"\w+", spelling):
            add_declared(ours, gap.signatures.parameters(word, ALL))
        gap.add(name, ours)
        if f"{name}.call" in gap.keras:
            gap.add_call(name)
    return gap


def page(root):
    """(the text, what is wrong with the tables)."""
    names = json.loads((root / NAMES).read_text())
    declarations, (elsewhere, reasons) = Declarations(root), read_table(root)
    rows = [(name, *state_of(name, others, declarations, elsewhere, reasons)) for name, others in names["names"].items()]
    modules = {}
    for row in rows:
        modules.setdefault(module_of(row[0]), []).append(row)
    count = {state: sum(row[1] == state for row in rows) for state in ("here", "reason", "missing")}
    lines = ["# Names of Keras", "",
             f"Generated by `tools/names_page.py`: the {len(rows)} public objects of Keras ({names['made_by']}), found by introspection; an object that has several names",
             f"counts once. {count['here']} are here, {count['reason']} are not and have a reason, {count['missing']} are missing. Modules have Keras's names below `cornu::keras`;",
             "`ops`, `random` and `tree` are below `cornu`. [Classes](classes.md) and [Operations](ops.md) list arguments.", ""]
    for module in sorted(modules):
        lines += section(module, modules[module])
    gap = argument_gap(root, names["names"], rows)
    lines += gap.section()
    phrase = f"{count['here']} of Keras's {len(rows)} [public names]"
    wrong = [] if phrase in (root / "README.md").read_text() else [f"README.md must say {phrase}"]
    wrong += gap.wrong()
    wrong += [f"{TABLE}: Keras has no {name}" for name in [*elsewhere, *reasons] if name not in names["names"]]
    wrong += [f"{TABLE}: {name} is both elsewhere and without" for name in elsewhere if name in reasons]
    wrong += [f"{TABLE}: no header declares {spelling}" for spelling in elsewhere.values() if not declarations.has(spelling)]
    wrong += [f"{TABLE}: {name} has a reason, and is here" for name in reasons if declarations.has_name(name)]
    return "\n".join(lines), wrong


def main():
    root = pathlib.Path(sys.argv[1])
    text, wrong = page(root)
    path = root / PAGE
    if "--check" not in sys.argv:
        path.write_text(text)
        print("\n".join(wrong))
        return 1 if wrong else 0
    if not path.exists() or path.read_text() != text:
        wrong.append(f"{PAGE} is not up to date: python3 tools/names_page.py .")
    print("\n".join(wrong) or f"{PAGE}: fine")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
