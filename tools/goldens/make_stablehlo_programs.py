"""Programs as JAX prints them, with inputs and the numbers that JAX computes: tests/programs.

Usage: make_stablehlo_programs.py FOLDER [NAME...]   (jax==0.10.2, on the CPU)
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
    ranks = (x * 1000).astype(jnp.int32)
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


def vjps(functions, *arguments):
    """Each function's value and its gradients, for a cotangent of all ones."""
    results = []
    for function in functions:
        value, pull = jax.vjp(function, *arguments)
        results += [value, *pull(jnp.ones_like(value))]
    return tuple(results)


def sorts(x, special):
    values, positions = jax.lax.top_k(x, 3)
    keys, payload = jax.lax.sort((special, jnp.arange(special.size)), num_keys=1)
    return (jnp.sort(x, axis=0), jnp.argsort(x, axis=1), jnp.sort(x, descending=True), jnp.median(x, axis=1), values,
            positions, jnp.percentile(x, 30.0), jnp.searchsorted(jnp.sort(x[0]), x[1]), jnp.sort(special),
            jnp.argsort(special), keys, payload, jax.lax.sort((x.astype(jnp.int32), x), num_keys=2)[1],
            jax.grad(lambda v: jnp.sum(jnp.sort(v) * jnp.arange(7.0)))(x),
            jax.grad(lambda v: jnp.sum(jax.lax.top_k(v, 3)[0] ** 2))(x))


def random_words(key):
    def bits(key, shape, dtype, algorithm):
        return jax.lax.rng_bit_generator(key, shape, dtype, algorithm=algorithm)

    three_fry, philox = jax.lax.RandomAlgorithm.RNG_THREE_FRY, jax.lax.RandomAlgorithm.RNG_PHILOX
    results = []
    for shape in ((), (5,), (3, 4), (3, 5, 7)):
        for dtype in (jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64):
            results += [*bits(key, shape, dtype, three_fry), *bits(key, shape, dtype, philox)]
    return (*results, *bits(key, (6,), jnp.uint32, jax.lax.RandomAlgorithm.RNG_DEFAULT))


def chlo(x, positive, large):
    def all_of(functions, v):
        return vjps(functions, v)

    return (*all_of([jnp.arcsin, jnp.arccos, jnp.arctan, jnp.arctanh, jnp.square], x),
            *all_of([jnp.sinh, jnp.cosh, jnp.arcsinh, jax.lax.bessel_i1e], large),
            *all_of([jnp.arccosh, jnp.tan], positive + 1), jnp.nextafter(x, large), jnp.nextafter(large, jnp.inf),
            *vjps([jnp.tan], x), jax.lax.zeta(positive + 1, positive),
            *vjps([lambda v: jax.lax.polygamma(jnp.full_like(v, 2.0), v)], positive))


def products(x, y, i, j):
    def dot(preset):
        return lambda a, b: jax.lax.dot(a, b, precision=preset)

    half, other = x.astype(jnp.bfloat16), y.astype(jnp.bfloat16)
    presets = jax.lax.DotAlgorithmPreset
    return (jax.lax.dot(i, j, preferred_element_type=jnp.int32), jax.lax.dot(half, other, preferred_element_type=jnp.float32),
            jax.lax.dot(x, y, preferred_element_type=jnp.float32, precision="highest"),
            *vjps([dot(presets.F32_F32_F32)], x, y),
            jax.lax.conv(i[None, None], j.T[None, None, :2, :2], (1, 1), "SAME", preferred_element_type=jnp.int32),
            *vjps([jax.checkpoint(lambda a, b: jnp.sin(a @ b))], x, y), jnp.round(x, 1), jnp.exp2(x), jnp.clip(x, -1, 1))


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
    "sorts": (sorts, numbers(4, 7, seed=1), np.array([1, np.nan, -0.0, 0.0, -np.inf, np.inf, -2, 3, 0.0, -0.0, -np.nan, 1e-40], np.float32)),
    "random_words": (random_words, np.array([1, 7, 0xFFFFFFFE, 0xFFFFFFFF], np.uint32)),
    "chlo": (chlo, numbers(40, seed=1) / 4, np.abs(numbers(40, seed=2)) + 0.3, numbers(40, seed=3) * 8),
    "products": (products, numbers(3, 4, seed=1), numbers(4, 5, seed=2), np.arange(12, dtype=np.int8).reshape(3, 4) - 5, np.arange(20, dtype=np.int8).reshape(4, 5) * 6),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, *arguments) in PROGRAMS.items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        jax.config.update("jax_enable_x64", name == "random_words")
        lowered = jax.jit(function).lower(*arguments)
        (folder / f"{name}.mlir").write_text(lowered.as_text())
        results = jax.tree.leaves(jax.jit(function)(*arguments))
        arrays = {f"in{i}": np.asarray(a) for i, a in enumerate(arguments)}
        arrays |= {f"out{i}": np.asarray(r) for i, r in enumerate(results)}
        np.savez(folder / f"{name}.npz", **arrays)


main()
