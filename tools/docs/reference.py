#!/usr/bin/env python3
"""Pages of the reference from Doxygen's XML: reference.py XML FOLDER writes them as Markdown, and FOLDER/nav.json.

A header is public if cornu/cornu.h or cornu/keras/keras.h includes it itself, or if it is a layer's; to its names come those that public
signatures mention. A page describes a class with the structs of its options, or the functions of a header."""
import glob
import html
import itertools
import json
import os
import re
import sys

import doxygen_xml
import examples
import groups

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
INCLUDE = re.compile(r'^#include "(cornu/[^"]+)"', re.MULTILINE)
ENTRIES = ("cornu/cornu.h", "cornu/keras/keras.h", "cornu/tensor/ops.h", "cornu/tensor/tensor.h",
           "cornu/tensor/variable.h", "cornu/tensor/device.h",
           "cornu/keras/losses/losses.h", "cornu/keras/optimizers/optimizers.h")
STEMS = {"cpu options": "CPU option", "directories": "directory", "losses": "loss", "conv": "convolution", "nn": "neural network", "linalg": "linear algebra", "tfds": "TensorFlow Datasets"}
INHERITED = {"public": "", "protected": "For classes derived from it."}


def public_headers(root):
    found = {os.path.relpath(path, root) for path in glob.glob(os.path.join(root, "cornu/keras/layers/**/*.h"), recursive=True)}
    for entry in ENTRIES:
        path = os.path.join(root, entry)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found |= set(INCLUDE.findall(file.read()))
    return found


def named_words(root):
    """The words in code of the guide and of examples: classes among them are for users, whichever header has them."""
    words = set()
    for pattern in ("docs/guide/*.md", "examples/**/*.cc"):
        for path in glob.glob(os.path.join(root, pattern), recursive=True):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            code = re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL) if path.endswith(".md") else [text]
            words.update(re.findall(r"\w+", " ".join(code)))
    return words


class Page:
    def __init__(self, group, name, title):
        self.group, self.name, self.title = group, name, title
        self.brief, self.lines = "", []
        self.is_minor = False

    @property
    def path(self):
        return f"{self.group}/{self.name}.md"


