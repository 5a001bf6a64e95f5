"""Writes what the documents say beside what ran here: as Markdown, and as one page of HTML."""
import dataclasses
import html
import math
import os
import re


@dataclasses.dataclass
class Figure:
    """A number of a program: `kind` is measured, simulated, predicted or fitted."""
    value: float
    unit: str
    device: str
    kind: str


@dataclasses.dataclass
class Result:
    """What became of a run; `failures` are sentences, none where it did what it should. `full_size` is the command for the
    document's own size, where this one was smaller, `machine` where and when it ran."""
    command: str
    seconds: float
    failures: list
    figures: dict  # by name
    texts: list = dataclasses.field(default_factory=list)
    full_size: str = ""
    machine: str = ""


@dataclasses.dataclass
class Row:
    """What a document says, and the figure of a run that stands beside it.

    `figure` and `over` are (run, figure): with both the ratio of the two is what stands here. The document's number, in the
    figure's unit, is `value`, or the figure is to lie within `bounds`; a row with neither cannot be compared. `why` is the
    reason, where the two do not agree or cannot be compared. `fitted`: the device's profile was fitted to this number of the
    document, so that agreement proves nothing."""
    what: str
    says: str
    figure: tuple
    value: float | None = None
    over: tuple | None = None
    bounds: tuple | None = None
    why: str = ""
    fitted: bool = False


@dataclasses.dataclass
class Document:
    """`sentences` of (run,) stand in the page as that run's program gave them. {n} in `verdict` becomes the figure of the n-th row."""
    title: str
    summary: str
    rows: list
    verdict: str = ""
    sentences: tuple = ()
    notes: tuple = ()


@dataclasses.dataclass
class Machine:
    """Where it ran: pairs of a name and a text."""
    facts: list

    def text(self):
        return "; ".join(f"{name} {text}" for name, text in self.facts)


HEADINGS = ("figure", "the document", "here", "kind", "device", "here / document", "verdict")
VERDICT_HEADINGS = ("document", "verdict", "agree", "do not agree", "fitted", "cannot be compared")
PATH = re.compile(r"(?<![\w/`.-])((?:examples|docs)/[\w/]+(?:\.(?:md|cc))?)(?![\w/])")
CLOSE = 1.1  # a ratio up to this, or down to its reciprocal, is the document's figure


def number(value):
    """Three significant digits."""
    if not math.isfinite(value):
        return str(value)
    if value == 0:
        return "0"
    digits = math.floor(math.log10(abs(value))) + 1
    if digits > 7 or digits < -3:
        return f"{value:.2e}"
    return f"{value:.{min(max(3 - digits, 0), 9)}f}"


def find(results, name):
    """(figure, None), or (None, why there is none)."""
    run, figure = name
    if run not in results:
        return None, "was not run"
    result = results[run]
    if figure in result.figures:
        return result.figures[figure], None
    if result.failures:
        return None, f"failed: {result.failures[0]}"
    return None, f"gave no figure {figure}"


def kind_of(first, second):
    """What a ratio is: as far from measured as the farther of the two."""
    order = ("measured", "simulated", "predicted", "fitted")
    return max(first, second, key=lambda kind: order.index(kind) if kind in order else len(order))


def figure_of(row, results):
    """(the row's figure, None), or (None, why there is none)."""
    figure, why = find(results, row.figure)
    if figure is not None and row.over is not None:
        under, why = find(results, row.over)
        if under is None:
            return None, why
        where = figure.device if figure.device == under.device else f"{figure.device} to {under.device}"
        figure = Figure(figure.value / under.value if under.value else math.inf, "", where, kind_of(figure.kind, under.kind))
    if figure is not None and row.fitted:
        figure = dataclasses.replace(figure, kind=kind_of(figure.kind, "fitted"))
    return figure, why


def judge(row, value):
    """agrees, does not agree, fitted, or cannot be compared."""
    if row.value is None and row.bounds is None:
        return "cannot be compared"
    if row.fitted:
        return "fitted"
    if row.bounds is not None:
        return "agrees" if row.bounds[0] <= value <= row.bounds[1] else "does not agree"
    return "agrees" if 1 / CLOSE <= value / row.value <= CLOSE else "does not agree"


def cells(row, results):
    """(texts of the seven columns, a sentence where the figure is missing)."""
    figure, why = figure_of(row, results)
    if figure is None:
        return (row.what, row.says, "missing", "", "", "", ""), f"{row.what}: {row.figure[0]} {why}"
    ratio = "" if row.value is None else number(figure.value / row.value)
    here = number(figure.value) + (f" {figure.unit}" if figure.unit else "")
    judgement = judge(row, figure.value)
    if row.why and judgement in ("does not agree", "cannot be compared"):
        judgement += f": {row.why}"
    return (row.what, row.says, here, figure.kind, figure.device, ratio, judgement), None


def verdict(document, results):
    """(title, verdict, how many figures agree, do not, are fitted, cannot be compared)"""
    table = [cells(row, results)[0] for row in document.rows]
    named = [int(number) for number in re.findall(r"\{(\d+)\}", document.verdict)]
    text = re.sub(r"\{(\d+)\}", lambda match: table[int(match.group(1))][2], document.verdict)
    if any(table[index][2] == "missing" for index in named):
        text = "No verdict: figures are missing."
    counts = [str(sum(row[6].startswith(each) for row in table)) for each in ("agrees", "does not", "fitted", "cannot")]
    return (document.title, text, *counts)


