#!/usr/bin/env python3
"""Chooses small cases of every kind for the default tests.

Usage: choose.py RECORDED... CHOSEN

RECORDED are files of record.py and random_models.py; only the last have cases of "fit", which are larger.

The smallest cases come first; of one class, or one function of keras.ops, no more than LARGEST_SHARE, and of random results few, since each takes 400 calls.
"""

import collections
import json
import sys

BYTES = 800_000
LARGEST_CASE, LARGEST_FIT = 6_000, 20_000
LARGEST_SHARE = {"layer": 6, "op": 1, "loss": 3, "metric": 3, "optimizer": 3, "schedule": 2, "training": 3, "fit": 5}
MOST_RANDOM = 12
WITHOUT_NAMES = ("IndexLookup", "TFDConcat", "TFDIdentity")  # classes that only Keras itself makes
# Parts of the names of cases that were refused or different once, or of a kind that is rare.
MENDED = ["multiply_with_mask", "test_rearrange", "RearrangeTest", "test_logical_and", "test_vander", "test_corrcoef", "test_correlate", "test_array#", "test_full#1",
          "MathOpsCorrectnessTest::test_fft", "MathOpsCorrectnessTest::test_rfft0", "EqualizationTest::test_layer", "test_unique", "RandomPosterizationTest::test_layer", "channels_first_and_vector_scale",
          "test_named_input_dict_io#4", "test_set_vocabulary", "AutoContrastTest::test_layer", "test_random_flip_random_flip_horizontal", "dict_outputs_with_single_tensor", "dict_losses_with_undefined_loss", "list_outputs_nested_list_losses"]


def subject(case):
    return case.get("function") or case["object"]["class_name"]


def is_fit(line):
    return '"kind":"fit"' in line[:100]


def lines_of(path):
    with open(path) as file:
        return [line for line in file if len(line) < (LARGEST_FIT if is_fit(line) else LARGEST_CASE)]


def main():
    lines = sorted((line for path in sys.argv[1:-1] for line in lines_of(path)), key=len)
    chosen, size, counts, num_random = [], 0, collections.Counter(), 0
    for line in lines:
        case = json.loads(line)
        if subject(case) in WITHOUT_NAMES:
            continue
        key = (case["kind"], subject(case))
        is_full = counts[key] >= LARGEST_SHARE.get(case["kind"], 3) or (size + len(line) > BYTES and not is_fit(line))
        is_mended = any(name in case["id"] for name in MENDED)
        if is_full and not is_mended:
            continue
        if "moments" in case:
            num_random += 1
            if num_random > MOST_RANDOM and not is_mended:
                continue
        counts[key] += 1
        size += len(line)
        chosen.append(line)
    with open(sys.argv[-1], "w") as file:
        file.writelines(sorted(chosen))
    print(f"{len(chosen)} cases, {size} bytes")


if __name__ == "__main__":
    main()
