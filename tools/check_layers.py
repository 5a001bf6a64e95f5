#!/usr/bin/env python3
"""Checks the rules about files that a tool can see: who may include whom (the file LAYERS), who may touch which library, file length.

Usage: check_layers.py [ROOT]. Prints file:line: message for each breach; exits 1 if there is one.
"""
import os
import re
import sys

CHECKED_TOP_FOLDERS = ("cornu", "cli", "examples", "benchmarks", "tests")
SOURCE_SUFFIXES = (".h", ".cc", ".cpp", ".inc")
MAX_LINES = 800
MAX_LLVM_UNITS = 13

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
GENERATED = {"cornu/ops/all.h": "ops"}
# A file of an op's folder with this ending belongs to another layer: the first of these that LAYERS names.
OP_FILES = ((re.compile(r"_cpu\.(?:h|cc)$"), ("backends/cpu/rows", "backends/cpu")),
            (re.compile(r"_rule\.cc$"), ("transform",)))
# The files of an op's folder that begin with its name: x.h, x.cc, and these.
OP_FILE = re.compile(r"cornu/ops/(\w+)/\1(_\w+)?\.(?:h|cc)$")
OP_FILE_ENDINGS = ("_gradient", "_rule", "_cpu", "_cases", "_test")

# pattern in a line, where it may stand (a folder's files or one file, by prefix of the path), what to say elsewhere
RULES = (
    (re.compile(r'^\s*#\s*include\s*[<"]oneapi/'), ("cornu/backends/cpu/onednn/", "benchmarks/"),
     "only cornu/backends/cpu/onednn may include oneDNN, and benchmarks, as a peer"),
    (re.compile(r"^\s*#\s*include\s*[<\"]omp\.h|^\s*#\s*pragma\s+omp\b"), ("cornu/backends/cpu/onednn/",),
     "OpenMP is for cornu/backends/cpu/onednn, which must tame oneDNN's; use base/thread_pool.h"),
    (re.compile(r"\b(?:secure_)?getenv\s*\("),
     ("cornu/base/environment.cc", "cornu/base/environment_test.cc", "cornu/base/tier_test_support.h",
      "cornu/backends/pjrt/plugin_test_support.h", "tests/"),
     "only cornu/base/environment.cc may read the environment, and tests/"),
    (re.compile(r"\bFILL IN\b"), (), "tools/new_op or tools/new_layer left this to be written"),
)
DYING_STATIC = re.compile(r"^\s+static\s+(?:const\s+)?(?:std|fs)::(?:path|vector|map|set|unordered_\w+|string|shared_ptr|unique_ptr|deque|function)\b"
                          r"[^()&*]*\s\w+\s*(?:=|;|\{)")
# What the library says goes through the program's log sink; only the sink at first and a failed check write to stderr.
STDERR = re.compile(r"(?:[(,]|^)\s*stderr\b|std::c(?:err|log)\b|\bperror\(")
STDERR_FILES = ("cornu/base/log.cc", "cornu/base/check.cc", "cornu/backends/cpu/eager_kernels/main.cc")
# In these folders what depends on an op stands in its folder; a comparison with its name, or with what a body consists of, is for patterns of
# several ops, and says so on its line, in the four lines before it, or ("// patterns: ...") once for its file.
OP_NAME = re.compile(r'\b(?:name(?:\(\))?|\w*kind(?:\((?:[^()]|\([^()]*\))*\))?)\s*[!=]=\s*"|\bmade_by\([^"]*,\s*"')
OP_NAME_FOLDERS = ("cornu/backends/cpu/", "cornu/transform/")
# Code of tests in a header is named x_test_support.h, by which tools know it: it is not installed, and only tests (and benchmarks of kernels) include it.
TEST_HEADER = re.compile(r"(?:^|/)test_\w+\.h$|_test(?:_\w+)?\.h$")
TEST_HEADER_MESSAGE = "a header for tests is named x_test_support.h"
# A header that only tests and its own source include may be the library's all the same: when CMake gathers it, or the guide names it.
GATHERED = re.compile(r"cornu/ops/(\w+)/\1\.h$|cornu/keras/layers/|cornu/backends/\w+/backend\.h$")
LLVM_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]llvm(?:-c)?/')


