"""Random JAX programs for random_jax.py, by seed. A maker returns (name, function, arguments) of about `draw.size` elements.

Elementwise operations, reductions, orders and movements are those of tools/oracles/jax_programs.py, with larger shapes.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax, nn

x64 = jax.config.jax_enable_x64
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools/oracles"))
import jax_programs as oracle  # noqa: E402

jax.config.update("jax_enable_x64", x64)  # the oracle's programs have 64 bits

FLOATS = ["float32", "float32", "float32", "bfloat16", "float16", "float64"]
F32 = "float32"


class ScaledDraw(oracle.Draw):
    """Draws shapes of about `size` elements."""

    def __init__(self, rng, size):
        super().__init__(rng)
        self.size = size

    def shape(self, low=0, high=4, largest=5):
        rank = int(self.rng.integers(max(low, 1), max(high, 1) + 1))
        parts = self.rng.dirichlet(np.full(rank, 2.0))
        extents = [max(1, round(self.size ** part)) for part in parts]
        # Many programs have extents that are multiples of 8.
        if self.rng.random() < 0.6:
            extents = [n if n < 12 else n // 8 * 8 for n in extents]
        return tuple(extents)

    def matrix(self, dtype=F32, low=-2.0, high=2.0):
        return self.array(self.shape(2, 2), dtype, low, high)

    def square(self, batch=0, dtype=F32):
        n = max(2, round(self.size ** 0.5 / (batch or 1) ** 0.5))
        return self.array((batch, n, n) if batch else (n, n), dtype, -1, 1)

    def count(self, power, low=2):
        return max(low, round(self.size**power * self.rng.uniform(0.6, 1.6)))


def chosen(d, functions, arguments):
    name = d.one(list(functions))
    return name, functions[name], arguments


def gradient(function):
    """The gradient of a sum of squares by all arguments that are floats."""
    def total(*arguments):
        return sum(jnp.sum(jnp.square(jnp.abs(leaf).astype(F32))) for leaf in jax.tree.leaves(function(*arguments)))

    def call(*arguments):
        floats = tuple(i for i, x in enumerate(arguments) if jnp.issubdtype(x.dtype, jnp.floating))
        return jax.grad(total, floats)(*arguments)
    return call


def maybe_gradient(d, case, share=0.4):
    name, function, arguments = case
    return (f"{name} gradient", gradient(function), arguments) if d.rng.random() < share else case


def chain(d):
    """Several elementwise operations, broadcasts and reductions, as users write them."""
    x, y = d.matrix(d.one(FLOATS)), None
    y, row = d.array(x.shape, x.dtype), d.array(x.shape[1:], x.dtype)
    return maybe_gradient(d, chosen(d, {
        "normalize": lambda x, y, r: (x - x.mean(0)) / (x.std(0) + 1e-3) * r,
        "huber": lambda x, y, r: jnp.where(jnp.abs(x - y) < 1, 0.5 * (x - y) ** 2, jnp.abs(x - y) - 0.5).mean(),
        "swish": lambda x, y, r: x * nn.sigmoid(y + r),
        "polynomial": lambda x, y, r: ((x * 0.3 + y) * x + r) * x + 1,
        "trigonometry": lambda x, y, r: jnp.sin(x) * jnp.cos(y) + jnp.exp(-x * x),
        "clip": lambda x, y, r: jnp.clip(x * r, -1, 1) + jnp.maximum(y, 0),
        "cosine similarity": lambda x, y, r: (x * y).sum(-1) / (jnp.linalg.norm(x, axis=-1) * jnp.linalg.norm(y, axis=-1) + 1e-3),
        "where": lambda x, y, r: jnp.where(x > y, x, r), "distances": lambda x, y, r: ((x - r) ** 2).sum(-1)}, [x, y, row]))


def network(d):
    rows, columns = d.shape(2, 2)
    x, r = d.array((rows, columns), d.one(FLOATS)), d.array((columns,), F32)
    return maybe_gradient(d, chosen(d, {
        "softmax": lambda x, r: nn.softmax(x), "log_softmax": lambda x, r: nn.log_softmax(x, axis=0),
        "layer norm": lambda x, r: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * r,
        "gelu": lambda x, r: nn.gelu(x + r), "exact gelu": lambda x, r: nn.gelu(x, approximate=False),
        "elu": lambda x, r: nn.elu(x * r), "softplus": lambda x, r: nn.softplus(x), "mish": lambda x, r: nn.mish(x),
        "cross entropy": lambda x, r: -(nn.log_softmax(x) * nn.softmax(r)).sum(-1).mean(),
        "glu": lambda x, r: nn.glu(jnp.concatenate([x, x * r], -1)), "logsumexp": lambda x, r: nn.logsumexp(x, axis=-1),
        "standardize": lambda x, r: nn.standardize(x, axis=0), "one_hot": lambda x, r: nn.one_hot(x.argmax(-1), 10)}, [x, r]))


def product(d):
    dtype = d.one(FLOATS + ["complex64", "int32", "int8"])
    n = max(2, round(d.size ** 0.5))
    m, k, b = (max(1, round(n * 2.0 ** d.rng.uniform(-2, 2))) for _ in range(3))
    b = max(2, b // 8)
    forms = {"mk,kn->mn": [(m, k), (k, n)], "km,kn->mn": [(k, m), (k, n)], "mk,nk->mn": [(m, k), (n, k)],
             "mk,k->m": [(m, k), (k,)], "m,n->mn": [(m,), (n,)], "bmk,bkn->bmn": [(b, n // 4 + 1, 24), (b, 24, n // 4 + 1)],
             "bmk,kn->bmn": [(b, n // 4 + 1, k), (k, n)], "bthd,bshd->bhts": [(b, 24, 4, 16), (b, 24, 4, 16)],
             "bhts,bshd->bthd": [(b, 4, 24, 24), (b, 24, 4, 16)], "mk,mk->m": [(m, k), (m, k)], "ij,jk,kl->il": [(m, 16), (16, n), (n, 8)],
             "ijk,jil->kl": [(8, 12, n), (12, 8, k)], "bij,bj->bi": [(b, n // 2 + 1, 40), (b, 40)], "ii->i": [(n, n)], "ij->ji": [(n, m)]}
    form = d.one(list(forms))
    case = (f"einsum {form} {dtype}", lambda *xs: jnp.einsum(form, *xs), [d.array(s, dtype) for s in forms[form]])
    return maybe_gradient(d, case) if dtype == F32 else case


def convolution(d):
    rank, groups = int(d.rng.integers(1, 4)), d.one([1, 1, 1, 2, 0])
    inputs, outputs = int(d.one([3, 8, 16, 32])), int(d.one([8, 16, 24, 32]))
    side = max(5, round((d.size / inputs / 2) ** (1 / rank)))
    kernel, strides = (int(d.one([1, 3, 3, 5])),) * rank, (int(d.one([1, 1, 2])),) * rank
    dilation = (int(d.one([1, 1, 2])),) * rank
    if groups != 1:
        groups = groups or inputs
        inputs, outputs = inputs // groups * groups or groups, groups * max(1, outputs // groups)
    letters, dtype = "DHW"[3 - rank:], d.one([F32, F32, F32, "bfloat16", "float64"])
    numbers = d.one([(f"N{letters}C", f"{letters}IO", f"N{letters}C"), (f"NC{letters}", f"OI{letters}", f"NC{letters}")])
    image, size = (2, *[side] * rank, inputs), (*kernel, inputs // groups, outputs)
    if numbers[0][1] == "C":
        image, size = (2, inputs, *[side] * rank), (outputs, inputs // groups, *kernel)

    def convolve(x, w):
        return lax.conv_general_dilated(x, w, strides, "SAME", rhs_dilation=dilation, dimension_numbers=numbers,
                                        feature_group_count=groups)

    def transposed(x, w):
        return lax.conv_transpose(x, w, strides, "SAME", dimension_numbers=numbers)
    is_transposed = groups == 1 and d.rng.random() < 0.15
    name = f"{'transposed ' if is_transposed else ''}convolution {image} {size} {strides} {dilation} groups {groups} {dtype}"
    return maybe_gradient(d, (name, transposed if is_transposed else convolve, [d.array(image, dtype), d.array(size, dtype)]))


def window(d):
    channels = int(d.one([1, 3, 8, 32]))
    side = max(4, round((d.size / channels / 4) ** 0.5))
    size, strides, padding = (int(d.one([2, 3])),) * 2, (int(d.one([1, 2, 2])),) * 2, d.one(["SAME", "VALID"])
    x = d.array((4, side, side, channels), d.one([F32, F32, "bfloat16", "float64"]))

    def pool(reducer, initial):
        return lambda x: lax.reduce_window(x, np.asarray(initial, x.dtype), reducer, (1, *size, 1), (1, *strides, 1), padding)
    return maybe_gradient(d, chosen(d, {
        "max pool": pool(lax.max, -np.inf), "sum pool": pool(lax.add, 0), "min pool": pool(lax.min, np.inf),
        "moving sum": lambda x: lax.reduce_window(x, np.asarray(0, x.dtype), lax.add, (1, 9, 1, 1), (1, 1, 1, 1), "SAME")}, [x]))


def indexing(d):
    rows, columns = d.shape(2, 2)
    count = max(2, d.size // columns)
    table, ids = d.array((rows, columns), d.one(FLOATS + ["int32"])), d.rng.integers(0, rows, count).astype(np.int32)
    updates = d.array((count, columns), table.dtype)
    columns_of = d.rng.integers(0, columns, (rows, max(1, columns // 2))).astype(np.int32)
    case = chosen(d, {
        "take": lambda t, i, u, c: t[i], "take clip": lambda t, i, u, c: jnp.take(t, i, axis=0, mode="clip"),
        "take columns": lambda t, i, u, c: jnp.take(t, c[0], axis=1), "add": lambda t, i, u, c: t.at[i].add(u),
        "set": lambda t, i, u, c: t.at[i[:1]].set(u[:1]), "max": lambda t, i, u, c: t.at[i].max(u),
        "take_along_axis": lambda t, i, u, c: jnp.take_along_axis(t, c, axis=1),
        "pairs": lambda t, i, u, c: t[jnp.arange(t.shape[0]), c[:, 0]], "segment_sum": lambda t, i, u, c: jax.ops.segment_sum(u, i, t.shape[0]),
        "dynamic_slice": lambda t, i, u, c: lax.dynamic_slice(t, (i[0], c[0, 0]), (t.shape[0] // 2 + 1, t.shape[1])),
        "dynamic_update_slice": lambda t, i, u, c: lax.dynamic_update_slice(t, u[:1], (i[0], 0)),
        "one_hot": lambda t, i, u, c: nn.one_hot(i, 16) @ jnp.ones((16, 8)), "mask": lambda t, i, u, c: jnp.where(i[:, None] > 2, u, 0),
        "bincount": lambda t, i, u, c: jnp.bincount(i, length=64), "vmap dynamic_slice": lambda t, i, u, c:
        jax.vmap(lambda k: lax.dynamic_slice(t, (k, 0), (1, t.shape[1])))(i), "bag": lambda t, i, u, c: t[c].sum(1) if columns < 64 else t[i]},
        [table, ids, updates, columns_of])
    return maybe_gradient(d, case) if table.dtype == F32 and case[0] not in ("max", "one_hot") else case


def order(d):
    shape = d.shape(1, 2)
    if d.rng.random() < 0.5 and len(shape) == 2:
        shape = (min(shape), max(shape))
    x = d.array(shape, d.one([F32, F32, "int32", "float64", "bfloat16", "uint8"]))
    k = min(shape[-1], int(d.one([1, 5, 10])))
    real = {"median": lambda x: jnp.median(x, axis=-1), "percentile": lambda x: jnp.percentile(x, jnp.array([5.0, 50, 95])),
            "quantile": lambda x: jnp.quantile(x, 0.3, axis=0), "histogram": lambda x: jnp.histogram(x, 20)[0],
            "interp": lambda x: jnp.interp(x, jnp.linspace(-2, 2, 50), jnp.arange(50.0)), "nanmedian": lambda x: jnp.nanmedian(x)}
    functions = {
        "sort": lambda x: jnp.sort(x), "sort axis 0": lambda x: lax.sort(x, dimension=0), "argsort": lambda x: jnp.argsort(x),
        "top_k": lambda x: lax.top_k(x, k), "sort two": lambda x: lax.sort((x, lax.rev(x, (0,))), num_keys=1),
        "sort pairs": lambda x: lax.sort((x, lax.rev(x, (0,))), num_keys=2),
        "searchsorted": lambda x: jnp.searchsorted(jnp.sort(x.ravel()[:1000]), x.ravel()),
        "unique": lambda x: jnp.unique(x.ravel(), size=20, fill_value=0), "digitize": lambda x: jnp.digitize(x, jnp.array([-1, 0, 1, 2])),
        "argmax": lambda x: (x.argmax(-1), x.argmin(0)), "lexsort": lambda x: jnp.lexsort((x.ravel(), x.ravel() * 2)),
        "isin": lambda x: jnp.isin(x, jnp.arange(20, dtype=x.dtype)), "partition": lambda x: jnp.partition(x, min(3, x.shape[-1] - 1)),
        "nonzero": lambda x: jnp.nonzero(x.ravel() > 0, size=50, fill_value=0), **(real if x.dtype == F32 else {})}
    return chosen(d, functions, [x])


def array_function(d):
    x = d.matrix(d.one([F32, F32, "float64", "int32"]))
    v, w = x.ravel(), d.array((int(d.one([3, 16, 101])),), x.dtype)
    return chosen(d, {
        "roll": lambda x, w: jnp.roll(x, (3, 1), (0, 1)), "tile": lambda x, w: jnp.tile(x, (2, 2)), "repeat": lambda x, w: jnp.repeat(x, 3, axis=0),
        "diff": lambda x, w: jnp.diff(x, axis=0), "triu": lambda x, w: jnp.triu(x), "kron": lambda x, w: jnp.kron(x, w[None, :3]),
        "cov": lambda x, w: jnp.cov(x[:64]), "std": lambda x, w: jnp.std(x, axis=1), "nanmean": lambda x, w: jnp.nanmean(x, axis=0),
        "polyval": lambda x, w: jnp.polyval(w[:5], x), "gradient": lambda x, w: jnp.gradient(x)[0], "pad edge": lambda x, w: jnp.pad(x, 2, mode="edge"),
        "pad reflect": lambda x, w: jnp.pad(x, 1, mode="reflect"), "pad": lambda x, w: jnp.pad(x, ((1, 2), (0, 3))), "flip": lambda x, w: jnp.flip(x),
        "rot90": lambda x, w: jnp.rot90(x), "transpose": lambda x, w: x.T, "stack": lambda x, w: jnp.stack([x, x + 1], -1),
        "concatenate": lambda x, w: jnp.concatenate([x, x[::-1], x * 2], 1), "split": lambda x, w: jnp.array_split(x, 3, axis=1),
        "convolve": lambda x, w: jnp.convolve(x.ravel(), w), "correlate": lambda x, w: jnp.correlate(x.ravel(), w, "same"),
        "cumsum": lambda x, w: jnp.cumsum(x, axis=0), "cumprod": lambda x, w: jnp.cumprod(x * 0.1, axis=1), "cummax": lambda x, w: lax.cummax(x, 1),
        "associative_scan": lambda x, w: lax.associative_scan(jnp.add, x, axis=0), "ptp": lambda x, w: jnp.ptp(x, axis=0),
        "average": lambda x, w: jnp.average(x, axis=0), "all": lambda x, w: (jnp.all(x > 0, 0), jnp.any(x > 1, 1), jnp.count_nonzero(x)),
        "allclose": lambda x, w: jnp.allclose(x, x + 1e-9), "meshgrid": lambda x, w: jnp.meshgrid(x[0], x[:, 0]), "outer": lambda x, w: jnp.outer(x[:, 0], w),
        "select": lambda x, w: jnp.select([x > 1, x > 0], [x, x * 2], 0), "nan_to_num": lambda x, w: jnp.nan_to_num(x / (x - x[0])),
        "vander": lambda x, w: jnp.vander(x.ravel(), 5), "trapezoid": lambda x, w: jnp.trapezoid(x), "cross": lambda x, w: jnp.cross(x[:, :3], x[:, :3] + 1)
        if x.shape[1] > 2 else x, "unravel": lambda x, w: x.reshape(-1, 1) * w[:3], "strided": lambda x, w: x[::2, ::3],
        "moveaxis": lambda x, w: jnp.moveaxis(x.reshape(*x.shape, 1), 0, 2), "block": lambda x, w: jnp.block([[x, x], [x, x]]),
        "norm": lambda x, w: jnp.linalg.norm(x), "max of parts": lambda x, w: x[:, : x.shape[1] // 2 * 2].reshape(x.shape[0], -1, 2).max(-1)}, [x, w])


def special(d):
    shape = d.shape(1, 2)
    x, y = d.array(shape, d.one([F32, F32, "float64"]), 0.3, 5), None
    y = d.array(shape, x.dtype, 0.3, 3)
    s = jsp.special
    return chosen(d, {
        "gammaln": lambda x, y: s.gammaln(x), "digamma": lambda x, y: s.digamma(x), "erf": lambda x, y: s.erf(x), "erfc": lambda x, y: s.erfc(x),
        "erfinv": lambda x, y: s.erfinv(x / 6), "i0e": lambda x, y: s.i0e(x), "i1": lambda x, y: s.i1(x), "gammainc": lambda x, y: s.gammainc(x, y),
        "betainc": lambda x, y: s.betainc(x, y, x / 6), "polygamma": lambda x, y: s.polygamma(1, x), "zeta": lambda x, y: s.zeta(x + 1, y),
        "ndtr": lambda x, y: s.ndtr(x), "ndtri": lambda x, y: s.ndtri(x / 6), "log_ndtr": lambda x, y: s.log_ndtr(x), "logit": lambda x, y: s.logit(x / 6),
        "xlogy": lambda x, y: s.xlogy(x, y), "entr": lambda x, y: s.entr(x), "beta": lambda x, y: s.betaln(x, y), "power": lambda x, y: x**y,
        "cbrt": lambda x, y: jnp.cbrt(x), "hypot": lambda x, y: jnp.hypot(x, y), "logaddexp": lambda x, y: jnp.logaddexp(x, y), "sinc": lambda x, y: jnp.sinc(x),
        "fmod": lambda x, y: jnp.fmod(x, y), "floor_divide": lambda x, y: x // y, "remainder": lambda x, y: x % y, "atan2": lambda x, y: jnp.atan2(x, y),
        "log2": lambda x, y: jnp.log2(x), "exp2": lambda x, y: jnp.exp2(x), "round": lambda x, y: jnp.round(x, 2), "gammaln gradient": gradient(lambda x, y: s.gammaln(x)),
        "normal logpdf": lambda x, y: jsp.stats.norm.logpdf(x, y, 2).sum(), "gamma logpdf": lambda x, y: jsp.stats.gamma.logpdf(x, y)}, [x, y])


def complex_numbers(d):
    x = d.matrix(d.one(["complex64", "complex64", "complex128"]))
    return chosen(d, {
        "multiply": lambda x: x * x + 1, "abs": jnp.abs, "angle": jnp.angle, "exp": jnp.exp, "conj": lambda x: jnp.conj(x).T, "divide": lambda x: x / (x + 3),
        "sqrt": jnp.sqrt, "parts": lambda x: x.real + x.imag, "sum": lambda x: x.sum(0), "log": jnp.log, "gram": lambda x: x[:32] @ jnp.conj(x[:32].T)}, [x])


def transform(d):
    lines, n = d.one([(1,), (8,), (64,)])[0], d.size
    n = int(2 ** round(np.log2(max(8, n / lines))))
    n = int(d.one([n, n, n // 8 * 5, n // 4 * 3, n - 1]))
    real, complex_ = d.array((lines, n), d.one([F32, F32, "float64"])), None
    complex_ = d.array((lines, n), d.one(["complex64", "complex64", "complex128"]))
    side = max(4, round(d.size**0.5) // 8 * 8)
    name = d.one(["fft", "ifft", "rfft", "irfft", "fft2", "fft axis 0", "rfft2", "fftshift", "fftconvolve"])
    functions = {"fft": jnp.fft.fft, "ifft": jnp.fft.ifft, "rfft": jnp.fft.rfft, "irfft": jnp.fft.irfft, "fft2": jnp.fft.fft2,
                 "fft axis 0": lambda x: jnp.fft.fft(x, axis=0), "rfft2": jnp.fft.rfft2, "fftshift": jnp.fft.fftshift,
                 "fftconvolve": lambda x: jsp.signal.fftconvolve(x[0], x[0, : x.shape[1] // 2])}
    x = {"rfft": real, "fftconvolve": real, "rfft2": d.array((side, side), F32), "fft2": d.array((side, side), "complex64"),
         "fft axis 0": complex_.T.copy()}.get(name, complex_)
    return f"{name} {x.shape} {x.dtype}", functions[name], [x]


def linear_algebra(d):
    """Results that do not depend on the signs of vectors."""
    batch = int(d.one([0, 0, 8]))
    x = d.square(batch, d.one([F32, F32, F32, "float64", "complex64"]))
    n = x.shape[-1]
    b = d.array((*x.shape[:-1], 3), x.dtype)

    def definite(x):
        return x @ jnp.conj(jnp.swapaxes(x, -1, -2)) + n * jnp.eye(n, dtype=x.dtype)

    def separated(x):
        return x + jnp.diag(1.0 + jnp.arange(n)).astype(x.dtype)
    name, function, arguments = chosen(d, {
        "cholesky": lambda x, b: jnp.linalg.cholesky(definite(x)), "det": lambda x, b: jnp.linalg.slogdet(separated(x))[1],
        "inv": lambda x, b: jnp.linalg.inv(separated(x)), "solve": lambda x, b: jnp.linalg.solve(separated(x), b),
        "lu": lambda x, b: lax.linalg.lu(separated(x))[0], "eigvalsh": lambda x, b: jnp.linalg.eigvalsh(definite(x)),
        "eigh": lambda x, b: jnp.abs(jnp.linalg.eigh(separated(definite(x)))[0]), "svd values": lambda x, b: jnp.linalg.svd(x, compute_uv=False),
        "svd": lambda x, b: (lambda u, s, v: (u * s[..., None, :].astype(u.dtype)) @ v)(*jnp.linalg.svd(x, full_matrices=False)),
        "qr": lambda x, b: jnp.abs(jnp.linalg.qr(separated(x))[1]), "cho_solve": lambda x, b: jsp.linalg.cho_solve((definite(x), True), b),
        "triangular_solve": lambda x, b: lax.linalg.triangular_solve(separated(x), b, left_side=True, lower=True),
        "triangular_solve right": lambda x, b: lax.linalg.triangular_solve(separated(x) + n * jnp.eye(n, dtype=x.dtype), x),
        "matrix_power": lambda x, b: jnp.linalg.matrix_power(x / n, 5), "expm": lambda x, b: jsp.linalg.expm(x.real / n),
        "cholesky gradient": gradient(lambda x, b: jnp.linalg.cholesky(definite(x))),
        "solve gradient": gradient(lambda x, b: jnp.linalg.solve(separated(x), b))}, [x, b])
    # Pivots of complex numbers may be chosen by another norm.
    if x.dtype.kind == "c" and (name.endswith("gradient") or name == "lu"):
        name, function = "norm", lambda x, b: jnp.linalg.norm(x, axis=-1)
    return f"{name} {x.shape} {x.dtype}", function, arguments


def random_numbers(d):
    shape, keys = d.shape(1, 2), jax.random
    key = np.asarray(d.rng.integers(0, 2**32, 2), np.uint32)
    name, function, arguments = chosen(d, {
        "uniform": lambda k: keys.uniform(k, shape), "bits": lambda k: keys.bits(k, shape), "normal": lambda k: keys.normal(k, shape),
        "bernoulli": lambda k: keys.bernoulli(k, 0.4, shape), "gumbel": lambda k: keys.gumbel(k, shape), "randint": lambda k: keys.randint(k, shape, 0, 100),
        "permutation": lambda k: keys.permutation(k, shape[0]), "categorical": lambda k: keys.categorical(k, jnp.arange(8.0), shape=shape),
        "truncated_normal": lambda k: keys.truncated_normal(k, -2, 2, shape), "exponential": lambda k: keys.exponential(k, shape),
        "dropout": lambda k: jnp.where(keys.bernoulli(k, 0.9, shape), jnp.ones(shape) / 0.9, 0), "laplace": lambda k: keys.laplace(k, shape),
        "split": lambda k: keys.key_data(keys.split(k, 100)), "bf16 normal": lambda k: keys.normal(k, shape, jnp.bfloat16),
        "gamma": lambda k: keys.gamma(k, 2.0, (min(1000, shape[0]),)), "choice": lambda k: keys.choice(k, 1000, (min(500, shape[0]),))}, [key])
    return name, lambda k: function(keys.wrap_key_data(k)), arguments


def loop(d):
    steps, rows, width = int(d.one([8, 20, 50, 100])), int(d.one([1, 8, 32])), int(d.one([16, 32, 64, 128]))
    x = d.array((steps, rows, width), F32, -1, 1)
    w, u = d.array((width, 4 * width), F32, -0.1, 0.1), d.array((width, 4 * width), F32, -0.1, 0.1)
    zero = np.zeros((rows, width), np.float32)

    def lstm(x, w, u):
        def cell(carry, row):
            h, c = carry
            i, f, g, o = jnp.split(row @ w + h @ u, 4, axis=-1)
            c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
            h = nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h
        return lax.scan(cell, (zero, zero), x)[1]

    def gru(x, w, u):
        def cell(h, row):
            a, b = row @ w[:, : 3 * width], h @ u[:, : 3 * width]
            r, z = nn.sigmoid(a[:, :width] + b[:, :width]), nn.sigmoid(a[:, width:2 * width] + b[:, width:2 * width])
            h = (1 - z) * jnp.tanh(a[:, 2 * width:] + r * b[:, 2 * width:]) + z * h
            return h, h
        return lax.scan(cell, zero, x)[1]

    def attend(x, w, u):
        return lax.map(lambda row: nn.softmax(row @ w[:, :width]), x)
    return maybe_gradient(d, chosen(d, {
        "lstm": lstm, "gru": gru, "rnn": lambda x, w, u: lax.scan(lambda h, r: (jnp.tanh(r @ w[:, :width] + h @ u[:, :width]),) * 2, zero, x)[1],
        "running mean": lambda x, w, u: lax.scan(lambda c, r: (0.9 * c + 0.1 * r,) * 2, zero, x)[1], "map": attend,
        "power iteration": lambda x, w, u: lax.fori_loop(0, 20, lambda i, v: v / jnp.linalg.norm(v) @ (w[:, :width] + u[:, :width]), x[0]),
        "discounted returns": lambda x, w, u: lax.scan(lambda c, r: (r + 0.99 * c,) * 2, zero, x, reverse=True)[1],
        "vmap rnn": lambda x, w, u: jax.vmap(lambda s: lax.scan(lambda h, r: (jnp.tanh(r @ w[:, :width] + h @ u[:, :width]),) * 2, zero[0], s)[1], 1)(x)},
        [x, w, u]), 0.5)


def search(d):
    """Loops with a condition, and branches."""
    x = d.array((d.size,), F32, 0.5, 4)
    return chosen(d, {
        "newton": lambda x: lax.while_loop(lambda s: (s[1] < 20) & (jnp.abs(s[0] * s[0] - x).max() > 1e-4), lambda s: (0.5 * (s[0] + x / s[0]), s[1] + 1), (x, 0))[0],
        "bisection": lambda x: lax.fori_loop(0, 25, lambda i, s: (jnp.where(((s[0] + s[1]) / 2) ** 2 < x, (s[0] + s[1]) / 2, s[0]),
                                                                  jnp.where(((s[0] + s[1]) / 2) ** 2 < x, s[1], (s[0] + s[1]) / 2)), (x * 0, x + 1))[0],
        "cond": lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), "switch": lambda x: lax.switch(x.argmax() % 3, [jnp.sin, jnp.cos, jnp.tanh], x),
        "logistic map": lambda x: lax.fori_loop(0, 50, lambda i, v: 3.5 * (v / 4) * (1 - v / 4), x),
        "runge kutta": lambda x: lax.fori_loop(0, 20, lambda i, v: v + 0.01 * (jnp.sin(v) + jnp.sin(v + 0.01 * jnp.sin(v))), x),
        "heat": lambda x: lax.fori_loop(0, 20, lambda i, v: v.at[1:-1].add(0.1 * (v[2:] - 2 * v[1:-1] + v[:-2])), x),
        "life": lambda x: lax.fori_loop(0, 10, lambda i, v: jnp.roll(v, 1) ^ jnp.roll(v, -1), x.astype(jnp.int32)),
        "update": lambda x: lax.fori_loop(0, 100, lambda i, v: v.at[i % v.shape[0]].set(v[(i * 7) % v.shape[0]] + 1), x)}, [x])


KINDS = [oracle.unary, oracle.unary_gradient, oracle.binary, oracle.bits, oracle.comparison, oracle.conversion, oracle.reduction, oracle.cumulative,
         oracle.movement, chain, network, product, convolution, window, indexing, order, array_function, special, complex_numbers, transform,
         linear_algebra, random_numbers, loop, search]