class Reference:
    def __init__(self, model, headers, words, excerpts=()):
        self.model, self.headers, self.words, self.excerpts = model, headers, words, excerpts
        self.aliases = self.read_aliases()
        self.public = self.find_public()
        self.hosts = self.find_hosts()
        self.targets, self.page = {}, None  # id -> (page, anchor)
        self.renderer = doxygen_xml.Renderer(self.url)
        self.pages = self.make_pages()

    def read_aliases(self):
        """{id of a typedef: id of the class that it names}"""
        found = {}
        for _, member in self.model.namespace_members:
            if member.kind == "typedef" and len(ids := doxygen_xml.refs(member.type)) == 1 and member.type[0].tail in (None, ""):
                found[member.id] = next(iter(ids))
        return found

    def functions(self):
        return [(namespace, member) for namespace, member in self.model.namespace_members
                if member.file in self.headers and not member.is_noise() and groups.group_of(member.file)]

    def mentioned(self, compound):
        ids = {base for base, _ in compound.bases if base}
        for member in compound.members:
            ids |= set() if member.is_noise() else doxygen_xml.references(member)
        return ids

    def find_public(self):
        compounds = self.model.compounds
        found, queue = set(), [each.id for each in compounds.values() if each.file in self.headers and "::" not in each.short]
        for _, member in self.functions():
            queue += doxygen_xml.references(member)
        while queue:
            name = queue.pop()
            name = self.aliases.get(name, name)
            if name in compounds and name not in found and "<" not in compounds[name].short and groups.group_of(compounds[name].file):
                found.add(name)
                queue += self.mentioned(compounds[name])
        return {name: compounds[name] for name in sorted(found, key=lambda name: (compounds[name].file, compounds[name].first_line))}

    def options_of(self, member):
        ids = [self.aliases.get(name, name) for param in member.params for name in sorted(doxygen_xml.refs(param.find("type")))]
        return [name for name in ids if name in self.public and self.public[name].is_options]

    def find_hosts(self):
        """Classes whose pages show a struct of options: {id of the struct: ids of classes}"""
        hosts = {}
        for compound in self.public.values():
            if not compound.is_options:
                for member in compound.members:
                    for name in self.options_of(member):
                        hosts.setdefault(name, []).append(compound.id)
        return hosts

    def url(self, refid):
        """A link's target, as seen from the page that is written."""
        refid = self.aliases.get(refid, refid)
        if refid not in self.targets:
            return None
        page, anchor = self.targets[refid]
        place = f"#{anchor}" if anchor else ""
        if page is self.page:
            return place or None
        return os.path.relpath(page.path, self.page.group).removesuffix(".md") + ".html" + place

    def make_pages(self):
        pages, by_header = [], {}
        for compound in self.public.values():
            if not compound.is_options:
                page = Page(groups.group_of(compound.file), compound.short.replace("::", "."), compound.short)
                page.compound = compound
                page.is_minor = "::" in compound.short or compound.file not in self.headers and compound.short not in self.words
                pages.append(page)
                self.targets[compound.id] = (page, "")
                anchored = compound.members if not is_plain(compound) else []
                self.targets.update((member.id, (page, slug(member.name) if member in anchored else "")) for member in compound.members)
        for namespace, member in self.functions():
            if member.id not in self.aliases:
                by_header.setdefault(member.file, []).append((namespace, member))
        for compound in self.public.values():
            if compound.is_options and compound.id not in self.hosts and compound.file not in by_header:
                by_header[compound.file] = []
        for header, members in by_header.items():
            page = Page(groups.group_of(header), header_name(header), header_title(header, members))
            page.compound, page.header, page.members = None, header, members
            pages.append(page)
            self.targets.update((member.id, (page, slug(member.name))) for _, member in members)
        for compound in self.public.values():
            if compound.is_options:
                self.place_options(compound, pages)
        make_unique(pages)
        for page in pages:
            self.page = page
            (self.write_class if page.compound else self.write_header)(page)
        return sorted(pages, key=lambda page: ((page.compound is None) != (page.group == "ops"), page.title.lower()))

    def place_options(self, compound, pages):
        host = next(iter(self.hosts.get(compound.id, ())), None)
        page = self.targets[host][0] if host else next(page for page in pages if page.compound is None and page.header == compound.file)
        for name in (compound.id, *(member.id for member in compound.members)):
            self.targets[name] = (page, slug(compound.short))

    def options_without_text(self):
        """"Struct::field" for each row in tables of options that would have no description."""
        return [f"{compound.name}::{field.name}" for compound in self.public.values() if compound.is_options
                for field in self.fields(compound) if not self.renderer.cell(field.element)]

    # Parts of a page.

    def members_html(self, members, level, written=None):
        """Members by name; those of one name that follow each other share a heading, below which options come that are not in `written`."""
        lines = []
        for name, overloads in itertools.groupby(members, lambda member: member.name):
            overloads = list(overloads)
            lines += ["", f"{'#' * level} {heading(name)} {{#{slug(name)}}}", ""] + [self.member_html(member) for member in overloads]
            for options in () if written is None else [each for member in overloads for each in self.options_of(member)]:
                if options not in written:
                    written.add(options)
                    lines += self.options_html(self.public[options], level + 1)
        return lines

    def member_html(self, member):
        comment = self.renderer.comment(member.element)
        if member.kind == "function":
            signature = self.renderer.signature(member, member.name)
        elif member.kind == "enum":
            values = ", ".join(value.findtext("name") for value in member.element.findall("enumvalue"))
            signature = f"enum class <b>{html.escape(member.name)}</b> {{ {values} }}"
            rows = [(f"<code>{value.findtext('name')}</code>", self.renderer.cell(value)) for value in member.element.findall("enumvalue")]
            comment += table(("Value", "Meaning"), rows) if any(text for _, text in rows) else ""
        elif member.kind == "typedef":
            signature = f"using <b>{html.escape(member.name)}</b> = {self.renderer.type(member.type)}"
        else:
            signature = f"{self.renderer.type(member.type)} <b>{html.escape(member.name)}</b> {self.initializer(member)}".rstrip()
        note = "" if member.element.get("prot") == "public" else f"<p><em>{INHERITED['protected']}</em></p>"
        return f'<div class="member"><pre class="signature"><code>{signature}</code></pre>{note}{comment}</div>\n'

    def initializer(self, member):
        element = member.element.find("initializer")
        return "" if element is None else self.renderer.inline(element).strip()

    def fields(self, compound):
        """The fields of a struct, those of its bases first."""
        inherited = [field for base, _ in compound.bases if base in self.model.compounds for field in self.fields(self.model.compounds[base])]
        return inherited + [member for member in compound.members if member.kind == "variable"]

    def options_html(self, compound, level, title=None):
        rows = []
        for field in self.fields(compound):
            default = self.initializer(field).removeprefix("=").strip()
            rows.append((f"<code>{field.name}</code>", f"<code>{self.renderer.type(field.type).replace('std::', '')}</code>",
                         "" if default in ("", "{}") else f"<code>{default}</code>", self.renderer.cell(field.element)))
        intro = f"<p>Fields of <code>{compound.short}</code>:</p>" if title else ""
        return ["", f"{'#' * level} {title or compound.short} {{#{slug(compound.short)}}}", "", self.renderer.comment(compound.element) + intro, "",
                f'<div class="options">{table(("Option", "Type", "Default", "Description"), rows)}</div>', ""]

    def comment_of(self, compound):
        """A class's comment; a class right below another one without a line between them shares that one's."""
        comment = self.renderer.comment(compound.element)
        above = next((each for each in self.public.values() if each.file == compound.file and each.last_line + 1 == compound.first_line), None)
        return comment if comment or above is None or above.is_options else self.comment_of(above)

    def write_class(self, page):
        compound = page.compound
        comment = self.comment_of(compound)
        page.brief = first_sentence(comment)
        bases = [f'<a href="{url}">{html.escape(doxygen_xml.unqualified(name))}</a>' if (url := self.url(base)) else
                 f"<code>{html.escape(doxygen_xml.unqualified(name))}</code>" for base, name in compound.bases if "detail" not in name]
        facts = f'<code>{html.escape(compound.name)}</code> in <code>{compound.file}</code>' + (f", a {', '.join(bases)}" if bases else "")
        aliases = sorted(member.name for _, member in self.model.namespace_members if self.aliases.get(member.id) == compound.id)
        if aliases:
            facts += ". Also named " + ", ".join(f"<code>{name}</code>" for name in aliases)
        page.lines += [f"# {heading(compound.short)}", "", f'<p class="place" data-search-exclude>{facts}</p>', "", comment, ""]
        page.lines += examples.section(self.excerpts, compound.name)
        members = [member for member in compound.members if not member.is_noise()]
        if is_plain(compound):
            fields = [member for member in members if member.kind == "variable"]
            rows = [(f"<code>{field.name}</code>", f"<code>{self.renderer.type(field.type)}</code>", self.renderer.cell(field.element))
                    for field in fields]
            page.lines += ["## Fields", "", table(("Field", "Type", "Description"), rows)] if rows else []
            return
        self.write_members(page, members)

    def write_members(self, page, members):
        shown, sections = set(), []
        for title, names in groups.MEMBERS.get(page.compound.short, ()):
            sections.append((title, [member for name in names for member in members if member.name == name]))
            shown |= set(names)
        rest = [member for member in members if member.name not in shown]
        sections.append(("Members" if not sections else "Other members", rest))
        written = set()
        made_of = dict.fromkeys(name for member in members if member.name == page.compound.short for name in self.options_of(member))
        for name in made_of if page.compound.short not in groups.MEMBERS else ():
            written.add(name)
            page.lines += self.options_html(self.public[name], 2, "Options" if len(made_of) == 1 else None)
        for title, part in sections:
            if part:
                page.lines += ["", f"## {title}", ""] + self.members_html(part, 3, written)

    def write_header(self, page):
        element = self.model.files.get(page.header)
        comment = "" if element is None else self.renderer.comment(element)
        page.brief = first_sentence(comment)
        namespaces = sorted({namespace for namespace, _ in page.members})
        where = f" in namespace <code>{'</code>, <code>'.join(namespaces)}</code>" if namespaces else ""
        page.lines += [f"# {heading(page.title)}", "", f'<p class="place" data-search-exclude><code>{page.header}</code>{where}</p>', "", comment, ""]
        page.lines += self.members_html([member for _, member in page.members], 2)
        for compound in self.public.values():
            if compound.is_options and self.targets[compound.id][0] is page:
                page.lines += self.options_html(compound, 2)


