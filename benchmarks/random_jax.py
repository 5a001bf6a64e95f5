#!/usr/bin/env python3
"""Random JAX programs on JAX's CPU backend and on Cornu's plug-in, alternating in one process: times, results, compile times.

    python benchmarks/random_jax.py [--count N] [--first N] [--seed S] [--kinds order,loop] [--json FILE] [--only N ...]
    python benchmarks/random_jax.py --summary FILE...

Needs jax and Cornu's wheel. The programs are those of random_jax_cases.py; their size is scaled until JAX's backend takes 20 us to 5 ms.
A ratio is Cornu's median time over that of JAX's backend: 1.5 is slow, below 1 is faster. Results are compared: integers
exactly, floats within a tolerance of the largest magnitude. Programs of even numbers run on Cornu first. A number names the
same program only as long as times lead to the same size.
"""

import argparse
import json
import os
import statistics
import sys
import time
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cornu,cpu")
warnings.filterwarnings("ignore")

PLATFORMS = ("cpu", "cornu")
TOLERANCES = {"float64": 1e-6, "float32": 3e-4, "float16": 3e-2, "bfloat16": 8e-2, "complex64": 3e-4, "complex128": 1e-6}


class Measured:
    """A compiled program on one platform."""

    def __init__(self, platform, function, arguments):
        import jax
        self.arguments = jax.block_until_ready(jax.device_put(arguments, jax.devices(platform)[0]))
        start = time.perf_counter()
        lowered = jax.jit(function).lower(*self.arguments)
        self.trace_ms = 1e3 * (time.perf_counter() - start)
        start = time.perf_counter()
        self.call = lowered.compile()
        self.compile_ms = 1e3 * (time.perf_counter() - start)
        self.times = []
        self.results = jax.block_until_ready(self.call(*self.arguments))

    def measure(self, calls):
        import jax
        start = time.perf_counter()
        for _ in range(calls):
            results = self.call(*self.arguments)
        jax.block_until_ready(results)
        self.times.append((time.perf_counter() - start) / calls)
        return self.times[-1]


def difference(expected, actual):
    """The largest difference of two trees over its tolerance: at most 1 is equal."""
    import jax
    import numpy as np
    worst = 0.0
    for a, b in zip(jax.tree.leaves(expected), jax.tree.leaves(actual)):
        tolerance = TOLERANCES.get(str(a.dtype), 0.0)
        wide = np.complex128 if "complex" in str(a.dtype) else np.float64
        a, b = np.asarray(a).astype(wide), np.asarray(b).astype(wide)
        if not (np.isfinite(a) == np.isfinite(b)).all():
            return float("inf")
        a, b = np.nan_to_num(a, posinf=0, neginf=0), np.nan_to_num(b, posinf=0, neginf=0)
        error, size = np.abs(a - b).max(initial=0), max(1.0, np.abs(a).max(initial=0))
        worst = max(worst, error / (tolerance * size) if tolerance else float("inf") * error if error else 0.0)
    return float(worst)


