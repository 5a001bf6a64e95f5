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


def _approximate_top_k(operand, *, k, reduction_dimension, is_max_k, aggregate_to_topk, recall_target,
                       reduction_input_size_override):
    """The exact result, as on other CPUs; there may be more of them than k if parts of a sharded array are joined later."""
    import jax.numpy as jnp
    from jax import lax
    from jax._src.lib import _jax
    if not aggregate_to_topk:
        k = _jax.approx_top_k_reduction_output_size(operand.shape[reduction_dimension], operand.ndim, k, recall_target,
                                                    aggregate_to_topk, reduction_input_size_override)[0]
    lines = jnp.moveaxis(operand, reduction_dimension, -1)
    values, indices = lax.top_k(lines if is_max_k else -lines, k)
    return [jnp.moveaxis(result, -1, reduction_dimension) for result in (values if is_max_k else -values, indices)]


def _inspect_sharding(platform, of_jax):
    def rule(ctx, value, *, callback):
        if getattr(ctx.module_context.axis_context, "num_devices", 2) > 1:
            raise NotImplementedError(f"jax.debug.inspect_array_sharding in a program for several devices does not exist on "
                                      f"the platform \"{platform}\": read the attribute `sharding` of the program's results")
        return of_jax(ctx, value, callback=callback)
    return rule


def register(platform):
    """Registers the rules."""
    from jax._src import debugging
    from jax._src.interpreters import mlir
    from jax._src.lax import ann, lax, linalg

    from cornu import jax_callbacks

    for name in LINEAR_ALGEBRA:
        primitive = getattr(linalg, f"{name}_p")
        mlir.register_lowering(primitive, mlir._platform_specific_lowerings["cpu"][primitive].rule, platform=platform)
    emitter = jax_callbacks.register(platform)
    for name in ON_CPU:
        primitive = getattr(linalg, f"{name}_p", None)
        if primitive is not None:
            mlir.register_lowering(primitive, _on_cpu(primitive, emitter), platform=platform)
    mlir.register_lowering(ann.approx_top_k_p, mlir.lower_fun(_approximate_top_k, multiple_results=True), platform=platform)
    mlir.register_lowering(debugging.inspect_sharding_p,
                           _inspect_sharding(platform, mlir._lowerings[debugging.inspect_sharding_p].rule), platform=platform)
    # The program that computes a value which is never read has the same results without it.
    mlir.register_lowering(lax.dce_sink_p, lambda *_, **__: [], platform=platform)
