#!/usr/bin/env python3
"""Measures the facts of docs/comparison.md: size of an installation, start-up, number of layer classes.

    cmake --install build/release --prefix /tmp/cornu --strip
    benchmarks/facts.py --prefix /tmp/cornu --tf ~/peers/tf --jax ~/peers/jax --torch ~/peers/torch --ort ~/peers/ort

Each folder is a virtual environment (benchmarks/peers/environments.sh; for ONNX Runtime: pip install onnxruntime-training-cpu onnx). One that is
not named is left out. Start-up: the network iris_mlp, seconds from the start of the process (Python: of its imports) to the end of the first
training step, best of --rounds, all in turn. The C++ program on libtorch is compiled from the environment of --torch. ONNX Runtime has none:
its package for Python has no C++ headers, and its module needs PyTorch.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PEERS = os.path.join(ROOT, "benchmarks", "peers")
NOT_COUNTED = ("pip", "pip-", "setuptools", "setuptools-", "pkg_resources", "_distutils_hack", "wheel", "wheel-")
KERAS_LAYERS = "import keras; print(len({x for x in vars(keras.layers).values() if isinstance(x, type) and issubclass(x, keras.layers.Layer)}))"


def mb(*folders):
    """Size of the files in folders, in MB, without links."""
    size = 0
    for folder in folders:
        for path, _, names in os.walk(folder):
            size += sum(os.path.getsize(os.path.join(path, name)) for name in names if not os.path.islink(os.path.join(path, name)))
    return size / 1e6


def packages(environment):
    """The folders of an environment's packages, without pip's own."""
    [site] = glob.glob(os.path.join(environment, "lib", "python3*", "site-packages"))
    return [path for path in glob.glob(os.path.join(site, "*"))
            if os.path.isdir(path) and not os.path.basename(path).startswith(tuple(name for name in NOT_COUNTED if name.endswith("-")))
            and os.path.basename(path) not in NOT_COUNTED]


def torch_folder(environment):
    [folder] = glob.glob(os.path.join(environment, "lib", "python3*", "site-packages", "torch"))
    return folder


def compile_libtorch(torch, program):
    """Compiles libtorch_start.cc against a PyTorch wheel; returns the folders of libraries that it needs."""
    include = os.path.join(torch, "include")
    subprocess.run(["g++", "-std=c++20", "-O1", "-isystem", include, "-isystem", os.path.join(include, "torch", "csrc", "api", "include"),
                    os.path.join(PEERS, "libtorch_start.cc"), "-o", program, "-L" + os.path.join(torch, "lib"), "-ltorch_cpu", "-lc10",
                    "-Wl,--unresolved-symbols=ignore-in-shared-libs"], check=True)
    cuda = [os.path.dirname(path) for path in glob.glob(os.path.join(os.path.dirname(torch), "nvidia", "*", "lib", "libcudart.so.*"))]
    return ":".join([os.path.join(torch, "lib"), *cuda])


def start_up_commands(options, folder):
    """{name: (command, environment)} of programs that print JSON with startup_s, or with import_s and first_fit_s."""
    commands = {}
    if options.prefix:
        commands["Cornu"] = ([os.path.join(options.prefix, "bin", "cornu"), "bench", "iris_mlp", "--steps-per-execution", "1", "--seconds", "0.01", "--json"],
                             {"CORNU_CACHE_DIR": "off"})
    if options.torch:
        libraries = compile_libtorch(torch_folder(options.torch), os.path.join(folder, "libtorch_start"))
        commands["libtorch"] = ([os.path.join(folder, "libtorch_start")], {"LD_LIBRARY_PATH": libraries})
    for name, environment, script in (("Keras on TensorFlow", options.tf, "keras_peer.py"), ("JAX", options.jax, "jax_peer.py")):
        if environment:
            commands[name] = ([os.path.join(environment, "bin", "python"), os.path.join(PEERS, script), "iris_mlp", "--spe", "1", "--seconds", "0.01"],
                              {"TF_CPP_MIN_LOG_LEVEL": "3"})
    return commands


def measure_start_up(commands, rounds):
    best = {}
    for _ in range(rounds):
        for name, (command, environment) in commands.items():
            run = subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, text=True)
            row = json.loads(run.stdout.strip().splitlines()[-1])
            seconds = row["startup_s"] if "startup_s" in row else row["import_s"] + row["first_fit_s"]
            best[name] = min(best.get(name, seconds), seconds)
    return best


def python_answer(environment, program):
    return subprocess.run([os.path.join(environment, "bin", "python"), "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("prefix", "tf", "jax", "torch", "ort"):
        parser.add_argument("--" + name, metavar="FOLDER", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    print("MB installed:")
    if options.prefix:
        print(f"  Cornu: {mb(options.prefix):.0f}")
    for name, environment in (("Keras on TensorFlow", options.tf), ("JAX", options.jax), ("ONNX Runtime training", options.ort)):
        if environment:
            print(f"  {name}: {mb(*packages(environment)):.0f} (packages), Python's own files not counted")
    if options.torch:
        torch = torch_folder(options.torch)
        cpu = [os.path.join(torch, "lib", name) for name in ("libtorch_cpu.so", "libc10.so", "libtorch.so", "libgomp.so.1")]
        print(f"  libtorch: {sum(os.path.getsize(path) for path in cpu) / 1e6:.0f} (libraries for CPUs), {mb(os.path.join(torch, 'include')):.0f} (headers)")
    print("layer classes:")
    with open(os.path.join(ROOT, "docs", "guide", "classes.md"), encoding="utf-8") as file:
        print("  Cornu:", re.search(r"## Layers .(\d+)", file.read()).group(1))
    if options.tf:
        print(f"  Keras: {python_answer(options.tf, KERAS_LAYERS)}")
    if options.torch:
        headers = glob.glob(os.path.join(torch_folder(options.torch), "include/torch/csrc/api/include/torch/nn/modules/**/*.h"), recursive=True)
        modules = {name for path in headers for name in re.findall(r"^TORCH_MODULE\((\w+)\)", open(path, encoding="utf-8").read(), re.MULTILINE)}
        print(f"  libtorch: {len(modules)} (torch::nn, with losses)")
    with tempfile.TemporaryDirectory() as folder:
        print(f"seconds to the first step, best of {options.rounds}:")
        for name, seconds in measure_start_up(start_up_commands(options, folder), options.rounds).items():
            print(f"  {name}: {seconds:.3f}")


if __name__ == "__main__":
    sys.exit(main())
