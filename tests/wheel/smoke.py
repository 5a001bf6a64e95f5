"""Runs JAX on Cornu's plug-in: called by smoke_test.sh with the package of the wheel in PYTHONPATH."""

import os

os.environ["JAX_PLATFORMS"] = "cornu,cpu"

import functools
import multiprocessing
import unittest

import jax
import jax.numpy as jnp
import numpy as np


def run_in_child(queue, function):
    try:
        function()
        queue.put("no error")
    except Exception as error:  # its text is the result
        queue.put(str(error))


def run_program():
    return jnp.ones(2) + 1


def compile_program():
    return jax.jit(lambda x: x * 7)(np.ones(7))


class SmokeTest(unittest.TestCase):

    def test_the_platform_is_cornu(self):
        self.assertEqual(jax.default_backend(), "cornu")
        self.assertIn("Cornu", jax.devices()[0].client.platform_version)
        self.assertGreaterEqual(jax.devices()[0].memory_stats()["num_allocs"], 0)

    def test_values_equal_those_of_the_cpu(self):
        def compute(x):
            return jnp.sum(jax.nn.softmax(x @ x.T)), jax.random.normal(jax.random.key(3), (4,)), jnp.argmax(x, axis=0)
        x = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
        with jax.default_device(jax.devices("cpu")[0]):
            expected = jax.jit(compute)(x)
        for own, other in zip(jax.jit(compute)(x), expected):
            np.testing.assert_allclose(own, other, rtol=1e-5, atol=1e-6)

    def test_a_donated_array_is_deleted_and_its_memory_is_used(self):
        step = jax.jit(lambda w, g: w - g, donate_argnums=0)
        w = step(jnp.ones((64, 64)), jnp.ones((64, 64)))
        address = w.unsafe_buffer_pointer()
        updated = step(w, jnp.ones((64, 64)))
        self.assertTrue(w.is_deleted())
        self.assertEqual(updated.unsafe_buffer_pointer(), address)
        with self.assertRaisesRegex(ValueError, "deleted or donated"):
            step(w, updated)

    def test_a_view_keeps_its_value_when_the_array_is_donated(self):
        step = jax.jit(lambda w: w + 1, donate_argnums=0)
        w = step(jnp.zeros(16))
        view = np.asarray(w)
        self.assertEqual(step(w)[0], 2)
        self.assertEqual(view[0], 1)

    def test_all_layouts_of_arrays_are_read(self):
        x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
        for array in (x, x.T, x[:, ::2], np.asfortranarray(x), np.broadcast_to(x[0, 0], (5, 4)), x[:, 1:1]):
            np.testing.assert_array_equal(np.asarray(jnp.asarray(array) * 2), array * 2)

    def test_a_program_is_serialized_and_loaded(self):
        from jax.experimental import serialize_executable
        compiled = jax.jit(lambda x: x * 3).lower(jnp.ones(3)).compile()
        loaded = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
        np.testing.assert_array_equal(loaded(jnp.ones(3)), [3, 3, 3])
        self.assertGreater(compiled.cost_analysis()["bytes accessed"], 0)

    def test_linear_algebra_equals_numpys(self):
        x = np.random.default_rng(1).normal(size=(6, 4)).astype(np.float32)
        q, r = jnp.linalg.qr(x)
        np.testing.assert_allclose(q @ r, x, atol=1e-5)
        u, s, vt = jnp.linalg.svd(x)
        np.testing.assert_allclose(s, np.linalg.svd(x, compute_uv=False), atol=1e-5)
        np.testing.assert_allclose((u[:, :4] * s) @ vt, x, atol=1e-5)
        np.testing.assert_allclose(jnp.linalg.eigvalsh(x.T @ x), np.linalg.eigvalsh(x.T @ x), atol=1e-4)

    def test_eigenvalues_come_from_the_cpu_device(self):
        x = np.random.default_rng(2).normal(size=(2, 5, 5)).astype(np.float32)
        values, vectors = jax.jit(jnp.linalg.eig)(x)
        np.testing.assert_allclose(x @ vectors, vectors * values[:, None, :], atol=1e-4)
        with jax.enable_x64(True):
            values, vectors = map(np.asarray, jnp.linalg.eig(x.astype(np.float64)))
        np.testing.assert_allclose(x @ vectors, vectors * values[:, None, :], atol=1e-12)
        q, r, p = jax.scipy.linalg.qr(x[0], pivoting=True)
        np.testing.assert_allclose(x[0][:, p], q @ r, atol=1e-5)

    def test_arrays_share_memory_with_other_libraries(self):
        increment = jax.jit(lambda v: v + 1, donate_argnums=0)
        x = increment(jnp.zeros(100))
        view = np.from_dlpack(x)
        self.assertEqual(view.ctypes.data, x.unsafe_buffer_pointer())
        self.assertEqual(increment(x)[0], 2)
        self.assertEqual(view[0], 1)
        memory = np.empty(1040, np.float32)
        aligned = memory[-memory.ctypes.data % 64 // 4:][:1024]
        aligned[:] = 3
        y = jnp.from_dlpack(aligned)
        self.assertEqual(y.unsafe_buffer_pointer(), aligned.ctypes.data)
        self.assertEqual(y.devices(), {jax.devices("cornu")[0]})
        self.assertEqual(jnp.sum(y), 3072)
        cpu = jax.devices("cpu")[0]
        self.assertEqual(jnp.from_dlpack(aligned, device=cpu).devices(), {cpu})
        half = jnp.from_dlpack(jnp.arange(3, dtype=jnp.bfloat16), copy=True)
        np.testing.assert_array_equal(half.astype(np.float32), [0, 1, 2])

    def test_arrays_are_moved_between_a_device_and_its_host(self):
        def memory(kind):
            return jax.sharding.SingleDeviceSharding(jax.devices("cornu")[0], memory_kind=kind)

        @functools.partial(jax.jit, out_shardings=(memory("device"), memory("pinned_host")))
        def step(x, state):
            state = jax.device_put(state, memory("device")) + x
            return 2 * state, jax.device_put(state, memory("pinned_host"))
        state = jax.device_put(np.arange(4, dtype=np.float32), memory("pinned_host"))
        self.assertEqual(state.sharding.memory_kind, "pinned_host")
        for _ in range(2):
            y, state = step(jnp.ones(4), state)
        self.assertEqual((y.sharding.memory_kind, state.sharding.memory_kind), ("device", "pinned_host"))
        np.testing.assert_array_equal(state, np.arange(4) + 2)
        np.testing.assert_array_equal(y, 2 * np.asarray(state))

    def test_approximate_top_k_is_exact(self):
        x = np.random.default_rng(5).permutation(4096).astype(np.float32).reshape(16, 256)
        values, indices = jax.lax.approx_max_k(x, 3)
        np.testing.assert_array_equal(values, -np.sort(-x)[:, :3])
        np.testing.assert_array_equal(np.take_along_axis(x, np.asarray(indices), 1), values)
        values, _ = jax.lax.approx_min_k(x, 2, reduction_dimension=0)
        np.testing.assert_array_equal(values, np.sort(x, axis=0)[:2])
        with jax.default_device(jax.devices("cpu")[0]):
            expected = jax.lax.approx_max_k(x, 3, aggregate_to_topk=False)
        for own, other in zip(jax.lax.approx_max_k(x, 3, aggregate_to_topk=False), expected):
            np.testing.assert_array_equal(own, other)

    def test_values_that_are_never_read_are_accepted(self):
        @jax.jit
        def f(x):
            jax.lax.dce_sink(jnp.sin(x), prevent_mlir_dce=True)
            return x + 1
        self.assertEqual(f(2.0), 3)

    def test_what_is_missing_is_one_sentence(self):
        from jax.experimental.buffer_callback import buffer_callback
        with self.assertRaisesRegex(ValueError, "not supported on cornu"):
            jax.jit(buffer_callback(lambda *_: None, jax.ShapeDtypeStruct((2,), np.float32)))(jnp.ones(2))

    def test_shard_map_on_one_device_is_its_body(self):
        mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
        spec = jax.sharding.PartitionSpec("x")
        double = jax.shard_map(lambda x: 2 * x, mesh=mesh, in_specs=spec, out_specs=spec)
        np.testing.assert_array_equal(jax.jit(double)(jnp.arange(4.0)), [0, 2, 4, 6])

    def test_many_executions_in_flight_keep_their_order(self):
        @functools.partial(jax.jit, donate_argnums=0)
        def step(x):
            return x @ jnp.eye(300) + 1
        x = jnp.zeros((300, 300))
        for _ in range(100):
            x = step(x)
        self.assertEqual(x[0, 0], 100)

    def test_a_forked_child_gets_an_exception(self):
        jnp.ones(2).block_until_ready()
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        for function in (run_program, compile_program):
            child = context.Process(target=run_in_child, args=(queue, function))
            child.start()
            self.assertIn("forked", queue.get(timeout=60))
            child.join()
            self.assertEqual(child.exitcode, 0)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    # The process ends with work in flight.
    jax.jit(lambda x: x @ x)(jnp.ones((1000, 1000)))
    raise SystemExit(not result.wasSuccessful())
