"""The front page: home.md with figures of docs/performance.md and the program of examples/00_first_program."""
import html
import os
import re

# Workloads of docs/performance.md: (name, steps per execution) and the name that readers know.
SHOWN = {("iris_mlp", "1"): "Iris, one step a call", ("iris_mlp", "50"): "Iris, 50 steps a call", ("imdb_fasttext", "1"): "IMDB, embeddings",
         ("cifar_10m_b256", "1"): "CIFAR-10, 10 million weights", ("cifar10_cnn", "1"): "CIFAR-10, small network", ("lstm_textgen", "1"): "Text, LSTM"}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def cells(line):
    return [re.sub(r"\*\*", "", cell).strip() for cell in line.strip().strip("|").split("|")]


def number(cell):
    """The first number of a cell, the minimum; None without one."""
    found = re.match(r"[\d.]+", cell)
    return float(found.group()) if found else None


def training_steps(page):
    """{(workload, K): {framework: milliseconds}} of the table of training steps."""
    lines = page.split("\n")
    start = next((i for i, line in enumerate(lines) if line.startswith("| workload | K | Cornu |")), None)
    if start is None:
        raise ValueError("docs/performance.md has no table that begins with | workload | K | Cornu |, from which the front page takes its figures")
    names, found = cells(lines[start])[2:], {}
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        row = cells(line)
        times = {name: value for name, cell in zip(names, row[2:]) if "÷" not in name and (value := number(cell)) is not None}
        found[row[0], row[1]] = times
    return found


def best_peer(times):
    return min((value, name) for name, value in times.items() if name != "Cornu")


def ratio(times):
    return best_peer(times)[0] / times["Cornu"]


def short(value):
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def milliseconds(value):
    return f"{value:.2g}" if value < 0.1 else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def bars(steps):
    rows = []
    for workload, name in SHOWN.items():
        times = steps[workload]
        peer, framework = best_peer(times)
        share = 100 * times["Cornu"] / peer
        rows.append(f'<div class="bar"><span class="name">{html.escape(name)}</span><span class="times">{short(peer / times["Cornu"])}×</span>'
                    f'<span class="cornu" style="width:{share:.1f}%"></span><span class="ms">{milliseconds(times["Cornu"])} Cornu</span>'
                    f'<span class="peer"></span><span class="ms">{milliseconds(peer)} {re.split("[ -]", framework)[0]}</span></div>')
    return '<div class="bars">' + "".join(rows) + "</div>"


def program(text):
    """The statements of main(), without its return."""
    body = re.search(r"int main\(\) \{\n(.*?)^  return ", text, re.MULTILINE | re.DOTALL).group(1)
    return re.sub(r"^  ", "", body, flags=re.MULTILINE).strip("\n")


def page(root):
    steps = training_steps(read(root, "docs", "performance.md"))
    ratios = [ratio(times) for times in steps.values()]
    values = {"range": f"{short(min(ratios))} to {short(max(ratios))}", "steps": str(len(ratios)), "bars": bars(steps),
              "program": program(read(root, "examples", "00_first_program", "main.cc"))}
    return re.sub(r"\{\{ (\w+) \}\}", lambda match: values[match.group(1)], read(root, "tools", "docs", "home.md"))
