"""Processes that mpirun starts on several hosts (hosts.py), which may die there, hang there, or lose their link."""

import os
import re
import signal
import sys
import threading
import time
import unittest

from hosts import Hosts, reason_to_skip, wait_until

CHILD = os.environ.get("PROCESSES_CHILD", "")
MPIRUN = os.environ.get("PROCESSES_MPIRUN", "mpirun")
MOST_SECONDS = 10  # from the end of a rank to that of the others
TCP_ONLY = ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "eth0", "--mca", "oob_tcp_if_include", "eth0"]


class Job:
    """mpirun on the host "login", with ranks on others."""

    def __init__(self, hosts, slots, arguments, options=()):
        words = [MPIRUN, "--oversubscribe", "--host", slots, "--mca", "plm_rsh_agent", hosts.agent,
                 "--mca", "mpi_yield_when_idle", "1", *TCP_ONLY, *options, CHILD, *arguments]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.lines = []  # (when, what)
        self.process = hosts["login"].start(words, env=environment, stdout=-1, stderr=-2, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line))

    def text(self):
        return "".join(line for _, line in self.lines)

    def count(self, part):
        return self.text().count(part)

    def when(self, part):
        """When the last line with `part` came; none where there is none."""
        return max((at for at, line in self.lines if part in line), default=None)

    def ends_within(self, seconds):
        return wait_until(lambda: self.process.poll() is not None, seconds)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(1)  # what mpirun has left behind may hold the pipe until its host ends


class HostsTest(unittest.TestCase):
    def setUp(self):
        self.hosts = self.enterContext(Hosts(["login", "alpha", "beta"]))

    def start(self, slots, arguments, options=()):
        job = Job(self.hosts, slots, arguments, options)
        self.addCleanup(job.end)
        return job

    def folder(self, name):
        path = f"{self.hosts.folder}/{name}"
        os.mkdir(path)
        return path

    def start_training(self, options=()):
        """Four ranks that train until they are ended, 0 and 1 on alpha, 2 and 3 on beta."""
        job = self.start("alpha:2,beta:2", ["goes_on", self.folder("run")], ["-n", "4", *options])
        self.assertTrue(wait_until(lambda: job.count(" goes on\n") == 4, 60), job.text())
        return job

    def child_pids(self, host):
        return self.hosts[host].pids_of(os.path.basename(CHILD))

    def test_losses_have_the_bits_of_one_host(self):
        losses, files = {}, {}
        for count in (2, 4):
            for slots in (f"alpha:{count}", f"alpha:{count // 2},beta:{count // 2}"):
                folder = self.folder(slots.replace(":", "_").replace(",", "_"))
                job = self.start(slots, ["train", folder], ["-n", str(count)])
                self.assertTrue(job.ends_within(60), job.text())
                self.assertEqual(job.process.returncode, 0, job.text())
                self.assertEqual(len(re.findall(rf"rank \d of {count}: epochs 6 loss", job.text())), count, job.text())
                with open(f"{folder}/log.csv", encoding="ascii") as log:
                    losses[slots] = log.read()
                job.end()
            self.assertEqual(len(losses[slots].splitlines()), 7)
            self.assertEqual(losses[slots], losses[f"alpha:{count}"])

    def test_a_rank_that_is_killed_ends_all(self):
        job = self.start_training()
        start = time.monotonic()
        os.kill(self.child_pids("beta")[0], signal.SIGKILL)
        self.assertTrue(job.ends_within(MOST_SECONDS), job.text())
        self.assertNotEqual(job.process.returncode, 0)
        self.assertRegex(job.text(), r"rank 2 .*on node beta exited on signal 9")
        print(f"killed: mpirun ended after {time.monotonic() - start:.1f} s")

    def test_ranks_that_mpirun_leaves_alone_name_who_was_killed_on_another_host(self):
        job = self.start_training(["--enable-recovery"])
        start = time.monotonic()
        os.kill(self.child_pids("beta")[0], signal.SIGKILL)
        named = r"error: \[MultiWorkerMirroredStrategy\] rank 2 \(process \d+ on beta\) has ended while rank"
        self.assertTrue(wait_until(lambda: len(re.findall(named, job.text())) == 3, MOST_SECONDS), job.text())
        print(f"killed, under --enable-recovery: all others ended after {job.when('error: ') - start:.1f} s")

    def test_a_link_that_is_cut_ends_the_ranks_at_both_ends(self):
        job = self.start_training()
        start = time.monotonic()
        self.hosts["beta"].cut()
        for host in ("alpha", "beta"):
            self.assertTrue(wait_until(lambda: not self.child_pids(host), MOST_SECONDS), (host, job.text()))
        print(f"cut: the last rank ended after {time.monotonic() - start:.1f} s")
        self.assertRegex(job.text(), r"error: \[MultiWorkerMirroredStrategy\] rank [23] \(process \d+ on beta\) is unreachable: "
                                     r"its machine or connection has been silent")
        # mpirun itself may wait on for the lost host, whatever its keepalive: what it has sent there is under way.

    def test_a_rank_that_is_stopped_is_named_after_the_time(self):
        job = self.start_training(["-x", "CORNU_PROCESSES_TIMEOUT=8"])
        start = time.monotonic()
        os.kill(self.child_pids("beta")[0], signal.SIGSTOP)
        self.assertTrue(job.ends_within(8 + MOST_SECONDS), job.text())
        self.assertNotEqual(job.process.returncode, 0)
        self.assertRegex(job.text(), r"has waited 8 s for rank 2 \(process \d+ on beta\)")
        self.assertNotIn("has ended while", job.text().split("has waited")[0])
        self.assertNotIn("is unreachable", job.text())
        print(f"stopped: mpirun ended after {time.monotonic() - start:.1f} s, of which 8 s are the time")


if __name__ == "__main__":
    why = reason_to_skip()
    if why:
        print(f"skipped: {why}")
        sys.exit(0)
    unittest.main(verbosity=2)
