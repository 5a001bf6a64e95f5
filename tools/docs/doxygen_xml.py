"""Doxygen's XML as classes, functions and HTML."""
import dataclasses
import glob
import html
import os
import re
import xml.etree.ElementTree as ElementTree

try:
    import pygments
    import pygments.formatters
    import pygments.lexers
except ImportError:  # code then has no colors
    pygments = None

PLAIN = {"bold": "strong", "emphasis": "em", "computeroutput": "code", "itemizedlist": "ul", "orderedlist": "ol", "superscript": "sup",
         "subscript": "sub"}
SIGNS = {"middot": "·", "ndash": "–", "mdash": "—", "nonbreakablespace": " ", "times": "×", "hellip": "…", "linebreak": " ", "sp": " "}
INLINE = 84  # a signature that is longer has a line for each parameter


@dataclasses.dataclass
class Member:
    kind: str
    id: str
    name: str
    element: ElementTree.Element
    file: str
    line: int

    @property
    def type(self):
        return self.element.find("type")

    @property
    def params(self):
        return self.element.findall("param")

    def is_noise(self):
        """True for members that no user calls: destructors, deleted functions, assignments."""
        arguments = self.element.findtext("argsstring") or ""
        is_friend = self.kind == "friend" or self.element.find("type") is not None and text_of(self.type).startswith("friend")
        return self.name.startswith("~") or arguments.endswith("=delete") or self.name in ("operator=", "kHandleKind") or is_friend


@dataclasses.dataclass
class Compound:
    kind: str
    id: str
    name: str  # qualified
    element: ElementTree.Element
    file: str
    first_line: int
    last_line: int
    bases: list  # (id or None, name)
    members: list

    @property
    def short(self):
        return unqualified(self.name)

    @property
    def is_options(self):
        return self.kind == "struct" and self.short.endswith("Options")


def unqualified(name):
    """A::B<C::D>::E without its namespaces, whose names are in lower case."""
    return re.sub(r"\b(?:[a-z]\w*::)+", "", name)


def text_of(element):
    return "" if element is None else "".join(element.itertext()).strip()


def refs(element):
    return {ref.get("refid") for ref in element.iter("ref")} if element is not None else set()


def references(member):
    """The ids in a member's signature."""
    found = refs(member.type)
    for param in member.params:
        found |= refs(param.find("type"))
    return found


def read_members(compound):
    members = []
    for element in compound.iter("memberdef"):
        if element.get("prot") == "public" or element.get("prot") == "protected" and element.get("virt") != "non-virtual":
            place = element.find("location")
            members.append(Member(element.get("kind"), element.get("id"), element.findtext("name"), element, place.get("file"),
                                  int(place.get("line"))))
    return sorted(members, key=lambda member: (member.file, member.line))


class Model:
    """All compounds by id; members of namespaces; comments of files."""

    def __init__(self, folder):
        self.compounds, self.namespace_members, self.files = {}, [], {}
        for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
            element = ElementTree.parse(path).getroot().find("compounddef")
            if element is None:
                continue
            kind, name = element.get("kind"), element.findtext("compoundname")
            if kind in ("class", "struct"):
                place = element.find("location")
                bases = [(base.get("refid"), base.text) for base in element.findall("basecompoundref") if base.get("prot") == "public"]
                last = int(place.get("bodyend") or -1)
                self.compounds[element.get("id")] = Compound(
                    kind, element.get("id"), name, element, place.get("file"), int(place.get("line")), last, bases, read_members(element))
            elif kind == "namespace":
                self.namespace_members += [(name, member) for member in read_members(element)]
            elif kind == "file":
                self.files[element.find("location").get("file")] = element


