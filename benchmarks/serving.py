#!/usr/bin/env python3
"""Latency of single requests: Cornu's calls beside ONNX Runtime and PyTorch, one after the other, several rounds.

    benchmarks/serving.py SERVING_LATENCY --python .venv-torch/bin/python [--models mnist_mlp --rows 1 32 --clients 1 --threads 2]

SERVING_LATENCY is the program of benchmarks/serving (target serving_latency). The Python needs torch, onnx,
onnxscript and onnxruntime; what cannot be imported there is left out. Prints for each model and number of rows the median over the rounds of the
median latency, the 99th percentile and the requests per second.
"""
import argparse
import json
import os
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CALLS = ("predict_on_batch", "predict", "function", "eager")
PEERS = ("onnxruntime", "torch", "torch-compile")


def measure(command, environment):
    """The program's JSON, or None where it ends with an error, whose last line is printed."""
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    if run.returncode == 0:
        return json.loads(run.stdout.strip().splitlines()[-1])
    print(f"left out: {' '.join(command[-6:])}: {(run.stderr.strip().splitlines() or ['no message'])[-1]}", flush=True)
    return None


def commands(options, model, rows):
    """Name -> command."""
    numbers = [str(rows), str(options.clients), str(options.seconds)]
    found = {f"Cornu {call}": [options.program, model, numbers[0], call, *numbers[1:]] for call in options.calls}
    peer = os.path.join(ROOT, "benchmarks", "peers", "serving_peer.py")
    if options.python:
        found |= {library: [options.python, peer, library, model, *numbers, str(options.threads)] for library in options.peers}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--python", help="an interpreter that has the peers")
    parser.add_argument("--models", nargs="+", default=["mnist_mlp", "mnist_cnn", "lstm_textgen"])
    parser.add_argument("--rows", nargs="+", type=int, default=[1, 8, 32, 256])
    parser.add_argument("--calls", nargs="+", choices=CALLS, default=["predict_on_batch", "predict", "function"])
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=PEERS)
    parser.add_argument("--clients", type=int, default=1, help="threads that send requests at once")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads that compute a request")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    options = parser.parse_args()
    environment = {**os.environ, "CORNU_NUM_THREADS": str(options.threads), "OMP_NUM_THREADS": str(options.threads)}
    print(f"{'model':14} {'rows':>5}  {'call':24} {'p50 us':>10} {'p99 us':>10} {'requests/s':>11} {'first s':>8}", flush=True)
    for model in options.models:
        for rows in options.rows:
            results = {name: [] for name in commands(options, model, rows)}
            for _ in range(options.rounds):
                for name, command in commands(options, model, rows).items():
                    if results.get(name) is None:
                        continue
                    result = measure(command, environment)
                    results[name] = results[name] + [result] if result else None
            for name, found in results.items():
                if found:
                    p50, p99, rate, first = (statistics.median(run[key] for run in found)
                                             for key in ("p50_us", "p99_us", "requests_per_second", "first_seconds"))
                    print(f"{model:14} {rows:5}  {name:24} {p50:10.1f} {p99:10.1f} {rate:11.0f} {first:8.2f}", flush=True)


if __name__ == "__main__":
    main()
