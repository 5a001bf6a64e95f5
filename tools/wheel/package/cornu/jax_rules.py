"""Lowering rules of the platform "cornu" for primitives that JAX lowers to libraries on other platforms.

JAX's linear algebra calls LAPACK's functions on CPUs. The engine has these functions under the same names, so the platform takes
JAX's rules of the CPU.
"""

# Primitives whose calls of LAPACK the engine knows (cornu/ops/custom_call/library_calls.h).
LINEAR_ALGEBRA = ("lu", "eigh", "svd", "geqrf", "householder_product")


def _refusal(name, advice):
    def rule(*arguments, **parameters):
        raise NotImplementedError(f"{name} does not exist on the platform \"cornu\": {advice}")
    return rule


ON_CPU = 'run it on JAX\'s CPU backend, inside `with jax.default_device(jax.devices("cpu")[0])`'


def register(platform):
    """Registers the rules."""
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    from cornu import jax_callbacks

    for name in LINEAR_ALGEBRA:
        primitive = getattr(linalg, f"{name}_p")
        mlir.register_lowering(primitive, mlir._platform_specific_lowerings["cpu"][primitive].rule, platform=platform)
    for name in ("eig", "schur", "hessenberg", "geqp3", "tridiagonal"):
        primitive = getattr(linalg, f"{name}_p", None)
        if primitive is not None:
            mlir.register_lowering(primitive, _refusal(name, ON_CPU), platform=platform)
    jax_callbacks.register(platform)
