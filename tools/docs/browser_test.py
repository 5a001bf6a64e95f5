#!/usr/bin/env python3
"""Reads the finished site in a headless Chromium: browser_test.py FOLDER [--small], with FOLDER/html as build.sh makes it.

Wide and narrow, light and dark. Pictures of all pages that it opens are in FOLDER/screenshots. --small: a few pages of FOLDER/small. Ends with 77, which CTest shows as skipped, where
chromium or playwright is missing."""
import glob
import os
import shutil
import sys
import unittest

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

FOLDER = ""
IS_SMALL = False
SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}
PAGES = ("index", "guide/index", "guide/saving", "guide/classes", "guide/from-tensorflow", "reference/index", "reference/layers-core/Dense",
         "reference/models/Model", "reference/data/Dataset", "reference/ops/elementwise_functions", "performance", "documents", "project/changelog",
         "adr/index")
# What readers look for, and the page that must come first.
SEARCHES = {"save model": "guide/saving", "learning rate": "guide/training", "resume": "guide/saving", "early stopping": "guide/training",
            "mixed precision": "guide/mixed_precision", "install": "guide/installation", "custom layer": "guide/functional_models",
            "GPU": "guide/accelerators", "shuffle": "guide/datasets", "serving": "guide/serving", "Dense": "reference/layers-core/Dense",
            "Adam": "reference/optimizers/Adam", "BatchNormalization": "reference/layers-normalization/BatchNormalization"}
LOOKS = [(screen, scheme) for screen in SCREENS for scheme in ("light", "dark")]
# Of the small site.
SMALL_PAGES = ("index", "guide/saving", "reference/layers-core/Dense")
SMALL_SEARCHES = ("save model", "install", "Dense")
SMALL_LOOKS = [("desktop", "light"), ("phone", "dark")]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT_CODE = "[...document.querySelectorAll('.md-content pre > code')].filter(x => x.scrollWidth > x.clientWidth + 1).map(x => x.innerText.slice(0, 60))"
CUT_NAMES = """[...document.querySelectorAll('.md-nav--primary .md-ellipsis')].filter(x => x.offsetWidth && x.scrollWidth > x.clientWidth + 1)
               .map(x => x.innerText)"""
