"""Runs JAX's callbacks on the plug-in: called by smoke_test.sh, on one device and on four."""

import os
import subprocess
import sys
import threading

os.environ.setdefault("JAX_PLATFORMS", "cornu")

import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import PartitionSpec as P

FLOATS = jax.ShapeDtypeStruct((3,), np.float32)
NOTHING = jax.ShapeDtypeStruct((), np.int32)


def sine(x):
    return jax.pure_callback(lambda v: np.sin(np.asarray(v)), jax.ShapeDtypeStruct(x.shape, x.dtype), x,
                             vmap_method="sequential")


class CallbacksTest(unittest.TestCase):

    def setUp(self):
        self.seen = []
        self.x = np.array([1, 2, 3], np.float32)

    def record(self, *values):
        self.seen.append(tuple(np.asarray(value).tolist() for value in values))
        return np.int32(len(self.seen))

    def recorded(self):
        jax.effects_barrier()
        return self.seen

    def test_pure_callbacks_compute(self):
        y = jax.jit(lambda x: sine(x) * 2)(self.x)
        np.testing.assert_allclose(y, 2 * np.sin(self.x), rtol=1e-6)
        many = jax.jit(lambda *xs: jax.pure_callback(lambda *v: tuple(a + 1 for a in v), (FLOATS,) * 40, *xs))
        np.testing.assert_array_equal(many(*[self.x + i for i in range(40)])[39], self.x + 40)

    def test_all_types_are_passed(self):
        for dtype in (np.bool_, np.int8, np.uint16, np.int32, np.float16, jnp.bfloat16, np.float32, np.complex64, jnp.int4,
                      jnp.float8_e4m3fn):
            x = jnp.asarray([0, 1, 3], dtype) if dtype != np.complex64 else jnp.asarray([0, 1j, 3 + 2j])
            seen = []

            def same(v):
                seen.append(np.asarray(v))
                return np.asarray(v)
            y = jax.jit(lambda v: jax.pure_callback(same, jax.ShapeDtypeStruct(v.shape, v.dtype), v))(x)
            np.testing.assert_array_equal(np.asarray(y), np.asarray(x))
            self.assertEqual(seen[0].dtype, x.dtype)
        empty = jax.jit(lambda v: jax.pure_callback(lambda w: w, jax.ShapeDtypeStruct((0, 2), np.float32), v))
        self.assertEqual(empty(np.zeros((0, 2), np.float32)).shape, (0, 2))

    def test_unused_pure_callbacks_do_not_run_and_others_do(self):
        @jax.jit
        def f(x):
            jax.pure_callback(lambda v: self.record("pure") and v, FLOATS, x)
            io_callback(lambda v: self.record("io"), NOTHING, x)
            return x
        f(self.x)
        self.assertEqual(self.recorded(), [("io",)])

    def test_effects_keep_their_order_and_are_not_merged(self):
        @jax.jit
        def f(x):
            for i in range(5):
                io_callback(lambda v, i=i: self.record(i), NOTHING, x, ordered=i % 2 == 0)
            for _ in range(3):
                jax.debug.callback(lambda v: self.record("same"), x)
        f(self.x)
        self.assertEqual(self.recorded(), [(i,) for i in range(5)] + [("same",)] * 3)

    def test_effects_run_in_loops_conditions_and_branches(self):
        @jax.jit
        def f(n):
            def condition(i):
                jax.debug.callback(lambda v: self.record("test", v), i)
                return i < n

            def body(i):
                jax.debug.callback(lambda v: self.record("body", v), i)
                return lax.cond(i % 2 == 0, lambda v: (io_callback(self.record, NOTHING, v, ordered=True), v + 1)[1],
                                lambda v: v + 1, i)
            return lax.while_loop(condition, body, 0)
        self.assertEqual(f(3), 3)
        self.assertEqual(self.recorded(), [("test", 0), ("body", 0), (0,), ("test", 1), ("body", 1), ("test", 2), ("body", 2), (2,),
                                           ("test", 3)])
        self.seen.clear()
        total, _ = jax.jit(lambda x: lax.scan(lambda c, v: (c + io_callback(lambda w: np.float32(2 * w),
                                                                           jax.ShapeDtypeStruct((), np.float32), v), v), 0., x))(self.x)
        self.assertEqual(total, 12)

    def test_effects_without_results_and_operands_run_each_time(self):
        f = jax.jit(lambda: jax.debug.callback(lambda: self.record()))
        for _ in range(4):
            f()
        self.assertEqual(self.recorded(), [()] * 4)

    def test_callbacks_are_batched_and_differentiated(self):
        @jax.custom_jvp
        def own_sine(x):
            return sine(x)
        own_sine.defjvp(lambda primals, tangents: (own_sine(*primals), jnp.cos(primals[0]) * tangents[0]))
        np.testing.assert_allclose(jax.jit(jax.vmap(jax.grad(own_sine)))(self.x), np.cos(self.x), rtol=1e-6)
        np.testing.assert_allclose(jax.vmap(own_sine)(self.x), np.sin(self.x), rtol=1e-6)

        @jax.jit
        @jax.grad
        def g(x):
            jax.debug.callback(lambda v: self.record(v), x)
            return x * x
        self.assertEqual(g(2.), 4)
        self.assertEqual(self.recorded(), [(2.,)])

    def test_an_exception_reaches_the_caller_with_the_name_of_the_callback(self):
        def divide(x):
            raise ZeroDivisionError("no zero, please")

        @jax.jit
        def f(x):
            y = io_callback(divide, NOTHING, x, ordered=True)
            io_callback(lambda v: self.record("after"), NOTHING, x, ordered=True)
            return y
        with self.assertRaisesRegex(Exception, '(?s)callback ".*divide" raised ZeroDivisionError: no zero, please.*in divide'):
            np.asarray(f(self.x))
        self.assertEqual(self.recorded(), [])
        np.testing.assert_allclose(jax.jit(sine)(self.x), np.sin(self.x), rtol=1e-6)

    def test_a_failing_loop_ends(self):
        def f(x):
            def body(c):
                def fail(v):
                    self.record(v)
                    raise ValueError("at once")
                return c + jax.pure_callback(fail, NOTHING, c)
            return lax.while_loop(lambda c: c < 10, body, x)
        with self.assertRaisesRegex(Exception, "ValueError: at once"):
            jax.jit(f)(0).block_until_ready()
        self.assertEqual(len(self.seen), 1)

    def test_wrong_results_are_refused(self):
        for callback, text in [(lambda v: np.zeros(4, np.float32), "Incorrect output shape"),
                               (lambda v: np.zeros(3, np.int32), "Incorrect output dtype"),
                               (lambda v: (v, v), "Mismatched number of outputs")]:
            with self.assertRaisesRegex(Exception, text):
                jax.jit(lambda x: jax.pure_callback(callback, FLOATS, x))(self.x).block_until_ready()

    def test_many_programs_in_flight_call_back_in_order(self):
        f = jax.jit(lambda x, i: (io_callback(self.record, NOTHING, i), x @ x)[1])
        x = jnp.eye(200)
        for i in range(100):
            x = f(x, i)
        x.block_until_ready()
        self.assertEqual(self.recorded(), [(i,) for i in range(100)])

    def test_callbacks_run_jax_and_use_results_of_earlier_programs(self):
        earlier = jax.jit(lambda x: x + 1)(self.x)

        def inner(v):
            return np.asarray(jnp.asarray(v) * 2 + jax.jit(jnp.sin)(earlier))
        y = jax.jit(lambda x: jax.pure_callback(inner, FLOATS, x))(self.x)
        np.testing.assert_allclose(y, 2 * self.x + np.sin(self.x + 1), rtol=1e-6)

    def test_a_callback_cannot_wait_for_a_later_program(self):
        has_begun, may_go_on, later, errors = threading.Event(), threading.Event(), [], []

        def wait(v):
            has_begun.set()
            may_go_on.wait(60)
            return np.asarray(later[0])

        def run():
            try:
                jax.jit(lambda x: jax.pure_callback(wait, FLOATS, x))(self.x)
            except Exception as error:
                errors.append(str(error))
        thread = threading.Thread(target=run)
        thread.start()
        self.assertTrue(has_begun.wait(60))
        later.append(jax.jit(lambda x: x * 3)(self.x))
        may_go_on.set()
        thread.join(60)
        self.assertRegex("".join(errors), "cannot wait for the result of a program that waits")

    def test_programs_of_deleted_functions_finish(self):
        for i in range(20):
            jax.jit(lambda x: (io_callback(lambda v: self.record(i), NOTHING, x), x)[1])(self.x)
            jax.clear_caches()
        self.assertEqual(len(self.recorded()), 20)

    def test_threads_run_programs_with_callbacks(self):
        def run(k):
            for _ in range(20):
                np.testing.assert_allclose(f(self.x + k), np.sin(self.x + k), rtol=1e-6)
            done.append(k)
        f, done = jax.jit(sine), []
        threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(sorted(done), [0, 1, 2, 3])

    def test_several_devices_call_back(self):
        devices = jax.devices()
        n = len(devices)
        x = np.arange(2 * n, dtype=np.float32)
        mesh = jax.make_mesh((n,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))

        def body(x):
            jax.debug.callback(lambda v: self.record(v), x)
            jax.debug.callback(lambda: self.record("each"))
            return sine(x)
        y = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(x)
        np.testing.assert_allclose(y, np.sin(x), rtol=1e-6)
        self.assertEqual(sorted(map(str, self.recorded())), sorted(map(str, [([2. * i, 2. * i + 1],) for i in range(n)] + [("each",)] * n)))
        self.seen.clear()
        sharded = jax.device_put(x, jax.sharding.NamedSharding(mesh, P("d")))
        y = jax.jit(lambda x: (jax.debug.callback(lambda v: self.record(v.shape), x), sine(x))[1])(sharded)
        np.testing.assert_allclose(y, np.sin(x), rtol=1e-6)
        self.assertEqual(self.recorded(), [([2 * n],)] if n else [])
        self.seen.clear()
        z = jax.pmap(lambda v: (jax.debug.callback(lambda w: self.record(w), v), sine(v))[1])(x.reshape(n, 2))
        np.testing.assert_allclose(z, np.sin(x).reshape(n, 2), rtol=1e-6)
        self.assertEqual(len(self.recorded()), n)

    def test_ordered_callbacks_run_on_several_devices(self):
        n = len(jax.devices())
        mesh = jax.make_mesh((n,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))

        def body(x):
            for i in range(3):
                io_callback(lambda v, i=i: self.record(i), NOTHING, x, ordered=True)
            return x + 1
        y = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(np.arange(2. * n))
        np.testing.assert_array_equal(y, np.arange(2. * n) + 1)
        self.assertEqual(self.recorded(), [(i,) for i in range(3) for _ in range(n)])

    def test_callbacks_of_parts_are_refused_on_several_devices(self):
        f = jax.jit(lambda x: jax.debug.callback(lambda v: self.record(v), x, partitioned=True))
        if len(jax.devices()) == 1:
            f(self.x)
            return self.assertEqual(self.recorded(), [([1, 2, 3],)])
        mesh = jax.make_mesh((len(jax.devices()),), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
        with self.assertRaisesRegex(NotImplementedError, "partitioned=True"):
            f(jax.device_put(np.zeros(8, np.float32), jax.sharding.NamedSharding(mesh, P("d"))))

    def test_the_interpreter_ends_with_callbacks_on_their_way(self):
        # The first callback, outside of a program, makes JAX's CPU device.
        program = ("import time, jax, jax.numpy as jnp\n"
                   "jax.debug.print('begin')\n"
                   "slow = lambda v: (time.sleep(0.05), v)[1]\n"
                   "f = jax.jit(lambda x: jax.pure_callback(slow, x, x))\n"
                   "g = jax.jit(lambda x: jax.debug.print('x = {}', x))\n"
                   "x = jnp.ones(3)\n"
                   "for _ in range(10): x = f(x)\n"
                   "g(x)\n")
        for text in (program, program.replace("g(x)\n", "")):
            done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "begin\n" + ("x = [1. 1. 1.]\n" if "g(x)" in text else ""))
            self.assertNotIn("Error", done.stderr)


if __name__ == "__main__":
    unittest.main()
