#!/usr/bin/env python3
"""Self-checking programs of random well-typed graphs: some tens of ops on values that other ops made.

    random_graphs.py --write FOLDER [--count N] [--seed S]   writes programs for `cornu check`, a file for each kind
    random_graphs.py --check CORNU [--count N] [--seed S]    makes programs, and checks them on the CPU engine and the reference
                                                             backend; exits with 1 if one fails, is rejected or skipped

The expected results are those of jaxlib's CPU backend (jax_programs.py has the form of the programs). Each op depends on a random
number and on the types of the values that are there. A kind is a set of types: in graphs of f32 no op jumps, so that a rounding
stays a rounding; graphs of f64 compare, sort and round too; graphs of integers are exact; "gradient" differentiates a graph of f64,
"loops" one whose ops are loops of such graphs. Graphs of halves are short: XLA keeps some of their values in f32.

jaxlib crashes while it compiles some graphs. So a process forked for each graph makes its program; a graph whose process crashes or
exceeds --limit seconds is counted and left out. --first N makes the graphs with the numbers N to N + COUNT - 1 of the seed.
"""

import argparse
import collections
import multiprocessing
import pathlib
import sys
import traceback

import jax_programs as programs
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SIZES = [1, 2, 3, 4, 5, 6, 7, 9, 16, 33]


def squashed(x):
    """The same order of magnitude as a uniform number: sums and products of many ops stay finite."""
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return x / (jnp.abs(x) * np.asarray(0.4, x.real.dtype) + 1).astype(x.dtype)
    return jnp.tanh(x * np.asarray(0.4, x.dtype)) if jnp.issubdtype(x.dtype, jnp.floating) else x


