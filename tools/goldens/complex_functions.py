"""Writes cornu/ops/complex/complex_golden.inc: functions of complex numbers by mpmath, and their gradients by JAX.

    KERAS_BACKEND=jax python3 tools/goldens/complex_functions.py

A row: the function, z, w (for functions of two numbers), f, and what jax.vjp gives for z and w from the cotangent 1 - 0.5i.
"""

import pathlib

import jax
import mpmath
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "cornu/ops/complex/complex_golden.inc"
COTANGENT = 1 - 0.5j

mpmath.mp.dps = 60
UNARY = {
    "abs": (abs, jnp.abs),
    "exponential": (mpmath.exp, jnp.exp),
    "exponential_minus_one": (mpmath.expm1, jnp.expm1),
    "log": (mpmath.log, jnp.log),
    "log_plus_one": (lambda z: mpmath.log(1 + z), jnp.log1p),
    "sqrt": (mpmath.sqrt, jnp.sqrt),
    "rsqrt": (lambda z: 1 / mpmath.sqrt(z), jax.lax.rsqrt),
    "sine": (mpmath.sin, jnp.sin),
    "cosine": (mpmath.cos, jnp.cos),
    "tan": (mpmath.tan, jnp.tan),
    "tanh": (mpmath.tanh, jnp.tanh),
    "logistic": (lambda z: 1 / (1 + mpmath.exp(-z)), jax.lax.logistic),
    "cornu.sinh": (mpmath.sinh, jnp.sinh),
}
# Functions without an op here: only the values are compared.
VALUES = {"cosh": mpmath.cosh, "asin": mpmath.asin, "acos": mpmath.acos, "atan": mpmath.atan, "asinh": mpmath.asinh,
          "acosh": mpmath.acosh, "atanh": mpmath.atanh}
BINARY = {"multiply": (lambda z, w: z * w, jnp.multiply), "divide": (lambda z, w: z / w, jnp.divide),
          "power": (lambda z, w: z**w, jnp.power)}


def exact(function, *operands):
    return complex(function(*(mpmath.mpc(z) for z in operands)))


def points(rng):
    near_one = [np.exp(1j * a) * (1 + e) for a in (0.3, 2.0, -2.9) for e in (1e-9, -1e-4)]
    small = [1e-10 + 2e-10j, -3e-9 + 1e-12j, 1e-8j, -1e-8 + 0j]
    return list(rng.normal(size=12) + 1j * rng.normal(size=12)) + near_one + small


def extreme_points():
    return [1e200 + 1e200j, 1e-200 - 1e-200j, -1e300 + 1j, 3 - 1e300j]


def number(value):
    value = complex(value)
    return f"{{{value.real!r}, {value.imag!r}}}"


def main():
    rng = np.random.default_rng(48)
    rows = []
    for name, (function, traced) in UNARY.items():
        for z in points(rng):
            result, vjp = jax.vjp(traced, jnp.asarray(z))
            cotangent = jnp.asarray(COTANGENT if jnp.iscomplexobj(result) else COTANGENT.real, result.dtype)
            # JAX's own formulas lose digits near 0.
            gradient = vjp(cotangent)[0] if abs(z) > 1e-6 else np.nan
            rows.append((name, z, 0, exact(function, z), gradient, 0))
    for name, function in VALUES.items():
        rows += [(name, z, 0, exact(function, z), np.nan, 0) for z in points(rng)]
    for name in ("abs", "log", "sqrt"):
        rows += [(name, z, 0, exact(UNARY[name][0], z), np.nan, 0) for z in extreme_points()]
    for name, (function, traced) in BINARY.items():
        for z, w in zip(points(rng)[:12], points(rng)[:12]):
            _, vjp = jax.vjp(traced, jnp.asarray(z), jnp.asarray(w))
            rows.append((name, z, w, exact(function, z, w), *vjp(jnp.asarray(COTANGENT))))
    rows += [("divide", z, w, function, np.nan, 0)
             for z, w, function in [(1e200 + 1e200j, 1e200 - 1e200j, 1j), (1e-200 + 0j, 1e-200j, -1j)]]
    lines = ["// Made by tools/goldens/complex_functions.py."]
    for name, z, w, value, z_gradient, w_gradient in rows:
        gradient = "{kNone, 0}" if np.isnan(z_gradient) else number(z_gradient)
        lines.append(f'{{"{name}", {number(z)}, {number(w)}, {number(value)}, {gradient}, {number(w_gradient)}}},')
    OUTPUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
