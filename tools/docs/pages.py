#!/usr/bin/env python3
"""Prepares the project's Markdown for Doxygen, which makes the documentation site: pages.py FOLDER.

Reads README.md, CONTRIBUTING.md, CHANGELOG.md and docs/ and writes a copy of each page into FOLDER, where headings have labels
and links name them. Lists of pages in docs/guide/README.md and docs/adr/README.md become the
tree that the site shows. A link to a page, a heading or a file that is not there ends it with an error that names all of them."""
import glob
import html
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s]+)\)")
CODE_SPAN = re.compile(r"(`+)(.+?)\1")
DECISION = re.compile(r"\bdocs/adr/(\d{4})\b")
ORDER = ["README.md", "docs/guide/README.md", "docs/guide/", "docs/performance.md", "docs/ops.md", "docs/versioning.md", "CHANGELOG.md",
         "CONTRIBUTING.md", "docs/adr/", "docs/"]
TREES = ("docs/guide/README.md", "docs/adr/README.md")  # pages whose lists name the pages below them
CONTENTS_FROM = 5  # headings
FENCE = re.compile(r"^\s*```")


def label_of(path):
    if path == "README.md":
        return "mainpage"
    name = re.sub(r"(^docs/|\.md$)", "", path)
    return re.sub(r"\W", "_", re.sub(r"/README$", "", name)).lower()


def slug(heading):
    """A heading's anchor as code hosts make it."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).lower()
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", text))


def joined_spans(lines):
    """Numbered lines; one in which a span of code does not end gets the next one."""
    result, is_open, in_fence = [], False, False
    for number, line in enumerate(lines, 1):
        in_fence ^= (is_fence := FENCE.match(line) is not None)
        if is_open and line:
            result[-1] = (result[-1][0], result[-1][1] + " " + line.lstrip())
        else:
            result.append((number, line))
        is_code = in_fence or is_fence or result[-1][1].startswith("    ")
        is_open = not is_code and line != "" and result[-1][1].count("`") % 2 == 1
    return result


def code(text):
    """A span of code. In single backticks Doxygen ends one at a quote, and in any it looks for the other one of a double quote."""
    if text.count('"') % 2 == 0:
        return f"``{text}``"
    return "<code>" + re.sub(r"[\\\\@#%*_]", lambda match: "\\" + match.group(), html.escape(text)) + "</code>"


class Page:
    def __init__(self, root, path):
        self.path = path
        self.label = label_of(path)
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.lines = joined_spans(file.read().split("\n"))
        self.title = next(line[2:] for _, line in self.lines if line.startswith("# "))
        self.anchors = set()
        for _, line, is_code in self.walk():
            if not is_code and (heading := re.match(r"#{2,6} +(.*)", line)):
                self.anchors.add(slug(heading.group(1)))

    def walk(self):
        """Lines with their numbers, and whether they are code."""
        in_fence = False
        for number, line in self.lines:
            fence = FENCE.match(line) is not None
            yield number, line, in_fence or fence or line.startswith("    ")
            in_fence ^= fence


class Site:
    def __init__(self, root):
        self.root = root
        found = (os.path.relpath(path, root) for path in glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))
        names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(found)]
        self.pages = {name: Page(root, name) for name in names if not name.endswith("0000-template.md")}
        self.decisions = {page.path[9:13]: page for page in self.pages.values() if re.match(r"docs/adr/\d{4}", page.path)}
        self.problems = []

    def link(self, page, number, text, target):
        if re.match(r"\w+:", target):
            return f"[{text}]({target})"
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
        if file not in self.pages:
            if not os.path.exists(os.path.join(self.root, file)):
                self.problems.append(f"{page.path}:{number}: there is no {target}")
            if file.endswith((".svg", ".png")):
                return f"[{text}]({os.path.basename(file)})"
            return text  # a file of the source tree, which the site does not have
        other = self.pages[file]
        if anchor and anchor not in other.anchors:
            self.problems.append(f"{page.path}:{number}: {file} has no heading #{anchor}")
        return f"[{text}](@ref {other.label}{'_' + anchor if anchor else ''})"

    def text(self, page, number, text):
        """Prose without code spans."""
        text = LINK.sub(lambda match: self.link(page, number, *match.groups()), text)
        text = DECISION.sub(lambda match: f"[{match.group()}](@ref {self.decisions[match.group(1)].label})"
                            if match.group(1) in self.decisions else match.group(), text)
        return re.sub(r"@(?!ref )|[\\%]", lambda match: "\\" + match.group(), text)

    def line(self, page, number, line):
        if heading := re.match(r"(#{1,6}) +(.*)", line):
            marks, title = heading.groups()
            label = page.label if len(marks) == 1 else f"{page.label}_{slug(title)}"
            return f"{marks} {self.text(page, number, title.replace('`', ''))} {{#{label}}}"
        if page.path in TREES and (item := re.match(r"(\d+\. |\* )\[([^\]]*)\]\(([\w-]+\.md)\)(.*)", line)):
            chapter = os.path.join(os.path.dirname(page.path), item.group(3))
            if chapter not in self.pages:
                self.problems.append(f"{page.path}:{number}: there is no {chapter}")
                return line
            return f'{item.group(1)}\\subpage {self.pages[chapter].label} "{item.group(2)}"{self.prose(page, number, item.group(4))}'
        return self.prose(page, number, line)

    def prose(self, page, number, line):
        parts, end = [], 0
        linked = LINK.sub(lambda match: match.group().replace("`", "\0"), line)  # code in a link's text stays with the link
        for span in CODE_SPAN.finditer(linked):
            parts += [self.text(page, number, linked[end:span.start()]), code(span.group(2))]
            end = span.end()
        parts.append(self.text(page, number, linked[end:]))
        return re.sub("\0([^\0]*)\0", lambda match: code(match.group(1)), "".join(parts))

    @staticmethod
    def file_name(path, label):
        """Doxygen's tree has the pages in the order of their files."""
        place = next((i for i, start in enumerate(ORDER) if path.startswith(start)), len(ORDER))
        return f"{place}_{label}.md"

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for page in self.pages.values():
            lines = [line if is_code else self.line(page, number, line) for number, line, is_code in page.walk()]
            if len(page.anchors) >= CONTENTS_FROM and page.path != "README.md":
                lines.insert(next(i for i, line in enumerate(lines) if line.startswith("# ")) + 1, "\n[TOC]\n")
            with open(os.path.join(folder, self.file_name(page.path, page.label)), "w", encoding="utf-8") as file:
                file.write("\n".join(lines))


def main():
    site = Site(ROOT)
    site.write(sys.argv[1])
    if site.problems:
        sys.exit("\n".join(site.problems))
    print(f"pages: {len(site.pages)}, links fine")


if __name__ == "__main__":
    main()
