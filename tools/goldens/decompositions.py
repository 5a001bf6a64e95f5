"""Writes cornu/ops/decompositions_golden.inc: losses of LU, eigenvalue and singular value decompositions, and
their gradients by jax.grad.

    JAX_PLATFORMS=cpu python3 tools/goldens/decompositions.py

A row: the name, the extents of a, whether it is complex (numbers are pairs then), a, weights, the loss and the gradient.
The loss is the sum of weights times terms that do not depend on the signs and phases of vectors; see `terms`.
"""

import pathlib

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "cornu/ops/decompositions_golden.inc"
SHAPES = [("lu", 3, 3), ("lu", 4, 2), ("lu", 2, 4), ("eigh", 3, 3), ("svd", 3, 3), ("svd", 4, 2), ("svd", 2, 4),
          ("singular_values", 4, 2), ("singular_values", 2, 4)]


def square(x):
    return jnp.real(x * jnp.conj(x))


def terms(name, a):
    if name == "lu":
        packed = lax.linalg.lu(a)[0]
        return [jnp.real(packed), jnp.imag(packed)] if jnp.iscomplexobj(a) else [packed]
    if name == "eigh":
        vectors, values = lax.linalg.eigh(a, symmetrize_input=True)
        return [values, square(vectors)]
    if name == "singular_values":
        return [lax.linalg.svd(a, compute_uv=False)]
    u, s, vh = lax.linalg.svd(a, full_matrices=False)
    return [s, square(u), square(vh), jnp.real(u @ vh)]


def numbers(values):
    values = np.asarray(values)
    if np.iscomplexobj(values):
        values = np.stack([values.real, values.imag], axis=-1)
    return "{" + ", ".join(repr(float(v)) for v in values.ravel()) + "}"


def main():
    rng = np.random.default_rng(48)
    lines = ["// Made by tools/goldens/decompositions.py."]
    for name, m, n in SHAPES:
        for is_complex in (False, True):
            a = rng.normal(size=(m, n))
            if is_complex:
                a = a + 1j * rng.normal(size=(m, n))
            sizes = [term.size for term in terms(name, jnp.asarray(a))]
            weights = rng.normal(size=sum(sizes))

            def loss(a, name=name, weights=weights):
                return jnp.dot(jnp.concatenate([term.ravel() for term in terms(name, a)]), weights)

            value, gradient = jax.value_and_grad(loss)(jnp.asarray(a))
            lines.append(f'{{"{name}", {m}, {n}, {str(is_complex).lower()}, {numbers(a)}, {numbers(weights)}, '
                         f"{float(value)!r}, {numbers(gradient)}}},")
    OUTPUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
