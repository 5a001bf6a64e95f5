"""Training on a worker of another host (rough_link.py) while packets are lost, repeated, reordered or cut off below TCP."""

import functools
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from hosts import reason_to_skip, wait_until
from rough_link import RoughLink

CLIENT = os.environ.get("ROUGH_LINK_CLIENT", "")
CORNU = os.environ.get("CORNU_PROGRAM", "")
CERTIFICATES = os.environ.get("CERTIFICATES_SCRIPT", "")
KEEP_ALIVE = 5  # seconds, the default
MARGIN = 3
ENVIRONMENT = dict(os.environ, CORNU_CACHE_DIR="off")


class Client:
    """A program on the client's host whose lines are waited for."""

    def __init__(self, link, words):
        self.process = link.client.start([CLIENT, *words], env=ENVIRONMENT, stdin=-1, stdout=-1, stderr=-2, text=True)
        self.lines = []
        self.arrived = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.arrived.put(line)
        self.arrived.put("")

    def wait_for(self, part, seconds):
        """The next line with `part`; empty where the program ends without it."""
        end = time.monotonic() + seconds
        while True:
            line = self.arrived.get(timeout=max(0.0, end - time.monotonic()))
            self.lines.append(line)
            if part in line or not line:
                return line

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def text(self):
        return "".join(self.lines)

    def result(self, seconds):
        """All that it computed, once it has ended."""
        self.wait_for("sessions:", seconds)
        return results(self.lines)

    def num_sessions(self):
        return int(re.search(r"sessions: (\d+)", self.text()).group(1))

    def end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


def results(lines):
    return [line for line in lines if line.startswith("result:")]


@functools.cache
def undisturbed():
    """What the client computes on this machine's CPU engine."""
    run = subprocess.run([CLIENT, "here"], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=-1, text=True, check=True)
    return results(run.stdout.splitlines(keepends=True))


