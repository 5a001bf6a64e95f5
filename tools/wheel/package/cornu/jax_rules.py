"""Lowering rules of the platform "cornu" for primitives that JAX lowers to libraries on other platforms.

JAX's linear algebra calls LAPACK's functions on CPUs. The engine has these functions under the same names, so the platform takes
JAX's rules of the CPU.
"""

import functools

# Primitives whose calls of LAPACK the engine knows (cornu/ops/custom_call/library_calls.h).
LINEAR_ALGEBRA = ("lu", "eigh", "svd", "geqrf", "householder_product")
# Primitives that run on JAX's CPU device, in a callback: the engine has no code for them.
ON_CPU = ("eig", "schur", "hessenberg", "geqp3", "tridiagonal")


def _on_cpu(primitive, emitter):
    def compute(parameters, *operands):
        import jax
        from jax._src import mesh, sharding_impls
        device = jax.local_devices(backend="cpu")[0]
        # The thread that runs the program may be one with a mesh.
        with (jax.default_device(device), sharding_impls._internal_use_concrete_mesh(mesh.empty_concrete_mesh),
              mesh.use_abstract_mesh(mesh.empty_abstract_mesh)):
            results = primitive.bind(*jax.device_put(operands, device), **parameters)
        return results if primitive.multiple_results else (results,)

    def rule(ctx, *operands, **parameters):
        callback = functools.partial(compute, parameters)
        return emitter.emit(ctx, callback, operands, ctx.avals_in, ctx.avals_out, False, name=primitive.name)
    return rule


def register(platform):
    """Registers the rules."""
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    from cornu import jax_callbacks

    for name in LINEAR_ALGEBRA:
        primitive = getattr(linalg, f"{name}_p")
        mlir.register_lowering(primitive, mlir._platform_specific_lowerings["cpu"][primitive].rule, platform=platform)
    emitter = jax_callbacks.register(platform)
    for name in ON_CPU:
        primitive = getattr(linalg, f"{name}_p", None)
        if primitive is not None:
            mlir.register_lowering(primitive, _on_cpu(primitive, emitter), platform=platform)
