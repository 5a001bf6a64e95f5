#!/usr/bin/env python3
"""interface_test.py ROOT GENERATED COMPILER...: what the public headers refuse, by each compiler that is there ("...-NOTFOUND": it is not).

braces.cc     where a text is wanted, braces do not compile
namespaces.cc the namespaces that programs open together do not clash
flags         a program with flags that libcornu.so is not built for gets one sentence
headers       no function of the public headers takes a std::string or a view but those of EXEMPT
"""
import pathlib
import re
import subprocess
import sys

FLAGS = {
    "-std=c++17": "Cornu's headers are C++20: compile with -std=c++20",
    "-fno-rtti": "Cornu's headers use dynamic_cast and typeid: compile without -fno-rtti",
    "-fno-exceptions": "Cornu reports errors as exceptions: compile without -fno-exceptions",
    "-D_GLIBCXX_DEBUG": "libcornu.so has other containers than -D_GLIBCXX_DEBUG gives",
    "-D_GLIBCXX_USE_CXX11_ABI=0": "libcornu.so has the strings of the new ABI: compile without -D_GLIBCXX_USE_CXX11_ABI=0",
}
MOST_LINES = 10

# Folders whose functions programs call; base, ir, ops and runtime are below them.
FOLDERS = ("data/", "distribute/", "io/", "keras/", "tensor/", "runtime/client.h")
# Headers that the public ones need, and that programs do not call.
EXEMPT_HEADERS = {f"cornu/{name}" for name in (
    "keras/base/fault.h", "keras/base/row_mask.h", "keras/config/configurable.h", "keras/config/serialize.h",
    "keras/callbacks/progress_bar.h", "keras/files/state_writer.h", "keras/models/functional_graph.h",
    "keras/layers/operations/operation.h", "keras/trainer/array_data.h", "keras/trainer/per_output.h", "tensor/function.h")}
EXEMPT = {
    # Conversions of one text, to which StringArgument would be a second one.
    ("cornu/data/files.h", "Filenames"), ("cornu/data/files.h", "CsvColumn"), ("cornu/keras/activations/activations.h", "ActivationSpec"),
    ("cornu/keras/base/dtype_policy.h", "DTypePolicy"), ("cornu/keras/base/handle.h", "Spec"), ("cornu/keras/config/config.h", "Config"),
    ("cornu/keras/feature_space/feature_space.h", "FeatureSpec"),
    *(("cornu/keras/layers/preprocessing/vocabulary.h", name) for name in ("Term", "Vocabulary", "TextStep", "MaskValue")),
    # Function objects and types of functions, whose parameter a data set or a caller reads.
    ("cornu/data/images/images.h", "operator"), ("cornu/io/file_systems.h", "function<RandomAccessPointer"), ("cornu/io/file_systems.h", "string>"),
    ("cornu/io/hdf5.h", "operator"), ("cornu/runtime/client.h", "shared_ptr<Client>"),
    # A result, and parts of the library.
    ("cornu/io/csv.h", "next"), ("cornu/keras/base/by_name.h", "throw_no_such_name"), ("cornu/keras/base/names.h", "unknown_name"),
    ("cornu/keras/layer/layer_settings.h", "check"), ("cornu/keras/layer/layer.h", "option_error"), ("cornu/runtime/client.h", "require_own"),
}
STRING = re.compile(r"(?:const\s+)?std::(?:string|string_view|filesystem::path)\b\s*&?\s*\w+")


def public_headers(root):
    seen, todo = set(), ["cornu/cornu.h"]
    while todo:
        header = todo.pop()
        if header not in seen and (root / header).exists():
            seen.add(header)
            todo += re.findall(r'^#include "(cornu/[^"]+)"', (root / header).read_text(), re.M)
    seen |= {str(path.relative_to(root)) for path in (root / "cornu/keras/layers").rglob("*.h")}
    return sorted(seen)


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)


