#!/usr/bin/env python3
"""Checks that README.md tells the truth: program, CMake file, output of `make demo`, badges, numbers, length. Usage: check_readme.py [ROOT] [--write]

--write draws docs/badges.svg again from the project's version, licence and number of tests."""
import difflib
import glob
import os
import re
import statistics
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "benchmarks"))
import plot  # noqa: E402

PROGRAM = "examples/00_first_program/main.cc"
PROJECT = "tests/package/outside/CMakeLists.txt"  # built by the package test
DEMO = "examples/01_iris/main.cc"
BADGES = "docs/badges.svg"
CLASSES, NAMES, FUNCTIONS = "docs/guide/classes.md", "docs/guide/keras_names.md", "docs/guide/ops.md"
COMPARISON = "docs/comparison.md"
LICENCES = {r"Apache License\s+Version 2\.0": "Apache-2.0"}
MOST_LINES = 120
GREY, BLUE, HEIGHT = "#57606a", "#2f6690", 20
STYLE = "text{fill:#fff;font:12px system-ui,sans-serif;text-anchor:middle}"


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def facts(root):
    """[(name, value)] of the badges."""
    version = re.search(r"^project\(cornu VERSION ([\d.]+)", read(root, "CMakeLists.txt"), re.MULTILINE).group(1)
    text = read(root, "LICENSE")
    licence = next(name for pattern, name in LICENCES.items() if re.search(pattern, text))
    sources = [path for folder in ("cornu", "cli", "tests") for path in glob.glob(os.path.join(root, folder, "**", "*.cc"), recursive=True)]
    tests = sum(len(re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\(", read(root, path), re.MULTILINE)) for path in sources)
    return [("version", version), ("licence", licence), ("tests", f"{tests // 1000 * 1000:,}+")]


def badges(values):
    x, parts = 0, []
    for pair in values:
        for word, color in zip(pair, (GREY, BLUE)):
            width = 14 + 8 * len(word)
            parts += [f'<rect x="{x}" width="{width}" height="{HEIGHT}" fill="{color}"/>', f'<text x="{x + width / 2:.0f}" y="14">{word}</text>']
            x += width
        x += 6
    words = ", ".join(" ".join(pair) for pair in values)
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{x - 6}" height="{HEIGHT}" role="img"><title>{words}</title><style>{STYLE}</style>',
                      *parts, "</svg>", ""])


def block(readme, language):
    shown = re.search(rf"```{language}\n(.*?)```", readme, re.DOTALL)
    return shown.group(1) if shown else f"README.md has no ```{language} block\n"


def difference(expected, shown, name):
    """A finding if two texts differ."""
    lines = difflib.unified_diff(expected.splitlines(True), shown.splitlines(True), name, "README.md")
    return [] if expected == shown else ["".join(lines) + f"README.md differs from {name}"]


def project_findings(root, readme):
    """The README's CMake file is the part of the package test's that builds its first program."""
    tested = read(root, PROJECT).splitlines()
    shown = re.sub(r"\bfirst\b(?!\.cc)", "outside", block(readme, "cmake")).replace("first.cc", "${PROGRAM}").splitlines()
    return [f'README.md: "{line}" is not in {PROJECT}' for line in shown if line not in tested]


def pattern_of(form):
    """A regular expression for the lines that a printf format writes."""
    return re.sub(r"%(?:\\\.\d)?(?:lld|f)", r"[\\d.]+", re.escape(form).replace(r"\n", ""))


def demo_findings(root, readme):
    """The line with the result has the form that the program prints."""
    form = re.search(r'"\\n(validation accuracy [^"]*)\\n"', read(root, DEMO)).group(1)
    is_shown = re.search("^    " + pattern_of(form) + "$", readme, re.MULTILINE)
    return [] if is_shown else [f'README.md: no line of the form "{form}", which {DEMO} prints']


def figure_findings(root, readme):
    """The number on the first screen is the median of the training steps' ratios in docs/performance.md."""
    steps = [row for row in plot.committed(root)[0] if plot.NAMES[row[0]][1] is not None]
    median = statistics.median(min(peers.values()) / own for _, _, own, peers in steps)
    claim = f"**{median:.1f} times as fast**"
    return [] if claim in readme else [f'README.md: no "{claim}", the median of the {len(steps)} training steps of {plot.FIGURES}']


def count_findings(root, readme):
    """README.md and the comparison count classes, names and functions as the generated pages do."""
    def count(page, pattern):
        return re.search(pattern, read(root, page), re.MULTILINE).groups()

    layers, optimizers = (count(CLASSES, rf"^## {kind} \((\d+)\)")[0] for kind in ("Layers", "Optimizers"))
    public, here = count(NAMES, r"the (\d+) public objects of Keras")[0], count(NAMES, r"(\d+) are here")[0]
    missing, functions = count(FUNCTIONS, r"^## Missing \((\d+) of (\d+)\)")
    comparison = read(root, COMPARISON)
    pages = [("README.md", readme, f"{layers} [layers]"), ("README.md", readme, f"| layer classes | {layers} |"),
             (COMPARISON, comparison, f"| layer classes | {layers} |"), (COMPARISON, comparison, f"| optimizers | {optimizers} |"),
             ("README.md", readme, f"{here} of Keras's {public} [public names]"),
             ("README.md", readme, f"{int(functions) - int(missing)} of the {functions} functions of `keras.ops`")]
    return [f'{page}: no "{words}", which {CLASSES}, {NAMES} and {FUNCTIONS} count' for page, text, words in pages if words not in text]


def findings(root):
    readme = read(root, "README.md")
    values = facts(root)
    found = difference(read(root, PROGRAM), block(readme, "cpp"), PROGRAM)
    found += project_findings(root, readme) + demo_findings(root, readme) + figure_findings(root, readme) + count_findings(root, readme)
    words = f"Version {values[0][1]}, licence {values[1][1]}, {values[2][1]} tests"
    if f"![{words}]({BADGES})" not in readme:
        found.append(f"README.md: no ![{words}]({BADGES})")
    if read(root, BADGES) != badges(values):
        found.append(f"{BADGES} is not up to date: tools/check_readme.py --write")
    if (lines := readme.count("\n")) > MOST_LINES:
        found.append(f"README.md has {lines} lines; {MOST_LINES} are enough, more goes behind links")
    return found


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    root = arguments[0] if arguments else TOP
    if "--write" in sys.argv:
        with open(os.path.join(root, BADGES), "w", encoding="utf-8") as file:
            file.write(badges(facts(root)))
    if found := findings(root):
        sys.exit("\n".join(found))
    print("readme: fine")


if __name__ == "__main__":
    main()
