"""Makes tests/goldens/keras_arguments.json: the arguments of Keras's public classes, functions and layers' calls, for tools/keras_arguments.py.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py keras_arguments

The objects are those of keras_names.json. A function has its required arguments first, then "|" and the optional ones; a class has all of its
constructor's; "NAME.call" those of a layer's call() after the input. *args and **kwargs are left out. "defaults" has the defaults of the functions'
optional arguments, as JSON. "kinds" has the kinds of values of KINDS that an argument takes, as far as its default and the first sentence about it in
Keras's documentation tell.
"""

import inspect
import json
import pathlib
import re

import jax
import keras

import keras_names

# The words of Keras's documentation for a kind of value.
KINDS = {"int": r"\bint(?:eger)?s?\b", "float": r"\bfloats?\b", "bool": r"\bbool(?:ean)?s?\b", "str": r"(?<!text )\bstr(?:ing)?s?\b",
         "tuple": r"\b(?:tuple|list)s?\b|\bsequence of\b", "dict": r"\bdict(?:ionary|ionaries)?s?\b", "function": r"\b(?:callable|lambda)s?\b|\bor (?:a )?functions?\b"}
# Sentences that tell one kind by their beginning: what follows is about the value.
BEGINNINGS = {"bool": r"(?:whether|if true|bool(?:ean)?\b)", "function": r"(?:a |python )?(?:function|callable)\b(?! to use)", "dict": r"(?:a )?dict(?:ionary)?\b"}
# Words that are no kind: of the parts of a list, of tensors, in parentheses and quotation marks.
REMOVED = [r"\([^()]*\)", r"[\"'`]+[^\"'`]*[\"'`]+", r"(?<=tuple)\[[^\]]*\]|(?<=list)\[[^\]]*\]", r"\b(?:integer|float|int|boolean|bool) (?:tensor|array|vector)s?\b",
           r"(?:(?<=tuple)|(?<=list)|(?<=tuples)|(?<=lists)|(?<=sequence)) (?:of|containing) (?:\w+ ){0,2}?(?:integer|int|float|string|number|bool|tensor|value|callable|function)s?\b"]
ENTRY = re.compile(r"^(\s+)\*{0,2}(\w+):\s*(.*)$")

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests/goldens"


def parameters(function):
    return [p for p in inspect.signature(function).parameters.values() if p.name != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def documented(text):
    """{argument: the first sentence about it} of the section "Args" of a documentation."""
    section = re.search(r"^( *)Args:\n(.*?)(?:\n\n?(?=\1\S)|\Z)", inspect.cleandoc(text or ""), re.MULTILINE | re.DOTALL)
    found, indent, last = {}, None, None
    for line in section[2].splitlines() if section else []:
        entry = ENTRY.match(line)
        if entry and (indent is None or entry[1] == indent):
            indent, last = entry[1], entry[2]
            found[last] = entry[3]
        elif last is not None:
            found[last] += " " + line.strip()
    return {name: re.split(r"\.(?:\s|$)|;", re.sub(r"^\W*\(?optional\)?[.,]?\s*(?:defaults? to \S+[.,]?\s*)?", "", sentence, flags=re.IGNORECASE))[0] for name, sentence in found.items()}


def kinds_of(sentence, default):
    """The kinds that a sentence names, and that of the default."""
    plain = sentence.lower()
    for pattern in REMOVED:
        plain = re.sub(r"\s+", " ", re.sub(pattern, " ", plain)).strip()
    first = next((kind for kind, pattern in BEGINNINGS.items() if re.match(pattern, plain)), None)
    found = {kind for kind, pattern in KINDS.items() if re.search(pattern, plain)} if first is None else {first}
    if isinstance(default, (bool, int, float, str, tuple, list, dict)):
        found.add({list: "tuple"}.get(type(default), type(default).__name__))
    return sorted(found)


def find(name):
    value = keras
    for part in name.split("."):
        value = getattr(value, part)
    return value


def main():
    if not (FOLDER / "keras_names.json").exists():
        keras_names.main()
    found, defaults, kinds = {}, {}, {}
    for name in json.loads((FOLDER / "keras_names.json").read_text())["names"]:
        value = find(name)
        if inspect.isclass(value) or callable(value):
            sentences = documented(value.__doc__)
            named = parameters(value.__init__ if inspect.isclass(value) else value)
            taken = {p.name: " ".join(each) for p in named if (each := kinds_of(sentences.get(p.name, ""), p.default))}
            if taken:
                kinds[name] = taken
        if inspect.isclass(value):
            found[name] = [p.name for p in parameters(value.__init__)]
            if issubclass(value, keras.layers.Layer) and value is not keras.layers.Layer and (call := [p.name for p in parameters(value.call)[1:]]):
                found[f"{name}.call"] = call
        elif callable(value):
            given = parameters(value)
            found[name] = [p.name for p in given if p.default is p.empty] + ["|"] + [p.name for p in given if p.default is not p.empty]
            defaults[name] = {p.name: p.default for p in given if p.default is not p.empty}
    found = {name: " ".join(arguments) for name, arguments in found.items() if arguments not in ([], ["|"])}
    path = FOLDER / "keras_arguments.json"
    path.write_text(json.dumps({"made_by": f"keras {keras.__version__}, jax {jax.__version__}", "arguments": found,
                                "defaults": {name: json.dumps(each) for name, each in defaults.items() if each},
                                "kinds": {name: json.dumps(each) for name, each in kinds.items()}}, indent=0) + "\n")
    print(f"{path.name}: {len(found)} objects")
