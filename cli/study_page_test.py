#!/usr/bin/env python3
"""Reads the page of a merged study in a headless Chromium: study_page_test.py PROGRAM FOLDER. Pictures are in FOLDER.

Two machines of made logs; wide and narrow, light and dark."""
import json
import os
import shutil
import subprocess
import sys
import unittest

from playwright.sync_api import sync_playwright

PROGRAM, FOLDER = "", ""
LOOKS = [((1280, 800), "light"), ((390, 844), "light"), ((390, 844), "dark")]
MOST_BYTES = 1_000_000  # of a page that loads at once
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
OUTSIDE = """[...document.querySelectorAll('body *')].filter(x => x.getBoundingClientRect().right > innerWidth + 1 && !x.closest('.scroll, figure'))
             .map(x => x.outerHTML.slice(0, 80))"""
# Luminance of the colors of text and background, from 0 to 255.
COLORS = """[...document.querySelectorAll('body, h1, p, td')].map(x => {
    const rgb = text => text.match(/[0-9.]+/g).map(Number);
    const light = ([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b;
    let back = x;
    while (back && (rgb(getComputedStyle(back).backgroundColor)[3] ?? 1) === 0) back = back.parentElement;
    return [light(rgb(getComputedStyle(x).color)), back ? light(rgb(getComputedStyle(back).backgroundColor)) : 255];
})"""


def write_log(host, kind, serial, parallel, threads):
    """The log of a machine that takes `serial` + `parallel` / n seconds."""
    path = os.path.join(FOLDER, f"{host}.log")
    header = {"kind": "run", "format": 1, "version": "0", "host": host,
              "machine": {"processor": f"processor of {host}", "architecture": "x86_64", "instance_type": kind}}
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"study": header}) + "\n")
        for n in threads:
            time = 1e3 * (serial + parallel / n)
            value = {"program": "train", "isa": "", "device": "cpu", "threads": n, "simulated": False, "steps": 1,
                     "milliseconds": [time, 1.01 * time, 0.99 * time], "wall": 100 + n, "steady": 100 + n}
            file.write(json.dumps({"name": f"train//{n}", "value": value}) + "\n")
    return path


class StudyPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER, exist_ok=True)
        logs = [write_log("fast", "c7i.2xlarge", 1, 8, (1, 2, 4, 8)), write_log("slow", "m7i.xlarge", 2, 12, (1, 2, 4))]
        subprocess.run([PROGRAM, "study", "merge", *logs, "--budget", "1", "--output", os.path.join(FOLDER, "page")], check=True,
                       stdout=subprocess.DEVNULL)
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def open(self, size, scheme):
        """The page; what it loads from elsewhere and its errors are in self.errors."""
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        self.errors = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.errors.append(f"loads {request.url}") if not request.url.endswith("page.html") else None)
        page.goto(f"file://{FOLDER}/page.html")
        return page

    def test_the_page_has_its_sentences_tables_and_figures(self):
        page = self.open(*LOOKS[0])
        text = page.inner_text("body")
        self.assertTrue(text.startswith("Several machines"), text[:80])
        for part in ("train: fast with 8 threads takes 2.0 s (90 %: ", "fast is the fastest of 2", "the fastest machine that costs at most $1.0",
                     "The whole training on each host: measured, predicted and simulated apart", "Prices"):
            self.assertIn(part, text.replace("\u00a0", " "))
        figures = page.eval_on_selector_all("figure", "all => all.map(x => x.textContent)")
        self.assertTrue(any("cost against time, predicted" in figure for figure in figures), "the Pareto front")
        self.assertTrue(any("the whole training by threads" in figure for figure in figures))
        # A cell of a row that was measured, and one that was predicted.
        cells = page.eval_on_selector_all("table tr", "all => all.map(row => [...row.children].map(cell => cell.innerText))")
        row = next(row for row in cells if row[:5] == ["train", "", "slow", "cpu", "8"])
        self.assertEqual((row[5], float(row[6])), ("", 3.5))
        self.assertEqual(self.errors, [])

    def test_it_fits_a_phone_and_is_dark_in_the_dark(self):
        for size, scheme in LOOKS:
            with self.subTest(size=size, scheme=scheme):
                page = self.open(size, scheme)
                self.assertEqual(page.evaluate(OVERFLOW), 0)
                self.assertEqual(page.evaluate(OUTSIDE), [])
                for text, background in page.evaluate(COLORS):
                    self.assertEqual(background < 100, scheme == "dark")
                    self.assertGreater(abs(text - background), 90, "text is readable on its background")
                for box in (figure.bounding_box() for figure in page.query_selector_all("figure svg")):
                    self.assertGreater(box["width"], 0.8 * min(size[0], 600), "figures use the width")
                picture = page.screenshot(path=os.path.join(FOLDER, f"page-{size[0]}-{scheme}.png"), full_page=True)
                self.assertGreater(len(picture), 10_000, "not an empty picture")
                self.assertEqual(self.errors, [])

    def test_it_is_one_small_file(self):
        self.assertLess(os.path.getsize(os.path.join(FOLDER, "page.html")), MOST_BYTES)
        for name in ("page.csv", "page.json", "page-figure-1.csv"):
            self.assertTrue(os.path.exists(os.path.join(FOLDER, name)), name)


if __name__ == "__main__":
    FOLDER = os.path.abspath(sys.argv.pop(2))
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
