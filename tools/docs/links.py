#!/usr/bin/env python3
"""Checks links: `links.py` those of the project's Markdown, `links.py FOLDER` those of the pages of HTML in a folder.

A file or a place in one that is not there ends it with an error that names all of them. Addresses elsewhere are not looked at, but a page of
HTML may load nothing from there."""
import glob
import html.parser
import os
import re
import sys
import urllib.parse

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE_SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)
FENCE = re.compile(r"^\s*```")
LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "object": "data"}


def slug(heading):
    """A heading's anchor as code hosts make it."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).lower().strip()
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", text))


def split_code(text):
    """Parts of Markdown with True for code: fences, indented lines, spans."""
    parts, prose, in_fence = [], [], False

    def flush():
        joined, end = "".join(prose), 0
        masked = LINK.sub(lambda match: match.group().replace("`", "\0"), joined)  # code in a link's text stays with the link
        for span in CODE_SPAN.finditer(masked):
            parts.extend([(joined[end:span.start()], False), (joined[span.start():span.end()], True)])
            end = span.end()
        parts.append((joined[end:], False))
        prose.clear()
    was_blank = True
    for line in text.splitlines(keepends=True):
        is_fence = FENCE.match(line) is not None
        if in_fence or is_fence or (was_blank and line.startswith("    ")):
            flush()
            parts.append((line, True))
            was_blank = True
        else:
            prose.append(line)
            was_blank = line.strip() == "" or is_fence
        in_fence ^= is_fence
    flush()
    return [part for part in parts if part[0]]


def anchors(text):
    prose, in_fence = set(), False
    for line in text.splitlines():
        in_fence ^= FENCE.match(line) is not None
        if not in_fence and (heading := re.match(r"#{1,6} +(.*)", line)):
            prose.add(slug(heading.group(1)))
    return prose


def pages(root):
    found = [os.path.relpath(path, root) for path in glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True)]
    names = sorted(found) + [name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "examples/README.md")
                             if os.path.exists(os.path.join(root, name))]
    return {name: read(os.path.join(root, name)) for name in names if not name.endswith("0000-template.md")}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def guide_groups(text):
    """[(group, [(title, page, subjects)])] from the headings and lists of docs/guide/README.md."""
    groups = []
    for line in text.split("\n"):
        if (heading := re.match(r"## (.+)", line)):
            groups.append((heading.group(1), []))
        elif groups and (item := re.match(r"(?:\* |\d+\. )\[([^\]]*)\]\(([\w-]+\.md)\)(?:: )?(.*)", line)):
            groups[-1][1].append((item.group(1), item.group(2), [each.strip() for each in item.group(3).replace("`", "").split(",") if each]))
    return groups


def check_markdown(root):
    """(what is broken, number of links)"""
    texts, broken, checked = pages(root), [], 0
    for name, text in texts.items():
        number = 1
        for part, is_code in split_code(text):
            for match in () if is_code else LINK.finditer(part):
                target, _, anchor = match.group(2).partition("#")
                if re.match(r"\w+:", match.group(2)):
                    continue
                checked += 1
                place = f"{name}:{number + part[:match.start()].count(chr(10))}"
                path = os.path.normpath(os.path.join(os.path.dirname(name), target)) if target else name
                if not os.path.exists(os.path.join(root, path)):
                    broken.append(f"{place}: there is no {target}")
                elif anchor and path in texts and anchor not in anchors(texts[path]):
                    broken.append(f"{place}: {path} has no heading #{anchor}")
            number += part.count("\n")
    return broken, checked


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.places, self.targets, self.loaded = set(), [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        self.targets += [attrs[name] for name in ("href", "src", "data") if attrs.get(name)]
        if attrs.get("rel") not in ("canonical", "prev", "next") and (target := attrs.get(LOADED.get(tag, ""))):
            self.loaded.append(target)


def check_html(folder):
    """The same for pages of HTML."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.html"), recursive=True)):
        found[os.path.normpath(path)] = page = Links()
        page.feed(read(path))
    broken, checked = [], 0
    for path, page in found.items():
        name = os.path.relpath(path, folder)
        broken += [f"{name}: loads {target}" for target in page.loaded if re.match(r"(\w+:)?//", target)]
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            relative = urllib.parse.unquote(parts.path)
            file = os.path.normpath(os.path.join(folder if relative.startswith("/") else os.path.dirname(path), relative.lstrip("/"))) if relative else path
            place = urllib.parse.unquote(parts.fragment)
            if not os.path.exists(file):
                broken.append(f"{name}: there is no {target}")
            elif place and not place.startswith("__") and file in found and place not in found[file].places:
                broken.append(f"{name}: nothing in {os.path.basename(file)} is #{place}")
    return sorted(set(broken)), checked


def main():
    broken, checked = check_html(sys.argv[1]) if len(sys.argv) > 1 else check_markdown(ROOT)
    if broken:
        sys.exit("\n".join(broken))
    print(f"links: {checked}, all fine")


if __name__ == "__main__":
    main()
