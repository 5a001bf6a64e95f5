"""Programs as JAX prints them, with the gradients that JAX computes: tests/programs/gradients.

Usage: make_gradient_programs.py FOLDER   (jax==0.10.2, on the CPU)
Writes NAME.mlir and NAME.npz for each function below: in0, in1, ... are its arguments, and last, where the
result is no scalar, the cotangent; out0, out1, ... are the gradients of the first result by the floating-point
arguments.
"""
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np


def classify(w0, b0, w1, b1, x, labels):
    hidden = jax.nn.gelu(x @ w0 + b0)
    picked = jnp.take_along_axis(jax.nn.log_softmax(hidden @ w1 + b1), labels[:, None], axis=1)
    return -jnp.mean(picked)


def convolve(x, kernel, dense):
    y = jax.lax.conv_general_dilated(x, kernel, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = jax.lax.reduce_window(jnp.tanh(y), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jnp.sum((y.reshape(y.shape[0], -1) @ dense) ** 3), y


def attend(q, k, v):
    weights = jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k) / 2.0)
    return jnp.einsum("bqk,bkd->bqd", weights, v)


def unused(x, y):
    return jnp.sum(jnp.where(x > 0, jnp.exp(-x), jnp.log1p(x * x)))


def numbers(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


PROGRAMS = {
    "classify": (classify, numbers(4, 8, seed=1), numbers(8, seed=2), numbers(8, 3, seed=3), numbers(3, seed=4),
                 numbers(5, 4, seed=5), np.array([0, 2, 1, 1, 0], np.int32)),
    "convolve": (convolve, numbers(2, 8, 6, 3, seed=1), numbers(3, 3, 3, 4, seed=2), numbers(24, 5, seed=3)),
    "attend": (attend, numbers(2, 3, 4, seed=1), numbers(2, 5, 4, seed=2), numbers(2, 5, 4, seed=3)),
    "unused": (unused, numbers(7, seed=1), numbers(2, seed=2)),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, *arguments) in PROGRAMS.items():
        lowered = jax.jit(function, keep_unused=True).lower(*arguments)
        (folder / f"{name}.mlir").write_text(lowered.as_text())
        wrt = [i for i, a in enumerate(arguments) if np.issubdtype(a.dtype, np.floating)]

        def first(*floats):
            given = list(arguments)
            for i, a in zip(wrt, floats):
                given[i] = a
            return jax.tree.leaves(function(*given))[0]

        result, pull_back = jax.vjp(first, *[arguments[i] for i in wrt])
        cotangent = np.ones_like(result) if result.ndim == 0 else numbers(*result.shape, seed=9)
        inputs = arguments if result.ndim == 0 else [*arguments, cotangent]
        arrays = {f"in{i}": np.asarray(a) for i, a in enumerate(inputs)}
        arrays |= {f"out{i}": np.asarray(g) for i, g in enumerate(pull_back(cotangent))}
        np.savez(folder / f"{name}.npz", **arrays)


main()
