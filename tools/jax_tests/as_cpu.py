"""A module of pytest (-p as_cpu): JAX's tests that skip platforms which JAX does not know take the device for a CPU."""


def pytest_collection_finish():
    import jax
    import jax._src.test_util  # declares the option, and keeps the standard output that it finds

    jax.config.update("jax_test_dut", "cpu")
