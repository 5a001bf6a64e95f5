#!/usr/bin/env python3
"""Runs `cornu study run --hosts` with an ssh of its own making: study_hosts_test.py PROGRAM.

The ssh program runs the command on this machine. Hosts differ: h1 has all processors, h2 one processor and another instruction set level,
"dead" cannot be reached, "lost" ends in the middle, "silent" sends nothing, "mute" ends without a line."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
SSH = r"""#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift 2; done
host=$1
echo "$2" >>"$(dirname "$0")/$host.commands"
case $host in
  dead) echo "ssh: connect to host dead port 22: No route to host" >&2; exit 255;;
  silent) exec sleep 3600;;
  mute) exec cat >/dev/null;;
  lost) sh -c "$2" | head -n 2; echo "Connection to lost closed by remote host." >&2; exit 255;;
  h2) exec taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" sh -c "$(echo "$2" | sed "s/'--isa' '[^']*'/'--isa' 'sse2'/")";;
  *) exec sh -c "$2";;
esac
"""


class HostsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.ssh = self.path("ssh")
        with open(self.ssh, "w", encoding="utf-8") as file:
            file.write(SSH)
        os.chmod(self.ssh, 0o755)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_study(self, hosts, *arguments, code=0):
        done = subprocess.run([PROGRAM, "study", "run", "--hosts", hosts, "--ssh", f"{self.ssh} -p 22", "--log", self.path("s.log"), "--json",
                               "--repeats", "3", *arguments], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return json.loads(done.stdout) if code == 0 else done.stderr

    @staticmethod
    def warnings(report):
        """Those of hosts and logs."""
        return [text for text in report["warnings"] if "prices of" not in text and "nothing is compared with" not in text]

    def entries(self, host):
        with open(self.path(f"s.{host}.log"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_hosts_that_differ_are_measured_and_joined(self):
        hosts = self.path("hosts")
        with open(hosts, "w", encoding="utf-8") as file:
            file.write("h1 slots=2  # all processors\nh2\n")
        report = self.run_study(hosts, "--workloads", "iris_mlp", "--isa", "avx2", "--threads", "1", "--seconds", "0.02")
        self.assertEqual(self.warnings(report), [])
        machines = report["tables"][0]["rows"]
        self.assertEqual([row["host"] for row in machines], ["h1", "h2"])
        self.assertEqual(machines[1]["processors"], 1)
        rows = {(row["host"], row["instruction_set"]): row for row in report["tables"][1]["rows"]}
        self.assertEqual(set(rows), {("h1", "avx2"), ("h2", "sse2")})
        for (host, _), row in rows.items():
            value = self.entries(host)[1]["value"]
            median = sorted(value["milliseconds"])[1]
            self.assertEqual(row["measured"], 1e-3 * median * value["steps"], "exactly")

    def test_a_host_that_fails_is_one_sentence_and_nothing_measured_is_lost(self):
        report = self.run_study("dead,h1,lost,silent,mute", "--threads", "1", "--name", "train", "--silence", "15", "--program", PROGRAM,
                                "--", "true")
        warnings = self.warnings(report)
        self.assertEqual(len(warnings), 4, warnings)
        self.assertEqual(warnings[0], "dead cannot be used: ssh: connect to host dead port 22: No route to host.")
        self.assertEqual(warnings[1], "lost was lost or failed in the middle: Connection to lost closed by remote host; "
                         "its measurement is kept.")
        self.assertEqual(warnings[2], "silent sent nothing for 15 s and is left out from there on.")
        self.assertEqual(warnings[3], "mute measured nothing.")
        self.assertEqual([row["host"] for row in report["tables"][0]["rows"]], ["h1", "lost"])
        self.assertFalse(os.path.exists(self.path("s.dead.log")))
        self.assertFalse(any(name.endswith(".new") for name in os.listdir(self.folder.name)))

    def test_no_host_at_all_is_an_error_with_every_reason(self):
        said = self.run_study("dead,mute", "--threads", "1", "--program", PROGRAM, "--", "true", code=1)
        self.assertIn("no host measured anything: dead cannot be used", re.sub(r"\s+", " ", said))
        self.assertIn("mute measured nothing", re.sub(r"\s+", " ", said))

    def test_a_study_that_is_resumed_measures_only_what_is_missing(self):
        options = ("--workloads", "iris_mlp", "--isa", "sse2", "--seconds", "0.02")
        self.run_study("h1", "--threads", "1", *options)
        before = self.entries("h1")
        # The host is gone: its log stays as it is.
        with open(self.path("s.dead.log"), "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(line) + "\n" for line in before))
        report = self.run_study("dead,h1", "--threads", "1", "--device", "sim:ideal,step_seconds=0.001", "--resume", *options)
        self.assertEqual(len(self.warnings(report)), 1 + 1, "the host, and that the logs are of one machine")
        after = self.entries("h1")
        self.assertEqual(after[1], before[1])
        self.assertEqual(len(after), len(before) + 1)
        self.assertEqual(self.entries("dead"), before)

    def test_a_command_that_hangs_is_ended_on_its_host(self):
        report = self.run_study("h1", "--threads", "1", "--limit", "1", "--program", PROGRAM, "--output", self.path("page"), "--",
                                "sh", "-c", "test -e " + self.path("once") + " && exec sleep 3600; exit 0")
        self.assertEqual(self.warnings(report), [])
        open(self.path("once"), "w", encoding="utf-8").close()
        said = self.run_study("h1", "--threads", "1", "--limit", "1", "--program", PROGRAM, "--", "sh", "-c",
                              "test -e " + self.path("once") + " && exec sleep 3600; exit 0", code=1)
        self.assertIn("did not end within 1 s", re.sub(r"\s+", " ", said))
        self.assertIn("no host measured anything: h1 measured nothing", re.sub(r"\s+", " ", said))
        with open(self.path("page.csv"), encoding="utf-8") as file:
            self.assertEqual(next(csv.DictReader(file))["host"], "h1")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
