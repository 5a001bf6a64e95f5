#!/usr/bin/env python3
"""Tests of the site's scripts that need Python only: small trees and headers with one mistake at a time."""
import os
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import classes_page  # noqa: E402
import doxygen_xml  # noqa: E402
import examples  # noqa: E402
import front_page  # noqa: E402
import groups  # noqa: E402
import headers  # noqa: E402
import links  # noqa: E402
import reference  # noqa: E402

TREE = {
    "README.md": "# Project\n\n[Guide](docs/guide/README.md), [source](src/main.cc)\n",
    "docs/guide/README.md": "# Guide\n\n* [First](first.md): how to `begin`\n",
    "docs/guide/first.md": "# First\n\n## What it costs\n\nSee [above](#what-it-costs).\n",
    "src/main.cc": "",
}


def write(root, files):
    for path, text in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)


class MarkdownLinksTest(unittest.TestCase):
    def check(self, more=""):
        with tempfile.TemporaryDirectory() as root:
            write(root, {**TREE, "docs/guide/first.md": TREE["docs/guide/first.md"] + more})
            return links.check_markdown(root)

    def test_fine(self):
        self.assertEqual(self.check(), ([], 4))

    def test_missing_targets_are_named_with_their_line(self):
        for text, what in (("[x](second.md)", "there is no second.md"), ("[x](../../src/other.cc)", "there is no ../../src/other.cc"),
                           ("[x](#what-it-takes)", "docs/guide/first.md has no heading #what-it-takes"),
                           ("[`x`](README.md#costs)", "docs/guide/README.md has no heading #costs")):
            self.assertEqual(self.check(text + "\n")[0], [f"docs/guide/first.md:6: {what}"])

    def test_code_has_no_links(self):
        self.assertEqual(self.check("\n`[x](none.md)`, `it's\nover [x](none.md)`\n\n```cpp\n[](auto x) {}\n```\n\n    [y](none.md)\n")[0], [])


class GuideTest(unittest.TestCase):
    def test_groups_with_their_chapters_and_subjects(self):
        text = "# Guide\n\n## Start\n\n* [A `b`](a.md): save a model, `fit`\n* [C](c.md)\n"
        self.assertEqual(links.guide_groups(text), [("Start", [("A `b`", "a.md", ["save a model", "fit"]), ("C", "c.md", [])])])

    def test_each_chapter_is_in_one_group(self):
        folder = os.path.join(links.ROOT, "docs", "guide")
        listed = [page for _, chapters in links.guide_groups(links.read(os.path.join(folder, "README.md"))) for _, page, _ in chapters]
        self.assertEqual(sorted(listed), sorted(name for name in os.listdir(folder) if name.endswith(".md") and name != "README.md"))


