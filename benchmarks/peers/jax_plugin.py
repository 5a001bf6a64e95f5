#!/usr/bin/env python3
"""Training steps of JAX programs on JAX's CPU backend and on Cornu's plug-in, alternating in one process; medians.

    python benchmarks/peers/jax_plugin.py [--rounds N] [--seconds N] [small | workloads | family | dense | mnist_cnn | dispatch ...]
    python benchmarks/peers/jax_plugin.py --memory [...]
    python benchmarks/peers/jax_plugin.py --check [...]

Needs jax, optax and Cornu's wheel; the family and some small programs also flax. "workloads" and "family" are the networks of common.py. A
round is about --seconds of steps on each; the state is donated, the data are on the device. Exits with 1 if the losses of the second step
differ by more than TOLERANCE, relatively.
With --memory each program runs alone in a process on each platform: the growth of the process's peak memory, and the first call, in which
Cornu compiles without its cache of code. With --check only the losses are compared, on batches of CHECKED_ROWS rows.
"""

import argparse
import itertools
import os
import resource
import statistics
import subprocess
import sys
import time

os.environ["JAX_PLATFORMS"] = "cornu,cpu"

import jax
import jax.numpy as jnp
import numpy as np

import common
from jax_models import (autoencoder, depthwise, embeddings, flax_cnn, flax_lstm, flax_transformer, gru, mixer,  # noqa: F401
                        resnet, rnn)

TOLERANCE = 2e-3
CHECKED_ROWS = 4
MEASURED_STEPS = 30  # of a process with --memory; fewer where steps are long


def dense(key):
    sizes = (784, 512, 512, 10)
    keys = jax.random.split(key, 3)
    weights = [(jax.random.normal(k, (m, n)) / np.sqrt(m), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]

    def logits(weights, x):
        for w, b in weights[:-1]:
            x = jax.nn.relu(x @ w + b)
        return x @ weights[-1][0] + weights[-1][1]
    return weights, logits, (128, 784)


def cnn(key):
    keys = jax.random.split(key, 3)
    weights = [jax.random.normal(keys[0], (3, 3, 1, 32)) / 3, jax.random.normal(keys[1], (3, 3, 32, 64)) / 17,
               jax.random.normal(keys[2], (1600, 10)) / 40]

    def logits(weights, x):
        for kernel in weights[:2]:
            x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return x.reshape(x.shape[0], -1) @ weights[2]
    return weights, logits, (64, 28, 28, 1)


def lstm(key):
    keys = jax.random.split(key, 3)
    weights = {"x": jax.random.normal(keys[0], (32, 512)) / 6, "h": jax.random.normal(keys[1], (128, 512)) / 11,
               "b": jnp.zeros(512), "out": jax.random.normal(keys[2], (128, 10)) / 11}

    def logits(weights, x):
        def cell(carry, row):
            h, c = carry
            i, f, g, o = jnp.split(row @ weights["x"] + h @ weights["h"] + weights["b"], 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), None
        start = jnp.zeros((x.shape[0], 128))
        (h, _), _ = jax.lax.scan(cell, (start, start), jnp.swapaxes(x, 0, 1))
        return h @ weights["out"]
    return weights, logits, (32, 50, 32)


def transformer(key):
    width, heads, layers = 128, 4, 2
    keys = iter(jax.random.split(key, 4 * layers + 1))

    def matrix(m, n):
        return jax.random.normal(next(keys), (m, n)) / np.sqrt(m)
    weights = [{"qkv": matrix(width, 3 * width), "o": matrix(width, width), "up": matrix(width, 4 * width),
                "down": matrix(4 * width, width)} for _ in range(layers)] + [matrix(width, 10)]

    def normalize(x):
        return jax.nn.standardize(x, axis=-1)

    def logits(weights, x):
        for layer in weights[:-1]:
            q, k, v = (part.reshape(*x.shape[:2], heads, width // heads)
                       for part in jnp.split(normalize(x) @ layer["qkv"], 3, axis=-1))
            x = x + jax.nn.dot_product_attention(q, k, v).reshape(x.shape) @ layer["o"]
            x = x + jax.nn.gelu(normalize(x) @ layer["up"]) @ layer["down"]
        return normalize(x).mean(axis=1) @ weights[-1]
    return weights, logits, (16, 64, width)


def make_step(logits):
    def loss_of(weights, x, y):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits(weights, x)), y[:, None], 1))

    def step(state, x, y):
        weights, first, second, count = state
        loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
        count = count + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
        scale = 0.001 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        weights = jax.tree.map(lambda w, m, v: w - scale * m / (jnp.sqrt(v) + 1e-7), weights, first, second)
        return (weights, first, second, count), loss
    return step


def make_small(name):
    """One of the functions above or of jax_models.py with Adam."""
    weights, logits, shape = globals()[name](jax.random.key(1))
    zeros = jax.tree.map(jnp.zeros_like, weights)
    random = np.random.default_rng(1)
    data = random.normal(size=shape).astype(np.float32), random.integers(0, 10, shape[0])
    return (weights, zeros, zeros, jnp.zeros((), jnp.int32)), make_step(logits), data, lambda: itertools.repeat(())