def is_plain(compound):
    """True for structs of fields only, which are shown as a table."""
    return compound.kind == "struct" and not any(member.kind == "function" and not member.is_noise() for member in compound.members)


def header_name(header):
    return os.path.basename(header).removesuffix(".h") + "_functions"


def header_title(header, members):
    """"Elementwise functions", or the names of few."""
    names = list(dict.fromkeys(member.name for _, member in members))
    if 0 < len(names) <= 3:
        return ", ".join(names)
    stem = os.path.basename(header).removesuffix(".h").replace("_", " ")
    folder = os.path.basename(os.path.dirname(header)).replace("_", " ")
    stem = STEMS.get(stem, stem.removesuffix("s"))
    folder = STEMS.get(folder, folder)
    words = f"{folder} functions" if stem == "function" else f"{stem}s" if stem.endswith("function") else f"{stem} functions"
    return words[0].upper() + words[1:]


def make_unique(pages):
    seen = set()
    for page in pages:
        while page.path.lower() in seen:
            page.name += "_2"
        seen.add(page.path.lower())


def slug(name):
    if name.startswith("operator"):
        signs = {"()": "call", "[]": "index", "==": "equal", "!=": "not-equal", "<": "less", "<=": "less-equal", "+": "plus", "-": "minus", "*": "times",
                 "/": "divide", ">": "greater", ">=": "greater-equal", "<<": "print", "->": "arrow", "%": "modulo"}
        sign = name.removeprefix("operator").strip()
        return "operator-" + signs.get(sign, re.sub(r"\W+", "-", sign.encode("ascii", "ignore").decode()) or str(len(sign)))
    return re.sub(r"\W+", "-", name).lower()