class RoughLinkTest(unittest.TestCase):
    def setUp(self):
        self.link = self.enterContext(RoughLink(seed=1))
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="cornu_link_"))
        subprocess.run(["sh", CERTIFICATES, self.folder, self.link.worker.address], check=True, capture_output=True)
        self.worker = self.link.worker.start(
            [CORNU, "worker", "--listen", f"{self.link.worker.address}:0", "--tls-cert", "worker.pem", "--tls-key", "worker.key",
             "--token-file", "token"], env=ENVIRONMENT, cwd=self.folder, stdout=-1, stderr=-2, text=True)
        self.addCleanup(self.end_worker)
        self.address = re.search(r"[\d.]+:\d+", self.worker.stdout.readline()).group()
        self.fields = f",ca_file={self.folder}/authority.pem,token_file={self.folder}/token"

    def end_worker(self):
        self.worker.kill()
        self.worker.wait()
        self.worker.stdout.close()

    def start(self, what, more=""):
        client = Client(self.link, [what, f"grpc://{self.address}{self.fields}{more}"])
        self.addCleanup(client.end)
        return client

    def status(self):
        """What the worker says, asked on its own host."""
        asked = self.link.worker.start([CORNU, "worker", "--status", self.address + self.fields], stdout=-1, stderr=-2, text=True)
        return asked.communicate(timeout=30)[0]

    def assert_worker_is_free(self, seconds):
        self.assertTrue(wait_until(lambda: re.search(r" 0 of \d+ clients, 0 buffers, 0 bytes", self.status()), seconds), self.status())

    def assert_undisturbed(self, client, seconds):
        result = client.result(seconds)
        self.assertEqual(result, undisturbed(), client.text())
        self.assertGreater(len(result), 16)

    def test_packets_that_are_lost_repeated_and_reordered_change_no_bit(self):
        self.link.set(loss=0.02, repeats=0.02, holds=0.05, delay_ms=20, jitter_ms=2)
        client = self.start("trains")
        start = time.monotonic()
        for _ in range(3):
            self.assertTrue(client.wait_for("pauses", 60), client.text())
            client.go_on()
        self.assert_undisturbed(client, 60)
        counts = self.link.counts()
        print(f"{time.monotonic() - start:.1f} s, {client.num_sessions()} sessions, {counts}")
        for what in ("lost", "repeated", "reordered"):
            self.assertGreater(counts[what], 10, counts)

    def test_a_cut_that_heals_changes_no_bit(self):
        self.link.set(delay_ms=5)
        client = self.start("trains")
        for seconds in (1, KEEP_ALIVE + MARGIN):
            self.assertTrue(client.wait_for("pauses", 60), client.text())
            self.link.cut()
            client.go_on()
            time.sleep(seconds)
            self.link.heal()
        self.assertTrue(client.wait_for("pauses", 60), client.text())
        client.go_on()
        self.assert_undisturbed(client, 60)
        print(f"{client.num_sessions()} sessions, {self.link.counts()}")
        self.assertGreaterEqual(client.num_sessions(), 2)
        self.assertGreater(self.link.counts()["cut"], 0)

    def test_a_worker_that_hangs_for_a_while_changes_no_bit(self):
        client = self.start("trains", ",keep_alive=1")
        self.assertTrue(client.wait_for("pauses", 60), client.text())
        self.worker.send_signal(signal.SIGSTOP)
        client.go_on()
        # The kernel takes connections for it. An attempt gives up after 10 s, and looks for 4 s why it failed.
        self.assertTrue(client.wait_for("warning:", 10), client.text())
        time.sleep(16)
        self.worker.send_signal(signal.SIGCONT)
        for _ in range(2):
            self.assertTrue(client.wait_for("pauses", 60), client.text())
            client.go_on()
        self.assert_undisturbed(client, 60)

    def test_a_worker_behind_a_slow_link_is_not_taken_for_dead(self):
        self.link.set(delay_ms=20, bytes_a_second=1e6)
        client = self.start("executes")  # 4 MB of weights, 10 MB of rows
        self.assertTrue(client.wait_for("executes", 60), client.text())
        with self.assertRaises(queue.Empty):
            self.fail(client.wait_for("error:", 10))

    def cut_in_an_execution(self, *ways):
        """An error with the step, and nothing is left at the worker."""
        self.link.set(delay_ms=5)
        client = self.start("executes")
        self.assertTrue(client.wait_for("executes", 60), client.text())
        self.assertIn(" 1 of 64 clients", self.status())
        time.sleep(1)
        self.link.cut(*ways)
        start = time.monotonic()
        error = client.wait_for("error:", 60)
        seconds = time.monotonic() - start
        self.assertRegex(error, rf"\[grpc\] the worker at {self.address} does not answer: .*in epoch 1, step \d+ of 20000")
        self.assertGreater(int(re.search(r"step (\d+) of", error).group(1)), 1)
        client.process.wait(timeout=10)
        ended = time.monotonic() - start
        self.assert_worker_is_free(KEEP_ALIVE + MARGIN - (time.monotonic() - start))
        print(f"error after {seconds:.1f} s, its end after {ended:.1f} s, the worker free after {time.monotonic() - start:.1f} s;",
              error.strip(), self.link.counts())
        self.assertLess(seconds, KEEP_ALIVE + MARGIN)
        self.assertLess(ended, KEEP_ALIVE + MARGIN)

    def test_a_cut_in_an_execution_is_an_error_with_the_step(self):
        self.cut_in_an_execution()

    def test_a_link_without_the_way_to_the_worker_is_an_error_with_the_step(self):
        self.cut_in_an_execution("there")

    def test_a_link_without_the_way_to_the_client_is_an_error_with_the_step(self):
        self.cut_in_an_execution("back")


if __name__ == "__main__":
    why = reason_to_skip()
    if why:
        print(f"skipped: {why}")
        sys.exit(77)
    unittest.main(verbosity=2)
