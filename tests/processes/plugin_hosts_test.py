"""Devices of a plug-in on several hosts (hosts.py): which of them each process takes, and what a lost link does to a step that waits.

The plug-in is a made-up one that connects processes (tests/pjrt/several_nodes_plugin.cc)."""

import os
import sys
import unittest

from hosts import Hosts, reason_to_skip, wait_until
from hosts_test import Job

MOST_SECONDS = 15  # keepalive takes 6, who has ended is missed after one
REAL = os.environ.get("CORNU_TEST_PJRT_CPU", "")


class PluginHostsTest(unittest.TestCase):
    def setUp(self):
        self.hosts = self.enterContext(Hosts(["login", "alpha", "beta"]))

    def start(self, slots, count, what):
        settings = {"CORNU_PJRT_PLUGINS": f"cuda={os.environ['CORNU_TEST_NODES']}", "CORNU_TEST_NODE_PLATFORM": "cuda",
                    "CORNU_TEST_NODE_LOG": self.hosts.folder, "CORNU_TEST_PJRT_CPU": REAL, "CORNU_CACHE_DIR": "off"}
        options = ["-n", str(count)]
        for name, value in settings.items():
            options += ["-x", f"{name}={value}"]
        job = Job(self.hosts, slots, [what], options)
        self.addCleanup(job.end)
        return job

    def log(self, rank):
        with open(f"{self.hosts.folder}/{rank}.log", encoding="ascii") as file:
            return file.read().splitlines()

    def test_each_process_takes_the_next_device_of_its_host(self):
        job = self.start("alpha:2,beta:2", 4, "gpu")
        self.assertTrue(job.ends_within(120), job.text())
        self.assertEqual(job.count("of 4: 4 replicas"), 4, job.text())
        for rank in range(4):
            self.assertIn(f"option visible_devices {rank % 2}", self.log(rank))
            self.assertIn(f"option node_id {rank}", self.log(rank))

    def test_a_link_that_is_cut_ends_a_step_that_waits(self):
        job = self.start("alpha:1,beta:1", 2, "gpu_for_ever")
        self.assertTrue(wait_until(lambda: job.count(" goes on\n") == 2, 60), job.text())
        self.hosts["beta"].cut()
        # The rank on the other side cannot tell this one.
        self.assertTrue(wait_until(lambda: job.count("error: ") > 0, MOST_SECONDS), job.text())
        self.assertRegex(job.text(), r"rank [01] \(process \d+ on (alpha|beta)\)")


if __name__ == "__main__":
    if not os.path.exists(REAL):
        print("skipped: the plug-in for CPUs is not there")
        sys.exit(0)
    if reason := reason_to_skip():
        print("skipped:", reason)
        sys.exit(0)
    unittest.main(verbosity=2)