def scaled(make, seed, number):
    """A case whose time on JAX's backend is from 20 us to 5 ms, compiled there."""
    import numpy as np
    from random_jax_cases import ScaledDraw
    size = int(2 ** np.random.default_rng([seed, number]).uniform(13, 18))
    for _ in range(4):
        name, function, arguments = make(ScaledDraw(np.random.default_rng([seed, number, 1]), size))
        base = Measured("cpu", function, arguments)
        base.measure(3)
        seconds = min(base.measure(2), base.measure(2))
        if 20e-6 <= seconds <= 5e-3:
            break
        size = size * 8 if seconds < 20e-6 else max(16, size // 6)
    return name, function, arguments, base, seconds


def compare(make, seed, number, rounds):
    """A row of the table."""
    name, function, arguments, base, seconds = scaled(make, seed, number)
    row = {"number": number, "kind": make.__name__, "name": name, "shapes": [f"{x.dtype}{list(x.shape)}" for x in arguments]}
    try:
        own = Measured("cornu", function, arguments)
    except Exception as error:  # a refusal is a result
        return {**row, "refused": f"{type(error).__name__}: {error}"[:300]}
    calls = max(1, min(50, round(2e-3 / seconds)))
    both = [base, own] if number % 2 else [own, base]
    for run in both:
        run.measure(max(1, calls // 4))
        run.times.clear()
    for _ in range(rounds):
        for run in both:
            run.measure(calls)
    cpu, cornu = (1e6 * statistics.median(run.times) for run in (base, own))
    return {**row, "cpu_us": cpu, "cornu_us": cornu, "ratio": cornu / cpu, "error": difference(base.results, own.results),
            "cpu_first_ms": base.trace_ms + base.compile_ms, "first_ms": own.trace_ms + own.compile_ms, "compile_ms": own.compile_ms,
            "cpu_compile_ms": base.compile_ms}


def print_row(row):
    if "refused" in row:
        print(f"{row['number']:5} {row['kind']:15} {row['name'][:60]:60} refused: {row['refused'][:150]}", flush=True)
        return
    mark = "WRONG" if row["error"] > 1 else "slow" if row["ratio"] > 1.5 else ""
    print(f"{row['number']:5} {row['kind']:15} {row['name'][:60]:60} {row['cpu_us']:9.1f} {row['cornu_us']:9.1f} us {row['ratio']:6.2f} "
          f" compile {row['cpu_compile_ms']:7.1f} {row['compile_ms']:7.1f} ms {mark:5} {' '.join(row['shapes'])[:70]}", flush=True)


def summarize(rows):
    timed = [row for row in rows if "ratio" in row and row["cpu_us"] >= 20]
    refused = [row for row in rows if "refused" in row]
    wrong = [row for row in rows if row.get("error", 0) > 1]
    print("\nThe slowest 30:")
    for row in sorted(timed, key=lambda row: -row["ratio"])[:30]:
        print_row(row)
    for title, some in (("Refused:", refused), ("Different results:", wrong)):
        if some:
            print(f"\n{title}")
        for row in some:
            print_row(row)
    print("\nkind             programs  median  slowest  share above 1.5")
    kinds = sorted({row["kind"] for row in timed})
    for kind in [*kinds, "all"]:
        ratios = sorted(row["ratio"] for row in timed if kind in (row["kind"], "all"))
        slow = sum(ratio > 1.5 for ratio in ratios) / len(ratios)
        print(f"{kind:16} {len(ratios):8} {statistics.median(ratios):7.2f} {ratios[-1]:8.2f} {100 * slow:15.1f} %")
    first = statistics.median(row["first_ms"] / row["cpu_first_ms"] for row in timed)
    compile_ms = sorted(row["compile_ms"] for row in timed)
    print(f"first call (trace and compile) over JAX's, median {first:.2f}; compile time, median {statistics.median(compile_ms):.1f} ms; "
          f"refused {len(refused)}, different {len(wrong)}")


def run(options):
    from random_jax_cases import KINDS
    kinds = [kind for kind in KINDS if options.kinds is None or kind.__name__ in options.kinds.split(",")]
    numbers = options.only or range(options.first, options.first + options.count)
    end, rows = time.monotonic() + options.seconds, []
    for number in numbers:
        if time.monotonic() > end:
            print(f"stopped before {number}: --seconds")
            break
        try:
            rows.append(compare(kinds[number % len(kinds)], options.seed, number, options.rounds))
        except Exception as error:  # a case that JAX itself refuses
            print(f"{number:5} {kinds[number % len(kinds)].__name__}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            continue
        print_row(rows[-1])
        if options.json:
            with open(options.json, "a", encoding="utf-8") as file:
                file.write(json.dumps(rows[-1]) + "\n")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--kinds")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after this time")
    parser.add_argument("--json", help="file that gets a line a program")
    parser.add_argument("--summary", nargs="*", metavar="FILE", help="summarize files of earlier runs")
    options = parser.parse_args()
    if options.summary:
        rows = [json.loads(line) for path in options.summary for line in open(path, encoding="utf-8")]
    else:
        rows = run(options)
    summarize(rows)


if __name__ == "__main__":
    main()
