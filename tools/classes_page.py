#!/usr/bin/env python3
"""Writes docs/guide/classes.md: the classes of cornu::keras by family, each with the first sentence of its header and its options, and the
meaning of each option, from the tables cornu/keras/options/*.toml (tools/make_options.py).

    python3 tools/classes_page.py ROOT            writes the page
    python3 tools/classes_page.py ROOT --check    fails when the page is not what would be written, a class has no sentence, or a layer no shapes
"""

import pathlib
import re
import sys

import make_options

PAGE = "docs/guide/classes.md"
# Folder of headers, with those below it or not; namespace; heading.
FAMILIES = [("losses", False, "losses", "Losses"), ("metrics", False, "metrics", "Metrics"), ("optimizers", False, "optimizers", "Optimizers"),
            ("optimizers/schedules", False, "optimizers::schedules", "Schedules of the learning rate"), ("initializers", False, "initializers", "Initializers"),
            ("regularizers", False, "regularizers", "Regularizers"), ("constraints", False, "constraints", "Constraints"),
            ("quantizers", False, "quantizers", "Quantizers"),
            ("callbacks", True, "callbacks", "Callbacks")]
# Tables of options that no class has: table, title, introduction.
FUNCTIONS = [("models", "models", "The functions of models take:"), ("datasets", "data sets", "Functions of `cornu::keras::datasets` take:"),
             ("functions", "functions", "Functions of `cornu::keras::activations` and `cornu::keras::utils` take:")]
LAYERS = {"rnn": "Recurrent"}  # headings of families of layers that are not called as their folder
# What users make derives from one of these; those that stand here as classes of their own are bases.
BASES = {"LayerHandle", "ImageHandle", "VocabularyHandle", "VocabularyHandle<std::string>", "VocabularyHandle<std::int64_t>", "LoraHandle", "Recurrent", "Cell", "KerasTensor", "LossHandle", "MetricHandle", "OptimizerHandle", "LearningRateScheduleHandle",
         "InitializerHandle", "RegularizerHandle", "ConstraintHandle", "QuantizerHandle", "QuantizationConfigHandle", "Callback", "MonitorCallback"}
CLASS = re.compile(r"((?:^///.*\n)*)^class (\w+)(?: final)? : public ([\w<>:]+)[^{]*\{", re.MULTILINE)
# A layer's comment, or that of one of these bases, says which shapes it takes and gives, in a section or a sentence.
BASES_WITH_SHAPES = {"ImageHandle", "Recurrent", "Cell"}
SHAPES = re.compile(r"\b(Shapes|Inputs|Semantics)( and(\s|/)+errors)?:", re.IGNORECASE)
OPTIONS = re.compile(r"\b(\w+Options)\b")
ALIAS = re.compile(r"^using (\w+) = (\w+);", re.MULTILINE)
SECTION = re.compile(r"^[A-Z][a-z]+:( |$)")
ACTIVATION = re.compile(r'NamedActivation\{"(\w+)"')


def first_sentence(comment):
    """Of a `///` comment what stands before its first section (`Shapes:`, `Errors:`), up to the first full stop; empty where there is none."""
    words = []
    for line in comment.splitlines():
        text = line.removeprefix("///").strip()
        if not text or SECTION.match(text):
            break
        words += text.split()
    text = re.split(r" Errors: | Shapes: ", " ".join(words))[0]
    found = re.match(r"(.*?[^\s.]\.)(?= |$)", text)
    if found:
        return found.group(1)
    return text.rstrip(":") + "." if text else ""


def classes_of(header):
    """(names, other names, sentence, name of the options) in the order of the header; a class without a comment has that of its relative in 1D."""
    text = header.read_text()
    aliases = {}
    for alias, name in ALIAS.findall(text):
        aliases.setdefault(name, []).append(alias)
    structs = dict(ALIAS.findall(text))
    found = []
    for match in CLASS.finditer(text):
        comment, name, base = match.groups()
        if base not in BASES or name in BASES:
            continue
        used = [word for word in OPTIONS.findall(text[match.end():text.index("\n};", match.end())]) if word != "NoOptions"]
        options = structs.get(used[0], used[0]) if used else ""
        sentence = first_sentence(comment)
        if not sentence and found and re.sub(r"\d", "", name) == re.sub(r"\d", "", found[-1][0][-1]):
            sentence = found[-1][2]
            if options == found[-1][3]:
                found[-1][0].append(name)
                found[-1][1].extend(aliases.get(name, []))
                continue
        found.append(([name], aliases.get(name, []), sentence, options))
    return found


def layers_without_shapes(keras):
    """The classes of layers whose comment does not say which shapes they take; a class without a comment has that of the one before it."""
    found = []
    for header in sorted(path for path in (keras / "layers").rglob("*.h") if not path.name.endswith("_support.h")):
        before = ""
        for comment, name, base in CLASS.findall(header.read_text()):
            before = comment or before
            if base in BASES and name not in BASES and base not in BASES_WITH_SHAPES and not SHAPES.search(before):
                found.append(name)
    return found


def cell(text):
    return re.sub(r"([|<])", r"\\\1", text)


def option_list(struct):
    return ", ".join(f"`{field.name}`" for field in struct.fields)


