#!/usr/bin/env python3
"""Tests of pages.py and links.py: small trees with one mistake at a time."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import links  # noqa: E402
import pages  # noqa: E402

TREE = {
    "README.md": "# Project\n\n[Guide](docs/guide/README.md), [source](src/main.cc)\n",
    "CONTRIBUTING.md": "# Contributing\n",
    "CHANGELOG.md": "# Changelog\n",
    "docs/guide/README.md": "# Guide\n\n1. [First](first.md): how to `begin`\n",
    "docs/guide/first.md": "# First\n\n## What it costs\n\nSee docs/adr/0001 and [above](#what-it-costs).\n",
    "docs/adr/README.md": "# Decisions\n\n* [0001. One](0001-one.md)\n",
    "docs/adr/0001-one.md": "# 0001. One\n",
    "src/main.cc": "",
}


def write(root, files):
    for path, text in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)


class PagesTest(unittest.TestCase):
    def prepare(self, **changes):
        """The pages as they are prepared, by label, and the problems."""
        with tempfile.TemporaryDirectory() as root:
            write(root, {**TREE, **{"docs/guide/first.md": TREE["docs/guide/first.md"] + changes.get("first", "")}})
            site = pages.Site(root)
            site.write(os.path.join(root, "out"))
            texts = {}
            for name in os.listdir(os.path.join(root, "out")):
                with open(os.path.join(root, "out", name), encoding="utf-8") as file:
                    texts[name.split("_", 1)[1]] = file.read()
            return texts, site.problems

    def test_links_become_labels(self):
        texts, problems = self.prepare()
        self.assertEqual(problems, [])
        self.assertIn("[Guide](@ref guide), source", texts["mainpage.md"])
        self.assertIn('\\subpage guide_first "First": how to ``begin``', texts["guide.md"])
        self.assertIn("## What it costs {#guide_first_what-it-costs}", texts["guide_first.md"])
        self.assertIn("[docs/adr/0001](@ref adr_0001_one) and [above](@ref guide_first_what-it-costs)", texts["guide_first.md"])
        self.assertIn('\\subpage adr_0001_one "0001. One"', texts["adr.md"])

    def test_what_is_not_there_is_named(self):
        for text, what in [("[x](second.md)", "there is no second.md"), ("[x](../../src/other.cc)", "there is no ../../src/other.cc"),
                           ("[x](#what-it-takes)", "has no heading #what-it-takes"),
                           ("[x](README.md#costs)", "docs/guide/README.md has no heading #costs")]:
            _, problems = self.prepare(first=text + "\n")
            self.assertEqual(len(problems), 1, text)
            self.assertTrue(problems[0].startswith("docs/guide/first.md:6: ") and what in problems[0], problems)

    def test_code_is_left_alone(self):
        code = "`[x](none.md) @y`, `it's\nover two lines`\n\n```cpp\n[](auto x) { return x; }  // @ref\n```\n\n    [y](none.md)\n"
        texts, problems = self.prepare(first="\n" + code)
        self.assertEqual(problems, [])
        self.assertIn("``[x](none.md) @y``, ``it's over two lines``", texts["guide_first.md"])
        self.assertIn(code[code.index("```"):], texts["guide_first.md"])

    def test_a_single_quote_is_escaped(self):
        texts, _ = self.prepare(first="\n`in layer \"`, `\"a\"`\n")
        self.assertIn('<code>in layer &quot;</code>, ``"a"``', texts["guide_first.md"])

    def test_signs_of_doxygen_are_text(self):
        texts, _ = self.prepare(first="5 %, a@b, \\n\n")
        self.assertIn("5 \\%, a\\@b, \\\\n", texts["guide_first.md"])


class LinksTest(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            return links.check(folder)

    def test_fine(self):
        broken, checked = self.check({"a.html": '<a href="sub/b.html#here">x</a><a href="https://elsewhere/">y</a>',
                                      "sub/b.html": '<p id="here"><img src="../c.svg"></p><a href="#here">z</a>', "c.svg": ""})
        self.assertEqual((broken, checked), ([], 3))

    def test_broken(self):
        broken, _ = self.check({"a.html": '<a href="none.html"></a><a href="b.html#there"></a><a href="#up"></a>', "b.html": ""})
        self.assertEqual(broken, ["a.html: there is no none.html", "a.html: nothing in b.html is #there", "a.html: nothing in a.html is #up"])


if __name__ == "__main__":
    unittest.main()