class HtmlLinksTest(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            return links.check_html(folder)

    def test_fine(self):
        broken, checked = self.check({"a.html": '<a href="sub/b.html#here">x</a><a href="https://elsewhere/">y</a>',
                                      "sub/b.html": '<p id="here"><img src="../c.svg"></p><a href="#here">z</a>', "c.svg": ""})
        self.assertEqual((broken, checked), ([], 3))

    def test_broken(self):
        broken, _ = self.check({"a.html": '<a href="none.html"></a><a href="b.html#there"></a><a href="#up"></a>', "b.html": ""})
        self.assertEqual(broken, ["a.html: nothing in a.html is #up", "a.html: nothing in b.html is #there", "a.html: there is no none.html"])

    def test_nothing_is_loaded_from_a_network(self):
        broken, _ = self.check({"a.html": '<script src="https://cdn/x.js"></script><link rel="stylesheet" href="//cdn/x.css">'})
        self.assertEqual(broken, ["a.html: loads //cdn/x.css", "a.html: loads https://cdn/x.js"])


class HeadersTest(unittest.TestCase):
    def test_a_comment_above_a_namespace_is_the_files(self):
        text = headers.prepared('#include "x.h"\n\n/// Saves models.\nnamespace cornu::inline v0::keras {\n')
        self.assertEqual(text, '#include "x.h"\n\n/// @file\n/// Saves models.\n\nnamespace cornu::keras {\n')

    def test_a_comment_behind_a_field_is_the_fields(self):
        text = headers.prepared('struct A {\n  int units = 0;  // how many\n                  // there are\n  /// Said before.\n  bool is = true;\n};\n')
        self.assertIn("  int units = 0; ///< how many there are\n", text)

    def test_parts_of_a_comment_are_paragraphs(self):
        text = headers.prepared("/// activation(input . kernel).\n///\n/// Shapes:  [a] -> [b]\n/// Errors:  none.\nclass A;\n")
        self.assertIn("input &middot; kernel", text)
        self.assertIn("/// \\par Shapes\n/// [a] -> [b]\n/// \\par Errors\n/// none.\n", text)

    def test_a_backslash_is_no_command(self):
        self.assertEqual(headers.prepared("/// a\\b\nint x;\n"), "/// a\\\\b\nint x;\n")

    def test_internal_headers_are_left_out(self):
        found = headers.headers(headers.ROOT)
        self.assertIn("cornu/keras/models/model.h", found)
        self.assertEqual([name for name in found if name.endswith("_support.h") or "/testing/" in name], [])


def compound(kind, name, body, file="cornu/keras/layers/core/x.h", lines=(10, 12)):
    return (f'<doxygen><compounddef id="{kind}{name.replace("::", "_")}" kind="{kind}"><compoundname>{name}</compoundname>{body}'
            f'<location file="{file}" line="{lines[0]}" bodystart="{lines[0]}" bodyend="{lines[1]}"/></compounddef></doxygen>')


def function(name, parameter, brief="", prot="public"):
    return (f'<memberdef kind="function" id="id_{name}" prot="{prot}" virt="non-virtual"><type>void</type><name>{name}</name><argsstring/>'
            f'<param><type>{parameter}</type><declname>x</declname></param><briefdescription><para>{brief}</para></briefdescription>'
            '<detaileddescription/><location file="cornu/keras/layers/core/x.h" line="11"/></memberdef>')


FIELD = ('<memberdef kind="variable" id="id_units" prot="public"><type>std::int64_t</type><name>units</name><initializer>= 3</initializer>'
         '<briefdescription><para>The <computeroutput>width</computeroutput>.</para></briefdescription><detaileddescription/>'
         '<location file="cornu/keras/layers/core/x.h" line="3"/></memberdef>')
BRIEF = "<briefdescription><para>x &lt; y.</para></briefdescription><detaileddescription/>"
OPTIONS_REF = '<ref refid="structcornu_keras_layers_WideOptions" kindref="compound">WideOptions</ref>'


class ReferenceTest(unittest.TestCase):
    def make(self, *excerpts, field=FIELD):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {
                "options.xml": compound("struct", "cornu::keras::layers::WideOptions", field, lines=(2, 5)),
                "class.xml": compound("class", "cornu::keras::layers::Wide", function("Wide", OPTIONS_REF) + function("secret", "int", prot="private")
                                      + BRIEF),
                "twin.xml": compound("class", "cornu::keras::layers::Wide2D", function("Wide2D", OPTIONS_REF), lines=(13, 15)),
                "hidden.xml": compound("class", "cornu::keras::Hidden", "", file="cornu/keras/trainer/hidden.h")})
            made = reference.Reference(doxygen_xml.Model(folder), {"cornu/keras/layers/core/x.h"}, {"Wide"}, excerpts)
            self.without_text = made.options_without_text()
            reference.write(made, os.path.join(folder, "out"))
            return {page.title: "\n".join(page.lines) for page in made.pages}, links.read(os.path.join(folder, "out", "layers-core", "index.md"))

    def test_options_are_a_table_on_the_classes_page(self):
        pages, index = self.make()
        self.assertEqual(sorted(pages), ["Wide", "Wide2D"])
        self.assertIn("<tr><td><code>units</code></td><td><code>int64_t</code></td><td><code>3</code></td><td>The <code>width</code>.</td></tr>",
                      pages["Wide"])
        self.assertIn("WideOptions", pages["Wide2D"])
        self.assertIn('<a href="Wide.html">Wide</a></td><td>x &lt; y.', index)

    def test_options_without_a_description_are_found(self):
        self.make()
        self.assertEqual(self.without_text, [])
        self.make(field=re.sub("<para>.*</para>", "", FIELD))
        self.assertEqual(self.without_text, ["cornu::keras::layers::WideOptions::units"])

    def test_internals_are_hidden(self):
        pages, _ = self.make()
        self.assertNotIn("secret", "".join(pages.values()))
        self.assertNotIn("Hidden", pages)

    def test_classes_right_below_each_other_share_a_comment(self):
        self.assertIn("<p>x &lt; y.</p>", self.make()[0]["Wide2D"])

    def test_an_excerpt_is_shown(self):
        pages, _ = self.make(("Wide", "layers::Wide()(x);"))
        self.assertIn("## Example\n\n```cpp\nlayers::Wide()(x);\n```", pages["Wide"])
        self.assertNotIn("## Example", pages["Wide2D"])

    def test_long_signatures_have_a_line_for_each_parameter(self):
        element = ElementTree.fromstring(function("compile", "const std::vector&lt;std::string&gt; &amp;"))
        element.extend([element.find("param")] * 2)
        member = doxygen_xml.Member("function", "id", "compile", element, "x.h", 1)
        text = doxygen_xml.Renderer(lambda _: None).signature(member, "compile")
        self.assertEqual(text, "void <b>compile</b>(\n    const std::vector&lt;std::string&gt;&amp; x" + ",\n    const std::vector&lt;std::string&gt;&amp; x" * 2 + ")")

    def test_a_word_that_begins_a_sentence_is_no_link(self):
        render = doxygen_xml.Renderer(lambda refid: refid + ".html").paragraph
        self.assertEqual(render(ElementTree.fromstring('<para><ref refid="a">Activation</ref> function of a <ref refid="t">Tensor</ref>.</para>')),
                         '<p>Activation function of a <a href="t.html">Tensor</a>.</p>')

    def test_titles_of_functions(self):
        def title(header, *names):
            return reference.header_title(header, [("ops", doxygen_xml.Member("function", "id", name, None, header, 1)) for name in names])
        self.assertEqual(title("cornu/tensor/ops/elementwise.h", "a", "b", "c", "d"), "Elementwise functions")
        self.assertEqual(title("cornu/keras/losses/functions.h", "a", "b", "c", "d"), "Loss functions")
        self.assertEqual(title("cornu/keras/base/names.h", "a", "b", "b"), "a, b")

    def test_members_by_subject_are_there(self):
        headers_of = {"Model": "cornu/keras/models/model.h", "Layer": "cornu/keras/layer/layer.h", "Dataset": "cornu/data/dataset.h"}
        for name, sections in groups.MEMBERS.items():
            text = links.read(os.path.join(reference.ROOT, headers_of[name]))
            self.assertEqual([each for _, members in sections for each in members if f" {each}(" not in text and f"&{each}(" not in text], [], name)

    def test_each_public_header_has_a_group(self):
        public = [name for name in reference.public_headers(reference.ROOT) if name in headers.headers(reference.ROOT) and name not in reference.ENTRIES[:2]]
        self.assertGreater(len(public), 100)
        self.assertEqual([name for name in public if groups.group_of(name) is None], [])


