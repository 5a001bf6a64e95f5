#!/usr/bin/env python3
"""Attention forward and backward beside PyTorch's scaled_dot_product_attention, a step of each in turn.

Usage: python benchmarks/attention.py ATTENTION_STEPS [--batch 8 --heads 8 --steps 512 --dim 64 --repeats 30 --threads 2]

Prints the median milliseconds of both and their ratio, without a mask and causal. ATTENTION_STEPS is the program of attention_steps.cc; the Python
needs PyTorch.
"""

import argparse
import os
import statistics
import subprocess
import time

import torch


def peer(shape, is_causal):
    torch.manual_seed(1)
    query, key, value = (torch.randn(shape, requires_grad=True) for _ in range(3))
    d_output = torch.randn(shape)

    def step():
        for tensor in (query, key, value):
            tensor.grad = None
        start = time.perf_counter()
        torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal).backward(d_output)
        return 1e3 * (time.perf_counter() - start)

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    for name, default in (("batch", 8), ("heads", 8), ("steps", 512), ("dim", 64), ("repeats", 30), ("threads", os.cpu_count())):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for is_causal in (False, True):
        arguments = [options.program, *map(str, (options.batch, options.heads, options.steps, options.dim)), *(["causal"] if is_causal else [])]
        ours = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                env={**os.environ, "CORNU_NUM_THREADS": str(options.threads)})
        theirs = peer((options.batch, options.heads, options.steps, options.dim), is_causal)
        times = {"Cornu": [], "PyTorch": []}
        for repeat in range(options.repeats + 3):
            ours.stdin.write("\n")
            ours.stdin.flush()
            both = float(ours.stdout.readline()), theirs()
            if repeat >= 3:
                times["Cornu"].append(both[0])
                times["PyTorch"].append(both[1])
        ours.stdin.close()
        ours.wait()
        cornu, torch_ms = (statistics.median(times[name]) for name in ("Cornu", "PyTorch"))
        print(f"{'causal' if is_causal else 'no mask':8} Cornu {cornu:8.2f} ms, PyTorch {torch.__version__} {torch_ms:8.2f} ms: {torch_ms / cornu:.2f} times as fast",
              flush=True)


if __name__ == "__main__":
    main()