def plain_strings(text):
    """(line, function) of each parameter of type std::string or std::string_view of what `text` declares and is not private."""
    scopes, start = [], 0  # of each brace: "public", "protected", "private"; None in a body
    for position, character in enumerate(text):
        if character not in "{};:":
            continue
        head = text[start:position]
        if character == ":":
            access = re.search(r"\b(public|private|protected)\s*$", head)
            if access and scopes:
                scopes[-1] = access.group(1)
                start = position + 1
            continue
        is_scope = character == "{" and re.search(r"\bnamespace\b|\b(?:class|struct)\s+\w[^()]*$", head)
        if not is_scope and character != "}" and all(scope in ("public", "protected") for scope in scopes):
            for found in STRING.finditer(head, max(head.find("("), 0)):
                before = head[head.find("("):found.start()]
                if before.count("(") - before.count(")") == 1 and before.count("<") <= before.count(">"):
                    name = re.search(r"([\w\[\]=~!<>+\-]+)\s*$", head[:head.find("(")])
                    yield text.count("\n", 0, start + found.start()) + 1, name.group(1) if name else ""
        if character == "{":
            scopes.append(None if not is_scope else "private" if re.search(r"\bclass\s+\w[^()]*$", head) else "public")
        elif character == "}" and scopes:
            scopes.pop()
        start = position + 1


def check_headers(root):
    failures = []
    for header in public_headers(root):
        if not header.startswith(tuple(f"cornu/{folder}" for folder in FOLDERS)) or header in EXEMPT_HEADERS or header.endswith("support.h"):
            continue
        for line, function in plain_strings(without_comments((root / header).read_text())):
            if (header, function) not in EXEMPT:
                failures.append(f"{header}:{line}: {function}: a parameter that takes a text is a StringArgument or a StringViewArgument "
                                "(cornu/base/string_argument.h)")
    return failures


def compile_errors(compiler, flags, source, text=None):
    command = [compiler, *flags, "-fsyntax-only", *([source] if text is None else ["-x", "c++", "-"])]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr


def check_sources(compiler, flags, braces, namespaces):
    """Both in one program: reading the headers takes nearly all the time."""
    text = compile_errors(compiler, flags, None, f'#include "{namespaces}"\n#include "{braces}"\n')
    found = re.findall(r"^(\S+?):(\d+)(?::\d+)?: (?:fatal )?(error|warning): (.*)", text, re.M)
    wrong = {int(line) for file, line, kind, _ in found if file == str(braces) and kind == "error"}
    marked = {number for number, line in enumerate(braces.read_text().splitlines(), 1) if line.endswith("// refused")}
    return ([f"{compiler}: {braces.name}:{line} compiles" for line in sorted(marked - wrong)] +
            [f"{compiler}: {braces.name}:{line} does not compile" for line in sorted(wrong - marked)] +
            [f"{compiler}: {file}:{line}: {kind}: {message}" for file, line, kind, message in found if file != str(braces)][:20])


def check_flags(compiler, flags, source):
    for flag, sentence in FLAGS.items():
        errors = compile_errors(compiler, [*flags, flag], source)
        if sentence not in errors or errors.count("\n") > MOST_LINES:
            yield f"{compiler}: {flag} is not refused by a sentence: {errors[:2000]}"


def main():
    here, root, generated = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1]), sys.argv[2]
    failures = check_headers(root)
    for compiler in sys.argv[3:]:
        if not compiler or compiler.endswith("-NOTFOUND"):
            continue
        flags = ["-std=c++20", f"-I{root}", f"-I{generated}"]
        unlimited = ["-ferror-limit=0"] if "clang" in compiler else ["-fmax-errors=0"]
        failures += check_sources(compiler, flags + unlimited + ["-Wall", "-Wextra"], here / "braces.cc", here / "namespaces.cc")
        failures += check_flags(compiler, flags, root / "examples/00_first_program/main.cc")
    print("\n".join(failures) or "interface: fine")
    return 1 if failures else 0


sys.exit(main())