def read_layers(text):
    """{folder: set of folders that it may include}, itself among them, from the text of LAYERS."""
    direct = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        folder, colon, rest = line.partition(":")
        if not colon:
            raise ValueError(f"LAYERS:{number}: expected 'folder: folders'")
        if folder.strip() in direct:
            raise ValueError(f"LAYERS:{number}: {folder.strip()} stands twice")
        direct[folder.strip()] = rest.split()
    for folder, uses in direct.items():
        for used in uses:
            if used not in direct:
                raise ValueError(f"LAYERS: {folder} may use {used}, which has no line")
    allowed = {}

    def reach(folder, path):
        if folder in path:
            raise ValueError("LAYERS: a cycle: " + " -> ".join([*path, folder]))
        if folder not in allowed:
            allowed[folder] = {folder}.union(*(reach(used, [*path, folder]) for used in direct[folder]))
        return allowed[folder]

    for folder in direct:
        reach(folder, [])
    return allowed


def layer_of(path, layers):
    """The longest line of LAYERS whose folder holds the path, or that names it; None when there is none."""
    if path in GENERATED:
        return GENERATED[path]
    if path.startswith("cornu/ops/"):
        for ending, owners in OP_FILES:
            if ending.search(path):
                return next((owner for owner in owners if owner in layers), None)
    inner = path.removeprefix("cornu/")
    return max((layer for layer in layers if inner == layer or inner.startswith(layer + "/")), key=len, default=None)


def is_test(path):
    return path.startswith("tests/") or path.endswith(("_test.cc", "_test_support.h", "_test_support.cc", "_cases.cc"))


