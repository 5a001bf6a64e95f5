"""Excerpts of the program whose lines the reference shows: it is built and run as a test.

An excerpt begins with `// [Name, ...]`, the classes on whose pages it appears, and ends with `// [end]`; what it prints or gives is said in its
comments, which the program checks."""
import os
import re
import textwrap

PROGRAM = "tools/docs/examples/reference_examples.cc"
EXCERPT = re.compile(r"^ *// \[([\w, ]+)\]\n(.*?)^ *// \[end\]$", re.MULTILINE | re.DOTALL)


def read(path):
    """{class: code}"""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return {name.strip(): textwrap.dedent(code).strip("\n") for names, code in EXCERPT.findall(text) for name in names.split(",")}


def section(snippets, name):
    """Lines of Markdown for a class."""
    return ["## Example", "", "```cpp", snippets[name], "```", ""] if name in snippets else []
