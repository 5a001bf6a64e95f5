#!/usr/bin/env python3
"""Copies the public headers as Doxygen should read them: headers.py FOLDER [--small]; --small: only those of the core layers.

Doxygen then describes a file by the comment above its namespace, shows the parts of a comment (Shapes, Errors, ...) as paragraphs, and takes a
comment behind a member as the member's."""
import glob
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDERS = ("keras", "tensor", "data", "distribute", "io", "runtime")
FILES = ("cornu/ir/type.h", "cornu/base/error.h", "cornu/base/log.h")
SMALL = ("cornu/keras/layer/", "cornu/keras/layers/core/")
INTERNAL = re.compile(r"_support\.h$|/testing/")
PARTS = "Semantics|Shapes|Types|Errors|Gradient|Source|Owns|Threads|Lifetime|Units|Cost"
ABOVE_NAMESPACE = re.compile(r"^((?:///.*\n)+)(?=namespace )", re.MULTILINE)
COMMENT = re.compile(r"^(?: *///.*\n)+", re.MULTILINE)
BEHIND = re.compile(r"^(  [A-Za-z][\w:<>,&*. \[\]()]* [a-z]\w*(?: = [^;]*)?;) +//(?!/) ?(?=\S)", re.MULTILINE)
CONTINUED = re.compile(r"^( +[^/\n]*;) +(///<.*)\n( +)//(?!/) (.*)$", re.MULTILINE)


def comment(text):
    """A block of `///` lines, in which Doxygen sees only what the author meant."""
    text = text.replace("\\", "\\\\")
    text = re.sub(r" \.\.$", " ...", text, flags=re.MULTILINE)  # two dots at a line's end would end a list
    text = re.sub(r"(?<=[a-z)]) \. (?=[a-z(])", r" &middot; ", text)
    text = re.sub(r"`([^`\n]*)\n *///([^`\n]*)`", r"`\1\2`", text)  # a span of code ends in its line
    return re.sub(rf"^( *)/// ?({PARTS}): *", r"\1/// \\par \2\n\1/// ", text, flags=re.MULTILINE)


def prepared(text):
    text = text.replace("::inline v0", "")
    # Options become configurations by these; Doxygen mistakes one overload for another.
    text = re.sub(r"^(Config write_value|void read_value)\(.*;$\n", "", text, flags=re.MULTILINE)
    text = ABOVE_NAMESPACE.sub(r"/// @file\n\1\n", text)
    text = COMMENT.sub(lambda match: comment(match.group()), text)
    text = BEHIND.sub(r"\1 ///< ", text)
    while (longer := CONTINUED.sub(r"\1 \2 \4", text)) != text:
        text = longer
    return text


def headers(root):
    found = [path for folder in FOLDERS for path in glob.glob(os.path.join(root, "cornu", folder, "**", "*.h"), recursive=True)]
    names = sorted(os.path.relpath(path, root) for path in found) + list(FILES)
    return [name for name in names if not INTERNAL.search(name)]


def main():
    folder = sys.argv[1]
    names = [name for name in headers(ROOT) if "--small" not in sys.argv or name.startswith(SMALL)]
    for name in names:
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            text = prepared(file.read())
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
