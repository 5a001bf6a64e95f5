#!/usr/bin/env python3
"""Self-checking programs from JAX's primitives, by seed: random functions, shapes, dtypes and parameters.

    jax_programs.py --write FOLDER [--count N] [--seed S]   writes programs for `cornu check`, a file for each kind
    jax_programs.py --check CORNU [--count N] [--seed S]    makes programs, and checks them on the CPU engine and the reference
                                                            backend; exits with 1 if one fails, is rejected or skipped
    --harness: draws from the cases of JAX's own generator (jax._src.internal_test_util.test_harnesses) instead

A program is the text of a jitted function as JAX lowers it for the CPU (LAPACK's functions are custom calls there), and a
function that calls it with constants and compares the results with those of jaxlib's CPU backend: integers exactly, floats within
TOLERANCES of the largest magnitude.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

try:
    import jax
except ImportError as error:
    print(f"skipped: {error} (tools/oracles/requirements.txt)")
    sys.exit(77)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

jax.config.update("jax_enable_x64", True)

TOLERANCES = {"float64": 1e-9, "float32": 2e-5, "float16": 1e-2, "bfloat16": 4e-2, "complex64": 2e-5, "complex128": 1e-9}
TYPES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "bool": "i1",
         "complex64": "complex<f32>", "complex128": "complex<f64>",
         **{f"{sign}int{bits}": f"{'u' if sign else ''}i{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
FLOATS = ["float32", "float32", "float64", "float16", "bfloat16"]
WIDE = ["float32", "float64"]
INTEGERS = ["int32", "int64", "int8", "uint8", "int16", "uint16", "uint32", "uint64"]
COMPLEX = ["complex64", "complex128"]


class Draw:
    """Random shapes, dtypes and arrays."""

    def __init__(self, rng):
        self.rng = rng

    def one(self, values):
        return values[self.rng.integers(len(values))]

    def shape(self, low=0, high=4, largest=5):
        return tuple(int(n) for n in self.rng.integers(1, largest + 1, self.rng.integers(low, high + 1)))

    def array(self, shape, dtype, low=-2.0, high=2.0):
        dtype = jnp.dtype(dtype)
        if dtype == bool:
            return np.asarray(self.rng.integers(0, 2, shape), bool)
        if jnp.issubdtype(dtype, jnp.integer):
            return np.asarray(self.rng.integers(0 if dtype.kind == "u" else -9, 10, shape), dtype)
        values = self.rng.uniform(low, high, shape)
        if jnp.issubdtype(dtype, jnp.complexfloating):
            values = values + 1j * self.rng.uniform(low, high, shape)
        return np.asarray(values).astype(dtype)

    def axis(self, shape):
        return int(self.rng.integers(len(shape)))


def unary(d):
    ranges = {"exp": (-3, 3), "expm1": (-2, 2), "log": (0.1, 9), "log1p": (-0.7, 5), "sqrt": (0, 9), "rsqrt": (0.1, 9),
              "cbrt": (-9, 9), "sin": (-9, 9), "cos": (-9, 9), "tan": (-1, 1), "tanh": (-3, 3), "sinh": (-3, 3),
              "cosh": (-3, 3), "asin": (-0.9, 0.9), "acos": (-0.9, 0.9), "atan": (-9, 9), "asinh": (-9, 9),
              "acosh": (1.1, 9), "atanh": (-0.9, 0.9), "logistic": (-9, 9), "erf": (-3, 3), "erfc": (-3, 3),
              "erf_inv": (-0.9, 0.9), "lgamma": (0.3, 9), "digamma": (0.3, 9), "bessel_i1e": (-9, 9), "floor": (-9, 9),
              "ceil": (-9, 9), "sign": (-2, 2), "abs": (-2, 2), "neg": (-2, 2), "square": (-3, 3), "is_finite": (-2, 2)}
    name = d.one(list(ranges))
    only_real = ("erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i1e", "floor", "ceil", "is_finite", "cbrt")
    dtype = d.one(FLOATS if name in only_real else FLOATS + COMPLEX)
    return name, getattr(lax, name), [d.array(d.shape(), dtype, *ranges[name])]


def unary_gradient(d):
    name = d.one(["exp", "log", "sqrt", "tanh", "logistic", "erf", "sin", "atan", "lgamma", "sinh", "asinh"])
    function = getattr(lax, name)
    return name, jax.grad(lambda x: jnp.sum(function(x) * x)), [d.array(d.shape(), d.one(WIDE), 0.3, 2.5)]


def binary(d):
    name = d.one(["add", "sub", "mul", "div", "max", "min", "rem", "pow", "atan2", "nextafter"])
    only_floats = name in ("pow", "atan2", "nextafter")
    dtype = d.one(FLOATS if only_floats else FLOATS + INTEGERS)
    shape = d.shape()
    x, y = d.array(shape, dtype, 0.3, 3), d.array(shape, dtype, 0.3, 3)
    if jnp.issubdtype(jnp.dtype(dtype), jnp.integer):
        y = np.where(y == 0, 3, y).astype(dtype)
    return name, getattr(lax, name), [x, y]


def bits(d):
    name = d.one(["bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_logical", "shift_right_arithmetic",
                  "population_count", "clz", "bitwise_not"])
    dtype, shape = d.one(INTEGERS), d.shape()
    x = d.array(shape, dtype)
    if name in ("population_count", "clz", "bitwise_not"):
        return name, getattr(lax, name), [x]
    return name, getattr(lax, name), [x, np.abs(d.array(shape, dtype)) % 7 if "shift" in name else d.array(shape, dtype)]


def comparison(d):
    name, dtype, shape = d.one(["eq", "ne", "lt", "le", "gt", "ge"]), d.one(FLOATS + INTEGERS + ["bool"]), d.shape()
    x, y = d.array(shape, dtype), d.array(shape, dtype)
    compare = getattr(lax, name)
    return name, lambda x, y: (compare(x, y), jnp.where(compare(x, x[::-1] if x.ndim else y), x, y)), [x, y]


def conversion(d):
    x = d.array(d.shape(), d.one(FLOATS + INTEGERS + ["bool"]), 0.1, 9)
    target = d.one(FLOATS + INTEGERS + COMPLEX + ["bool"])
    return f"convert to {target}", lambda x: lax.convert_element_type(x, target), [np.abs(x) if x.dtype.kind == "i" else x]


def reduction(d):
    name, shape = d.one(["sum", "prod", "max", "min", "mean", "var", "argmax", "argmin", "any", "logsumexp"]), d.shape(1)
    axes = tuple(i for i in range(len(shape)) if d.rng.random() < 0.6) or (0,)
    axis = axes[0] if name.startswith("arg") else axes
    function = jax.nn.logsumexp if name == "logsumexp" else getattr(jnp, name)
    dtype = "bool" if name == "any" else d.one(WIDE if name in ("mean", "var", "logsumexp", "prod") else WIDE + ["int32"])
    return f"{name} {axis}", lambda x: function(x, axis=axis), [d.array(shape, dtype, 0.5, 1.5)]


def cumulative(d):
    name, shape, reverse = d.one(["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]), d.shape(1), d.rng.random() < 0.5
    axis = d.axis(shape)
    dtype = d.one(WIDE if name == "cumlogsumexp" else WIDE + ["int32"])
    function = getattr(lax, name)
    return f"{name} {axis}", lambda x: function(x, axis=axis, reverse=bool(reverse)), [d.array(shape, dtype, 0.5, 1.5)]


def window(d):
    shape = (d.shape(1, 1)[0], *(int(n) for n in d.rng.integers(3, 8, 2)), int(d.rng.integers(1, 4)))
    size, strides = tuple(int(n) for n in d.rng.integers(1, 4, 2)), tuple(int(n) for n in d.rng.integers(1, 3, 2))
    padding, kind = d.one(["SAME", "VALID"]), d.one(["max", "sum"])

    def pool(x):
        reducer, initial = (lax.max, -np.inf) if kind == "max" else (lax.add, 0.0)
        return lax.reduce_window(x, np.asarray(initial, x.dtype), reducer, (1, *size, 1), (1, *strides, 1), padding)

    function = jax.grad(lambda x: jnp.sum(pool(x) ** 2)) if d.rng.random() < 0.4 else pool
    return f"{kind} window {size} {strides} {padding}", function, [d.array(shape, d.one(WIDE))]


def product(d):
    batch, dtype = d.shape(0, 2, 3), d.one(FLOATS + COMPLEX + ["int32", "int8"])
    m, k, n = (int(x) for x in d.rng.integers(1, 7, 3))
    lhs, rhs = d.one([(m, k), (k, m)]), d.one([(k, n), (n, k)])
    rank = len(batch)
    contracting = ((rank + (1 if lhs == (m, k) else 0),), (rank + (0 if rhs == (k, n) else 1),))
    numbers = (contracting, (tuple(range(rank)),) * 2)
    return f"dot_general {numbers}", lambda x, y: lax.dot_general(x, y, numbers), [
        d.array((*batch, *lhs), dtype), d.array((*batch, *rhs), dtype)]


def ragged_product(d):
    m, k, n, groups = int(d.rng.integers(2, 9)), int(d.rng.integers(1, 5)), int(d.rng.integers(1, 5)), int(d.rng.integers(1, 4))
    cuts = np.sort(d.rng.integers(0, m + 1, groups))
    sizes = np.diff(np.concatenate([[0], cuts])).astype(np.int32)
    dtype = d.one(WIDE)
    if d.rng.random() < 0.5:
        return "ragged_dot", lax.ragged_dot, [d.array((m, k), dtype), d.array((groups, k, n), dtype), sizes]
    numbers = lax.RaggedDotDimensionNumbers(dot_dimension_numbers=(((0,), (0,)), ((), ())), lhs_ragged_dimensions=[0],
                                            rhs_group_dimensions=[])
    return "ragged_dot, contracting", lambda x, y, s: lax.ragged_dot_general(x, y, s, numbers), [
        d.array((m, k), dtype), d.array((m, n), dtype), sizes]


def convolution(d):
    rank, groups = int(d.rng.integers(1, 3)), int(d.rng.integers(1, 3))
    inputs, outputs = groups * int(d.rng.integers(1, 3)), groups * int(d.rng.integers(1, 3))
    size = tuple(int(n) for n in d.rng.integers(4, 8, rank))
    kernel = tuple(int(n) for n in d.rng.integers(1, 4, rank))
    strides, dilation = (tuple(int(n) for n in d.rng.integers(1, 3, rank)) for _ in range(2))
    letters = "HW"[:rank]
    numbers, dtype = (f"N{letters}C", f"{letters}IO", f"N{letters}C"), d.one(WIDE + COMPLEX)
    padding = d.one(["SAME", [tuple(int(n) for n in d.rng.integers(0, 3, 2)) for _ in range(rank)]])

    def convolve(x, w):
        return lax.conv_general_dilated(x, w, strides, padding, lhs_dilation=None if padding == "SAME" else dilation,
                                        dimension_numbers=numbers, feature_group_count=groups)

    arguments = [d.array((2, *size, inputs), dtype), d.array((*kernel, inputs // groups, outputs), dtype)]
    if dtype in WIDE and d.rng.random() < 0.5:
        return f"convolution gradients {kernel}", jax.grad(lambda x, w: jnp.sum(convolve(x, w) ** 2), (0, 1)), arguments
    return f"convolution {kernel}", convolve, arguments


def movement(d):
    shape, dtype = d.shape(2, 4), d.one(FLOATS + INTEGERS + COMPLEX + ["bool"])
    order = tuple(int(i) for i in d.rng.permutation(len(shape)))
    name, axis = d.one(["transpose", "rev", "reshape", "pad", "slice", "concatenate", "broadcast", "roll"]), d.axis(shape)
    low = tuple(int(n) // 2 for n in shape)
    padding = [tuple(int(n) for n in (*d.rng.integers(-1, 3, 2), d.rng.integers(0, 2))) for _ in shape]
    functions = {"transpose": lambda x: lax.transpose(x, order), "rev": lambda x: lax.rev(x, (axis,)),
                 "reshape": lambda x: lax.reshape(x, (int(np.prod(shape)),)),
                 "pad": lambda x: lax.pad(x, np.zeros((), x.dtype), padding), "slice": lambda x: lax.slice(x, low, shape),
                 "concatenate": lambda x: lax.concatenate([x, lax.rev(x, (axis,)), x], axis),
                 "broadcast": lambda x: lax.broadcast_in_dim(x, (2, *shape), tuple(range(1, len(shape) + 1))),
                 "roll": lambda x: jnp.roll(x, 1, axis)}
    if any(n + a + b + max(n - 1, 0) * c < 0 for n, (a, b, c) in zip(shape, padding)):
        name = "rev"
    return name, functions[name], [d.array(shape, dtype)]


def indexing(d):
    rows, columns, count = (int(n) for n in d.rng.integers(2, 7, 3))
    table = d.array((rows, columns), d.one(WIDE + ["int32"]))
    ids = d.rng.integers(-rows, rows, count).astype(np.int32)
    updates = d.array((count, columns), table.dtype)
    name = d.one(["take", "add", "max", "dynamic_slice", "take_along_axis", "gather gradient"])
    functions = {"take": lambda t, i, u: t[i], "add": lambda t, i, u: t.at[i].add(u), "max": lambda t, i, u: t.at[i].max(u),
                 "dynamic_slice": lambda t, i, u: (lax.dynamic_slice(t, (i[0], i[0] * 0), (2, 1)),
                                                   lax.dynamic_update_slice(t, u[:1], (i[0], i[0] * 0))),
                 "take_along_axis": lambda t, i, u: jnp.take_along_axis(u, jnp.abs(i)[:, None] % columns, axis=1),
                 "gather gradient": lambda t, i, u: jax.grad(lambda t: jnp.sum(t[i].astype(float) * u))(t.astype(float))}
    return name, functions[name], [table, ids, updates]


def order(d):
    shape = d.shape(1, 3, 7)
    axis, name = d.axis(shape), d.one(["sort", "argsort", "top_k", "sort two", "searchsorted", "median"])
    dtype = d.one(WIDE if name == "median" else FLOATS + INTEGERS)
    k = int(d.rng.integers(1, shape[-1] + 1))
    functions = {"sort": lambda x: lax.sort(x, dimension=axis), "argsort": lambda x: jnp.argsort(x, axis=axis),
                 "top_k": lambda x: lax.top_k(x, k), "sort two": lambda x: lax.sort((x, lax.rev(x, (axis,))), dimension=axis, num_keys=2),
                 "searchsorted": lambda x: jnp.searchsorted(jnp.sort(x.ravel()), x.ravel()),
                 "median": lambda x: jnp.median(x, axis=axis)}
    return f"{name} {axis}", functions[name], [d.array(shape, dtype)]


def control(d):
    shape, steps = d.shape(0, 2), int(d.rng.integers(1, 6))
    name = d.one(["scan", "fori_loop", "while_loop", "cond", "switch", "map", "scan gradient"])

    def scanned(x):
        return lax.scan(lambda c, row: (jnp.tanh(c + row), jnp.sum(c * row)), x[0] * 0, x)

    functions = {"scan": scanned, "fori_loop": lambda x: lax.fori_loop(0, steps, lambda i, v: v * 1.5 - i, x),
                 "while_loop": lambda x: lax.while_loop(lambda v: jnp.sum(v) < 20, lambda v: v + 1.5, x),
                 "cond": lambda x: lax.cond(jnp.sum(x) > 0, jnp.sin, jnp.cos, x),
                 "switch": lambda x: lax.switch(jnp.sum(x).astype(jnp.int32), [jnp.sin, jnp.cos, lambda v: v * 2], x),
                 "map": lambda x: lax.map(lambda row: jnp.cumsum(row * 2), x),
                 "scan gradient": jax.grad(lambda x: jnp.sum(scanned(x)[1]))}
    return name, functions[name], [d.array((int(d.rng.integers(1, 5)), *shape) or (1,), d.one(WIDE), 0.1, 1)]


def transform(d):
    shape = d.shape(1, 3, 9)
    name, dtype = d.one(["fft", "ifft", "rfft", "irfft", "fft2"]), d.one(WIDE)
    if name == "fft2" and len(shape) < 2:
        name = "fft"
    if name == "irfft" and shape[-1] < 2:
        name = "rfft"
    x = d.array(shape, dtype if name == "rfft" else d.one(COMPLEX))
    return name, getattr(jnp.fft, name), [x]


def linear_algebra(d):
    """Results that do not depend on the signs of vectors."""
    batch, n, m = d.shape(0, 1, 3), int(d.rng.integers(1, 6)), int(d.rng.integers(1, 6))
    L = lax.linalg

    def definite(x):
        return x @ jnp.conj(jnp.swapaxes(x, -1, -2)) + 2 * jnp.eye(n, dtype=x.dtype)

    def separated(x):
        return x + jnp.diag(3.0 * jnp.arange(1, n + 1)).astype(x.dtype)

    functions = {
        "cholesky": lambda x: jnp.linalg.cholesky(definite(x)), "det": lambda x: jnp.linalg.det(separated(x)),
        "slogdet": lambda x: jnp.linalg.slogdet(separated(x)), "inv": lambda x: jnp.linalg.inv(separated(x)),
        "solve": lambda x: jnp.linalg.solve(separated(x), x), "lu": lambda x: L.lu(separated(x)),
        "eigvalsh": lambda x: jnp.linalg.eigvalsh(x), "eigh": lambda x: jnp.abs(L.eigh(separated(x))[0]),
        "svd values": lambda x: jnp.linalg.svd(x[..., :m], compute_uv=False),
        "svd": lambda x: (lambda u, s, vh: (u * s[..., None, :].astype(u.dtype)) @ vh)(*jnp.linalg.svd(x[..., :m], full_matrices=False)),
        "pinv": lambda x: jnp.linalg.pinv(separated(x)), "qr": lambda x: jnp.abs(jnp.linalg.qr(separated(x))[1]),
        "triangular_solve": lambda x: L.triangular_solve(separated(x), x, left_side=True, lower=True, transpose_a=True),
        "det gradient": jax.grad(lambda x: jnp.sum(jnp.real(jnp.linalg.det(separated(x))))),
        "eigvalsh gradient": jax.grad(lambda x: jnp.sum(jnp.linalg.eigvalsh(separated(x)) ** 2)),
        "svd gradient": jax.grad(lambda x: jnp.sum(jnp.linalg.svd(separated(x), compute_uv=False) ** 3)),
        "cholesky gradient": jax.grad(lambda x: jnp.sum(jnp.real(jnp.linalg.cholesky(definite(x))))),
        "expm": lambda x: jax.scipy.linalg.expm(x)}
    name = d.one(list(functions))
    real_only = name in ("expm",)
    return name, functions[name], [d.array((*batch, n, n), d.one(WIDE if real_only else WIDE + COMPLEX), -1, 1)]


def eigenvalues(d):
    """Results that depend neither on the order of eigenvalues nor on the phases of vectors."""
    n, L = int(d.rng.integers(1, 6)), lax.linalg
    batch = d.shape(0, 1, 3)

    def adjoint(x):
        return jnp.conj(jnp.swapaxes(x, -1, -2))

    def from_right(x):
        w, v = L.eig(x, compute_left_eigenvectors=False)
        return (v * w[..., None, :]) @ jnp.linalg.inv(v)

    def from_left(x):
        w, v = L.eig(x, compute_right_eigenvectors=False)
        return jnp.linalg.inv(adjoint(v)) @ (w[..., None] * adjoint(v))

    def from_schur(x):
        t, q = L.schur(x)
        return q @ t @ adjoint(q), q @ adjoint(q), jnp.tril(t, -2)

    functions = {"eigenvalues": lambda x: tuple(jnp.sum(jnp.linalg.eigvals(x) ** k) for k in (1, 2, 3)),
                 "right eigenvectors": from_right, "left eigenvectors": from_left, "schur": from_schur}
    name, dtype = d.one(list(functions)), d.one(WIDE + COMPLEX)
    return name, functions[name], [d.array((*batch, n, n), dtype, -1, 1) + (1.5 * np.eye(n, k=1)).astype(dtype)]


def random_numbers(d):
    key = np.asarray(d.rng.integers(0, 2**32, 2), np.uint32)
    shape, name = d.shape(), d.one(["uniform", "bits", "permutation", "bernoulli", "categorical"])
    functions = {"uniform": lambda k: jax.random.uniform(k, shape), "bits": lambda k: jax.random.bits(k, shape),
                 "permutation": lambda k: jax.random.permutation(k, 9), "bernoulli": lambda k: jax.random.bernoulli(k, 0.4, shape),
                 "categorical": lambda k: jax.random.categorical(k, jnp.arange(5.0), shape=shape)}
    return name, lambda k: functions[name](jax.random.wrap_key_data(k)), [key]


KINDS = [unary, unary_gradient, binary, bits, comparison, conversion, reduction, cumulative, window, product, ragged_product,
         convolution, movement, indexing, order, control, transform, linear_algebra, random_numbers, eigenvalues]


def from_harness(rng):
    """A case of JAX's generator: (kind, name, function, arguments), or None if it cannot be compared."""
    from jax._src.internal_test_util import test_harnesses
    cases = test_harnesses.all_harnesses
    case = cases[rng.integers(len(cases))]
    # Vectors' signs and choices among equals are free.
    if case.group_name in ("eig", "eigh", "svd", "approx_top_k", "schur", "random_gamma", "custom_linear_solve"):
        return None
    arguments = case.dyn_args_maker(np.random.RandomState(int(rng.integers(2**31))))
    return case.group_name, case.fullname, case.dyn_fun, arguments