class FrontPageTest(unittest.TestCase):
    TABLE = "| workload | K | Cornu | JAX | Keras-TF | best peer ÷ Cornu |\n| --- | --- | --- | --- | --- | --- |\n"

    def test_figures_come_from_the_table(self):
        steps = front_page.training_steps(self.TABLE + "| iris_mlp | 1 | 0.5 (0.6) | 2 (3)* |  | **4** |\n\n| other |\n")
        self.assertEqual(steps, {("iris_mlp", "1"): {"Cornu": 0.5, "JAX": 2.0}})
        self.assertEqual(front_page.ratio(steps["iris_mlp", "1"]), 4)

    def test_a_missing_table_is_said(self):
        with self.assertRaisesRegex(ValueError, "docs/performance.md has no table"):
            front_page.training_steps("# Performance\n")

    def test_the_page_has_its_figures_and_its_program(self):
        page = front_page.page(links.ROOT)
        self.assertNotIn("{{", page)
        self.assertRegex(page, r"# Train Keras models in C\+\+, [\d.]+ to [\d.]+ times as fast")
        self.assertEqual(page.count('<div class="bar">'), len(front_page.SHOWN))
        self.assertIn("model.fit(", page)


class ExamplesTest(unittest.TestCase):
    def read(self, body):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"a.cc": f"void f() {{\n{body}}}\n"})
            return examples.read(folder)

    def test_an_expression_with_its_shape_and_its_variables(self):
        body = '  const Tensor a = ops::ones({2});\n  show("Add",\n       layers::Add()(\n           {a, a}),\n       {2});\n'
        self.assertEqual(self.read(body), [("Add", "const Tensor a = ops::ones({2});\nlayers::Add()({a, a});  // shape [2]")])

    def test_a_part_of_training_is_shown_in_its_place(self):
        self.assertEqual(self.read('  loss("Huber", losses::Huber({.delta = 1.0}));\n'), [("Huber", "model.compile({.loss = losses::Huber({.delta = 1.0})});")])

    def test_a_class_gets_the_excerpt_of_its_namespace(self):
        excerpts = [("Identity", "layers::Identity()(x);"), ("Identity", "initializers::Identity()")]
        self.assertIn("initializers::Identity()", examples.section(excerpts, "cornu::keras::initializers::Identity"))
        self.assertEqual(examples.section(excerpts, "cornu::keras::layers::Dense"), [])

    def test_every_layer_has_one(self):
        shown = {name for name, _ in examples.read(os.path.join(reference.ROOT, examples.FOLDER))}
        found = set()
        for name in headers.headers(reference.ROOT):
            if name.startswith("cornu/keras/layers/") and "/operations/" not in name:
                found |= set(re.findall(r"^class (\w+) : public (?:LayerHandle|ImageHandle|LoraHandle|Recurrent|Cell|VocabularyHandle<[\w:]+>) \{", links.read(os.path.join(reference.ROOT, name)),
                                        re.MULTILINE))
        self.assertGreater(len(found), 100)
        self.assertEqual(found - shown, {"DistributedEmbedding", "ImageHandle", "LoraHandle", "VocabularyHandle", "Recurrent", "Cell"} & found)

    def test_every_class_of_the_page_of_classes_has_one(self):
        """Except a callback that needs a server, and a table of features, whose example is in its header."""
        shown = {name for name, _ in examples.read(os.path.join(reference.ROOT, examples.FOLDER))}
        keras, listed = pathlib.Path(reference.ROOT) / "cornu/keras", set()
        for folder in ["layers", *(family[0] for family in classes_page.FAMILIES)]:
            for header in sorted((keras / folder).rglob("*.h")):
                if not header.name.endswith("_support.h"):
                    listed |= {name for names, *_ in classes_page.classes_of(header) for name in names}
        self.assertGreater(len(listed), 250)
        self.assertEqual(listed - shown, {"DistributedEmbedding", "RemoteMonitor"})


if __name__ == "__main__":
    unittest.main()
