#!/usr/bin/env python3
"""Checks that doc comments and pages are plain English: openings and words that make a reader go back.

It reads the `///` comments of cornu/ and cli/, docs/*.md, docs/guide/*.md, and the pages at the top (PAGES). In comments the first words count
too: a summary begins with the noun that the function returns or the verb that it does. Code and text in backticks are skipped.

tools/prose_baseline.txt holds the number of findings of each folder or page that has not been rewritten yet. More findings are an error.
Fewer are an error until the number is lowered, so that it never rises again.

Usage: check_prose.py [ROOT] [--all | --lower]
  --all    prints every finding, also those that the baseline allows
  --lower  writes today's counts into the baseline where they are lower
Prints file:line: the words: what to write instead; exits 1 if there is a finding beyond the baseline.
"""
import collections
import glob
import os
import re
import sys

BASELINE = "tools/prose_baseline.txt"
BASELINE_HEAD = ("# Findings of tools/check_prose.py that are left in each folder or page. The numbers only go down:\n"
                 "# tools/check_prose.py --lower writes them.\n")
SOURCE_FOLDERS = ("cornu", "cli")
SOURCE_SUFFIXES = (".h", ".cc", ".inc")
PAGES = ("docs/*.md", "docs/guide/*.md", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md")

# Openings of a `///` comment: (pattern, what to write instead).
OPENINGS = (
    (r"How\b", '"The number of ...", "Seconds until ...", "The order in which ..."'),
    (r"Whether\b", '"True if ..."'),
    (r"Where\b", '"The position of ...", "The folder that ...", or "If ..."'),
    (r"Which\b", '"The rows that ..."'),
    (r"Of\b", "the sentence has no subject; name it"),
    (r"As\b", "the sentence has no subject; say it instead of referring"),
)

PEOPLE = (r"(?:\w+body|anyone|someone|everyone|people|persons?|users?|those|programmers?|engineers?|readers?|authors?|attackers?|"
          r"newcomers?|you|we|they|I)")
# Texts speak in plain English: an error says why, a page says how.
TEXTS = (r"(?:errors?|exceptions?|warnings?|messages?|lines?|sentences?|pages?|guides?|chapters?|sections?|texts?|documents?|documentation|"
         r"specification|decisions?|comments?|notes?|papers?|figures|tables?|columns?|StableHLO|IEEE\s+754|\.md)")

# (pattern, what to write instead, phrases in which the words are right)
WORDS = (
    # A relative clause in place of a noun, as a sentence's subject.
    (r"(?-i:What(?:ever)?)(?!(?:'s)?\b[^.?!|]*\?)", "begin with the noun that it is or returns, or the verb that it does", None),
    # Words in the sense that they have in another language.
    (r"anew", "again", None),
    (r"in\s+front\s+of", "before", None),
    (r"behind", "after, below",
     r"behind\s+(?:an?|the|your|its)\s+(?:\w+\s+)?(?:proxy|firewall|NAT|balancer|gateway|address)\b|\bleft\s+behind|%\s+behind"),
    (r"mend(?:s|ed|ing)?", "fix", None),
    (r"g(?:ive|ives|ave|iven|iving)\s+up", "cancel, evict, release, stop", None),
    (r"dear(?:er|est)?", "expensive", None),
    (r"so\s+many", "the number, with its unit", None),
    (r"of\s+one's\s+own", "custom, your own", None),
    (r"(?:stands?|stood|lies?|lay)\s+(?:in|on|at|by|behind|beside|besides|under|above|below|there|here|outside|inside|between|along|beyond|"
     r"twice|once|alone)", "is, is defined in, is stored in, is listed in", r"\blies?\s+on\s+(?:the|a)\s+(?:line|curve)\b"),
    # Software as persons.
    (r"who", '"which", or name the object', r"\b" + PEOPLE + r",?\s+who\b|\bwho\s+(?:you|I)\b"),
    (r"whoever", "name the object: the caller, any thread", None),
    (r"nobody", "no caller, no thread, nothing; or the passive", None),
    (r"(?:is|are|was|were|be|been|being)\s+told", "receives, is notified, is configured", None),
    (r"says?\s+so", "reports it, states it", TEXTS + r"\s+says?\s+so\b"),
    (r"says?", "prints, states, specifies, sets, reports",
     TEXTS + r"(?:\s+(?:that|which))?(?:\s+(?:then|also|only))?\s+says?\b|\b" + PEOPLE + r"(?:\s+who)?\s+says?\b|"
     r"\bsay,|,\s+say\b|\bsays?\s+so\b"),
    (r"knows?", "has, supports, recognizes, records",
     r"\b" + PEOPLE + r"(?:\s+(?:who|do\s+not|must|should|want\s+to))?\s+knows?\b|\b(?:to|as\s+far\s+as)\s+know\b"),
    (r"meets?", "encounters, reaches, has", r"\bmeets?\s+the\s+(?:aim|limit|goal|deadline|requirements?)\b|\b(?:may|users?)\s+meet\b"),
    # Chains of negations.
    (r"(?:none|nothing|nobody)\s+but", "only", None),
    (r"but\s+for", "except for", None),
    # House words.
    (r"rooms?", "modules, folders", r"\broom\s+(?:for|to|in|of)\b"),
    (r"floors\s+(?:below|above)", "lower layers", None),
    (r"judges?", "oracle, check", None),
    (r"(?:full|test|smoke|unit)\s+rings?", "test tier", None),
    (r"distant", "remote", None),
    (r"kin", "list them, or: and similar", None),
)


def compiled(rules):
    return tuple((re.compile(pattern, flags), advice, *(re.compile(unless, re.IGNORECASE) if unless else None for unless in rest))
                 for pattern, advice, flags, *rest in rules)


OPENINGS = compiled((pattern, advice, 0) for pattern, advice in OPENINGS)
WORDS = compiled((rf"\b{pattern}\b", advice, re.IGNORECASE, unless) for pattern, advice, unless in WORDS)

DOC_LINE = re.compile(r"^(.*?)(?<!/)(///(?!/)<?)[ \t]?(.*)$")
FENCE = re.compile(r"^([ \t]*)(```|~~~).*?^\1\2[^\n]*$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^(?: {4}|\t)(?!\s*[*|-]).*$", re.MULTILINE)
NOT_PROSE = re.compile(r"<!--.*?-->|``.+?``|`[^`]*`|\]\([^)\s]*\)|https?://\S+", re.DOTALL)
QUOTED = re.compile(r'"[^"\n]{1,60}"')


def blank(pattern, text):
    """The text with each match replaced: line breaks stay, all else becomes one character that is no word."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", "\0", match.group()), text)


def doc_comments(source):
    """(line, text) of each block of `///` lines; a comment behind code is a block of its own."""
    blocks = []
    continues = False
    for number, line in enumerate(source.split("\n"), 1):
        match = DOC_LINE.match(line)
        if match is None or '"' in match.group(1):
            continues = False
            continue
        alone = not match.group(1).strip()
        if continues and alone:
            blocks[-1][1].append(match.group(3))
        else:
            blocks.append((number, [match.group(3)]))
        continues = alone
    return [(number, "\n".join(lines)) for number, lines in blocks]


def word_findings(line, text):
    """(line, words, advice) of each finding of WORDS in a text that begins on `line`."""
    text = blank(QUOTED, blank(NOT_PROSE, text))
    found = {}
    for pattern, advice, unless in WORDS:
        right = [match.span() for match in unless.finditer(text)] if unless else []
        for match in pattern.finditer(text):
            inside = any(begin <= match.start() and match.end() <= end for begin, end in right)
            if not inside and not any(begin <= match.start() < end for begin, end in found):
                found[match.span()] = (line + text.count("\n", 0, match.start()), " ".join(match.group().split()), advice)
    return [finding for _, finding in sorted(found.items())]


def source_findings(source):
    findings = []
    for line, text in doc_comments(source):
        for pattern, advice in OPENINGS:
            if match := pattern.match(text):
                findings.append((line, match.group() + " ...", advice))
        findings += word_findings(line, text)
    return findings


def page_findings(page):
    return word_findings(1, blank(INDENTED, blank(FENCE, page)))


def files(root):
    """The paths that are checked, relative to the root, in order."""
    for top in SOURCE_FOLDERS:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith(SOURCE_SUFFIXES):
                    yield os.path.relpath(os.path.join(folder, name), root)
    for pattern in PAGES:
        yield from sorted(os.path.relpath(path, root) for path in glob.glob(os.path.join(root, pattern)))


def key_of(path):
    """The name under which the baseline counts a file: a page, or a folder of sources."""
    return path if path.endswith(".md") else os.path.dirname(path)


def all_findings(root):
    """{key: ["file:line: ..."]} of the tree."""
    found = collections.defaultdict(list)
    for path in files(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        for line, words, advice in (page_findings if path.endswith(".md") else source_findings)(text):
            found[key_of(path)].append(f'{path}:{line}: "{words}": {advice}')
    return found


def read_baseline(root):
    counts = {}
    with open(os.path.join(root, BASELINE), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                key, count = line.rsplit(":", 1)
                counts[key] = int(count)
    return counts


def compare(found, baseline):
    """The messages about keys that have more or fewer findings than the baseline allows."""
    messages = []
    for key in sorted(set(found) | set(baseline)):
        count, allowed = len(found.get(key, ())), baseline.get(key, 0)
        if count > allowed:
            messages += found[key]
            if allowed:
                messages.append(f"{key}: {count} findings, {BASELINE} allows {allowed}; rewrite what is new")
        elif count < allowed:
            messages.append(f"{key}: {count} findings, {BASELINE} has {allowed}; run tools/check_prose.py --lower")
    return messages


def lowered(found, baseline):
    """The text of the baseline with the counts of today where they are lower."""
    counts = {key: min(allowed, len(found.get(key, ()))) for key, allowed in baseline.items()}
    return BASELINE_HEAD + "".join(f"{key}: {count}\n" for key, count in sorted(counts.items()) if count)


def main():
    arguments = sys.argv[1:]
    options = [argument for argument in arguments if argument.startswith("--")]
    roots = [argument for argument in arguments if not argument.startswith("--")]
    if len(roots) > 1 or len(options) > 1 or not set(options) <= {"--all", "--lower"}:
        sys.exit(__doc__)
    root = roots[0] if roots else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    found, baseline = all_findings(root), read_baseline(root)
    if options == ["--all"]:
        baseline = {}
    elif options == ["--lower"]:
        with open(os.path.join(root, BASELINE), "w", encoding="utf-8") as file:
            file.write(lowered(found, baseline))
        baseline = read_baseline(root)
    messages = compare(found, baseline)
    for message in messages:
        print(message)
    if messages:
        sys.exit("prose: not plain, see above (tools/check_prose.py)")
    print(f"prose: fine, {sum(baseline.values())} findings left in {len(baseline)} folders and pages of the baseline")


if __name__ == "__main__":
    main()