def type_str(array):
    return f"tensor<{''.join(f'{n}x' for n in array.shape)}{TYPES[jnp.dtype(array.dtype).name]}>"


def constant_str(name, array):
    array = np.asarray(array)
    if array.size == 0:
        value = ""
    elif array.dtype == bool:
        value = np.array2string(array, separator=", ", threshold=array.size + 1).lower()
    else:
        value = f'"0x{np.ascontiguousarray(array).tobytes().hex().upper()}"'
    return f"    {name} = stablehlo.constant dense<{value}> : {type_str(array)}"


def check_str(i, actual, expected):
    dtype = jnp.dtype(expected.dtype).name
    if dtype not in TOLERANCES:
        return f"    check.expect_eq {actual}, %e{i} : {type_str(expected)}"
    magnitudes = np.abs(np.asarray(expected).astype(np.complex128 if "complex" in dtype else np.float64))
    finite = magnitudes[np.isfinite(magnitudes)]
    tolerance = TOLERANCES[dtype] * max(1.0, float(finite.max(initial=0)))
    return f"    check.expect_almost_eq {actual}, %e{i}, tolerance = {tolerance:.6e} : {type_str(expected)}"


def program(name, function, arguments):
    """The text of one self-checking program; None if an array's dtype has no literal here."""
    jitted = jax.jit(function, keep_unused=True)
    arguments = [np.asarray(a) for a in jax.tree.leaves(arguments)] if not isinstance(arguments, list) else arguments
    results = [np.asarray(r) for r in jax.tree.leaves(jitted(*arguments))]
    if any(jnp.dtype(a.dtype).name not in TYPES for a in [*arguments, *results]):
        return None
    text = jitted.lower(*arguments).as_text().rstrip()
    lines = ["  func.func public @check() {"]
    lines += [constant_str(f"%a{i}", a) for i, a in enumerate(arguments)]
    lines += [constant_str(f"%e{i}", r) for i, r in enumerate(results)]
    count = f":{len(results)}" if len(results) > 1 else ""
    lines.append(f"    %r{count} = call @main({', '.join(f'%a{i}' for i in range(len(arguments)))}) : "
                 f"({', '.join(map(type_str, arguments))}) -> ({', '.join(map(type_str, results))})")
    lines += [check_str(i, f"%r#{i}" if count else "%r", r) for i, r in enumerate(results)]
    lines += ["    return", "  }", "}"]
    assert text.endswith("}")
    return f"// {name}\n" + text[:-1] + "\n".join(lines) + "\n"


