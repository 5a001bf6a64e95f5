"""Runs JAX's programs for several devices on the plug-in: called by smoke_test.sh with CORNU_PJRT_DEVICES=4."""

import os

os.environ["JAX_PLATFORMS"] = "cornu,cpu"
os.environ.setdefault("CORNU_PJRT_DEVICES", "4")

import functools
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P


def mesh_of(shape, names):
    return jax.make_mesh(shape, names, axis_types=(AxisType.Auto,) * len(names))


class DevicesTest(unittest.TestCase):

    def setUp(self):
        self.x = np.random.default_rng(0).normal(size=(8, 6)).astype(np.float32)
        self.line, self.grid = mesh_of((4,), ("a",)), mesh_of((2, 2), ("a", "b"))

    def test_arrays_are_placed_on_devices(self):
        devices = jax.devices()
        self.assertEqual(len(devices), 4)
        y = jax.device_put(self.x, devices[2]) + 1
        self.assertEqual(y.devices(), {devices[2]})
        np.testing.assert_array_equal(y, self.x + 1)

    def test_jit_computes_on_sharded_arrays(self):
        w = np.random.default_rng(1).normal(size=(6, 4)).astype(np.float32)
        for mesh, of_x, of_w in [(self.line, P("a"), P()), (self.grid, P("a", "b"), P("b")),
                                 (self.grid, P(("b", "a")), P(None, "a")), (self.grid, P(), P("b", "a"))]:
            x, weights = jax.device_put(self.x, NamedSharding(mesh, of_x)), jax.device_put(w, NamedSharding(mesh, of_w))
            y = jax.jit(lambda x, w: jnp.tanh(x @ w).sum(axis=1))(x, weights)
            np.testing.assert_allclose(y, np.tanh(self.x @ w).sum(axis=1), rtol=1e-5, atol=1e-5)

    def test_results_take_the_sharding_of_their_operands(self):
        x = jax.device_put(self.x, NamedSharding(self.line, P("a")))
        y = jax.jit(lambda x: 2 * jnp.sin(x))(x)
        self.assertEqual(y.sharding, x.sharding)
        self.assertEqual([shard.data.shape for shard in y.addressable_shards], [(2, 6)] * 4)
        np.testing.assert_allclose(y, 2 * np.sin(self.x), rtol=1e-6)

    def test_shardings_are_constrained(self):
        by_column = NamedSharding(self.grid, P(None, "b"))
        y = jax.jit(lambda x: lax.with_sharding_constraint(x + 1, by_column))(self.x)
        self.assertTrue(y.sharding.is_equivalent_to(by_column, 2))
        z = jax.jit(lambda x: x * 3, out_shardings=NamedSharding(self.grid, P("b", "a")))(y)
        self.assertEqual(z.addressable_shards[0].data.shape, (4, 3))
        np.testing.assert_allclose(z, (self.x + 1) * 3, rtol=1e-6)

    def test_shard_map_has_collectives(self):
        def body(x):
            i = lax.axis_index("a")
            return (lax.psum(x, "a"), lax.all_gather(x, "a", tiled=True), lax.ppermute(x, "a", [(0, 1), (1, 2), (2, 3), (3, 0)]),
                    x + i, lax.psum_scatter(jnp.tile(x, (4, 1)), "a", tiled=True), lax.pmax(x, "a"))
        mapped = jax.jit(jax.shard_map(body, mesh=self.line, in_specs=P("a"), check_vma=False,
                                       out_specs=(P(), P(), P("a"), P("a"), P("a"), P())))
        parts = self.x.reshape(4, 2, 6)
        total, gathered, moved, numbered, scattered, largest = mapped(self.x)
        np.testing.assert_allclose(total, parts.sum(axis=0), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(gathered, self.x)
        np.testing.assert_array_equal(moved, np.roll(parts, 1, axis=0).reshape(8, 6))
        np.testing.assert_allclose(numbered, (parts + np.arange(4, dtype=np.float32)[:, None, None]).reshape(8, 6))
        np.testing.assert_allclose(scattered, np.tile(parts.sum(axis=0), (4, 1)), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(largest, parts.max(axis=0))

    def test_shard_map_runs_in_loops_and_along_one_of_two_axes(self):
        @jax.jit
        @functools.partial(jax.shard_map, mesh=self.grid, in_specs=P("a"), out_specs=P("a"), axis_names={"a"})
        def along_a(x):
            return x - lax.pmean(x, "a")
        x = jax.device_put(self.x, NamedSharding(self.grid, P("a", "b")))
        halves = self.x.reshape(2, 4, 6)
        np.testing.assert_allclose(along_a(x), (halves - halves.mean(axis=0)).reshape(8, 6), rtol=1e-5, atol=1e-6)
        looped = jax.jit(lambda x: lax.fori_loop(0, 3, lambda _, y: along_a(y) + 1, x))(x)
        np.testing.assert_allclose(looped, (halves - halves.mean(axis=0)).reshape(8, 6) + 1, rtol=1e-5, atol=1e-5)

    def test_pmap_is_a_replica_on_each_device(self):
        parts = self.x.reshape(4, 2, 6)
        y = jax.pmap(lambda x: x / lax.psum(jnp.sum(x * x), "i"), axis_name="i")(parts)
        np.testing.assert_allclose(y, parts / np.sum(parts * parts), rtol=1e-5)

    def test_data_parallel_training_equals_that_on_one_device(self):
        def step(w, x):
            loss, gradient = jax.value_and_grad(lambda w: jnp.mean((x @ w - 1)**2))(w)
            return w - 0.1 * gradient, loss
        w = np.zeros((6, 1), np.float32)
        expected = w
        for _ in range(3):
            expected, loss = jax.jit(step)(expected, self.x)
        replicated, by_row = NamedSharding(self.line, P()), NamedSharding(self.line, P("a"))
        sharded = jax.jit(step, donate_argnums=0)
        own, x = jax.device_put(w, replicated), jax.device_put(self.x, by_row)
        for _ in range(3):
            own, own_loss = sharded(own, x)
        np.testing.assert_allclose(own, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(own_loss, loss, rtol=1e-5)

    def test_compiled_programs_have_no_text_and_are_not_inspected(self):
        def inspected(x):
            jax.debug.inspect_array_sharding(x, callback=print)
            return x
        doubled = jax.jit(jax.shard_map(lambda x: 2 * x, mesh=self.line, in_specs=P("a"), out_specs=P("a")))
        self.assertIsNone(doubled.lower(self.x).compile().as_text())
        with self.assertRaisesRegex(NotImplementedError, "read the attribute `sharding`"):
            jax.jit(inspected)(jax.device_put(self.x, NamedSharding(self.line, P("a"))))

    def test_shard_map_runs_inside_shard_map(self):
        def halve(y):
            return y / 2 + lax.psum(y, "b")

        def body(x, count):
            inner = jax.shard_map(halve, in_specs=P("b"), out_specs=P("b"), axis_names={"b"})
            return inner(x) if count == 0 else lax.fori_loop(0, count, lambda _, y: inner(y), x)

        def outer(count):
            return jax.jit(jax.shard_map(functools.partial(body, count=count), mesh=self.grid, in_specs=P("a"), out_specs=P("a"),
                                         axis_names={"a"}))
        parts = self.x.reshape(2, 2, 2, 6)
        np.testing.assert_allclose(outer(0)(self.x), (parts / 2 + parts.sum(axis=1, keepdims=True)).reshape(8, 6), rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(Exception, "a loop or a branch in a manual computation"):
            outer(2)(self.x)


if __name__ == "__main__":
    unittest.main()