def heading(name):
    return re.sub(r"([<>*_\[\]`])", r"\\\1", name)


def first_sentence(comment):
    text = re.sub(r"<dl.*|<div.*", "", comment, flags=re.DOTALL)
    text = text.split("</p>")[0].replace("<p>", "").strip()
    text = re.sub(r"</?a\b[^>]*>", "", text)
    return re.split(r"(?<=[.:]) (?=[A-Z])", text)[0].rstrip(":")


def table(headings, rows):
    text = "".join(f"<th>{each}</th>" for each in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{text}</tr></thead><tbody>{body}</tbody></table>"


def rows_of(pages):
    return [(f'<a href="{page.name}.html">{html.escape(page.title)}</a>', page.brief) for page in pages]


def write(reference, folder):
    """The pages, an index for each group, and nav.json: [title, path of the index, [[title of a page, its path], ...]] for each group. Minor
    pages, which only signatures mention, are at the end of the index and not in the navigation."""
    nav, sentences = [], {title: sentence for _, title, sentence, _ in groups.GROUPS if sentence}
    for group, title, sentence, _ in groups.GROUPS:
        pages = [page for page in reference.pages if page.group == group]
        if not pages or not sentence:
            continue
        major = [page for page in pages if not page.is_minor]
        index = [f"# {title}", "", sentence, "", table(("Name", "Description"), rows_of(major)), ""]
        if len(major) < len(pages):
            index += ["## Types in signatures", "", table(("Name", "Description"), rows_of([page for page in pages if page.is_minor])), ""]
        put(folder, f"{group}/index.md", index)
        for page in pages:
            put(folder, page.path, page.lines)
        nav.append([title, f"{group}/index.md", [[page.title, page.path] for page in major]])
    rows = [(f'<a href="{os.path.dirname(index)}/index.html">{html.escape(title)}</a>', sentences[title], str(len(pages))) for title, index, pages in nav]
    put(folder, "index.md", ["# Reference", "", "The classes and functions of `cornu/cornu.h`. `cornu/keras/keras.h` has what most programs need.", "",
                             table(("Group", "Description", "Pages"), rows)])
    put(folder, "nav.json", [json.dumps(nav, indent=1)])
    return nav


def put(folder, path, lines):
    full = os.path.join(folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    xml, folder = sys.argv[1:]
    excerpts = examples.read(os.path.join(ROOT, examples.FOLDER))
    reference = Reference(doxygen_xml.Model(xml), public_headers(ROOT), named_words(ROOT), excerpts)
    if missing := reference.options_without_text():
        sys.exit("\n".join(f"reference: {name} has no description; write one in its table of options, or above it" for name in missing))
    nav = write(reference, folder)
    print(f"reference: {sum(len(pages) for _, _, pages in nav)} pages in {len(nav)} groups")


if __name__ == "__main__":
    main()
