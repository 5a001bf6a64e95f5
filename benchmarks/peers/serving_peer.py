"""Latency of single requests to a model in PyTorch or ONNX Runtime; prints one line of JSON with the keys of serving_latency.

    serving_peer.py LIBRARY MODEL ROWS CLIENTS SECONDS THREADS

LIBRARY is torch, torch-compile or onnxruntime (which runs the model that PyTorch exports). MODEL is a workload of common.py. CLIENTS threads send
requests; the libraries release Python's lock while they compute.
"""
import json
import sys
import tempfile
import threading
import time
import warnings

started = time.perf_counter()
import torch

import common
import torch_peer


def example(name, rows):
    """A batch of random rows, as PyTorch wants them."""
    workload = common.facts(name)
    xs, _ = torch_peer.make_tensors(*common.make_data({**workload, "rows": rows}))
    return xs[0]


def torch_request(model, x, compiled):
    call = torch.compile(model) if compiled else model

    def request():
        with torch.inference_mode():
            return call(x).numpy()
    return request


def onnx_request(model, x, threads):
    import onnxruntime
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        torch.onnx.export(model, (x.contiguous(),), file.name, input_names=["x"], external_data=False)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        session = onnxruntime.InferenceSession(file.name, options, providers=["CPUExecutionProvider"])
    rows = x.contiguous().numpy()
    return lambda: session.run(None, {"x": rows})[0]


def send_requests(request, clients, seconds):
    """Microseconds of each request."""
    times = []
    start = time.perf_counter()

    def client():
        own = []
        while time.perf_counter() - start < seconds:
            begin = time.perf_counter()
            request()
            own.append((time.perf_counter() - begin) * 1e6)
        times.extend(own)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(times)


def main():
    warnings.filterwarnings("ignore")
    library, name, rows, clients, seconds, threads = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:7])
    torch.set_num_threads(int(threads))
    torch.manual_seed(0)
    model = torch_peer.make_model(name).eval()
    if any(isinstance(module, torch.nn.Conv2d) for module in model.modules()):
        model = model.to(memory_format=torch.channels_last)
    if common.facts(name)["layers"] and common.facts(name)["layers"][-1][2] == "softmax":
        model = torch.nn.Sequential(model, torch.nn.Softmax(-1))
    x = example(name, int(rows))
    request = onnx_request(model, x, int(threads)) if library == "onnxruntime" else torch_request(model, x, library == "torch-compile")
    request()
    first = time.perf_counter() - started
    send_requests(request, int(clients), min(0.2, seconds))
    times = send_requests(request, int(clients), seconds)
    print(json.dumps(dict(p50_us=times[len(times) // 2], p99_us=times[min(len(times) - 1, int(0.99 * len(times)))],
                          requests_per_second=len(times) / seconds, first_seconds=first)))


if __name__ == "__main__":
    main()
