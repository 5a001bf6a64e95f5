#!/usr/bin/env python3
"""Checks that sources name the standard headers whose names they use.

    python3 tools/check_includes.py [ROOT]          prints a line for each missing header; fails if there is one
    python3 tools/check_includes.py [ROOT] --add    also adds the missing lines to the sources

A build with precompiled headers, or one that compiles several sources at a time, hides a missing header until another build meets it. A header counts as
named if the file itself or one of Cornu's headers that it reaches names it. Looked for are the headers that cmake/PrecompiledHeaders.cmake parses once
for all sources, and a few more that other headers often bring along.
"""

import argparse
import pathlib
import re
import sys

TOP_FOLDERS = ("cornu", "cli", "examples", "benchmarks", "tests", "tools")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

ALGORITHMS = """adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count count_if equal equal_range fill fill_n find find_end
find_first_of find_if find_if_not for_each generate generate_n includes inplace_merge is_partitioned is_permutation is_sorted is_sorted_until
lexicographical_compare lower_bound make_heap max max_element merge min min_element minmax minmax_element mismatch move_backward next_permutation none_of
nth_element partial_sort partition partition_point pop_heap prev_permutation push_heap remove remove_copy_if remove_if replace replace_copy replace_if reverse
reverse_copy rotate rotate_copy sample search set_difference set_intersection set_union shuffle sort sort_heap stable_partition stable_sort swap_ranges
transform unique unique_copy upper_bound""".split()
FUNCTIONS = """bind bind_front cref divides equal_to function greater greater_equal hash identity invoke less less_equal logical_and logical_not logical_or minus
modulus multiplies negate not_fn plus ref""".split()
NUMERIC = "accumulate adjacent_difference exclusive_scan gcd inclusive_scan inner_product iota lcm partial_sum reduce".split()

# Standard header -> names in std (followed by what may follow them) that need it.
NAMES = {
    "algorithm": (ALGORITHMS, r"\s*[(<]"),
    "array": (["array"], r"\b"),
    "atomic": (["atomic", "atomic_bool", "atomic_flag", "atomic_thread_fence", "atomic_ref"], r"\b"),
    "functional": (FUNCTIONS, r"\s*[(<{]"),
    "map": (["map", "multimap"], r"\s*<"),
    "memory": (["unique_ptr", "shared_ptr", "weak_ptr", "make_unique", "make_shared", "enable_shared_from_this"], r"\b"),
    "mutex": (["mutex", "lock_guard", "unique_lock", "scoped_lock", "call_once", "once_flag"], r"\b"),
    "numeric": (NUMERIC, r"\s*[(<]"),
    "optional": (["optional", "nullopt", "make_optional"], r"\b"),
    "set": (["set", "multiset"], r"\s*<"),
    "span": (["span", "as_bytes", "as_writable_bytes"], r"\b"),
    "string": (["string", "to_string", "stoi", "stol", "stoll", "stoull", "stod", "stof"], r"\b"),
    "string_view": (["string_view"], r"\b"),
    "unordered_map": (["unordered_map", "unordered_multimap"], r"\b"),
    "unordered_set": (["unordered_set"], r"\b"),
    "variant": (["variant", "visit", "get_if", "holds_alternative", "monostate"], r"\b"),
    "vector": (["vector"], r"\b"),
}
USES = {header: re.compile(r"\bstd::(?:ranges::)?(?:" + "|".join(names) + ")" + after) for header, (names, after) in NAMES.items()}


def code_of(text):
    """The text without comments; literals stay, so that names of headers do."""
    return COMMENT.sub(lambda match: match.group(0) if match.group(0).startswith('"') else "", text)


def standard_headers(path, codes):
    """The standard headers that the file and Cornu's headers that it reaches name."""
    seen, standard, waiting = set(), set(), [path]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in codes:
            continue
        seen.add(name)
        for quote, included in INCLUDE.findall(codes[name]):
            if quote == "<":
                standard.add(included)
            else:
                beside = str(pathlib.PurePosixPath(name).parent / included)
                waiting.append(beside if beside in codes else included)
    return standard


def missing_of(path, codes):
    """[(header, the name that needs it)] of one file, in the order of headers."""
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', codes[path])
    used = {header: match.group(0) for header, pattern in USES.items() if (match := pattern.search(code))}
    if not used:
        return []
    standard = standard_headers(path, codes)
    return [(header, name.rstrip(" \t\n(<{")) for header, name in sorted(used.items()) if header not in standard]


def with_header(text, header):
    """The text with one more line among its standard headers, in alphabetical order."""
    line = f"#include <{header}>\n"
    standard = [match for match in INCLUDE.finditer(text) if match.group(1) == "<" and "/" not in match.group(2) and not match.group(2).endswith(".h")]
    for match in standard:
        if match.group(2) > header:
            return text[:match.start()] + line + text[match.start():]
    if standard:
        end = text.index("\n", standard[-1].start()) + 1
        return text[:end] + line + text[end:]
    includes = list(INCLUDE.finditer(text))
    own = includes[0] if includes else None
    if own is None:
        return line + "\n" + text
    end = text.index("\n", own.start()) + 1
    return text[:end] + "\n" + line + text[end:]


def sources(root):
    paths = [path for top in TOP_FOLDERS for path in (root / top).rglob("*") if path.suffix in (".h", ".cc", ".cpp")]
    return {path.relative_to(root).as_posix(): code_of(path.read_text(encoding="utf-8")) for path in paths}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--add", action="store_true", help="add the missing lines")
    arguments = parser.parse_args()
    codes = sources(arguments.root)
    count = 0
    for path in sorted(codes):
        for header, name in missing_of(path, codes):
            count += 1
            print(f"{path}: uses {name} without #include <{header}>")
            if arguments.add:
                file = arguments.root / path
                file.write_text(with_header(file.read_text(encoding="utf-8"), header), encoding="utf-8")
    if count:
        print(f"{count} missing headers; python3 tools/check_includes.py --add adds them, then make format", file=sys.stderr)
        return 1
    print(f"{len(codes)} files name the standard headers that they use")
    return 0


if __name__ == "__main__":
    sys.exit(main())
