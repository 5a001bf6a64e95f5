"""Writes step.mlirbc: a training step of linear regression, exported by JAX. python make_step.py"""

import pathlib

import jax
import jax.numpy as jnp


def step(w, x, y):
    loss, gradient = jax.value_and_grad(lambda v: jnp.mean((x @ v - y) ** 2))(w)
    return w - 0.1 * gradient, loss


shapes = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in [(4,), (32, 4), (32,)]]
exported = jax.export.export(jax.jit(step, donate_argnums=0), platforms=["cpu"])(*shapes)
path = pathlib.Path(__file__).parent / "step.mlirbc"
path.write_bytes(exported.mlir_module_serialized)