def find_sources(root):
    for top in CHECKED_TOP_FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(SOURCE_SUFFIXES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def check_include(path, target, layers):
    """The breach that `path` makes by including `target`, or None."""
    own = layer_of(path, layers)
    other = layer_of(target, layers)
    if target.startswith("tests/"):
        return None if is_test(path) else "only tests may include tests/"
    if other is None:
        return f"{target} is in no folder that LAYERS names"
    allowed = layers[own]
    if is_test(path):
        # A test of a room runs it through what is built on it; for its folder as a whole, LAYERS still holds.
        around = [layer for layer in layers if own.startswith(layer + "/")]
        allowed = allowed.union(layers["backends/reference"], *(layers[layer] for layer in around))
        if target.startswith("cornu/") and is_test(target):
            return None
    elif is_test(target) and not path.endswith("_benchmark.cc"):
        return f"only tests may include {target}"
    if other not in allowed:
        return f"{own} may not include {other} ({target})"
    return None


def check_header(path, lines, including, guide):
    """The breach of a header for tests that is not named as one, or None. `including`: who includes it; `guide`: the text of the guide."""
    if not path.endswith(".h") or is_test(path):
        return None
    if TEST_HEADER.search(path):
        return TEST_HEADER_MESSAGE
    if any(line.startswith("#include <gtest/") for line in lines):
        return f"includes GoogleTest; {TEST_HEADER_MESSAGE}"
    others = [other for other in including if os.path.splitext(other)[0] != os.path.splitext(path)[0]]
    if path.startswith("cornu/") and others and all(map(is_test, others)) and not GATHERED.match(path) and path not in guide:
        return f"only tests include it; {TEST_HEADER_MESSAGE}"
    return None


def read_all(root, tops, endings):
    """The text of the files below the folders `tops` whose names end so."""
    text = ""
    for top in tops:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(endings):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        text += file.read()
    return text


def read_generated(root):
    """The headers and tables that CMake writes, by the name that sources include: what its files call .../generated/NAME."""
    return set(re.findall(r"/generated/([\w./]+)", read_all(root, ("cmake", "tests"), (".cmake", "CMakeLists.txt")))).union(GENERATED)


def check(root):
    """All breaches in the tree under root, as 'file:line: message'."""
    with open(os.path.join(root, "LAYERS"), encoding="utf-8") as file:
        layers = read_layers(file.read())
    errors = []
    includes = {}  # path -> what it includes of ours
    texts = {}  # path -> its lines
    llvm_direct = set()
    generated = read_generated(root)
    for path in find_sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        if layer_of(path, layers) is None:
            errors.append(f"{path}:1: is in no folder that LAYERS names")
            continue
        op_file = OP_FILE.match(path)
        if op_file and op_file.group(2) and op_file.group(2).removesuffix("_support") not in OP_FILE_ENDINGS:
            errors.append(f"{path}:1: a file of an op is x.h, x.cc or x{{{','.join(OP_FILE_ENDINGS)}}}; name other code by its contents, without the op's name")
        if len(lines) > MAX_LINES:
            errors.append(f"{path}:{MAX_LINES + 1}: has {len(lines)} lines; split it (at most {MAX_LINES})")
        includes[path] = []
        texts[path] = lines
        for number, line in enumerate(lines, 1):
            where = f"{path}:{number}: "
            for pattern, places, message in RULES:
                if pattern.search(line) and not path.startswith(places):
                    errors.append(where + message)
            if DYING_STATIC.search(line) and path.startswith("cornu/") and not is_test(path):
                errors.append(where + "a static of the library is never destroyed: static auto& x = *new ... (docs/adr/0017)")
            if STDERR.search(line) and path.startswith("cornu/") and not is_test(path) and path not in STDERR_FILES:
                errors.append(where + "the library says things by base/log_formatted.h, not on stderr (docs/adr/0099)")
            if OP_NAME.search(line) and path.startswith(OP_NAME_FOLDERS) and not is_test(path):
                if not any("// pattern: " in near for near in lines[max(0, number - 5):number]) and not any("// patterns: " in each for each in lines):
                    errors.append(where + "what depends on an op stands in its folder (x_cpu.cc, x_rule.cc); a pattern of ops says \"// pattern: ...\"")
            if LLVM_INCLUDE.search(line):
                llvm_direct.add(path)
                if not (layer_of(path, layers) + "/").startswith("backends/cpu/"):
                    errors.append(where + "only cornu/backends/cpu may include LLVM")
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, target = match.groups()
            if quote == '"' and not target.startswith(("cornu/", "tests/", "cli/", "examples/", "benchmarks/")):
                errors.append(where + f'"{target}": quotes are for our own headers, named from the root of the tree')
            elif quote == '"':
                includes[path].append(target)
                breach = check_include(path, target, layers)
                if breach:
                    errors.append(where + breach)
                elif target not in generated and not os.path.exists(os.path.join(root, target)):
                    errors.append(where + f"there is no {target}")
            elif target.startswith("cornu/"):
                errors.append(where + f"<{target}>: our own headers are included in quotes")
    including = {}
    for path, targets in includes.items():
        for target in targets:
            including.setdefault(target, []).append(path)
    guide = read_all(root, ("docs/guide",), (".md",))
    for path, lines in texts.items():
        breach = check_header(path, lines, including.get(path, []), guide)
        if breach:
            errors.append(f"{path}:1: {breach}")
    units = sorted(path for path in includes if path.endswith((".cc", ".cpp")) and reaches(path, llvm_direct, includes, set()))
    if len(units) > MAX_LLVM_UNITS:
        errors.append(f"{units[-1]}:1: {len(units)} units include LLVM, at most {MAX_LLVM_UNITS} may (each compiles for 13 s alone): {', '.join(units)}")
    return errors


def reaches(path, goals, includes, seen):
    if path in goals:
        return True
    seen.add(path)
    return any(reaches(target, goals, includes, seen) for target in includes.get(path, ()) if target not in seen)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    try:
        errors = check(root)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    for error in errors:
        print(error)
    if errors:
        sys.exit(f"layers: {len(errors)} breaches of LAYERS and its rules (tools/check_layers.py)")
    print("layers: fine")


if __name__ == "__main__":
    main()