def option_rows(users):
    """The table of options for [(name, struct)]: a row for each meaning of an option; if it has several, a row names its classes."""
    meanings = {}
    for name, struct in users:
        for field in struct.fields:
            meanings.setdefault(field.name, {}).setdefault((field.default, field.doc), []).append(name)
    lines = ["| option | default | |", "| --- | --- | --- |"]
    for option in sorted(meanings):
        ordered = sorted(meanings[option].items(), key=lambda meaning: -len(meaning[1]))
        for i, ((default, doc), names) in enumerate(ordered):
            of = f" of {', '.join(f'`{name}`' for name in names)}" if i > 0 or len(ordered) > 1 and len(names) == 1 else ""
            lines.append(f"| `{option}`{of} | {'' if default in ('', '{}') else f'`{default}`'} | {cell(doc)} |")
    return lines + [""]


def struct_table(structs):
    return ["| struct | options |", "| --- | --- |"] + [f"| `{struct.name}` | {option_list(struct)} |" for struct in structs] + [""]


class Section:
    """The rows of the classes in some headers; `users` are the classes that have options, with these. Headers `*_support.h` are not for users."""

    def __init__(self, headers, namespace, family, missing):
        self.lines, self.users, self.classes = ["| class | | options |", "| --- | --- | --- |"], [], []
        for header in sorted(header for header in headers if not header.name.endswith("_support.h")):
            for names, aliases, sentence, options in classes_of(header):
                if not sentence:
                    missing.append(f"{namespace}::{names[0]}")
                struct = family.structs.get(options)
                self.classes += names
                self.users += [(name, struct) for name in names if struct]
                also = ", also " + ", ".join(f"`{alias}`" for alias in aliases) if aliases else ""
                self.lines.append(f"| {', '.join(f'`{name}`' for name in names)}{also} | {cell(sentence)} | {option_list(struct) if struct else ''} |")
        self.lines.append("")


def layer_sections(keras, family, missing):
    """(heading, section) of each folder of layers that has classes."""
    for folder in sorted(path for path in (keras / "layers").iterdir() if path.is_dir()):
        section = Section(folder.glob("*.h"), "layers", family, missing)
        if section.classes:
            yield LAYERS.get(folder.name, folder.name.capitalize()), section


def options_section(title, users, structs):
    """The meaning of the options of a family: those of its classes, and structs that functions take."""
    lines = [f"### Options of {title.lower()}", ""]
    if structs:
        lines += ["Functions and other structs take:", ""] + struct_table(structs)
    return lines + option_rows(users + [(struct.name, struct) for struct in structs])


def page(root):
    keras, missing = root / "cornu/keras", []
    tables = {family.name: family for family in make_options.read_families(root)}
    layers = list(layer_sections(keras, tables["layers"], missing))
    sections = {folder: Section((keras / folder).rglob("*.h") if is_deep else (keras / folder).glob("*.h"), namespace, tables[folder.partition("/")[0]], missing)
                for folder, is_deep, namespace, _ in FAMILIES}
    every = [section for _, section in layers] + list(sections.values())
    used = {id(struct) for section in every for _, struct in section.users}
    others = {name: [struct for struct in family.structs.values() if id(struct) not in used] for name, family in tables.items()}
    lines = ["# Classes", "",
             "Generated by `tools/classes_page.py`: the classes of each family in `cornu/keras/keras.h`, with the first sentence of their headers and their options. A table of",
             "options follows each family: an option means the same for all classes, unless a row names classes. An option without a default is empty, unset or required; the text",
             "states which. The headers also describe shapes and errors. Names, arguments and defaults are Keras's. Where Keras takes a name (`.loss = \"mse\"`,",
             "`.activation = \"relu\"`), Cornu takes a name or an object: `.loss = losses::MeanSquaredError()`. [Operations](ops.md) lists the functions of tensors.", "",
             f"## Layers ({sum(len(section.classes) for _, section in layers)})", "", "In `cornu::keras::layers`, by the folders of their headers.", ""]
    for title, section in layers:
        lines += [f"### {title}", ""] + section.lines
    lines += options_section("Layers", [user for _, section in layers for user in section.users], others["layers"])
    for folder, _, namespace, title in FAMILIES:
        lines += [f"## {title} ({len(sections[folder].classes)})", "", f"In `cornu::keras::{namespace}`.", ""] + sections[folder].lines
        lines += options_section(title, sections[folder].users, others.get(folder, []))
    for name, title, text in FUNCTIONS:
        lines += [f"## Options of {title}", "", text, ""] + struct_table(others[name]) + option_rows([(struct.name, struct) for struct in others[name]])
    activations = ACTIVATION.findall((keras / "activations/activations.cc").read_text())
    lines += [f"## Activations ({len(activations)})", "", "Names for `.activation`; most are also functions of `cornu::keras::activations`:",
              ", ".join(f"`{name}`" for name in sorted(activations)) + ".", ""]
    lines += ["## Missing classes", "", "[Names of Keras](keras_names.md) lists every public object of Keras: its name here, or the reason why it is not here.", ""]
    return "\n".join(lines), missing


def main():
    root = pathlib.Path(sys.argv[1])
    text, missing = page(root)
    path = root / PAGE
    if "--check" not in sys.argv:
        path.write_text(text)
        return 0
    if missing:
        print("no sentence above the class in its header:", ", ".join(missing))
    if not path.exists() or path.read_text() != text:
        print(f"{PAGE} is not up to date: python3 tools/classes_page.py .")
        return 1
    shapeless = layers_without_shapes(root / "cornu/keras")
    if shapeless:
        print("no `Shapes:` in the comment above the class in its header:", ", ".join(shapeless))
    return 1 if missing or shapeless else 0


if __name__ == "__main__":
    sys.exit(main())
