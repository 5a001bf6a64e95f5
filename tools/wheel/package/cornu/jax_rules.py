"""Lowering rules of the platform "cornu" for primitives that JAX lowers to libraries on other platforms.

JAX's linear algebra calls LAPACK on CPUs. Here QR, eigenvalues of symmetric matrices and singular values are JAX
functions, which are compiled like all others: Householder's reflections, and Jacobi's rotations.
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax


def _refuse_complex(name, dtype):
    if jnp.issubdtype(dtype, jnp.complexfloating):
        raise NotImplementedError(f"{name} of complex matrices does not exist on the platform \"cornu\": run it on "
                                  "JAX's CPU backend, inside `with jax.default_device(jax.devices(\"cpu\")[0])`")


def _batched(function):
    """Applies a function of matrices to leading batch dimensions."""
    def apply(matrix, *arguments):
        mapped = function
        for _ in range(matrix.ndim - 2):
            mapped = jax.vmap(mapped)
        return mapped(matrix, *arguments)
    return apply


def _geqrf_matrix(a):
    """Householder's QR in LAPACK's form: R above the diagonal, the reflectors below it; and their factors."""
    num_rows, num_columns = a.shape
    rows, columns = jnp.arange(num_rows), jnp.arange(num_columns)

    def reflect(j, state):
        a, taus = state
        x = a[:, j]
        alpha = x[j]
        below = jnp.where(rows > j, x, 0)
        tail = jnp.sum(jnp.real(below * jnp.conj(below)))
        needed = (tail > 0) | (jnp.imag(alpha) != 0)
        norm = jnp.sqrt(jnp.real(alpha * jnp.conj(alpha)) + tail)
        beta = jnp.where(jnp.real(alpha) >= 0, -norm, norm).astype(a.dtype)
        tau = jnp.where(needed, (beta - alpha) / jnp.where(needed, beta, 1), 0)
        v = jnp.where(rows == j, 1, below / jnp.where(needed, alpha - beta, 1))
        w = jnp.conj(tau) * jnp.matmul(jnp.conj(v), a, precision=lax.Precision.HIGHEST)
        column = jnp.where(rows < j, x, jnp.where(rows == j, jnp.where(needed, beta, alpha), v))
        rest = a - v[:, None] * w[None, :]
        a = jnp.where(columns[None, :] > j, rest, jnp.where(columns[None, :] == j, column[:, None], a))
        return a, taus.at[j].set(tau)

    count = min(num_rows, num_columns)
    return lax.fori_loop(0, count, reflect, (a, jnp.zeros(count, a.dtype)))


def _householder_product_matrix(a, taus):
    """The first columns of the product of reflectors."""
    num_rows, num_columns = a.shape
    rows = jnp.arange(num_rows)
    count = taus.shape[0]

    def reflect(i, q):
        j = count - 1 - i
        v = jnp.where(rows > j, a[:, j], jnp.where(rows == j, 1, 0).astype(a.dtype))
        w = taus[j] * jnp.matmul(jnp.conj(v), q, precision=lax.Precision.HIGHEST)
        return q - v[:, None] * w[None, :]

    return lax.fori_loop(0, count, reflect, jnp.eye(num_rows, num_columns, dtype=a.dtype))


def _descending_order(values):
    """The indices of the values in descending order; equal ones keep their order."""
    indices = jnp.arange(values.shape[0])
    is_before = (values[:, None] > values[None, :]) | ((values[:, None] == values[None, :]) &
                                                       (indices[:, None] < indices[None, :]))
    return jnp.zeros_like(indices).at[jnp.sum(is_before, axis=0)].set(indices)


def _pairs(n):
    """All pairs of indices, as two lists."""
    first, second = jnp.triu_indices(n, 1)
    return first.astype(jnp.int32), second.astype(jnp.int32)


def _rotation(alpha, beta, gamma):
    """Cosine and sine of the rotation that makes [[alpha, gamma], [gamma, beta]] diagonal."""
    needed = gamma != 0
    zeta = (beta - alpha) / (2 * jnp.where(needed, gamma, 1))
    t = jnp.where(zeta >= 0, 1, -1) / (jnp.abs(zeta) + jnp.sqrt(1 + zeta * zeta))
    cosine = 1 / jnp.sqrt(1 + t * t)
    return jnp.where(needed, cosine, 1), jnp.where(needed, cosine * t, 0)


MAX_SWEEPS = 30


def _svd_sweeps(a):
    """One-sided Jacobi: returns a V, whose columns are orthogonal, and V."""
    n = a.shape[1]
    if n < 2:
        return a, jnp.eye(n, dtype=a.dtype)
    first, second = _pairs(n)
    epsilon = jnp.finfo(a.dtype).eps

    def rotate(k, state):
        a, v, largest = state
        i, j = first[k], second[k]
        x, y = a[:, i], a[:, j]
        alpha, beta, gamma = jnp.sum(x * x), jnp.sum(y * y), jnp.sum(x * y)
        scale = jnp.sqrt(alpha * beta)
        angle = jnp.where(scale > 0, jnp.abs(gamma) / jnp.where(scale > 0, scale, 1), 0)
        c, s = _rotation(alpha, beta, jnp.where(angle > epsilon, gamma, 0))
        p, q = v[:, i], v[:, j]
        a = a.at[:, i].set(c * x - s * y).at[:, j].set(s * x + c * y)
        v = v.at[:, i].set(c * p - s * q).at[:, j].set(s * p + c * q)
        return a, v, jnp.maximum(largest, angle)

    def sweep(state):
        a, v, _, count = state
        a, v, largest = lax.fori_loop(0, first.shape[0], rotate, (a, v, jnp.zeros((), a.dtype)))
        return a, v, largest, count + 1

    def is_unfinished(state):
        return (state[2] > 4 * epsilon) & (state[3] < MAX_SWEEPS)

    start = (a, jnp.eye(n, dtype=a.dtype), jnp.ones((), a.dtype), jnp.zeros((), jnp.int32))
    a, v, _, _ = lax.while_loop(is_unfinished, sweep, start)
    return a, v


def _qr_matrix(a, num_columns):
    packed, taus = _geqrf_matrix(a)
    padded = jnp.zeros((a.shape[0], num_columns), a.dtype).at[:, :a.shape[1]].set(packed)
    return _householder_product_matrix(padded, taus)


def _svd_matrix(a, full_matrices):
    """Singular values in descending order, U and the transpose of V."""
    num_rows, num_columns = a.shape
    if num_rows < num_columns:
        s, u, vt = _svd_matrix(a.T, full_matrices)
        return s, vt.T, u.T
    rotated, v = _svd_sweeps(a)
    s = jnp.sqrt(jnp.sum(rotated * rotated, axis=0))
    order = _descending_order(s)
    s, v, rotated = s[order], v[:, order], rotated[:, order]
    tiny = jnp.max(s, initial=0) * jnp.finfo(a.dtype).eps * max(num_rows, num_columns)
    is_zero = (s <= tiny)[None, :]
    u = jnp.where(is_zero, 0, rotated / jnp.where(is_zero, 1, s[None, :]))
    q = _qr_matrix(u, num_rows if full_matrices else num_columns)
    completed = jnp.where(is_zero, q[:, :num_columns], u)
    return s, jnp.concatenate([completed, q[:, num_columns:]], axis=1), v.T


def _eigh_matrix(a):
    """Eigenvectors, and eigenvalues in ascending order, of a symmetric matrix."""
    n = a.shape[0]
    if n < 2:
        return jnp.eye(n, dtype=a.dtype), jnp.diag(a)
    first, second = _pairs(n)
    epsilon = jnp.finfo(a.dtype).eps

    def rotate(k, state):
        a, v = state
        i, j = first[k], second[k]
        c, s = _rotation(a[i, i], a[j, j], a[i, j])
        x, y = a[:, i], a[:, j]
        a = a.at[:, i].set(c * x - s * y).at[:, j].set(s * x + c * y)
        x, y = a[i, :], a[j, :]
        a = a.at[i, :].set(c * x - s * y).at[j, :].set(s * x + c * y)
        p, q = v[:, i], v[:, j]
        return a, v.at[:, i].set(c * p - s * q).at[:, j].set(s * p + c * q)

    def off_diagonal(a):
        return jnp.max(jnp.abs(a - jnp.diag(jnp.diag(a))), initial=0)

    def is_unfinished(state):
        a, _, count = state
        return (off_diagonal(a) > epsilon * 0.1 * jnp.max(jnp.abs(a), initial=0)) & (count < MAX_SWEEPS)

    def sweep(state):
        a, v, count = state
        a, v = lax.fori_loop(0, first.shape[0], rotate, (a, v))
        return a, v, count + 1

    start = (a, jnp.eye(n, dtype=a.dtype), jnp.zeros((), jnp.int32))
    a, v, _ = lax.while_loop(is_unfinished, sweep, start)
    w = jnp.diag(a)
    order = _descending_order(-w)
    return v[:, order], w[order]


def _geqrf(a):
    return _batched(_geqrf_matrix)(a)


def _householder_product(a, taus):
    return _batched(_householder_product_matrix)(a, taus)


def _svd(a, *, full_matrices, compute_uv, subset_by_index=None, algorithm=None):
    del algorithm
    _refuse_complex("svd", a.dtype)
    if subset_by_index is not None and tuple(subset_by_index) != (0, min(a.shape[-2:])):
        raise NotImplementedError("svd has no subset_by_index on the platform \"cornu\"")
    s, u, vt = _batched(functools.partial(_svd_matrix, full_matrices=full_matrices))(a)
    return [s, u, vt] if compute_uv else [s]


def _eigh(a, *, lower, sort_eigenvalues, subset_by_index, algorithm=None):
    del sort_eigenvalues, algorithm
    _refuse_complex("eigh", a.dtype)
    if subset_by_index is not None and tuple(subset_by_index) != (0, a.shape[-1]):
        raise NotImplementedError("eigh has no subset_by_index on the platform \"cornu\"")
    triangle = jnp.tril(a) if lower else jnp.triu(a)
    other = jnp.swapaxes(jnp.tril(a, -1) if lower else jnp.triu(a, 1), -1, -2)
    return list(_batched(_eigh_matrix)(triangle + other))


def _refusal(name, advice):
    def rule(*arguments, **parameters):
        raise NotImplementedError(f"{name} does not exist on the platform \"cornu\": {advice}")
    return rule


ON_CPU = 'run it on JAX\'s CPU backend, inside `with jax.default_device(jax.devices("cpu")[0])`'
CALLBACKS = ("JAX passes callbacks of Python only to its own platforms; take the function out of jit, or run the "
             "program with JAX_PLATFORMS=cpu")


def register(platform):
    """Registers the rules."""
    from jax._src import callback, debugging
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    for primitive, function, is_multiple in [(linalg.geqrf_p, _geqrf, True),
                                             (linalg.householder_product_p, _householder_product, False),
                                             (linalg.svd_p, _svd, True), (linalg.eigh_p, _eigh, True)]:
        mlir.register_lowering(primitive, mlir.lower_fun(function, multiple_results=is_multiple), platform=platform)
    for name in ("eig", "schur", "hessenberg", "geqp3", "tridiagonal"):
        primitive = getattr(linalg, f"{name}_p", None)
        if primitive is not None:
            mlir.register_lowering(primitive, _refusal(name, ON_CPU), platform=platform)
    for name, module in [("pure_callback", callback), ("io_callback", callback), ("debug_callback", debugging),
                         ("debug_print", debugging)]:
        primitive = getattr(module, f"{name}_p", None)
        if primitive is not None:
            mlir.register_lowering(primitive, _refusal(name, CALLBACKS), platform=platform)
