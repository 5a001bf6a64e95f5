"""The identifiers that C++ headers declare, with the namespaces and classes around them: "cornu::keras::layers::Dense".

By patterns and braces, not by a compiler: enough for headers in the form of clang-format. Inline namespaces are left out, and bodies of functions.
"""

import re

# Comments, texts, directives and what opens, ends or closes a declaration.
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*|[{};]""", re.MULTILINE | re.DOTALL)
NAMESPACE = re.compile(r"\bnamespace\s+([\w:\s]+)$")
CLASS = re.compile(r"\b(?:class|struct|union|enum(?: class)?)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?:\s+final)?\s*(?::[^:].*)?$", re.DOTALL)
IN_FRONT = re.compile(r"\btemplate\s*<[^{};]*?>\s*(?=class|struct|using|inline|constexpr|friend|[\w:]+[ &*]|requires)", re.DOTALL)
ALIAS = re.compile(r"^\s*using\s+(\w+)\s*=")
USED = re.compile(r"^\s*using\s+(?:[\w:]+::)?(\w+)\s*$")
FUNCTION = re.compile(r"(\w+)\s*\(")
VARIABLE = re.compile(r"(\w+)\s*(?:=.*)?$", re.DOTALL)
NO_NAMES = {"if", "for", "while", "switch", "return", "requires", "decltype", "noexcept", "sizeof", "explicit", "alignas", "static_assert", "operator", "concept"}


def names_in(statement):
    """The identifiers that one declaration without its body introduces."""
    statement = statement.strip()
    for pattern in (ALIAS, USED):
        if found := pattern.match(IN_FRONT.sub("", statement)):
            return [found[1]]
    if found := CLASS.search(statement):
        return [found[1]]
    functions = [name for name in FUNCTION.findall(statement) if name not in NO_NAMES]
    if functions:
        return functions[:2]  # the second where the first is a macro or an attribute
    found = VARIABLE.search(statement)
    return [found[1]] if found else []


def declared_paths(text):
    """The set of full paths in the text of a header."""
    paths, scopes, start = set(), [], 0  # scopes: the prefix of each open brace, None in a body
    statement = ""
    for token in TOKEN.finditer(text):
        statement += text[start:token.start()]
        start = token.end()
        mark = token[0]
        if mark not in "{};":
            continue
        prefix = scopes[-1] if scopes else ""
        if mark == "}":
            if scopes:
                scopes.pop()
            statement = ""
            continue
        if prefix is not None:
            if mark == "{" and (found := NAMESPACE.search(statement)):
                parts = [part.strip() for part in found[1].split("::")]
                scopes.append(prefix + "".join(f"{part}::" for part in parts if not part.startswith("inline ")))
                statement = ""
                continue
            names = names_in(statement)
            paths |= {prefix + name for name in names}
            if mark == "{":
                scopes.append(f"{prefix}{names[0]}::" if names and CLASS.search(statement) else None)
        elif mark == "{":
            scopes.append(None)
        statement = ""
    return paths
