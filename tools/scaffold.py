"""The shared part of new_op and new_layer: names, templates (tools/templates), and the files that are written from them."""
import os
import re
import shutil
import subprocess
import sys

REPOSITORY = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
KEYWORDS = set("""alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const consteval constexpr constinit continue
    decltype default delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not
    nullptr operator or private protected public register requires return short signed sizeof static struct switch template this throw true try typedef
    typeid typename union unsigned using virtual void volatile while xor""".split())


class Refused(Exception):
    """The request cannot be served; the text says why and what to do."""


def check_name(name):
    if not SNAKE_CASE.fullmatch(name):
        raise Refused(f'"{name}" is not snake_case: write it as in batch_norm_training, in lower case with underscores')
    if name in KEYWORDS:
        raise Refused(f'"{name}" is a keyword of C++ and cannot be a function; choose another name')


def pascal_case(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def find_declaration(root, folder, pattern):
    """The first header below the folder, relative to the root, in which the pattern is found; None without one."""
    for path, _, names in sorted(os.walk(os.path.join(root, folder))):
        for name in sorted(names):
            if name.endswith(".h"):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    if re.search(pattern, file.read(), re.MULTILINE):
                        return os.path.relpath(os.path.join(path, name), root)
    return None


def render(kind, words):
    """{file name: text} of the templates in a folder: NAME in the file's name is words["name"], @word@ in the text is words[word]."""
    files = {}
    folder = os.path.join(TEMPLATES, kind)
    for template in sorted(os.listdir(folder)):
        with open(os.path.join(folder, template), encoding="utf-8") as file:
            text = re.sub(r"@(\w+)@", lambda match: words[match.group(1)], file.read())
        files[template.removesuffix(".in").replace("NAME", words["name"])] = text
    return files


def write_files(root, files):
    """Writes {path relative to the root: text}, formatted if there is a clang-format-19. None of the files may exist."""
    for path in files:
        if os.path.exists(os.path.join(root, path)):
            raise Refused(f"{path} exists; choose another name, or remove it first")
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)
    sources = [path for path in files if path.endswith((".h", ".cc"))]
    formatter = shutil.which("clang-format-19")
    if formatter:
        subprocess.run([formatter, "-i", *sources], cwd=root, check=True)
    print("written:")
    for path in sorted(files):
        print(f"  {path}")
    if not formatter:
        print("clang-format-19 is not installed: run make format once it is")


def run(main):
    """Runs a tool's main(); exits 1 with the reason if it refuses."""
    try:
        main()
    except Refused as refused:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {refused}")
