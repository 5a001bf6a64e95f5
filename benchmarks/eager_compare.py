#!/usr/bin/env python3
"""Eager operations of Cornu, TensorFlow, PyTorch and JAX, side by side, in microseconds.

    benchmarks/eager_compare.py --tensorflow python3 --torch python3 --jax python3

Each peer gets a Python interpreter that has it (default: python3; a peer that cannot be imported is left out). All run alternately, a few
rounds; each figure is the best of the rounds.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PEERS = ("tensorflow", "torch", "jax")

# One loop for all peers: `make` gives named calls, `finish` waits for what is asynchronous.
LOOP = """
import json, time
def measure(cases, finish):
    result = {}
    for name, call in cases.items():
        for _ in range(3): finish(call())
        count, best = 1, None
        while True:
            start = time.perf_counter()
            for _ in range(count): value = call()
            finish(value)
            taken = time.perf_counter() - start
            if taken > 0.05: break
            count *= 2
        for _ in range(3):
            start = time.perf_counter()
            for _ in range(count): value = call()
            finish(value)
            taken = (time.perf_counter() - start) / count
            best = taken if best is None else min(best, taken)
        result[name] = best * 1e6
    print(json.dumps(result))
import numpy as np
def array(*shape): return (np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)) / 1000
"""

CASES = """
s, a, r, m, l, g, q = (put(array(*shape)) for shape in ((), (32, 32), (32,), (8, 8), (32, 10), (1000, 1000), (512, 512)))
measure({
    "scalar_add": lambda: s + s, "add_32x32": lambda: a + a, "times_number_32x32": lambda: a * 2.0, "add_row_32x32": lambda: a + r,
    "matmul_8x8": lambda: m @ m, "sum_32x32": lambda: total(a), "softmax_32x10": lambda: softmax(l), "exp_32x32": lambda: exp(a),
    "argmax_32x10": lambda: argmax(l), "add_1000x1000": lambda: g + g, "matmul_512x512": lambda: q @ q,
    "transpose_1000x1000": lambda: transpose(g), "sum_1000x1000": lambda: total(g)}, finish)
"""

SCRIPTS = {
    "tensorflow": """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
put, total, softmax, exp = tf.constant, tf.reduce_sum, tf.nn.softmax, tf.exp
argmax, transpose = lambda x: tf.argmax(x, axis=-1), tf.transpose
finish = lambda value: value.numpy()
""",
    "torch": """
import torch
torch.set_grad_enabled(False)
put, total, exp = torch.tensor, torch.sum, torch.exp
softmax, argmax = lambda x: torch.softmax(x, dim=-1), lambda x: torch.argmax(x, dim=-1)
transpose = lambda x: x.t().contiguous()
finish = lambda value: value.numpy()
""",
    "jax": """
import os
os.environ["JAX_PLATFORMS"] = "cpu"
import jax, jax.numpy as jnp
put, total, softmax, exp = jnp.asarray, jnp.sum, jax.nn.softmax, jnp.exp
argmax, transpose = lambda x: jnp.argmax(x, axis=-1), jnp.transpose
finish = lambda value: value.block_until_ready()
""",
}


def run_cornu(program):
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.1"], check=True, capture_output=True, text=True).stdout
    return {row["name"]: row["real_time"] / 1000 for row in json.loads(out)["benchmarks"]}


def run_peer(python, name):
    done = subprocess.run([python, "-c", LOOP + SCRIPTS[name] + CASES], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{name}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}", file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for peer in PEERS:
        parser.add_argument(f"--{peer}", default="python3", metavar="PYTHON")
    parser.add_argument("--cornu", default=os.path.join(ROOT, "build", "release", "bin", "eager_benchmark"))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    best = {}
    for _ in range(options.rounds):
        runs = {"cornu": run_cornu(options.cornu)}
        runs.update({peer: run_peer(getattr(options, peer), peer) for peer in PEERS if best.get(peer, True) is not None})
        for name, run in runs.items():
            if run is None:
                best[name] = None
                continue
            known = best.setdefault(name, {})
            for case, microseconds in run.items():
                known[case] = min(microseconds, known.get(case, microseconds))
    names = [name for name in best if best[name]]
    print("| operation, us | " + " | ".join(names) + " |")
    print("| --- |" + " ---: |" * len(names))
    for case in best["cornu"]:
        print(f"| {case} | " + " | ".join(f"{best[name][case]:.2f}" if case in best[name] else "" for name in names) + " |")


if __name__ == "__main__":
    main()
