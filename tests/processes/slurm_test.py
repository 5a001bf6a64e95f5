"""Processes that Slurm's srun starts on several hosts (hosts.py), with a Slurm of this test's own."""

import os
import shutil
import subprocess
import sys
import time
import unittest

from hosts import Hosts, reason_to_skip, wait_until

CHILD = os.environ.get("PROCESSES_CHILD", "")
MOST_SECONDS = 12  # with all that comes before the end of a rank
DAEMONS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
CONFIGURATION = """
ClusterName=trial
SlurmctldHost=login({login})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=alpha NodeAddr={alpha} CPUs=4 State=UNKNOWN
NodeName=beta NodeAddr={beta} CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """slurmctld on "login", slurmd on "alpha" and "beta", all from one folder."""

    def __init__(self, hosts):
        self.hosts = hosts
        self.folder = f"{hosts.folder}/slurm"
        for name in ("", "/state", "/spool.alpha", "/spool.beta", "/tmp.alpha", "/tmp.beta"):
            os.mkdir(self.folder + name)
        os.chmod(hosts.folder, 0o755)
        addresses = {name: hosts[name].address for name in ("login", "alpha", "beta")}
        with open(f"{self.folder}/slurm.conf", "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(folder=self.folder, **addresses))
        key = os.open(f"{self.folder}/munge.key", os.O_WRONLY | os.O_CREAT, 0o400)
        os.write(key, os.urandom(1024))
        os.close(key)
        self.environment = dict(os.environ, SLURM_CONF=f"{self.folder}/slurm.conf", OMPI_MCA_btl="tcp,self",
                                OMPI_MCA_btl_tcp_if_include="eth0", OMPI_MCA_mpi_yield_when_idle="1")
        # One for all: it is asked through a file, which all hosts see.
        self.daemons = []
        self._begin("login", "munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                    f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        if not wait_until(lambda: os.path.exists(f"{self.folder}/munge.socket"), 10):
            raise RuntimeError("munged has not started")
        self._begin("login", "slurmctld", "-D")
        for name in ("alpha", "beta"):
            self._begin(name, "slurmd", "-D", "-N", name)
        if not wait_until(lambda: self._states() == ["idle", "idle"], 30):
            raise RuntimeError(f"the nodes are {self._states()}")

    def _begin(self, host, *words):
        words = self.hosts[host].command(words)
        self.daemons.append(subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL,
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def _states(self):
        asked = subprocess.run(self.hosts["login"].command(["sinfo", "-h", "-N", "-o", "%t"]), env=self.environment,
                               capture_output=True, text=True)
        return asked.stdout.split()

    def run(self, *words, seconds=60):
        """srun WORDS on "login": what it prints, its code, and how long it took."""
        start = time.monotonic()
        done = subprocess.run(self.hosts["login"].command(["srun", *words]), env=self.environment, stdout=-1, stderr=-2,
                              text=True, timeout=seconds)
        return done.stdout, done.returncode, time.monotonic() - start

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


class SlurmTest(unittest.TestCase):
    def setUp(self):
        self.hosts = self.enterContext(Hosts(["login", "alpha", "beta"]))
        self.slurm = Slurm(self.hosts)
        self.addCleanup(self.slurm.end)

    def folder(self, name):
        path = f"{self.hosts.folder}/{name}"
        os.mkdir(path)
        return path

    def test_ranks_on_two_nodes_train_together(self):
        for count in (2, 4):
            text, code, _ = self.slurm.run("--mpi=pmix", "-N", "2", "-n", str(count), CHILD, "train",
                                           self.folder(f"train_{count}"))
            self.assertEqual(code, 0, text)
            self.assertEqual(text.count(f" of {count}: epochs 6 loss "), count, text)
            self.assertEqual(len(set(line.split(" loss ")[1] for line in text.splitlines() if " epochs 6 " in line)), 1)

    def test_the_resolver_reads_the_job(self):
        text, code, _ = self.slurm.run("--mpi=none", "-N", "2", "--ntasks-per-node=2", CHILD, "resolves", "-")
        self.assertEqual(code, 0, text)
        cluster = "alpha:8888 alpha:8889 beta:8888 beta:8889"
        self.assertEqual(sorted(text.splitlines()), [f"worker {task} of {cluster}" for task in range(4)])

    def kill_a_rank(self, *options):
        text, code, seconds = self.slurm.run("--mpi=pmix", *options, "-N", "2", "--ntasks-per-node=2", CHILD, "killed",
                                             self.folder("killed"), "3")
        self.assertNotEqual(code, 0, text)
        self.assertRegex(text, r"rank 3 \(process \d+ on beta\) has ended while rank")
        self.assertLess(seconds, MOST_SECONDS, text)
        print(f"killed, srun {' '.join(options)}: ended after {seconds:.1f} s")

    def test_a_rank_that_is_killed_ends_the_step(self):
        self.kill_a_rank("--kill-on-bad-exit=1")

    def test_ranks_that_srun_leaves_alone_name_who_was_killed_on_another_host(self):
        self.kill_a_rank("--kill-on-bad-exit=0")


if __name__ == "__main__":
    why = reason_to_skip()
    missing = [program for program in DAEMONS if shutil.which(program) is None]
    if not why and missing:
        why = f"{', '.join(missing)} not there (package slurm-wlm)"
    if why:
        print(f"skipped: {why}")
        sys.exit(0)
    unittest.main(verbosity=2)
