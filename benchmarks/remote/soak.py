#!/usr/bin/env python3
"""Clients that connect to a worker, train and break off, for a while; then the worker must hold nothing of them.

Usage: soak.py CORNU SECONDS [CLIENTS [PAUSE]]
A client that has ended is followed by the next after PAUSE seconds at random (0 without it), so that a machine with other work can bear it.
Prints the worker's memory, descriptors and threads as time goes, and exits with 1 when sessions or buffers are left, when descriptors
have grown, or when memory has grown by more than a tenth after the first third.
"""
import os
import random
import re
import signal
import subprocess
import sys
import time


def start_worker(cornu):
    worker = subprocess.Popen([cornu, "worker", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    return worker, re.search(r"127\.0\.0\.1:\d+", worker.stdout.readline()).group()


def state(worker):
    with open(f"/proc/{worker.pid}/status", encoding="ascii") as file:
        text = file.read()
    memory = int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) // 1024
    threads = int(re.search(r"Threads:\s+(\d+)", text).group(1))
    return memory, len(os.listdir(f"/proc/{worker.pid}/fd")), threads


def status(cornu, address):
    return subprocess.run([cornu, "worker", "--status", address], capture_output=True, text=True, timeout=30, check=True).stdout


def main():
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__)
    cornu, seconds, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 8
    pause = float(sys.argv[4]) if len(sys.argv) > 4 else 0.0
    random.seed(1)
    worker, address = start_worker(cornu)
    clients, samples, begun, killed = [], [], 0, 0
    start = shown = time.monotonic()
    free = [start + random.uniform(0, pause) for _ in range(count)]  # when each place has its next client
    try:
        while time.monotonic() - start < seconds:
            now = time.monotonic()
            for client in [one for one in clients if one.poll() is not None]:
                clients.remove(client)
                free.append(now + random.uniform(0, 2 * pause))
            for begin in [one for one in free if one <= now]:
                free.remove(begin)
                workload = random.choice(["iris_mlp", "iris_fit_short", "mnist_predict"])
                clients.append(subprocess.Popen([cornu, "bench", workload, "--seconds", "1", "--device", f"grpc://{address}"],
                                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                begun += 1
            time.sleep(0.3)
            if random.random() < 0.3 * len(clients) / count:
                random.choice(clients).send_signal(signal.SIGKILL)
                killed += 1
            samples.append(state(worker))
            if time.monotonic() - shown > seconds / 10:
                shown = time.monotonic()
                print("%5.0f s  %d MiB, %d descriptors, %d threads; %d clients so far, %d killed" %
                      (shown - start, *samples[-1], begun, killed), flush=True)
    finally:
        for client in clients:
            client.kill()
            client.wait()
    time.sleep(6)
    last, text = state(worker), status(cornu, address)
    worker.send_signal(signal.SIGTERM)
    code = worker.wait(40)
    third = samples[len(samples) // 3]
    print(text, "at the end %d MiB, %d descriptors, %d threads; exit code %d" % (*last, code), sep="")
    is_fine = "  0 of " in text and " 0 buffers" in text and code == 0
    is_fine = is_fine and last[1] <= samples[0][1] + 4 and last[0] <= third[0] * 1.1 + 8
    print("soak: fine" if is_fine else "soak: something is left")
    sys.exit(0 if is_fine else 1)


if __name__ == "__main__":
    main()
