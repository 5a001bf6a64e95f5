"""Hooks of MkDocs: which pages there are, the navigation, links of pages, what the search prefers."""
import copy
import json
import os
import re
import sys
import textwrap

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.structure.nav import Section

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import front_page  # noqa: E402
import links  # noqa: E402

ROOT = links.ROOT
# Pages from outside docs/, by their place in the site.
OUTSIDE = {"project/contributing.md": "CONTRIBUTING.md", "project/changelog.md": "CHANGELOG.md", "project/security.md": "SECURITY.md",
           "project/examples.md": "examples/README.md"}
PROJECT = [{"Contributing": "project/contributing.md"}, {"Changes": "project/changelog.md"}, {"Versions": "versioning.md"},
           {"Known issues": "known_issues.md"}, {"Plans": "dev/status.md"}, {"Security": "project/security.md"},
           {"The documents, run": "documents.md"}, {"The documents in full size": "documents_full.md"}, {"Operations of StableHLO": "ops.md"}]
DECISION = re.compile(r"\bdocs/adr/(\d{4})\b")
# A page's weight in the search, by the beginning of its path; 0: it is not in it.
BOOSTS = (("guide/README.md", 0.5), ("guide/", 3), ("reference/", 2), ("performance.md", 2), ("comparison.md", 2), ("project/examples.md", 1), ("adr/", 0), ("dev/", 0),
          ("", 0.3))
FENCED = re.compile(r"^(```\w+\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)  # excerpts have the program's indentation
SMALL = "reference/layers-core/"
problems, in_navigation, subjects = [], set(), {}  # subjects of each chapter, which the search knows as its tags


def is_left_out(uri, config):
    """True for most pages of the reference and the decisions in a small site, which tests make in seconds (test_site.sh --small)."""
    return config.extra["small"] and (uri.startswith("adr/") or uri.startswith("reference/") and not uri.startswith(("reference/index.", SMALL)))


def reference_nav(config):
    with open(os.path.join(config.extra["reference"], "nav.json"), encoding="utf-8") as file:
        nav = [group for group in json.load(file) if not is_left_out("reference/" + group[1], config)]
    in_navigation.update("reference/" + path for _, _, pages in nav for _, path in pages)
    return [{group: ["reference/" + index] + [{title: "reference/" + path} for title, path in pages]} for group, index, pages in nav]


def titled(folder):
    """The pages of a folder of docs/, by their first line."""
    found = []
    for name in sorted(os.listdir(os.path.join(ROOT, "docs", folder))):
        if name.endswith(".md") and name not in ("README.md", "0000-template.md", "status.md"):
            title = re.search(r"^# (.+)", links.read(os.path.join(ROOT, "docs", folder, name)), re.MULTILINE).group(1)
            found.append({title.replace("`", ""): f"{folder}/{name}"})
    return found


def comparison():
    """The page beside other libraries, where there is one."""
    return [{"Comparison": "comparison.md"}] if os.path.exists(os.path.join(ROOT, "docs", "comparison.md")) else []


def decisions(config):
    return [] if config.extra["small"] else [{"Decisions": ["adr/README.md"] + titled("adr")}]


def on_config(config):
    groups = links.guide_groups(links.read(os.path.join(ROOT, "docs", "guide", "README.md")))
    guide = [{group: [{title: f"guide/{page}"} for title, page, _ in chapters]} for group, chapters in groups]
    subjects.update({f"guide/{page}": words for _, chapters in groups for _, page, words in chapters})
    config.nav = [{"Home": "index.md"}, {"Guide": ["guide/README.md"] + guide}, {"Examples": "project/examples.md"},
                  {"Performance": "performance.md"}, *comparison(), {"Reference": ["reference/index.md"] + reference_nav(config)},
                  {"Project": PROJECT + [{"Development": titled("dev")}, *decisions(config)]}]
    return config


def on_files(files, config):
    for file in [file for file in files if is_left_out(file.src_uri, config)]:
        files.remove(file)
    files.append(File.generated(config, "index.md", content=front_page.page(ROOT)))
    for uri, path in OUTSIDE.items():
        files.append(File.generated(config, uri, content=links.read(os.path.join(ROOT, path))))
    folder = config.extra["reference"]
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if name.endswith(".md") and not is_left_out("reference/" + os.path.relpath(path, folder), config):
                files.append(File.generated(config, "reference/" + os.path.relpath(path, folder), content=links.read(path)))
    return files


def repository_path(uri):
    return OUTSIDE.get(uri, "docs/" + uri)


def site_uri(path, files):
    """A file of the repository as a page of the site; None if the site does not have it."""
    path = {"README.md": "docs/index.md", "docs/adr": "docs/adr/README.md", "docs/guide": "docs/guide/README.md"}.get(path, path)
    uri = next((uri for uri, outside in OUTSIDE.items() if outside == path), path.removeprefix("docs/"))
    file = files.get_file_from_path(uri)
    return uri if file and not file.inclusion.is_excluded() and (path in OUTSIDE.values() or path.startswith("docs/")) else None


def relinked(text, uri, files):
    """Links between files of the repository as links of the site; those to sources become text."""
    source = repository_path(uri)

    def link(match):
        title, target = match.groups()
        if re.match(r"\w+:|#", target):
            return match.group()
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(source), path))
        page = site_uri(path, files)
        if page is not None:
            return f"[{title}]({os.path.relpath(page, os.path.dirname(uri) or '.')}{'#' + anchor if anchor else ''})"
        if not os.path.exists(os.path.join(ROOT, path)):
            problems.append(f"{source}: there is no {target}")
        return title

    def decision(match):
        name = next((os.path.basename(file.src_uri) for file in files.documentation_pages() if file.src_uri.startswith(f"adr/{match.group(1)}-")), None)
        return f"[{match.group()}]({os.path.relpath('adr/' + name, os.path.dirname(uri) or '.')})" if name else match.group()

    text = FENCED.sub(lambda match: match.group(1) + textwrap.dedent(match.group(2)), text)
    parts = []
    for part, is_code in links.split_code(text):
        # Brackets of prose that are no links keep their numbers of decisions as links.
        parts.append(part if is_code else links.LINK.sub(link, part) if "](" in part else DECISION.sub(decision, part))
    return "".join(parts)


