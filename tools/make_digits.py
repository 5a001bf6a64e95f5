#!/usr/bin/env python3
"""Makes the two IDX files of examples/05_digits from scikit-learn's digits.csv.gz (in its wheel: sklearn/datasets/data).

Usage: make_digits.py DIGITS.CSV.GZ

A row of the file is 64 pixels from 0 to 16 and the digit; the order of the rows stays.
"""
import gzip
import pathlib
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "examples" / "05_digits"


def write_idx(name, dims, values):
    header = struct.pack(">HBB", 0, 8, len(dims)) + struct.pack(f">{len(dims)}I", *dims)
    path = FOLDER / name
    path.write_bytes(gzip.compress(header + bytes(values), mtime=0))
    print(f"{path}: {path.stat().st_size} bytes")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with gzip.open(sys.argv[1], "rt", encoding="ascii") as file:
        rows = [[int(float(value)) for value in line.split(",")] for line in file if line.strip()]
    if any(len(row) != 65 for row in rows):
        sys.exit(f"{sys.argv[1]}: not 65 numbers a row")
    write_idx("digits-images-idx3-ubyte.gz", (len(rows), 8, 8), [pixel for row in rows for pixel in row[:64]])
    write_idx("digits-labels-idx1-ubyte.gz", (len(rows),), [row[64] for row in rows])


if __name__ == "__main__":
    main()
