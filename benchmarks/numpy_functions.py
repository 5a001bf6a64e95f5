#!/usr/bin/env python3
"""Fourier transforms and linear algebra on Cornu's plug-in for JAX beside NumPy, alternating in one process.

    python benchmarks/numpy_functions.py [--rounds N] [--only fft,eigh]

Needs jax, numpy and Cornu's wheel. A row has the median times of NumPy (pocketfft, OpenBLAS, on as many threads) and of Cornu, and Cornu's
time over NumPy's. The last line has the median and the largest ratio; the goal is 1.3 for each row.
"""

import argparse
import os
import statistics
import time
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cornu")
os.environ.setdefault("JAX_ENABLE_X64", "1")
warnings.filterwarnings("ignore")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402


def cases(rng):
    """Yields (name, NumPy's function, JAX's function, array)."""
    def complex_array(shape, dtype="complex128"):
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)

    for shape in ((1024,), (65536,), (2047,), (64, 1024), (64, 1023), (64, 2560), (8, 4096)):
        yield f"fft {shape}", np.fft.fft, jnp.fft.fft, complex_array(shape)
        yield f"rfft {shape}", np.fft.rfft, jnp.fft.rfft, rng.normal(size=shape)
        yield f"irfft {shape}", np.fft.irfft, jnp.fft.irfft, complex_array(shape)
    for shape in ((128, 128), (240, 240), (500, 500)):
        yield f"fft2 {shape}", np.fft.fft2, jnp.fft.fft2, complex_array(shape)
    for n in (32, 100, 320):
        for dtype in ("float32", "float64", "complex128"):
            x = complex_array((n, n)) if dtype == "complex128" else rng.normal(size=(n, n)).astype(dtype)
            definite = x @ x.conj().T + n * np.eye(n, dtype=dtype)
            separated = x + n * np.eye(n, dtype=dtype)
            for name in ("inv", "det", "cholesky", "eigh", "svd", "qr"):
                yield (f"{name} {n} {dtype}", getattr(np.linalg, name), getattr(jnp.linalg, name),
                       definite if name in ("cholesky", "eigh") else separated)
            yield (f"solve {n} {dtype}", lambda a: np.linalg.solve(a, a[:, :3]), lambda a: jnp.linalg.solve(a, a[:, :3]), separated)
            yield (f"svdvals {n} {dtype}", lambda a: np.linalg.svd(a, compute_uv=False),
                   lambda a: jnp.linalg.svd(a, compute_uv=False), x)


def seconds(function, argument, calls):
    start = time.perf_counter()
    for _ in range(calls):
        result = function(argument)
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", help="words that begin the names of rows, with commas between them")
    options = parser.parse_args()
    ratios = []
    for name, by_numpy, by_jax, array in cases(np.random.default_rng(1)):
        if options.only and name.split()[0] not in options.only.split(","):
            continue
        compiled, argument = jax.jit(by_jax), jax.device_put(array)
        jax.block_until_ready(compiled(argument))
        calls = max(1, min(50, round(2e-3 / max(seconds(by_numpy, array, 1), 1e-6))))
        times = [(seconds(by_numpy, array, calls), seconds(compiled, argument, calls)) for _ in range(options.rounds)]
        numpy_us, own_us = (1e6 * statistics.median(each) for each in zip(*times))
        ratios.append(own_us / numpy_us)
        print(f"{name:28} {numpy_us:10.1f} {own_us:10.1f} us {ratios[-1]:6.2f}{'  slow' if ratios[-1] > 1.3 else ''}", flush=True)
    print(f"{len(ratios)} rows: median {statistics.median(ratios):.2f}, largest {max(ratios):.2f}, "
          f"{sum(ratio > 1.3 for ratio in ratios)} above 1.3")


if __name__ == "__main__":
    main()