class Renderer:
    """XML to HTML; `url(id)` gives a link's target or None."""

    def __init__(self, url):
        self.url = url

    def inline(self, element):
        if element is None:
            return ""
        parts = [html.escape(element.text or "", quote=False)]
        for child in element:
            parts += [self.element(child), html.escape(child.tail or "", quote=False)]
        return "".join(parts)

    def element(self, element):
        tag = element.tag
        if tag in SIGNS:
            return SIGNS[tag]
        if tag in PLAIN:
            return f"<{PLAIN[tag]}>{self.inline(element)}</{PLAIN[tag]}>"
        if tag == "ref":
            return self.link(element)
        if tag == "ulink":
            return f'<a href="{html.escape(element.get("url"))}">{self.inline(element)}</a>'
        if tag == "listitem":
            return f"<li>{self.inline(element)}</li>"
        if tag == "para":
            return self.paragraph(element)
        if tag in ("verbatim", "preformatted", "programlisting"):
            return code_block(code_text(element))
        if tag == "simplesect":
            return f'<dl class="facts"><dt>{html.escape(text_of(element.find("title")))}</dt><dd>{self.body(element)}</dd></dl>'
        return self.inline(element)

    def link(self, element):
        url, text = self.url(element.get("refid")), self.inline(element)
        return f'<a href="{url}">{text}</a>' if url else text

    def paragraph(self, element):
        """A paragraph; blocks inside it stand beside its text."""
        parts, text = [], [html.escape(element.text or "", quote=False)]

        def flush():
            if (joined := "".join(text).strip()):
                parts.append(f"<p>{joined}</p>")
            text.clear()
        for child in element:
            if child.tag in ("verbatim", "preformatted", "programlisting", "simplesect", "itemizedlist", "orderedlist"):
                flush()
                parts.append(self.element(child))
            elif child.tag == "ref" and re.fullmatch("[A-Z][a-z]+", text_of(child)) and re.search(r"(^|[.:]\s+)$", "".join(text)):
                text.append(text_of(child))  # "Activation function: ..." is a word at the beginning of a sentence, and no class
            else:
                text.append(self.element(child))
            text.append(html.escape(child.tail or "", quote=False))
        flush()
        return "".join(parts)

    def body(self, element):
        text = "".join(self.element(child) for child in element if child.tag != "title") if element is not None else ""
        return text.replace('</dl><dl class="facts">', "")

    def comment(self, element):
        """Brief and detailed description as HTML; empty without either."""
        return self.body(element.find("briefdescription")) + self.body(element.find("detaileddescription"))

    def cell(self, element):
        """The same in one line of a table."""
        text = self.comment(element).replace("</p><p>", " ").replace("<p>", "").replace("</p>", "")
        return re.sub(r"\s+", " ", text)

    def type(self, element):
        text = self.inline(element)
        return re.sub(r"\s*&amp;", "&amp;", text).replace("&lt; ", "&lt;").replace(" &gt;", "&gt;")

    def signature(self, member, name):
        """A function with links at its types."""
        element = member.element
        template = ", ".join(self.type(param.find("type")) for param in element.findall("templateparamlist/param"))
        params = [self.parameter(param) for param in member.params]
        words = [word for word, is_set in (("static", element.get("static") == "yes"), ("explicit", element.get("explicit") == "yes"),
                                           ("virtual", element.get("virt") != "non-virtual")) if is_set]
        kind = self.type(member.type)
        head = " ".join(words + ([kind] if kind else []) + [f"<b>{html.escape(name)}</b>"])
        plain = re.sub(r"<[^>]*>", "", head + ", ".join(params))
        separator = ",\n    " if len(html.unescape(plain)) > INLINE and len(params) > 1 else ", "
        arguments = separator.join(params)
        arguments = f"(\n    {arguments})" if "\n" in separator else f"({arguments})"
        after = " const" if element.get("const") == "yes" else ""
        return (f"template &lt;{template}&gt;\n" if template else "") + head + arguments + after

    def parameter(self, param):
        name, value = param.findtext("declname") or "", param.find("defval")
        text = self.type(param.find("type")) + (f" {html.escape(name)}" if name else "")
        return text + (f" = {self.inline(value)}" if value is not None else "")


def code_text(element):
    if element.tag != "programlisting":
        return "".join(element.itertext())
    for space in element.iter("sp"):
        space.text = " "
    return "\n".join("".join(line.itertext()) for line in element.iter("codeline"))


def code_block(text):
    text = text.strip("\n")
    if pygments is None:
        return f'<div class="highlight"><pre><code>{html.escape(text, quote=False)}</code></pre></div>'
    colored = pygments.highlight(text, pygments.lexers.CppLexer(stripnl=False), pygments.formatters.HtmlFormatter(nowrap=True))
    return f'<div class="highlight"><pre><code>{colored.rstrip()}</code></pre></div>'
