#!/usr/bin/env python3
"""Clients that connect to a worker, train and break off, for a while; then the worker must hold nothing of them.

A client that has ended is followed by the next. Some are killed, and some of those hang first until the worker has given them up. Prints
the worker's memory, descriptors and threads as time goes, and exits with 1 when

* sessions, buffers or descriptors are left,
* memory in the last third of the time, or after it, is by more than 5 % and 2 MiB above the most that it was in the second third,
* a client that nobody disturbed fails, or takes longer than a minute,
* the worker does not end when it is told to.
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HANG_SECONDS = 8  # a worker gives a silent client up after 5
MOST_SECONDS = 60  # of one client
WORKLOADS = ["iris_mlp", "iris_fit_short", "mnist_predict"]


class Worker:
    def __init__(self, cornu, most_clients):
        self.cornu = cornu
        self.process = subprocess.Popen([cornu, "worker", "--listen", "127.0.0.1:0", "--max-clients", str(most_clients)],
                                        stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"127\.0\.0\.1:\d+", self.process.stdout.readline()).group()

    def state(self):
        """(KiB of resident memory, descriptors, threads)"""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            text = file.read()
        memory = int(re.search(r"VmRSS:\s+(\d+)", text).group(1))
        threads = int(re.search(r"Threads:\s+(\d+)", text).group(1))
        return memory, len(os.listdir(f"/proc/{self.process.pid}/fd")), threads

    def status(self):
        return subprocess.run([self.cornu, "worker", "--status", self.address], capture_output=True, text=True, timeout=30,
                              check=True).stdout

    def end(self):
        """Its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Client:
    def __init__(self, worker):
        self.workload = random.choice(WORKLOADS)
        self.start = time.monotonic()
        self.dies_at = None  # when it is killed
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [worker.cornu, "bench", self.workload, "--seconds", "1", "--device", f"grpc://{worker.address}"],
            stdout=subprocess.DEVNULL, stderr=self.errors)

    def break_off(self):
        hangs = random.random() < 0.2
        if hangs:
            self.process.send_signal(signal.SIGSTOP)
        self.dies_at = time.monotonic() + (HANG_SECONDS if hangs else 0)

    def has_ended(self):
        now = time.monotonic()
        if self.dies_at is not None and now >= self.dies_at:
            self.process.kill()
        return self.process.poll() is not None

    def failure(self):
        """What was wrong with it; empty: nothing."""
        seconds = time.monotonic() - self.start
        if self.dies_at is not None:
            return ""
        if self.process.poll() is None:
            return f"{self.workload} has not ended after {seconds:.0f} s" if seconds > MOST_SECONDS else ""
        if self.process.returncode == 0:
            return ""
        self.errors.seek(0)
        return f"{self.workload} ended with {self.process.returncode}: {self.errors.read().strip()}"

    def close(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()


class Soak:
    def __init__(self, arguments):
        self.arguments = arguments
        self.worker = Worker(arguments.cornu, arguments.clients + 8)  # those that hang are not away at once
        self.num_descriptors = self.worker.state()[1]
        self.clients, self.samples, self.failures = [], [], []
        self.num_begun = self.num_broken_off = 0

    def run(self):
        seconds, pause = self.arguments.minutes * 60, self.arguments.pause
        start = shown = time.monotonic()
        free = [start + random.uniform(0, pause) for _ in range(self.arguments.clients)]  # when each place has its next client
        while (now := time.monotonic()) - start < seconds:
            for client in [one for one in self.clients if one.has_ended() or one.failure()]:
                self.remove(client)
                free.append(now + random.uniform(0, 2 * pause))
            for begin in [one for one in free if one <= now]:
                free.remove(begin)
                self.clients.append(Client(self.worker))
                self.num_begun += 1
            time.sleep(0.3)
            undisturbed = [one for one in self.clients if one.dies_at is None]
            if random.random() < 0.3 * len(undisturbed) / self.arguments.clients:
                random.choice(undisturbed).break_off()
                self.num_broken_off += 1
            self.samples.append(self.worker.state())
            if time.monotonic() - shown > seconds / 10:
                shown = time.monotonic()
                self.show(shown - start, self.samples[-1])

    def remove(self, client):
        if client.failure():
            self.failures.append(client.failure())
        self.clients.remove(client)
        client.close()

    def show(self, seconds, state):
        print("%5.0f s  %.1f MiB, %d descriptors, %d threads; %d clients so far, %d broken off" %
              (seconds, state[0] / 1024, *state[1:], self.num_begun, self.num_broken_off), flush=True)

    def finish(self):
        """What is wrong, a line each."""
        for client in self.clients:
            client.close()
        time.sleep(6)
        last, text = self.worker.state(), self.worker.status()
        code = self.worker.end()
        third = len(self.samples) // 3
        before, after = (max(memory for memory, _, _ in part) for part in (self.samples[third:-third], self.samples[-third:]))
        print(text, "memory at most %.1f MiB in the second third, %.1f in the last, %.1f at the end; %d descriptors, %d threads" %
              (before / 1024, after / 1024, last[0] / 1024, *last[1:]), sep="")
        wrong = list(self.failures)
        if " 0 of " not in text or " 0 buffers, 0 bytes" not in text:
            wrong.append("sessions or buffers are left")
        if last[1] > self.num_descriptors + 2:
            wrong.append(f"descriptors are left: {last[1]}, {self.num_descriptors} at first")
        if max(after, last[0]) > before * 1.05 + 2048:
            wrong.append("memory has grown")
        if code != 0:
            wrong.append(f"the worker ended with {code}")
        return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cornu", help="the program")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=8, help="at a time")
    parser.add_argument("--pause", type=float, default=0, help="seconds at random between two clients, for a machine with other work")
    soak = Soak(parser.parse_args())
    random.seed(1)
    try:
        soak.run()
        wrong = soak.finish()
    finally:
        for client in soak.clients:
            client.close()
        soak.worker.process.kill()
    print("\n".join(["soak: something is wrong", *wrong]) if wrong else "soak: fine")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
