"""Arrays as NumPy prints them, in tests/goldens/printing.txt.

A case is a line "dtype shape values", the number of the text's lines, and the text.
"""

import pathlib

import numpy as np

NAMES = {"float32": "f32", "float64": "f64", "float16": "f16", "int32": "i32", "int64": "i64", "uint8": "ui8", "bool": "i1",
         "complex64": "complex<f32>", "complex128": "complex<f64>"}


lines = []


def show(array, dtype="float32"):
    array = np.asarray(array, dtype=dtype)
    shape = ",".join(str(extent) for extent in array.shape) or "-"
    numbers = array.ravel()
    if array.dtype.kind == "c":  # the real and the imaginary part of each
        numbers = numbers.view("f4" if array.dtype == np.complex64 else "f8")
    values = " ".join(str(value) if numbers.dtype.kind == "f" else str(int(value)) for value in numbers)
    text = str(array)
    lines.extend([f"{NAMES[array.dtype.name]} {shape} {values}".rstrip(), str(text.count("\n") + 1), text])


def main():
    random = np.random.default_rng(0)
    for dtype in ("float32", "float64", "float16"):
        for value in (0, -0.0, 1, 0.1, -2.5, 1e-4, 1e-5, 123456.789, 1e16, 1e10, 1 / 3, np.nan, np.inf, -np.inf):
            with np.errstate(over="ignore"):
                show(value, dtype)
        show([1, 2.5, -3], dtype)
        show([0.1, 0.2, 0.3], dtype)
        show([1e-5, 1], dtype)
        show([1.5e-5, 1, -200], dtype)
        show([1, 1001], dtype)
        show([1, 999.5], dtype)
        show([np.nan, 1, -np.inf], dtype)
        show([np.nan, np.inf], dtype)
        show([np.nan, 1e-9 if dtype != "float16" else 1e-5], dtype)
        show([0, 0], dtype)
        show([1 / 3, 2 / 3, 1e4], dtype)
        show([[1, 2], [3.25, -4]], dtype)
    show([1e10, -1e-10, 0, np.inf])
    show([1e100, 1, np.nan], "float64")
    show([1e-300, -1e-5], "float64")
    show([123456789.0, 1.0])
    show([99999999.0, 12345678.0])
    show([0.12345678901234567, 3.0], "float64")
    show([1.123456785, 0.00012345], "float64")
    show([0.0001, 0.09])
    show(random.normal(size=(3, 4)))
    show(random.normal(size=(2, 3, 4)))
    show(random.normal(size=(2, 2, 2, 2)))
    show(random.normal(size=(30,)))
    show(random.normal(size=(2, 30)))
    show(np.arange(1200) % 97 / 8)
    show((np.arange(1200) % 97 / 16).reshape(40, 30))
    show((np.arange(1280) % 89 / 4).reshape(8, 8, 20))
    show(np.arange(1200).reshape(2, 600), "int32")
    show(np.arange(1001), "int64")
    show(np.arange(300).reshape(3, 100), "int32")
    show([[1, -20], [300, 4]], "int32")
    show([2**62, -1], "int64")
    show([0, 255], "uint8")
    show(7, "int32")
    show([True, False], "bool")
    show([[True], [True]], "bool")
    show(True, "bool")
    show(np.arange(1200) % 3 == 0, "bool")
    show(np.zeros((0,)))
    show(np.zeros((2, 0, 3)))
    show(np.zeros((1, 1)))
    for dtype in ("complex64", "complex128"):
        for value in (0, 1, -2.5j, 1 - 1j, 0.1 + 1e-5j, 3 + 1e20j, complex(-0.0, 2), complex(np.nan, -np.inf)):
            show(value, dtype)
        show([1 + 2j, -3.5 + 10j, 0.25 - 1j], dtype)
        show([[1j, 2], [1000.5, -0.125j]], dtype)
        show([1e10 + 1e-3j, 1 - 1j], dtype)
        show([complex(np.nan, 1), complex(1, np.inf), -2 - 3j], dtype)
    show(random.normal(size=(4, 5)) + 1j * random.normal(size=(4, 5)), "complex64")
    show((np.arange(1200) % 97 / 8) * (1 - 2j), "complex128")
    path = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens" / "printing.txt"
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