def complaints(documents, results):
    """Every program that failed or was not run, and every figure that others lack, as sentences."""
    found = [f"{name} failed: {failure}" for name, result in results.items() for failure in result.failures]
    for row in (row for document in documents for row in document.rows):
        names = {name[0] for name in (row.figure, row.over) if name is not None}
        for name in sorted(names - set(results)):
            if f"{name} was not run" not in found:
                found.append(f"{name} was not run")
        missing = cells(row, results)[1]
        if missing is not None and all(name in results and not results[name].failures for name in names):
            found.append(missing)
    return found


INTRODUCTION = (
    "Cornu grew from four documents about the value of accelerators. Their programs are in examples/documents; {how} writes this "
    "page. Figures of simulated devices are called simulated, figures of formulas predicted; neither is a measurement of such a "
    "device, both follow from its profile (docs/guide/devices.md). A figure is called fitted where its profile was fitted to that "
    "number of the document: it shows that the profile is right, and proves nothing else. A figure agrees if it is within 10 % of the "
    "document's, or in the range that the document describes.")
TITLE = {False: "The documents, run", True: "The documents, run in full size"}
HOW = {
    False: "`make documents` runs them in small sizes on the CPU and in the documents' own sizes on simulated devices (docs/documents_full.md has all in their own sizes), and",
    True: "`tools/documents/make_documents.py --full` runs them in the documents' own sizes and"}


RUN_HEADINGS = {False: ("run", "command", "in full size", "seconds of this machine"), True: ("run", "command", "machine", "seconds there")}


def runs_table(results, full, code=str):
    """Rows of the runs; `code` marks a command. Runs in full size may come from several machines, the others are of one."""
    return [(name + (" (failed)" if result.failures else ""), code(result.command),
             result.machine if full else code(result.full_size) if result.full_size else "this one", number(result.seconds))
            for name, result in results.items()]


def markdown_cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def markdown_table(headings, rows):
    lines = [headings, ["---"] * len(headings)] + [[markdown_cell(cell) for cell in row] for row in rows]
    return ["| " + " | ".join(line) + " |" for line in lines]


def linked(text):
    """Paths as links from docs/, where the page is."""
    return PATH.sub(lambda match: f"[{match.group()}]({os.path.relpath(match.group(), 'docs')})", text)


def to_markdown(documents, results, machine, full=False):
    lines = [f"# {TITLE[full]}", "", "## Verdict", ""]
    lines += markdown_table(VERDICT_HEADINGS, [verdict(document, results) for document in documents])
    lines += ["", linked(INTRODUCTION.format(how=HOW[full])), ""]
    for complaint in complaints(documents, results):
        lines += [f"**Not as it should be:** {markdown_cell(complaint)}", ""]
    for document in documents:
        lines += [f"## {document.title}", "", linked(document.summary), ""]
        lines += markdown_table(HEADINGS, [cells(row, results)[0] for row in document.rows]) + [""]
        for text in sentences_of(document, results):
            lines += [f"* {text}"]
        if sentences_of(document, results):
            lines.append("")
        for note in document.notes:
            lines += [linked(note), ""]
    lines += ["## Runs", ""] + markdown_table(RUN_HEADINGS[full], runs_table(results, full, lambda command: f"`{command}`"))
    lines += ["", f"{'Page written' if full else 'On'}: {machine.text()}.", ""]
    return "\n".join(lines)


def sentences_of(document, results):
    return [text for run in document.sentences if run in results for text in results[run].texts]


def html_table(headings, rows, classes):
    text = "<div class='scroll'><table><thead><tr>"
    text += "".join(f"<th class='{kind}'>{html.escape(heading)}</th>" for heading, kind in zip(headings, classes))
    text += "</tr></thead><tbody>"
    for row in rows:
        extra = " predicted" if {"predicted", "simulated", "fitted"} & set(row) else ""
        text += "<tr>" + "".join(
            f"<td class='{kind}{extra}'>{html.escape(cell)}</td>" for cell, kind in zip(row, classes)) + "</tr>"
    return text + "</tbody></table></div>"


def to_html(documents, results, machine, style, full=False):
    text = ("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
            f"content='width=device-width,initial-scale=1'><title>{TITLE[full]}</title>"
            f"<style>{style}td.text{{white-space:normal;min-width:6rem}}code{{overflow-wrap:anywhere}}</style></head>"
            f"<body><h1>{TITLE[full]}</h1><h2>Verdict</h2>")
    text += html_table(VERDICT_HEADINGS, [verdict(document, results) for document in documents], ("text", "text", "number", "number", "number", "number"))
    text += f"<p>{html.escape(INTRODUCTION.format(how=HOW[full]))}</p>"
    for complaint in complaints(documents, results):
        text += f"<p class='warning'>{html.escape(complaint)}</p>"
    for document in documents:
        text += f"<h2>{html.escape(document.title)}</h2><p>{html.escape(document.summary)}</p>"
        rows = [cells(row, results)[0] for row in document.rows]
        text += html_table(HEADINGS, rows, ("text", "text", "number", "text", "text", "number", "text"))
        text += "".join(f"<p>{html.escape(each)}</p>" for each in sentences_of(document, results))
        text += "".join(f"<p>{html.escape(note)}</p>" for note in document.notes)
    text += "<h2>Runs</h2>" + html_table(RUN_HEADINGS[full], runs_table(results, full), ("text", "text", "text", "number"))
    facts = "<br>".join(f"{html.escape(name)}: {html.escape(fact)}" for name, fact in machine.facts)
    return text + f"<h2>{'Page written' if full else 'On'}</h2><p>{facts}</p></body></html>\n"
