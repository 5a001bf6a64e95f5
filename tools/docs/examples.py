"""Excerpts of the program in tools/docs/examples for the reference: an expression with the class, which the program evaluates as a test."""
import glob
import os
import re

FOLDER = "tools/docs/examples"
FUNCTION = re.compile(r"^void \w+\(\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
CALL = re.compile(r'^ +(show|optimizer|loss|metric|callback|initializer|regularizer|constraint|quantization|values)\(\s*"(\w+)",\s+(.*?)\);$', re.MULTILINE | re.DOTALL)
SHAPE = re.compile(r",\s+\{([\w, ]+)\}$")
LOCAL = re.compile(r"^  (const Tensor|const data::Strings) (\w+)(.*?;)$", re.MULTILINE)
# Where an excerpt's expression is used: the call that the program makes.
USES = {"optimizer": 'model.compile({{.optimizer = {}, .loss = "mse"}});', "loss": "model.compile({{.loss = {}}});",
        "metric": 'model.compile({{.loss = "mse", .metrics = {{{}}}}});', "callback": "model.fit(x, y, {{.callbacks = {{{}}}}});",
        "initializer": "layers::Dense({{.units = 3, .kernel_initializer = {}}})",
        "regularizer": "layers::Dense({{.units = 3, .kernel_regularizer = {}}})",
        "quantization": "model.quantize({});", "values": "const auto metric = {};\nmetric.update_state(ops::ones({{3}}));",
        "constraint": "layers::Dense({{.units = 3, .kernel_constraint = {}}})"}
LINE = 100


def excerpt(kind, code, local_lines):
    shape = SHAPE.search(code) if kind == "show" else None
    code = " ".join(code[:shape.start()].split() if shape else code.split()).replace("( ", "(")
    if kind != "show":
        return USES[kind].format(code)
    used = [line for name, line in local_lines if re.search(rf"\b{name}\b", code)]
    comment = f"// shape [{shape.group(1).replace('kUnknown', 'None')}]"
    last = f"{code};  {comment}" if len(code) + len(comment) + 3 <= LINE else f"{code};\n{comment}"
    return "\n".join(used + [last])


def read(folder):
    """[(class, code)]"""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.cc"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for body in FUNCTION.findall(text):
            local_lines = [(name, f"{kind} {name}{rest}") for kind, name, rest in LOCAL.findall(body)]
            found += [(name, excerpt(kind, code, local_lines)) for kind, name, code in CALL.findall(body)]
    return found


def section(excerpts, qualified):
    """Lines of Markdown for a class: the excerpt that has it with the last of its namespaces."""
    namespace, name = ([""] + qualified.split("::"))[-2:]
    code = next((code for shown, code in excerpts if shown == name and (f"{namespace}::{name}(" in code or namespace == "keras")), None)
    return ["## Example", "", "```cpp", code, "```", ""] if code else []
