"""Numbers of small floats as ml_dtypes has them: cornu/ir/small_types_values_test_support.h.

Usage: small_floats.py PATH   (ml_dtypes==0.5, numpy)
"""
import pathlib
import sys

import ml_dtypes
import numpy as np

TYPES = {
    "kF4E2M1FN": ml_dtypes.float4_e2m1fn, "kF6E2M3FN": ml_dtypes.float6_e2m3fn, "kF6E3M2FN": ml_dtypes.float6_e3m2fn,
    "kF8E3M4": ml_dtypes.float8_e3m4, "kF8E4M3": ml_dtypes.float8_e4m3, "kF8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "kF8E4M3FN": ml_dtypes.float8_e4m3fn, "kF8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "kF8E5M2": ml_dtypes.float8_e5m2,
    "kF8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz, "kF8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}


def inputs(decoded):
    """The middles between neighbours, numbers beside these, and special ones, as f32."""
    finite = np.unique(np.abs(decoded[np.isfinite(decoded)])).astype(np.float32)
    middles = (finite[1:] + finite[:-1]) / np.float32(2)
    largest = finite[-1]
    if len(middles) > 100:
        middles = middles[::3]
    special = np.array([largest * 1.02, largest * 1.07, largest * 1.6, np.inf, 3e38, 1e-45, 0, 1], np.float32)
    return np.concatenate([middles, np.nextafter(middles, np.float32(0)), np.nextafter(middles, np.float32(np.inf)), special, -special,
                           -middles[::5], [np.float32(np.nan)]])


def main():
    parts = ['#pragma once\n\n#include <cstdint>\n#include <span>\n\n#include "cornu/ir/dtype.h"\n\n/// Written by tools/goldens/small_floats.py from '
             'ml_dtypes.\nnamespace cornu::inline v0::ir {\n\n// clang-format off\n\n/// Bits of f32 and the bits of the small float to which they are '
             'rounded.\nstruct SmallFloatRounding {\n  std::uint32_t from;\n  std::uint8_t to;\n};\n\n/// The bits '
             'of f32 of each code, in order.\nstruct SmallFloatCodes {\n  DType dtype;\n  std::uint32_t values[256];\n};\n']
    codes, roundings = [], []
    for name, dtype in TYPES.items():
        width = int(name[2])
        decoded = np.arange(2 ** width, dtype=np.uint8).view(dtype).astype(np.float32)
        bits = [0x7FC00000 if np.isnan(v) else int(v.view(np.uint32)) for v in decoded]
        lines = ",\n      ".join(", ".join(hex(b) for b in bits[i:i + 8]) for i in range(0, len(bits), 8))
        codes.append(f"    {{DType::{name},\n     {{{lines}}}}}")
        x = inputs(decoded)
        if name == "kF8E8M0FNU":  # ml_dtypes rounds subnormal f32 otherwise than normal ones
            x = x[~(np.abs(x) < 2.0**-126) | (x == 0)]
        y = x.astype(dtype).view(np.uint8)
        pairs = [f"{{{hex(int(a.view(np.uint32)))}, {hex(int(b))}}}" for a, b in zip(x, y)]
        lines = ",\n".join("    " + ", ".join(pairs[i:i + 5]) for i in range(0, len(pairs), 5))
        parts.append(f"inline constexpr SmallFloatRounding {name}Roundings[] = {{\n{lines}}};\n")
        roundings.append(f"    {{DType::{name}, {name}Roundings}}")
    parts.append("inline constexpr SmallFloatCodes kSmallFloatCodes[] = {\n" + ",\n".join(codes) + "};\n")
    parts.append("struct SmallFloatRoundings {\n  DType dtype;\n  std::span<const SmallFloatRounding> rows;\n};\n")
    parts.append("inline constexpr SmallFloatRoundings kSmallFloatRoundings[] = {\n" + ",\n".join(roundings) + "};\n")
    parts.append("// clang-format on\n\n}  // namespace cornu::inline v0::ir\n")
    pathlib.Path(sys.argv[1]).write_text("\n".join(parts))


main()
