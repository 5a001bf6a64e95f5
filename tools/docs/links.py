#!/usr/bin/env python3
"""Checks the links between the pages of a folder of HTML: links.py FOLDER. A file or a place in one that is not there ends it
with an error that names all of them; addresses elsewhere are not looked at."""
import glob
import html.parser
import os
import sys
import urllib.parse


# Doxygen 1.9.4 names this place in the line above a class whose nested classes are all private, and does not make it.
NOT_MADE = {"nested-classes"}


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.places, self.targets = set(), []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        self.targets += [attrs[name] for name in ("href", "src", "data") if attrs.get(name)]


def check(folder):
    """What is broken, a line each, and how many links were looked at."""
    pages = {}
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.html"), recursive=True)):
        pages[os.path.normpath(path)] = page = Links()
        with open(path, encoding="utf-8") as file:
            page.feed(file.read())
    broken, checked = [], 0
    for path, page in pages.items():
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            file = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not os.path.exists(file):
                broken.append(f"{os.path.relpath(path, folder)}: there is no {target}")
            elif place and place not in NOT_MADE and file in pages and place not in pages[file].places:
                broken.append(f"{os.path.relpath(path, folder)}: nothing in {os.path.basename(file)} is #{place}")
    return broken, checked


def main():
    broken, checked = check(sys.argv[1])
    if broken:
        sys.exit("\n".join(sorted(set(broken))))
    print(f"links: {checked}, all fine")


if __name__ == "__main__":
    main()
