"""Programs as JAX prints them, with inputs and the numbers that JAX computes: tests/programs.

Usage: make_stablehlo_programs.py FOLDER   (jax==0.10.2, on the CPU)
Writes NAME.mlir and NAME.npz (in0, in1, ..., out0, out1, ...) for each function below.
"""
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np


def mlp_step(w0, b0, w1, b1, x, labels):
    def loss(params):
        w0, b0, w1, b1 = params
        hidden = jax.nn.relu(x @ w0 + b0)
        logits = hidden @ w1 + b1
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
        return -jnp.mean(picked)

    value, gradients = jax.value_and_grad(loss)((w0, b0, w1, b1))
    return (value, *[p - 0.1 * g for p, g in zip((w0, b0, w1, b1), gradients)])


def convnet(x, kernel, dense):
    y = jax.lax.conv_general_dilated(x, kernel, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = jax.lax.reduce_window(jnp.tanh(y), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return y.reshape(y.shape[0], -1) @ dense


def convnet_gradient(x, kernel, dense):
    return jax.grad(lambda k: jnp.sum(convnet(x, k, dense) ** 3))(kernel)


def scan_rnn(x, w, h):
    def step(h, row):
        h = jnp.tanh(row + h @ w)
        return h, jnp.sum(h)

    return jax.lax.scan(step, h, x)


def order(x):
    ranks = (x * 1000).astype(jnp.int32)  # JAX sorts floats by a total order, which Cornu does not have
    return jnp.argmax(x, axis=1), jnp.argsort(ranks, axis=1), jnp.cumsum(x, axis=1), jnp.sort(ranks, axis=0)


def indices(table, ids, rows):
    looked_up = table[ids]
    return looked_up, table.at[ids].add(rows), jax.lax.dynamic_update_slice(table, rows[:1], (ids[0], 0))


def branches(x, which):
    return jax.lax.cond(which > 0, lambda v: v * 2, lambda v: -v, x), jnp.where(x > 0, x, x[::-1]), jnp.pad(
        x, (1, 2)), jax.lax.clamp(-0.5, x, 0.5), jax.lax.reduce_precision(x, 5, 7), jnp.concatenate([x, x[1:5:2]])


def bits(x):
    u = jax.lax.bitcast_convert_type(x, jnp.uint32)
    return u ^ (u << 13), jax.lax.population_count(u), x.astype(jnp.bfloat16).astype(jnp.float32), jnp.arange(4) * 3


def special(x):
    return jax.lax.erf(x), jax.nn.sigmoid(x), jnp.expm1(x), jnp.log1p(jnp.abs(x)), jnp.power(jnp.abs(x), 1.5)


def numbers(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


PROGRAMS = {
    "mlp_step": (mlp_step, numbers(4, 8, seed=1), numbers(8, seed=2), numbers(8, 3, seed=3), numbers(3, seed=4),
                 numbers(5, 4, seed=5), np.array([0, 2, 1, 1, 0], np.int32)),
    "convnet": (convnet, numbers(2, 8, 6, 3, seed=1), numbers(3, 3, 3, 4, seed=2), numbers(24, 5, seed=3)),
    "convnet_gradient": (convnet_gradient, numbers(2, 8, 6, 3, seed=1), numbers(3, 3, 3, 4, seed=2), numbers(24, 5, seed=3)),
    "scan_rnn": (scan_rnn, numbers(6, 2, 3, seed=1), numbers(3, 3, seed=2), numbers(2, 3, seed=3)),
    "order": (order, numbers(3, 7, seed=1)),
    "indices": (indices, numbers(6, 3, seed=1), np.array([4, 0, 4], np.int32), numbers(3, 3, seed=2)),
    "branches": (branches, numbers(7, seed=1), np.int32(1)),
    "bits": (bits, numbers(5, seed=1)),
    "special": (special, numbers(9, seed=1)),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, *arguments) in PROGRAMS.items():
        lowered = jax.jit(function).lower(*arguments)
        (folder / f"{name}.mlir").write_text(lowered.as_text())
        results = jax.tree.leaves(jax.jit(function)(*arguments))
        arrays = {f"in{i}": np.asarray(a) for i, a in enumerate(arguments)}
        arrays |= {f"out{i}": np.asarray(r) for i, r in enumerate(results)}
        np.savez(folder / f"{name}.npz", **arrays)


main()