class Graph:
    """Appends random ops to a pool of values."""

    own_ops = None  # names; None: all
    def __init__(self, rng, dtype, has_jumps):
        self.rng, self.dtype, self.has_jumps, self.pool = rng, jnp.dtype(dtype), has_jumps, []

    def one(self, values):
        return values[self.rng.integers(len(values))]

    def some(self, test=lambda x: True):
        """A value of the graph's dtype, the latest ones most often."""
        found = [x for x in self.pool if x.dtype == self.dtype and test(x)]
        if not found:
            return None
        return found[-1 - min(int(self.rng.exponential(3)), len(found) - 1)]

    def shaped(self, shape):
        """A value of a shape: one that is there, or one that is broadcast, cut or repeated."""
        x = self.some(lambda x: x.shape == shape) if self.rng.random() < 0.6 else None
        if x is not None:
            return x
        x = self.some()
        count, wanted = int(np.prod(x.shape)), int(np.prod(shape))
        flat = lax.reshape(x, (count,))
        if count >= wanted:
            return lax.reshape(lax.slice(flat, (count - wanted,), (count,)), shape)
        if len(shape) > 0 and x.ndim <= 1 and count == 1:
            return jnp.broadcast_to(lax.reshape(x, ()), shape)
        repeats = -(-wanted // count)
        return lax.reshape(lax.slice(lax.concatenate([flat] * repeats, 0), (0,), (wanted,)), shape)

    def ids(self, count, limit):
        """Indices, some of which are computed."""
        constant = jnp.asarray(self.rng.integers(0, limit, count), jnp.int32)
        x = [v for v in self.pool if v.dtype == jnp.int32 and v.size >= count]
        if not x or self.rng.random() < 0.5:
            return constant
        return lax.rem(jnp.abs(lax.slice(lax.reshape(x[-1], (x[-1].size,)), (0,), (count,))), jnp.int32(limit))

    def axis(self, x):
        return int(self.rng.integers(x.ndim))

    def step(self):
        names = self.own_ops or [name for name in dir(self) if name.startswith("op_")]
        if self.has_jumps:
            names += [name for name in dir(self) if name.startswith("jump_")]
        for _ in range(50):
            made = getattr(self, self.one(names))()
            if made is not None and all(m.size <= 4000 for m in made):
                self.pool += made
                return

    def is_float(self):
        return jnp.issubdtype(self.dtype, jnp.floating)

    def is_complex(self):
        return jnp.issubdtype(self.dtype, jnp.complexfloating)

    # Element by element.
    def op_unary(self):
        x = self.some()
        if self.is_complex():
            functions = [lax.neg, jnp.conj, lambda x: squashed(lax.square(x)), lambda x: jnp.exp(squashed(x)), lambda x: jnp.sin(squashed(x)),
                         lambda x: jnp.cos(squashed(x)), lambda x: lax.complex(x.imag, x.real), lambda x: jnp.log(jnp.abs(x) + 0.3).astype(x.dtype),
                         lambda x: jnp.tanh(squashed(x) * 0.3), lambda x: jnp.sqrt(squashed(x) * 0.3 + 1)]
            return [self.one(functions)(x).astype(self.dtype)]
        if not self.is_float():
            return [self.one([lax.neg, lax.bitwise_not, lax.population_count, lax.clz, jnp.abs, lax.sign])(x)]
        functions = [jnp.sin, jnp.cos, jnp.tanh, lax.logistic, jnp.arctan, lax.erf, lax.neg, lax.abs, lambda x: squashed(lax.square(x)),
                     lambda x: jnp.sqrt(jnp.abs(x) + 0.1), lambda x: jnp.log1p(jnp.abs(x)), lambda x: jnp.exp(squashed(x)), jnp.arcsinh, lambda x: lax.rsqrt(lax.square(x) + 1), lambda x: jnp.expm1(squashed(x)), lax.erfc]
        return [self.one(functions)(x)]

    def op_binary(self):
        x = self.some()
        y = self.shaped(x.shape)
        if self.is_complex():
            functions = [lax.add, lax.sub, lax.mul, lambda x, y: x / (jnp.abs(y) + 0.5).astype(x.dtype), lambda x, y: lax.complex(x.real, y.imag)]
            return [squashed(self.one(functions)(x, y))]
        if not self.is_float():
            safe = lax.bitwise_or(y, jnp.ones_like(y))  # not zero
            small = lax.bitwise_and(y, jnp.full_like(y, 7))
            return [self.one([lambda: lax.add(x, y), lambda: lax.sub(x, y), lambda: lax.mul(x, y), lambda: lax.max(x, y),
                              lambda: lax.min(x, y), lambda: lax.bitwise_xor(x, y), lambda: lax.bitwise_and(x, y),
                              lambda: lax.bitwise_or(x, y), lambda: lax.shift_left(x, small),
                              lambda: lax.shift_right_logical(x, small), lambda: lax.shift_right_arithmetic(x, small),
                              lambda: lax.div(x, safe), lambda: lax.rem(x, safe)])()]
        functions = [lax.add, lax.sub, lax.mul, lax.max, lax.min, lambda x, y: x / (jnp.abs(y) + 0.5),
                     lambda x, y: lax.atan2(x, jnp.abs(y) + 0.2), lambda x, y: lax.pow(jnp.abs(x) + 0.3, squashed(y))]
        return [squashed(self.one(functions)(x, y))]

    def op_broadcast(self):
        x = self.some(lambda x: x.ndim < 4)
        if x is None:
            return None
        at = int(self.rng.integers(x.ndim + 1))
        shape = (*x.shape[:at], self.one(SIZES[:6]), *x.shape[at:])
        return [lax.broadcast_in_dim(x, shape, tuple(i for i in range(len(shape)) if i != at))]

    def op_clamp(self):
        if self.is_complex():
            return None
        x = self.some()
        y, z = self.shaped(x.shape), self.shaped(x.shape)
        return [lax.clamp(lax.min(y, z), x, lax.max(y, z))]

    # Movement.
    def op_transpose(self):
        x = self.some(lambda x: x.ndim > 1)
        return None if x is None else [lax.transpose(x, tuple(int(i) for i in self.rng.permutation(x.ndim)))]

    def op_reverse(self):
        x = self.some(lambda x: x.ndim > 0)
        return None if x is None else [lax.rev(x, (self.axis(x),))]

    def op_reshape(self):
        x = self.some()
        for factor in (4, 3, 2):
            if x.size % factor == 0:
                return [lax.reshape(x, self.one([(factor, x.size // factor), (x.size // factor, factor), (x.size,)]))]
        return [lax.reshape(x, (x.size,))]

    def op_slice(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        low = tuple(int(self.rng.integers(n)) for n in x.shape)
        high = tuple(int(self.rng.integers(a + 1, n + 1)) for a, n in zip(low, x.shape))
        return [lax.slice(x, low, high, tuple(int(self.rng.integers(1, 3)) for _ in x.shape))]

    def op_pad(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        sizes = [(int(self.rng.integers(-1, 3)), int(self.rng.integers(-1, 3)), int(self.rng.integers(0, 2))) for _ in x.shape]
        if any(n + a + b + (n - 1) * c < 1 for n, (a, b, c) in zip(x.shape, sizes)):
            return None
        return [lax.pad(x, lax.reshape(self.shaped((1,)), ()), sizes)]

    def op_concatenate(self):
        x = self.some(lambda x: x.ndim > 0)
        return None if x is None else [lax.concatenate([x, self.shaped(x.shape)], self.axis(x))]

    def op_take(self):
        x = self.some(lambda x: x.ndim > 0)
        return None if x is None else [jnp.take(x, self.ids(self.one(SIZES[:6]), x.shape[0]), axis=0, mode="clip")]

    def op_scatter(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        ids = self.ids(self.one(SIZES[:6]), x.shape[0])
        updates = self.shaped((ids.size, *x.shape[1:]))
        at = x.at[ids]
        function = at.add if self.is_complex() else self.one([at.add, at.max, at.min])
        return [squashed(function(updates, mode="drop"))]

    def op_dynamic(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        starts = list(self.ids(x.ndim, 9))
        part = lax.dynamic_slice(x, starts, tuple(int(self.rng.integers(1, n + 1)) for n in x.shape))
        return [part, lax.dynamic_update_slice(x, self.shaped(part.shape), starts[::-1])]

    # Sums and products.
    def op_reduce(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        axes = tuple(i for i in range(x.ndim) if self.rng.random() < 0.5) or (self.axis(x),)
        if self.is_complex():
            return [squashed(self.one([jnp.sum, jnp.prod, jnp.mean])(squashed(x), axis=axes))]
        functions = [jnp.sum, jnp.max, jnp.min, jnp.prod] if self.is_float() else [jnp.max, jnp.min, lambda x, axis: jnp.sum(x, axis, dtype=x.dtype)]
        return [squashed(self.one(functions)(x, axis=axes))]

    def op_cumulative(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        function = self.one([lax.cumsum, lax.cumprod] if self.is_complex() else [lax.cumsum, lax.cummax, lax.cummin])
        x = squashed(x) if self.is_complex() else x
        return [squashed(function(x, axis=self.axis(x), reverse=bool(self.rng.random() < 0.5)))]

    def op_window(self):
        x = self.some(lambda x: x.ndim > 0 and x.shape[-1] > 2)
        if x is None:
            return None
        window, strides = (1,) * (x.ndim - 1) + (int(self.rng.integers(2, 4)),), (1,) * (x.ndim - 1) + (int(self.rng.integers(1, 3)),)
        if not self.is_complex() and self.rng.random() < 0.5:
            least = -np.inf if self.is_float() else np.iinfo(self.dtype).min
            return [lax.reduce_window(x, np.asarray(least, x.dtype), lax.max, window, strides, self.one(["SAME", "VALID"]))]
        return [squashed(lax.reduce_window(x, np.asarray(0, x.dtype), lax.add, window, strides, self.one(["SAME", "VALID"])))]

    def op_dot(self):
        x = self.some(lambda x: x.ndim > 1)
        if x is None:
            return None
        y = self.shaped((*x.shape[:-2], x.shape[-1], self.one(SIZES)))
        batch = tuple(range(x.ndim - 2))
        return [squashed(lax.dot_general(x, y, (((x.ndim - 1,), (x.ndim - 2,)), (batch, batch)), preferred_element_type=x.dtype))]

    def op_convolution(self):
        x = self.some(lambda x: x.ndim == 3 and x.shape[1] > 2) if self.is_float() else None
        if x is None:
            return None
        w = self.shaped((int(self.rng.integers(1, 4)), x.shape[2], self.one(SIZES[:5])))
        return [squashed(lax.conv_general_dilated(x, w, (int(self.rng.integers(1, 3)),), self.one(["SAME", [(1, 2)]]),
                                                  dimension_numbers=("NHC", "HIO", "NHC")))]

    # Control flow.
    def op_loop(self):
        x = self.some()
        y = self.shaped(x.shape)
        count = int(self.rng.integers(1, 5))
        if not self.is_float() and not self.is_complex():
            return [lax.fori_loop(0, count, lambda i, v: v * 3 + y + i.astype(v.dtype), x)]
        carried, rows = lax.scan(lambda c, i: (squashed(c * 1.5 - y), c + i), x, jnp.arange(count, dtype=x.dtype))
        return [carried, squashed(rows)]

    def op_fourier(self):
        x = self.some(lambda x: x.ndim > 0) if self.is_complex() else None
        return None if x is None else [squashed(self.one([jnp.fft.fft, jnp.fft.ifft])(x, axis=self.axis(x)).astype(x.dtype))]

    def op_branch(self):
        x = self.some()
        y = self.shaped(x.shape)
        return [lax.switch(lax.reshape(self.ids(1, 3), ()), [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: b], x, y)]

    def op_ids(self):
        return [lax.rem(jnp.cumsum(self.ids(4, 5), dtype=jnp.int32), jnp.int32(7))]

    # Jumps. Many values are equal before they are rounded, so offsets keep such values apart.
    def apart(self, x, offset):
        return x + np.asarray(offset, x.dtype) if self.is_float() else x

    def jump_where(self):
        x = self.some()
        y = self.apart(self.shaped(x.shape), 0.01234)
        return [lax.select(self.one([lax.lt, lax.le, lax.gt, lax.ge])(x, y), self.shaped(x.shape), x)]

    def jump_round(self):
        x = self.some()
        return [self.one([jnp.floor, jnp.ceil, jnp.round, jnp.sign])(x * 3 + 0.123)] if self.is_float() else None

    def jump_integers(self):
        x = self.some()
        return [lax.convert_element_type(x * 5 + 0.123 if self.is_float() else x, jnp.int32)]

    def jump_sort(self):
        x = self.some(lambda x: x.ndim > 0)
        return None if x is None else [lax.sort(x, dimension=self.axis(x))]

    def jump_argmax(self):
        x = self.some(lambda x: x.ndim > 0)
        if x is None:
            return None
        function, axis = self.one([jnp.argmax, jnp.argmin]), self.axis(x)
        offsets = 0.00731 * np.arange(x.shape[axis]).reshape(-1, *(1,) * (x.ndim - 1 - axis))
        return [function(self.apart(x, offsets), axis=axis).astype(jnp.int32)]


class LoopGraph(Graph):
    """A graph most of whose ops are loops of graphs of a few ops."""

    own_ops = ["loop_scan", "loop_scan", "loop_count", "op_binary", "op_reshape", "op_concatenate"]

    def body(self, values, seed, shape):
        """A value of the shape, made of the values by some ops; the same ones whenever JAX traces the loop."""
        inner = Graph(np.random.default_rng(seed), self.dtype, False)
        inner.pool = list(values)
        for _ in range(int(inner.rng.integers(1, 5))):
            inner.step()
        return squashed(inner.shaped(shape))

    def loop_scan(self):
        x, seed, count = self.some(), int(self.rng.integers(2**31)), int(self.rng.integers(1, 6))
        like = self.some(lambda v: v.ndim < 3)
        if like is None:
            return None
        y, rows = self.shaped(self.some().shape), self.shaped((count, *like.shape))

        def step(carried, row):
            made = self.body([y, row, carried], seed, carried.shape)
            return made, self.body([carried, made, row], seed + 1, row.shape)
        carried, stacked = lax.scan(step, x, rows, reverse=bool(self.rng.random() < 0.5))
        return [stacked, carried]

    def loop_count(self):
        x, seed = self.some(), int(self.rng.integers(2**31))
        y = self.shaped(self.some().shape)
        return [lax.fori_loop(0, int(self.rng.integers(1, 6)), lambda i, v: self.body([y, v], seed, v.shape), x)]


KINDS = {"f32": ("float32", False), "f64": ("float64", True), "i32": ("int32", True), "u8": ("uint8", True), "i64": ("int64", True),
         "gradient": ("float64", False), "loops": ("float64", False), "c64": ("complex64", False), "c128": ("complex128", False),
         "f16": ("float16", False), "bf16": ("bfloat16", False)}


def graph(kind, rng):
    """A function with its arguments."""
    dtype, has_jumps = KINDS[kind]
    most_ops = {"f16": 10, "bf16": 10, "loops": 6}.get(kind, 40)
    seed, num_ops = int(rng.integers(2**31)), int(rng.integers(most_ops // 4 + 1, most_ops))
    draw = programs.Draw(rng)
    shapes = [tuple(int(n) for n in rng.choice(SIZES, rng.integers(0, 4))) for _ in range(int(rng.integers(2, 5)))]
    arguments = [draw.array(shape, dtype) for shape in shapes]

    def values(*arguments):
        made = (LoopGraph if kind == "loops" else Graph)(np.random.default_rng(seed), dtype, has_jumps)
        made.pool = list(arguments)
        for _ in range(num_ops):
            made.step()
        return made.pool[len(arguments):]

    def results(*arguments):
        pool = values(*arguments)
        has_sum = KINDS[kind][0].startswith(("float64", "float32", "complex"))
        total = sum(jnp.sum(x.astype(jnp.dtype(dtype))) for x in pool) if has_sum else pool[-1]
        return (*pool[-4:], total + sum(jnp.sum(a) for a in arguments).astype(total.dtype))

    def loss(*arguments):
        return sum(jnp.mean(x * x) for x in values(*arguments) if x.dtype == jnp.dtype(dtype))

    if kind not in ("gradient", "loops"):
        return results, arguments
    return jax.grad(loss, tuple(range(len(arguments)))), arguments


def send_program(connection, seed, number):
    """Runs in a process of its own: sends the outcome and the text of a program."""
    kind = list(KINDS)[number % len(KINDS)]
    try:
        function, arguments = graph(kind, np.random.default_rng([seed, number]))
        text = programs.program(f"{kind} graph, seed {seed}, number {number}", function, arguments)
        connection.send(("without a literal", None) if text is None else ("made", text))
    except jax.errors.JaxRuntimeError as error:
        connection.send(("refused by jaxlib", str(error)))
    except Exception:
        connection.send(("not built", traceback.format_exc()))


def make_one(seed, number, limit):
    """The outcome and the text of the program with this number."""
    context = multiprocessing.get_context("fork")  # jax is imported, its CPU backend starts in the new process only
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send_program, args=(sender, seed, number))
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(limit) else ("too slow in jaxlib", None)
    except EOFError:
        process.join()
        return "crashed in jaxlib", f"exit code {process.exitcode}"
    finally:
        process.kill()
        process.join()
        receiver.close()


def make(count, seed, first=0, limit=60.0):
    """Programs by kind, and how many graphs ended how."""
    texts, outcomes = {}, collections.Counter()
    for number in range(first, first + count):
        kind = list(KINDS)[number % len(KINDS)]
        outcome, text = make_one(seed, number, limit)
        outcomes[outcome] += 1
        if outcome == "made":
            texts.setdefault(f"graph_{kind}", []).append(text)
        elif outcome != "without a literal":
            print(f"{kind} graph, seed {seed}, number {number}: {outcome}: {text}", file=sys.stderr)
    return texts, outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--check")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=150)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for a graph")
    options = parser.parse_args()
    # Ops in a row multiply each other's rounding.
    programs.TOLERANCES.update({"float32": 5e-4, "float64": 1e-7, "complex64": 2e-3, "complex128": 1e-7, "float16": 5e-2, "bfloat16": 2e-1})
    texts, outcomes = make(options.count, options.seed, options.first, options.limit)
    print(f"{options.count} graphs: {', '.join(f'{n} {outcome}' for outcome, n in outcomes.most_common())}", flush=True)
    if options.write is not None:
        options.write.mkdir(parents=True, exist_ok=True)
        for kind, some in texts.items():
            (options.write / f"{kind}.mlir").write_text("// -----\n".join(some))
    is_fine = options.check is None or programs.check(options.check, texts)
    # Crashes are exceptions: an oracle that makes few programs compares nothing.
    return 0 if is_fine and outcomes["not built"] == 0 and 2 * outcomes["made"] >= options.count else 1


if __name__ == "__main__":
    sys.exit(main())