OUTSIDE = """[...document.querySelectorAll('.md-content__inner *')].filter(x => x.getBoundingClientRect().right > innerWidth + 1 && x.offsetWidth
             && !x.closest('.md-typeset__scrollwrap, pre, .md-typeset__table')).map(x => x.outerHTML.slice(0, 80))"""


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        cls.pictures = os.path.join(FOLDER, "screenshots")
        os.makedirs(cls.pictures, exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def new_page(self, screen, scheme="light"):
        width, height = SCREENS[screen]
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        self.errors = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.errors.append(f"loads {request.url}") if request.url.startswith("http") else None)
        return page

    def open(self, page, name):
        page.goto(f"file://{FOLDER}/html/{name}.html")

    def test_nothing_is_wider_than_the_page(self):
        for screen, scheme in LOOKS:
            page = self.new_page(screen, scheme)
            for name in PAGES:
                with self.subTest(page=name, screen=screen, scheme=scheme):
                    self.open(page, name)
                    page.wait_for_function("document.querySelectorAll('.md-content table:not([class])').length === "
                                           "document.querySelectorAll('.md-typeset__table > table').length")
                    self.assertEqual(page.evaluate(OVERFLOW), 0)
                    self.assertEqual(page.evaluate(OUTSIDE), [])
                    is_dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
                    self.assertEqual(is_dark, scheme == "dark")
                    page.screenshot(path=os.path.join(self.pictures, f"{name.replace('/', '_')}-{screen}-{scheme}.png"))
            self.assertEqual(self.errors, [])

    def test_code_is_not_cut_on_a_desktop(self):
        page = self.new_page("desktop")
        chapters = [] if IS_SMALL else [os.path.relpath(path, os.path.join(FOLDER, "html")) for path in glob.glob(os.path.join(FOLDER, "html", "guide", "*.html"))]
        for name in (*PAGES, *sorted(path.removesuffix(".html") for path in chapters)):
            with self.subTest(page=name):
                self.open(page, name)
                self.assertEqual(page.evaluate(CUT_CODE), [])

    def test_speed_is_seen_without_scrolling(self):
        for screen, (_, height) in SCREENS.items():
            with self.subTest(screen=screen):
                page = self.new_page(screen)
                self.open(page, "index")
                bottoms = [box["y"] + box["height"] for box in (bar.bounding_box() for bar in page.query_selector_all(".bar"))]
                self.assertGreaterEqual(sum(bottom <= height for bottom in bottoms), 4)
                self.assertLess(page.locator("h1").bounding_box()["y"], height / 4)

    def test_the_search_finds_the_chapter_first(self):
        page = self.new_page("desktop")
        self.open(page, "guide/layers")
        for words, first in SEARCHES.items():
            with self.subTest(words=words):
                page.locator(".md-search__input").fill("")
                page.locator(".md-search__input").press_sequentially(words)
                page.wait_for_function(f"document.querySelector('.md-search-result__item a')?.href.includes('/{first}.html')", timeout=5000)
        page.screenshot(path=os.path.join(self.pictures, "search.png"))
        self.assertEqual(self.errors, [])

    def test_internals_are_not_found(self):
        page = self.new_page("desktop")
        self.open(page, "index")
        page.locator(".md-search__input").press_sequentially("StepRunner")
        page.wait_for_function("document.querySelector('.md-search-result__meta').innerText.match(/No matching|matching/)")
        hits = page.eval_on_selector_all(".md-search-result__item a", "all => all.map(a => a.pathname)")
        self.assertEqual([hit for hit in hits if "/adr/" in hit or "/dev/" in hit or "StepRunner" in hit], [])

    def test_the_menu_of_a_phone_has_the_chapters(self):
        page = self.new_page("phone")
        self.open(page, "guide/saving")
        page.click("label.md-header__button[for=__drawer]")

        def wait_for(name):
            page.wait_for_function("""name => [...document.querySelectorAll('.md-nav--primary .md-nav__link')].some(
                x => x.innerText.trim() === name && document.elementsFromPoint(x.getBoundingClientRect().x + 40,
                                                                               x.getBoundingClientRect().y + 10).some(y => x.contains(y)))""",
                                   arg=name, timeout=5000)
        wait_for("Saving and loading")
        page.screenshot(path=os.path.join(self.pictures, "menu-phone.png"))
        page.wait_for_timeout(400)
        page.evaluate("""[...document.querySelectorAll('.md-nav--primary label.md-nav__title')].find(x => x.innerText.trim() === 'Files').click()""")
        for group in ("Start", "Devices and speed", "Coming from Keras and TensorFlow"):
            wait_for(group)
        page.wait_for_timeout(400)
        page.screenshot(path=os.path.join(self.pictures, "menu-groups-phone.png"))
        self.assertEqual(page.evaluate(CUT_NAMES), [])

    def test_a_chapter_has_neighbors_copy_buttons_and_a_switch(self):
        page = self.new_page("desktop")
        self.open(page, "guide/saving")
        self.assertEqual(page.evaluate(CUT_NAMES), [])
        self.assertEqual(page.locator(".md-footer__link").count(), 2)
        self.assertGreater(page.locator("pre .md-clipboard, .highlight .md-code__nav, .md-clipboard").count(), 3)
        schemes = set()
        for _ in range(3):
            page.locator(".md-header__option label:not([hidden])").click()
            schemes.add(page.evaluate("document.body.dataset.mdColorScheme"))
        self.assertEqual(schemes, {"default", "slate"})


def main():
    global FOLDER, IS_SMALL, PAGES, LOOKS, SEARCHES
    FOLDER = os.path.abspath(sys.argv.pop(1))
    if "--small" in sys.argv:
        sys.argv.remove("--small")
        FOLDER, IS_SMALL, PAGES, LOOKS = os.path.join(FOLDER, "small"), True, SMALL_PAGES, SMALL_LOOKS
        SEARCHES = {words: SEARCHES[words] for words in SMALL_SEARCHES}
    if sync_playwright is None or shutil.which("chromium") is None or not os.path.exists(os.path.join(FOLDER, "html", "index.html")):
        print("browser_test.py: skipped; `make docs-test` installs chromium and playwright and makes the site", file=sys.stderr)
        sys.exit(77)
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