def make(count, seed, use_harness):
    """Programs by kind: {kind: [text, ...]}."""
    programs, made = {}, 0
    for number in range(20 * count):
        if made == count:
            break
        rng = np.random.default_rng([seed, number])
        if use_harness:
            case = from_harness(rng)
            if case is None:
                continue
            kind, name, function, arguments = case
        else:
            maker = KINDS[number % len(KINDS)]
            kind = maker.__name__
            name, function, arguments = maker(Draw(rng))
        try:
            text = program(f"{kind}: {name}, seed {seed}, number {number}", function, arguments)
        except (NotImplementedError, TypeError, ValueError) as error:  # a case that JAX refuses on this platform
            print(f"{kind}: {name}: {type(error).__name__}: {str(error)[:120]}", file=sys.stderr)
            continue
        if text is not None:
            programs.setdefault(kind, []).append(text)
            made += 1
    return programs


def check(cornu, programs):
    files = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, texts in programs.items():
            path = pathlib.Path(folder) / f"{kind}.mlir"
            path.write_text("// -----\n".join(texts))
            files.append(str(path))
        is_fine = True
        for device in ("cpu", "reference"):
            done = subprocess.run([cornu, "check", "--device", device, *files], capture_output=True, text=True)
            print(f"{device}: {done.stdout}{done.stderr}", end="")
            is_fine = is_fine and done.returncode == 0
    return is_fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--check")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=48)
    parser.add_argument("--harness", action="store_true")
    options = parser.parse_args()
    programs = make(options.count, options.seed, options.harness)
    if options.write is not None:
        options.write.mkdir(parents=True, exist_ok=True)
        for kind, texts in programs.items():
            (options.write / f"{kind}.mlir").write_text("// -----\n".join(texts))
    return 0 if options.check is None or check(options.check, programs) else 1


if __name__ == "__main__":
    sys.exit(main())