def make_workload(name, batch):
    """A network of common.py, which reads its rows by their numbers."""
    import jax_steps
    workload = common.facts(name)
    state, step = jax_steps.make(name)
    batches = ((rows,) for rows in common.index_batches(workload["rows"], batch or workload["batch"]))
    rows = list(itertools.islice(batches, 64))
    return state, lambda state, xs, y, rows: step(xs, y, state, rows), common.make_data(workload), lambda: itertools.cycle(rows)


def make_program(name, batch=None):
    """The first state, step(state, *data, *batch) -> (state, loss), the data, and a function that begins the batches again."""
    return make_small(name) if name in SMALL else make_workload(name, batch)


class Run:
    """A program on one platform."""

    def __init__(self, platform, program):
        state, step, data, batches = program
        device = jax.devices(platform)[0]
        self.state = jax.block_until_ready(jax.device_put(state, device, may_alias=False))
        self.data = jax.device_put(data, device)
        self.step = jax.jit(step, donate_argnums=0)
        self.batches = batches()
        self.times = []

    def run(self, count):
        for _ in range(count):
            self.state, loss = self.step(self.state, *self.data, *next(self.batches))
        self.loss = float(loss)

    def measure(self, seconds):
        """Steps for about so long, whose number follows from the run before."""
        count = max(1, int(seconds / self.times[-1])) if self.times else 2
        start = time.perf_counter()
        self.run(count)
        self.times.append((time.perf_counter() - start) / count)


def run_both(name, batch=None):
    """Two steps of the program on both platforms, and whether their losses agree."""
    program = make_program(name, batch)
    runs = [Run(platform, program) for platform in ("cpu", "cornu")]
    for run in runs:
        run.run(2)
    own, cpu = runs[1].loss, runs[0].loss
    return runs, abs(own - cpu) <= TOLERANCE * abs(cpu)


def describe_losses(runs, agree):
    return f"loss {runs[0].loss:.5f} / {runs[1].loss:.5f}{'' if agree else '   DIFFERENT'}"


def check(name):
    runs, agree = run_both(name, CHECKED_ROWS)
    print(f"{name:22} {describe_losses(runs, agree)}", flush=True)
    return agree


def compare(name, options):
    runs, agree = run_both(name)
    losses = describe_losses(runs, agree)
    for _ in range(options.rounds + 1):
        for run in runs:
            run.measure(options.seconds)
    cpu, own = (1e3 * statistics.median(run.times[1:]) for run in runs)
    print(f"{name:22} {cpu:9.3f} / {own:8.3f} ms a step  ratio {cpu / own:5.2f}   {losses}", flush=True)
    return agree


def peak_memory():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure_memory(name, platform):
    device = jax.devices(platform)[0]
    before = peak_memory()
    with jax.default_device(device):
        run = Run(platform, make_program(name))
    start = time.perf_counter()
    run.run(1)
    first_call = time.perf_counter() - start
    run.measure(0)
    run.run(min(MEASURED_STEPS, max(1, int(2 / run.times[0]))))
    print(peak_memory() - before, first_call)


def compare_memory(name):
    sizes, first_calls = [], []
    for platform in ("cpu", "cornu"):
        done = subprocess.run([sys.executable, __file__, "--alone", platform, name], check=True, stdout=subprocess.PIPE, text=True,
                              env=dict(os.environ, CORNU_CACHE_DIR="off"))
        size, first_call = done.stdout.split()
        sizes.append(float(size) / 1e6)
        first_calls.append(float(first_call))
    print(f"{name:22} {sizes[0]:9.0f} / {sizes[1]:8.0f} MB  ratio {sizes[1] / sizes[0]:5.2f}   first call {first_calls[0]:5.2f} / "
          f"{first_calls[1]:5.2f} s  ratio {first_calls[1] / first_calls[0]:5.2f}", flush=True)
    return True


def compare_dispatch(rounds):
    add = jax.jit(lambda x: x + 1)
    xs = [jax.device_put(np.ones((2, 3), np.float32), jax.devices(platform)[0]) for platform in ("cpu", "cornu")]
    times = [[], []]
    for _ in range(rounds + 1):
        for x, own in zip(xs, times):
            start = time.perf_counter()
            for _ in range(1000):
                add(x)
            own.append((time.perf_counter() - start) / 1000)
    cpu, cornu = (1e6 * statistics.median(own[1:]) for own in times)
    print(f"{'dispatch':22} {cpu:9.2f} / {cornu:8.2f} us a call  ratio {cpu / cornu:5.2f}", flush=True)


SMALL = ["dense", "cnn", "lstm", "transformer", "gru", "rnn", "autoencoder", "resnet", "depthwise", "embeddings", "mixer",
         "flax_cnn", "flax_lstm", "flax_transformer"]
GROUPS = {"small": SMALL, "workloads": list(common.WORKLOADS), "family": list(common.FAMILY)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=["small", "dispatch"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        return measure_memory(options.programs[0], options.alone)
    print(f"JAX {jax.__version__}, its CPU backend / Cornu; load average {os.getloadavg()[0]:.1f}", flush=True)
    agree = True
    for name in (name for group in options.programs for name in GROUPS.get(group, [group])):
        if name == "dispatch":
            compare_dispatch(options.rounds)
        else:
            agree &= check(name) if options.check else compare_memory(name) if options.memory else compare(name, options)
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