def has_shorter(uri):
    """True for AdamW beside Adam: the shorter name comes first."""
    name = uri.removesuffix(".md")
    return any(name.startswith(other) for other in (each.removesuffix(".md") for each in in_navigation) if other != name)


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    boost = next(boost for start, boost in BOOSTS if uri.startswith(start))
    if uri.startswith("reference/") and (uri.endswith("_functions.md") or uri not in in_navigation or has_shorter(uri)):
        boost /= 2
    page.meta.setdefault("search", {"boost": boost} if boost else {"exclude": True})
    if subjects.get(uri):
        page.meta["tags"] = subjects[uri]
    return markdown if uri.startswith("reference/") or uri == "index.md" else relinked(markdown, uri, files)


def on_env(env, config, files):
    if problems:
        raise PluginError("\n".join(problems))
    return env


def on_post_page(output, page, config):
    """Without the indentation of the theme's templates a page is half as large."""
    parts = re.split(r"(<pre.*?</pre>)", output, flags=re.DOTALL)
    return "".join(part if part.startswith("<pre") else re.sub(r"\s*\n\s*", "\n", part) for part in parts)


def pruned(section):
    """A copy of a section whose long sections without the current page have their index only."""
    section = copy.copy(section)
    section.children = [pruned(child) if isinstance(child, Section) else child for child in section.children]
    if section.children[0].is_index and not section.active:
        section.children = section.children[:1]
    return section


def on_page_context(context, page, config, nav):
    """In the reference and the decisions only the group of the page at hand has its pages in the navigation; else each page would have all."""
    nav = copy.copy(nav)
    nav.items = [pruned_below(item) if isinstance(item, Section) and item.title in ("Reference", "Project") else item for item in nav.items]
    context["nav"] = nav
    return context


def pruned_below(section):
    section = copy.copy(section)
    section.children = [pruned(child) if isinstance(child, Section) else child for child in section.children]
    return section
