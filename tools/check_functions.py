#!/usr/bin/env python3
"""Checks that functions fit a screen: at most 60 lines from the signature to the closing brace. The lines of initializer lists (tables)
do not count; lambdas belong to the function around them.

Usage: check_functions.py [ROOT]. Prints file:line: message for each breach; exits 1 if there is one.
"""
import os
import re
import sys

from check_layers import find_sources

MAX_LINES = 60

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b[^()=;]*(?:\([^()]*\)[^()=;]*)?$")
SIGNATURE = re.compile(r"(\w+)\s*=\s*\[|([~\w]+|operator\s*\S+)\s*\(")
BEFORE_SIGNATURE = re.compile(r"(?:\s|(?:public|protected|private)\s*:)*")
WORD_BEFORE_BLOCK = re.compile(r"\b(?:const|noexcept|override|final|mutable|else|do|try)$")


def without_text(code):
    """The code with comments, literals and directives blanked; lines stay where they are."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return DIRECTIVE.sub(blank, NOT_CODE.sub(lambda match: blank(match) if match.group()[0] == "/" else '""' + blank(match)[2:], code))


def closing_braces(code):
    """{position of a brace: position of the one that closes it}"""
    closes, open_ones = {}, []
    for match in re.finditer(r"[{}]", code):
        if match.group() == "{":
            open_ones.append(match.start())
        elif open_ones:
            closes[open_ones.pop()] = match.start()
    return closes


def is_block(before):
    """Whether a brace after this text, in a function, opens statements; else it opens an initializer list."""
    before = before.rstrip()
    if not before or before[-1] in ";{}:":
        return True
    if WORD_BEFORE_BLOCK.search(before):
        return True
    if re.search(r"\)\s*(?:->\s*[\w:<>*&, ]+)?$", before):
        return True
    return bool(re.search(r"\]\s*$", before)) and bool(re.search(r"[=(,]\s*\[[^\[\]]*\]\s*$", before))  # a lambda without parameters


def lines_of_tables(code, begin, end, closes):
    """The lines between the braces of the initializer lists in code[begin:end]."""
    lines = 0
    position = begin
    while (found := code.find("{", position, end)) >= 0:
        position = found + 1
        if not is_block(code[max(begin, found - 400):found]):
            lines += max(0, code.count("\n", found, closes[found]) - 1)
            position = closes[found]
    return lines


def bodies(code, closes):
    """(position of the signature, name, position of the opening brace) of every function that the code defines."""
    found = []
    start = position = 0  # of the declaration that is being read
    while match := re.compile(r"[;{}]").search(code, position):
        at, kind = match.start(), match.group()
        position = at + 1
        header = code[start:at]
        if kind != "{":
            start = position
        elif SCOPE.search(header) and "=" not in re.sub(r"<[^<>]*>", "", header):
            start = position  # its declarations follow
        elif at not in closes:
            break
        elif (signature := SIGNATURE.search(header)) and is_body(code, header, closes[at]):
            first = start + BEFORE_SIGNATURE.match(header).end()
            found.append((first, signature.group(1) or signature.group(2), at))
            start = position = closes[at] + 1
        else:
            position = closes[at] + 1  # an initializer: of a variable, or of a member before a constructor's body
    return found


def functions(text):
    """(line, name, number of lines) of every function that the text defines."""
    code = without_text(text)
    closes = closing_braces(code)
    return [(code.count("\n", 0, first) + 1, name,
             code.count("\n", first, closes[brace]) + 1 - lines_of_tables(code, brace + 1, closes[brace], closes))
            for first, name, brace in bodies(code, closes)]


def without_parentheses(code):
    """The code without what stands in parentheses, however deep: default arguments do."""
    while (shorter := re.sub(r"\([^()]*\)", "", code)) != code:
        code = shorter
    return code


def is_body(code, header, end):
    """Whether a brace after this header, closed at `end`, holds statements."""
    outside = re.sub(r"\[[^\[\]]*\]", "", header)
    if re.search(r"(?<![=!<>+\-*/|&^%])=(?!=)", without_parentheses(re.sub(r"operator\s*\S+\s*\(", "(", outside))):
        return "](" in header.replace(" ", "") or header.rstrip().endswith("]")  # a lambda with a name
    # `: member_{value}, ... {` and `Type name{value};` are initializers.
    return not re.search(r"[\w>]$", header.rstrip()) or bool(WORD_BEFORE_BLOCK.search(header.rstrip())) or \
        bool(re.search(r"->\s*[\w:<>*&, ]+$", header)) or not re.match(r"\s*[,{;]", code[end + 1:end + 40])


def check(root):
    errors = []
    for path in find_sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for line, name, lines in functions(file.read()):
                if lines > MAX_LINES:
                    errors.append(f"{path}:{line}: {name} has {lines} lines without its tables; split it (at most {MAX_LINES})")
    return errors


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    errors = check(root)
    for error in errors:
        print(error)
    if errors:
        sys.exit(f"functions: {len(errors)} are too long (tools/check_functions.py)")
    print("functions: fine")


if __name__ == "__main__":
    main()
